#pragma once
/// Windows that go through a model together, and how much work they are. Torch-free.

#include "core/evaluation/protocol.h"

#include <cstdint>
#include <vector>

namespace lw {

/// Work of one length in tokens that go through the model, for progress and time left.
[[nodiscard]] double planned_tokens(const LengthPlan& plan);
/// A window's share of the time: its tokens, and what attention adds to each with the length.
[[nodiscard]] double work_of(const Window& window);
[[nodiscard]] double planned_work(const LengthPlan& plan);

/// Same size, few enough tokens; every window of the plan once.
[[nodiscard]] std::vector<std::vector<Window>> batches_of(const LengthPlan& plan, std::int64_t tokens_per_call);

}  // namespace lw
