/// Fake laboratory, part 3: maps, evaluations, curves and export. See fake_lab.h.
#include "tests/ui/fake_lab.h"

#include "core/api/evaluation.h"
#include "core/api/export.h"
#include "core/api/maps.h"

#include <algorithm>
#include <cmath>
#include <fstream>

namespace lw {

const char* score_part_name(ScorePart part) {
    constexpr const char* names[] = {"content", "bias", "adaptive", "bias+adaptive", "logit", "probability"};
    return names[static_cast<int>(part)];
}

Result<ScorePart> parse_score_part(const std::string& name) {
    for (int p = 0; p <= static_cast<int>(ScorePart::probability); ++p)
        if (name == score_part_name(static_cast<ScorePart>(p))) return static_cast<ScorePart>(p);
    return Error{ErrorKind::invalid_argument, "There is no score part \"" + name + "\"."};
}

const char* reducer_name(Reducer reducer) {
    constexpr const char* names[] = {"mean", "max", "signed max-abs"};
    return names[static_cast<int>(reducer)];
}

Result<Reducer> parse_reducer(const std::string& name) {
    for (int r = 0; r < 3; ++r)
        if (name == reducer_name(static_cast<Reducer>(r))) return static_cast<Reducer>(r);
    return Error{ErrorKind::invalid_argument, "There is no reducer \"" + name + "\"."};
}

namespace fake {

double perplexity(const std::string& scheme, double length, double train_length, std::uint64_t seed) {
    const double octaves = std::max(0.0, std::log2(length / train_length));
    double base = 26.5, growth = 0.03;
    if (scheme == "NoPE") base = 31, growth = 0.7;
    if (scheme == "Sinusoidal") base = 31.9, growth = 1.25;
    if (scheme == "RoPE") base = 27.4, growth = 0.75;
    if (scheme == "ALiBi") base = 26.8, growth = -0.005;
    if (scheme == "Kerple") base = 26.3, growth = 0.02 * octaves - 0.04;
    if (scheme == "FIRE") base = 26.5, growth = 0.05 * octaves - 0.05;
    if (scheme.starts_with("DAPE")) base = 25.7 + (scheme == "DAPE-FIRE" ? 0.2 : 0), growth = -0.015 + (scheme == "DAPE-FIRE" ? 0.004 * octaves : 0);
    return base * std::exp(growth * octaves) * (1 + 0.006 * (static_cast<double>(seed) - 2));
}

}  // namespace fake

namespace {

struct Cell {
    double content = 0, bias = 0, adaptive = 0, logit = 0;
};

class FakeMaps : public MapSession {
public:
    FakeMaps(RunInfo run, TokenText text) {
        info_.run_title = run.title;
        info_.layers = run.recipe.model.layers;
        info_.heads = run.recipe.model.heads;
        info_.length = static_cast<std::int64_t>(text.ids.size());
        info_.train_length = run.recipe.training.length;
        info_.step = run.step;
        info_.text = std::move(text);
        has_bias_ = run.recipe.scheme.slots.contains("bias");
        has_adaptive_ = run.recipe.scheme.slots.contains("adaptive");
        info_.parts = {ScorePart::content};
        if (has_bias_) info_.parts.push_back(ScorePart::bias);
        if (has_adaptive_) info_.parts.insert(info_.parts.end(), {ScorePart::adaptive, ScorePart::bias_adaptive});
        info_.parts.insert(info_.parts.end(), {ScorePart::logit, ScorePart::probability});
        info_.attention_note = "row blocks";
    }

    const MapsInfo& info() const override { return info_; }

    Result<std::vector<MapTile>> tiles(const TileRequest& request, const RunContext& context) override {
        std::vector<MapTile> list;
        const bool all = request.head < 0;
        for (std::int64_t h = all ? 0 : request.head; h < (all ? info_.heads : request.head + 1); ++h) {
            if (context.stopping()) return Error{ErrorKind::cancelled, "Cancelled."};
            list.push_back(tile(request, h));
        }
        return list;
    }

    Result<std::vector<RowProfile>> rows(std::int64_t layer, std::int64_t query) override {
        std::vector<RowProfile> list;
        for (std::int64_t h = 0; h < info_.heads; ++h) list.push_back(row(layer, h, query));
        return list;
    }

    Result<CellArithmetic> cell(std::int64_t layer, std::int64_t head, std::int64_t query, std::int64_t key) override {
        const Cell c = value(layer, head, query, key);
        CellArithmetic a;
        a.query = query;
        a.key = key;
        a.query_piece = info_.text.pieces.at(static_cast<std::size_t>(query));
        a.key_piece = info_.text.pieces.at(static_cast<std::size_t>(key));
        a.content = c.content;
        a.bias = c.bias;
        a.adaptive = c.adaptive;
        a.logit = c.logit;
        a.visible = key <= query;
        a.probability = a.visible ? std::exp(c.logit - log_sum(layer, head, query)) : 0;
        char text[160];
        std::snprintf(text, sizeof text, "%.2f + (%.2f) + %.2f = %.2f → %.2g", c.content, c.bias, c.adaptive, c.logit, a.probability);
        a.sentence = text;
        return a;
    }

    Result<std::vector<HeadMeasures>> measures(const MeasureRequest&, const RunContext&) override {
        constexpr const char* classes[] = {"local", "anti-local", "flat", "U-shape", "hump"};
        std::vector<HeadMeasures> list;
        for (std::int64_t l = 0; l < info_.layers; ++l)
            for (std::int64_t h = 0; h < info_.heads; ++h) {
                HeadMeasures m;
                m.layer = l;
                m.head = h;
                const double tilt = kind(l, h);
                m.contrast = 3 * tilt;
                m.rank = tilt;
                m.locality = -tilt;
                m.adaptivity = has_adaptive_ ? 0.46 : 0;
                m.head_class = classes[tilt < -0.3 ? 0 : tilt > 0.3 ? 1 : (h % 3) + 2];
                m.rms_content = 0.71;
                m.rms_bias = has_bias_ ? 3.9 : 0;
                m.rms_adaptive = has_adaptive_ ? 1.6 : 0;
                m.entropy = 3.1;
                m.beyond_training = 0.2;
                m.first_key = 0.05;
                list.push_back(m);
            }
        return list;
    }

private:
    static double noise(std::int64_t a, std::int64_t b, std::int64_t c) {
        const double x = std::sin(static_cast<double>(a) * 12.9898 + static_cast<double>(b) * 78.233 + static_cast<double>(c) * 37.719) * 43758.5453;
        return 2 * (x - std::floor(x)) - 1;
    }
    static double kind(std::int64_t layer, std::int64_t head) { return std::sin(1.7 * static_cast<double>(layer * 8 + head) + 2.4); }

    Cell value(std::int64_t layer, std::int64_t head, std::int64_t i, std::int64_t j) const {
        Cell c;
        const auto distance = static_cast<double>(i - j);
        c.content = 1.2 * noise(layer * 31 + head, 0, j) + 0.6 * noise(layer, i, j) + 0.5 * noise(head, i, 1);
        if (has_bias_) c.bias = -(0.2 + 0.1 * static_cast<double>(head)) * std::log1p(distance);
        if (has_adaptive_) c.adaptive = kind(layer, head) * std::log1p(distance) * 0.5 + 0.4 * noise(head, layer, j);
        c.logit = c.content + c.bias + c.adaptive;
        return c;
    }

    double log_sum(std::int64_t layer, std::int64_t head, std::int64_t query) const {
        double sum = 0;
        const std::int64_t step = std::max<std::int64_t>(1, (query + 1) / 256);
        for (std::int64_t j = 0; j <= query; j += step) sum += std::exp(value(layer, head, query, j).logit) * static_cast<double>(step);
        return std::log(sum);
    }

    double part(const Cell& c, ScorePart which, double normaliser) const {
        switch (which) {
            case ScorePart::content: return c.content;
            case ScorePart::bias: return c.bias;
            case ScorePart::adaptive: return c.adaptive;
            case ScorePart::bias_adaptive: return c.bias + c.adaptive;
            case ScorePart::logit: return c.logit;
            case ScorePart::probability: return std::exp(c.logit - normaliser);
        }
        return 0;
    }

    MapTile tile(const TileRequest& request, std::int64_t head) const {
        MapTile t;
        t.layer = request.layer;
        t.head = head;
        t.part = request.part;
        t.queries = request.queries;
        t.keys = request.keys;
        t.rows = std::min(request.max_rows, request.queries.size());
        t.columns = std::min(request.max_columns, request.keys.size());
        t.reducer = request.reducer;
        t.sampled = request.sampled;
        t.cells_per_row = static_cast<double>(request.queries.size()) / static_cast<double>(t.rows);
        t.cells_per_column = static_cast<double>(request.keys.size()) / static_cast<double>(t.columns);
        for (std::int64_t r = 0; r < t.rows; ++r) {
            const std::int64_t i = request.queries.begin + static_cast<std::int64_t>((static_cast<double>(r) + 0.5) * t.cells_per_row);
            const double normaliser = request.part == ScorePart::probability ? log_sum(request.layer, head, i) : 0;
            for (std::int64_t k = 0; k < t.columns; ++k) {
                const std::int64_t j = request.keys.begin + static_cast<std::int64_t>((static_cast<double>(k) + 0.5) * t.cells_per_column);
                t.values.push_back(j > i ? std::nanf("") : static_cast<float>(part(value(request.layer, head, i, j), request.part, normaliser)));
            }
        }
        return t;
    }

    RowProfile row(std::int64_t layer, std::int64_t head, std::int64_t query) const {
        RowProfile p;
        p.layer = layer;
        p.head = head;
        p.query = query;
        const double normaliser = log_sum(layer, head, query);
        for (std::int64_t j = 0; j <= query; ++j) {
            const Cell c = value(layer, head, query, j);
            p.content.push_back(static_cast<float>(c.content));
            if (has_bias_) p.bias.push_back(static_cast<float>(c.bias));
            if (has_adaptive_) p.adaptive.push_back(static_cast<float>(c.adaptive));
            p.logit.push_back(static_cast<float>(c.logit));
            p.probability.push_back(static_cast<float>(std::exp(c.logit - normaliser)));
        }
        return p;
    }

    MapsInfo info_;
    bool has_bias_ = false, has_adaptive_ = false;
};

}  // namespace

Result<std::shared_ptr<MapSession>> open_maps(const MapsRequest& request, const RunContext& context) {
    fake::State& s = fake::state();
    ++s.open_maps_calls;
    {
        const std::lock_guard lock(s.mutex);
        if (!s.fail_maps.message.empty()) return s.fail_maps;
    }
    context.report({"Reading the text", 0, 1, "layers", 0, "", -1, ""});
    const auto run = read_run(request.run);
    if (!run.ok()) return run.error();
    auto text = read_text(request.run, request.text);
    if (!text.ok()) return text.error();
    return std::shared_ptr<MapSession>(std::make_shared<FakeMaps>(run.value(), std::move(text).value()));
}

Result<std::vector<HeadMeasures>> measure_heads(const MapsRequest& request, const MeasureRequest& measure, const RunContext& context) {
    auto maps = open_maps(request, context);
    if (!maps.ok()) return maps.error();
    return maps.value()->measures(measure, context);
}

namespace {

Evaluation make_evaluation(const RunInfo& run) {
    Evaluation e;
    e.protocol = run.recipe.evaluation;
    e.protocol.scored = 64;
    e.protocol_line = "same 64 last tokens, 32 places of 2 documents, no BOS";
    e.run = run.id;
    e.step = run.step;
    e.source = run.recipe.data.source;
    e.documents = {"en-prose/northanger_abbey", "en-prose/persuasion"};
    const auto trained = static_cast<double>(run.recipe.training.length);
    for (std::int64_t length = run.recipe.training.length; length <= 16384; length *= 2) {
        LengthPoint point;
        point.length = length;
        point.perplexity = fake::perplexity(run.recipe.scheme.name, static_cast<double>(length), trained, run.recipe.seed);
        point.loss = std::log(point.perplexity);
        point.low = point.perplexity * 0.975;
        point.high = point.perplexity * 1.03;
        point.documents = 2;
        point.places = 32;
        point.tokens = 2048;
        e.points.push_back(point);
    }
    for (std::int64_t edge = 1; edge <= 16384; edge *= 2) {
        e.position_edges.push_back(edge);
        if (edge < 16384) e.position_loss.push_back(3.25 + 1.5 / std::sqrt(static_cast<double>(edge)));
    }
    e.device = "cpu";
    e.dtype = "float32";
    return e;
}

CurveLine make_line(const RunInfo& run, std::int64_t seeds) {
    const Evaluation e = make_evaluation(run);
    CurveLine line;
    line.title = run.title;
    Recipe recipe = run.recipe;
    recipe.seed = 0;
    line.group = recipe_hash(recipe);
    line.runs = {run.folder.string()};
    line.seeds = seeds;
    line.train_length = run.recipe.training.length;
    for (const LengthPoint& p : e.points) {
        line.length.push_back(static_cast<double>(p.length));
        line.value.push_back(p.perplexity);
        line.low.push_back(p.low);
        line.high.push_back(p.high);
        line.tokens.push_back(static_cast<double>(p.tokens));
    }
    line.band = seeds > 1 ? "mean of seeds ± t interval" : "95 % bootstrap over documents";
    return line;
}

}  // namespace

Result<Evaluation> evaluate(const std::filesystem::path& folder, const EvaluationSpec&, std::int64_t, const RunContext& context,
                            const std::function<void(const Evaluation&)>& on_point) {
    const auto run = read_run(folder);
    if (!run.ok()) return run.error();
    Evaluation full = make_evaluation(run.value());
    Evaluation so_far = full;
    so_far.points.clear();
    for (const LengthPoint& point : full.points) {
        if (context.stopping()) {
            so_far.complete = false;
            return so_far;
        }
        so_far.points.push_back(point);
        context.report({"Evaluating at " + std::to_string(point.length), static_cast<double>(so_far.points.size()), static_cast<double>(full.points.size()), "lengths", 0, "", -1, ""});
        if (on_point) on_point(so_far);
        if (context.serve) context.serve();
    }
    return full;
}

Result<std::vector<Evaluation>> read_evaluations(const std::filesystem::path& folder) {
    const auto run = read_run(folder);
    if (!run.ok()) return run.error();
    if (run.value().evaluations.empty()) return std::vector<Evaluation>{};
    return std::vector<Evaluation>{make_evaluation(run.value())};
}

Result<std::vector<TaskPoint>> evaluate_task(const std::filesystem::path& folder, const std::vector<std::int64_t>& lengths, std::int64_t examples, const RunContext&) {
    const auto run = read_run(folder);
    if (!run.ok()) return run.error();
    std::vector<TaskPoint> points;
    for (const std::int64_t length : lengths) {
        const double accuracy = 1 / (1 + std::pow(static_cast<double>(length) / 700.0, 2));
        points.push_back({length, accuracy, accuracy * accuracy, accuracy - 0.04, std::min(1.0, accuracy + 0.04), 1.0 / 16, examples});
    }
    return points;
}

Result<std::vector<Comparison>> compare(const std::vector<std::filesystem::path>& runs, const std::string&) {
    std::vector<Comparison> list;
    for (std::size_t r = 1; r < runs.size(); ++r) {
        const auto a = read_run(runs[0]), b = read_run(runs[r]);
        if (!a.ok() || !b.ok()) continue;
        Comparison c;
        c.a = a.value().title;
        c.b = b.value().title;
        c.length = 2048;
        c.ratio = 0.9;
        c.low = 0.87;
        c.high = 0.93;
        c.welch_p = 0.004;
        c.seeds_a = c.seeds_b = 3;
        c.documents = 32;
        c.sentence = c.a + " is lower than " + c.b + " at 2,048 by 10.4 % [8.1, 12.6], p = 0.004 (Welch on log-perplexity, 3 seeds each, 32 documents).";
        list.push_back(c);
    }
    return list;
}

Result<CurveSet> perplexity_curves(const std::vector<std::filesystem::path>& runs, const std::string& protocol, bool group_seeds) {
    CurveSet set;
    set.protocol = protocol;
    set.protocol_line = "same 64 last tokens, 32 places of 2 documents, no BOS";
    set.x_label = "length T (tokens)";
    set.y_label = "perplexity of the last 64 tokens";
    for (const auto& folder : runs) {
        const auto run = read_run(folder);
        if (!run.ok()) continue;
        if (run.value().evaluations.empty()) {
            set.missing.push_back(run.value().title);
            continue;
        }
        CurveLine line = make_line(run.value(), 1);
        const auto same = std::find_if(set.lines.begin(), set.lines.end(), [&](const CurveLine& other) { return other.group == line.group; });
        if (group_seeds && same != set.lines.end()) {
            same->runs.push_back(folder.string());
            ++same->seeds;
            same->band = "mean of seeds ± t interval";
        } else {
            set.lines.push_back(line);
        }
    }
    return set;
}

Status write_npz(const std::filesystem::path& file, const std::vector<NamedArray>& arrays) {
    return write_text_file(file, std::to_string(arrays.size()) + " arrays\n");
}

Status write_text_file(const std::filesystem::path& file, const std::string& text) {
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    if (!stream) return Error{ErrorKind::io, "Could not write " + file.string() + "."};
    return Nothing{};
}

std::string curves_csv(const CurveSet& curves) {
    std::string csv = "title,length,perplexity,low,high,tokens\n";
    for (const CurveLine& line : curves.lines)
        for (std::size_t i = 0; i < line.length.size(); ++i)
            csv += line.title + "," + std::to_string(line.length[i]) + "," + std::to_string(line.value[i]) + "," + std::to_string(line.low[i]) + "," + std::to_string(line.high[i]) + "," + std::to_string(line.tokens[i]) + "\n";
    return csv;
}

std::string tile_csv(const MapTile& tile) {
    std::string csv;
    for (std::int64_t r = 0; r < tile.rows; ++r)
        for (std::int64_t c = 0; c < tile.columns; ++c)
            csv += std::to_string(tile.values[static_cast<std::size_t>(r * tile.columns + c)]) + (c + 1 < tile.columns ? "," : "\n");
    return csv;
}

std::string rows_csv(const std::vector<RowProfile>& rows) {
    std::string csv = "layer,head,key,probability\n";
    for (const RowProfile& row : rows)
        for (std::size_t j = 0; j < row.probability.size(); ++j)
            csv += std::to_string(row.layer) + "," + std::to_string(row.head) + "," + std::to_string(j) + "," + std::to_string(row.probability[j]) + "\n";
    return csv;
}

std::string measures_csv(const std::vector<HeadMeasures>& measures) {
    std::string csv = "layer,head,class\n";
    for (const HeadMeasures& m : measures) csv += std::to_string(m.layer) + "," + std::to_string(m.head) + "," + m.head_class + "\n";
    return csv;
}

}  // namespace lw
