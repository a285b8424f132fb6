/// Leaky ReRoPE. f(i, j) = i - j for i - j < w, else w + (i - j - w)/k: far distances grow k times more slowly.
/// Far product: all positions divided by k, queries shifted by w (1 - 1/k). w = L/8 where it is 0.
/// Su 2023, github.com/bojone/rerope.
#include "core/position/distance_branches.h"
#include "core/position/entry.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

class LeakyRerope final : public DistanceMap {
public:
    LeakyRerope(const Params& params, const SlotShape& shape)
        : window_(static_cast<double>(tokens_or_share(integer_param(params, "window"), 0.125, shape.train_length))),
          factor_(real_param(params, "factor")) {}

    at::Tensor distance(const TileGeometry& geometry) const override {
        const auto plain = position_differences(geometry);                                 // [r, c]
        return at::where(plain.lt(window_), plain, window_ + (plain - window_) / factor_);
    }
    std::vector<DistanceBranch> branches(const TileGeometry& geometry) const override {
        const auto queries = geometry.query_positions / factor_ + window_ * (1 - 1 / factor_);
        return {plain_branch(geometry), {queries, geometry.key_positions / factor_, position_differences(geometry).ge(window_)}};
    }

private:
    double window_, factor_;
};

std::shared_ptr<DistanceMap> make(const Params& params, const SlotShape& shape) { return std::make_shared<LeakyRerope>(params, shape); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "distance";
    info.id = "leaky-rerope";
    info.name = "Leaky ReRoPE";
    info.summary = "Distances are exact inside a window and grow k times more slowly beyond it.";
    info.formula = "f(i, j) = i − j below w, else w + (i − j − w)/k";
    info.paper = "Su (2023): Rectified Rotary Position Embeddings";
    info.url = "https://github.com/bojone/rerope";
    info.beyond_training = "Serves texts up to about k times the training length and keeps the order of far keys.";
    info.claims = claims({"equals-oracle", "identity-inside-window", "fixed"});
    info.params = {
        integer_spec({"window", "Window w", "Distances below it stay as they are. 0 = an eighth of the training length.", "tokens"}, 0, {0, 1048576, 1}),
        real_spec({"factor", "Slowdown k", "Beyond the window, k tokens count as one. 1 = plain distances."}, 16, {1, 1024, 1}),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::distance {
const Entry& leaky_rerope() {
    static const Entry entry{describe(), Make<DistanceMap>{make}, nullptr, {"factor"}};
    return entry;
}
}  // namespace entries_of::distance

}  // namespace lw
