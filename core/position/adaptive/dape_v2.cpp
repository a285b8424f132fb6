/// DAPE v2. f = Conv(D -> H) ∘ leaky ∘ Conv(C -> D) over keys: kernel 1 x k, zero padding k // 2, channels over heads,
/// u = lower triangle of (S, B) - zeroed above the diagonal BEFORE the convolution, or future scores would leak; no mask between
/// the two layers. Variants as in DAPE. Kernel 1 is DAPE on the visible triangle. Logits: S + B + f.
/// Keys past the last one count as masked keys while text may follow (see TileGeometry::sequence_ends).
/// Zheng, Gao, Shi, Xiong, Sun, Li, Huang, Ren, Ng, Jiang, Li, Li 2024, arXiv 2410.04798.
#include "core/position/adaptive/dape_input.h"
#include "core/position/entry.h"
#include "core/position/kernel_forms.h"

#include <fmt/format.h>
#include <torch/nn/modules/conv.h>

namespace lw {

namespace {

class DapeV2 final : public DapeNetwork, public ConvolvedTerm {
public:
    DapeV2(const Params& params, const SlotShape& shape) : DapeNetwork(params, shape), kernel_(integer_param(params, "kernel")) {
        first_ = register_module("first", torch::nn::Conv2d(torch::nn::Conv2dOptions(input_.channels, hidden_, {1, kernel_}).bias(biases_)));
        second_ = register_module("second", torch::nn::Conv2d(torch::nn::Conv2dOptions(hidden_, shape.heads, {1, kernel_}).bias(biases_)));
        start(*second_);
    }

    at::Tensor tile(const at::Tensor& content, const at::Tensor& bias, const TileGeometry& geometry) override {
        const auto columns = content.size(3);
        const auto radius = kernel_ / 2;
        // Hidden columns past the last key: the ones that masked keys would give, or none at a sequence's end.
        const auto future = geometry.sequence_ends ? 0 : radius;
        auto u = visible_input(content, bias, geometry);                                     // [B, C, Tq, Tk]
        u = at::constant_pad_nd(u, {radius, radius + future});                               // [B, C, Tq, Tk + 2r + future]
        auto hidden = at::conv2d(u, first_->weight.to(u.dtype()), cast(first_->bias, u));    // [B, D, Tq, Tk + future]
        hidden = at::leaky_relu_(hidden, slope_);
        hidden = at::constant_pad_nd(hidden, {radius, radius - future});                     // [B, D, Tq, Tk + 2r]
        const auto f = at::conv2d(hidden, second_->weight.to(u.dtype()), cast(second_->bias, u));
        return f.narrow(3, 0, columns);                                                      // [B, H, Tq, Tk]
    }

    std::int64_t halo() const override { return kernel_ - 1; }
    PointwiseNetwork convolved_network() const override {
        return {first_->weight.squeeze(2), first_->bias,         second_->weight.squeeze(2), second_->bias, slope_,
                input_.reads_content,      input_.reads_bias, input_.sums};
    }

private:
    static std::optional<at::Tensor> cast(const at::Tensor& parameter, const at::Tensor& like) {
        if (!parameter.defined()) return std::nullopt;
        return parameter.to(like.dtype());
    }

    at::Tensor visible_input(const at::Tensor& content, const at::Tensor& bias, const TileGeometry& geometry) const {
        const auto future = geometry.key_places().unsqueeze(0).gt(geometry.query_places().unsqueeze(1));    // [Tq, Tk]
        at::Tensor u = content;                                                                             // [B, H, Tq, Tk]
        if (input_.reads_bias) {
            const auto b = bias.to(content.dtype()).unsqueeze(0).expand_as(content);                        // [B, H, Tq, Tk]
            if (input_.sums) u = content + b;
            else u = input_.reads_content ? at::cat({content, b}, 1) : b;                                   // [B, C, Tq, Tk]
        }
        return u.masked_fill(future, 0);
    }

    std::int64_t kernel_;
    torch::nn::Conv2d first_{nullptr}, second_{nullptr};
};

std::shared_ptr<Adaptive> make(const Params& params, const SlotShape& shape) { return std::make_shared<DapeV2>(params, shape); }

void check(const Params& params) {
    const auto kernel = integer_param(params, "kernel");
    if (kernel % 2 == 1) return;
    throw Failure(ErrorKind::invalid_argument, fmt::format("kernel of DAPE v2 is {}; it must be odd: 1, 3, 5 or 7.", kernel));
}

MethodCost cost(const Params& params, const ModelShape& shape) { return dape_network_cost(params, shape, integer_param(params, "kernel")); }

MethodInfo describe() {
    MethodInfo info = dape_info("dape-v2");
    info.name = "DAPE v2";
    info.summary = "DAPE with convolutions along the keys: each score also sees its neighbours.";
    info.formula = "logits = S + B + f,  f = conv(1×k, D → H)·leaky(conv(1×k, 2H → D)·tril(S, B))";
    info.paper = "Zheng, Gao, Shi, Xiong, Sun, Li, Huang, Ren, Ng, Jiang, Li, Li (2024): DAPE V2: Process Attention Score as Feature Map for "
                 "Length Extrapolation";
    info.url = "https://arxiv.org/abs/2410.04798";
    info.beyond_training = "Reported to extrapolate better than DAPE, not on every base bias. Zero padding at the first keys and the zeroed "
                           "future give it a faint sense of absolute position.";
    info.claims = claims({"reads-neighbours", "causal", "permutes-with-heads", "learned"});
    info.params.push_back(integer_spec({"kernel", "Kernel k", "Keys that each convolution reads; odd. 1 is DAPE itself.", "keys"}, 3, {1, 7, 2}));
    return info;
}

}  // namespace

namespace entries_of::adaptive {
const Entry& dape_v2() {
    static const Entry entry{describe(), Make<Adaptive>{make}, check, {"hidden", "variant", "kernel"}, dape_values, cost};
    return entry;
}
}  // namespace entries_of::adaptive

}  // namespace lw
