#include "app/cli/selection.h"

#include "app/cli/checks.h"
#include "app/cli/curve_runs.h"
#include "app/cli/idle_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace lw::cli {
namespace {

std::int64_t parse_index(const std::string& text, const char* what) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) return value;
    throw Failure(ErrorKind::invalid_argument, fmt::format("\"{}\" is no number for {}; write a range as 100:200.", text, what));
}

}  // namespace

void add_text_options(CLI::App* command, TextSelection& selection, std::int64_t usual_length) {
    selection.usual_length = usual_length;
    command->add_option("run", selection.run, "Run: id, title or folder")->required();
    command->add_option("--step", selection.step, "Checkpoint; -1 = the best one")->capture_default_str();
    command->add_option("--text", selection.text.text, "Text typed here")->check(filled_check());
    command->add_option("--document", selection.text.document, "Document id (lengthwise-cli corpus documents SOURCE)")->check(filled_check());
    command->add_option("--offset", selection.text.offset, "First token of the document or of the text")->capture_default_str();
    command
        ->add_option("--length", selection.length,
                     fmt::format("Tokens of the document, at most so many of a text typed here (default: {}; of a run of a task an example of the training length)", usual_length))
        ->check(whole_number_check(1, std::int64_t{1} << 30));
    excludes(*command, "--text", {"--document"});
}

TextRequest text_request(const RunInfo& run, const TextSelection& selection) {
    TextRequest request = selection.text;
    request.length = selection.length.value_or(selection.usual_length);
    if (selection.length || !request.text.empty() || !trained_on_task(run)) return request;
    // Tasks whose answers follow their input have more tokens than the length says.
    const auto trained = task_picture(run.recipe.data, run.recipe.training.length);
    if (trained.ok()) request.length = static_cast<std::int64_t>(trained.value().tokens.size());
    return request;
}

MapsRequest maps_request(const Shell& shell, const TextSelection& selection) {
    const auto run = shell.find(selection.run);
    return {run.folder, selection.step, text_request(run, selection)};
}

CellRange parse_range(const std::string& text, std::int64_t length, const char* what) {
    CellRange range{0, length};
    const auto colon = text.find(':');
    if (colon == std::string::npos) {
        if (!text.empty()) range.begin = parse_index(text, what);
        if (!text.empty()) range.end = range.begin + 1;
    } else {
        if (colon > 0) range.begin = parse_index(text.substr(0, colon), what);
        if (colon + 1 < text.size()) range.end = parse_index(text.substr(colon + 1), what);
    }
    if (range.begin < 0 || range.end > length || range.begin >= range.end) {
        throw Failure(ErrorKind::invalid_argument,
                      fmt::format("The {} {}:{} do not lie within the text's {} tokens; use --length for a longer text.", what, range.begin,
                                  range.end, length));
    }
    return range;
}

void add_tile_options(CLI::App* command, TileSelection& selection) {
    command->add_option("--layer", selection.layer, "Layer, from 0")->capture_default_str();
    command->add_option("--head", selection.head, "Head, from 0; -1 = all")->capture_default_str();
    command->add_option("--part", selection.part, "content, bias, adaptive, bias+adaptive, logit or probability")->capture_default_str();
    command->add_option("--queries", selection.queries, "Rows, for example 0:512 (default: all)");
    command->add_option("--keys", selection.keys, "Columns (default: all)");
    command->add_option("--size", selection.size, "At most so many rows and columns of values")->capture_default_str();
    command->add_option("--reducer", selection.reducer, "How several cells become one value: mean, max, signed-max-abs")
        ->capture_default_str();
}

TileRequest tile_request(const TileSelection& selection, std::int64_t length) {
    TileRequest request;
    request.layer = selection.layer;
    request.head = selection.head;
    request.part = need(parse_score_part(selection.part));
    request.queries = parse_range(selection.queries, length, "queries");
    request.keys = parse_range(selection.keys, length, "keys");
    request.max_rows = selection.size;
    request.max_columns = selection.size;
    request.reducer = need(parse_reducer(selection.reducer));
    return request;
}

std::vector<std::string> head_titles(const std::vector<MapTile>& tiles) {
    std::vector<std::string> titles;
    for (const auto& tile : tiles) titles.push_back(fmt::format("Head {}", tile.head));
    return titles;
}

std::vector<RowProfile> rows_of_head(std::vector<RowProfile> rows, std::int64_t head) {
    const auto heads = rows.size();
    if (head >= 0) std::erase_if(rows, [&](const RowProfile& row) { return row.head != head; });
    if (rows.empty()) throw Failure(ErrorKind::invalid_argument, fmt::format("There is no head {}: the model has heads 0 to {}.", head, heads - 1));
    return rows;
}

void add_off_flag(CLI::App* command, const std::string& name, bool& value, const std::string& help) {
    // CLI11's own form, "!--no-csv", shows up as "--no-csv{false}" in the help.
    command->add_flag_callback(name, [&value] { value = false; }, help);
}

void make_parent_folder(const std::filesystem::path& file) {
    std::error_code error;
    const auto folder = file.parent_path();
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    if (error) {
        throw Failure(ErrorKind::io, fmt::format("The folder {} cannot be made: {}.", folder.string(), error.message()));
    }
}

}  // namespace lw::cli
