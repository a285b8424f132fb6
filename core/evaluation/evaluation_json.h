#pragma once
/// Evaluations as JSON: evaluations/<protocol>.json of a run. docs/file_formats.md describes the file.

#include "core/api/evaluation.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lw {

[[nodiscard]] std::string evaluation_json(const Evaluation& evaluation);
/// Throws Failure(corrupt_file) naming `origin` and what is missing or does not fit.
[[nodiscard]] Evaluation evaluation_from_json(const std::string& text, const std::string& origin);

/// <protocol>.json inside the folder, whole or not at all. An evaluation that is not complete never replaces a complete one.
void write_evaluation(const std::filesystem::path& folder, const Evaluation& evaluation);
/// That protocol's evaluation, nothing when there is none.
[[nodiscard]] std::optional<Evaluation> read_evaluation(const std::filesystem::path& folder, const std::string& protocol);
/// Those of all protocols, sorted by protocol; other files are left alone, and an absent folder has none.
[[nodiscard]] std::vector<Evaluation> read_evaluation_folder(const std::filesystem::path& folder);

}  // namespace lw
