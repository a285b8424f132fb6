#pragma once
/// The turn of pairs of elements that rotations are made of, and its gradient.

#include <ATen/core/Tensor.h>

namespace lw {

/// x [B, H, T, r] with each pair (a, b) turned to (a cos − b sin, b cos + a sin); cos and sin [.., T, r/2] broadcast over x and need not belong
/// to an angle. Pairs are (n, n + r/2), or (2n, 2n + 1) where `interleaved`. Su et al. 2021, arXiv 2104.09864, equation 34.
/// On the CPU one pass over x forward and one backward, elsewhere four of each, where autograd of the same products would keep six temporaries
/// and fill as many again.
/// Where x, cos and sin are not of one type, these are the plain products, in the type that x is promoted to.
at::Tensor turn_pairs(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin, bool interleaved);

/// The same as plain products, which autograd goes through: for cosines and sines that are learned, and what turn_pairs() is compared with.
at::Tensor turn_pairs_plain(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin, bool interleaved);

}  // namespace lw
