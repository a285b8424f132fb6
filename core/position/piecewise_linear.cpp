#include "core/position/piecewise_linear.h"

#include <ATen/ATen.h>
#include <torch/nn/modules/linear.h>
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
    : PiecewiseLinear(first.weight, first.bias, second.weight, second.bias, negative_slope) {}

PiecewiseLinear::PiecewiseLinear(const at::Tensor& w1_weights, const at::Tensor& b1_weights, const at::Tensor& w2_weights, const at::Tensor& b2_weights,
                                 double negative_slope)
    : outputs_(w2_weights.size(0)), units_(w2_weights.size(1)) {
    const auto w1 = doubles(w1_weights), b1 = doubles(b1_weights), w2 = doubles(w2_weights), b2 = doubles(b2_weights);
    usable_ = all_finite(w1) && all_finite(b1) && all_finite(w2) && all_finite(b2);
    if (!usable_) return;
    for (std::size_t u = 0; u < w1.size(); ++u) {
        const double at = -b1[u] / w1[u];
        if (std::isfinite(at)) breaks_.push_back(at);  // else the unit never changes sides
    }
    std::sort(breaks_.begin(), breaks_.end());
    for (std::size_t n = 0; n <= breaks_.size(); ++n) {
        const double inside = point_inside(breaks_, n);
        for (std::size_t u = 0; u < w1.size(); ++u) active_.push_back(w1[u] * inside + b1[u] > 0 ? 1 : negative_slope);
        for (std::size_t h = 0; h < b2.size(); ++h) {
            double slope = 0, intercept = b2[h];
            for (std::size_t u = 0; u < w1.size(); ++u) {
                const double weight = w2[h * w1.size() + u] * active_[n * w1.size() + u];
                slope += weight * w1[u];
                intercept += weight * b1[u];
            }
            slopes_.push_back(slope);
            intercepts_.push_back(intercept);
        }
    }
}

/// Neighbouring cells mostly share a piece, so a row is cut into runs of one piece, and each run is one line per head.
template <class Number, class F>
void PiecewiseLinear::each_run(const Number* x, std::int64_t columns, const F& f) const {
    std::size_t piece = 0;
    for (std::int64_t begin = 0; begin < columns;) {
        while (piece > 0 && x[begin] < breaks_[piece - 1]) --piece;
        while (piece < breaks_.size() && x[begin] >= breaks_[piece]) ++piece;
        const double low = piece > 0 ? breaks_[piece - 1] : -std::numeric_limits<double>::infinity();
        const double high = piece < breaks_.size() ? breaks_[piece] : std::numeric_limits<double>::infinity();
        std::int64_t end = begin + 1;
        while (end < columns && x[end] >= low && x[end] < high) ++end;
        f(piece, begin, end);
        begin = end;
    }
}

template <class Number>
void PiecewiseLinear::fill_row(const Number* x, std::int64_t columns, Number* out, std::int64_t head_stride) const {
    each_run(x, columns, [&](std::size_t piece, std::int64_t begin, std::int64_t end) {
        for (std::int64_t h = 0; h < outputs_; ++h) {
            const auto at = piece * static_cast<std::size_t>(outputs_) + static_cast<std::size_t>(h);
            const auto slope = static_cast<Number>(slopes_[at]), intercept = static_cast<Number>(intercepts_[at]);
            Number* line = out + h * head_stride;
            for (std::int64_t j = begin; j < end; ++j) line[j] = slope * x[j] + intercept;
        }
    });
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

namespace {

/// Of one run and one output: Σ d and Σ d x, and the gradient of x. Several sums side by side, which a compiler makes vectors of.
template <class Number>
void add_run(const Number* x, const Number* d, std::int64_t count, Number slope, Number* of_x, double& sum, double& moment) {
    constexpr std::int64_t kSide = 16;
    Number sums[kSide] = {}, moments[kSide] = {};
    std::int64_t j = 0;
    for (; j + kSide <= count; j += kSide) {
        for (std::int64_t n = 0; n < kSide; ++n) {
            sums[n] += d[j + n];
            moments[n] += d[j + n] * x[j + n];
            of_x[j + n] += d[j + n] * slope;
        }
    }
    for (; j < count; ++j) {
        sums[0] += d[j];
        moments[0] += d[j] * x[j];
        of_x[j] += d[j] * slope;
    }
    for (std::int64_t n = 0; n < kSide; ++n) {
        sum += static_cast<double>(sums[n]);
        moment += static_cast<double>(moments[n]);
    }
}

}  // namespace

/// sums [2, p + 1, H].
template <class Number>
void PiecewiseLinear::add_row(const Number* x, std::int64_t columns, const Number* d, std::int64_t head_stride, Number* of_x, double* sums) const {
    std::fill_n(of_x, columns, Number(0));
    each_run(x, columns, [&](std::size_t piece, std::int64_t begin, std::int64_t end) {
        for (std::int64_t h = 0; h < outputs_; ++h) {
            const auto at = piece * static_cast<std::size_t>(outputs_) + static_cast<std::size_t>(h);
            add_run(x + begin, d + h * head_stride + begin, end - begin, static_cast<Number>(slopes_[at]), of_x + begin, sums[at], sums[slopes_.size() + at]);
        }
    });
}

PiecewiseLinear::Sums PiecewiseLinear::sums(const at::Tensor& x, const at::Tensor& d) const {
    const auto input = x.contiguous(), gradient = d.stride(-1) == 1 ? d : d.contiguous();
    const auto rows = input.size(0), columns = input.size(1), pieces = static_cast<std::int64_t>(breaks_.size()) + 1;
    const auto parts = static_cast<std::int64_t>(at::get_num_threads());
    Sums result;
    result.x = at::empty_like(input);
    const auto each = at::zeros({parts, 2, pieces, outputs_}, at::kDouble);    // added in their order, so that runs are bit-equal
    AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "piecewise_linear_sums", [&] {
        const auto* from = input.const_data_ptr<scalar_t>();
        const auto* slopes = gradient.const_data_ptr<scalar_t>();
        auto* to = result.x.mutable_data_ptr<scalar_t>();
        at::parallel_for(0, parts, 1, [&](std::int64_t first, std::int64_t last) {
            for (auto part = first; part < last; ++part) {
                auto* sums = each.mutable_data_ptr<double>() + part * 2 * pieces * outputs_;
                for (auto i = part * rows / parts; i < (part + 1) * rows / parts; ++i) {
                    add_row(from + i * columns, columns, slopes + i * gradient.stride(1), gradient.stride(0), to + i * columns, sums);
                }
            }
        });
    });
    const auto total = each.sum(0);                                            // [2, p + 1, H]
    result.d = total[0];
    result.d_x = total[1];
    return result;
}

at::Tensor PiecewiseLinear::activation_slopes() const {
    return at::tensor(active_, at::kDouble).view({-1, units_});
}

}  // namespace lw
