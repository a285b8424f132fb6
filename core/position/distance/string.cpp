/// STRING. f(i, j) = i - j for i - j < S, else i - j - S + W: large, seldom trained distances are replaced by shifted, well trained ones,
/// inside the training length. S = 0.33 L where it is 0; W = 128, at most S/2, where it is 0. W is never above S.
/// Optionally cos and sin are multiplied by 0.1 ln 2 + 1, as the published code offers.
/// An et al. 2024, arXiv 2410.18745; HKUNLP/STRING.
#include "core/position/distance_branches.h"
#include "core/position/entry.h"
#include "core/position/yarn_magnitude.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

class String final : public DistanceMap {
public:
    String(const Params& params, const SlotShape& shape) : sharpen_(flag_param(params, "sharpen")) {
        const auto shift = tokens_or_share(integer_param(params, "shift"), 0.33, shape.train_length);
        const auto window = integer_param(params, "window");
        shift_ = static_cast<double>(shift);
        window_ = static_cast<double>(window > 0 ? std::min(window, shift) : std::min<std::int64_t>(128, shift / 2));
    }

    at::Tensor distance(const TileGeometry& geometry) const override {
        const auto plain = position_differences(geometry);  // [r, c]
        return at::where(plain.lt(shift_), plain, plain - (shift_ - window_));
    }
    std::vector<DistanceBranch> branches(const TileGeometry& geometry) const override {
        return {plain_branch(geometry),
                {geometry.query_positions - (shift_ - window_), geometry.key_positions, position_differences(geometry).ge(shift_)}};
    }
    Frequencies adjusted(const Frequencies& frequencies, std::int64_t /*length*/, std::int64_t /*train_length*/) const override {
        Frequencies result = frequencies;
        if (sharpen_) result.attention_factor *= yarn_magnitude(2, 1);
        return result;
    }

private:
    bool sharpen_;
    double shift_ = 1, window_ = 0;
};

std::shared_ptr<DistanceMap> make(const Params& params, const SlotShape& shape) { return std::make_shared<String>(params, shape); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "distance";
    info.id = "string";
    info.name = "STRING";
    info.summary = "Distances from S on start again at a small window, so that seldom trained large ones are not used.";
    info.formula = "f(i, j) = i − j below S, else i − j − S + W";
    info.paper = "An, Zhang, Zhong, Li, Gong, Luo, Xu, Kong (2024): Why Does the Effective Context Length of LLMs Fall Short?";
    info.url = "https://arxiv.org/abs/2410.18745";
    info.beyond_training = "Made for texts inside the training length, whose farthest third is seldom trained. It adds S − W tokens beyond it.";
    info.claims = claims({"equals-oracle", "identity-inside-window", "fixed"});
    info.params = {
        integer_spec({"shift", "Shift S", "Distances from it on are moved back. 0 = 0.33 of the training length.", "tokens"}, 0, {0, 1048576, 1}),
        integer_spec({"window", "Local window W", "Where moved distances start again; at most S. 0 = 128, at most half of S.", "tokens"}, 0, {0, 1048576, 1}),
        flag_spec({"sharpen", "Sharpen", "Multiplies cos and sin by 0.1·ln 2 + 1."}, false),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::distance {
const Entry& string() {
    static const Entry entry{describe(), Make<DistanceMap>{make}, nullptr, {}};
    return entry;
}
}  // namespace entries_of::distance

}  // namespace lw
