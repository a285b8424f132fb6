/// Parameter specs of tasks, and their values.
#include "core/data/task.h"

namespace lw {

ParamSpec task_integer(const std::string& id, const std::string& label, const std::string& help, std::int64_t default_value, double min, double max) {
    ParamSpec spec;
    spec.id = id;
    spec.label = label;
    spec.help = help;
    spec.type = ParamType::integer;
    spec.default_value = default_value;
    spec.min = min;
    spec.max = max;
    spec.step = 1;
    return spec;
}

std::int64_t task_integer(const Params& params, const std::string& id) { return std::get<std::int64_t>(params.at(id)); }

ParamSpec task_choice(const std::string& id, const std::string& label, const std::string& help, std::vector<std::string> choices) {
    ParamSpec spec;
    spec.id = id;
    spec.label = label;
    spec.help = help;
    spec.type = ParamType::choice;
    spec.default_value = choices.front();
    spec.choices = std::move(choices);
    return spec;
}

bool task_chooses(const Params& params, const std::string& id, const std::string& choice) { return std::get<std::string>(params.at(id)) == choice; }

}  // namespace lw
