/// Fake laboratory, part 4: evaluations, curves and export. See fake_lab.h.
#include "tests/ui/fake_lab.h"

#include "core/api/evaluation.h"
#include "core/api/export.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

namespace lw {

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

double welch_p(const std::string& a, const std::string& b) {
    int sum = 0;
    for (const char c : a) sum += c;
    for (const char c : b) sum += 3 * c;
    return 0.001 * (1 + sum % 97);
}

}  // namespace fake

namespace {

Evaluation make_evaluation(const RunInfo& run, const std::string& protocol = "last-k") {
    Evaluation e;
    e.protocol = run.recipe.evaluation;
    e.protocol.protocol = protocol;
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
        point.tokens = protocol == "longppl" ? 64 : 2048;
        if (protocol == "longppl") point.candidates = 2048;
        e.points.push_back(point);
    }
    e.device = "cpu";
    e.dtype = "float32";
    if (protocol == "longppl") return e;  // key tokens alone have no losses by position
    for (std::int64_t edge = 1; edge <= 16384; edge *= 2) {
        e.position_edges.push_back(edge);
        if (edge < 16384) e.position_loss.push_back(3.25 + 1.5 / std::sqrt(static_cast<double>(edge)));
    }
    for (std::int64_t beyond = 1; run.recipe.training.length + beyond < 16384; beyond *= 2) {
        e.boundary_edges.push_back(run.recipe.training.length + beyond);
        if (beyond > 1) e.boundary_loss.push_back(3.25 + 0.05 * std::log2(static_cast<double>(beyond)));
    }
    return e;
}

/// What demo runs come with, and what was evaluated since.
std::vector<Evaluation> all_evaluations(const RunInfo& run) {
    std::vector<Evaluation> list;
    if (!run.evaluations.empty()) list.push_back(make_evaluation(run));
    fake::State& s = fake::state();
    const std::lock_guard lock(s.mutex);
    for (const Evaluation& e : s.evaluated[run.folder.string()]) {
        std::erase_if(list, [&](const Evaluation& older) { return older.protocol.protocol == e.protocol.protocol; });
        list.push_back(e);
    }
    for (Evaluation& e : list) {
        if (!s.without_boundary.contains(run.title)) continue;
        e.boundary_edges.clear();
        e.boundary_loss.clear();
    }
    return list;
}

CurveLine make_line(const RunInfo& run, const Evaluation& e) {
    CurveLine line;
    line.title = run.title;
    Recipe recipe = run.recipe;
    recipe.seed = 0;
    line.group = recipe_hash(recipe);
    line.runs = {run.id};
    line.train_length = run.recipe.training.length;
    for (const LengthPoint& p : e.points) {
        line.length.push_back(static_cast<double>(p.length));
        line.value.push_back(p.perplexity);
        line.low.push_back(p.low);
        line.high.push_back(p.high);
        line.tokens.push_back(static_cast<double>(p.tokens));
        if (p.candidates > 0) line.candidates.push_back(static_cast<double>(p.candidates));
    }
    line.band = "95 % bootstrap over documents";
    return line;
}

}  // namespace

Result<Evaluation> evaluate(const std::filesystem::path& folder, const EvaluationSpec& spec, std::int64_t, const RunContext& context,
                            const std::function<void(const Evaluation&)>& on_point) {
    const auto run = read_run(folder);
    if (!run.ok()) return run.error();
    Evaluation full = make_evaluation(run.value(), spec.protocol);
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
    // The real one leaves a file, which the window looks for.
    std::filesystem::create_directories(folder / "evaluations");
    std::ofstream(folder / "evaluations" / (spec.protocol + ".json")) << "{}";
    fake::State& s = fake::state();
    const std::lock_guard lock(s.mutex);
    std::vector<Evaluation>& kept = s.evaluated[folder.string()];
    std::erase_if(kept, [&](const Evaluation& older) { return older.protocol.protocol == spec.protocol; });
    kept.push_back(full);
    for (RunInfo& trained : s.trained)
        if (trained.folder == folder) trained.evaluations = {spec.protocol + ".json"};
    return full;
}

Result<std::vector<Evaluation>> read_evaluations(const std::filesystem::path& folder) {
    const auto run = read_run(folder);
    if (!run.ok()) return run.error();
    return all_evaluations(run.value());
}

std::vector<ProtocolInfo> evaluation_protocols() {
    return {{"last-k", "Same last tokens", "The same tokens at every length.", true, false, false},
            {"dape-paper", "DAPE paper", "The last tokens of whole sequences.", true, false, false},
            {"non-overlapping", "Non-overlapping windows", "Windows side by side.", false, false, false},
            {"sliding", "Sliding windows", "A window that moves.", false, true, false},
            {"longppl", "LongPPL: key tokens", "Key tokens alone.", true, true, true}};
}

EvaluationSpec evaluation_spec(const Recipe& recipe, const std::string& protocol) {
    EvaluationSpec spec = recipe.evaluation;
    if (!protocol.empty()) spec.protocol = protocol;
    return spec;
}

Result<TaskEvaluation> evaluate_task(const std::filesystem::path& folder, const std::vector<std::int64_t>& lengths, std::int64_t examples, std::int64_t, const RunContext&) {
    const auto run = read_run(folder);
    if (!run.ok()) return run.error();
    TaskEvaluation evaluation;
    evaluation.run = run.value().id;
    evaluation.train_length = run.value().recipe.training.length;
    for (const std::int64_t length : lengths.empty() ? std::vector<std::int64_t>{128, 256, 512} : lengths) {
        const double accuracy = 1 / (1 + std::pow(static_cast<double>(length) / 700.0, 2)), exact = accuracy * accuracy;
        evaluation.points.push_back({length, accuracy, exact, accuracy - 0.04, std::min(1.0, accuracy + 0.04), 0.9 * exact, std::min(1.0, 1.1 * exact), 1.0 / 16, examples, {{0, accuracy, exact, examples / 2}, {1, 1, 1, examples / 2}}});
    }
    fake::State& s = fake::state();
    const std::lock_guard lock(s.mutex);
    s.tasks[folder.string()] = evaluation;
    return evaluation;
}

Result<std::optional<TaskEvaluation>> read_task_evaluation(const std::filesystem::path& folder) {
    fake::State& s = fake::state();
    const std::lock_guard lock(s.mutex);
    const auto found = s.tasks.find(folder.string());
    return found == s.tasks.end() ? std::nullopt : std::optional(found->second);
}

TaskScore generalisation_score(const std::vector<TaskPoint>& points, std::int64_t train_length) {
    TaskScore score;
    for (const TaskPoint& point : points) {
        if (point.length <= train_length) continue;
        score = {point.token_accuracy, point.exact_match, score.lengths + 1};
    }
    return score;
}

/// As in the laboratory: `a` is the other group, `b` the reference.
Result<std::vector<Comparison>> compare(const std::vector<std::filesystem::path>& runs, const std::string&, const RunContext& context) {
    // With this name among those that do not compare it is as if the person had stopped it.
    if (context.stopping() || fake::state().incomparable.contains("stopped")) return Error{ErrorKind::cancelled, "Cancelled."};
    std::vector<Comparison> list;
    const auto reference = read_run(runs.at(0));
    if (!reference.ok()) return reference.error();
    std::set<std::string> seen{reference.value().title};
    for (std::size_t r = 1; r < runs.size(); ++r) {
        const auto other = read_run(runs[r]);
        if (!other.ok()) return other.error();
        const std::string title = other.value().title;
        if (fake::state().incomparable.contains(title) || fake::state().incomparable.contains(reference.value().title)) return Error{ErrorKind::invalid_argument, title + " scored other places."};
        if (!seen.insert(title).second) continue;
        Comparison c;
        c.a = title;
        c.b = reference.value().title;
        c.length = 2048;
        c.ratio = 0.9;
        c.low = 0.87;
        c.high = 0.93;
        c.welch_p = fake::welch_p(c.a, c.b);
        c.seeds_a = c.seeds_b = 3;
        c.documents = 32;
        c.sentence = c.a + " is lower than " + c.b + " at 2,048 by 10.4 % [8.1, 12.6].";
        list.push_back(c);
    }
    return list;
}

Result<CurveSet> perplexity_curves(const std::vector<std::filesystem::path>& runs, const std::string& protocol, bool group_seeds) {
    CurveSet set;
    set.protocol = protocol;
    set.protocol_line = "same 64 last tokens, 32 places of 2 documents, no BOS";
    set.x_label = "length T (tokens)";
    set.y_label = protocol == "longppl" ? "LongPPL" : "perplexity of the last 64 tokens";
    std::set<std::string> tokenizers;
    for (const auto& folder : runs) {
        const auto run = read_run(folder);
        if (!run.ok()) continue;
        const std::vector<Evaluation> all = all_evaluations(run.value());
        const auto found = std::find_if(all.begin(), all.end(), [&](const Evaluation& e) { return e.protocol.protocol == protocol; });
        if (found == all.end()) {
            set.missing.push_back(run.value().title);
            continue;
        }
        CurveLine line = make_line(run.value(), *found);
        const auto same = std::find_if(set.lines.begin(), set.lines.end(), [&](const CurveLine& other) { return other.group == line.group; });
        if (group_seeds && same != set.lines.end()) {
            same->runs.push_back(run.value().id);
            ++same->seeds;
            same->band = "mean of seeds ± t interval";
        } else {
            set.lines.push_back(line);
        }
        tokenizers.insert(run.value().recipe.data.tokenizer);
    }
    if (tokenizers.size() > 1) set.warnings.emplace_back("tokens differ between runs, so their perplexities cannot be compared");
    return set;
}

/// In words, so that tests can read it back.
Status write_npz(const std::filesystem::path& file, const std::vector<NamedArray>& arrays) {
    std::string text;
    for (const NamedArray& array : arrays) {
        text += array.name;
        for (const std::int64_t size : array.shape) text += " " + std::to_string(size);
        text += ":";
        for (const float value : array.values) text += " " + std::to_string(value);
        text += "\n";
    }
    return write_text_file(file, text);
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
