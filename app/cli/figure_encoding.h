#pragma once
/// figure encoding: the plots and maps of the Encodings page.

#include "app/cli/shell.h"
#include "core/api/scheme.h"
#include "ui/plot/figures.h"

namespace lw::cli {

struct EncodingFigureOptions {
    PreviewRequest request;
    std::vector<std::string> schemes, sets;
    std::string run, kind;
    std::int64_t step = -1, layer = 0, head = 0;
};
void add_encoding_figure_options(CLI::App* command, EncodingFigureOptions& options);
/// Draws into figure.path; the files that were written.
[[nodiscard]] std::vector<std::filesystem::path> draw_encoding(Shell& shell, EncodingFigureOptions& options, ui::FigureOptions& figure);

}  // namespace lw::cli
