/// T5 relative bias. B(i, j) = s · table[bucket(δ / r)][h], δ = max(i - j, 0), s = √d (GPT-NeoX) or 1.
/// Of b buckets the first b/2 hold one distance each; the others grow logarithmically up to the largest distance M:
/// bucket = b/2 + floor( ln(n / (b/2)) / ln(M / (b/2)) · b/2 ), at most b - 1 (cut after the b/2 was added).
/// Bidirectional (encoders): δ = |i - j|, half of the buckets for each side; those of later keys are the upper half.
/// One table for all layers by default. Raffel et al. 2020, arXiv 1910.10683.
#include "core/position/bias/t5_buckets.h"
#include "core/position/distance_bias.h"
#include "core/position/entry.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>

namespace lw {

namespace {

class T5Bias final : public DistanceBias {
public:
    T5Bias(const Params& params, const SlotShape& shape)
        : buckets_{integer_param(params, "buckets"), integer_param(params, "max_distance"), flag_param(params, "bidirectional")},
          distance_scale_(real_param(params, "distance_scale")),
          multiplier_(choice_param(params, "multiplier") == "sqrt_d" ? std::sqrt(static_cast<double>(shape.head_width)) : 1.0),
          shared_(flag_param(params, "shared")) {
        const double spread = std::sqrt(2.0 / static_cast<double>(buckets_.count + shape.heads));  // Xavier normal
        table_ = register_parameter("table", at::empty({buckets_.count, shape.heads}).normal_(0, spread));  // [b, H]
    }

    at::Tensor by_distance(const at::Tensor& distances, const TileGeometry& geometry) override { return by_difference(distances, geometry); }
    at::Tensor by_difference(const at::Tensor& differences, const TileGeometry& /*geometry*/) override {
        const auto rows = table_.to(precision()).index_select(0, t5_bucket(differences / distance_scale_, buckets_));  // [n, H]
        return (rows * multiplier_).t();                                                // [H, n]
    }
    bool shared_by_layers() const override { return shared_; }

private:
    T5Buckets buckets_;
    double distance_scale_, multiplier_;
    bool shared_;
    at::Tensor table_;
};

std::shared_ptr<Bias> make(const Params& params, const SlotShape& shape) { return std::make_shared<T5Bias>(params, shape); }

void check(const Params& params) { check_t5_buckets("T5", params); }

MethodCost cost(const Params& params, const ModelShape& shape) {
    MethodCost cost;
    cost.per_pair = static_cast<double>(shape.heads);  // looked up once per distance
    cost.learned = integer_param(params, "buckets") * shape.heads;
    cost.shared = flag_param(params, "shared");
    return cost;
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "bias";
    info.id = "t5";
    info.name = "T5 bias";
    info.summary = "A learned value per head for each of a few distance ranges.";
    info.formula = "B(i, j) = s·table[bucket(i − j)][h],  s = √d";
    info.paper = "Raffel, Shazeer, Roberts, Lee, Narang, Matena, Zhou, Li, Liu (2020): Exploring the Limits of Transfer Learning with a "
                 "Unified Text-to-Text Transformer";
    info.url = "https://arxiv.org/abs/1910.10683";
    info.beyond_training = "All far distances share the last bucket, so nothing new appears past the training length. "
                           "Buckets never reached in training keep their initial values.";
    info.claims = claims({"relative", "pointwise", "learned"});
    info.params = {
        integer_spec({"buckets", "Buckets", "Distance ranges; half of them hold a single distance."}, 32, {2, 128, 2}),
        integer_spec({"max_distance", "Largest distance", "From here on all distances share the last bucket.", "tokens"}, 128, {2, 4096, 1}),
        real_spec({"distance_scale", "Distance scale", "Distances are divided by it before they are put into buckets."}, 1, {1, 8, 0.5}),
        choice_spec({"multiplier", "Multiplier", "√d as in GPT-NeoX, or 1 as in T5 itself (whose scores are not scaled)."}, "sqrt_d",
                    {"sqrt_d", "one"}),
        flag_spec({"shared", "Shared by layers", "One table for all layers."}, true),
        flag_spec({"bidirectional", "Bidirectional", "Half of the buckets are for keys after the query; for encoders."}, false),
    };
    info.learned = true;
    return info;
}

}  // namespace

namespace entries_of::bias {
const Entry& t5() {
    static const Entry entry{describe(), Make<Bias>{make}, check, {}, nullptr, cost};
    return entry;
}
}  // namespace entries_of::bias

}  // namespace lw
