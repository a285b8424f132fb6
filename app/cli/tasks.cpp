/// tasks: the synthetic tasks that a model can be trained on; for one of them its parameters, examples and how to train on it.

#include "app/cli/parameters.h"
#include "app/cli/shell.h"
#include "app/cli/text.h"
#include "app/cli/values.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw::cli {
namespace {

struct Options {
    std::string task;
    std::vector<std::string> settings;
    std::int64_t length = 0, number = 0, count = 3;
};

void list_tasks(Shell& shell) {
    Table table({"task", "name", "class", "what"});
    for (const auto& task : tasks()) table.add({"task:" + task.id, task.name, task.complexity, task.summary});
    shell.print(table.text());
    shell.print("\nclass: R regular, DCF deterministic context-free, CS context-sensitive, of the Chomsky-hierarchy benchmark\n"
                "Parameters and examples of one: lengthwise-cli tasks ID\n");
    shell.emit({{"tasks", list_json(tasks())}});
}

const TaskInfo& find_task(const std::string& name) {
    const std::string id = name.starts_with("task:") ? name.substr(5) : name;
    const auto found = std::find_if(tasks().begin(), tasks().end(), [&](const TaskInfo& task) { return task.id == id; });
    if (found != tasks().end()) return *found;
    DataSpec data;
    data.source = "task:" + id;
    static_cast<void>(need(task_picture(data)));  // says which one is near
    throw Failure(ErrorKind::not_found, fmt::format("There is no task \"{}\".", id));
}

DataSpec data_of(const TaskInfo& task, const std::vector<std::string>& settings) {
    DataSpec data;
    data.source = "task:" + task.id;
    for (const auto& setting : settings) {
        const auto equals = setting.find('=');
        if (equals == std::string::npos) throw Failure(ErrorKind::invalid_argument, fmt::format("\"{}\" is not of the form PARAMETER=VALUE.", setting));
        data.task[setting.substr(0, equals)] = parse_parameter(setting.substr(equals + 1));
    }
    return data;
}

/// The command that trains on it in its usual form.
std::string training_line(const TaskInfo& task) {
    return fmt::format("lengthwise-cli train alibi --corpus task:{} --length {} --batch {}", task.id, task.length, task.batch);
}

std::string about(const TaskInfo& task, double chance) {
    std::string text = fmt::format("task:{}  {}\n{}\n", task.id, task.name, task.summary);
    if (!task.complexity.empty()) text += fmt::format("Class: {}\n", task_class_title(task));
    if (!task.paper.empty()) text += fmt::format("Paper: {}\n", task.paper);
    if (task.encoder) text += "Form: input symbols, then placeholders _ where one pass without a causal mask answers; a length counts the input symbols\n";
    return text + fmt::format("Chance: {}\n\n{}", compact(chance), parameter_table(task.params));
}

void show_task(Shell& shell, const Options& options) {
    const TaskInfo& task = find_task(options.task);
    const DataSpec data = data_of(task, options.settings);
    Json pictures = Json::array();
    std::string text;
    double chance = 0;
    for (std::int64_t n = options.number; n < options.number + options.count; ++n) {
        const TaskPicture picture = need(task_picture(data, options.length, static_cast<std::uint64_t>(n)));
        chance = picture.chance;
        text += fmt::format("\nExample {}, length {}: tokens, and below them what is asked\n{}", n, grouped(picture.length), picture.text);
        pictures.push_back(to_json(picture));
    }
    shell.print(fmt::format("{}{}\nTrain on it with: {}\n", about(task, chance), text, training_line(task)));
    Json document = to_json(task);
    document["examples"] = pictures;
    document["train"] = training_line(task);
    shell.emit(document);
}

}  // namespace

void add_tasks(CLI::App& app, Shell& shell) {
    auto options = std::make_shared<Options>();
    auto* command = shell.command(app, "tasks", "List the synthetic tasks, or show one with examples",
                                  "lengthwise-cli tasks, then: lengthwise-cli tasks binary-addition --length 12 --set digits=paper");
    command->add_option("task", options->task, "Task: its id");
    command->add_option("--set", options->settings, "Parameter of the task: PARAMETER=VALUE; several times")->allow_extra_args(false);
    command->add_option("--length", options->length, "Length of the examples; 0 = a short one")->capture_default_str()->check(CLI::Range(std::int64_t{0}, std::int64_t{65536}));
    command->add_option("--example", options->number, "Number of the first example")->capture_default_str()->check(CLI::NonNegativeNumber);
    command->add_option("--count", options->count, "How many examples")->capture_default_str()->check(CLI::Range(std::int64_t{1}, std::int64_t{1000}));
    shell.on_run(command, [&shell, options] {
        if (options->task.empty()) return list_tasks(shell);
        show_task(shell, *options);
    });
}

}  // namespace lw::cli
