#pragma once
/// Runs a plan over documents with any source of token losses and puts the points together. Torch-free.

#include "core/api/evaluation.h"
#include "core/evaluation/protocol.h"
#include "core/evaluation/totals.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace lw {

using TokenSpan = std::span<const std::int32_t>;

/// Gives the losses of tokens. The one implementation outside tests is a transformer.
class TokenScorer {
public:
    virtual ~TokenScorer() = default;
    /// Windows of one size; -> for each, the losses in nats of its last `rows` tokens, rows < size. A Failure(invalid_argument)
    /// means that the model cannot read this length.
    virtual std::vector<std::vector<double>> score(const std::vector<TokenSpan>& windows, std::int64_t rows) = 0;
    /// Most tokens that one call should be given, so that memory stays small.
    [[nodiscard]] virtual std::int64_t tokens_per_call() const = 0;
    /// Whether losses of all tokens of a window this long fit in memory at once.
    [[nodiscard]] virtual bool can_score_all(std::int64_t size) const = 0;
};

struct EvaluatedDocument {
    std::string id;
    TokenSpan tokens;
};

/// Decides which of the scored tokens count.
class TokenFilter {
public:
    virtual ~TokenFilter() = default;
    /// Once, before the lengths are measured; false when cancelled.
    virtual bool prepare(const EvaluationPlan& plan, const std::vector<EvaluatedDocument>& documents, const RunContext& context) = 0;
    /// For each window which of its scored tokens count. `tokens` are the windows' tokens, `losses` those of their last tokens, at least the scored
    /// ones.
    virtual std::vector<std::vector<bool>> keep(const std::vector<Window>& batch, const std::vector<TokenSpan>& tokens,
                                                const std::vector<std::vector<double>>& losses) = 0;
    /// Why so many candidates of one length left none, in words without the length.
    [[nodiscard]] virtual std::string none_words(std::int64_t candidates) const = 0;
};

struct EvaluationJob {
    Evaluation head;                           ///< run, step, source, device, ... : everything that is not measured
    std::vector<EvaluatedDocument> documents;  ///< of the split
    std::int64_t train_length = 128;
    std::optional<Evaluation> known{};         ///< what was measured before in the same way: its lengths at the same places are taken over
    TokenFilter* filter = nullptr;             ///< null: every scored token counts. With one, losses by position are not measured
};

/// Fills protocol, places, points and position losses of job.head. Cancelled: the finished points are kept, complete = false.
/// With a filter, lengths of which no token counts are left out and named; a Failure(invalid_argument) where that is so of all.
/// Documents are the resampling unit; with fewer than eight of them the scored places are, and the protocol line says so. One unit serves the
/// whole curve: with a filter it is places where any length has tokens that count in fewer than eight documents.
[[nodiscard]] Evaluation run_evaluation(const EvaluationJob& job, TokenScorer& scorer, const RunContext& context = {},
                                        const std::function<void(const Evaluation&)>& on_point = {});

}  // namespace lw
