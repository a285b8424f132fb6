#include "core/position/sink_softmax.h"

#include <ATen/ATen.h>

namespace lw {

at::Tensor SinkSoftmax::weights(const at::Tensor& logit, const TileGeometry& /*geometry*/) {
    const auto extra = sink(logit).view({1, -1, 1, 1}).expand({logit.size(0), logit.size(1), logit.size(2), 1});  // [B, H, r, 1]
    return at::softmax(at::cat({logit, extra}, -1), -1).slice(-1, 0, logit.size(-1));                             // [B, H, r, c]
}

at::Tensor SinkSoftmax::log_normaliser(const at::Tensor& logit) {
    return at::logaddexp(at::logsumexp(logit, -1), sink(logit).view({1, -1, 1}));  // [B, H, r]
}

}  // namespace lw
