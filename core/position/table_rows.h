#pragma once
/// Rows of a learned table of positions, read at whole and fractional places.

#include <ATen/ATen.h>

namespace lw {

/// rows [N, E], places [..] float64 within [0, N - 1] -> [.., E]; between two rows both in proportion.
inline at::Tensor table_rows(const at::Tensor& rows, const at::Tensor& places) {
    const auto last = static_cast<double>(rows.size(0) - 1);
    const auto below = places.floor();
    const auto share = (places - below).to(rows.scalar_type()).unsqueeze(-1);                  // [.., 1]
    return at::lerp(at::embedding(rows, below.to(at::kLong)), at::embedding(rows, (below + 1).clamp_max(last).to(at::kLong)), share);
}

}  // namespace lw
