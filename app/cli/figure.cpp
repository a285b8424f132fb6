/// figure: curves, maps, row profiles and encodings as PDF, SVG or PNG with their numbers.

#include "app/cli/atlas_options.h"
#include "app/cli/checks.h"
#include "app/cli/curve_runs.h"
#include "app/cli/figure_encoding.h"
#include "app/cli/loss_curves.h"
#include "app/cli/render.h"
#include "app/cli/selection.h"
#include "app/cli/shell.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "core/api/export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace lw::cli {
namespace {

struct Options {
    ui::FigureOptions figure;
    std::string out;
    std::vector<std::string> runs;
    std::string protocol = "last-k";
    bool each_seed = false, beyond = false;
    TextSelection text, row_text;
    TileSelection tile;
    EncodingFigureOptions encoding;
    AtlasSelection atlas;
    std::string axis = "C", over;
    std::int64_t query = -1;
    std::optional<double> height;
    bool map_csv = false, linear_colour = false, log_colour = false;
};

void report(Shell& shell, const std::vector<std::filesystem::path>& files) {
    Json names = Json::array();
    for (const auto& file : files) {
        shell.print(file.string() + "\n");
        names.push_back(file.string());
    }
    shell.emit({{"files", names}});
}

void prepare(Options& options) {
    prepare_drawing();
    options.figure.path = options.out;
    if (options.height) options.figure.height_mm = *options.height;
    need(ui::check_numbers(options.figure));  // before anything is measured
    make_parent_folder(options.figure.path);
}

/// What stands in the way of reading the curves as one plot.
void warn_unlike(const Shell& shell, const CurveSet& curves) {
    if (!curves.warnings.empty()) shell.warn(measured_words(curves));
}

void draw_curves(Shell& shell, Options& options) {
    prepare(options);
    const auto runs = find_runs(shell, options.runs);
    const auto curves = evaluated_curves(runs, options.protocol, options.each_seed);
    // The figure's caption says the same.
    warn_unlike(shell, curves);
    for (const auto& name : curves.missing) shell.warn(fmt::format("{} has no evaluation by {} and is not drawn.", name, options.protocol));
    for (const auto& problem : curves.problems) shell.warn(problem);
    options.figure.state = to_json(curves).dump();
    options.figure.styles = ui::curve_styles(curves, runs, shell.workspace_folder());
    report(shell, need(ui::render_curves_figure(curves, options.figure)));
}

/// Curves that are no perplexities, with a table of their own beside the picture.
void draw_others(Shell& shell, Options& options, const CurveSet& curves, const std::vector<RunInfo>& runs, const std::string& csv) {
    const auto* what = curves.protocol == "task" ? "accuracies (those come with evaluating a run that was trained on a task)" : "such numbers";
    if (curves.lines.empty()) throw Failure(ErrorKind::not_found, fmt::format("None of these runs has {}: {}.", what, fmt::join(curves.missing, ", ")));
    for (const auto& title : curves.missing) shell.print(fmt::format("{} has no such numbers.\n", title));
    prepare(options);
    options.figure.log_y = false;
    options.figure.state = to_json(curves).dump();
    options.figure.styles = ui::curve_styles(curves, runs, shell.workspace_folder());
    const bool with_csv = options.figure.csv;
    options.figure.csv = false;
    options.figure.own_numbers = with_csv;
    auto files = need(ui::render_curves_figure(curves, options.figure));
    if (with_csv) {
        files.push_back(std::filesystem::path(options.figure.path).replace_extension("csv"));
        need(write_text_file(files.back(), csv));
    }
    report(shell, files);
}

/// Each run that is not drawn is named with the reason; where none is drawn, that is the error.
void draw_beyond(Shell& shell, Options& options, const std::vector<RunInfo>& runs) {
    auto curves = beyond_loss_curves(runs, options.protocol, options.each_seed);
    if (curves.lines.empty()) throw Failure(ErrorKind::not_found, fmt::format("{}", fmt::join(curves.problems, "\n")));
    warn_unlike(shell, curves);
    for (const auto& problem : curves.problems) shell.warn(problem);
    curves.missing.clear();
    draw_others(shell, options, curves, runs, position_csv(curves, "tokens_beyond_L"));
}

void draw_positions(Shell& shell, Options& options) {
    if (options.protocol == "longppl") throw Failure(ErrorKind::invalid_argument, "LongPPL counts key tokens alone, so it has no losses by position; choose another --protocol.");
    const auto runs = find_runs(shell, options.runs);
    if (options.beyond) return draw_beyond(shell, options, runs);
    const auto curves = position_loss_curves(runs, options.protocol, options.each_seed);
    warn_unlike(shell, curves);
    for (const auto& problem : curves.problems) shell.warn(problem);
    draw_others(shell, options, curves, runs, position_csv(curves, "position"));
}

void draw_training(Shell& shell, Options& options) {
    const auto runs = find_runs(shell, options.runs);
    const auto curves = training_loss_curves(runs);
    draw_others(shell, options, curves, runs, loss_csv(curves));
}

void draw_accuracy(Shell& shell, Options& options) {
    const auto runs = find_runs(shell, options.runs);
    const auto curves = accuracy_curves(runs);
    draw_others(shell, options, curves, runs, accuracy_csv(curves));
}

void draw_depths(Shell& shell, Options& options) {
    prepare(options);
    std::vector<TaskEvaluation> evaluations;
    for (const auto& run : find_runs(shell, options.runs)) {
        auto evaluation = need(read_task_evaluation(run.folder));
        if (!evaluation) {
            shell.warn(fmt::format("{} was not measured on a task and is not drawn.", run.title));
            continue;
        }
        const auto hides = [](const TaskPoint& point) { return !point.depths.empty(); };
        if (std::none_of(evaluation->points.begin(), evaluation->points.end(), hides)) {
            shell.warn(fmt::format("{} was trained on {}, which hides nothing in a text, and is not drawn.", run.title, evaluation->source));
        }
        options.figure.panel_titles.push_back(run.title);
        evaluations.push_back(std::move(*evaluation));
    }
    if (!options.height) options.figure.height_mm = 0;
    if (options.figure.title.empty()) options.figure.title = "Accuracy by length and place";
    report(shell, need(ui::render_depth_figure(evaluations, options.figure)));
}

void draw_maps(Shell& shell, Options& options) {
    // The maps of a layer as text would be a file for every head.
    options.figure.csv = false;
    options.figure.npz = true;
    prepare(options);
    options.figure.csv = options.map_csv;  // its tables are checked by their own names
    const auto context = shell.context();
    const auto session = need(open_maps(maps_request(shell, options.text), context));
    const auto tiles = need(session->tiles(tile_request(options.tile, session->info().length), context));
    options.figure.panel_titles = head_titles(tiles);
    if (!options.height && tiles.size() > 1) options.figure.height_mm = 0;
    // On a linear scale a probability map is all but black.
    options.figure.log_colour = !options.linear_colour;
    if (options.figure.title.empty()) {
        options.figure.title = fmt::format("{}, layer {}: {}", session->info().run_title, options.tile.layer, options.tile.part);
    }
    options.figure.state = to_json(session->info()).dump();
    report(shell, need(ui::render_map_figure(tiles, options.figure)));
}

void draw_rows(Shell& shell, Options& options) {
    prepare(options);
    const auto session = need(open_maps(maps_request(shell, options.row_text), shell.context()));
    const auto& info = session->info();
    const auto rows = rows_of_head(need(session->rows(options.tile.layer, options.query < 0 ? info.length - 1 : options.query)), options.tile.head);
    options.figure.train_length = info.train_length;
    if (options.figure.title.empty() && !rows.empty()) {
        options.figure.title = fmt::format("{}, layer {}, query {}", info.run_title, options.tile.layer, rows.front().query);
    }
    options.figure.state = to_json(info).dump();
    report(shell, need(ui::render_rows_figure(rows, options.figure)));
}

/// "128" or "128 to 2,048".
std::string span_text(const std::vector<std::int64_t>& stops) {
    return stops.size() < 2 ? grouped(stops.empty() ? 0 : stops.front()) : fmt::format("{} to {}", grouped(stops.front()), grouped(stops.back()));
}

std::string atlas_subtitle(const HeadAtlas& atlas, std::uint64_t seed) {
    return fmt::format("{} tokens, trained at L = {}, seed {}, step {}; {} text{}", span_text(atlas.lengths), grouped(atlas.train_length), seed, span_text(atlas.steps), atlas.texts,
                       atlas.texts == 1 ? "" : "s");
}

void draw_atlas(Shell& shell, Options& options) {
    const bool followed = options.over == "step" ? !options.atlas.steps.empty() : !options.atlas.lengths.empty();
    if (!options.over.empty() && !followed) throw Failure(ErrorKind::invalid_argument, fmt::format("--over {0} follows {0}s, and none are given: add --{0}s.", options.over));
    prepare(options);
    const auto request = atlas_request(shell, options.atlas);
    const auto atlas = need(head_atlas(request, shell.context()));
    const bool by_step = options.over == "step" || (options.over.empty() && atlas.lengths.size() < 2);
    const std::string part = atlas.of == ScorePart::bias_adaptive ? "bias + adaptive" : score_part_name(atlas.of);
    if (options.figure.title.empty()) options.figure.title = fmt::format("{}: {} of its heads", atlas.run_title, part);
    options.figure.subtitle = atlas_subtitle(atlas, need(read_run(request.run)).recipe.seed);
    Json state = to_json(atlas);
    state.erase("points");  // in the table beside the figure
    options.figure.state = state.dump();
    report(shell, need(ui::render_atlas_figure(atlas, options.axis, by_step ? TrailAxis::step : TrailAxis::length, options.figure)));
}

void add_figure_options(CLI::App* command, Options& options) {
    command->add_option("-o,--out", options.out, "File: .pdf, .svg or .png")->required()->check(output_check(figure_endings()));
    command->add_option("--title", options.figure.title, "Title above the plot");
    command->add_option("--width", options.figure.width_mm, "Millimetres")->check(millimetre_check(false))->capture_default_str();
    command->add_option("--height", options.height, "Millimetres (default: 100; maps of several heads: 0); 0 = chosen by the content")
        ->check(millimetre_check(true));
    command->add_option("--dpi", options.figure.dpi, "Of a PNG")->check(resolution_check())->capture_default_str();
    command->add_flag("--dark", options.figure.dark, "On a dark ground");
    add_off_flag(command, "--no-csv", options.figure.csv, "Do not write the numbers as CSV");
    command->add_flag("--npz", options.figure.npz, "Also write the numbers as NPZ; maps always do");
}

}  // namespace

void add_figure(CLI::App& app, Shell& shell) {
    auto options = std::make_shared<Options>();
    auto* command = shell.command(app, "figure", "Draw a figure, with its numbers beside it",
                                  "lengthwise-cli figure curves kerple dape-kerple -o curves.pdf");
    auto* curves = shell.command(*command, "curves", "Perplexity against length", "lengthwise-cli figure curves rope alibi dape-kerple -o curves.pdf");
    curves->add_option("runs", options->runs, "Runs: ids, titles or folders")->required();
    curves->add_option("--protocol", options->protocol, "Protocol of the evaluations")->capture_default_str();
    curves->add_flag("--each-seed", options->each_seed, "A line for each seed instead of their mean");
    add_off_flag(curves, "--linear", options->figure.log_y, "Linear perplexity axis");
    auto* loss = shell.command(*command, "loss", "Training and validation loss by step", "lengthwise-cli figure loss alibi-l128-s1 -o loss.pdf");
    loss->add_option("runs", options->runs, "Runs: ids, titles or folders")->required();
    auto* positions = shell.command(*command, "position-loss", "Loss by position, at the longest length of the evaluations",
                                    "lengthwise-cli figure position-loss rope alibi -o positions.pdf");
    positions->add_option("runs", options->runs, "Runs: ids, titles or folders")->required();
    positions->add_option("--protocol", options->protocol, "Protocol of the evaluations")->capture_default_str();
    positions->add_flag("--each-seed", options->each_seed, "A line for each seed instead of their mean");
    positions->add_flag("--beyond", options->beyond, "By how many tokens the context is longer than any in training; evaluations made before this was kept lack it, and have to be made again");
    auto* accuracy = shell.command(*command, "accuracy", "Accuracy on a synthetic task against length", "lengthwise-cli figure accuracy alibi rope -o accuracy.pdf");
    accuracy->add_option("runs", options->runs, "Runs that were trained on a task and evaluated: ids, titles or folders")->required();
    auto* depths = shell.command(*command, "depths", "Accuracy by length and by the place of what is asked, for passkey and needle", "lengthwise-cli figure depths my-passkey-run -o depths.pdf");
    depths->add_option("runs", options->runs, "Runs that were trained on such a task and evaluated: ids, titles or folders")->required();
    auto* maps = shell.command(*command, "maps", "Heat maps of a layer's heads, or of one head",
                               "lengthwise-cli figure maps dape-kerple --layer 1 --part bias+adaptive -o maps.png");
    add_text_options(maps, options->text, 512);
    add_tile_options(maps, options->tile);
    maps->add_flag("--linear-colour", options->linear_colour, "Probability on a linear colour scale instead of a logarithmic one");
    maps->add_flag("--log-colour", options->log_colour)->group("");  // the default now; earlier commands go on working
    maps->add_flag("--csv", options->map_csv, "Also write the numbers as CSV, a file for each head");
    auto* rows = shell.command(*command, "row-profile", "All parts against key position for one query",
                               "lengthwise-cli figure row-profile dape-kerple --layer 1 --length 2048 -o row.pdf");
    add_text_options(rows, options->row_text, 2048);
    rows->add_option("--layer", options->tile.layer, "Layer, from 0")->capture_default_str();
    rows->add_option("--head", options->tile.head, "Head, from 0; -1 = all")->capture_default_str();
    rows->add_option("--query", options->query, "Query; -1 = the last one")->check(whole_number_check(-1, std::int64_t{1} << 30))->capture_default_str();
    auto* atlas = shell.command(*command, "atlas", "Every head as a dot by locality and contrast or another measure, with its way over lengths or checkpoints",
                                "lengthwise-cli figure atlas dape-kerple --lengths 128,512,2048 -o atlas.pdf");
    add_atlas_options(atlas, options->atlas);
    atlas->add_option("--axis", options->axis, "Measure that stands upright: C, A, rho, entropy, spread, beyond, sink or self")->capture_default_str();
    atlas->add_option("--over", options->over, "What thin lines follow: length or step (default: lengths where there are several)")->check(CLI::IsMember({"length", "step"}));
    auto* encoding = shell.command(*command, "encoding", "What schemes do to distance: a plot or a map of the Encodings page",
                                   "lengthwise-cli figure encoding alibi kerple-log -o bias.pdf");
    add_encoding_figure_options(encoding, options->encoding);
    for (auto* kind : {curves, loss, positions, accuracy, depths, maps, rows, atlas, encoding}) add_figure_options(kind, *options);
    command->require_subcommand(1);
    shell.on_run(command, [&shell, options, curves, loss, positions, accuracy, depths, maps, atlas, encoding] {
        if (curves->parsed()) return draw_curves(shell, *options);
        if (loss->parsed()) return draw_training(shell, *options);
        if (positions->parsed()) return draw_positions(shell, *options);
        if (accuracy->parsed()) return draw_accuracy(shell, *options);
        if (depths->parsed()) return draw_depths(shell, *options);
        if (maps->parsed()) return draw_maps(shell, *options);
        if (atlas->parsed()) return draw_atlas(shell, *options);
        if (encoding->parsed()) {
            prepare(*options);
            return report(shell, draw_encoding(shell, options->encoding, options->figure));
        }
        draw_rows(shell, *options);
    });
}

}  // namespace lw::cli
