#include "core/evaluation/task_json.h"

#include "core/evaluation/json_reader.h"
#include "core/storage/atomic_file.h"

namespace lw {
namespace {

using nlohmann::ordered_json;

constexpr int kFormat = 1;

ordered_json point_to_json(const TaskPoint& point) {
    ordered_json out = {{"length", point.length}, {"token_accuracy", point.token_accuracy}, {"low", point.low}, {"high", point.high},
            {"exact_match", point.exact_match}, {"exact_low", point.exact_low}, {"exact_high", point.exact_high}, {"chance", point.chance},
            {"examples", point.examples}};
    for (const TaskDepth& one : point.depths) {
        out["depths"].push_back({{"depth", one.depth}, {"token_accuracy", one.token_accuracy}, {"exact_match", one.exact_match}, {"examples", one.examples}});
    }
    return out;
}

TaskDepth read_depth(const JsonReader& reader) {
    TaskDepth one;
    reader.read("depth", one.depth);
    reader.read("token_accuracy", one.token_accuracy);
    reader.read("exact_match", one.exact_match);
    reader.read("examples", one.examples);
    return one;
}

TaskPoint read_point(const JsonReader& reader) {
    TaskPoint point;
    reader.read("length", point.length);
    reader.read("token_accuracy", point.token_accuracy);
    reader.read("low", point.low);
    reader.read("high", point.high);
    reader.read("exact_match", point.exact_match);
    reader.read("exact_low", point.exact_low);
    reader.read("exact_high", point.exact_high);
    reader.read("chance", point.chance);
    reader.read("examples", point.examples);
    if (!reader.has("depths")) return point;
    for (const nlohmann::json& item : reader.list("depths")) point.depths.push_back(read_depth(JsonReader(item, reader.origin())));
    return point;
}

/// Files of earlier versions have neither.
std::optional<TaskPoint> read_split(const JsonReader& reader, const char* name) {
    if (!reader.has(name)) return std::nullopt;
    return read_point(JsonReader(reader.member(name), reader.origin()));
}

std::filesystem::path file_in(const std::filesystem::path& folder) { return folder / "task.json"; }

/// A file that cannot be read holds nothing worth keeping.
bool holds_complete(const std::filesystem::path& folder) {
    try {
        const auto kept = read_task_evaluation_file(folder);
        return kept && kept->complete;
    } catch (const Failure&) {
        return false;
    }
}

}  // namespace

std::string task_json(const TaskEvaluation& evaluation) {
    ordered_json points = ordered_json::array();
    for (const TaskPoint& point : evaluation.points) points.push_back(point_to_json(point));
    ordered_json out = {{"format", kFormat}, {"run", evaluation.run}, {"step", evaluation.step}, {"source", evaluation.source},
                        {"complete", evaluation.complete}, {"device", evaluation.device}, {"created", evaluation.created},
                        {"train_length", evaluation.train_length}, {"points", points}};
    if (evaluation.train) out["train"] = point_to_json(*evaluation.train);
    if (evaluation.validation) out["validation"] = point_to_json(*evaluation.validation);
    return out.dump(1) + "\n";
}

TaskEvaluation task_from_json(const std::string& text, const std::string& origin) {
    const nlohmann::json root = nlohmann::json::parse(text, nullptr, false);
    const JsonReader reader(root, origin);
    if (reader.integer("format", reader.member("format")) != kFormat) reader.fail("its format number is not 1, so another version of the program wrote it");
    TaskEvaluation out;
    reader.read("run", out.run);
    reader.read("step", out.step);
    reader.read("source", out.source);
    reader.read("complete", out.complete);
    reader.read("device", out.device);
    reader.read("created", out.created);
    if (reader.has("train_length")) reader.read("train_length", out.train_length);
    out.train = read_split(reader, "train");
    out.validation = read_split(reader, "validation");
    for (const nlohmann::json& item : reader.list("points")) out.points.push_back(read_point(JsonReader(item, origin)));
    return out;
}

void write_task_evaluation(const std::filesystem::path& folder, const TaskEvaluation& evaluation) {
    if (!evaluation.complete && holds_complete(folder)) return;
    make_folder(folder);
    write_file(file_in(folder), task_json(evaluation));
}

std::optional<TaskEvaluation> read_task_evaluation_file(const std::filesystem::path& folder) {
    std::error_code absent;
    if (!std::filesystem::exists(file_in(folder), absent)) return std::nullopt;
    return task_from_json(read_file(file_in(folder)), file_in(folder).string());
}

}  // namespace lw
