/// Causal mask, said explicitly: the same as a scheme without this slot.
/// Vaswani et al. 2017, arXiv 1706.03762.
#include "core/position/cells.h"
#include "core/position/entry.h"
#include "core/position/visible_intervals.h"

#include <limits>

namespace lw {

namespace {

class Causal final : public Visibility, public HasIntervals {
public:
    at::Tensor visible(const TileGeometry& geometry) const override { return causal_cells(geometry); }
    VisibleIntervals intervals(const TileGeometry& geometry) const override {
        return recent_intervals(geometry, std::numeric_limits<double>::infinity(), 0);
    }
};

std::shared_ptr<Visibility> make(const Params& /*params*/, const SlotShape& /*shape*/) { return std::make_shared<Causal>(); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "visibility";
    info.id = "causal";
    info.name = "Causal";
    info.summary = "Every query reads all keys up to its own, as without an entry.";
    info.formula = "visible: j ≤ i";
    info.paper = "Vaswani et al. (2017): Attention Is All You Need";
    info.url = "https://arxiv.org/abs/1706.03762";
    info.beyond_training = "As the encoding in use.";
    info.claims = claims({"hides-future", "fixed"});
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::visibility {
const Entry& causal() {
    static const Entry entry{describe(), Make<Visibility>{make}, nullptr, {}};
    return entry;
}
}  // namespace entries_of::visibility

}  // namespace lw
