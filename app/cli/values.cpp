#include "app/cli/values.h"

#include "app/cli/intervals.h"

namespace lw::cli {
namespace {

const char* type_name(ParamType type) {
    switch (type) {
        case ParamType::boolean: return "boolean";
        case ParamType::integer: return "integer";
        case ParamType::real: return "real";
        case ParamType::choice: return "choice";
        case ParamType::list: return "list";
    }
    return "real";
}

Json range(const CellRange& cells) { return Json::array({cells.begin, cells.end}); }

/// The lower ends of a line and its upper ones.
std::pair<Json, Json> bounds(const CurveLine& line) {
    std::pair<Json, Json> out(Json::array(), Json::array());
    for (std::size_t n = 0; n < line.low.size(); ++n) {
        auto [low, high] = ends_json(line.low[n], line.high[n]);
        out.first.push_back(std::move(low));
        out.second.push_back(std::move(high));
    }
    return out;
}

Json point_json(const Evaluation& evaluation, const LengthPoint& point) {
    const auto [low, high] = ends_json(point.low, point.high, has_interval(evaluation, point));
    Json out = {{"length", point.length}, {"loss", point.loss}, {"perplexity", point.perplexity},
            {"low", low}, {"high", high}, {"documents", point.documents}, {"places", point.places},
            {"tokens", point.tokens}, {"seconds", point.seconds}, {"document_loss", point.document_loss}, {"document_tokens", point.document_tokens},
            {"warning", point.warning}};
    if (point.candidates > 0) {
        out["candidates"] = point.candidates;
        out["key_share"] = static_cast<double>(point.tokens) / static_cast<double>(point.candidates);
        out["all_loss"] = point.all_loss;
    }
    return out;
}

}  // namespace

Json to_json(const ParamValue& value) {
    return std::visit([](const auto& held) { return Json(held); }, value);
}

Json to_json(const ParamSpec& spec) {
    Json out = {{"id", spec.id}, {"label", spec.label}, {"unit", spec.unit}, {"help", spec.help},
                {"type", type_name(spec.type)}, {"default", to_json(spec.default_value)}};
    if (spec.type == ParamType::integer || spec.type == ParamType::real || spec.type == ParamType::list) {
        out["min"] = spec.min;
        out["max"] = spec.max;
    }
    if (spec.type == ParamType::choice) out["choices"] = spec.choices;
    if (!spec.zero.empty()) out["zero"] = spec.zero;
    return out;
}

Json to_json(const MethodInfo& method) {
    Json claims = Json::array();
    for (const auto& claim : method.claims) claims.push_back({{"id", claim.id}, {"sentence", claim.sentence}});
    return {{"slot", method.slot}, {"id", method.id}, {"name", method.name}, {"summary", method.summary}, {"formula", method.formula},
            {"paper", method.paper}, {"url", method.url}, {"beyond_training", method.beyond_training}, {"claims", claims},
            {"plug_in", method.plug_in}, {"learned", method.learned}, {"params", list_json(method.params)}};
}

Json to_json(const MethodNumbers& numbers) {
    Json cost = {{"shared", numbers.cost.shared}, {"kept", numbers.cost.kept}};
    if (numbers.cost.per_pair) cost["per_pair"] = *numbers.cost.per_pair;
    if (numbers.cost.per_token) cost["per_token"] = *numbers.cost.per_token;
    if (numbers.cost.learned) cost["learned"] = *numbers.cost.learned;
    return {{"slot", numbers.slot}, {"id", numbers.id}, {"values", numbers.values}, {"cost", cost}, {"cost_line", numbers.cost_line}};
}

Json to_json(const Recipe& recipe) { return Json::parse(recipe_json(recipe)); }

Json to_json(const RunInfo& run) {
    Json checkpoints = Json::array();
    for (const auto& c : run.checkpoints) checkpoints.push_back({{"step", c.step}, {"file", c.file.string()}, {"best", c.best}});
    return {{"id", run.id}, {"title", run.title}, {"folder", run.folder.string()}, {"base", run.base.string()}, {"status", run.status}, {"message", run.message},
            {"trained_on", run.recipe.data.source}, {"step", run.step}, {"parameters", run.parameters}, {"best_loss", run.best_loss}, {"demo", run.demo},
            {"recipe_edited", run.recipe_edited ? Json(*run.recipe_edited) : Json()}, {"checkpoints", checkpoints}, {"evaluations", run.evaluations},
            {"recipe", to_json(run.recipe)}};
}

Json to_json(const LogPoint& point) {
    Json out = {{"step", point.step}, {"loss", point.loss}, {"rate", point.rate}, {"gradient_norm", point.gradient_norm},
                {"tokens_per_second", point.tokens_per_second}};
    if (point.validation_loss) out["validation_loss"] = *point.validation_loss;
    return out;
}

Json to_json(const Evaluation& evaluation) {
    Json points = Json::array();
    for (const auto& point : evaluation.points) points.push_back(point_json(evaluation, point));
    Json places = Json::array();
    for (const auto& place : evaluation.places) places.push_back({{"document", place.document}, {"begin", place.begin}, {"end", place.end}});
    Json out = {{"run", evaluation.run}, {"step", evaluation.step}, {"recipe_hash", evaluation.recipe_hash},
            {"protocol", evaluation.protocol.protocol}, {"protocol_line", evaluation.protocol_line}, {"unit", evaluation.unit}, {"source", evaluation.source},
            {"complete", evaluation.complete}, {"points", points}, {"position_edges", evaluation.position_edges},
            {"position_loss", evaluation.position_loss}, {"boundary_edges", evaluation.boundary_edges}, {"boundary_loss", evaluation.boundary_loss}, {"documents", evaluation.documents}, {"places", places},
            {"device", evaluation.device}, {"dtype", evaluation.dtype}, {"threads", evaluation.threads}, {"seed", evaluation.seed},
            {"torch", evaluation.torch_version}, {"attention_path", evaluation.attention_path}, {"created", evaluation.created}};
    if (evaluation.keys) out["keys"] = Json::parse(keys_json(evaluation));
    return out;
}

Json to_json(const TaskPoint& point) {
    Json out = {{"length", point.length}, {"token_accuracy", point.token_accuracy}, {"exact_match", point.exact_match},
            {"low", point.low}, {"high", point.high}, {"exact_low", point.exact_low}, {"exact_high", point.exact_high},
            {"chance", point.chance}, {"examples", point.examples}};
    for (const auto& one : point.depths) {
        out["depths"].push_back({{"depth", one.depth}, {"token_accuracy", one.token_accuracy}, {"exact_match", one.exact_match}, {"examples", one.examples}});
    }
    return out;
}

Json to_json(const TaskEvaluation& evaluation) {
    Json out = {{"run", evaluation.run}, {"step", evaluation.step}, {"source", evaluation.source}, {"complete", evaluation.complete},
                {"train_length", evaluation.train_length}, {"points", list_json(evaluation.points)}, {"device", evaluation.device}, {"created", evaluation.created}};
    if (evaluation.train) out["train"] = to_json(*evaluation.train);
    if (evaluation.validation) out["validation"] = to_json(*evaluation.validation);
    const TaskScore score = generalisation_score(evaluation.points, evaluation.train_length);
    if (score.lengths > 0) out["longer"] = {{"token_accuracy", score.token_accuracy}, {"exact_match", score.exact_match}, {"lengths", score.lengths}};
    return out;
}

namespace {

Json comparison_json(const Comparison& comparison, const std::string& protocol_line) {
    const bool interval = has_interval(comparison, protocol_line);
    const auto [low, high] = ends_json(comparison.low, comparison.high, interval);
    Json out = {{"a", comparison.a}, {"b", comparison.b}, {"length", comparison.length}, {"ratio", comparison.ratio},
                {"low", low}, {"high", high}, {"documents", comparison.documents}, {"seeds_a", comparison.seeds_a}, {"seeds_b", comparison.seeds_b},
                {"units", comparison.units}, {"other_texts", comparison.other_texts}, {"sentence", comparison.sentence}};
    if (!interval) out["no_interval"] = no_interval_reason(comparison, protocol_line);
    if (comparison.welch_p >= 0) out["welch_p"] = comparison.welch_p;
    if (comparison.paired_p >= 0) out["paired_p"] = comparison.paired_p;
    if (comparison.corrected_p >= 0) out["corrected_p"] = comparison.corrected_p;
    if (comparison.effect) out["hedges_g"] = *comparison.effect;
    return out;
}

}  // namespace

Json comparisons_json(const std::vector<Comparison>& comparisons, const std::string& protocol_line) {
    Json out = Json::array();
    for (const auto& comparison : comparisons) out.push_back(comparison_json(comparison, protocol_line));
    return out;
}

Json to_json(const CurveSet& curves) {
    Json lines = Json::array();
    for (const auto& line : curves.lines) {
        const auto [low, high] = bounds(line);
        lines.push_back({{"title", line.title}, {"group", line.group}, {"runs", line.runs}, {"seeds", line.seeds},
                         {"train_length", line.train_length}, {"length", line.length}, {"value", line.value}, {"low", low},
                         {"high", high}, {"tokens", line.tokens}, {"band", line.band}});
        if (!line.candidates.empty()) lines.back()["candidates"] = line.candidates;
    }
    return {{"protocol", curves.protocol}, {"protocol_line", curves.protocol_line}, {"x_label", curves.x_label},
            {"y_label", curves.y_label}, {"lines", lines}, {"missing", curves.missing}, {"problems", curves.problems},
            {"warnings", curves.warnings}};
}

Json to_json(const MapTile& tile) {
    return {{"layer", tile.layer}, {"head", tile.head}, {"part", score_part_name(tile.part)}, {"queries", range(tile.queries)},
            {"keys", range(tile.keys)}, {"rows", tile.rows}, {"columns", tile.columns}, {"reducer", reducer_name(tile.reducer)},
            {"sampled", tile.sampled}, {"cells_per_row", tile.cells_per_row}, {"cells_per_column", tile.cells_per_column},
            {"values", tile.values}};
}

Json to_json(const RowProfile& row) {
    return {{"layer", row.layer}, {"head", row.head}, {"query", row.query}, {"content", row.content}, {"bias", row.bias},
            {"adaptive", row.adaptive}, {"logit", row.logit}, {"probability", row.probability}};
}

Json to_json(const CellArithmetic& cell) {
    return {{"query", cell.query}, {"key", cell.key}, {"query_piece", cell.query_piece}, {"key_piece", cell.key_piece},
            {"content", cell.content}, {"bias", cell.bias}, {"adaptive", cell.adaptive}, {"bias_is_added", cell.bias_is_added},
            {"logit", cell.logit}, {"probability", cell.probability}, {"visible", cell.visible}, {"sentence", cell.sentence}};
}

Json to_json(const HeadMeasures& m) {
    return {{"layer", m.layer}, {"head", m.head}, {"class", m.head_class}, {"of", score_part_name(m.of)}, {"texts", m.texts}, {"contrast", m.contrast}, {"rank", m.rank},
            {"locality", m.locality}, {"adaptivity", m.adaptivity}, {"rms_content", m.rms_content}, {"rms_bias", m.rms_bias},
            {"rms_adaptive", m.rms_adaptive}, {"entropy", m.entropy}, {"beyond_training", m.beyond_training}, {"first_key", m.first_key}};
}

namespace {

Json range_json(const LogitRange& range) { return {{"low", range.low}, {"high", range.high}, {"mean", range.mean}, {"deviation", range.deviation}}; }

}  // namespace

Json to_json(const HeadPoint& p) {
    return {{"step", p.step}, {"length", p.length}, {"layer", p.layer}, {"head", p.head}, {"class", p.head_class}, {"contrast", p.contrast}, {"rank", p.rank},
            {"locality", p.locality}, {"adaptivity", p.adaptivity}, {"entropy", p.entropy}, {"spread", p.spread}, {"effective_keys", p.effective_keys},
            {"peak", p.peak}, {"beyond_training", p.beyond_training}, {"sink", p.sink}, {"self", p.self}, {"trained_logits", range_json(p.trained)},
            {"untrained_logits", range_json(p.untrained)}, {"rms_content", p.rms_content}, {"rms_bias", p.rms_bias}, {"rms_adaptive", p.rms_adaptive}};
}

Json to_json(const LayerTerms& terms) {
    return {{"step", terms.step}, {"length", terms.length}, {"layer", terms.layer}, {"rms_content", terms.content}, {"rms_bias", terms.bias}, {"rms_adaptive", terms.adaptive}};
}

Json to_json(const HeadDrift& drift) {
    return {{"layer", drift.layer}, {"head", drift.head}, {"from_class", drift.from_class}, {"to_class", drift.to_class}, {"from_locality", drift.from_locality},
            {"to_locality", drift.to_locality}, {"path", drift.path}, {"contrast_path", drift.contrast}, {"class_changes", drift.class_changes}};
}

Json to_json(const HeadAtlas& atlas) {
    Json document = {{"run", atlas.run_title}, {"layers", atlas.layers}, {"heads", atlas.heads}, {"train_length", atlas.train_length}, {"of", score_part_name(atlas.of)},
                     {"texts", atlas.texts}, {"queries", atlas.queries}, {"text", atlas.text}, {"steps", atlas.steps}, {"lengths", atlas.lengths},
                     {"points", list_json(atlas.points)}, {"terms", list_json(atlas.terms)}};
    if (atlas.lengths.size() > 1) document["drift_over_length"] = list_json(head_drift(atlas, TrailAxis::length));
    if (atlas.steps.size() > 1) document["drift_over_steps"] = list_json(head_drift(atlas, TrailAxis::step));
    return document;
}

Json to_json(const MapsInfo& info) {
    Json parts = Json::array();
    for (auto part : info.parts) parts.push_back(score_part_name(part));
    return {{"run", info.run_title}, {"step", info.step}, {"layers", info.layers}, {"heads", info.heads}, {"length", info.length},
            {"train_length", info.train_length}, {"parts", parts}, {"text", info.text.title}, {"note", info.attention_note}};
}

Json to_json(const CorpusInfo& corpus) {
    return {{"id", corpus.id}, {"title", corpus.title}, {"language", corpus.language}, {"licence", corpus.licence},
            {"origin", corpus.origin}, {"documents", corpus.documents}, {"bytes", corpus.bytes}, {"fetched", corpus.fetched},
            {"bundled", corpus.bundled}, {"folder", corpus.folder.string()}};
}

Json to_json(const TaskInfo& task) {
    return {{"id", task.id}, {"source", "task:" + task.id}, {"name", task.name}, {"summary", task.summary}, {"class", task.complexity},
            {"paper", task.paper}, {"encoder", task.encoder}, {"length", task.length}, {"batch", task.batch}, {"params", list_json(task.params)}};
}

Json to_json(const TaskPicture& picture) {
    return {{"length", picture.length}, {"chance", picture.chance}, {"tokens", picture.tokens}, {"answers", picture.answers}, {"counted", picture.counted}, {"text", picture.text}};
}

Json to_json(const DocumentInfo& document) {
    return {{"id", document.id}, {"split", document.split}, {"bytes", document.bytes}, {"tokens", document.tokens}};
}

}  // namespace lw::cli
