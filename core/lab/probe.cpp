/// Probe files: finds a case's handler by group and method, runs it, and puts its values beside the expected ones.

#include "core/api/probe.h"
#include "core/lab/guard.h"
#include "core/lab/probe_compare.h"
#include "core/lab/probe_handlers.h"
#include "core/position/nearest.h"
#include "core/storage/atomic_file.h"
#include "core/storage/json_text.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <utility>

namespace lw {

#define LW_PROBE(group) const ProbeHandlers& group##_probes();
#include "core/lab/probes.def"
#undef LW_PROBE

namespace {

using nlohmann::json;

constexpr std::size_t kLargestFile = std::size_t{1} << 30U;

const std::map<std::string, const ProbeHandlers*>& groups() {
#define LW_PROBE(group) {#group, &group##_probes()},
    static const std::map<std::string, const ProbeHandlers*> all = {
#include "core/lab/probes.def"
    };
#undef LW_PROBE
    return all;
}

template <class T>
std::vector<std::string> keys_of(const std::map<std::string, T>& map) {
    std::vector<std::string> keys;
    for (const auto& entry : map) keys.push_back(entry.first);
    return keys;
}

/// What the case names: its kind, method, protocol or task; "" for cases that are told apart by their inputs.
std::string name_of(const json& params) {
    for (const char* key : {"kind", "method", "protocol", "task"}) {
        if (params.contains(key) && params[key].is_string()) return params[key].get<std::string>();
    }
    return "";
}

ProbeHandler find_handler(const std::string& group, const std::string& name) {
    const auto handlers = groups().find(group);
    if (handlers == groups().end()) throw UnknownCase(fmt::format("there is no group \"{}\".{}", group, suggestion(group, keys_of(groups()))));
    const auto handler = handlers->second->find(name);
    if (handler != handlers->second->end()) return handler->second;
    throw UnknownCase(name.empty() ? fmt::format("it names no kind or method of the group {}", group)
                                   : fmt::format("\"{}\" is not known in the group {}", name, group));
}

/// What a person would call a kind of JSON value.
std::string kind_words(const std::string& kind) {
    static const std::map<std::string, std::string> words = {{"array", "a list"},      {"object", "an object in braces"}, {"string", "a text in quotes"},
                                                             {"number", "a number"},   {"boolean", "true or false"},      {"null", "null"}};
    const auto found = words.find(kind);
    return found == words.end() ? kind : found->second;
}

/// What the JSON library found missing or of the wrong kind: its sentences are for programmers ("[json.exception.type_error.302] type must be
/// array, but is string", "[json.exception.out_of_range.403] key 'rel' not found").
std::string json_words(const json::exception& error) {
    const std::string text = error.what();
    std::smatch found;
    if (std::regex_search(text, found, std::regex("type must be (\\w+), but is (\\w+)"))) return fmt::format("{} stands where {} is needed", kind_words(found[2]), kind_words(found[1]));
    if (std::regex_search(text, found, std::regex("key '(.*)' not found"))) return fmt::format("\"{}\" is missing", found[1].str());
    if (std::regex_search(text, found, std::regex("array index (\\d+) is out of range"))) return fmt::format("a list has no number {}, counted from 0", found[1].str());
    return "a value has another form than docs/probe.md describes";
}

/// A case that must be refused: numbers beside "error" (a position, a size) must stand in the sentence.
void judge_refusal(ProbeCase& result, const json& expected) {
    result.status = ProbeStatus::holds;
    for (const auto& [key, value] : expected.items()) {
        if (!value.is_number() || result.reason.find(value.dump()) != std::string::npos) continue;
        result.status = ProbeStatus::deviates;
        result.reason += fmt::format(" (The sentence does not name {}, {}.)", key, value.dump());
    }
}

/// Inputs that a handler computes again (a bias from its own slopes) are expectations too.
json expectations(const ProbeInput& input, const json& computed) {
    json all = input.expected();
    for (const auto& entry : computed.items()) {
        if (!input.gives(entry.key())) continue;
        input.mark_input(entry.key());
        if (!all.contains(entry.key())) all[entry.key()] = input.input(entry.key());
    }
    return all;
}

void judge_values(ProbeCase& result, const ProbeInput& input, const json& computed, const json& test) {
    if (input.expected().contains("error")) {
        result.status = ProbeStatus::deviates;
        result.reason = fmt::format("should be refused ({}), but was computed", input.expected()["error"].dump());
        return;
    }
    const auto tolerance = test.contains("tolerance") ? Tolerance::of(test["tolerance"]) : Tolerance{1e-10, 1e-9};
    result.values = compared_values(computed, expectations(input, computed), tolerance);
    const bool all = std::all_of(result.values.begin(), result.values.end(), [](const ProbeValue& value) { return value.holds; });
    result.status = !all ? ProbeStatus::deviates : test.contains("expect") ? ProbeStatus::holds : ProbeStatus::computed;
    const bool compares = std::any_of(result.values.begin(), result.values.end(), [](const ProbeValue& value) { return value.compared > 0; });
    const bool lacks = std::any_of(result.values.begin(), result.values.end(), [](const ProbeValue& value) { return value.computed.empty(); });
    if (compares || !lacks) return;
    result.status = ProbeStatus::unknown;  // nothing that holds
    result.reason = "the library computes nothing of what the case expects";
}

void run_case(ProbeCase& result, const std::string& group, const json& test, const json& file) {
    const ProbeInput input(test, file);
    result.method = name_of(input.params());
    try {
        const ProbeHandler handler = find_handler(group, result.method);
        judge_values(result, input, handler(input), test);
        result.not_read = input.not_read();
    } catch (const UnknownCase& unknown) {
        result.reason = unknown.what();
    } catch (const Failure& failure) {
        result.reason = failure.what();
        const bool refusal = input.expected().contains("error"), too_large = failure.kind() == ErrorKind::out_of_memory;
        if (failure.kind() == ErrorKind::not_found || (too_large && !refusal)) return;  // an entry that is not there, or more than this machine can say
        result.status = ProbeStatus::deviates;
        if (refusal && (too_large || failure.kind() == ErrorKind::invalid_argument)) judge_refusal(result, input.expected());
    } catch (const json::exception& error) {
        result.reason = fmt::format("the case is not written as its kind asks: {}", json_words(error));
    }
}

/// The same for what a handler does not expect: one odd case must not take the others' results.
ProbeCase judged_case(const std::string& group, const json& test, const json& file) {
    ProbeCase result;
    result.id = test.value("id", "");
    try {
        run_case(result, group, test, file);
    } catch (...) {
        result.status = ProbeStatus::deviates;
        result.reason = classify(std::current_exception()).message;
    }
    return result;
}

json read_probe(const std::filesystem::path& file) {
    CheckedJson checked = check_json(read_file(file, kLargestFile));
    if (!checked.problem.empty()) throw Failure(ErrorKind::corrupt_file, fmt::format("{} {}.", file.string(), checked.problem));
    return std::move(checked.value);
}

void check_probe(const json& root, const std::string& name) {
    const auto refuse = [&](const std::string& what) { throw Failure(ErrorKind::corrupt_file, fmt::format("{} is no probe file: {}.", name, what)); };
    if (!root.is_object()) refuse("it must be an object with \"group\" and \"cases\"");
    if (!root.contains("group") || !root["group"].is_string()) refuse("\"group\", a word, is missing");
    if (root.contains("format") && root["format"] != 1) refuse(fmt::format("its format is {}, this program reads format 1", root["format"].dump()));
    if (!root.contains("cases") || !root["cases"].is_array()) refuse("\"cases\", a list, is missing");
    for (std::size_t n = 0; n < root["cases"].size(); ++n) {
        const json& test = root["cases"][n];
        if (!test.is_object()) refuse(fmt::format("case {} is no object", n));
        if (!test.contains("id") || !test["id"].is_string()) refuse(fmt::format("case {} has no \"id\"", n));
        for (const char* part : {"params", "inputs", "expect", "tolerance"}) {
            if (test.contains(part) && !test[part].is_object()) refuse(fmt::format("\"{}\" of case {} is no object", part, test["id"].dump()));
        }
    }
}

}  // namespace

const char* probe_status_name(ProbeStatus status) {
    static constexpr const char* kNames[] = {"holds", "deviates", "unknown", "computed"};
    return kNames[static_cast<std::size_t>(status)];
}

std::int64_t ProbeReport::count(ProbeStatus status) const {
    return std::count_if(cases.begin(), cases.end(), [&](const ProbeCase& c) { return c.status == status; });
}

Result<ProbeReport> probe_file(const std::filesystem::path& file) {
    return guarded<ProbeReport>([&] {
        const at::NoGradGuard no_grad;  // handlers of gradients switch them on again
        const json root = read_probe(file);
        check_probe(root, file.filename().string());
        ProbeReport report{file.string(), root["group"].get<std::string>(), {}};
        for (const auto& test : root["cases"]) report.cases.push_back(judged_case(report.group, test, root));
        return report;
    });
}

}  // namespace lw
