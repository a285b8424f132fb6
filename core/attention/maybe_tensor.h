#pragma once
/// Tensors that may be missing among the inputs of an autograd function.

#include <ATen/core/Tensor.h>

#include <optional>

namespace lw {

/// Autograd refuses undefined tensors among a function's inputs, but takes empty optionals.
using MaybeTensor = std::optional<at::Tensor>;
inline MaybeTensor maybe(const at::Tensor& x) { return x.defined() ? MaybeTensor(x) : std::nullopt; }

}  // namespace lw
