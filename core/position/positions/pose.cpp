/// PoSE. In training a window of n tokens stands for a text of s·L: it is cut in two, the first part of random length
/// v ~ U{1 .. ⌊(n + 1)/2⌋} keeps its places, the second is moved by u ~ U{0 .. s·L - n}; drawn per sequence. Outside training p' = p.
/// The paper also takes the second part's text from later in the document; here the text stays in one piece. It is meant together
/// with a frequency scaling by s (linear, NTK, YaRN), which makes the far positions readable.
/// Zhu, Yang, Wang, Song, Wu, Wei, Li 2023, arXiv 2309.10400.
#include "core/position/entry.h"
#include "core/position/positions/drawn.h"

#include <cmath>

namespace lw {

namespace {

class Pose final : public PositionMap {
public:
    explicit Pose(const Params& params) : factor_(real_param(params, "factor")) {}

    MappedPositions map(const at::Tensor& indices, const PositionContext& context) override {
        if (!context.training) return {indices, indices};
        const auto sequences = std::max<std::int64_t>(context.batch, 1);
        const auto target = static_cast<std::int64_t>(std::floor(factor_ * static_cast<double>(context.train_length)));
        const auto room = std::max<std::int64_t>(target - context.length, 0);
        const auto first = drawn_integers(sequences, 1, (context.length + 1) / 2, indices.device());  // [B, 1]
        const auto skip = drawn_integers(sequences, 0, room, indices.device());                       // [B, 1]
        const auto positions = skipping_positions(indices, first, skip);                              // [B, T]
        return {positions, positions};
    }

private:
    double factor_;
};

std::shared_ptr<PositionMap> make(const Params& params, const SlotShape& /*shape*/) { return std::make_shared<Pose>(params); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "positions";
    info.id = "pose";
    info.name = "PoSE";
    info.summary = "In training the second part of each text is moved far away, so that short texts show the distances of long ones.";
    info.formula = "p′ = p for p < v, else p + u;  v ~ U{1, …, ⌊(T+1)/2⌋}, u ~ U{0, …, s·L − T} in training";
    info.paper = "Zhu, Yang, Wang, Song, Wu, Wei, Li (2023): PoSE: Efficient Context Window Extension of LLMs via Positional Skip-wise Training";
    info.url = "https://arxiv.org/abs/2309.10400";
    info.beyond_training = "Distances up to s times the training length have been seen in training. Set the same factor s in a frequency scaling.";
    info.claims = claims({"ascending", "random-in-training", "fixed"});
    info.params = {
        real_spec({"factor", "Target factor s", "Positions reach up to s times the training length."}, 4, {1, 64, 0.5}),
    };
    return info;
}

}  // namespace

namespace entries_of::positions {
const Entry& pose() {
    static const Entry entry{describe(), Make<PositionMap>{make}, nullptr, {"factor"}};
    return entry;
}
}  // namespace entries_of::positions

}  // namespace lw
