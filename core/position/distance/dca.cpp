/// Dual Chunk Attention. c = chunk share · L, w = local share · L, s = c - w; a position p lies in chunk floor(p/s).
///   same chunk:     f = (i mod s) - (j mod s)
///   chunk before:   f = min(i mod s + s, c) - (j mod s)
///   older chunks:   f = min(2s - 1, c) - (j mod s)
/// Past L, cos and sin are multiplied by 0.05 ln(length / L) + 1, so scores by its square.
/// An et al. 2024, arXiv 2402.17463; HKUNLP/ChunkLlama.
#include "core/position/cells.h"
#include "core/position/entry.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>

namespace lw {

namespace {

class DualChunk final : public DistanceMap {
public:
    DualChunk(const Params& params, const SlotShape& shape) : grows_(flag_param(params, "mscale")) {
        const auto length = static_cast<double>(shape.train_length);
        chunk_ = std::max(1.0, std::round(real_param(params, "chunk") * length));
        stride_ = std::max(1.0, chunk_ - std::round(real_param(params, "local") * length));
    }

    at::Tensor distance(const TileGeometry& geometry) const override {
        const auto apart = chunks_apart(geometry);                                  // [r, c]
        const auto query = at::where(apart.eq(0), own(geometry.query_positions).unsqueeze(1),
                                     at::where(apart.eq(1), successive(geometry.query_positions).unsqueeze(1), far()));
        return query - own(geometry.key_positions).unsqueeze(0);
    }
    std::vector<DistanceBranch> branches(const TileGeometry& geometry) const override {
        const auto apart = chunks_apart(geometry);
        const auto keys = own(geometry.key_positions);
        return {{at::full_like(geometry.query_positions, far()), keys},
                {successive(geometry.query_positions), keys, apart.eq(1)},
                {own(geometry.query_positions), keys, apart.eq(0)}};
    }
    Frequencies adjusted(const Frequencies& frequencies, std::int64_t length, std::int64_t train_length) const override {
        Frequencies result = frequencies;
        const double share = resolved_factor(0, length, train_length);
        if (grows_ && share > 1) result.attention_factor *= 0.05 * std::log(share) + 1;
        return result;
    }

private:
    [[nodiscard]] at::Tensor own(const at::Tensor& positions) const { return at::remainder(positions, stride_); }
    [[nodiscard]] at::Tensor successive(const at::Tensor& positions) const { return (own(positions) + stride_).clamp_max(chunk_); }
    [[nodiscard]] double far() const { return std::min(2 * stride_ - 1, chunk_); }
    /// How many chunks a key lies before its query, [r, c].
    [[nodiscard]] at::Tensor chunks_apart(const TileGeometry& geometry) const {
        return at::floor(geometry.query_positions / stride_).unsqueeze(1) - at::floor(geometry.key_positions / stride_).unsqueeze(0);
    }

    bool grows_;
    double chunk_ = 1, stride_ = 1;
};

std::shared_ptr<DistanceMap> make(const Params& params, const SlotShape& shape) { return std::make_shared<DualChunk>(params, shape); }

void check(const Params& params) {
    const double chunk = real_param(params, "chunk"), local = real_param(params, "local");
    if (local < chunk) return;
    throw Failure(ErrorKind::invalid_argument,
                  fmt::format("local of Dual Chunk Attention is {}; the local window must be shorter than a chunk, which is {}.", local, chunk));
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "distance";
    info.id = "dca";
    info.name = "Dual Chunk Attention";
    info.summary = "Positions start again in every chunk; keys of the chunk before and of older ones get distances of their own.";
    info.formula = "f = i mod s − j mod s in one chunk, min(i mod s + s, c) − j mod s in the next, min(2s − 1, c) − j mod s beyond";
    info.paper = "An, Huang, Zhang, Gong, Qiu, Zhou, Kong (2024): Training-Free Long-Context Scaling of Large Language Models";
    info.url = "https://arxiv.org/abs/2402.17463";
    info.beyond_training = "Every distance stays below the training length at any text length. Far keys keep their place inside their chunk only.";
    info.claims = claims({"equals-oracle", "identity-inside-window", "stays-trained", "fixed"});
    info.params = {
        real_spec({"chunk", "Chunk size c", "As a share of the training length.", "L"}, 0.75, {0.3, 0.9, 0.05}),
        real_spec({"local", "Local window w", "Distances up to it stay exact across chunks; a share of the training length. s = c − w.", "L"}, 0.125,
                  {0, 0.7, 0.025}),
        flag_spec({"mscale", "Sharpen with length", "Past the training length cos and sin are multiplied by 0.05·ln(length/L) + 1."}, true),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::distance {
const Entry& dca() {
    static const Entry entry{describe(), Make<DistanceMap>{make}, check, {}};
    return entry;
}
}  // namespace entries_of::distance

}  // namespace lw
