/// Self-Extend. f(i, j) = i - j for i - j < W, else floor(i/G) + W - floor(W/G) - floor(j/G): far keys are counted in groups of G.
/// A model trained to L serves (L - W) G + W tokens. W = L/4 where the parameter is 0, and 0 (every key in a group) where it is -1.
/// Jin et al. 2024, arXiv 2401.01325; datamllab/LongLM.
#include "core/position/distance/self_extend.h"

#include "core/position/catalogue.h"
#include "core/position/distance_branches.h"
#include "core/position/entry.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>

namespace lw {

namespace {

/// W in tokens.
std::int64_t window_of(const Params& params, std::int64_t train_length) {
    const auto given = integer_param(params, "window");
    return given < 0 ? 0 : tokens_or_share(given, 0.25, train_length);
}

class SelfExtend final : public DistanceMap {
public:
    SelfExtend(const Params& params, const SlotShape& shape)
        : group_(static_cast<double>(integer_param(params, "group"))),
          window_(static_cast<double>(window_of(params, shape.train_length))) {}

    at::Tensor distance(const TileGeometry& geometry) const override {
        const auto plain = position_differences(geometry);                                       // [r, c]
        const auto grouped = grouped_queries(geometry).unsqueeze(1) - grouped_keys(geometry).unsqueeze(0);
        return at::where(plain.lt(window_), plain, grouped);
    }
    std::vector<DistanceBranch> branches(const TileGeometry& geometry) const override {
        return {plain_branch(geometry), {grouped_queries(geometry), grouped_keys(geometry), position_differences(geometry).ge(window_)}};
    }

private:
    [[nodiscard]] at::Tensor grouped_keys(const TileGeometry& geometry) const { return at::floor(geometry.key_positions / group_); }
    [[nodiscard]] at::Tensor grouped_queries(const TileGeometry& geometry) const {
        return at::floor(geometry.query_positions / group_) + (window_ - std::floor(window_ / group_));
    }

    double group_, window_;
};

std::shared_ptr<DistanceMap> make(const Params& params, const SlotShape& shape) { return std::make_shared<SelfExtend>(params, shape); }

std::string values(const Params& params, const ModelShape& shape) {
    const auto window = window_of(params, shape.train_length);
    const auto served = tokens_served(shape.train_length, integer_param(params, "group"), window);
    return fmt::format("W = {}, serves {} tokens", window, number_text(static_cast<double>(served)));
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "distance";
    info.id = "self-extend";
    info.name = "Self-Extend";
    info.summary = "Distances are exact for neighbours, and farther keys share one position per group.";
    info.formula = "f(i, j) = i − j below W, else ⌊i/G⌋ + W − ⌊W/G⌋ − ⌊j/G⌋";
    info.paper = "Jin, Han, Yang, Jiang, Liu, Chang, Chen, Hu (2024): LLM Maybe LongLM: Self-Extend LLM Context Window Without Tuning";
    info.url = "https://arxiv.org/abs/2401.01325";
    info.beyond_training = "Serves (L − W)·G + W tokens without further training. Order inside a far group is lost.";
    info.claims = claims({"equals-oracle", "identity-inside-window", "fixed"});
    info.params = {
        integer_spec({"group", "Group G", "Far tokens that share one position. 1 = plain distances.", "tokens"}, 4, {1, 1024, 1}),
        integer_spec({"window", "Neighbour window W", "Distances below it stay as they are. 0 = a quarter of the training length; −1 = none, every key is in a group.",
                      "tokens"}, 0, {-1, 1048576, 1}),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::distance {
const Entry& self_extend() {
    static const Entry entry{describe(), Make<DistanceMap>{make}, nullptr, {"group"}, values};
    return entry;
}
}  // namespace entries_of::distance

}  // namespace lw
