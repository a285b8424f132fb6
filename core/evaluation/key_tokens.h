#pragma once
/// LongPPL: perplexity over those tokens alone that a long context helps. Most tokens can be predicted from the words just before them, and
/// their mean hides the few that need more. Fang et al. 2024, arXiv 2410.23771 (ICLR 2025).

#include <span>
#include <vector>

namespace lw {

struct KeyTokenThresholds {
    double gain = 2;           ///< α, nats: least ln P(token | long context) - ln P(token | short context), exclusive
    double probability = -2;   ///< β, nats: least ln P(token | long context), exclusive
};

struct KeyTokens {
    std::vector<bool> key;     ///< [tokens]
    double share = 0;          ///< of the tokens that are keys
    double perplexity = 0;     ///< over the key tokens, with the long context; NaN without any
};

/// Log-probabilities (natural) of the same tokens, [tokens] each. Throws Failure(invalid_argument) where their numbers differ.
[[nodiscard]] KeyTokens key_tokens(std::span<const double> with_long, std::span<const double> with_short, const KeyTokenThresholds& thresholds = {});

}  // namespace lw
