#include "core/lab/evaluated_runs.h"

#include "core/api/runs.h"
#include "core/evaluation/evaluation_json.h"
#include "core/evaluation/protocol.h"
#include "core/storage/run_folder.h"

#include <fmt/format.h>

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

std::string tokenizer_of(const DataSpec& data) {
    return data.tokenizer == "bpe" ? fmt::format("{} pieces learned from {}", with_commas(data.vocabulary), data.source) : data.tokenizer;
}

}  // namespace

EvaluatedRuns read_evaluated_runs(const std::vector<std::filesystem::path>& runs, const std::string& protocol) {
    (void)find_protocol(protocol);
    EvaluatedRuns result;
    for (const auto& folder : runs) {
        const RunInfo run = read_run(folder).value();
        bool found = false;
        for (Evaluation& evaluation : read_evaluation_folder(RunFolder(folder).evaluation_folder())) {
            if (evaluation.protocol.protocol != protocol || evaluation.points.empty()) continue;
            found = true;
            evaluation.run = run.id;  // a copied or renamed folder keeps its file
            result.runs.push_back({run.title, group_of(run.recipe), tokenizer_of(run.recipe.data), run.recipe.training.length, std::move(evaluation)});
        }
        if (!found) result.missing.push_back(run.title);
    }
    return result;
}

}  // namespace lw
