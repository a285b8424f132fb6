/// resume: a stopped or killed run goes on from its last checkpoint.

#include "app/cli/shell.h"
#include "app/cli/text.h"
#include "app/cli/training.h"
#include "app/cli/values.h"

#include <fmt/format.h>

namespace lw::cli {

void add_resume(CLI::App& app, Shell& shell) {
    auto name = std::make_shared<std::string>();
    auto* command = shell.command(app, "resume", "Go on with a run from its last checkpoint", "lengthwise-cli resume alibi-l128-s1");
    command->add_option("run", *name, "Run: id, title or folder")->required();
    shell.on_run(command, [&shell, name] {
        const auto context = shell.context();
        const auto before = shell.find(*name);
        const auto run = need(resume(before.folder, context, printing_hooks(shell)));
        if (before.status != "finished") return report_end(shell, run);
        shell.print(fmt::format("{} finished at step {} before: nothing was left to do.\n", run.id, grouped(run.step)));
        shell.emit(to_json(run));
    });
}

}  // namespace lw::cli
