#pragma once
/// Which parameters the weight decay of the protocol hits (encodings 1.1).

#include <torch/nn/module.h>

#include <string>
#include <vector>

namespace lw {

struct NamedParameter {
    std::string name;
    at::Tensor value;
    bool decays = true;
};

/// Every trainable parameter once, in the model's order. Decay spares parameters whose own name is exactly "bias" and those of
/// norms; everything else, the tables and scalars of positional methods included, is decayed as in the published code.
std::vector<NamedParameter> trainable_parameters(torch::nn::Module& model);

}  // namespace lw
