#include "app/cli/atlas_options.h"

#include "app/cli/values.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

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

Json range_json(const LogitRange& range) { return {{"low", range.low}, {"high", range.high}, {"mean", range.mean}, {"deviation", range.deviation}}; }

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
}

AtlasRequest atlas_request(const Shell& shell, const AtlasSelection& selection) {
    const auto run = shell.find(selection.text.run);
    AtlasRequest request;
    request.run = run.folder;
    request.text = selection.text.text;
    request.lengths = selection.lengths;
    request.steps = steps_of(run, selection);
    request.queries = selection.queries;
    request.measure = selection.measure;
    request.measure.of = need(parse_score_part(selection.of));
    return request;
}

Json to_json(const HeadPoint& p) {
    return {{"step", p.step}, {"length", p.length}, {"layer", p.layer}, {"head", p.head}, {"class", p.head_class}, {"contrast", p.contrast}, {"rank", p.rank},
            {"locality", p.locality}, {"adaptivity", p.adaptivity}, {"entropy", p.entropy}, {"spread", p.spread}, {"effective_keys", p.effective_keys},
            {"peak", p.peak}, {"beyond_training", p.beyond_training}, {"sink", p.sink}, {"self", p.self}, {"trained_logits", range_json(p.trained)},
            {"untrained_logits", range_json(p.untrained)}, {"rms_content", p.rms_content}, {"rms_bias", p.rms_bias}, {"rms_adaptive", p.rms_adaptive}};
}

Json to_json(const LayerTerms& terms) {
    return {{"step", terms.step}, {"length", terms.length}, {"layer", terms.layer}, {"rms_content", terms.content}, {"rms_bias", terms.bias}, {"rms_adaptive", terms.adaptive}};
}

Json to_json(const HeadDrift& drift) {
    return {{"layer", drift.layer}, {"head", drift.head}, {"from_class", drift.from_class}, {"to_class", drift.to_class}, {"from_locality", drift.from_locality},
            {"to_locality", drift.to_locality}, {"path", drift.path}, {"contrast_path", drift.contrast}, {"class_changes", drift.class_changes}};
}

Json to_json(const HeadAtlas& atlas) {
    Json document = {{"run", atlas.run_title}, {"layers", atlas.layers}, {"heads", atlas.heads}, {"train_length", atlas.train_length}, {"of", score_part_name(atlas.of)},
                     {"texts", atlas.texts}, {"queries", atlas.queries}, {"text", atlas.text}, {"steps", atlas.steps}, {"lengths", atlas.lengths},
                     {"points", list_json(atlas.points)}, {"terms", list_json(atlas.terms)}};
    if (atlas.lengths.size() > 1) document["drift_over_length"] = list_json(head_drift(atlas, TrailAxis::length));
    if (atlas.steps.size() > 1) document["drift_over_steps"] = list_json(head_drift(atlas, TrailAxis::step));
    return document;
}

}  // namespace lw::cli
