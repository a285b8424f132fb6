#include "app/cli/atlas_options.h"

#include "app/cli/idle_options.h"

#include <fmt/format.h>

#include <charconv>

namespace lw::cli {
namespace {

std::int64_t step_of(const std::string& word) {
    std::int64_t step = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), step);
    if (error == std::errc() && end == word.data() + word.size()) return step;
    throw Failure(ErrorKind::invalid_argument, fmt::format("\"{}\" is no checkpoint; write --steps all, or steps separated by commas.", word));
}

std::vector<std::int64_t> steps_of(const RunInfo& run, const AtlasSelection& selection) {
    std::vector<std::int64_t> steps;
    for (const auto& word : selection.steps) {
        if (word != "all") steps.push_back(step_of(word));
        else for (const auto& checkpoint : run.checkpoints) steps.push_back(checkpoint.step);
    }
    if (steps.empty()) steps.push_back(selection.text.step);
    return steps;
}

}  // namespace

void add_atlas_options(CLI::App* command, AtlasSelection& selection) {
    add_text_options(command, selection.text, 512);
    command->add_option("--lengths", selection.lengths, "Lengths separated by commas: each is the end of the same texts, so only the context grows")->delimiter(',');
    command->add_option("--steps", selection.steps, "Checkpoints separated by commas, or all")->delimiter(',');
    command->add_option("--queries", selection.queries, "Last queries over which attention is averaged at each length; 0 = all")->capture_default_str();
    command->add_option("--of", selection.of, "What is measured: content, bias, adaptive, bias+adaptive, logit")->capture_default_str();
    command->add_option("--sequences", selection.measure.sequences, "Texts averaged over")->capture_default_str();
    command->add_option("--rank-threshold", selection.measure.rank_threshold, "|rho| from which a head counts as local or anti-local")->capture_default_str();
    command->add_option("--contrast-threshold", selection.measure.contrast_threshold, "|C| in nats from which a head is not flat")->capture_default_str();
    command->add_option("--peak-threshold", selection.measure.peak_threshold,
                        "Share of softmax weight on the first token (sink) or the token itself (spike), and |lambda|, that a head flat otherwise needs")
        ->capture_default_str();
    excludes(*command, "--lengths", {"--length"});
    excludes(*command, "--steps", {"--step"});
    excludes(*command, "--text", {"--sequences"});
}

AtlasRequest atlas_request(const Shell& shell, const AtlasSelection& selection) {
    const auto run = shell.find(selection.text.run);
    AtlasRequest request;
    request.run = run.folder;
    request.text = text_request(run, selection.text);
    request.lengths = selection.lengths;
    request.steps = steps_of(run, selection);
    request.queries = selection.queries;
    request.measure = selection.measure;
    request.measure.of = need(parse_score_part(selection.of));
    return request;
}

}  // namespace lw::cli
