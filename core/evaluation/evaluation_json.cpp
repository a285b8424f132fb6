#include "core/evaluation/evaluation_json.h"

#include "core/evaluation/json_reader.h"
#include "core/evaluation/protocol.h"
#include "core/storage/atomic_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int kFormat = 1;

ordered_json protocol_to_json(const EvaluationSpec& spec) {
    return {{"protocol", spec.protocol}, {"lengths", spec.lengths}, {"scored", spec.scored}, {"stride", spec.stride}, {"documents", spec.documents},
            {"split", spec.split}, {"bootstrap", spec.bootstrap}, {"level", spec.level}};
}

ordered_json keys_to_json(const Evaluation& evaluation) {
    const KeyTokenSpec& keys = evaluation.protocol.keys;
    return {{"evaluator", evaluation.keys->run}, {"evaluator_hash", evaluation.keys->recipe_hash}, {"evaluator_step", evaluation.keys->step},
            {"short_context", keys.short_context}, {"gain", keys.gain}, {"probability", keys.probability}};
}

ordered_json point_to_json(const LengthPoint& point) {
    ordered_json out = {{"length", point.length}, {"loss", point.loss}, {"perplexity", point.perplexity}, {"low", point.low}, {"high", point.high},
            {"documents", point.documents}, {"places", point.places}, {"tokens", point.tokens}, {"seconds", point.seconds},
            {"warning", point.warning}, {"document_loss", point.document_loss}, {"document_tokens", point.document_tokens}};
    if (point.candidates > 0) out["candidates"] = point.candidates, out["all_loss"] = point.all_loss;
    return out;
}

/// Places as [index into documents, begin, end]: thousands of them would repeat their document's name.
ordered_json places_to_json(const Evaluation& evaluation) {
    ordered_json places = ordered_json::array();
    for (const ScoredPlace& place : evaluation.places) {
        const auto found = std::find(evaluation.documents.begin(), evaluation.documents.end(), place.document);
        places.push_back({found - evaluation.documents.begin(), place.begin, place.end});
    }
    return places;
}

EvaluationSpec read_protocol(const JsonReader& reader) {
    EvaluationSpec spec;
    reader.read("protocol", spec.protocol);
    reader.read("lengths", spec.lengths);
    reader.read("scored", spec.scored);
    reader.read("stride", spec.stride);
    reader.read("documents", spec.documents);
    reader.read("split", spec.split);
    reader.read("bootstrap", spec.bootstrap);
    reader.read("level", spec.level);
    return spec;
}

void read_keys(const JsonReader& reader, Evaluation& out) {
    KeyEvaluator& evaluator = out.keys.emplace();
    KeyTokenSpec& keys = out.protocol.keys;
    reader.read("evaluator", evaluator.run);
    reader.read("evaluator_hash", evaluator.recipe_hash);
    reader.read("evaluator_step", evaluator.step);
    reader.read("short_context", keys.short_context);
    reader.read("gain", keys.gain);
    reader.read("probability", keys.probability);
    keys.evaluator_step = evaluator.step;
}

LengthPoint read_point(const JsonReader& reader) {
    LengthPoint point;
    reader.read("length", point.length);
    reader.read("loss", point.loss);
    reader.read("perplexity", point.perplexity);
    reader.read("low", point.low);
    reader.read("high", point.high);
    reader.read("documents", point.documents);
    reader.read("places", point.places);
    reader.read("tokens", point.tokens);
    reader.read("seconds", point.seconds);
    reader.read("warning", point.warning);
    reader.read("document_loss", point.document_loss);
    reader.read("document_tokens", point.document_tokens);
    if (reader.has("candidates")) {
        reader.read("candidates", point.candidates);
        reader.read("all_loss", point.all_loss);
        if (point.candidates < point.tokens) reader.fail(fmt::format("at length {} there are {} key tokens among {} candidates", point.length, point.tokens, point.candidates));
    }
    if (point.document_loss.size() != point.document_tokens.size()) {
        reader.fail(fmt::format("at length {} there are {} losses for {} token counts", point.length, point.document_loss.size(), point.document_tokens.size()));
    }
    // A loss beyond 709 nats has an infinite perplexity, which JSON cannot hold.
    if (std::isnan(point.perplexity) && std::isfinite(point.loss)) point.perplexity = std::exp(point.loss);
    return point;
}

ScoredPlace read_place(const JsonReader& reader, const json& item, const std::vector<std::string>& documents) {
    if (!item.is_array() || item.size() != 3) reader.fail("a place is not [document, begin, end]");
    const std::int64_t document = reader.integer("places", item[0]);
    if (document < 0 || document >= static_cast<std::int64_t>(documents.size())) reader.fail(fmt::format("a place names document {} of {}", document, documents.size()));
    return {documents[static_cast<std::size_t>(document)], reader.integer("places", item[1]), reader.integer("places", item[2])};
}

/// Earlier files name the unit in the protocol's line only.
std::string read_unit(const JsonReader& reader, const std::string& protocol_line) {
    std::string unit = protocol_line.find("bootstrap over places") == std::string::npos ? "document" : "place";
    if (reader.has("unit")) reader.read("unit", unit);
    return unit;
}

/// A file that cannot be read holds nothing worth keeping.
bool holds_complete(const std::filesystem::path& file) {
    if (!std::filesystem::exists(file)) return false;
    try {
        return evaluation_from_json(read_file(file), file.string()).complete;
    } catch (const Failure&) {
        return false;
    }
}

}  // namespace

std::string keys_json(const Evaluation& evaluation) { return evaluation.keys ? keys_to_json(evaluation).dump() : ""; }

std::string evaluation_json(const Evaluation& evaluation) {
    ordered_json points = ordered_json::array();
    for (const LengthPoint& point : evaluation.points) points.push_back(point_to_json(point));
    ordered_json out = {
        {"format", kFormat}, {"protocol", protocol_to_json(evaluation.protocol)}, {"protocol_line", evaluation.protocol_line},
        {"unit", evaluation.unit},        {"run", evaluation.run}, {"recipe_hash", evaluation.recipe_hash}, {"step", evaluation.step}, {"source", evaluation.source},
        {"complete", evaluation.complete}, {"device", evaluation.device}, {"dtype", evaluation.dtype},
        {"torch_version", evaluation.torch_version}, {"attention_path", evaluation.attention_path}, {"threads", evaluation.threads},
        {"seed", evaluation.seed}, {"created", evaluation.created}, {"points", points},
        {"position_edges", evaluation.position_edges}, {"position_loss", evaluation.position_loss},
        {"boundary_edges", evaluation.boundary_edges}, {"boundary_loss", evaluation.boundary_loss},
        {"documents", evaluation.documents}, {"places", places_to_json(evaluation)}};
    if (!evaluation.asked.empty()) out["asked"] = evaluation.asked;
    if (evaluation.keys) out["keys"] = keys_to_json(evaluation);
    return out.dump(1) + "\n";
}

Evaluation evaluation_from_json(const std::string& text, const std::string& origin) {
    const json root = json::parse(text, nullptr, false);
    if (root.is_discarded()) {
        throw Failure(ErrorKind::corrupt_file, fmt::format("{} is not a readable evaluation: it is not whole JSON ({} bytes). Evaluate the run again.", origin, text.size()));
    }
    const JsonReader reader(root, origin);
    if (reader.integer("format", reader.member("format")) != kFormat) reader.fail("its format number is not 1, so another version of the program wrote it");
    Evaluation out;
    out.protocol = read_protocol(JsonReader(reader.member("protocol"), origin));
    reader.read("protocol_line", out.protocol_line);
    out.unit = read_unit(reader, out.protocol_line);
    reader.read("run", out.run);
    reader.read("recipe_hash", out.recipe_hash);
    reader.read("step", out.step);
    reader.read("source", out.source);
    reader.read("complete", out.complete);
    reader.read("device", out.device);
    reader.read("dtype", out.dtype);
    reader.read("torch_version", out.torch_version);
    reader.read("attention_path", out.attention_path);
    reader.read("threads", out.threads);
    reader.read("seed", out.seed);
    reader.read("created", out.created);
    reader.read("position_edges", out.position_edges);
    reader.read("position_loss", out.position_loss);
    if (reader.has("boundary_edges")) {  // earlier evaluations have none
        reader.read("boundary_edges", out.boundary_edges);
        reader.read("boundary_loss", out.boundary_loss);
    }
    reader.read("documents", out.documents);
    if (reader.has("asked")) reader.read("asked", out.asked);
    if (reader.has("keys")) read_keys(JsonReader(reader.member("keys"), origin), out);
    for (const json& item : reader.list("points")) out.points.push_back(read_point(JsonReader(item, origin)));
    for (const json& item : reader.list("places")) out.places.push_back(read_place(reader, item, out.documents));
    if (out.position_edges.size() != (out.position_loss.empty() ? 0 : out.position_loss.size() + 1)) reader.fail("the position bins and their edges do not fit");
    if (out.boundary_edges.size() != (out.boundary_loss.empty() ? 0 : out.boundary_loss.size() + 1)) reader.fail("the bins about the training length and their edges do not fit");
    return out;
}

void write_evaluation(const std::filesystem::path& folder, const Evaluation& evaluation) {
    const std::filesystem::path file = folder / (evaluation.protocol.protocol + ".json");
    if (!evaluation.complete && holds_complete(file)) return;
    make_folder(folder);
    write_file(file, evaluation_json(evaluation));
}

std::optional<Evaluation> read_evaluation(const std::filesystem::path& folder, const std::string& protocol) {
    const std::filesystem::path file = folder / (protocol + ".json");
    std::error_code absent;
    if (!std::filesystem::exists(file, absent)) return std::nullopt;
    return evaluation_from_json(read_file(file), file.string());
}

std::vector<Evaluation> read_evaluation_folder(const std::filesystem::path& folder) {
    std::vector<std::string> ids;
    for (const Protocol& protocol : protocols()) ids.push_back(protocol.id);
    std::sort(ids.begin(), ids.end());
    std::vector<Evaluation> evaluations;
    for (const std::string& id : ids) {
        if (auto evaluation = read_evaluation(folder, id)) evaluations.push_back(std::move(*evaluation));
    }
    return evaluations;
}

}  // namespace lw
