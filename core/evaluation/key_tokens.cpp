#include "core/evaluation/key_tokens.h"

#include "core/api/result.h"
#include "core/evaluation/totals.h"

#include <fmt/format.h>

namespace lw {

KeyTokens key_tokens(std::span<const double> with_long, std::span<const double> with_short, const KeyTokenThresholds& thresholds) {
    if (with_long.size() != with_short.size()) {
        throw Failure(ErrorKind::invalid_argument, fmt::format("Key tokens need both log-probabilities of every token: there are {} with the long context and {} with the short one.",
                                                               with_long.size(), with_short.size()));
    }
    KeyTokens found;
    LossSum keys;
    for (std::size_t i = 0; i < with_long.size(); ++i) {
        found.key.push_back(with_long[i] - with_short[i] > thresholds.gain && with_long[i] > thresholds.probability);
        if (found.key.back()) keys.add(-with_long[i]);
    }
    found.share = with_long.empty() ? 0 : static_cast<double>(keys.tokens) / static_cast<double>(with_long.size());
    found.perplexity = keys.perplexity();
    return found;
}

}  // namespace lw
