#include "core/lab/evaluated_runs.h"

#include "core/evaluation/evaluation_json.h"
#include "core/evaluation/protocol.h"
#include "core/storage/atomic_file.h"
#include "core/storage/run_folder.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

/// Equal for runs that differ in seed, name or evaluation settings only.
std::string group_of(const Recipe& recipe) {
    Recipe plain = recipe;
    plain.seed = 0;
    plain.name.clear();
    plain.evaluation = EvaluationSpec{};
    return recipe_hash(plain);
}

/// One damaged file must not hide the other runs' curves.
std::optional<Evaluation> readable(const std::filesystem::path& folder, const std::string& protocol, std::vector<std::string>& problems) {
    try {
        return read_evaluation(RunFolder(folder).evaluation_folder(), protocol);
    } catch (const Failure& failure) {
        problems.emplace_back(failure.what());
        return std::nullopt;
    }
}

/// A run that is named twice, by id and by title or through a link, is one run.
std::vector<std::filesystem::path> without_repeats(const std::vector<std::filesystem::path>& runs) {
    std::vector<std::filesystem::path> folders, known;
    for (const auto& run : runs) {
        std::error_code error;
        const auto canonical = std::filesystem::weakly_canonical(run / "", error);
        if (std::find(known.begin(), known.end(), canonical) != known.end()) continue;
        known.push_back(canonical);
        folders.push_back(run);
    }
    return folders;
}

/// A run that was trained on after it was measured is shown with the numbers of an older checkpoint, and that must be said.
void note_older_step(const RunInfo& run, const Evaluation& evaluation, std::vector<std::string>& problems) {
    const auto now = current_step(run);
    if (now <= evaluation.step || !run.base.empty()) return;
    problems.push_back(fmt::format("{} ({}) was measured at step {}; its best checkpoint is now of step {}: evaluate it again.", run.title, run.id,
                                   with_commas(evaluation.step), with_commas(now)));
}

}  // namespace

std::int64_t current_step(const RunInfo& run) {
    const auto best = std::find_if(run.checkpoints.begin(), run.checkpoints.end(), [](const CheckpointInfo& checkpoint) { return checkpoint.best; });
    if (best != run.checkpoints.end()) return best->step;
    return run.checkpoints.empty() ? -1 : run.checkpoints.back().step;
}

std::string tokenizer_words(const DataSpec& data) {
    return data.tokenizer == "bpe" ? fmt::format("{} pieces learned from {}", with_commas(data.vocabulary), data.source) : data.tokenizer;
}

EvaluatedRuns read_evaluated_runs(const std::vector<std::filesystem::path>& runs, const std::string& protocol) {
    (void)find_protocol(protocol);
    EvaluatedRuns result;
    for (const auto& folder : without_repeats(runs)) {
        const RunInfo run = read_run(folder).value();
        auto evaluation = readable(folder, protocol, result.problems);
        if (!evaluation || evaluation->points.empty()) {
            result.missing.push_back(run.title);
            continue;
        }
        note_older_step(run, *evaluation, result.problems);
        evaluation->run = run.id;  // a copied or renamed folder keeps its file
        result.runs.push_back({run.title, group_of(run.recipe), tokenizer_words(run.recipe.data), run.recipe.training.length, std::move(*evaluation), run.recipe.seed, run.demo});
    }
    return result;
}

void prepare_evaluation_file(const std::filesystem::path& file) {
    make_folder(file.parent_path());
    std::error_code error;
    if (!std::filesystem::is_directory(file, error)) return;
    throw Failure(ErrorKind::io, fmt::format("{} is a folder where the numbers would be written; move it away.", file.string()));
}

}  // namespace lw
