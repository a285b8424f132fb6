#pragma once
/// How far Self-Extend carries a model.

#include <cstdint>

namespace lw {

/// (L - W) G + W, the tokens that a model trained to L serves, as published. Where W is no multiple of G the groups of query and key can
/// fall so that the farthest distance of the last few of them reaches L.
inline std::int64_t tokens_served(std::int64_t train_length, std::int64_t group, std::int64_t window) { return (train_length - window) * group + window; }

}  // namespace lw
