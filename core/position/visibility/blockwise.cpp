/// Blockwise causal attention (BCA of xPos). The text is cut into blocks of B tokens; a query reads its own block up to itself and the whole
/// block before: floor(i/B) - floor(j/B) <= 1, j <= i. B = L where it is 0.
/// Sun et al. 2022, arXiv 2212.10554; microsoft/torchscale.
#include "core/position/cells.h"
#include "core/position/entry.h"
#include "core/position/visible_intervals.h"

#include <ATen/ATen.h>

#include <cmath>

namespace lw {

namespace {

class Blockwise final : public Visibility, public HasIntervals {
public:
    explicit Blockwise(std::int64_t block) : block_(static_cast<double>(block)) {}
    at::Tensor visible(const TileGeometry& geometry) const override {
        const auto query = at::floor(geometry.query_places() / block_), key = at::floor(geometry.key_places() / block_);
        return (query.unsqueeze(1) - key.unsqueeze(0)).le(1).logical_and(causal_cells(geometry));  // [Tq, Tk]
    }
    VisibleIntervals intervals(const TileGeometry& geometry) const override {
        return intervals_from(geometry, [block = block_](double place) { return (std::floor(place / block) - 1) * block; });
    }

private:
    double block_;
};

std::shared_ptr<Visibility> make(const Params& params, const SlotShape& shape) { return std::make_shared<Blockwise>(tokens_or_share(integer_param(params, "block"), 1, shape.train_length)); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "visibility";
    info.id = "blockwise";
    info.name = "Blockwise causal (BCA)";
    info.summary = "Every query reads its own block up to itself and the whole block before.";
    info.formula = "visible: ⌊i/B⌋ − ⌊j/B⌋ ≤ 1, j ≤ i";
    info.paper = "Sun, Dong, Patra, Ma, Huang, Benhaim, Chaudhary, Song, Wei (2022): A Length-Extrapolatable Transformer";
    info.url = "https://arxiv.org/abs/2212.10554";
    info.beyond_training = "Distances stay below twice the block. Made for xPos, with blocks as long as the training length.";
    info.claims = claims({"hides-future", "fixed"});
    info.params = {
        integer_spec({"block", "Block B", "Tokens of a block. 0 = the training length.", "tokens"}, 0, {0, 1048576, 1}),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::visibility {
const Entry& blockwise() {
    static const Entry entry{describe(), Make<Visibility>{make}, nullptr, {"block"}};
    return entry;
}
}  // namespace entries_of::visibility

}  // namespace lw
