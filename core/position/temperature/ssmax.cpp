/// SSMax. Every logit of the query at place i is multiplied by s_h ln n, n = i + 1 keys up to its own; s_h is learned per head and starts at
/// `initial`. Whole logits, bias included, since it replaces the softmax. The first row becomes 0: it has one key.
/// Nakanishi 2025, arXiv 2501.19399. The variant with a learned offset is left out.
#include "core/position/entry.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

class Ssmax final : public Temperature {
public:
    Ssmax(const Params& params, const SlotShape& shape) {
        s_ = register_parameter("s", at::full({shape.heads}, real_param(params, "initial"), at::kFloat));
    }

    bool changes_logit() const override { return true; }
    at::Tensor apply(const at::Tensor& logit, const TileGeometry& geometry) override {
        const auto rows = at::log(geometry.query_places() + 1).to(logit.scalar_type()).view({1, -1, 1});  // [1, r, 1]
        return logit * (s_.to(logit.scalar_type()).view({-1, 1, 1}) * rows);                              // [B, H, r, c]
    }

private:
    at::Tensor s_;
};

std::shared_ptr<Temperature> make(const Params& params, const SlotShape& shape) { return std::make_shared<Ssmax>(params, shape); }

MethodCost cost(const Params& /*params*/, const ModelShape& shape) {
    MethodCost cost;
    cost.per_pair = static_cast<double>(shape.heads);  // one multiplication of every logit
    cost.learned = shape.heads;
    return cost;
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "temperature";
    info.id = "ssmax";
    info.name = "SSMax";
    info.summary = "Scores are multiplied by the logarithm of the number of keys and a learned strength of each head.";
    info.formula = "logit × sₕ·ln n,  n = i + 1";
    info.paper = "Nakanishi (2025): Scalable-Softmax Is Superior for Attention";
    info.url = "https://arxiv.org/abs/2501.19399";
    info.beyond_training = "Attention stays as concentrated as in training, because scores grow with the number of keys.";
    info.claims = claims({"row-factor", "pointwise", "learned"});
    info.params = {
        real_spec({"initial", "Initial strength", "Every head's s before training. 0.43 keeps scores about as large as without."}, 0.43, {0.01, 4, 0.01}),
    };
    info.plug_in = false;
    info.learned = true;
    return info;
}

}  // namespace

namespace entries_of::temperature {
const Entry& ssmax() {
    static const Entry entry{describe(), Make<Temperature>{make}, nullptr, {}, nullptr, cost};
    return entry;
}
}  // namespace entries_of::temperature

}  // namespace lw
