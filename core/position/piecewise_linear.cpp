#include "core/position/piecewise_linear.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lw {

namespace {

std::vector<double> doubles(const at::Tensor& x) {
    const auto values = x.detach().to(at::kCPU, at::kDouble).contiguous();
    return {values.const_data_ptr<double>(), values.const_data_ptr<double>() + values.numel()};
}

bool all_finite(const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

/// A point inside piece n: between its ends, or beyond the outermost break.
double point_inside(const std::vector<double>& breaks, std::size_t n) {
    if (breaks.empty()) return 0;
    if (n == 0) return breaks.front() - 1;
    if (n == breaks.size()) return breaks.back() + 1;
    return (breaks[n - 1] + breaks[n]) / 2;
}

}  // namespace

PiecewiseLinear::PiecewiseLinear(const torch::nn::LinearImpl& first, const torch::nn::LinearImpl& second, double negative_slope)
    : outputs_(second.weight.size(0)) {
    const auto w1 = doubles(first.weight), b1 = doubles(first.bias), w2 = doubles(second.weight), b2 = doubles(second.bias);
    usable_ = all_finite(w1) && all_finite(b1) && all_finite(w2) && all_finite(b2);
    if (!usable_) return;
    for (std::size_t u = 0; u < w1.size(); ++u) {
        const double at = -b1[u] / w1[u];
        if (std::isfinite(at)) breaks_.push_back(at);  // else the unit never changes sides
    }
    std::sort(breaks_.begin(), breaks_.end());
    for (std::size_t n = 0; n <= breaks_.size(); ++n) {
        const double inside = point_inside(breaks_, n);
        for (std::size_t h = 0; h < b2.size(); ++h) {
            double slope = 0, intercept = b2[h];
            for (std::size_t u = 0; u < w1.size(); ++u) {
                const double weight = w2[h * w1.size() + u] * (w1[u] * inside + b1[u] > 0 ? 1 : negative_slope);
                slope += weight * w1[u];
                intercept += weight * b1[u];
            }
            slopes_.push_back(slope);
            intercepts_.push_back(intercept);
        }
    }
}

/// Neighbouring cells mostly share a piece, so a row is cut into runs of one piece, and each run is one line per head.
template <class Number>
void PiecewiseLinear::fill_row(const Number* x, std::int64_t columns, Number* out, std::int64_t head_stride) const {
    std::size_t piece = 0;
    for (std::int64_t begin = 0; begin < columns;) {
        while (piece > 0 && x[begin] < breaks_[piece - 1]) --piece;
        while (piece < breaks_.size() && x[begin] >= breaks_[piece]) ++piece;
        const double low = piece > 0 ? breaks_[piece - 1] : -std::numeric_limits<double>::infinity();
        const double high = piece < breaks_.size() ? breaks_[piece] : std::numeric_limits<double>::infinity();
        std::int64_t end = begin + 1;
        while (end < columns && x[end] >= low && x[end] < high) ++end;
        for (std::int64_t h = 0; h < outputs_; ++h) {
            const auto at = piece * static_cast<std::size_t>(outputs_) + static_cast<std::size_t>(h);
            const auto slope = static_cast<Number>(slopes_[at]), intercept = static_cast<Number>(intercepts_[at]);
            Number* line = out + h * head_stride;
            for (std::int64_t j = begin; j < end; ++j) line[j] = slope * x[j] + intercept;
        }
        begin = end;
    }
}

at::Tensor PiecewiseLinear::operator()(const at::Tensor& x) const {
    const auto input = x.contiguous();                                         // [Tq, Tk]
    const auto rows = input.size(0), columns = input.size(1);
    auto out = at::empty({outputs_, rows, columns}, input.options());          // [H, Tq, Tk]
    AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "piecewise_linear", [&] {
        const auto* from = input.const_data_ptr<scalar_t>();
        auto* to = out.mutable_data_ptr<scalar_t>();
        const auto grain = std::max<std::int64_t>(1, 16384 / std::max<std::int64_t>(1, columns));
        at::parallel_for(0, rows, grain, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) fill_row(from + i * columns, columns, to + i * columns, rows * columns);
        });
    });
    return out;
}

}  // namespace lw
