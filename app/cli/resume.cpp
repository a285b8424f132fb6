/// resume: a stopped or killed run goes on from its last checkpoint.

#include "app/cli/shell.h"
#include "app/cli/training.h"

namespace lw::cli {

void add_resume(CLI::App& app, Shell& shell) {
    auto name = std::make_shared<std::string>();
    auto* command = shell.command(app, "resume", "Go on with a run from its last checkpoint", "lengthwise-cli resume dape-kerple-1");
    command->add_option("run", *name, "Run: id, title or folder")->required();
    shell.on_run(command, [&shell, name] {
        const auto context = shell.context();
        report_end(shell, need(resume(shell.find(*name).folder, context, printing_hooks(shell))));
    });
}

}  // namespace lw::cli
