#pragma once
/// The small layers of a block: dense projection, norm, feed-forward.

#include "core/api/recipe.h"

#include <torch/nn/module.h>

namespace lw {

/// y = x Wᵀ (+ b); x [..., in] -> [..., out].
class Dense : public torch::nn::Module {
public:
    Dense(std::int64_t in, std::int64_t out, bool with_bias);
    at::Tensor forward(const at::Tensor& x) const;
    void draw(double standard_deviation);  ///< weight ~ N(0, σ), bias = 0

private:
    at::Tensor weight_, bias_;
};

/// LayerNorm or RMSNorm over the last axis.
class Norm : public torch::nn::Module {
public:
    Norm(std::int64_t width, const ModelSpec& spec);
    at::Tensor forward(const at::Tensor& x) const;

private:
    at::Tensor weight_, bias_;
    double epsilon_;
    bool root_mean_square_;
};

/// Position-wise feed-forward: GELU (exact or tanh) or SwiGLU (gate and up projections fused).
class FeedForward : public torch::nn::Module {
public:
    explicit FeedForward(const ModelSpec& spec);
    at::Tensor forward(const at::Tensor& x) const;
    void draw(double inner, double output);

private:
    std::shared_ptr<Dense> in_, out_;
    at::Tensor (*activate_)(const at::Tensor&);
};

}  // namespace lw
