#pragma once
/// Attention forward on the CPU: tiled, online softmax (Milakov and Gimelshein, 1805.02867), nothing of size T x T. Keys no row of a block sees are skipped.

#include "core/attention/kernels/cpu/prepared.h"

namespace lw::kernels {

/// What became of DAPE's network at the keys of a call, in parts of up to 48 keys of a row.
struct FoldingCounts {
    std::int64_t parts = 0;
    std::int64_t folded = 0;   ///< of them, with units folded
    std::int64_t turning = 0;  ///< of those, over distances that turn a unit's sign
};

struct ForwardOutput {
    MutableTensor output;             ///< [B, H, Tq, value_width]
    float* log_normaliser = nullptr;  ///< [B, H, Tq] contiguous, or null
    FoldingCounts* folding = nullptr; ///< added to, where the caller keeps to one thread; or null
};

/// A task is a block of rows of one sequence; of one head only where no network mixes heads. Tasks stand in an order in which any run of them
/// has about its share of the work under a causal mask. They do not depend on each other, and no sum depends on who computes what.
std::int64_t forward_tasks(const AttentionCall& call);

/// Tasks [first_task, last_task) of rows [call.first_row, call.last_row). A row that sees nothing has output 0 and log-normaliser -inf.
/// `prepared` was made from a call that differs in rows and bias cells only, and is packed.
void attention_forward(const AttentionCall& call, const Prepared& prepared, const ForwardOutput& output, std::int64_t first_task, std::int64_t last_task);

/// The instruction set in use, for logs and benchmarks: "AVX3", "AVX2", ...
const char* forward_target();

}  // namespace lw::kernels
