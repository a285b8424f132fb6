/// extensions: many plug-in methods on one run's weights, each measured by the run's own protocol, as one table and one figure.

#include "app/cli/checks.h"
#include "app/cli/curve_table.h"
#include "app/cli/render.h"
#include "app/cli/selection.h"
#include "app/cli/shell.h"
#include "app/cli/text.h"
#include "app/cli/values.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw::cli {
namespace {

struct Options {
    std::string run, protocol = "last-k";
    std::vector<std::string> presets;
    std::optional<double> factor;
    ui::FigureOptions figure;
    std::string out;
};

/// Sets the factors that stand for length / training length: those that may also follow it (0). Others of that name mean something else.
void set_factors(SchemeSpec& extension, double factor) {
    for (auto& [slot, choice] : extension.slots) {
        for (const auto& spec : need(describe_method(slot, choice.id)).params) {
            if (spec.id == "factor" && spec.min == 0) choice.params[spec.id] = factor;
        }
    }
}

/// The presets asked for, or all that fit. A preset that was named and does not fit is an error, not a gap in the figure.
std::vector<SchemeSpec> extensions_of(const Options& options, const RunInfo& base, const std::filesystem::path& workspace) {
    std::vector<SchemeSpec> wanted, extensions;
    for (const auto& name : options.presets) wanted.push_back(need(find_scheme(name, workspace)));
    if (options.presets.empty()) {
        for (const auto& preset : scheme_presets(workspace).presets) wanted.push_back(preset.scheme);
    }
    for (const auto& preset : wanted) {
        auto extension = need(preset_extension(base.recipe.scheme, preset));
        if (!extension && !options.presets.empty()) {
            throw Failure(ErrorKind::invalid_argument, fmt::format("{} cannot be put onto {} ({}): it changes nothing there or must be trained with.", preset.name, base.title,
                                                                   scheme_line(base.recipe.scheme)));
        }
        if (!extension) continue;
        if (options.factor) set_factors(*extension, *options.factor);
        extensions.push_back(std::move(*extension));
    }
    if (extensions.empty()) throw Failure(ErrorKind::not_found, fmt::format("No preset can be put onto {} ({}). Single methods may fit, for example: lengthwise-cli extend {} temperature=log-n", base.title,
                                                                                scheme_line(base.recipe.scheme), options.run));
    return extensions;
}

std::optional<Evaluation> evaluation_of(const RunInfo& run, const std::string& protocol) {
    for (auto& evaluation : need(read_evaluations(run.folder))) {
        if (evaluation.protocol.protocol == protocol) return std::move(evaluation);
    }
    return std::nullopt;
}

bool measured_alike(const Evaluation& evaluation, const Evaluation& plain) {
    const EvaluationSpec &had = evaluation.protocol, &wanted = plain.protocol;
    return evaluation.complete && had.lengths == wanted.lengths && had.scored == wanted.scored && had.stride == wanted.stride && had.documents == wanted.documents &&
           had.split == wanted.split && same_keys(evaluation, plain);
}

/// The settings that the run itself was measured by. Whoever marked its key tokens marks those of its extensions as well: by themselves each of
/// them would be measured on other tokens.
EvaluationSpec settings_of(const Shell& shell, const Evaluation& plain) {
    EvaluationSpec spec = plain.protocol;
    if (!plain.keys) return spec;
    spec.keys.evaluator = need(find_run(shell.workspace_folder(), plain.keys->run)).folder;
    spec.keys.evaluator_step = plain.keys->step;
    return spec;
}

/// How the run itself was measured; it is measured now where it was not.
Evaluation reference(Shell& shell, const RunInfo& base, const std::string& protocol) {
    if (auto before = evaluation_of(base, protocol); before && before->complete) return std::move(*before);
    if (base.demo) throw Failure(ErrorKind::not_found, fmt::format("{} comes without an evaluation by {}.", base.title, protocol));
    shell.print(fmt::format("{}: measured first\n", base.title));
    return need(evaluate(base.folder, evaluation_spec(base.recipe, protocol), -1, shell.context()));
}

/// False when it was interrupted: what was finished is kept.
bool measure(Shell& shell, const RunInfo& run, const Evaluation& plain, const EvaluationSpec& settings) {
    const auto before = evaluation_of(run, settings.protocol);
    if (before && measured_alike(*before, plain)) {
        shell.print(fmt::format("{}: measured before\n", run.title));
        return true;
    }
    const auto evaluation = need(evaluate(run.folder, settings, -1, shell.context()));
    if (!evaluation.points.empty()) shell.print(fmt::format("{}: measured up to {} tokens\n", run.title, grouped(evaluation.points.back().length)));
    return evaluation.complete;
}

void draw(Shell& shell, Options& options, const CurveSet& curves, const std::vector<RunInfo>& runs, Json& document) {
    if (options.out.empty()) return;
    options.figure.state = to_json(curves).dump();
    options.figure.styles = ui::curve_styles(curves, runs, shell.workspace_folder());
    Json names = Json::array();
    for (const auto& file : need(ui::render_curves_figure(curves, options.figure))) {
        shell.print(file.string() + "\n");
        names.push_back(file.string());
    }
    document["files"] = names;
}

void run(Shell& shell, Options& options) {
    if (!options.out.empty()) {
        prepare_drawing();
        options.figure.path = options.out;
        need(ui::check_numbers(options.figure));  // before minutes of measuring
        make_parent_folder(options.figure.path);
    }
    const auto base = shell.find(options.run);
    const auto extensions = extensions_of(options, base, shell.workspace_folder());
    const auto plain = reference(shell, base, options.protocol);
    const auto settings = settings_of(shell, plain);
    std::vector<std::filesystem::path> folders{base.folder};
    std::vector<RunInfo> runs{base};
    bool complete = plain.complete;
    for (const auto& extension : extensions) {
        if (!complete) break;
        const auto before = need(find_extended_run(base.folder, extension, shell.workspace_folder()));
        const auto extended = before ? *before : need(extend_run(base.folder, extension, shell.workspace_folder()));
        shell.print(fmt::format("{}: {}\n", extended.title, scheme_line(extended.recipe.scheme)));
        folders.push_back(extended.folder);
        runs.push_back(extended);
        complete = measure(shell, extended, plain, settings);
    }
    const auto curves = need(perplexity_curves(folders, options.protocol));
    shell.print("\n" + measured_words(curves) + "\n\n" + curve_table(curves) + "\n");
    Json document{{"curves", to_json(curves)}};
    draw(shell, options, curves, runs, document);
    shell.emit(document);
    if (!complete) shell.end_with(ErrorKind::cancelled);
}

}  // namespace

void add_extensions(CLI::App& app, Shell& shell) {
    auto options = std::make_shared<Options>();
    auto* command = shell.command(app, "extensions", "Compare plug-in methods on one run's weights, without training",
                                  "lengthwise-cli extensions demo:rope --with rope-linear,rope-yarn,rope-self-extend --factor 0 -o extensions.pdf");
    command->add_option("run", options->run, "Run: id, title or folder")->required();
    command->add_option("--with", options->presets, "Presets, separated by commas (default: all that fit the run)")->delimiter(',');
    command->add_option("--factor", options->factor, "Interpolation factor of all that have one; 0 = length / training length");
    command->add_option("--protocol", options->protocol, "Protocol of the run's evaluation; the others are measured in the same way")->capture_default_str();
    command->add_option("-o,--out", options->out, "Figure: .pdf, .svg or .png, with its numbers beside it")->check(output_check(figure_endings()));
    command->add_option("--title", options->figure.title, "Title above the plot");
    command->add_option("--width", options->figure.width_mm, "Millimetres")->check(millimetre_check(false))->capture_default_str();
    command->add_option("--height", options->figure.height_mm, "Millimetres")->check(millimetre_check(false))->capture_default_str();
    command->add_option("--dpi", options->figure.dpi, "Of a PNG")->check(resolution_check())->capture_default_str();
    command->add_flag("--dark", options->figure.dark, "On a dark ground");
    add_off_flag(command, "--linear", options->figure.log_y, "Linear perplexity axis");
    shell.on_run(command, [&shell, options] { run(shell, *options); });
}

}  // namespace lw::cli
