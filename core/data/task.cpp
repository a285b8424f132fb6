#include "core/data/task.h"

#include "core/position/nearest.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {

#define LW_ENTRY(name) const TaskEntry& name();
namespace entries_of::tasks {
#include "core/data/tasks/entries.def"
}
#undef LW_ENTRY

namespace {

ParamSpec mixed_lengths_spec() {
    ParamSpec spec;
    spec.id = "mixed_lengths";
    spec.label = "Mixed lengths";
    spec.help = "Train on sequences of all lengths up to L instead of L alone. Without it a model can learn fixed places rather than the task.";
    spec.type = ParamType::boolean;
    spec.default_value = true;
    return spec;
}

std::vector<const TaskEntry*> collected() {
    std::vector<const TaskEntry*> all;
#define LW_ENTRY(name) all.push_back(&entries_of::tasks::name());
#include "core/data/tasks/entries.def"
#undef LW_ENTRY
    return all;
}

ParamValue checked_number(const ParamSpec& spec, const ParamValue& value) {
    const bool whole = std::holds_alternative<std::int64_t>(value);
    if (!whole && !(spec.type == ParamType::real && std::holds_alternative<double>(value)))
        throw Failure(ErrorKind::invalid_argument, fmt::format("{} must be {}.", spec.id, spec.type == ParamType::real ? "a number" : "a whole number"));
    const double number = whole ? static_cast<double>(std::get<std::int64_t>(value)) : std::get<double>(value);
    if (!(number >= spec.min && number <= spec.max))
        throw Failure(ErrorKind::invalid_argument, fmt::format("{} = {} is out of bounds: it must lie between {} and {}.", spec.id, number, spec.min, spec.max));
    if (spec.type == ParamType::real) return number;
    return value;
}

ParamValue checked_value(const ParamSpec& spec, const ParamValue& value) {
    if (spec.type == ParamType::integer || spec.type == ParamType::real) return checked_number(spec, value);
    if (spec.type == ParamType::boolean) {
        if (!std::holds_alternative<bool>(value)) throw Failure(ErrorKind::invalid_argument, fmt::format("{} must be true or false.", spec.id));
        return value;
    }
    const auto* choice = std::get_if<std::string>(&value);
    if (choice == nullptr || std::find(spec.choices.begin(), spec.choices.end(), *choice) == spec.choices.end())
        throw Failure(ErrorKind::invalid_argument, fmt::format("{} has no such choice.{}", spec.id, suggestion(choice ? *choice : "", spec.choices)));
    return value;
}

}  // namespace

TaskExample Task::example(std::uint64_t seed, std::uint64_t index, std::int64_t length) const {
    if (length < min_length())
        throw Failure(ErrorKind::invalid_argument, fmt::format("{} with these parameters needs a length of at least {}, but it is {}.", source_,
                                                               min_length(), length));
    const auto tokens = static_cast<std::size_t>(sequence_length(length));
    TaskExample example{std::vector<std::int64_t>(tokens, padding()), std::vector<std::int64_t>(tokens, -100)};
    Random random(seed, index);
    fill(example, length, random);
    return example;
}

std::vector<std::int64_t> Task::usual_lengths(std::int64_t train_length) const {
    std::vector<std::int64_t> lengths;
    for (std::int64_t factor = 1; factor <= 8; factor *= 2) lengths.push_back(std::max(train_length * factor, min_length()));
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    return lengths;
}

bool is_task(const std::string& source) { return source.starts_with("task:"); }

const std::vector<const TaskEntry*>& task_entries() {
    static const std::vector<const TaskEntry*> all = collected();
    return all;
}

const std::vector<TaskInfo>& tasks() {
    static const std::vector<TaskInfo> all = [] {
        std::vector<TaskInfo> infos;
        for (const TaskEntry* entry : task_entries()) {
            infos.push_back(entry->info);
            infos.back().params.push_back(mixed_lengths_spec());
        }
        return infos;
    }();
    return all;
}

Params check_task_params(const TaskInfo& info, const Params& given) {
    Params result;
    std::vector<std::string> known;
    for (const auto& spec : info.params) {
        known.push_back(spec.id);
        const auto found = given.find(spec.id);
        result[spec.id] = found == given.end() ? spec.default_value : checked_value(spec, found->second);
    }
    for (const auto& [id, value] : given) {
        if (!result.contains(id))
            throw Failure(ErrorKind::invalid_argument, fmt::format("The task {} has no parameter \"{}\".{}", info.id, id, suggestion(id, known)));
    }
    return result;
}

std::shared_ptr<const Task> open_task(const DataSpec& data) {
    const std::string id = data.source.substr(data.source.find(':') + 1);
    std::vector<std::string> known;
    for (std::size_t i = 0; i < tasks().size(); ++i) {
        known.push_back(tasks()[i].id);
        if (tasks()[i].id != id) continue;
        const Params params = check_task_params(tasks()[i], data.task);
        auto task = task_entries()[i]->make(params);
        task->source_ = data.source;
        task->mixes_lengths_ = std::get<bool>(params.at("mixed_lengths"));
        return task;
    }
    throw Failure(ErrorKind::not_found, fmt::format("There is no task \"{}\".{}", id, suggestion(id, known)));
}

std::int64_t trained_tokens(const DataSpec& data, std::int64_t length) {
    return is_task(data.source) ? open_task(data)->sequence_length(length) : length;
}

std::int64_t scheme_length(const Recipe& recipe) {
    return recipe.start.recipe.empty() ? trained_tokens(recipe.data, recipe.training.length) : recipe.start.length;
}

}  // namespace lw
