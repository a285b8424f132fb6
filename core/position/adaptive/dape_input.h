#pragma once
/// What both versions of DAPE share: the variants of their input, their parameters, their initial values.

#include "core/position/entry.h"

#include <string>

namespace lw {

/// Which channels the network reads, and whether the static bias is added besides.
struct DapeInput {
    bool reads_content = true;
    bool reads_bias = true;
    bool sums = false;       ///< reads S + B instead of S and B side by side
    bool adds_bias = true;
    std::int64_t channels = 0;
};

/// Without a static bias every variant reads S alone; "bias_only" is refused then.
DapeInput dape_input(const std::string& variant, const SlotShape& shape);

std::vector<ParamSpec> dape_params();

/// Zero weight and bias, so that f is 0 before training.
void set_to_zero(torch::nn::Module& module);

}  // namespace lw
