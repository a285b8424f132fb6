/// PaTH. Between a key and a query lies the product of one Householder-like map per token:
///   score(i, j) = scale · q_iᵀ G_i G_{i-1} … G_{j+1} k_j,  G_t = I - β_t w_t w_tᵀ.
/// w = silu(causal depth-wise convolution of W x), made a unit vector; W: E -> rank -> Hkv d, or E -> Hkv d where key heads are shared
/// (then, or with rank 0); β = 2 sigmoid(V x + c). x is the layer's normed input. There are no frequencies and no positions.
/// What is kept per token is W x and β; the convolution and the norm run when scores are made, so that a decode row sees the tokens before
/// it as the full pass does. Products of maps are summed up in blocks of 64 keys: with L = strictly lower part of W Wᵀ inside a block,
///   G_e … G_s = I - Wᵀ M W,  M = (I + diag(β) L)⁻¹ diag(β),
/// and any window of M is the M of that window, which gives every score of the block from one triangular solve.
/// Yang et al. 2025, arXiv 2505.16381; projections, silu and starts as in flash-linear-attention. Its forget gate (PaTH-FoX) is the
/// bias "fox" beside it.
#include "core/position/entry.h"

#include <ATen/ATen.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/nn/modules/linear.h>

#include <algorithm>
#include <cmath>

namespace lw {

namespace {

constexpr std::int64_t kBlock = 64;  // counted from the first key, so that rows are cut alike in every pass

/// Keys in whole blocks, [B, S, N, 64, ...] each; the last one filled up with maps that change nothing.
struct Blocks {
    at::Tensor k, w;   ///< [B, S, N, C, d]
    at::Tensor maps;   ///< M, [B, S, N, C, C], lower triangular
    at::Tensor met;    ///< w_b · k_j for b > j, else 0, [B, S, N, C, C]
};

/// [B, S, c, n] -> [B, S, N, C, n], zeros after the last.
at::Tensor in_blocks(const at::Tensor& x) {
    const auto blocks = (x.size(2) + kBlock - 1) / kBlock;
    const auto filled = at::constant_pad_nd(x, {0, 0, 0, blocks * kBlock - x.size(2)});
    return filled.reshape({x.size(0), x.size(1), blocks, kBlock, x.size(3)});
}

Blocks blocks_of(const at::Tensor& k, const at::Tensor& w, const at::Tensor& beta) {
    Blocks made{in_blocks(k), in_blocks(w), {}, {}};
    const auto b = in_blocks(beta);                                                               // [B, S, N, C, 1]
    const auto earlier = at::matmul(made.w, made.w.transpose(-2, -1)).tril(-1);                   // L
    const auto unit = at::eye(kBlock, earlier.options());
    made.maps = at::linalg_solve_triangular(unit + b * earlier, unit * b, /*upper=*/false, /*left=*/true, /*unitriangular=*/true);
    made.met = at::matmul(made.w, made.k.transpose(-2, -1)).tril(-1);
    return made;
}

/// Unscaled scores [B, S, R, N C] of queries [B, S, R, d] whose own places among the keys are `places` [R].
at::Tensor scores_by_blocks(const Blocks& blocks, at::Tensor queries, const at::Tensor& places, std::int64_t first_row) {
    std::vector<at::Tensor> parts;
    for (std::int64_t n = blocks.k.size(2) - 1; n >= 0; --n) {
        const auto k = blocks.k.select(2, n), w = blocks.w.select(2, n);                          // [B, S, C, d]
        auto seen = at::matmul(queries, w.transpose(-2, -1));                                     // [B, S, R, C]
        if ((n + 1) * kBlock - 1 > first_row) {
            // A query's own map is the last one on its way.
            const auto keys = at::arange(n * kBlock, (n + 1) * kBlock, places.options());
            seen = seen * keys.unsqueeze(0).le(places.unsqueeze(1)).to(seen.scalar_type());
        }
        const auto mapped = at::matmul(seen, blocks.maps.select(2, n));                           // [B, S, R, C]
        parts.push_back(at::matmul(queries, k.transpose(-2, -1)) - at::matmul(mapped, blocks.met.select(2, n)));
        queries = queries - at::matmul(mapped, w);                                                // the query as the block before sees it
    }
    std::reverse(parts.begin(), parts.end());
    return at::cat(parts, -1);
}

class Path final : public Rotation {
public:
    Path(const Params& params, const SlotShape& shape) : heads_(shape.key_heads()), width_(shape.head_width), taps_(integer_param(params, "convolution")) {
        const auto rank = heads_ == shape.heads ? integer_param(params, "rank") : 0;
        const auto options = [](std::int64_t in, std::int64_t out) { return torch::nn::LinearOptions(in, out).bias(false); };
        if (rank > 0) inner_ = register_module("inner", torch::nn::Linear(options(shape.width, rank)));
        outer_ = register_module("outer", torch::nn::Linear(options(rank > 0 ? rank : shape.width, heads_ * width_)));
        beta_ = register_module("beta", torch::nn::Linear(shape.width, heads_));
        if (taps_ == 1) return;
        const double bound = 1 / std::sqrt(static_cast<double>(taps_));
        convolution_ = register_parameter("convolution", at::empty({taps_, heads_, 1, width_}).uniform_(-bound, bound));
    }

    std::vector<double> inverse_frequencies() const override { return {}; }
    double base() const override { return 1; }
    at::Tensor rotate(const at::Tensor& x, const at::Tensor& /*positions*/, const Frequencies& /*frequencies*/, Side /*side*/) const override { return x; }

    bool reads_state() const override { return true; }
    at::Tensor token_state(const at::Tensor& normed) override {
        const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);  // products of many maps need the digits
        const auto x = normed.to(precision());
        const auto low = inner_ ? at::linear(x, cast(inner_->weight)) : x;
        const auto w = at::linear(low, cast(outer_->weight)).view({x.size(0), x.size(1), heads_, width_});          // [B, T, S, d]
        const auto beta = 2 * at::sigmoid(at::linear(x, cast(beta_->weight), cast(beta_->bias))).unsqueeze(-1);     // [B, T, S, 1]
        return at::cat({w, beta}, -1).transpose(1, 2);                                                              // [B, S, T, d + 1]
    }

    at::Tensor scores(const at::Tensor& q, const at::Tensor& k, const at::Tensor& state, std::int64_t first_row, double scale) override {
        const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
        const auto type = q.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
        const auto own = state.to(type);
        const auto blocks = blocks_of(k.to(type), directions(own.slice(-1, 0, width_)), own.slice(-1, width_));
        const auto group = q.size(1) / k.size(1), rows = q.size(2);
        const auto queries = q.to(type).reshape({q.size(0), k.size(1), group * rows, width_});                      // [B, S, G r, d]
        const auto places = at::arange(first_row, first_row + rows, at::TensorOptions(at::kLong).device(q.device())).repeat({group});
        const auto found = scores_by_blocks(blocks, queries, places, first_row).slice(-1, 0, k.size(2)) * scale;   // [B, S, G r, c]
        return found.reshape({q.size(0), q.size(1), rows, k.size(2)});
    }

private:
    at::Tensor cast(const at::Tensor& parameter) const { return parameter.to(precision()); }

    /// Unit vectors [B, S, c, d] from what the tokens kept.
    at::Tensor directions(const at::Tensor& kept) const {
        auto w = kept;
        if (taps_ > 1) {
            const auto before = at::constant_pad_nd(kept, {0, 0, taps_ - 1, 0});
            w = at::zeros_like(kept);
            for (std::int64_t n = 0; n < taps_; ++n) w = w + before.slice(2, n, n + kept.size(2)) * convolution_.select(0, n).to(kept.scalar_type());
            w = at::silu(w);
        }
        return w / w.norm(2, -1, true).clamp_min(1e-12);
    }

    std::int64_t heads_, width_, taps_;
    torch::nn::Linear inner_{nullptr}, outer_{nullptr}, beta_{nullptr};
    at::Tensor convolution_;  // [taps, S, 1, d], the last tap on the token itself
};

std::shared_ptr<Rotation> make(const Params& params, const SlotShape& shape) { return std::make_shared<Path>(params, shape); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "rotation";
    info.id = "path";
    info.name = "PaTH";
    info.summary = "A product of reflection-like maps, one per token between key and query, made from the text itself.";
    info.formula = "qᵢᵀ·Gᵢ·Gᵢ₋₁⋯Gⱼ₊₁·kⱼ,  Gₜ = I − βₜ·wₜ·wₜᵀ,  βₜ = 2·σ(·),  |wₜ| = 1";
    info.paper = "Yang, Shen, Wen, Tan, Mishra, Ren, Panda, Kim (2025): PaTH Attention: Position Encoding via Accumulating Householder Transformations";
    info.url = "https://arxiv.org/abs/2505.16381";
    info.beyond_training = "Nothing is tied to a position number, so nothing new appears past the training length. Its authors report good "
                           "tracking of states; the costs per score are higher than a rotation's.";
    info.claims = claims({"content-dependent", "learned"});
    info.params = {
        integer_spec({"rank", "Rank", "Of the projection that makes w. 0 = full. Where heads share keys it is always full."}, 32, {0, 1024, 8}),
        integer_spec({"convolution", "Convolution", "Tokens that w is mixed from, the token itself last. 1 = none.", "tokens"}, 3, {1, 8, 1}),
    };
    info.learned = true;
    return info;
}

}  // namespace

namespace entries_of::rotation {
const Entry& path() {
    static const Entry entry{describe(), Make<Rotation>{make}, nullptr, {}};
    return entry;
}
}  // namespace entries_of::rotation

}  // namespace lw
