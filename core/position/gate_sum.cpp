#include "core/position/gate_sum.h"

#include <ATen/ATen.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace lw {

namespace {

constexpr double kStart = 0.02;

}  // namespace

GateSumBias::GateSumBias(const SlotShape& shape, double initial_bias) {
    weight_ = register_parameter("weight", at::empty({shape.heads, shape.width}).normal_(0, kStart));
    bias_ = register_parameter("bias", at::full({shape.heads}, initial_bias, at::kFloat));
}

at::Tensor GateSumBias::content_tile(const ContentView& view, const TileGeometry& /*geometry*/) {
    // In double: a sum over thousands of tokens must still tell neighbours apart.
    const auto sums = view.state.squeeze(-1).to(at::kDouble).cumsum(-1);                          // [B, H, Tk]
    const auto of_rows = sums.narrow(-1, view.first_row, view.q.size(2)).unsqueeze(-1);           // [B, H, r, 1]
    const auto of_columns = sums.narrow(-1, view.first_column, view.k.size(2)).unsqueeze(-2);     // [B, H, 1, c]
    return (of_rows - of_columns).clamp_max(0).to(precision());                                   // [B, H, r, c]
}

at::Tensor GateSumBias::token_state(const at::Tensor& normed) {
    // Gates are added up over the whole text, so mixed precision must not round them to 16 bit.
    const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
    const auto z = at::linear(normed.to(precision()), weight_.to(precision()), bias_.to(precision()));  // [B, T, H]
    return gate(z).transpose(1, 2).unsqueeze(-1);                                                 // [B, H, T, 1]
}

MethodCost gate_cost(const Params& /*params*/, const ModelShape& shape) {
    MethodCost cost;
    cost.per_pair = 2.0 * static_cast<double>(shape.heads);
    cost.per_token = static_cast<double>(2 * shape.model_width() * shape.heads + shape.heads);
    cost.learned = (shape.model_width() + 1) * shape.heads;
    cost.kept = shape.heads;
    return cost;
}

}  // namespace lw
