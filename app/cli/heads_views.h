#pragma once
/// What heads shows beside the table of classes: trails, heads that attend alike, and the dependence on the text.

#include "app/cli/atlas_options.h"

namespace lw::cli {

struct DependenceSelection {
    TextRequest other;               ///< the second text; none = the tokens that follow the first one
    std::int64_t layer = -1, head = -1;
    std::size_t places = 20;
    std::string order = "attention";
    std::string heads_out;           ///< CSV file of the table of heads, "" = none
};
void add_dependence_options(CLI::App* command, DependenceSelection& selection);

/// `out`: CSV file, "" = none.
void show_trails(Shell& shell, const AtlasSelection& selection, const std::string& out);
void show_similar(Shell& shell, const AtlasSelection& selection, const std::string& out);
void show_dependence(Shell& shell, const AtlasSelection& selection, const DependenceSelection& other, const std::string& out);
/// Writes a table beside the output and says so; nothing for "".
void save_table(Shell& shell, const std::string& out, const std::string& csv);

}  // namespace lw::cli
