/// Ms-PoE. Every head interpolates positions by a ratio of its own: f_h(i, j) = (i - j)/r_h, r_h = r_min + (r_max - r_min) h/H.
/// h/H as the published code has it: r_max itself is never reached. There heads are ranked by how strongly a few keys stand out in
/// their last attention row; here the head's number is its rank.
/// Zhang et al. 2024, arXiv 2403.04797; VITA-Group/Ms-PoE.
#include "core/position/cells.h"
#include "core/position/catalogue.h"
#include "core/position/entry.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

class MsPoe final : public DistanceMap {
public:
    MsPoe(const Params& params, const SlotShape& shape)
        : heads_(shape.heads), smallest_(real_param(params, "smallest")), largest_(real_param(params, "largest")) {}

    at::Tensor distance(const TileGeometry& geometry) const override {
        return position_differences(geometry) / ratios(geometry).view({-1, 1, 1});                       // [H, r, c]
    }
    std::vector<DistanceBranch> branches(const TileGeometry& geometry) const override {
        const auto ratio = ratios(geometry).view({1, -1, 1});                                            // [1, H, 1]
        return {{geometry.query_positions / ratio, geometry.key_positions / ratio}};
    }

private:
    [[nodiscard]] at::Tensor ratios(const TileGeometry& geometry) const {
        const auto rank = at::arange(heads_, geometry.query_positions.options()) / static_cast<double>(heads_);
        return smallest_ + (largest_ - smallest_) * rank;                                                // [H]
    }

    std::int64_t heads_;
    double smallest_, largest_;
};

std::shared_ptr<DistanceMap> make(const Params& params, const SlotShape& shape) { return std::make_shared<MsPoe>(params, shape); }

std::string values(const Params& params, const ModelShape& shape) {
    const double smallest = real_param(params, "smallest"), largest = real_param(params, "largest");
    std::vector<double> ratios;
    for (std::int64_t h = 0; h < shape.heads; ++h) ratios.push_back(smallest + (largest - smallest) * static_cast<double>(h) / static_cast<double>(shape.heads));
    return "rₕ = " + short_list(ratios);
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "distance";
    info.id = "ms-poe";
    info.name = "Ms-PoE";
    info.summary = "Every head divides distances by a ratio of its own, so that some look near and some look far.";
    info.formula = "fₕ(i, j) = (i − j)/rₕ,  rₕ = r_min + (r_max − r_min)·h/H";
    info.paper = "Zhang, Chen, Liu, Yao, Ruwase, Chen, Wu, Wang (2024): Found in the Middle: How Language Models Use Long Contexts Better via "
                 "Plug-and-Play Positional Encoding";
    info.url = "https://arxiv.org/abs/2403.04797";
    info.beyond_training = "Made for texts inside the training length, whose middle is read badly. Beyond it, it stretches the range by about the ratios.";
    info.claims = claims({"equals-oracle", "fixed"});
    info.params = {
        real_spec({"smallest", "Smallest ratio", "Of the first head.", "", "r_min"}, 1.2, {1, 8, 0.1}),
        real_spec({"largest", "Largest ratio", "Not quite reached by the last head.", "", "r_max"}, 1.8, {1, 16, 0.1}),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::distance {
const Entry& ms_poe() {
    static const Entry entry{describe(), Make<DistanceMap>{make}, nullptr, {}, values};
    return entry;
}
}  // namespace entries_of::distance

}  // namespace lw
