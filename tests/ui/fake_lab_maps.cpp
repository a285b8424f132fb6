/// Fake laboratory, part 3: maps. See fake_lab.h.
#include "tests/ui/fake_lab.h"

#include "core/api/maps.h"

#include <algorithm>
#include <cmath>

namespace lw {

const char* score_part_name(ScorePart part) {
    constexpr const char* names[] = {"content", "bias", "adaptive", "bias+adaptive", "logit", "probability"};
    return names[static_cast<int>(part)];
}

std::int64_t default_tile_bytes() { return 256 * 1024 * 1024; }

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

namespace {

struct Cell {
    double content = 0, bias = 0, adaptive = 0, logit = 0;
};

class FakeMaps : public MapSession {
public:
    FakeMaps(RunInfo run, std::int64_t step, TokenText text) : text_(text.offset) {
        info_.run_title = run.title;
        info_.layers = run.recipe.model.layers;
        info_.heads = run.recipe.model.heads;
        info_.length = static_cast<std::int64_t>(text.ids.size());
        info_.train_length = run.recipe.training.length;
        info_.step = step >= 0 ? step : run.step;
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
        c.content = 1.2 * noise(layer * 31 + head, text_, j) + 0.6 * noise(layer, i, j) + 0.5 * noise(head, i, 1);
        if (has_bias_) c.bias = -(0.2 + 0.1 * static_cast<double>(head)) * std::log1p(distance);
        // It grows while the model is trained.
        if (has_adaptive_) c.adaptive = static_cast<double>(info_.step) / 6000 * kind(layer, head) * std::log1p(distance) * 0.5 + 0.4 * noise(head, layer, j);
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
        // Whole cells per pixel, as in the laboratory: the last pixel may reach past the range.
        const auto cells = [](const CellRange& range, std::int64_t most) { return (range.size() + most - 1) / most; };
        const std::int64_t down = cells(request.queries, request.max_rows), across = cells(request.keys, request.max_columns);
        t.rows = cells(request.queries, down);
        t.columns = cells(request.keys, across);
        t.reducer = request.reducer;
        t.cells_per_row = static_cast<double>(down);
        t.cells_per_column = static_cast<double>(across);
        t.sampled = request.sampled && (down > 1 || across > 1);
        for (std::int64_t r = 0; r < t.rows; ++r) {
            const std::int64_t i = std::min(request.queries.end - 1, request.queries.begin + static_cast<std::int64_t>((static_cast<double>(r) + 0.5) * t.cells_per_row));
            const double normaliser = request.part == ScorePart::probability ? log_sum(request.layer, head, i) : 0;
            for (std::int64_t k = 0; k < t.columns; ++k) {
                const std::int64_t j = std::min(request.keys.end - 1, request.keys.begin + static_cast<std::int64_t>((static_cast<double>(k) + 0.5) * t.cells_per_column));
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
    std::int64_t text_ = 0;
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
    return std::shared_ptr<MapSession>(std::make_shared<FakeMaps>(run.value(), request.step, std::move(text).value()));
}

Result<std::vector<HeadMeasures>> measure_heads(const MapsRequest& request, const MeasureRequest& measure, const RunContext& context) {
    auto maps = open_maps(request, context);
    if (!maps.ok()) return maps.error();
    auto measures = maps.value()->measures(measure, context);
    for (HeadMeasures& m : measures.value()) m.texts = measure.sequences;
    return measures;
}

}  // namespace lw
