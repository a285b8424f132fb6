#pragma once
/// YaRN's factor on cos and sin.

#include <cmath>

namespace lw {

/// g(s, m) = c m ln s + 1, 1 for s <= 1; c is 0.1 in the paper, 0.07 in TeleChat3 (yarn_log_multiplier of GGUF files).
inline double yarn_magnitude(double s, double m, double log_multiplier = 0.1) { return s <= 1 ? 1 : log_multiplier * m * std::log(s) + 1; }

/// What may be said about the factor in a model's configuration.
struct YarnMagnitude {
    double attention_factor = 0;  ///< wins over all others where it is above 0
    double mscale = 0, mscale_all_dim = 0;
    double log_multiplier = 0.1;
    double attn_factor = 1;       ///< multiplies whatever is computed

    /// An explicit value; else g(s, mscale) / g(s, mscale_all_dim) where both are given; else g(s, `alone`). Hugging Face's order.
    [[nodiscard]] double at(double s, double alone = 1) const {
        if (attention_factor > 0) return attention_factor;
        const auto g = [&](double m) { return yarn_magnitude(s, m, log_multiplier); };
        return attn_factor * (mscale > 0 && mscale_all_dim > 0 ? g(mscale) / g(mscale_all_dim) : g(alone));
    }
};

}  // namespace lw
