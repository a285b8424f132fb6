#pragma once
/// Token losses from a transformer, without gradients.

#include "core/evaluation/evaluator.h"
#include "core/model/transformer.h"

namespace lw {

class TransformerScorer : public TokenScorer {
public:
    /// The model is used as it is: the caller moves it to its device.
    explicit TransformerScorer(Transformer& model);
    std::vector<std::vector<double>> score(const std::vector<TokenSpan>& windows, std::int64_t rows) override;
    [[nodiscard]] std::int64_t tokens_per_call() const override;
    [[nodiscard]] bool can_score_all(std::int64_t size) const override;

private:
    Transformer& model_;
    at::Device device_;
};

}  // namespace lw
