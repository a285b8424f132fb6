#pragma once
/// Softmax with one more logit in the denominator that has no value: weights of a row sum to less than 1.

#include "core/position/normaliser.h"

namespace lw {

class SinkSoftmax : public Normaliser {
public:
    at::Tensor weights(const at::Tensor& logit, const TileGeometry& geometry) final;
    at::Tensor log_normaliser(const at::Tensor& logit) final;

protected:
    /// The extra logit of each head, [H] or [1], of the type and on the device of `logit`.
    virtual at::Tensor sink(const at::Tensor& logit) const = 0;
};

}  // namespace lw
