/// Attention sinks (StreamingLLM's cache). Query i reads the first S keys and the recent ones: i - j <= R (R keys before the query, as the
/// published code keeps them), or i - j < R where R counts the query. Positions inside the cache are the distance map "streaming".
/// Xiao, Tian, Chen, Han, Lewis 2023, arXiv 2309.17453; mit-han-lab/streaming-llm.
#include "core/position/recent_cells.h"
#include "core/position/entry.h"
#include "core/position/streaming_cache.h"

namespace lw {

namespace {

std::shared_ptr<Visibility> make(const Params& params, const SlotShape& shape) {
    const auto cache = streaming_cache(params, shape);
    return std::make_shared<RecentAndFirst>(cache.reach, cache.sinks);
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "visibility";
    info.id = "sinks";
    info.name = "Attention sinks";
    info.summary = "Every query reads the first few keys of the text and the recent ones.";
    info.formula = "visible: j < S, or 0 ≤ i − j ≤ R";
    info.paper = "Xiao, Tian, Chen, Han, Lewis (2023): Efficient Streaming Language Models with Attention Sinks";
    info.url = "https://arxiv.org/abs/2309.17453";
    info.beyond_training = "Perplexity stays flat together with positions inside the cache (distance map \"streaming\"). What lies between the sinks and the recent keys is not read.";
    info.claims = claims({"hides-future", "fixed"});
    info.params = streaming_params();
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::visibility {
const Entry& sinks() {
    static const Entry entry{describe(), Make<Visibility>{make}, nullptr, {"sinks", "recent"}};
    return entry;
}
}  // namespace entries_of::visibility

}  // namespace lw
