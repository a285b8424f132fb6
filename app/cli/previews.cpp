#include "app/cli/previews.h"

#include "app/cli/parameters.h"

namespace lw::cli {

void add_preview_options(CLI::App* command, PreviewRequest& request) {
    request.head_width = 16;  // of the model that is trained by default
    command->add_option("--length", request.length, "Length of the sequence")->capture_default_str();
    command->add_option("--train-length", request.train_length, "Training length L")->capture_default_str();
    command->add_option("--heads", request.heads, "Heads")->capture_default_str();
    command->add_option("--head-width", request.head_width, "Head width d")->capture_default_str();
    command->add_option("--points", request.points, "Distances, log-spaced")->capture_default_str();
}

SchemeSpec preview_scheme_of(const Shell& shell, const std::string& name, const std::vector<std::string>& sets) {
    if (name.empty()) throw Failure(ErrorKind::invalid_argument, "Which scheme? Name a preset (lengthwise-cli methods lists them), or give --run RUN.");
    SchemeSpec scheme = need(find_scheme(name, shell.workspace_folder()));
    for (const auto& assignment : sets) set_in_scheme(scheme, assignment);
    return scheme;
}

}  // namespace lw::cli
