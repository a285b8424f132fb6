#include "core/position/kerple.h"

#include "core/position/projection.h"

#include <ATen/ATen.h>

namespace lw {

KerpleBias::KerpleBias(const Params& params, const SlotShape& shape) : floor_(real_param(params, "floor")) {
    both_sides_ = flag_param(params, "bidirectional");
    p_ = register_parameter("p", at::empty({shape.heads}).uniform_(0, 2));
    a_ = register_parameter("a", at::empty({shape.heads}).uniform_(0, 1));
}

at::Tensor KerpleBias::bounded(const at::Tensor& parameter, std::optional<double> high) const {
    return projected(parameter, floor_, high, is_training()).to(precision()).unsqueeze(1);
}

MethodCost kerple_cost(const Params& /*params*/, const ModelShape& shape) {
    MethodCost cost;
    cost.per_pair = static_cast<double>(shape.heads);
    cost.learned = 2 * shape.heads;
    return cost;
}

MethodInfo kerple_info(const std::string& id) {
    MethodInfo info;
    info.slot = "bias";
    info.id = id;
    info.paper = "Chi, Fan, Ramadge, Rudnicky (2022): KERPLE: Kernelized Relative Positional Embedding for Length Extrapolation";
    info.url = "https://arxiv.org/abs/2205.09921";
    info.claims = claims({"relative", "monotone", "zero-at-zero", "pointwise", "learned"});
    info.params = {real_spec({"floor", "Floor", "p and a are kept at or above this value at every pass.", "", "floor"}, 0.01, {1e-6, 0.1, 0.001, true}), both_sides_spec()};
    info.learned = true;
    return info;
}

}  // namespace lw
