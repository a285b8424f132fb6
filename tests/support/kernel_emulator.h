#pragma once
/// The GPU kernels' phases on the CPU: every block, every phase, one thread after the other, behind the same C interface. Shared memory starts as NaN, so
/// that a value read before it was written shows; with `backwards` threads run in the other order, so that one that needs another's work of the same
/// phase shows.

#include "core/attention/kernel_call.h"
#include "core/attention/kernels/backward_block.h"
#include "core/attention/kernels/forward_block.h"

#include <limits>
#include <vector>

namespace lw::test {

/// How the next calls are run.
struct Emulation {
    int threads = 64;
    std::int64_t shared_bytes = 48 * 1024;
    bool tensor_cores = false;
    bool one_pass = false;  ///< tensor cores as 16-bit inputs use them: TF32 without the second part
    bool backwards = false;
    int slots = 5;
    LwAttentionPlan last{};
};
inline Emulation& emulation() {
    static Emulation state;
    return state;
}

struct EmulatedRun {
    template <class Phase>
    void operator()(const Phase& phase) const {
        const auto& state = emulation();
        for (int n = 0; n < state.threads; ++n) phase(kernels::Worker{state.backwards ? state.threads - 1 - n : n, state.threads});
    }
};

inline int emulated_plan(const LwAttention* call, int backward, LwAttentionPlan* plan) {
    auto& state = emulation();
    *plan = kernels::fit_tiles(*call, backward != 0, state.shared_bytes);
    if (plan->rows == 0) return 1;
    plan->threads = state.threads;
    plan->tensor_cores = state.tensor_cores;
    plan->slots = kernels::smaller(state.slots, call->batch * kernels::head_groups(*call) * kernels::quotient_up(call->keys, plan->columns));
    state.last = *plan;
    return 0;
}

/// block(kind, shared memory) for as many blocks as there are.
template <class Block>
void emulate_blocks(int blocks, std::int64_t bytes, const Block& block) {
    std::vector<float> shared(static_cast<std::size_t>(bytes) / sizeof(float));
    for (int number = 0; number < blocks; ++number) {
        shared.assign(shared.size(), std::numeric_limits<float>::quiet_NaN());
        const auto& state = emulation();
        if (!state.tensor_cores) block(kernels::Kind<float, kernels::Math::plain>{}, number, shared.data());
        else if (state.one_pass) block(kernels::Kind<float, kernels::Math::tensor>{}, number, shared.data());
        else block(kernels::Kind<float, kernels::Math::tensor_split>{}, number, shared.data());
    }
}

inline int emulated_forward(const LwAttentionForward* call) {
    const auto& attention = call->attention;
    const int blocks = attention.batch * kernels::head_groups(attention) * kernels::quotient_up(attention.queries, call->plan.rows);
    emulate_blocks(blocks, call->plan.shared_bytes, [&](auto kind, int block, float* shared) {
        kernels::forward_block<decltype(kind)>(*call, block, shared, EmulatedRun{});
    });
    return 0;
}

inline int emulated_backward(const LwAttentionBackward* call) {
    const auto& attention = call->attention;
    emulate_blocks(call->plan.slots, call->plan.shared_bytes, [&](auto kind, int block, float* shared) {
        kernels::backward_keys_block<decltype(kind)>(*call, block, call->plan.slots, shared, EmulatedRun{});
    });
    const int blocks = attention.batch * kernels::head_groups(attention) * kernels::quotient_up(attention.queries, call->plan.rows);
    emulate_blocks(blocks, call->plan.shared_bytes, [&](auto kind, int block, float* shared) {
        kernels::backward_queries_block<decltype(kind)>(*call, block, shared, EmulatedRun{});
    });
    return 0;
}

inline const AttentionKernels& emulated_kernels() {
    static const AttentionKernels kernels{emulated_plan, emulated_forward, emulated_backward, [](int) { return "no tile fits"; }};
    return kernels;
}

}  // namespace lw::test
