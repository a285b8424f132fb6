#include "core/evaluation/length_point.h"

#include "core/evaluation/bootstrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

/// With a smaller share or number of key tokens a point says so. The share is that of docs/longppl.md; the number is a round one.
constexpr double kFewestKeys = 0.005;
constexpr std::int64_t kEnoughKeys = 50;

bool few_documents(const LengthPoint& point) { return point.documents < kFewestDocuments; }

void add_candidates(LengthPoint& point, const LossSum& candidates) {
    point.candidates = candidates.tokens;
    point.all_loss = candidates.mean();
    const double share = static_cast<double>(point.tokens) / static_cast<double>(point.candidates);
    if (share >= kFewestKeys && point.tokens >= kEnoughKeys) return;
    append_warning(point.warning,
                   fmt::format("rests on {} of {} ({:.2g} %)", counted(point.tokens, "key token"), with_commas(point.candidates), 100 * share));
}

void add_interval(LengthPoint& point, const std::vector<LossSum>& units, const Evaluation& evaluation) {
    const EvaluationSpec& spec = evaluation.protocol;
    const auto interval = bootstrap_perplexity(units, {spec.bootstrap, spec.level, evaluation.seed});
    point.low = interval ? interval->low : point.perplexity;
    point.high = interval ? interval->high : point.perplexity;
    if (!std::isfinite(point.loss)) {
        append_warning(point.warning, "the model's loss is not a finite number at this length");
    } else if (spec.bootstrap < 1) {
        return;  // no interval was asked for
    } else if (units.size() < 2) {
        append_warning(point.warning, fmt::format("one {} only, so there is no interval", evaluation.unit));
    } else if (few_documents(point) && std::none_of(evaluation.points.begin(), evaluation.points.end(), few_documents)) {
        // Once, at the shortest length: the protocol line says it for all, and repeated it would hide other warnings.
        append_warning(point.warning, fmt::format("{} only: the interval resamples places inside them and says nothing about other texts",
                                                  counted(point.documents, "document")));
    }
}

}  // namespace

void add_losses(const Window& window, const std::vector<double>& losses, const std::vector<bool>& kept, MeasuredLength& measured) {
    const std::size_t scored = static_cast<std::size_t>(window.scored()), first = losses.size() - scored;
    LossSum sum, all;  // by themselves first, so that a place's sum does not depend on how windows are put together
    for (std::size_t n = 0; n < scored; ++n) {
        all.add(losses[first + n]);
        if (kept.empty() || kept[n]) sum.add(losses[first + n]);
    }
    measured.places[window.place] += sum;
    measured.candidates += all;
}

LengthPoint point_of(const MeasuredLength& measured, const Evaluation& evaluation, bool marks_keys) {
    const std::vector<LossSum> units = units_of(*measured.plan, measured.places, evaluation.unit == "document");
    const LossSum sum = total(units);
    LengthPoint point;
    point.length = measured.plan->length;
    point.loss = sum.mean();
    point.perplexity = sum.perplexity();
    point.tokens = sum.tokens;
    point.seconds = measured.seconds;
    point.warning = measured.plan->warning;
    if (marks_keys) add_candidates(point, measured.candidates);
    count_places(point, *measured.plan, measured.places);
    for (const LossSum& unit : units) {
        point.document_loss.push_back(unit.mean());
        point.document_tokens.push_back(unit.tokens);
    }
    add_interval(point, units, evaluation);
    return point;
}

}  // namespace lw
