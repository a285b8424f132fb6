/// LM-Infinite's distances. f(i, j) = min(i - j, ceiling); ceiling = L where it is 0. Its Λ-shaped mask is the visibility "lambda".
/// With ALiBi the bias is clipped at the same limit. The optional top-k keys of middle layers are left out.
/// Han et al. 2023, arXiv 2308.16137; Glaciohound/LM-Infinite.
#include "core/position/distance_branches.h"
#include "core/position/entry.h"

namespace lw {

namespace {

std::shared_ptr<DistanceMap> make(const Params& params, const SlotShape& shape) {
    return std::make_shared<ClippedDistance>(tokens_or_share(integer_param(params, "ceiling"), 1, shape.train_length));
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "distance";
    info.id = "lm-infinite";
    info.name = "LM-Infinite distances";
    info.summary = "No distance is larger than a ceiling, for use with the Λ mask.";
    info.formula = "f(i, j) = min(i − j, ceiling)";
    info.paper = "Han, Wang, Peng, Xiong, Chen, Ji, Wang (2023): LM-Infinite: Zero-Shot Extreme Length Generalization for Large Language Models";
    info.url = "https://arxiv.org/abs/2308.16137";
    info.beyond_training = "With the visibility \"lambda\" perplexity stays flat at any length. Keys between the first ones and the local window are not read.";
    info.claims = claims({"equals-oracle", "identity-inside-window", "fixed"});
    info.params = {
        integer_spec({"ceiling", "Ceiling", "Largest distance. 0 = the training length.", "tokens", "ceiling"}, 0, {0, 1048576, 1}),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::distance {
const Entry& lm_infinite() {
    static const Entry entry{describe(), Make<DistanceMap>{make}, nullptr, {"ceiling"}};
    return entry;
}
}  // namespace entries_of::distance

}  // namespace lw
