#pragma once
/// Sums of token losses. Perplexity is exp(Σ nll / Σ tokens): weighted by tokens, never a mean of window means.

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <span>

namespace lw {

struct LossSum {
    double nll = 0;  ///< nats
    std::int64_t tokens = 0;

    void add(double loss) {
        nll += loss;
        ++tokens;
    }
    LossSum& operator+=(const LossSum& other) {
        nll += other.nll;
        tokens += other.tokens;
        return *this;
    }
    [[nodiscard]] double mean() const {
        return tokens > 0 ? nll / static_cast<double>(tokens) : std::numeric_limits<double>::quiet_NaN();
    }
    [[nodiscard]] double perplexity() const { return std::exp(mean()); }
    /// Of a text of so many bytes: compares tokenizers, which perplexity per token does not.
    [[nodiscard]] double bits_per_byte(std::int64_t bytes) const { return nll / (std::numbers::ln2 * static_cast<double>(bytes)); }
};

[[nodiscard]] inline LossSum total(std::span<const LossSum> sums) {
    LossSum all;
    for (const LossSum& sum : sums) all += sum;
    return all;
}

}  // namespace lw
