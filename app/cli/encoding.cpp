/// encoding: what a scheme does to distance, without any model or with the values that training gave it.

#include "app/cli/checks.h"
#include "app/cli/idle_options.h"
#include "app/cli/parameters.h"
#include "app/cli/previews.h"
#include "app/cli/selection.h"
#include "app/cli/shell.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "core/api/export.h"
#include "core/api/scheme.h"

#include <fmt/format.h>

namespace lw::cli {
namespace {

struct Options {
    PreviewRequest request;
    std::string scheme, out, run;
    std::vector<std::string> sets;
    std::int64_t rows = 12;
    std::int64_t step = -1;
    std::int64_t layer = 0;
    bool all_layers = false;
};

/// One column per head and curve, one row per distance.
struct Columns {
    std::vector<std::string> names;
    std::vector<const std::vector<double>*> values;
    void add(const std::string& name, const std::vector<double>& column) {
        if (column.empty()) return;
        names.push_back(name);
        values.push_back(&column);
    }
};

/// `prefix` tells the layers of a run apart ("layer0_").
void add_columns(const EncodingPreview& preview, const std::string& prefix, Columns& columns) {
    const auto add = [&](const std::string& name, const std::vector<double>& column) { columns.add(prefix + name, column); };
    for (std::size_t h = 0; h < preview.bias.size(); ++h) add(fmt::format("bias_head{}", h), preview.bias[h]);
    add("rotation_similarity", preview.similarity);
    add("plain_similarity", preview.plain_similarity);
    add("decay_bound", preview.decay_bound);
    add("plain_decay_bound", preview.plain_decay_bound);
    if (!preview.input_dot.empty()) add("input_dot", preview.input_dot.front());
    const auto add_heads = [&](const std::string& name, const std::vector<std::vector<double>>& rows) {
        for (std::size_t h = 0; h < rows.size(); ++h) add(rows.size() == 1 ? name : fmt::format("{}_head{}", name, h), rows[h]);
    };
    add_heads("used_distance", preview.effective_distance);
    add_heads("row_factor_at_position", preview.row_factor);
}

std::string csv(const EncodingPreview& preview, const Columns& columns) {
    std::string text = "distance";
    for (const auto& name : columns.names) text += "," + name;
    text += "\n";
    for (std::size_t i = 0; i < preview.distance.size(); ++i) {
        text += std::to_string(preview.distance[i]);
        for (const auto* column : columns.values) text += fmt::format(",{:.9g}", (*column)[i]);
        text += "\n";
    }
    return text;
}

/// `rows` of `count` points as evenly as they go, the first and the last among them.
std::vector<std::size_t> shown_rows(std::size_t count, std::int64_t rows) {
    std::vector<std::size_t> shown;
    const auto wanted = std::min(count, static_cast<std::size_t>(std::max<std::int64_t>(1, rows)));
    for (std::size_t n = 0; n < wanted; ++n) shown.push_back(wanted == 1 ? 0 : n * (count - 1) / (wanted - 1));
    return shown;
}

std::string table_text(const EncodingPreview& preview, const Columns& columns, std::int64_t rows) {
    std::vector<std::string> header{"distance"};
    header.insert(header.end(), columns.names.begin(), columns.names.end());
    Table table(header);
    for (const std::size_t i : shown_rows(preview.distance.size(), rows)) {
        std::vector<std::string> row{grouped(preview.distance[i])};
        for (const auto* column : columns.values) row.push_back(compact((*column)[i]));
        table.add(row);
    }
    return table.text();
}

Json document(const EncodingPreview& preview) {
    return {{"distance", preview.distance}, {"bias", preview.bias}, {"frequency", preview.frequency},
            {"plain_frequency", preview.plain_frequency}, {"attention_factor", preview.attention_factor},
            {"turns_in_training", preview.turns_in_training}, {"similarity", preview.similarity},
            {"plain_similarity", preview.plain_similarity}, {"decay_bound", preview.decay_bound},
            {"plain_decay_bound", preview.plain_decay_bound}, {"input_dot", preview.input_dot},
            {"used_distance", preview.effective_distance}, {"visible", preview.visible}, {"row_factor", preview.row_factor},
            {"map_index", preview.map_index}, {"distance_map", preview.distance_map}, {"wave_map", preview.wave_map},
            {"shows_initial_values", preview.shows_initial_values}, {"note", preview.note}};
}

/// What every form of the command shows: the columns as a table, or all points as CSV.
void show(Shell& shell, const Options& options, const EncodingPreview& preview, const Columns& columns) {
    if (!options.out.empty()) {
        if (std::filesystem::path(options.out).extension() != ".csv") {
            throw Failure(ErrorKind::invalid_argument, fmt::format("The numbers of an encoding are written as .csv, not into {}. Its figure: lengthwise-cli figure encoding.", options.out));
        }
        make_parent_folder(options.out);
        need(write_text_file(options.out, csv(preview, columns)));
        shell.print(options.out + "\n");
    } else {
        shell.print(columns.names.empty() ? "This scheme adds no curve against distance.\n" : table_text(preview, columns, options.rows));
    }
}

Json document(const RunPreview& shown) {
    Json object = document(shown.preview);
    object.update({{"run", shown.title}, {"step", shown.step}, {"layer", shown.layer}, {"layers", shown.layers}, {"differs_by_layer", shown.differs_by_layer}});
    return object;
}

/// The layer asked for, or all of them; one where all are alike.
std::vector<RunPreview> trained_layers(Shell& shell, const Options& options) {
    const auto folder = shell.find(options.run).folder;
    std::vector<RunPreview> shown{need(preview_run(folder, options.step, options.all_layers ? 0 : options.layer, options.request))};
    if (!options.all_layers || !shown.front().differs_by_layer) return shown;
    for (std::int64_t layer = 1; layer < shown.front().layers; ++layer) shown.push_back(need(preview_run(folder, options.step, layer, options.request)));
    return shown;
}

void show_run(Shell& shell, const Options& options) {
    if (!options.scheme.empty() || !options.sets.empty()) {
        throw Failure(ErrorKind::invalid_argument, "--run shows the run's own scheme and values; leave out the scheme and --set.");
    }
    const auto layers = trained_layers(shell, options);
    Columns columns;
    Json list = Json::array();
    for (const auto& layer : layers) {
        add_columns(layer.preview, layers.size() > 1 ? fmt::format("layer{}_", layer.layer) : "", columns);
        list.push_back(document(layer));
    }
    shell.print(layers.front().title + "\n\n");
    show(shell, options, layers.front().preview, columns);
    for (const auto& layer : layers) shell.print(layer.preview.note + "\n");
    shell.emit(options.all_layers ? Json{{"layers", list}} : list.front());
}

ModelShape shape_of(const PreviewRequest& request) {
    ModelShape shape;
    shape.heads = request.heads;
    shape.head_width = request.head_width;
    shape.train_length = request.train_length;
    shape.length = request.length;
    return shape;
}

void run(Shell& shell, Options& options) {
    if (!options.run.empty()) return show_run(shell, options);
    options.request.scheme = preview_scheme_of(shell, options.scheme, options.sets);
    const auto preview = need(preview_scheme(options.request));
    Columns columns;
    add_columns(preview, "", columns);
    show(shell, options, preview, columns);
    if (!preview.note.empty()) shell.print(preview.note + "\n");
    const auto numbers = need(scheme_numbers(options.request.scheme, shape_of(options.request)));
    for (const auto& slot : numbers) {
        if (!slot.values.empty()) shell.print(fmt::format("{}: {}\n", slot.id, slot.values));
        if (!slot.cost_line.empty()) shell.print(fmt::format("{}: {}\n", slot.id, slot.cost_line));
    }
    Json json = document(preview);
    json["numbers"] = list_json(numbers);
    shell.emit(json);
}

}  // namespace

void add_encoding(CLI::App& app, Shell& shell) {
    auto options = std::make_shared<Options>();
    auto* command = shell.command(app, "encoding", "What a scheme does to distance, without a model or with a run's values",
                                  "lengthwise-cli encoding alibi --length 8192 --out alibi.csv");
    command->add_option("scheme", options->scheme, "Preset id or name");
    command->add_option("--run", options->run, "Run whose trained values are shown, instead of a scheme");
    command->add_option("--layer", options->layer, "With --run: layer, from 0")->capture_default_str();
    command->add_option("--step", options->step, "With --run: checkpoint; -1 = the best, else the last")->capture_default_str();
    command->add_flag("--all-layers", options->all_layers, "With --run: every layer");
    command->add_option("--set", options->sets, "A parameter of a slot, or its method: frequency.factor=4, frequency=yarn; may be repeated")->type_name(kSlotSettingForm)->allow_extra_args(false);
    add_preview_options(command, options->request);
    command->add_option("--rows", options->rows, "Rows of the printed table")->capture_default_str();
    command->add_option("--map-cells", options->request.map_cells, "With --json: side of the maps of used distances and of the rotation's cosines");
    command->add_option("-o,--out", options->out, "CSV file for all points")->check(output_check());
    needs(*command, {"--layer", "--step", "--all-layers"}, "--run");
    excludes(*command, "--run", {"--heads", "--head-width", "--train-length"});  // the run has its own
    excludes(*command, "--all-layers", {"--layer"});
    excludes(*command, "--out", {"--rows"});
    shell.on_run(command, [&shell, options] { run(shell, *options); });
}

}  // namespace lw::cli
