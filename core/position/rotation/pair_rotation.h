#pragma once
/// What rotations share that turn pairs of elements by position · θ: layouts, angles, and the turn itself.

#include "core/position/entry.h"

namespace lw {

/// Turns pair n of the first r elements by the angle p · θ_n, (x, y) -> (x cos - y sin, y cos + x sin); the other d - r elements stay.
/// Layouts: half_split pairs (n, n + r/2), interleaved pairs (2n, 2n + 1); the same up to a fixed permutation of the elements.
class PairRotation : public Rotation {
public:
    /// `width` = r. Throws Failure(invalid_argument) when the head width is odd.
    PairRotation(const std::string& method, const Params& params, std::int64_t head_width, std::int64_t width);

    /// θ_n = b^(-2n/r).
    std::vector<double> inverse_frequencies() const override;
    double base() const override { return base_; }
    at::Tensor rotate(const at::Tensor& x, const at::Tensor& positions, const Frequencies& frequencies, Side side) const override;

protected:
    /// x [B, H, T, d] with pairs turned by the given cosines and sines [.., T, r/2] float64; neither need belong to an angle.
    at::Tensor turned(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin) const;
    /// A factor on each pair besides the turn, positions [..., T] float64 -> [..., T, r/2] float64; undefined for none. `type` is the
    /// type that the turned elements will have.
    virtual at::Tensor length_factor(const at::Tensor& /*positions*/, Side /*side*/, at::ScalarType /*type*/) const { return {}; }

private:
    double base_;
    bool interleaved_;
    std::int64_t width_;  // r
};

/// θ_n = b^(-2n/r), n < r/2.
std::vector<double> pair_frequencies(double base, std::int64_t width);
/// How many of the falling frequencies finish a turn within `length` tokens, θ >= 2π / length.
std::int64_t pairs_within(const std::vector<double>& theta, std::int64_t length);
/// "θ = 1 … 0.0001778 radians per token, the slowest of 16 pairs turns once in 35,333 tokens": of the pairs that are turned, θ > 0.
std::string turn_values(const std::vector<double>& theta);
/// Two multiplications and one addition for each of the r turned elements of every query and key; the angles serve all heads.
MethodCost turn_cost(std::int64_t width, const ModelShape& shape);

/// Parameters "base" and "layout", which every PairRotation reads.
ParamSpec base_spec();
ParamSpec layout_spec(const std::string& default_value = "half_split");

}  // namespace lw
