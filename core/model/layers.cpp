#include "core/model/layers.h"

#include <ATen/ATen.h>

#include <array>
#include <string_view>
#include <utility>

namespace lw {

Dense::Dense(std::int64_t in, std::int64_t out, bool with_bias) {
    weight_ = register_parameter("weight", at::zeros({out, in}));
    if (with_bias) bias_ = register_parameter("bias", at::zeros({out}));
}

at::Tensor Dense::forward(const at::Tensor& x) const { return at::linear(x, weight_, bias_); }

void Dense::draw(double standard_deviation) {
    const at::NoGradGuard no_gradient;
    weight_.normal_(0, standard_deviation);
    if (bias_.defined()) bias_.zero_();
}

Norm::Norm(std::int64_t width, const ModelSpec& spec) : epsilon_(spec.norm_eps), root_mean_square_(spec.norm == "rmsnorm") {
    weight_ = register_parameter("weight", at::ones({width}));
    if (!root_mean_square_ && spec.norm_bias) bias_ = register_parameter("bias", at::zeros({width}));
}

at::Tensor Norm::forward(const at::Tensor& x) const {
    if (!root_mean_square_) return at::layer_norm(x, {x.size(-1)}, weight_, bias_, epsilon_);
    const auto mean_square = x.to(at::kFloat).square().mean(-1, true);  // [..., 1]
    return (x * (mean_square + epsilon_).rsqrt()).to(x.scalar_type()) * weight_;
}

namespace {

at::Tensor gelu_exact(const at::Tensor& x) { return at::gelu(x); }
at::Tensor gelu_tanh(const at::Tensor& x) { return at::gelu(x, "tanh"); }
at::Tensor swiglu(const at::Tensor& x) {
    const auto halves = x.chunk(2, -1);  // gate, up
    return at::silu(halves[0]) * halves[1];
}

struct Activation {
    std::string_view id;
    at::Tensor (*function)(const at::Tensor&);
    std::int64_t inputs;  // projections of ffn_width it reads
};
constexpr std::array kActivations{Activation{"gelu", gelu_exact, 1}, Activation{"gelu-tanh", gelu_tanh, 1}, Activation{"swiglu", swiglu, 2}};

const Activation& find_activation(const std::string& id) {
    for (const auto& activation : kActivations) {
        if (activation.id == id) return activation;
    }
    throw Failure(ErrorKind::invalid_argument, "Unknown activation \"" + id + "\": choose gelu, gelu-tanh or swiglu.");
}

}  // namespace

FeedForward::FeedForward(const ModelSpec& spec) {
    const auto& activation = find_activation(spec.activation);
    activate_ = activation.function;
    in_ = register_module("in", std::make_shared<Dense>(spec.width, activation.inputs * spec.ffn_width, spec.output_bias));
    out_ = register_module("out", std::make_shared<Dense>(spec.ffn_width, spec.width, spec.output_bias));
}

at::Tensor FeedForward::forward(const at::Tensor& x) const { return out_->forward(activate_(in_->forward(x))); }

void FeedForward::draw(double inner, double output) {
    in_->draw(inner);
    out_->draw(output);
}

}  // namespace lw
