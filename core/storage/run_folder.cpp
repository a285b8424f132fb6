#include "core/storage/run_folder.h"

#include "core/storage/atomic_file.h"
#include "core/storage/json_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>

namespace lw {

namespace {

using nlohmann::ordered_json;

constexpr std::int64_t kFormat = 1;
constexpr std::string_view kWeightsStart = "step-";
constexpr std::string_view kStateStart = "training_state-";
constexpr std::string_view kEnding = ".safetensors";

/// The step in "<start><digits>.safetensors", or nothing for other names.
std::optional<std::int64_t> step_in(const std::string& name, std::string_view start) {
    if (!name.starts_with(start) || !name.ends_with(kEnding) || name.size() <= start.size() + kEnding.size()) return std::nullopt;
    const char* first = name.data() + start.size();
    const char* last = name.data() + name.size() - kEnding.size();
    std::int64_t step = 0;
    const auto [end, error] = std::from_chars(first, last, step);
    if (error != std::errc() || end != last || step < 0) return std::nullopt;
    return step;
}

std::vector<std::int64_t> steps_in(const std::filesystem::path& folder, std::string_view start) {
    std::vector<std::int64_t> steps;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        if (const auto step = step_in(entry.path().filename().string(), start)) steps.push_back(*step);
    }
    std::sort(steps.begin(), steps.end());
    return steps;
}

ordered_json record_json(const RunRecord& r) {
    ordered_json root{{"format", kFormat}, {"status", r.status}, {"message", r.message}, {"step", r.step}, {"parameters", r.parameters}};
    root["best"] = r.best_step < 0 ? ordered_json() : ordered_json{{"step", r.best_step}, {"loss", r.best_loss}};
    root["recipe_hash"] = r.recipe_hash;
    root["device"] = r.device;
    root["precision"] = r.precision;
    root["threads"] = r.threads;
    root["seed"] = r.seed;
    root["versions"] = {{"lengthwise", r.program_version}, {"torch", r.torch_version}};
    root["attention"] = r.attention;
    root["created"] = r.created;
    root["updated"] = r.updated;
    root["seconds"] = r.seconds;
    if (r.diverged) root["diverged"] = true;
    if (r.packed) root["packed"] = true;
    if (!r.base.empty()) root["base"] = r.base;
    if (!r.recipe.empty()) root["recipe"] = ordered_json::parse(r.recipe);
    root["loss_check"] = ordered_json();
    if (r.loss_check) {
        root["loss_check"] = {{"training", r.loss_check->training}, {"evaluation", r.loss_check->evaluation},
                              {"difference", r.loss_check->training - r.loss_check->evaluation}};
    }
    return root;
}

RunRecord record_from(const ordered_json& root) {
    RunRecord r;
    r.status = root.at("status").get<std::string>();
    r.message = root.value("message", "");
    r.step = root.at("step").get<std::int64_t>();
    r.parameters = root.at("parameters").get<std::int64_t>();
    if (root.contains("best") && root["best"].is_object()) {
        r.best_step = root["best"].at("step").get<std::int64_t>();
        r.best_loss = root["best"].at("loss").get<double>();
    }
    r.recipe_hash = root.value("recipe_hash", "");
    r.device = root.value("device", "cpu");
    r.precision = root.value("precision", "fp32");
    r.threads = root.value("threads", std::int64_t{0});
    r.seed = root.value("seed", std::uint64_t{0});
    if (root.contains("versions")) {
        r.program_version = root["versions"].value("lengthwise", "");
        r.torch_version = root["versions"].value("torch", "");
    }
    r.attention = root.value("attention", "");
    r.created = root.value("created", "");
    r.updated = root.value("updated", "");
    r.seconds = root.value("seconds", 0.0);
    r.diverged = root.value("diverged", false);
    r.packed = root.value("packed", false);
    r.base = root.value("base", "");
    if (root.contains("recipe") && root["recipe"].is_object()) r.recipe = root["recipe"].dump(2) + "\n";
    if (root.contains("loss_check") && root["loss_check"].is_object()) {
        r.loss_check = LossCheck{root["loss_check"].at("training").get<double>(), root["loss_check"].at("evaluation").get<double>()};
    }
    return r;
}

}  // namespace

std::string timestamp() {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

std::filesystem::path RunFolder::weights_file(std::int64_t step) const {
    return checkpoint_folder() / fmt::format("{}{:07}{}", kWeightsStart, step, kEnding);
}

std::filesystem::path RunFolder::state_file(std::int64_t step) const {
    return checkpoint_folder() / fmt::format("{}{:07}{}", kStateStart, step, kEnding);
}

std::vector<std::int64_t> RunFolder::weight_steps() const { return steps_in(checkpoint_folder(), kWeightsStart); }

std::vector<std::int64_t> RunFolder::resumable_steps() const {
    const std::vector<std::int64_t> weights = weight_steps();
    std::vector<std::int64_t> states = steps_in(checkpoint_folder(), kStateStart);
    std::erase_if(states, [&](std::int64_t step) { return !std::binary_search(weights.begin(), weights.end(), step); });
    return states;
}

std::vector<std::string> RunFolder::evaluation_names() const {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(evaluation_folder(), error)) {
        const std::string name = entry.path().filename().string();
        if (entry.path().extension() == ".json" && !name.starts_with('.')) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

void RunFolder::write_record(RunRecord record) const {
    record.updated = timestamp();
    write_file(record_file(), record_json(record).dump(2) + "\n");
}

RunRecord RunFolder::read_record() const {
    const std::string text = read_file(record_file());
    const ordered_json root = parse_ordered_json(text);
    if (!root.is_object()) throw Failure(ErrorKind::corrupt_file, fmt::format("{} is not valid JSON; the run cannot be read.", record_file().string()));
    if (root.contains("format") && root["format"] != kFormat) {
        throw Failure(ErrorKind::corrupt_file, fmt::format("{} has format {}, and this version of the program reads format {}.", record_file().string(),
                                                           root["format"].dump().substr(0, 20), kFormat));
    }
    try {
        return record_from(root);
    } catch (const nlohmann::json::exception&) {
        throw Failure(ErrorKind::corrupt_file, fmt::format("{} lacks a field or has one of the wrong kind; the run cannot be read.", record_file().string()));
    }
}

}  // namespace lw
