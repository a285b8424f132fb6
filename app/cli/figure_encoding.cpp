#include "app/cli/figure_encoding.h"

#include "app/cli/idle_options.h"
#include "app/cli/parameters.h"
#include "app/cli/previews.h"
#include "app/cli/values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lw::cli {
namespace {

constexpr std::int64_t kMapCells = 256;

bool is_map(const std::string& kind) { return kind.ends_with("-map"); }

ui::EncodingFigure figure_of(const SchemeSpec& scheme, PreviewRequest request) {
    request.scheme = scheme;
    return need(ui::encoding_figure(request));
}

/// A run's trained values in one layer.
ui::EncodingFigure trained_figure(Shell& shell, EncodingFigureOptions& options) {
    if (!options.schemes.empty() || !options.sets.empty()) {
        throw Failure(ErrorKind::invalid_argument, "--run shows the run's own scheme and values; leave out the schemes and --set.");
    }
    const auto run = shell.find(options.run);
    auto shown = need(preview_run(run.folder, options.step, options.layer, options.request));
    options.request.train_length = run.recipe.training.length;  // what the plot marks
    options.request.heads = run.recipe.model.heads;
    const auto title = shown.differs_by_layer ? fmt::format("{}, step {}, layer {}", shown.title, shown.step, shown.layer) : fmt::format("{}, step {}", shown.title, shown.step);
    return {title, run.recipe.scheme, std::move(shown.preview), {}, {}};
}

std::vector<ui::EncodingFigure> figures_of(Shell& shell, EncodingFigureOptions& options) {
    if (!options.run.empty()) return {trained_figure(shell, options)};
    if (options.schemes.size() > 1 && !options.sets.empty()) throw Failure(ErrorKind::invalid_argument, "--set changes one scheme; name one, or save the changed scheme as a preset.");
    std::vector<ui::EncodingFigure> figures;
    for (const auto& name : options.schemes) figures.push_back(figure_of(preview_scheme_of(shell, name, options.sets), options.request));
    if (figures.empty()) (void)preview_scheme_of(shell, "", {});  // says what is missing
    return figures;
}

}  // namespace

void add_encoding_figure_options(CLI::App* command, EncodingFigureOptions& options) {
    command->add_option("schemes", options.schemes, "Presets: ids or names; several are drawn into one plot");
    command->add_option("--run", options.run, "Run whose trained values are drawn, instead of schemes");
    command->add_option("--layer", options.layer, "With --run: layer, from 0")->capture_default_str();
    command->add_option("--step", options.step, "With --run: checkpoint; -1 = the best, else the last")->capture_default_str();
    command->add_option("--kind", options.kind, "bias, similarity, decay, mapped, temperature, wavelength, turns or input; or a map of the first scheme: distance-map, "
                                                "wave-map, bias-map (default: the first plot that has something to show)");
    command->add_option("--head", options.head, "Of a bias, where several schemes are drawn or a map")->capture_default_str();
    command->add_option("--set", options.sets, "A parameter of a slot, or its method: frequency.factor=4; may be repeated")->type_name(kSlotSettingForm)->allow_extra_args(false);
    add_preview_options(command, options.request);
    needs(*command, {"--layer", "--step"}, "--run");
    excludes(*command, "--run", {"--heads", "--head-width", "--train-length"});  // the run has its own
}

std::vector<std::filesystem::path> draw_encoding(Shell& shell, EncodingFigureOptions& options, ui::FigureOptions& figure) {
    const auto kinds = ui::encoding_figure_kinds();
    if (!options.kind.empty() && std::find(kinds.begin(), kinds.end(), options.kind) == kinds.end()) {
        throw Failure(ErrorKind::invalid_argument, fmt::format("There is no plot \"{}\" of an encoding; choose {}.", options.kind, fmt::join(kinds, ", ")));
    }
    if (is_map(options.kind)) options.request.map_cells = kMapCells;
    auto figures = figures_of(shell, options);
    ui::style_encoding_figures(figures, shell.workspace_folder());
    if (options.head < 0 || options.head >= options.request.heads) {
        throw Failure(ErrorKind::invalid_argument, fmt::format("--head is {}; the heads are 0 to {}.", options.head, options.request.heads - 1));
    }
    Json state{{"figure", "encoding"}, {"schemes", Json::array()}};
    for (const auto& one : figures) state["schemes"].push_back({{"title", one.title}, {"line", scheme_line(one.scheme)}});
    figure.state = state.dump();
    for (const auto& title : ui::left_out_of_encoding_figure(figures, options.kind, options.request.train_length, options.head)) {
        shell.warn(fmt::format("{} has nothing to show in this plot and is not drawn.", title));
    }
    for (const auto& note : ui::notes_of_encoding_figure(figures, options.kind, options.request.train_length, options.head)) shell.note(note);
    return need(ui::render_encoding_figure(figures, options.kind, options.request.train_length, options.head, figure));
}

}  // namespace lw::cli
