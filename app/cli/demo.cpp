/// demo: the tour without a display: the demo models' figures into a folder.

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
    std::string folder = "lengthwise-demo";
    std::string format = "png";
    std::int64_t length = 1024;
};

struct Tour {
    Shell& shell;
    const Options& options;
    std::vector<std::filesystem::path> files;

    [[nodiscard]] ui::FigureOptions figure(const std::string& name, const std::string& title) const {
        ui::FigureOptions figure;
        figure.path = std::filesystem::path(options.folder) / (name + "." + options.format);
        figure.title = title;
        figure.dpi = 200;
        return figure;
    }
    void keep(const std::string& what, const std::vector<std::filesystem::path>& written) {
        for (const auto& file : written) files.push_back(file);
        if (!written.empty()) shell.print(fmt::format("{}\n  {}\n", what, written.front().string()));
    }
};

void draw_curves(Tour& tour, const std::vector<RunInfo>& runs) {
    std::vector<std::filesystem::path> folders;
    for (const auto& run : runs) folders.push_back(run.folder);
    const auto curves = need(perplexity_curves(folders));
    if (curves.lines.empty()) return;
    auto figure = tour.figure("curves", "Perplexity against length");
    figure.height_mm = 110;
    figure.styles = ui::curve_styles(curves, runs, tour.shell.workspace_folder());
    figure.state = to_json(curves).dump();
    tour.keep("Perplexity against length: which schemes hold past the training length", need(ui::render_curves_figure(curves, figure)));
}

/// The layer whose heads differ most in locality tells most.
std::int64_t telling_layer(const std::vector<HeadMeasures>& measures, std::int64_t layers) {
    std::int64_t best = 0;
    double widest = -1;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        double low = 1;
        double high = -1;
        for (const auto& m : measures) {
            if (m.layer != layer) continue;
            low = std::min(low, m.locality);
            high = std::max(high, m.locality);
        }
        if (high - low > widest) {
            widest = high - low;
            best = layer;
        }
    }
    return best;
}

void draw_heads(Tour& tour, const RunInfo& run) {
    MapsRequest request{run.folder, -1, {}};
    request.text.length = tour.options.length;
    const auto context = tour.shell.context();
    const auto session = need(open_maps(request, context));
    const auto& info = session->info();
    const auto layer = telling_layer(need(session->measures({}, context)), info.layers);
    for (const auto part : {ScorePart::bias_adaptive, ScorePart::probability}) {
        if (std::find(info.parts.begin(), info.parts.end(), part) == info.parts.end()) continue;
        TileRequest tile;
        tile.layer = layer;
        tile.part = part;
        tile.queries = tile.keys = {0, info.length};
        auto figure = tour.figure(fmt::format("{}-{}", run.id, part == ScorePart::probability ? "probability" : "bias"),
                                  fmt::format("{}, layer {}: {}", run.title, layer, score_part_name(part)));
        figure.height_mm = 0;
        figure.csv = false;
        figure.npz = true;
        figure.log_colour = part == ScorePart::probability;
        figure.state = to_json(info).dump();
        const auto tiles = need(session->tiles(tile, context));
        figure.panel_titles = head_titles(tiles);
        tour.keep(figure.title + " of every head", need(ui::render_map_figure(tiles, figure)));
    }
    auto figure = tour.figure(run.id + "-rows", fmt::format("{}, layer {}, query {}", run.title, layer, grouped(info.length - 1)));
    figure.height_mm = 0;
    figure.train_length = info.train_length;
    figure.state = to_json(info).dump();
    tour.keep(figure.title + ": content, bias and adaptive against key position",
              need(ui::render_rows_figure(need(session->rows(layer, info.length - 1)), figure)));
}

bool reads_text(const RunInfo& run) { return !run.recipe.data.source.starts_with("task:"); }

/// DAPE-Kerple and the Kerple it is built on, which differ most to look at; the first model where neither is there. Models of tasks have the
/// same names, but neither a text nor the lengths of one.
std::vector<RunInfo> shown_runs(const std::vector<RunInfo>& runs) {
    std::vector<RunInfo> shown;
    for (const char* name : {"DAPE-Kerple", "Kerple"}) {
        const auto found = std::find_if(runs.begin(), runs.end(), [&](const RunInfo& r) { return r.recipe.scheme.name == name && reads_text(r); });
        if (found != runs.end()) shown.push_back(*found);
    }
    if (!shown.empty()) return shown;
    const auto first = std::find_if(runs.begin(), runs.end(), reads_text);
    return {first != runs.end() ? *first : runs.front()};
}

void run(Shell& shell, const Options& options) {
    prepare_drawing();
    const auto runs = demo_runs();
    if (runs.empty()) {
        throw Failure(ErrorKind::not_found, "There are no demo models in the resources: scripts/train_demo_models makes them.");
    }
    Tour tour{shell, options, {}};
    make_parent_folder(std::filesystem::path(options.folder) / "x");
    draw_curves(tour, runs);
    for (const auto& shown : shown_runs(runs)) draw_heads(tour, shown);
    shell.print(fmt::format("\n{} files in {}\n", tour.files.size(), std::filesystem::absolute(options.folder).string()));
    Json names = Json::array();
    for (const auto& file : tour.files) names.push_back(file.string());
    shell.emit({{"folder", std::filesystem::absolute(options.folder).string()}, {"files", names}});
}

}  // namespace

void add_demo(CLI::App& app, Shell& shell) {
    auto options = std::make_shared<Options>();
    auto* command = shell.command(app, "demo", "Draw the demo models' curves and heads into a folder", "lengthwise-cli demo --into pictures");
    command->add_option("--into", options->folder, "Folder")->capture_default_str()->check(CLI::Validator([](const std::string& folder) {
        return folder.empty() ? std::string("a folder is needed") : std::string();
    }, ""));
    command->add_option("--format", options->format, "pdf, svg or png")->check(CLI::IsMember({"pdf", "svg", "png"}))->capture_default_str();
    command->add_option("--length", options->length, "Tokens of the text behind the maps")->capture_default_str();
    shell.on_run(command, [&shell, options] { run(shell, *options); });
}

}  // namespace lw::cli
