#include "core/position/catalogue.h"
#include "core/position/rotation/pair_rotation.h"
#include "core/position/turn_pairs.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lw {

PairRotation::PairRotation(const std::string& method, const Params& params, std::int64_t head_width, std::int64_t width)
    : base_(real_param(params, "base")), interleaved_(choice_param(params, "layout") == "interleaved"), width_(width) {
    if (head_width % 2 == 0) return;
    throw Failure(ErrorKind::invalid_argument, fmt::format("{} turns pairs of elements, but the head width is {} (odd). Choose an even head width "
                                                           "(width / heads), or a scheme without rotation.", method, head_width));
}

std::vector<double> pair_frequencies(double base, std::int64_t width) {
    std::vector<double> theta;
    for (std::int64_t n = 0; n < width / 2; ++n) theta.push_back(std::pow(base, -2.0 * static_cast<double>(n) / static_cast<double>(width)));
    return theta;
}

std::vector<double> PairRotation::inverse_frequencies() const { return pair_frequencies(base_, width_); }

std::int64_t pairs_within(const std::vector<double>& theta, std::int64_t length) {
    const double slowest = 2 * std::numbers::pi / static_cast<double>(length);
    return std::count_if(theta.begin(), theta.end(), [slowest](double value) { return value >= slowest; });
}

std::string turn_values(const std::vector<double>& theta) {
    const auto turned = std::count_if(theta.begin(), theta.end(), [](double value) { return value > 0; });
    if (turned == 0) return "no pair is turned";
    const double slowest = theta[static_cast<std::size_t>(turned - 1)];
    return fmt::format("θ = {:.4g} … {:.4g} radians per token; {} of {} pairs turn, the slowest once in {} tokens", theta.front(), slowest, turned, theta.size(),
                       number_text(std::round(2 * std::numbers::pi / slowest)));
}

MethodCost turn_cost(std::int64_t width, const ModelShape& shape) {
    MethodCost cost;
    cost.per_pair = 0;
    cost.per_token = 3.0 * static_cast<double>(width * (shape.heads + shape.key_heads()));
    cost.learned = 0;
    return cost;
}

at::Tensor PairRotation::rotate(const at::Tensor& x, const at::Tensor& positions, const Frequencies& frequencies, Side side) const {
    const auto theta = frequencies.theta(positions.device());                                // [r/2]
    const auto angle = positions.to(at::kDouble).unsqueeze(-1) * theta;                      // [.., T, r/2]
    auto cos = at::cos(angle) * frequencies.attention_factor;                                // [.., T, r/2]
    auto sin = at::sin(angle) * frequencies.attention_factor;                                // [.., T, r/2]
    const auto factor = length_factor(positions.to(at::kDouble), side, x.scalar_type());     // [.., T, r/2] or undefined
    if (factor.defined()) cos = cos * factor, sin = sin * factor;
    return turned(x, cos, sin);
}

at::Tensor PairRotation::turned(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin) const {
    // At least float32: 16-bit cosines would already be wrong at position 257.
    const auto type = x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    const auto pairs = x.slice(-1, 0, width_).to(type);                                      // [B, H, T, r]
    const auto result = turn_pairs(pairs, cos.to(type), sin.to(type), interleaved_);          // [B, H, T, r]
    if (width_ == x.size(-1)) return result.to(x.scalar_type());                             // [B, H, T, d]
    return at::cat({result.to(x.scalar_type()), x.slice(-1, width_)}, -1);                   // [B, H, T, d]
}

ParamSpec base_spec() { return real_spec({"base", "Base b", "Larger bases turn the slow pairs more slowly."}, 10000, {10, 1e10, 1000, true}); }

ParamSpec layout_spec(const std::string& default_value) {
    return choice_spec({"layout", "Pair layout", "half_split: GPT-NeoX, Llama in Hugging Face form. interleaved: GPT-J, Llama as first released."},
                       default_value, {"half_split", "interleaved"});
}

}  // namespace lw
