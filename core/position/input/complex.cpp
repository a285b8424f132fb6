/// Complex order embedding. Word j at position p is the complex vector r_j·exp(i(ω_j·p + φ_j)), with a speed ω of its own for every word and
/// element. r_j·exp(iφ_j) is the word's embedding: its first half is the real part, its second half the imaginary part, so
///   (x, y) -> (x cos ω_j p - y sin ω_j p, y cos ω_j p + x sin ω_j p),  ω [V, E/2] learned.
/// Adaptation: the published network after it is complex; here it is real and sees both parts side by side as the halves of the
/// embedding. ω starts at the sinusoid's b^(-2k/E) times 1 + N(0, 0.1); the start is a choice of this program.
/// Wang, Zhao, Lioma, Li, Zhang, Simonsen 2020, arXiv 1912.12333.
#include "core/position/entry.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>

namespace lw {

namespace {

class Complex final : public InputEncoding {
public:
    Complex(const Params& params, const SlotShape& shape) {
        if (shape.width % 2 != 0) {
            throw Failure(ErrorKind::invalid_argument,
                          fmt::format("The complex embedding needs a real and an imaginary half, but the model width is {} (odd). Choose an even width.",
                                      shape.width));
        }
        const auto pairs = shape.width / 2;
        const auto start = at::pow(real_param(params, "base"), -at::arange(pairs, at::kDouble) / static_cast<double>(pairs)).to(at::kFloat);  // [E/2]
        speed_ = register_parameter("speed", at::empty({shape.vocabulary, pairs}).normal_(1, 0.1).mul_(start));                              // [V, E/2]
    }

    at::Tensor apply(const at::Tensor& embedded, const at::Tensor& positions, const at::Tensor& tokens) override {
        const auto angle = at::embedding(speed_.to(at::kDouble), tokens) * positions.to(at::kDouble).unsqueeze(-1);  // [B, T, E/2]
        const auto cos = at::cos(angle).to(precision()), sin = at::sin(angle).to(precision());                       // [B, T, E/2] each
        const auto halves = embedded.to(precision()).chunk(2, -1);                                                   // [B, T, E/2] each
        const auto real = halves[0] * cos - halves[1] * sin, imaginary = halves[1] * cos + halves[0] * sin;
        return at::cat({real, imaginary}, -1).to(embedded.scalar_type());                                            // [B, T, E]
    }

    /// What the first word of the vocabulary would become if its vector were 1 everywhere.
    at::Tensor table(const at::Tensor& positions) override {
        const auto angle = positions.to(at::kDouble).unsqueeze(-1) * speed_[0].to(at::kDouble);                      // [.., E/2]
        return at::cat({at::cos(angle), at::sin(angle)}, -1).to(precision());                                        // [.., E]
    }

private:
    at::Tensor speed_;
};

std::shared_ptr<InputEncoding> make(const Params& params, const SlotShape& shape) { return std::make_shared<Complex>(params, shape); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "input";
    info.id = "complex";
    info.name = "Complex order";
    info.summary = "Each word's embedding is a complex vector that turns along the text, at speeds that are learned for every word.";
    info.formula = "z_j(p) = r_j·exp(i(ω_j·p + φ_j)),  x = [Re z; Im z],  r·exp(iφ): the word's embedding";
    info.paper = "Wang, Zhao, Lioma, Li, Zhang, Simonsen (2020): Encoding Word Order in Complex Embeddings";
    info.url = "https://arxiv.org/abs/1912.12333";
    info.beyond_training = "Every position has a vector, but slow elements reach angles that were never seen in training.";
    info.claims = claims({"relative-dot", "learned"});
    info.params = {
        real_spec({"base", "Base b of the start", "Speeds start near those of a sinusoidal encoding with this base."}, 10000, {10, 1e8, 1000, true}),
    };
    info.learned = true;
    return info;
}

}  // namespace

namespace entries_of::input {
const Entry& complex() {
    static const Entry entry{describe(), Make<InputEncoding>{make}, nullptr, {}};
    return entry;
}
}  // namespace entries_of::input

}  // namespace lw
