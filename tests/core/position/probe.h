#pragma once
/// Runs any entry on a block of queries and keys, whatever its slot, so that tests can loop over all entries.

#include "tests/core/position/made.h"

namespace lw {

/// Small sizes that every entry can be made with.
inline SlotShape probe_shape() {
    SlotShape shape;
    shape.heads = 4;
    shape.head_width = 8;
    shape.width = 32;
    shape.train_length = 16;
    shape.has_bias = true;
    return shape;
}

/// A smooth number for every (head, query, key): the same cell has the same content in every tile.
inline at::Tensor probe_content(const TileGeometry& g, std::int64_t heads) {
    const auto h = at::arange(heads, at::kDouble).view({1, -1, 1, 1});
    const auto i = g.query_positions.view({1, 1, -1, 1}), j = g.key_positions.view({1, 1, 1, -1});
    return at::sin(1.3 * h + 0.7 * i + 0.31 * j) + 0.2 * at::cos(0.5 * h - 0.9 * j);  // [1, H, Tq, Tk]
}

/// A bias that only the position pair decides.
inline at::Tensor probe_bias(const TileGeometry& g, std::int64_t heads) {
    const auto slope = at::exp2(-at::arange(1, heads + 1, at::kDouble)).view({-1, 1, 1});
    return -slope * (g.query_positions.view({1, -1, 1}) - g.key_positions.view({1, 1, -1})).clamp_min(0);  // [H, Tq, Tk]
}

/// A vector per position, [1, H, T, d].
inline at::Tensor probe_vectors(const at::Tensor& positions, std::int64_t heads, std::int64_t width, double phase = 0) {
    const auto h = at::arange(heads, at::kDouble).view({1, -1, 1, 1}), e = at::arange(width, at::kDouble).view({1, 1, 1, -1});
    return at::sin(phase + 0.9 * h + 1.7 * e + 0.37 * positions.view({1, 1, -1, 1}));
}

class Probe {
public:
    Probe(const Entry& entry, const Params& params, const SlotShape& shape = probe_shape(), std::uint64_t seed = 1)
        : entry_(entry), shape_(shape) {
        const GeneratorScope generator(seed);
        const auto checked = complete(entry.info.slot, entry.info.id, params);
        std::visit([&](auto make) { keep(make(checked, shape)); }, entry.make);
        module().to(at::kDouble);
    }

    [[nodiscard]] torch::nn::Module& module() {
        if (input_) return *input_;
        if (rotation_) return *rotation_;
        if (frequency_) return *frequency_;
        if (bias_) return *bias_;
        return *adaptive_;
    }

    /// What the entry makes of the block: one row per query, [.., Tq, ..]; frequencies have no rows.
    at::Tensor run(const TileGeometry& g, at::ScalarType type = at::kDouble) {
        const torch::NoGradGuard no_grad;
        return run_with_gradients(g, type);
    }
    at::Tensor run_with_gradients(const TileGeometry& g, at::ScalarType type = at::kDouble) {
        if (input_) return input_->table(g.query_positions);                                                         // [Tq, E]
        if (rotation_) return rotation_->rotate(probe_vectors(g.query_positions, shape_.heads, shape_.head_width).to(type), g.query_positions,
                                                {rotation_->inverse_frequencies(), 1});                              // [1, H, Tq, d]
        if (frequency_) return at::tensor(frequency_->scale(plain_, 10000, g.length, g.train_length).inverse, at::kDouble);
        if (bias_) return bias_->tile(g);                                                                            // [H, Tq, Tk]
        return adaptive_->tile(probe_content(g, shape_.heads).to(type), probe_bias(g, shape_.heads).to(type), g)[0]; // [H, Tq, Tk]
    }

    /// Axis of the result that counts queries; -1 where there is none.
    [[nodiscard]] std::int64_t row_axis() const { return frequency_ ? -1 : (input_ ? 0 : (rotation_ ? 2 : 1)); }
    [[nodiscard]] std::vector<std::int64_t> expected_shape(std::int64_t rows, std::int64_t columns) const {
        if (input_) return {rows, shape_.width};
        if (rotation_) return {1, shape_.heads, rows, shape_.head_width};
        if (frequency_) return {static_cast<std::int64_t>(plain_.size())};
        return {shape_.heads, rows, columns};
    }
    /// Has cells of queries and keys, of which the future ones do not count.
    [[nodiscard]] bool has_cells() const { return bias_ || adaptive_; }

    [[nodiscard]] const std::shared_ptr<InputEncoding>& input() const { return input_; }
    [[nodiscard]] const std::shared_ptr<Rotation>& rotation() const { return rotation_; }
    [[nodiscard]] const std::shared_ptr<FrequencyScaling>& frequency() const { return frequency_; }
    [[nodiscard]] const std::shared_ptr<Bias>& bias() const { return bias_; }
    [[nodiscard]] const std::shared_ptr<Adaptive>& adaptive() const { return adaptive_; }
    [[nodiscard]] const Entry& entry() const { return entry_; }
    [[nodiscard]] const SlotShape& shape() const { return shape_; }
    [[nodiscard]] const std::vector<double>& plain() const { return plain_; }

private:
    void keep(std::shared_ptr<InputEncoding> made) { input_ = std::move(made); }
    void keep(std::shared_ptr<Rotation> made) { rotation_ = std::move(made); }
    void keep(std::shared_ptr<FrequencyScaling> made) { frequency_ = std::move(made); }
    void keep(std::shared_ptr<Bias> made) { bias_ = std::move(made); }
    void keep(std::shared_ptr<Adaptive> made) { adaptive_ = std::move(made); }

    const Entry& entry_;
    SlotShape shape_;
    std::vector<double> plain_ = RotaryPlain();
    std::shared_ptr<InputEncoding> input_;
    std::shared_ptr<Rotation> rotation_;
    std::shared_ptr<FrequencyScaling> frequency_;
    std::shared_ptr<Bias> bias_;
    std::shared_ptr<Adaptive> adaptive_;

    /// θ of a 64-wide rotation: enough pairs to see both ends of a ramp.
    static std::vector<double> RotaryPlain() {
        std::vector<double> theta;
        for (int n = 0; n < 32; ++n) theta.push_back(std::pow(10000.0, -n / 32.0));
        return theta;
    }
};

/// Every entry, with a table long enough for the lengths the harness runs.
inline Params roomy(const Entry& entry) {
    if (entry.info.id == "learned") return {{"rows", std::int64_t{4096}}};
    return {};
}

}  // namespace lw
