#include "core/attention/kernels/cpu/forward.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/attention/kernels/cpu/forward.cpp"
#include <hwy/foreach_target.h>

#include "core/attention/kernels/cpu/forward_logits-inl.h"
#include "core/attention/kernels/cpu/forward_softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lw::kernels::HWY_NAMESPACE {

void forward_range(const AttentionCall& call, const Prepared& prepared, const ForwardOutput& output, std::int64_t first_task, std::int64_t last_task) {
    ForwardWorker worker(call, prepared, output);
    for (auto index = first_task; index < last_task; ++index) worker.run(task_of(call, index));
    if (output.folding == nullptr) return;
    const auto& counts = worker.folding_counts();
    output.folding->parts += counts.parts;
    output.folding->folded += counts.folded;
    output.folding->turning += counts.turning;
}

const char* target_name() { return hwy::TargetName(HWY_TARGET); }

}  // namespace lw::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lw::kernels {

HWY_EXPORT(forward_range);
HWY_EXPORT(target_name);

std::int64_t forward_tasks(const AttentionCall& call) {
    const auto rows = task_rows(call), blocks = (call.last_row - call.first_row + rows - 1) / rows;
    return call.batch * (mixes_heads(call) ? 1 : call.heads) * blocks;
}

void attention_forward(const AttentionCall& call, const Prepared& prepared, const ForwardOutput& output, std::int64_t first_task, std::int64_t last_task) {
    HWY_DYNAMIC_DISPATCH(forward_range)(call, prepared, output, first_task, last_task);
}

const char* forward_target() { return HWY_DYNAMIC_DISPATCH(target_name)(); }

}  // namespace lw::kernels
#endif
