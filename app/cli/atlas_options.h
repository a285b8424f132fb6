#pragma once
/// Heads over lengths and checkpoints: what heads and figure atlas have in common.

#include "app/cli/selection.h"
#include "core/api/heads.h"

namespace lw::cli {

struct AtlasSelection {
    TextSelection text;
    MeasureRequest measure;
    std::string of = "bias+adaptive";
    std::vector<std::int64_t> lengths;
    std::vector<std::string> steps;  ///< numbers, or "all"
    std::int64_t queries = 64;
    [[nodiscard]] bool has_trails() const { return !lengths.empty() || !steps.empty(); }
};

/// Run, text, lengths, steps and how heads are measured.
void add_atlas_options(CLI::App* command, AtlasSelection& selection);
/// Throws Failure: not_found for a run that is not there, invalid_argument for a step that is no number.
[[nodiscard]] AtlasRequest atlas_request(const Shell& shell, const AtlasSelection& selection);

}  // namespace lw::cli
