/// BiPE. The text is cut into segments by separator tokens; a separator belongs to the segment that it closes. The input encoding sees
/// the place inside the segment, rotation and bias see the number of the segment:
///   absolute p = t - start(t),  relative p = separators before t.
/// Where no tokens are given (previews) the text is one segment.
/// He et al. 2024, arXiv 2401.16421.
#include "core/position/entry.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>

namespace lw {

namespace {

class Bipe final : public PositionMap {
public:
    explicit Bipe(const Params& params) {
        for (const double token : list_param(params, "separators")) separators_.push_back(static_cast<std::int64_t>(token));
    }

    MappedPositions map(const at::Tensor& indices, const PositionContext& context) override {
        if (!context.tokens.defined()) return {indices, at::zeros_like(indices)};
        const auto& tokens = context.tokens;                                                    // [B, T]
        const auto closes = at::isin(tokens, at::tensor(separators_, tokens.options())).to(at::kDouble);  // [B, T]
        const auto segment = closes.cumsum(1) - closes;                                         // [B, T]
        // A segment starts where the number has just risen; the latest start so far is the own one.
        const auto starts = at::constant_pad_nd(segment.diff(1, 1), {1, 0}).gt(0);              // [B, T]
        const auto start = std::get<0>(at::where(starts, indices, at::zeros_like(indices)).cummax(1));
        return {indices - start, segment};
    }
    bool reads_tokens() const override { return true; }

private:
    std::vector<std::int64_t> separators_;
};

std::shared_ptr<PositionMap> make(const Params& params, const SlotShape& /*shape*/) { return std::make_shared<Bipe>(params); }

void check(const Params& params) {
    for (const double token : list_param(params, "separators")) {
        if (token == std::floor(token)) continue;
        throw Failure(ErrorKind::invalid_argument, fmt::format("separators of BiPE holds {}; token numbers are whole.", token));
    }
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "positions";
    info.id = "bipe";
    info.name = "BiPE";
    info.summary = "Separators cut the text into segments: the input encoding counts inside a segment, rotation and bias count segments.";
    info.formula = "absolute p′ = t − start of its segment,  relative p′ = number of its segment";
    info.paper = "He, Feng, Luo, Yang, Wang, Xu, Zhang, Yang, He (2024): Two Stones Hit One Bird: Bilevel Positional Encoding for Better Length "
                 "Extrapolation";
    info.url = "https://arxiv.org/abs/2401.16421";
    info.beyond_training = "Places inside a segment stay small at any length. Only the number of segments grows, and that much more slowly than the text.";
    info.claims = claims({"content-dependent", "fixed"});
    info.params = {
        list_spec({"separators", "Separators", "Token numbers that close a segment. With byte tokens 10 is the end of a line and 46 the full stop."}, "10, 46",
                  {0, 1048576, 1}),
    };
    return info;
}

}  // namespace

namespace entries_of::positions {
const Entry& bipe() {
    static const Entry entry{describe(), Make<PositionMap>{make}, check, {}};
    return entry;
}
}  // namespace entries_of::positions

}  // namespace lw
