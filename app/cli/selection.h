#pragma once
/// Options that several commands share: which checkpoint, which text, which cells.

#include "app/cli/shell.h"
#include "core/api/maps.h"

#include <optional>

namespace lw::cli {

struct TextSelection {
    std::string run;
    std::int64_t step = -1;
    TextRequest text;                    ///< but for its length
    std::optional<std::int64_t> length;  ///< as asked for
    std::int64_t usual_length = 512;     ///< of a run of a text
};
void add_text_options(CLI::App* command, TextSelection& selection, std::int64_t usual_length);
/// The text asked for. Without --length it has the usual number of tokens, and of a run of a task it is an example of the training length.
[[nodiscard]] TextRequest text_request(const RunInfo& run, const TextSelection& selection);
[[nodiscard]] MapsRequest maps_request(const Shell& shell, const TextSelection& selection);

/// "100:200", "100:", ":200" or "150" within 0..length. Throws Failure(invalid_argument).
[[nodiscard]] CellRange parse_range(const std::string& text, std::int64_t length, const char* what);

struct TileSelection {
    std::int64_t layer = 0;
    std::int64_t head = -1;
    std::string part = "probability";
    std::string queries, keys;
    std::string reducer = "signed-max-abs";
    std::int64_t size = 512;
};
void add_tile_options(CLI::App* command, TileSelection& selection);
[[nodiscard]] TileRequest tile_request(const TileSelection& selection, std::int64_t length);

/// "Head 0", "Head 1", ...: what tells the panels of one layer and part apart.
[[nodiscard]] std::vector<std::string> head_titles(const std::vector<MapTile>& tiles);

/// The rows of one head; all of them for -1. Throws Failure(invalid_argument) with the heads that there are.
[[nodiscard]] std::vector<RowProfile> rows_of_head(std::vector<RowProfile> rows, std::int64_t head);

/// "--no-csv": a flag that switches off what is on by default. `value` must live as long as the command.
void add_off_flag(CLI::App* command, const std::string& name, bool& value, const std::string& help);

/// Makes the folder of an output file when it is absent.
void make_parent_folder(const std::filesystem::path& file);

}  // namespace lw::cli
