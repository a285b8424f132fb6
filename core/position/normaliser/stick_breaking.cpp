/// Stick-breaking. From the nearest key to the farthest, each takes the share σ(z) of what is left:
///   w_ij = σ(z_ij) Π_{j < l < i} (1 - σ(z_il)), strict: only j < i; inclusive: j <= i and the product runs to l <= i.
/// In log space: ln w = ln σ(z_ij) + Σ ln σ(-z_il). A row sums to at most 1; the remainder is dropped, or given to the token itself.
/// Tan, Yang, Courville, Panda, Shen 2024, arXiv 2410.17980; shawntan/stickbreaking-attention.
#include "core/position/entry.h"
#include "core/position/cells.h"

#include <ATen/ATen.h>

#include <limits>

namespace lw {

namespace {

class StickBreaking final : public Normaliser {
public:
    explicit StickBreaking(const Params& params)
        : inclusive_(flag_param(params, "inclusive")), keeps_remainder_(flag_param(params, "remainder_to_self")) {}

    at::Tensor weights(const at::Tensor& logit, const TileGeometry& geometry) override {
        const auto before = inclusive_ ? causal_cells(geometry) : place_differences(geometry).gt(0);                  // [r, c]
        const auto hidden = logit.isneginf().logical_or(before.logical_not());                                        // [B, H, r, c]
        const auto z = logit.masked_fill(hidden, 0);
        const auto passes = at::log_sigmoid(-z).masked_fill(hidden, 0);
        // Nearer keys are the columns to the right: an exclusive sum from the right, padded so that nothing is subtracted again.
        const auto nearer = at::constant_pad_nd(passes.slice(-1, 1), {0, 1}).flip(-1).cumsum(-1).flip(-1);
        const auto taken = (at::log_sigmoid(z) + nearer).exp().masked_fill(hidden, 0);                                // [B, H, r, c]
        if (!keeps_remainder_) return taken;
        const auto own = place_differences(geometry).eq(0).to(taken.scalar_type());                                   // [r, c]
        return taken + own * passes.sum(-1, true).exp();
    }
    at::Tensor log_normaliser(const at::Tensor& /*logit*/) override { return {}; }
    bool has_log_normaliser() const override { return false; }

private:
    bool inclusive_, keeps_remainder_;
};

std::shared_ptr<Normaliser> make(const Params& params, const SlotShape& /*shape*/) { return std::make_shared<StickBreaking>(params); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "normaliser";
    info.id = "stick-breaking";
    info.name = "Stick-breaking";
    info.summary = "From the nearest key to the farthest, each takes its share of the attention that is left.";
    info.formula = "wᵢⱼ = σ(zᵢⱼ)·Π (1 − σ(zᵢₗ)) over j < l < i";
    info.paper = "Tan, Yang, Courville, Panda, Shen (2024): Scaling Stick-Breaking Attention: An Efficient Implementation and In-depth Study";
    info.url = "https://arxiv.org/abs/2410.17980";
    info.beyond_training = "Near keys come first at any length, so it needs no other position signal and reads longer texts well.";
    info.claims = claims({"sums-below-one", "fixed"});
    info.params = {
        flag_spec({"inclusive", "Reads itself", "Off: keys before the query only. On: the query's own key comes first."}, false),
        flag_spec({"remainder_to_self", "Remainder to itself", "What no key takes goes to the token's own value; else it is dropped."}, false),
    };
    info.plug_in = false;
    return info;
}

}  // namespace

namespace entries_of::normaliser {
const Entry& stick_breaking() {
    static const Entry entry{describe(), Make<Normaliser>{make}, nullptr, {}};
    return entry;
}
}  // namespace entries_of::normaliser

}  // namespace lw
