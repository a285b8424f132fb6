/// version: of the program and of the tensor library.

#include "app/cli/shell.h"
#include "core/api/doctor.h"

#include <fmt/format.h>

namespace lw::cli {

void add_version(CLI::App& app, Shell& shell) {
    auto* command = shell.command(app, "version", "Print the version", "lengthwise-cli version --json");
    shell.on_run(command, [&shell] {
        Json document = {{"lengthwise", LW_VERSION}};
        std::string text = fmt::format("lengthwise {}\n", LW_VERSION);
        for (const auto& line : need(doctor(false)).lines) {
            if (line.topic != "LibTorch") continue;
            document["libtorch"] = line.value;
            text += fmt::format("LibTorch {}\n", line.value);
        }
        shell.print(text);
        shell.emit(document);
    });
}

}  // namespace lw::cli
