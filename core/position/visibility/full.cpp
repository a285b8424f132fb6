/// No mask. Every query reads every key, also those after its own (an encoder). A cache must be filled again with every token, because
/// earlier tokens read the new one. Next-token training is pointless with it: each token sees its target.
/// Vaswani et al. 2017, arXiv 1706.03762.
#include "core/position/cells.h"
#include "core/position/entry.h"
#include "core/position/visible_intervals.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

class Full final : public Visibility, public HasIntervals {
public:
    at::Tensor visible(const TileGeometry& geometry) const override {
        const auto options = geometry.query_positions.options().dtype(at::kBool);
        return at::ones({geometry.query_positions.numel(), geometry.key_positions.numel()}, options);  // [Tq, Tk]
    }
    VisibleIntervals intervals(const TileGeometry& geometry) const override {
        const auto queries = static_cast<std::size_t>(geometry.query_positions.numel());
        return {std::vector<std::int64_t>(queries, 0), std::vector<std::int64_t>(queries, geometry.key_positions.numel()), 0};
    }
    bool sees_future() const override { return true; }
    /// What earlier tokens are depends on the tokens that follow.
    bool length_dependent() const override { return true; }
};

std::shared_ptr<Visibility> make(const Params& /*params*/, const SlotShape& /*shape*/) { return std::make_shared<Full>(); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "visibility";
    info.id = "full";
    info.name = "Full (encoder)";
    info.summary = "Every query reads every key, also later ones; nothing can be learned from predicting the next token.";
    info.formula = "visible: every j";
    info.paper = "Vaswani et al. (2017): Attention Is All You Need";
    info.url = "https://arxiv.org/abs/1706.03762";
    info.beyond_training = "As the encoding in use; each query meets both the longest past and the longest future.";
    info.claims = claims({"fixed"});
    info.plug_in = false;
    return info;
}

}  // namespace

namespace entries_of::visibility {
const Entry& full() {
    static const Entry entry{describe(), Make<Visibility>{make}, nullptr, {}};
    return entry;
}
}  // namespace entries_of::visibility

}  // namespace lw
