#pragma once
/// Marks key tokens with the losses of a model at two lengths of context: what LongPPL counts. Torch-free.

#include "core/evaluation/evaluator.h"

namespace lw {

class KeyTokenFilter : public TokenFilter {
public:
    /// `evaluator` marks the tokens; null = the measured model itself, whose losses with the long context are then not computed twice. Both are
    /// kept by reference. Of `keys` the two thresholds count, the short context is the plan's.
    KeyTokenFilter(const KeyTokenSpec& keys, TokenScorer& measured, TokenScorer* evaluator = nullptr)
        : keys_(keys), measured_(measured), evaluator_(evaluator) {}

    /// Losses of every candidate with the short context, which are the same for all lengths.
    bool prepare(const EvaluationPlan& plan, const std::vector<EvaluatedDocument>& documents, const RunContext& context) override;
    std::vector<std::vector<bool>> keep(const std::vector<Window>& batch, const std::vector<TokenSpan>& tokens,
                                        const std::vector<std::vector<double>>& losses) override;
    [[nodiscard]] std::string none_words(std::int64_t candidates) const override;

private:
    [[nodiscard]] std::vector<double> short_losses(const Window& window, TokenSpan document, const EvaluationPlan& plan);

    KeyTokenSpec keys_;
    TokenScorer& measured_;
    TokenScorer* evaluator_;
    std::vector<std::vector<double>> short_;  ///< [places][candidates], nats
};

/// Who marked the key tokens, and by which thresholds where they are not the paper's, as the end of a protocol's line; "" for protocols without.
[[nodiscard]] std::string key_words(const Evaluation& head);

}  // namespace lw
