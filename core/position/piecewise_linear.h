#pragma once
/// A network with one input, one (leaky) ReLU layer and H outputs, as what it is: a piecewise linear function.

#include "core/position/geometry.h"

#include <torch/nn/modules/linear.h>

#include <vector>

namespace lw {

class PiecewiseLinear {
public:
    /// first: 1 -> w, second: w -> H; slope of the activation below 0.
    PiecewiseLinear(const torch::nn::LinearImpl& first, const torch::nn::LinearImpl& second, double negative_slope);
    /// w1 [w, 1], b1 [w], w2 [H, w], b2 [H].
    PiecewiseLinear(const at::Tensor& w1, const at::Tensor& b1, const at::Tensor& w2, const at::Tensor& b2, double negative_slope);

    /// False where a weight is not a number or infinite (training that went wrong): then it has no pieces, and the network itself must do.
    [[nodiscard]] bool usable() const { return usable_; }
    /// Only when usable(). x [Tq, Tk], on the CPU, float32 or float64 -> [H, Tq, Tk] of the same type. No gradients.
    at::Tensor operator()(const at::Tensor& x) const;

    /// Where a hidden unit changes sides, rising, [p].
    [[nodiscard]] const std::vector<double>& breaks() const { return breaks_; }
    /// Of each piece, [p + 1][H]. Piece n begins with break n - 1.
    [[nodiscard]] const std::vector<double>& slopes() const { return slopes_; }
    [[nodiscard]] const std::vector<double>& intercepts() const { return intercepts_; }

    /// What gradients d [H, Tq, Tk] of the outputs at x [Tq, Tk] come to, piece by piece. Only when usable().
    struct Sums {
        at::Tensor x;        ///< gradient of x, [Tq, Tk]
        at::Tensor d, d_x;   ///< Σ d and Σ d x over the cells of each piece, [p + 1, H] float64
    };
    [[nodiscard]] Sums sums(const at::Tensor& x, const at::Tensor& d) const;
    /// Slope of every unit's activation in each piece, [p + 1, w] float64.
    [[nodiscard]] at::Tensor activation_slopes() const;

private:
    template <class Number>
    void fill_row(const Number* x, std::int64_t columns, Number* out, std::int64_t head_stride) const;

    /// f(piece, begin, end) for the runs of one piece in a row.
    template <class Number, class F>
    void each_run(const Number* x, std::int64_t columns, const F& f) const;
    template <class Number>
    void add_row(const Number* x, std::int64_t columns, const Number* d, std::int64_t head_stride, Number* of_x, double* sums) const;

    std::int64_t outputs_ = 0, units_ = 0;
    bool usable_ = true;
    std::vector<double> breaks_;      // where a hidden unit changes sides, ascending, [p]
    std::vector<double> active_;      // slope of each unit's activation in each piece, [p + 1][w]
    std::vector<double> slopes_;      // of each piece, [p + 1][H]
    std::vector<double> intercepts_;  // [p + 1][H]
};

/// The network's outputs [H, Tq, Tk] at x [Tq, Tk] under autograd, x float32 on the CPU. Both passes take H multiplications per cell and keep
/// only x. Undefined where the weights are not usable().
at::Tensor piecewise_linear(const at::Tensor& x, const torch::nn::LinearImpl& first, const torch::nn::LinearImpl& second, double negative_slope);

/// A bias that can make its tiles, with gradients, by such pieces. Its tile() keeps to the formula where gradients are asked for: the
/// reference that this is compared with.
class PiecewiseBias {
public:
    virtual ~PiecewiseBias() = default;
    /// As Bias::tile(); undefined where pieces do not serve.
    virtual at::Tensor piecewise_tile(const TileGeometry& geometry) = 0;
};

}  // namespace lw
