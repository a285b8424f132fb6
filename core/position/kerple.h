#pragma once
/// What both forms of KERPLE share: p and a per head, their start, their floor and their description.
/// Chi, Fan, Ramadge, Rudnicky 2022, arXiv 2205.09921.

#include "core/position/distance_bias.h"
#include "core/position/entry.h"

#include <optional>

namespace lw {

class KerpleBias : public DistanceBias {
public:
    /// p ~ U(0, 2), a ~ U(0, 1).
    KerpleBias(const Params& params, const SlotShape& shape);

protected:
    /// The parameters within their bounds, [H, 1] in precision().
    at::Tensor p(std::optional<double> high = std::nullopt) const { return bounded(p_, high); }
    at::Tensor a() const { return bounded(a_, std::nullopt); }

private:
    at::Tensor bounded(const at::Tensor& parameter, std::optional<double> high) const;

    double floor_;
    at::Tensor p_, a_;  // [H]
};

/// Everything of a form's description but its own words: name, summary, formula, what happens beyond training.
/// One table per pass, and two numbers per head.
MethodCost kerple_cost(const Params& params, const ModelShape& shape);

MethodInfo kerple_info(const std::string& id);

}  // namespace lw
