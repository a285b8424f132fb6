/// Randomized positions. The n tokens get n different numbers of 0 .. M - 1, drawn without replacement and sorted. In training a new
/// draw for each forward pass, shared by the batch (or one per sequence); outside training one fixed draw per (seed, n), so that a
/// text always gives the same result. Past M tokens nothing is left to draw: refused.
/// Ruoss et al. 2023, arXiv 2305.16843. The published code draws anew in every attention layer and at test as well; here all layers
/// see the same positions.
#include "core/position/entry.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <fmt/format.h>

namespace lw {

namespace {

class Randomized final : public PositionMap {
public:
    explicit Randomized(const Params& params)
        : maximum_(integer_param(params, "maximum")), per_sequence_(choice_param(params, "per") == "sequence"), seed_(integer_param(params, "seed")) {}

    MappedPositions map(const at::Tensor& indices, const PositionContext& context) override {
        refuse_beyond(context.length);
        const auto positions = (context.training ? drawn_anew(context) : fixed(context.length)).to(indices.device());  // [T] or [B, T]
        return {positions, positions};
    }
    bool length_dependent() const override { return true; }

private:
    void refuse_beyond(std::int64_t length) const {
        if (length <= maximum_) return;
        throw Failure(ErrorKind::invalid_argument,
                      fmt::format("Randomized positions are drawn from the numbers below {}, which do not suffice for {} tokens. "
                                  "Use a larger maximum, or at most {} tokens.", maximum_, length, maximum_));
    }

    /// n different numbers below M, ascending: [n] float64.
    at::Tensor draw(std::int64_t n, const std::optional<at::Generator>& generator) const {
        const auto picked = at::randperm(maximum_, generator, at::TensorOptions(at::kLong)).slice(0, 0, n);  // [n]
        return std::get<0>(picked.sort()).to(at::kDouble);
    }
    at::Tensor drawn_anew(const PositionContext& context) const {
        if (!per_sequence_ || context.batch <= 1) return draw(context.length, std::nullopt);
        std::vector<at::Tensor> rows;
        for (std::int64_t b = 0; b < context.batch; ++b) rows.push_back(draw(context.length, std::nullopt));
        return at::stack(rows);  // [B, T]
    }
    at::Tensor fixed(std::int64_t length) const {
        constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15;  // neighbouring seeds must not share their draws at other lengths
        return draw(length, at::make_generator<at::CPUGeneratorImpl>(static_cast<std::uint64_t>(seed_) * kSpread + static_cast<std::uint64_t>(length)));
    }

    std::int64_t maximum_;
    bool per_sequence_;
    std::int64_t seed_;
};

std::shared_ptr<PositionMap> make(const Params& params, const SlotShape& /*shape*/) { return std::make_shared<Randomized>(params); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "positions";
    info.id = "randomized";
    info.name = "Randomized";
    info.summary = "Tokens get random ascending positions from a range much longer than the training texts.";
    info.formula = "p′ = sorted draw of T different numbers from {0, …, M − 1}";
    info.paper = "Ruoss, Delétang, Genewein, Grau-Moya, Csordás, Bennani, Legg, Veness (2023): Randomized Positional Encodings Boost Length "
                 "Generalization of Transformers";
    info.url = "https://arxiv.org/abs/2305.16843";
    info.beyond_training = "Positions of longer texts have all been seen in training, as long as the text has at most M tokens.";
    info.claims = claims({"ascending", "random-in-training", "fixed"});
    info.params = {
        integer_spec({"maximum", "Range M", "Positions are drawn below it. It must cover the longest text that will ever be read.", "positions"}, 2048,
                     {16, 1048576, 1, true}),
        choice_spec({"per", "One draw per", "In training: one draw for the whole batch as published, or one for each sequence (slower with a bias)."}, "batch",
                    {"batch", "sequence"}),
        integer_spec({"seed", "Seed outside training", "Evaluation and generation use one fixed draw per length; another seed gives another one."}, 0,
                     {0, 1000000, 1}),
    };
    return info;
}

}  // namespace

namespace entries_of::positions {
const Entry& randomized() {
    static const Entry entry{describe(), Make<PositionMap>{make}, nullptr, {"maximum"}};
    return entry;
}
}  // namespace entries_of::positions

}  // namespace lw
