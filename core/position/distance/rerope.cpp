/// ReRoPE. f(i, j) = min(i - j, w): up to the window distances are exact, all keys beyond stand at distance w.
/// Two products: (a) queries and keys at their positions, (b) queries at position w, keys unrotated. w = L/4 where it is 0.
/// Su 2023, github.com/bojone/rerope; its author adds log-n temperature (slot "temperature").
#include "core/position/distance_branches.h"
#include "core/position/entry.h"

namespace lw {

namespace {

std::shared_ptr<DistanceMap> make(const Params& params, const SlotShape& shape) {
    return std::make_shared<ClippedDistance>(tokens_or_share(integer_param(params, "window"), 0.25, shape.train_length));
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "distance";
    info.id = "rerope";
    info.name = "ReRoPE";
    info.summary = "Distances are exact inside a window, and every farther key stands at the window's edge.";
    info.formula = "f(i, j) = min(i − j, w)";
    info.paper = "Su (2023): Rectified Rotary Position Embeddings";
    info.url = "https://github.com/bojone/rerope";
    info.beyond_training = "No angle is new at any length, so perplexity keeps falling slowly on a model trained with plain RoPE. "
                           "The order of keys beyond the window is lost.";
    info.claims = claims({"equals-oracle", "identity-inside-window", "stays-trained", "fixed"});
    info.params = {
        integer_spec({"window", "Window w", "Largest distance; must stay below the training length. 0 = a quarter of it.", "tokens"}, 0, {0, 1048576, 1}),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::distance {
const Entry& rerope() {
    static const Entry entry{describe(), Make<DistanceMap>{make}, nullptr, {"window"}};
    return entry;
}
}  // namespace entries_of::distance

}  // namespace lw
