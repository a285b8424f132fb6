#include "core/position/streaming_cache.h"

#include <algorithm>

namespace lw {

StreamingCache streaming_cache(const Params& params, const SlotShape& shape) {
    const std::int64_t own = flag_param(params, "includes_query") ? 1 : 0;
    StreamingCache cache;
    cache.sinks = integer_param(params, "sinks");
    const auto recent = integer_param(params, "recent");
    const auto filling = std::max<std::int64_t>(1, shape.train_length - cache.sinks - 1);
    cache.reach = recent < 0 ? 0 : recent > 0 ? recent - own : filling;
    return cache;
}

std::vector<ParamSpec> streaming_params() {
    return {
        integer_spec({"sinks", "Sinks S", "Keys kept from the start of the text.", "tokens"}, 4, {0, 64, 1}),
        integer_spec({"recent", "Recent keys R", "The last keys kept. 0 = as many as fill the training length together with the sinks; −1 = none but the "
                      "query's own.", "tokens"}, 0, {-1, 1048576, 1}),
        flag_spec({"includes_query", "Recent counts the query", "Off: R keys before the query, as the published code keeps them. On: the query is one of the R."},
                  false),
    };
}

}  // namespace lw
