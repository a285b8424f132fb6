#include "core/evaluation/evaluator.h"

#include "core/evaluation/bootstrap.h"
#include "core/evaluation/comparison.h"
#include "core/evaluation/key_token_filter.h"
#include "core/evaluation/position_loss.h"
#include "core/evaluation/resampling_units.h"
#include "core/evaluation/window_batches.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <set>

namespace lw {
namespace {

using Clock = std::chrono::steady_clock;

/// With a smaller share or number of key tokens a point says so. The share is that of docs/longppl.md; the number is a round one.
constexpr double kFewestKeys = 0.005;
constexpr std::int64_t kEnoughKeys = 50;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void append_warning(std::string& warning, const std::string& sentence) {
    warning += (warning.empty() ? "" : "; ") + sentence;
}

class Runner {
public:
    Runner(const EvaluationJob& job, TokenScorer& scorer, const RunContext& context) : job_(job), scorer_(scorer), context_(context) {}

    Evaluation run(const std::function<void(const Evaluation&)>& on_point) {
        result_ = job_.head;
        const EvaluationPlan plan = make_plan();
        for (const LengthPlan& length : plan.lengths) {
            total_tokens_ += planned_tokens(length);
            total_work_ += planned_work(length);
        }
        if (job_.filter != nullptr && !all_known(plan) && !job_.filter->prepare(plan, job_.documents, context_)) {
            result_.complete = false;
            return result_;
        }
        start_ = Clock::now();
        for (std::size_t n = 0; n < plan.lengths.size(); ++n) {
            const bool longest = n + 1 == plan.lengths.size();
            if (take_over(plan.lengths[n], longest)) continue;
            const std::size_t before = result_.points.size();
            if (!measure(plan.lengths[n], longest)) break;
            if (on_point && result_.points.size() > before) on_point(result_);
        }
        say_without();
        return result_;
    }

private:
    EvaluationPlan make_plan() {
        ProtocolRequest request;
        for (const EvaluatedDocument& document : job_.documents) {
            request.documents.push_back({document.id, static_cast<std::int64_t>(document.tokens.size())});
        }
        EvaluationSpec& spec = result_.protocol;
        request.train_length = job_.train_length;
        request.lengths = spec.lengths.empty() ? default_lengths(job_.train_length) : spec.lengths;
        request.scored = spec.scored;
        request.stride = spec.stride;
        request.places = spec.documents;
        request.short_context = spec.keys.short_context;
        EvaluationPlan plan = plan_evaluation(spec.protocol, request);
        spec.scored = plan.scored;
        spec.stride = plan.stride;
        spec.keys.short_context = plan.short_context;
        result_.asked = request.lengths;
        spec.lengths.clear();
        for (const LengthPlan& length : plan.lengths) spec.lengths.push_back(length.length);
        describe(plan);
        return plan;
    }

    void describe(const EvaluationPlan& plan) {
        const LengthPlan& longest = plan.lengths.back();
        result_.places = longest.places;
        result_.documents.clear();
        // The longest length decides on the unit: its documents are the fewest, and one unit serves the whole curve.
        const auto fewest = static_cast<std::int64_t>(std::set(longest.place_documents.begin(), longest.place_documents.end()).size());
        by_document_ = fewest >= kFewestDocuments;
        result_.unit = by_document_ ? "document" : "place";
        std::set<std::size_t> used;
        for (const LengthPlan& length : plan.lengths) used.insert(length.place_documents.begin(), length.place_documents.end());
        for (const std::size_t document : used) result_.documents.push_back(job_.documents[document].id);
        result_.protocol_line = plan.line + key_words(result_) + ", no BOS, " + interval_words(fewest);
    }

    [[nodiscard]] std::string interval_words(std::int64_t documents) const {
        if (result_.protocol.bootstrap < 1) return "no interval";
        return by_document_ ? "bootstrap over documents" : fmt::format("bootstrap over places inside {}", counted(documents, "document"));
    }

    /// The point of a length that was measured before at the same places, null without.
    [[nodiscard]] const LengthPoint* known_point(std::int64_t length) const {
        if (!job_.known || !same_places(*job_.known, result_) || !same_keys(*job_.known, result_)) return nullptr;
        const auto& points = job_.known->points;
        const auto found = std::find_if(points.begin(), points.end(), [&](const LengthPoint& point) { return point.length == length; });
        return found == points.end() ? nullptr : &*found;
    }

    /// Whether nothing is left to measure: short contexts of key tokens then need not be read either.
    [[nodiscard]] bool all_known(const EvaluationPlan& plan) const {
        return std::all_of(plan.lengths.begin(), plan.lengths.end(), [&](const LengthPlan& length) { return known_point(length.length) != nullptr; });
    }

    /// True when this length was measured before; of the longest one the losses by position are taken over too.
    bool take_over(const LengthPlan& plan, bool longest) {
        const LengthPoint* known = known_point(plan.length);
        if (known == nullptr) return false;
        result_.points.push_back(*known);
        if (longest) {
            result_.position_edges = job_.known->position_edges;
            result_.position_loss = job_.known->position_loss;
            result_.boundary_edges = job_.known->boundary_edges;
            result_.boundary_loss = job_.known->boundary_loss;
        }
        total_tokens_ -= planned_tokens(plan);
        total_work_ -= planned_work(plan);
        return true;
    }

    /// False when the evaluation ends here: cancelled, or the model cannot read this length.
    bool measure(const LengthPlan& plan, bool longest) {
        const auto began = Clock::now();
        report(plan.length);
        std::vector<LossSum> places(plan.places.size());
        candidates_ = {};
        std::optional<PositionLosses> positions;
        if (longest && job_.filter == nullptr && scorer_.can_score_all(plan.length)) positions.emplace(job_.train_length, plan.length);
        for (const std::vector<Window>& batch : batches_of(plan, scorer_.tokens_per_call())) {
            if (context_.stopping()) {
                result_.complete = false;
                return false;
            }
            try {
                score(batch, places, positions);
            } catch (const Failure& failure) {
                if (failure.kind() == ErrorKind::cancelled) {
                    result_.complete = false;
                    return false;
                }
                // A bounded table of positions ends here: what was measured below stays valid.
                if (failure.kind() != ErrorKind::invalid_argument || result_.points.empty()) throw;
                append_warning(result_.points.back().warning, fmt::format("{} and longer left out: {}", with_commas(plan.length), failure.what()));
                return false;
            }
            report(plan.length);
            if (context_.serve) context_.serve();
        }
        if (job_.filter != nullptr && total(places).tokens == 0) {
            without_.push_back(none_sentence(plan.length));
            return true;
        }
        result_.points.push_back(make_point(plan, places, seconds_since(began)));
        if (positions) {
            result_.position_edges = positions->by_position.edges();
            result_.position_loss = positions->by_position.means();
            result_.boundary_edges = positions->about_boundary.edges();
            result_.boundary_loss = positions->about_boundary.means();
        }
        return true;
    }

    void score(const std::vector<Window>& batch, std::vector<LossSum>& places, std::optional<PositionLosses>& positions) {
        std::vector<TokenSpan> tokens;
        std::int64_t rows = 0;
        for (const Window& window : batch) {
            tokens.push_back(job_.documents[window.document].tokens.subspan(static_cast<std::size_t>(window.begin), static_cast<std::size_t>(window.size())));
            rows = std::max(rows, window.scored());
        }
        if (positions) rows = batch.front().size() - 1;
        const std::vector<std::vector<double>> losses = scorer_.score(tokens, rows);
        std::vector<std::vector<bool>> kept;
        if (job_.filter != nullptr) kept = job_.filter->keep(batch, tokens, losses);
        for (std::size_t n = 0; n < batch.size(); ++n) {
            const Window& window = batch[n];
            LossSum sum, all;
            const std::int64_t first = rows - window.scored();
            for (std::int64_t row = first; row < rows; ++row) {
                const double loss = losses[n][static_cast<std::size_t>(row)];
                all.add(loss);
                if (kept.empty() || kept[n][static_cast<std::size_t>(row - first)]) sum.add(loss);
            }
            places[window.place] += sum;
            candidates_ += all;
            if (!positions) continue;
            for (std::int64_t row = 0; row < rows; ++row) positions->add(row + 1, losses[n][static_cast<std::size_t>(row)]);
        }
        for (const Window& window : batch) {
            done_tokens_ += static_cast<double>(window.size());
            done_work_ += work_of(window);
        }
    }

    LengthPoint make_point(const LengthPlan& plan, const std::vector<LossSum>& places, double seconds) const {
        const std::vector<LossSum> units = units_of(plan, places, by_document_);
        const LossSum sum = total(units);
        LengthPoint point;
        point.length = plan.length;
        point.loss = sum.mean();
        point.perplexity = sum.perplexity();
        point.tokens = sum.tokens;
        point.seconds = seconds;
        point.warning = plan.warning;
        if (job_.filter != nullptr) add_candidates(point);
        count_places(point, plan, places);
        for (const LossSum& unit : units) {
            point.document_loss.push_back(unit.mean());
            point.document_tokens.push_back(unit.tokens);
        }
        add_interval(point, units);
        return point;
    }

    void add_candidates(LengthPoint& point) const {
        point.candidates = candidates_.tokens;
        point.all_loss = candidates_.mean();
        const double share = static_cast<double>(point.tokens) / static_cast<double>(point.candidates);
        if (share >= kFewestKeys && point.tokens >= kEnoughKeys) return;
        append_warning(point.warning,
                       fmt::format("rests on {} of {} ({:.2g} %)", counted(point.tokens, "key token"), with_commas(point.candidates), 100 * share));
    }

    [[nodiscard]] std::string none_sentence(std::int64_t length) const {
        if (!std::isfinite(candidates_.mean())) return fmt::format("{} left out: the model's loss is not a finite number there", with_commas(length));
        return fmt::format("{} left out: {}", with_commas(length), job_.filter->none_words(candidates_.tokens));
    }

    /// Lengths without any token that counts are said at the last point; where there is no point, nothing was measured.
    void say_without() {
        if (without_.empty() || (result_.points.empty() && !result_.complete)) return;
        if (result_.points.empty()) {
            throw Failure(ErrorKind::invalid_argument,
                          fmt::format("There is nothing to measure: {}. Longer lengths, a shorter short context or a smaller gain may help.",
                                      fmt::join(without_, "; ")));
        }
        // A point that was taken over may say it already.
        std::string& warning = result_.points.back().warning;
        for (const std::string& sentence : without_)
            if (warning.find(sentence) == std::string::npos) append_warning(warning, sentence);
    }

    void add_interval(LengthPoint& point, const std::vector<LossSum>& units) const {
        const EvaluationSpec& spec = result_.protocol;
        const auto interval = bootstrap_perplexity(units, {spec.bootstrap, spec.level, result_.seed});
        point.low = interval ? interval->low : point.perplexity;
        point.high = interval ? interval->high : point.perplexity;
        if (!std::isfinite(point.loss)) {
            append_warning(point.warning, "the model's loss is not a finite number at this length");
        } else if (spec.bootstrap < 1) {
            return;  // no interval was asked for
        } else if (units.size() < 2) {
            append_warning(point.warning, fmt::format("one {} only, so there is no interval", result_.unit));
        } else if (!by_document_ && result_.points.empty()) {
            // Once, at the shortest length: the protocol line says it for all, and repeated it would hide other warnings.
            append_warning(point.warning, fmt::format("{} only: the interval resamples places inside them and says nothing about other texts",
                                                      counted(point.documents, "document")));
        }
    }

    void report(std::int64_t length) const {
        Progress progress;
        progress.stage = "Evaluating at " + with_commas(length);
        progress.done = done_tokens_;
        progress.total = total_tokens_;
        progress.unit = "tokens";
        progress.rate_unit = "tokens";
        const double elapsed = seconds_since(start_);
        if (done_tokens_ > 0 && elapsed > 0) {
            progress.rate = done_tokens_ / elapsed;
            progress.seconds_left = elapsed * (total_work_ - done_work_) / done_work_;
        }
        if (!result_.points.empty()) {
            const char* quantity = job_.filter != nullptr ? find_protocol(result_.protocol.protocol).quantity : "perplexity";
            progress.note = fmt::format("{} {:.4g} at {}", quantity, result_.points.back().perplexity, with_commas(result_.points.back().length));
        }
        context_.report(progress);
    }

    const EvaluationJob& job_;
    TokenScorer& scorer_;
    const RunContext& context_;
    Evaluation result_;
    bool by_document_ = false;
    LossSum candidates_;                ///< all scored tokens of the length in work
    std::vector<std::string> without_;  ///< lengths at which no token counts, in words
    double total_tokens_ = 0;
    double done_tokens_ = 0;
    double total_work_ = 0;  // for the time left: a token of a long window costs more
    double done_work_ = 0;
    Clock::time_point start_;
};

}  // namespace

Evaluation run_evaluation(const EvaluationJob& job, TokenScorer& scorer, const RunContext& context,
                          const std::function<void(const Evaluation&)>& on_point) {
    return Runner(job, scorer, context).run(on_point);
}

}  // namespace lw
