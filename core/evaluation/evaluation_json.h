#pragma once
/// Evaluations as JSON: evaluations/<protocol>.json of a run. docs/file_formats.md describes the file.

#include "core/api/evaluation.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lw {

[[nodiscard]] std::string evaluation_json(const Evaluation& evaluation);
/// Throws Failure(corrupt_file) naming `origin` and what is missing or does not fit.
[[nodiscard]] Evaluation evaluation_from_json(const std::string& text, const std::string& origin);

/// <protocol>.json inside the folder, whole or not at all. An evaluation that is not complete never replaces a complete one.
void write_evaluation(const std::filesystem::path& folder, const Evaluation& evaluation);
/// All of a folder, sorted by file name; an absent folder has none.
[[nodiscard]] std::vector<Evaluation> read_evaluation_folder(const std::filesystem::path& folder);

}  // namespace lw
