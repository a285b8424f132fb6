#include "core/model/key_value_cache.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace lw {

namespace {

/// Room for `length` tokens; grows by doubling, so that appending one token at a time copies seldom.
void reserve(at::Tensor& buffer, const at::Tensor& like, std::int64_t used, std::int64_t length) {
    if (buffer.defined() && buffer.size(2) >= length) return;
    const auto capacity = std::max<std::int64_t>(length, buffer.defined() ? 2 * buffer.size(2) : 64);
    auto larger = at::empty({like.size(0), like.size(1), capacity, like.size(3)}, like.options());
    if (buffer.defined()) larger.narrow(2, 0, used).copy_(buffer.narrow(2, 0, used));
    buffer = larger;
}

}  // namespace

KeyValueCache::Entry KeyValueCache::append(std::size_t layer, const at::Tensor& k, const at::Tensor& v, const at::Tensor& state) {
    auto& buffers = layers_.at(layer);
    const auto added = k.size(2), total = length_ + added;
    reserve(buffers.k, k, length_, total);
    reserve(buffers.v, v, length_, total);
    buffers.k.narrow(2, length_, added).copy_(k);
    buffers.v.narrow(2, length_, added).copy_(v);
    if (!state.defined()) return {buffers.k.narrow(2, 0, total), buffers.v.narrow(2, 0, total), {}};
    reserve(buffers.state, state, length_, total);
    buffers.state.narrow(2, length_, added).copy_(state);
    return {buffers.k.narrow(2, 0, total), buffers.v.narrow(2, 0, total), buffers.state.narrow(2, 0, total)};
}

void KeyValueCache::advance(const at::Tensor& tokens) {
    tokens_ = tokens_.defined() ? at::cat({tokens_, tokens}, 1) : tokens;
    length_ = tokens_.size(1);
}

void KeyValueCache::clear() {
    tokens_ = at::Tensor();
    length_ = 0;
}

}  // namespace lw
