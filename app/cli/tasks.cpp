/// tasks: the synthetic tasks that a model can be trained on, with their parameters.

#include "app/cli/parameters.h"
#include "app/cli/shell.h"
#include "app/cli/values.h"

#include <fmt/format.h>

namespace lw::cli {

void add_tasks(CLI::App& app, Shell& shell) {
    auto* command = shell.command(app, "tasks", "List the synthetic tasks and their parameters",
                                  "lengthwise-cli tasks, then: lengthwise-cli train alibi --corpus task:copy --set data.task.symbols=8");
    shell.on_run(command, [&shell] {
        for (const auto& task : tasks()) {
            shell.print(fmt::format("task:{}  {}\n{}\n\n{}\n", task.id, task.name, task.summary, parameter_table(task.params)));
        }
        shell.print("Train on one with: lengthwise-cli train alibi --corpus task:ID --set data.task.PARAMETER=VALUE\n");
        shell.emit({{"tasks", list_json(tasks())}});
    });
}

}  // namespace lw::cli
