/// TUPE. Positions meet positions by projections of their own, apart from the content:
///   B(i, j) = (LN(p_i) U_Q)·(LN(p_j) U_K) / √(2d)  [+ b[bucket(i - j)] with T5's buckets: TUPE-R; without: TUPE-A]
/// p [N, E] learned rows, LN a layer norm, U_Q and U_K [H d, E] with biases; one set for all layers. The paper divides the content scores by
/// √(2d) as well, so that both parts together keep the size of one: the preset has a temperature of 1/√2 for that. "Untie the first
/// token" replaces B(i, j) by a learned value per head in the first token's row and by another one in its column (the paper's [CLS]).
/// Positions between two rows read both, in proportion; past the table they are refused.
/// Ke, He, Liu 2020, arXiv 2006.15595 (ICLR 2021). Start: rows N(0, 0.02), projections as in LibTorch's linear layer, values 0.
#include "core/position/bias/t5_buckets.h"
#include "core/position/entry.h"
#include "core/position/table_rows.h"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>

#include <cmath>

namespace lw {

namespace {

constexpr double kStart = 0.02;

class Tupe final : public Bias {
public:
    Tupe(const Params& params, const SlotShape& shape)
        : heads_(shape.heads), buckets_{integer_param(params, "buckets"), integer_param(params, "max_distance"), flag_param(params, "bidirectional")} {
        const auto rows = integer_param(params, "rows");
        rows_ = register_parameter("rows", at::empty({rows > 0 ? rows : shape.train_length, shape.width}).normal_(0, kStart));  // [N, E]
        norm_ = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({shape.width})));
        query_ = register_module("query", torch::nn::Linear(shape.width, shape.heads * shape.head_width));
        key_ = register_module("key", torch::nn::Linear(shape.width, shape.heads * shape.head_width));
        if (flag_param(params, "relative")) table_ = register_parameter("table", at::zeros({buckets_.count, shape.heads}));     // [b, H]
        if (flag_param(params, "untie_first")) first_ = register_parameter("first", at::zeros({2, shape.heads}));               // row, column
    }

    at::Tensor tile(const TileGeometry& geometry) override {
        const auto q = projected(query_, geometry.query_positions), k = projected(key_, geometry.key_positions);  // [H, n, d]
        auto bias = at::matmul(q, k.transpose(-2, -1)) / std::sqrt(2.0 * static_cast<double>(q.size(-1)));       // [H, r, c]
        if (first_.defined()) bias = untied(bias, geometry);
        if (!table_.defined()) return bias;
        const auto differences = geometry.query_positions.unsqueeze(1) - geometry.key_positions.unsqueeze(0);    // [r, c]
        return bias + at::embedding(table_.to(precision()), t5_bucket(differences, buckets_)).permute({2, 0, 1});
    }
    bool distance_only() const override { return false; }
    bool shared_by_layers() const override { return true; }

private:
    /// LN(p) U, split into heads: positions [n] -> [H, n, d].
    at::Tensor projected(torch::nn::Linear& linear, const at::Tensor& positions) {
        const auto rows = rows_.to(precision());
        refuse_outside(positions, static_cast<double>(rows.size(0) - 1));
        const auto p = table_rows(rows, positions);                                                                            // [n, E]
        const auto normed = at::layer_norm(p, {p.size(-1)}, norm_->weight.to(precision()), norm_->bias.to(precision()));        // [n, E]
        const auto all = at::linear(normed, linear->weight.to(precision()), linear->bias.to(precision()));                      // [n, H d]
        return all.view({positions.numel(), heads_, -1}).transpose(0, 1);
    }

    at::Tensor untied(const at::Tensor& bias, const TileGeometry& geometry) const {
        const auto value = [&](std::int64_t which) { return first_.to(precision()).select(0, which).view({-1, 1, 1}); };          // [H, 1, 1]
        const auto column = at::where(geometry.key_places().eq(0).view({1, 1, -1}), value(1), bias);
        return at::where(geometry.query_places().eq(0).view({1, -1, 1}), value(0), column);
    }

    static void refuse_outside(const at::Tensor& positions, double last) {
        if (positions.numel() == 0) return;
        const double smallest = positions.min().item<double>(), largest = positions.max().item<double>();
        if (smallest >= 0 && largest <= last) return;
        const auto rows = static_cast<std::int64_t>(last) + 1;
        throw Failure(ErrorKind::invalid_argument,
                      fmt::format("Position {:g} lies outside the {} rows of TUPE's position table. Use at most {} tokens, or a larger \"rows\".",
                                  smallest < 0 ? smallest : largest, rows, rows));
    }

    std::int64_t heads_;
    T5Buckets buckets_;
    at::Tensor rows_, table_, first_;
    torch::nn::LayerNorm norm_{nullptr};
    torch::nn::Linear query_{nullptr}, key_{nullptr};
};

std::shared_ptr<Bias> make(const Params& params, const SlotShape& shape) { return std::make_shared<Tupe>(params, shape); }

void check(const Params& params) { check_t5_buckets("TUPE", params); }

/// The product of projected positions is made once for all layers; what is stored grows with the table.
MethodCost cost(const Params& params, const ModelShape& shape) {
    MethodCost cost;
    const auto rows = integer_param(params, "rows") > 0 ? integer_param(params, "rows") : shape.train_length;
    const auto projected = shape.heads * shape.head_width, width = shape.model_width();
    cost.per_pair = static_cast<double>(shape.heads * (2 * shape.head_width + 1));
    cost.per_token = 4.0 * static_cast<double>(projected * width);
    cost.learned = rows * width + 2 * width + 2 * projected * (width + 1);
    if (flag_param(params, "relative")) *cost.learned += integer_param(params, "buckets") * shape.heads;
    if (flag_param(params, "untie_first")) *cost.learned += 2 * shape.heads;
    cost.shared = true;
    return cost;
}

double reach(const Params& params, std::int64_t train_length) {
    const auto rows = integer_param(params, "rows");
    return static_cast<double>((rows > 0 ? rows : train_length) - 1);
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "bias";
    info.id = "tupe";
    info.name = "TUPE";
    info.summary = "Learned positions are compared with each other by projections of their own, apart from the content.";
    info.formula = "B(i, j) = (LN(pᵢ)·U_Q)·(LN(pⱼ)·U_K) / √(2d) + table[bucket(i − j)][h]";
    info.paper = "Ke, He, Liu (2020): Rethinking Positional Encoding in Language Pre-training";
    info.url = "https://arxiv.org/abs/2006.15595";
    info.beyond_training = "Rows past the training length were never trained, and past the table there are none: longer texts are refused. "
                           "Only the relative part would go further.";
    info.claims = claims({"row-dependent", "pointwise", "bounded-table", "learned"});
    info.params = {
        integer_spec({"rows", "Rows N", "Positions in the table. 0 = the training length.", "tokens"}, 0, {0, 65536, 64}),
        flag_spec({"relative", "Relative part", "TUPE-R: adds a learned value per distance range; off is TUPE-A."}, true),
        integer_spec({"buckets", "Buckets", "Distance ranges of the relative part."}, 32, {2, 128, 2}),
        integer_spec({"max_distance", "Largest distance", "From here on all distances share the last bucket.", "tokens"}, 128, {2, 4096, 1}),
        flag_spec({"bidirectional", "Bidirectional", "Half of the buckets are for keys after the query; for encoders."}, false),
        flag_spec({"untie_first", "Untie the first token", "Its row and its column get learned values in place of positions, as the paper does for [CLS]."},
                  false),
    };
    info.learned = true;
    return info;
}

}  // namespace

namespace entries_of::bias {
const Entry& tupe() {
    static const Entry entry{describe(), Make<Bias>{make}, check, {"relative"}, nullptr, cost, reach};
    return entry;
}
}  // namespace entries_of::bias

}  // namespace lw
