/// StreamingLLM's positions inside the cache. The cache holds the first S tokens and the last R; a key's position is its index in the
/// cache, the query stands at the cache's end. So recent keys (i - j <= reach) keep f = i - j, and a sink j < S stands at
///   f = min(i, S + reach) - j.
/// "Recent" is read in two ways: R keys before the query (published code, reach = R), or R with the query (reach = R - 1).
/// Keys that the cache has dropped (visibility "sinks" hides them) are given the place right after the sinks.
/// Xiao, Tian, Chen, Han, Lewis 2023, arXiv 2309.17453; mit-han-lab/streaming-llm.
#include "core/position/cells.h"
#include "core/position/streaming_cache.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

class Streaming final : public DistanceMap {
public:
    explicit Streaming(const StreamingCache& cache)
        : sinks_(static_cast<double>(cache.sinks)), reach_(static_cast<double>(cache.reach)) {}

    at::Tensor distance(const TileGeometry& geometry) const override {
        const auto plain = place_differences(geometry);                                                             // [r, c]
        const auto in_cache = end_of_cache(geometry).unsqueeze(1) - geometry.key_places().clamp_max(sinks_).unsqueeze(0);
        return at::where(leaves_recent(geometry), in_cache, plain);
    }
    std::vector<DistanceBranch> branches(const TileGeometry& geometry) const override {
        return {{geometry.query_places(), geometry.key_places()},
                {end_of_cache(geometry), geometry.key_places().clamp_max(sinks_), leaves_recent(geometry)}};
    }

private:
    /// The query's place in the cache, [r].
    [[nodiscard]] at::Tensor end_of_cache(const TileGeometry& geometry) const { return geometry.query_places().clamp_max(sinks_ + reach_); }
    [[nodiscard]] at::Tensor leaves_recent(const TileGeometry& geometry) const { return place_differences(geometry).gt(reach_); }

    double sinks_, reach_;
};

std::shared_ptr<DistanceMap> make(const Params& params, const SlotShape& shape) {
    return std::make_shared<Streaming>(streaming_cache(params, shape));
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "distance";
    info.id = "streaming";
    info.name = "StreamingLLM positions";
    info.summary = "Distances are counted inside a cache of the first and the last tokens, for use with the visibility \"sinks\".";
    info.formula = "f(i, j) = i − j for recent keys, min(i, S + R) − j for sinks";
    info.paper = "Xiao, Tian, Chen, Han, Lewis (2023): Efficient Streaming Language Models with Attention Sinks";
    info.url = "https://arxiv.org/abs/2309.17453";
    info.beyond_training = "Perplexity stays flat at any length, since no distance is new. Nothing farther than the recent keys is read, so a far passkey is not found.";
    info.claims = claims({"equals-oracle", "identity-inside-window", "stays-trained", "fixed"});
    info.params = streaming_params();
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::distance {
const Entry& streaming() {
    static const Entry entry{describe(), Make<DistanceMap>{make}, nullptr, {"sinks", "recent"}};
    return entry;
}
}  // namespace entries_of::distance

}  // namespace lw
