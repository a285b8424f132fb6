/// CAPE (continuous augmented positions). In training p' = (p + Δ + ε_p)·λ: one shift Δ ~ U(-Δmax, Δmax) and one scale
/// ln λ ~ U(-ln λmax, ln λmax) per sequence, one jitter ε_p ~ U(-εmax, εmax) per token; outside training p' = p.
/// εmax is at most 0.5, so that no token overtakes another. Published with sinusoids; here every slot sees the same positions.
/// Likhomanenko, Xu, Synnaeve, Collobert, Rogozhnikov 2021, arXiv 2106.03143. (DAPE's arXiv title says CAPE too; another method.)
#include "core/position/entry.h"
#include "core/position/positions/drawn.h"

#include <cmath>

namespace lw {

namespace {

class Cape final : public PositionMap {
public:
    explicit Cape(const Params& params)
        : shift_(real_param(params, "global_shift")), local_(real_param(params, "local_shift")), log_scale_(std::log(real_param(params, "scale"))) {}

    MappedPositions map(const at::Tensor& indices, const PositionContext& context) override {
        if (!context.training) return {indices, indices};
        const auto sequences = std::max<std::int64_t>(context.batch, 1);
        const auto device = indices.device();
        const auto shift = drawn_reals(sequences, -shift_, shift_, device);                                         // [B, 1]
        const auto scale = at::exp(drawn_reals(sequences, -log_scale_, log_scale_, device));                        // [B, 1]
        const auto local = at::empty({sequences, indices.numel()}, at::kDouble).uniform_(-local_, local_).to(device);  // [B, T]
        const auto positions = augmented_positions(indices, shift, local, scale);                                   // [B, T]
        return {positions, positions};
    }

private:
    double shift_, local_, log_scale_;
};

std::shared_ptr<PositionMap> make(const Params& params, const SlotShape& /*shape*/) { return std::make_shared<Cape>(params); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "positions";
    info.id = "cape";
    info.name = "CAPE";
    info.summary = "In training positions are shifted, jittered and stretched at random; outside training they are plain.";
    info.formula = "p′ = (p + Δ + ε_p)·λ,  Δ ~ U(±Δmax), ε_p ~ U(±εmax), ln λ ~ U(±ln λmax)";
    info.paper = "Likhomanenko, Xu, Synnaeve, Collobert, Rogozhnikov (2021): CAPE: Encoding Relative Positions with Continuous Augmented Positional "
                 "Embeddings";
    info.url = "https://arxiv.org/abs/2106.03143";
    info.beyond_training = "Only positions that shift and stretch have reached in training are known.";
    info.claims = claims({"ascending", "random-in-training", "fixed"});
    info.params = {
        real_spec({"global_shift", "Shift Δmax", "All tokens of a sequence are shifted by up to so many positions.", "positions"}, 5, {0, 4096, 1}),
        real_spec({"local_shift", "Jitter εmax", "Each token is shifted by up to so much more. At most 0.5 keeps the order.", "positions"}, 0.5, {0, 0.5, 0.05}),
        real_spec({"scale", "Stretch λmax", "A sequence is stretched or squeezed by up to this factor. 1 = not at all."}, 1.03, {1, 10, 0.01}),
    };
    return info;
}

}  // namespace

namespace entries_of::positions {
const Entry& cape() {
    static const Entry entry{describe(), Make<PositionMap>{make}, nullptr, {}};
    return entry;
}
}  // namespace entries_of::positions

}  // namespace lw
