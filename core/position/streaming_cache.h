#pragma once
/// StreamingLLM's cache: which keys it holds when a query is read, shared by the visibility "sinks" and the distance map "streaming".

#include "core/position/entry.h"

namespace lw {

struct StreamingCache {
    std::int64_t sinks = 0;  ///< keys kept from the text's start
    std::int64_t reach = 0;  ///< the farthest distance at which a recent key is kept
};

/// Sizes from parameters "sinks", "recent" (0 = as many as make the cache with the query L tokens long, -1 = none) and "includes_query".
StreamingCache streaming_cache(const Params& params, const SlotShape& shape);
std::vector<ParamSpec> streaming_params();

}  // namespace lw
