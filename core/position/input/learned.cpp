/// Learned positions. A table [N, E] of trained rows; row t is added to the embedding of token t. N = L by default.
/// Past the table there is nothing: refuse, clip to the last row, begin again at the first one (position mod N), or read at
/// position / factor. Positions between two rows (after interpolation) read both, in proportion.
/// Gehring et al. 2017, arXiv 1705.03122; GPT-2 uses it. Start: N(0, √(2/(5E))), as the token embedding.
#include "core/position/entry.h"
#include "core/position/table_rows.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace lw {

namespace {

class Learned final : public InputEncoding {
public:
    Learned(const Params& params, const SlotShape& shape)
        : policy_(choice_param(params, "beyond")), factor_(policy_ == "interpolate" ? real_param(params, "factor") : 1.0) {
        const auto rows = integer_param(params, "rows");
        const double spread = std::sqrt(2.0 / (5.0 * static_cast<double>(shape.width)));
        table_ = register_parameter("table", at::empty({rows > 0 ? rows : shape.train_length, shape.width}).normal_(0, spread));  // [N, E]
    }

    at::Tensor apply(const at::Tensor& embedded, const at::Tensor& positions, const at::Tensor& /*tokens*/) override {
        return embedded + table(positions).to(embedded.scalar_type());  // [B, T, E]
    }

    at::Tensor table(const at::Tensor& positions) override {
        const auto rows = table_.to(precision());                                          // [N, E]
        const auto last = static_cast<double>(rows.size(0) - 1);
        auto place = positions.to(at::kDouble) / factor_;                                  // [.., T]
        if (policy_ == "wrap") return wrapped(rows, place);
        if (policy_ == "clip") place = place.clamp(0, last);
        else refuse_outside(positions, last);
        return table_rows(rows, place);                                                    // [.., T, E]
    }

private:
    /// The table round and round: between the last row and the first one both are read.
    static at::Tensor wrapped(const at::Tensor& rows, const at::Tensor& place) {
        const auto ring = at::cat({rows, rows.slice(0, 0, 1)});                            // [N + 1, E]
        return table_rows(ring, at::remainder(place, static_cast<double>(rows.size(0))));  // [.., T, E]
    }

    /// Names the first position that the table does not hold.
    void refuse_outside(const at::Tensor& positions, double last) const {
        const auto flat = positions.to(at::kDouble).flatten();
        const auto bad = flat.masked_select(flat.lt(0).logical_or((flat / factor_).gt(last)));
        if (bad.numel() == 0) return;
        const double position = bad[0].item<double>();
        if (position < 0) {
            throw Failure(ErrorKind::invalid_argument,
                          fmt::format("Position {} lies before the first row of the learned position table, which has {} rows. Use a position "
                                      "map without negative positions, or set \"beyond\" to clip.", position, table_.size(0)));
        }
        const auto served = static_cast<std::int64_t>(last * factor_) + 1;
        throw Failure(ErrorKind::invalid_argument,
                      fmt::format("Position {} lies past the {} rows of the learned position table (it serves {} tokens). "
                                  "Use at most {} tokens, or set \"beyond\" to clip, wrap or interpolate.",
                                  position, table_.size(0), served, served));
    }

    std::string policy_;
    double factor_;
    at::Tensor table_;
};

std::shared_ptr<InputEncoding> make(const Params& params, const SlotShape& shape) { return std::make_shared<Learned>(params, shape); }

MethodCost cost(const Params& params, const ModelShape& shape) {
    const auto rows = integer_param(params, "rows");
    MethodCost cost;
    cost.per_pair = 0;
    cost.learned = (rows > 0 ? rows : shape.train_length) * shape.model_width();
    cost.shared = true;
    return cost;
}

double reach(const Params& params, std::int64_t train_length) {
    const auto rows = integer_param(params, "rows");
    const auto last = static_cast<double>((rows > 0 ? rows : train_length) - 1);
    const auto policy = choice_param(params, "beyond");
    if (policy == "interpolate") return last * real_param(params, "factor");
    return policy == "refuse" ? last : std::numeric_limits<double>::infinity();
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "input";
    info.id = "learned";
    info.name = "Learned";
    info.summary = "A trained vector per position is added to the token embeddings.";
    info.formula = "x(t) → x(t) + P[t],  P: N × E, learned";
    info.paper = "Gehring, Auli, Grangier, Yarats, Dauphin (2017): Convolutional Sequence to Sequence Learning";
    info.url = "https://arxiv.org/abs/1705.03122";
    info.beyond_training = "There are no rows past the table, so longer texts are refused. Clipping, wrapping and interpolation run, but the model "
                           "has not been trained for them.";
    info.claims = claims({"bounded-table", "learned"});
    info.params = {
        integer_spec({"rows", "Rows N", "Positions that the table holds. 0 = the training length.", "tokens"}, 0, {0, 131072, 1}),
        choice_spec({"beyond", "Past the table", "refuse with a message, clip to the last row, wrap round to the first (position mod N), or interpolate "
                     "rows at position / factor."}, "refuse", {"refuse", "clip", "wrap", "interpolate"}),
        real_spec({"factor", "Interpolation factor", "Used by interpolate only: the table serves factor times as many positions."}, 2, {1, 64, 0.5}),
    };
    info.learned = true;
    return info;
}

}  // namespace

namespace entries_of::input {
const Entry& learned() {
    static const Entry entry{describe(), Make<InputEncoding>{make}, nullptr, {}, nullptr, cost, reach};
    return entry;
}
}  // namespace entries_of::input

}  // namespace lw
