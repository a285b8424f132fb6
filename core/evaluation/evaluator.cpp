#include "core/evaluation/evaluator.h"

#include "core/evaluation/key_token_filter.h"
#include "core/evaluation/known_points.h"
#include "core/evaluation/length_point.h"
#include "core/evaluation/position_loss.h"
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

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

class Runner {
public:
    Runner(const EvaluationJob& job, TokenScorer& scorer, const RunContext& context) : job_(job), scorer_(scorer), context_(context) {}

    Evaluation run(const std::function<void(const Evaluation&)>& on_point) {
        result_ = job_.head;
        plan_ = make_plan();
        for (const LengthPlan& length : plan_.lengths) {
            total_tokens_ += planned_tokens(length);
            total_work_ += planned_work(length);
        }
        if (job_.filter != nullptr && !all_known() && !job_.filter->prepare(plan_, job_.documents, context_)) {
            result_.complete = false;
            return result_;
        }
        start_ = Clock::now();
        for (std::size_t n = 0; n < plan_.lengths.size(); ++n) {
            const bool longest = n + 1 == plan_.lengths.size();
            if (take_over(plan_.lengths[n], longest)) continue;
            const std::size_t before = result_.points.size();
            if (!measure(plan_.lengths[n], longest)) break;
            if (on_point && result_.points.size() > before) on_point(result_);
        }
        say_without();
        return result_;
    }
    /// True where points that were taken over are in a unit that turned out too small, so that what run() returned is not the whole answer: all is
    /// to be measured without them.
    [[nodiscard]] bool needs_all() const { return needs_all_; }

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
        std::set<std::size_t> used;
        for (const LengthPlan& length : plan.lengths) used.insert(length.place_documents.begin(), length.place_documents.end());
        for (const std::size_t document : used) result_.documents.push_back(job_.documents[document].id);
        line_ = plan.line + key_words(result_) + ", no BOS, ";
        // The longest length decides on the unit: its documents are the fewest, and one unit serves the whole curve.
        const auto fewest = static_cast<std::int64_t>(std::set(longest.place_documents.begin(), longest.place_documents.end()).size());
        if (fewest >= kFewestDocuments) set_unit("document", "bootstrap over documents");
        else set_unit("place", fmt::format("bootstrap over places inside {}", counted(fewest, "document")));
        if (went_over_to_places(job_.known, result_)) resample_places();
    }

    void set_unit(const std::string& unit, const std::string& words) {
        result_.unit = unit;
        result_.protocol_line = line_ + (result_.protocol.bootstrap < 1 ? "no interval" : words);
    }
    [[nodiscard]] bool by_document() const { return result_.unit == "document"; }

    /// Too few of the documents hold tokens that count: the whole curve goes over to places. Points that are there already are made again, which
    /// those that were taken over cannot be. They are made aside: a cancel meanwhile throws, and the points that are there then stay.
    void resample_places() {
        needs_all_ = measured_.size() < result_.points.size();
        if (!needs_all_) {
            Evaluation made = result_;
            made.unit = "place";
            made.points.clear();
            for (const MeasuredLength& measured : measured_) made.points.push_back(point_of(measured, made, true));
            result_.points.swap(made.points);
        }
        set_unit("place", "bootstrap over places, as few documents hold key tokens");
    }

    /// Whether nothing is left to measure: short contexts of key tokens then need not be read either.
    [[nodiscard]] bool all_known() const {
        return std::all_of(plan_.lengths.begin(), plan_.lengths.end(),
                           [&](const LengthPlan& length) { return known_point(job_.known, result_, length.length) != nullptr; });
    }

    /// True when this length was measured before; of the longest one the losses by position are taken over too.
    bool take_over(const LengthPlan& plan, bool longest) {
        const LengthPoint* known = known_point(job_.known, result_, plan.length);
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

    /// False when the evaluation ends here: cancelled, the model cannot read this length, or all is to be measured anew.
    bool measure(const LengthPlan& plan, bool longest) {
        const auto began = Clock::now();
        report(plan.length);
        MeasuredLength measured{&plan, std::vector<LossSum>(plan.places.size())};
        std::optional<PositionLosses> positions;
        if (longest && job_.filter == nullptr && scorer_.can_score_all(plan.length)) positions.emplace(job_.train_length, plan.length);
        for (const std::vector<Window>& batch : batches_of(plan, scorer_.tokens_per_call())) {
            if (!try_score(batch, measured, positions)) return false;
            report(plan.length);
            if (context_.serve) context_.serve();
        }
        if (job_.filter != nullptr && total(measured.places).tokens == 0) {
            without_.push_back(none_sentence(plan.length, measured.candidates));
            return true;
        }
        measured.seconds = seconds_since(began);
        if (!try_add(std::move(measured))) return false;
        if (positions) take(*positions);
        return !needs_all_;
    }

    /// False when it was cancelled while the interval was made: without one the point is not finished.
    bool try_add(MeasuredLength measured) {
        try {
            add(std::move(measured));
            return true;
        } catch (const Failure& failure) {
            if (failure.kind() != ErrorKind::cancelled) throw;
            result_.complete = false;
            return false;
        }
    }

    void add(MeasuredLength measured) {
        const bool few = documents_with_tokens(*measured.plan, measured.places) < kFewestDocuments;
        if (job_.filter != nullptr && by_document() && few) resample_places();
        result_.points.push_back(point_of(measured, result_, job_.filter != nullptr));
        measured_.push_back(std::move(measured));
    }

    void take(const PositionLosses& positions) {
        result_.position_edges = positions.by_position.edges();
        result_.position_loss = positions.by_position.means();
        result_.boundary_edges = positions.about_boundary.edges();
        result_.boundary_loss = positions.about_boundary.means();
    }

    /// False when the evaluation ends here.
    bool try_score(const std::vector<Window>& batch, MeasuredLength& measured, std::optional<PositionLosses>& positions) {
        try {
            if (context_.stopping()) throw Failure(ErrorKind::cancelled, "The evaluation was cancelled.");
            score(batch, measured, positions);
            return true;
        } catch (const Failure& failure) {
            if (failure.kind() == ErrorKind::cancelled) {
                result_.complete = false;
                return false;
            }
            // A bounded table of positions ends here: what was measured below stays valid.
            if (failure.kind() != ErrorKind::invalid_argument || result_.points.empty()) throw;
            append_warning(result_.points.back().warning, fmt::format("{} and longer left out: {}", with_commas(measured.plan->length), failure.what()));
            return false;
        }
    }

    void score(const std::vector<Window>& batch, MeasuredLength& measured, std::optional<PositionLosses>& positions) {
        std::vector<TokenSpan> tokens;
        std::int64_t rows = 0;
        for (const Window& window : batch) {
            tokens.push_back(job_.documents[window.document].tokens.subspan(static_cast<std::size_t>(window.begin), static_cast<std::size_t>(window.size())));
            rows = std::max(rows, window.scored());
        }
        if (positions) rows = batch.front().size() - 1;
        const std::vector<std::vector<double>> losses = scorer_.score(tokens, rows);
        std::vector<std::vector<bool>> kept(batch.size());  // empty: all
        if (job_.filter != nullptr) kept = job_.filter->keep(batch, tokens, losses);
        for (std::size_t n = 0; n < batch.size(); ++n) {
            add_losses(batch[n], losses[n], kept[n], measured);
            if (positions) add_positions(losses[n], *positions);
            done_tokens_ += static_cast<double>(batch[n].size());
            done_work_ += work_of(batch[n]);
        }
    }

    static void add_positions(const std::vector<double>& losses, PositionLosses& positions) {
        for (std::size_t row = 0; row < losses.size(); ++row) positions.add(static_cast<std::int64_t>(row) + 1, losses[row]);
    }

    [[nodiscard]] std::string none_sentence(std::int64_t length, const LossSum& candidates) const {
        if (!std::isfinite(candidates.mean())) return fmt::format("{} left out: the model's loss is not a finite number there", with_commas(length));
        return fmt::format("{} left out: {}", with_commas(length), job_.filter->none_words(candidates.tokens));
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
            const LengthPoint& last = result_.points.back();
            progress.note = fmt::format("{} {:.4g} at {}", quantity_words(result_.protocol.protocol), last.perplexity, with_commas(last.length));
        }
        context_.report(progress);
    }

    const EvaluationJob& job_;
    TokenScorer& scorer_;
    const RunContext& context_;
    Evaluation result_;
    EvaluationPlan plan_;
    std::string line_;                     ///< the protocol's line without its last words, which name the unit
    std::vector<MeasuredLength> measured_;  ///< lengths that have a point and were not taken over
    bool needs_all_ = false;
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
    Runner runner(job, scorer, context);
    Evaluation evaluation = runner.run(on_point);
    if (!runner.needs_all()) return evaluation;
    EvaluationJob anew = job;
    anew.known.reset();
    return Runner(anew, scorer, context).run(on_point);
}

}  // namespace lw
