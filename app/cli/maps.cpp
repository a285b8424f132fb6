/// maps: exact tiles, rows and cells of the score parts, as numbers.

#include "app/cli/checks.h"
#include "app/cli/idle_options.h"
#include "app/cli/maps_pan.h"
#include "app/cli/selection.h"
#include "app/cli/shell.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "core/api/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace lw::cli {
namespace {

struct Options {
    TextSelection text;
    TileSelection tile;
    std::int64_t row = -1;
    std::vector<std::int64_t> cell;
    std::string out;
    PanOptions pan;
    double tile_megabytes = -1;
};

struct Spread {
    double low = NAN, high = NAN, mean = NAN;
    std::int64_t cells = 0;
};

Spread spread_of(const std::vector<float>& values) {
    Spread spread;
    double sum = 0;
    for (float value : values) {
        if (std::isnan(value)) continue;
        spread.low = spread.cells == 0 ? value : std::min<double>(spread.low, value);
        spread.high = spread.cells == 0 ? value : std::max<double>(spread.high, value);
        sum += value;
        ++spread.cells;
    }
    if (spread.cells > 0) spread.mean = sum / static_cast<double>(spread.cells);
    return spread;
}

std::string tile_summary(const MapsInfo& info, const std::vector<MapTile>& tiles) {
    const auto& first = tiles.front();
    auto text = fmt::format("{}, step {}, {}\n{} of layer {}, queries {}:{}, keys {}:{}, {} x {} values", info.run_title, info.step,
                            info.text.title, score_part_name(first.part), first.layer, first.queries.begin, first.queries.end,
                            first.keys.begin, first.keys.end, first.rows, first.columns);
    if (first.cells_per_row > 1 || first.cells_per_column > 1) {
        text += fmt::format(", each the {} of {:.3g} x {:.3g} cells", reducer_name(first.reducer), first.cells_per_row, first.cells_per_column);
    }
    Table table({"head", "lowest", "mean", "highest", "visible values"});
    for (const auto& tile : tiles) {
        const auto spread = spread_of(tile.values);
        table.add({std::to_string(tile.head), three_digits(spread.low), three_digits(spread.mean), three_digits(spread.high), grouped(spread.cells)});
    }
    return text + "\n\n" + table.text();
}

/// Else .npz: reading the options refuses every other ending.
bool is_csv(const std::string& file) { return CLI::detail::to_lower(file).ends_with(".csv"); }

void save_tiles(const std::string& file, const std::vector<MapTile>& tiles) {
    make_parent_folder(file);
    if (is_csv(file)) {
        need(write_text_file(file, tile_csv(tiles.front())));
        return;
    }
    std::vector<NamedArray> arrays;
    for (const auto& tile : tiles) {
        arrays.push_back({fmt::format("layer{}_head{}_{}", tile.layer, tile.head, score_part_name(tile.part)), {tile.rows, tile.columns}, tile.values});
    }
    need(write_npz(file, arrays));
}

void save_rows(const std::string& file, const std::vector<RowProfile>& rows) {
    make_parent_folder(file);
    if (is_csv(file)) {
        need(write_text_file(file, rows_csv(rows)));
        return;
    }
    std::vector<NamedArray> arrays;
    for (const auto& row : rows) {
        const auto add = [&](const char* part, const std::vector<float>& values) {
            if (values.empty()) return;
            arrays.push_back({fmt::format("layer{}_head{}_{}", row.layer, row.head, part), {static_cast<std::int64_t>(values.size())}, values});
        };
        add("content", row.content);
        add("bias", row.bias);
        add("adaptive", row.adaptive);
        add("logit", row.logit);
        add("probability", row.probability);
    }
    need(write_npz(file, arrays));
}

void show_cell(Shell& shell, MapSession& session, const Options& options) {
    if (options.tile.head < 0) throw Failure(ErrorKind::invalid_argument, "A cell belongs to one head: choose it with --head.");
    const auto cell = need(session.cell(options.tile.layer, options.tile.head, options.cell[0], options.cell[1]));
    shell.print(fmt::format("layer {} head {}, query {} \"{}\", key {} \"{}\"\n{}\n", options.tile.layer, options.tile.head, cell.query,
                            cell.query_piece, cell.key, cell.key_piece, cell.sentence));
    shell.emit(to_json(cell));
}

void show_row(Shell& shell, MapSession& session, const Options& options) {
    const auto rows = rows_of_head(need(session.rows(options.tile.layer, options.row)), options.tile.head);
    Table table({"head", "content", "bias", "adaptive", "logit", "highest probability", "at key"});
    const auto range = [](const std::vector<float>& values) {
        const auto spread = spread_of(values);
        return values.empty() ? std::string("–") : fmt::format("{} … {}", three_digits(spread.low), three_digits(spread.high));
    };
    for (const auto& row : rows) {
        const auto best = std::max_element(row.probability.begin(), row.probability.end());
        table.add({std::to_string(row.head), range(row.content), range(row.bias), range(row.adaptive), range(row.logit),
                   best == row.probability.end() ? "–" : three_digits(*best), grouped(best - row.probability.begin())});
    }
    shell.print(fmt::format("layer {}, query {}\n\n", options.tile.layer, options.row) + table.text());
    if (!options.out.empty()) {
        save_rows(options.out, rows);
        shell.print(options.out + "\n");
    }
    shell.emit({{"info", to_json(session.info())}, {"rows", list_json(rows)}});
}

void run(Shell& shell, const Options& options) {
    if (options.row < 0 && options.tile.head < 0 && is_csv(options.out)) {
        throw Failure(ErrorKind::invalid_argument, "A CSV holds one head: choose it with --head, or write .npz.");
    }
    const auto context = shell.context();
    auto request = maps_request(shell, options.text);
    if (options.tile_megabytes >= 0) request.tile_bytes = static_cast<std::int64_t>(options.tile_megabytes * 1e6);
    const auto begin = std::chrono::steady_clock::now();
    const auto session = need(open_maps(request, context));
    const std::chrono::duration<double> opening = std::chrono::steady_clock::now() - begin;
    if (options.pan.pan) return pan_map(shell, *session, options.tile, options.pan, opening.count());
    if (!options.cell.empty()) return show_cell(shell, *session, options);
    if (options.row >= 0) return show_row(shell, *session, options);
    const auto& info = session->info();
    const auto tiles = need(session->tiles(tile_request(options.tile, info.length), context));
    if (tiles.empty()) throw Failure(ErrorKind::not_found, "There is no such head.");
    shell.print(tile_summary(info, tiles));
    if (!options.out.empty()) {
        save_tiles(options.out, tiles);
        shell.print(options.out + "\n");
    }
    Json document = {{"info", to_json(info)}};
    if (options.out.empty()) {
        document["tiles"] = list_json(tiles);
    } else {
        document["file"] = options.out;
    }
    shell.emit(document);
}

/// A million megabytes is beyond every machine, and far from what a whole number of bytes can hold.
CLI::Validator tile_memory_check() {
    return CLI::Validator([](std::string& text) { return text == "-1" ? std::string() : number_check(0, 1e6)(text); }, "MB", "tile memory");
}

}  // namespace

void add_maps(CLI::App& app, Shell& shell) {
    auto options = std::make_shared<Options>();
    auto* command = shell.command(app, "maps", "Content, bias, adaptive, logit and probability of any head and range",
                                  "lengthwise-cli maps dape-kerple --layer 1 --head 3 --part adaptive --length 2048 --out tile.npz");
    add_text_options(command, options->text, 512);
    add_tile_options(command, options->tile);
    command->add_option("--row", options->row, "Instead: one query, all parts against key position")->check(whole_number_check(0, std::int64_t{1} << 30));
    command->add_option("--cell", options->cell, "Instead: the arithmetic of one cell, QUERY,KEY")->delimiter(',')->expected(2);
    command->add_option("-o,--out", options->out, "File for the numbers, .npz or .csv")->check(output_check({".npz", ".csv"}));
    add_pan_options(command, options->pan);
    command->add_option("--tile-memory", options->tile_megabytes, "Most megabytes that finished tiles are kept in; -1 = a sixteenth of the memory, at most 1 GB")
        ->capture_default_str()
        ->check(tile_memory_check());
    excludes(*command, "--pan", {"--row", "--cell", "--out", "--queries", "--keys"});
    needs(*command, {"--views", "--dwell", "--log"}, "--pan");
    // A row and a cell show every part, each value as it is.
    excludes(*command, "--row", {"--cell", "--part", "--queries", "--keys", "--size", "--reducer"});
    excludes(*command, "--cell", {"--part", "--queries", "--keys", "--size", "--reducer", "--out"});
    shell.on_run(command, [&shell, options] { run(shell, *options); });
}

}  // namespace lw::cli
