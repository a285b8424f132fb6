#include "core/position/adaptive/dape_input.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace lw {

DapeInput dape_input(const std::string& variant, const SlotShape& shape) {
    DapeInput input;
    if (!shape.has_bias) {
        if (variant == "bias_only") {
            throw Failure(ErrorKind::invalid_argument,
                          "The variant bias_only of DAPE reads the static bias alone, but the scheme has no bias. Choose a bias, or another variant.");
        }
        input.reads_bias = false;
        input.channels = shape.heads;
        return input;
    }
    input.sums = variant == "add_residual";
    input.reads_content = variant != "bias_only";
    input.adds_bias = variant != "concat";
    input.channels = (variant == "concat" || variant == "concat_residual") ? 2 * shape.heads : shape.heads;
    return input;
}

DapeNetwork::DapeNetwork(const Params& params, const SlotShape& shape)
    : input_(dape_input(choice_param(params, "variant"), shape)),
      hidden_(integer_param(params, "hidden")),
      slope_(real_param(params, "slope")),
      biases_(flag_param(params, "linear_bias")),
      starts_at_zero_(choice_param(params, "initial") == "zero_last") {}

void DapeNetwork::start(torch::nn::Module& last) const {
    if (!starts_at_zero_) return;
    for (auto& parameter : last.parameters(false)) parameter.data().zero_();
}

namespace {

/// C, the channels that the network reads.
std::int64_t channels_of(const Params& params, const ModelShape& shape) {
    SlotShape slot;
    slot.heads = shape.heads;
    slot.has_bias = shape.has_bias;
    return dape_input(choice_param(params, "variant"), slot).channels;
}

}  // namespace

std::string dape_values(const Params& params, const ModelShape& shape) {
    return fmt::format("channels {} → {} → {}", channels_of(params, shape), integer_param(params, "hidden"), shape.heads);
}

MethodCost dape_network_cost(const Params& params, const ModelShape& shape, std::int64_t kernel) {
    const auto weights = kernel * integer_param(params, "hidden") * (channels_of(params, shape) + shape.heads);
    MethodCost cost;
    cost.per_pair = static_cast<double>(2 * weights + shape.heads);
    cost.learned = weights + (flag_param(params, "linear_bias") ? integer_param(params, "hidden") + shape.heads : 0);
    return cost;
}

namespace {

std::vector<ParamSpec> dape_params() {
    return {
        choice_spec({"variant", "Variant",
                     "concat_residual: S + B + f(S, B). concat: S + f(S, B). add_residual: S + B + f(S + B). bias_only: S + B + f(B). "
                     "Without a bias: S + f(S)."},
                    "concat_residual", {"concat_residual", "concat", "add_residual", "bias_only"}),
        integer_spec({"hidden", "Hidden width D", "Hidden units per query and key; at least the number of heads is advised."}, 32, {1, 512, 1}),
        real_spec({"slope", "Negative slope", "Of the LeakyReLU between the two layers."}, 0.01, {0, 1, 0.01}),
        flag_spec({"linear_bias", "Biases b₁ and b₂", "Whether the two layers have bias terms."}, true),
        choice_spec({"initial", "Initial values", "torch: PyTorch's default, f is not 0 at the start (as published). zero_last: f starts at 0."},
                    "torch", {"torch", "zero_last"}),
    };
}

}  // namespace

MethodInfo dape_info(const std::string& id) {
    MethodInfo info;
    info.slot = "adaptive";
    info.id = id;
    info.params = dape_params();
    info.learned = true;
    return info;
}

}  // namespace lw
