#pragma once
/// A network with one input, one (leaky) ReLU layer and H outputs, as what it is: a piecewise linear function.

#include <torch/nn/modules/linear.h>

#include <vector>

namespace lw {

class PiecewiseLinear {
public:
    /// first: 1 -> w, second: w -> H; slope of the activation below 0.
    PiecewiseLinear(const torch::nn::LinearImpl& first, const torch::nn::LinearImpl& second, double negative_slope);

    /// False where a weight is not a number or infinite (training that went wrong): then it has no pieces, and the network itself must do.
    [[nodiscard]] bool usable() const { return usable_; }
    /// Only when usable(). x [Tq, Tk], on the CPU, float32 or float64 -> [H, Tq, Tk] of the same type. No gradients.
    at::Tensor operator()(const at::Tensor& x) const;

private:
    template <class Number>
    void fill_row(const Number* x, std::int64_t columns, Number* out, std::int64_t head_stride) const;

    std::int64_t outputs_ = 0;
    bool usable_ = true;
    std::vector<double> breaks_;      // where a hidden unit changes sides, ascending, [p]
    std::vector<double> slopes_;      // of each piece, [p + 1][H]
    std::vector<double> intercepts_;  // [p + 1][H]
};

}  // namespace lw
