#include "app/cli/curve_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lw::cli {
namespace {

std::optional<Evaluation> evaluation_of(const RunInfo& run, const std::string& protocol) {
    auto evaluations = read_evaluations(run.folder);
    if (!evaluations.ok()) return std::nullopt;
    for (auto& evaluation : evaluations.value()) {
        if (evaluation.protocol.protocol == protocol && !evaluation.points.empty()) return evaluation;
    }
    return std::nullopt;
}

std::vector<std::int64_t> lengths_of(const Evaluation& evaluation) {
    std::vector<std::int64_t> lengths;
    for (const auto& point : evaluation.points) lengths.push_back(point.length);
    return lengths;
}

bool measured_alike(const Evaluation& a, const Evaluation& b) {
    return lengths_of(a) == lengths_of(b) && a.protocol.scored == b.protocol.scored && a.protocol.stride == b.protocol.stride &&
           a.protocol.documents == b.protocol.documents && a.protocol.split == b.protocol.split && same_keys(a, b);
}

std::string command_like(const Evaluation& model, const RunInfo& run) {
    const EvaluationSpec& spec = model.protocol;
    auto command = fmt::format("lengthwise-cli evaluate {} --protocol {} --lengths {} --places {} --split {}", run.id, spec.protocol, fmt::join(lengths_of(model), ","),
                               spec.documents, spec.split);
    if (spec.scored > 0) command += fmt::format(" --scored {}", spec.scored);
    if (spec.stride > 0) command += fmt::format(" --stride {}", spec.stride);
    if (model.keys) {
        command += fmt::format(" --short {} --gain {} --probability {} --evaluator {} --evaluator-step {}", spec.keys.short_context, spec.keys.gain,
                               spec.keys.probability, model.keys->run, model.keys->step);
    }
    return command;
}

}  // namespace

std::vector<RunInfo> find_runs(const Shell& shell, const std::vector<std::string>& names) {
    std::vector<RunInfo> runs;
    for (const auto& name : names) runs.push_back(shell.find(name));
    return runs;
}

std::string name_of(const RunInfo& run) { return (run.demo ? "demo:" : "") + run.id; }

bool trained_on_task(const RunInfo& run) { return run.recipe.data.source.rfind("task:", 0) == 0; }

CurveSet evaluated_curves(const std::vector<RunInfo>& runs, const std::string& protocol, bool each_seed) {
    std::vector<std::filesystem::path> folders;
    for (const auto& run : runs) folders.push_back(run.folder);
    auto curves = need(perplexity_curves(folders, protocol, !each_seed));
    if (!curves.lines.empty()) return curves;
    if (!curves.problems.empty()) throw Failure(ErrorKind::corrupt_file, fmt::format("{}", fmt::join(curves.problems, " ")));
    if (std::all_of(runs.begin(), runs.end(), trained_on_task)) {
        throw Failure(ErrorKind::not_found, "These runs were trained on tasks, which are measured by accuracy, not by perplexity: lengthwise-cli evaluate shows it, "
                                            "lengthwise-cli figure accuracy draws it.");
    }
    const auto text = std::find_if_not(runs.begin(), runs.end(), trained_on_task);
    throw Failure(ErrorKind::not_found, fmt::format("None of these runs has an evaluation by {}. Measure them first: lengthwise-cli evaluate {} --protocol {}", protocol,
                                                    name_of(*text), protocol));
}

std::vector<std::string> commands_to_align(const std::vector<RunInfo>& runs, const std::string& protocol) {
    const auto demo = std::find_if(runs.begin(), runs.end(), [](const RunInfo& run) { return run.demo; });
    if (runs.empty()) return {};
    const auto model = evaluation_of(demo == runs.end() ? runs.front() : *demo, protocol);
    std::vector<std::string> commands;
    for (const auto& run : runs) {
        const auto evaluation = evaluation_of(run, protocol);
        if (!model || !evaluation || run.demo || measured_alike(*model, *evaluation)) continue;
        if (evaluation->source == model->source) commands.push_back(command_like(*model, run));
    }
    return commands;
}

}  // namespace lw::cli
