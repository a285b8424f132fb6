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
        if (entry.info.slot == "frequency") shape_.pairs = static_cast<std::int64_t>(plain_.size());
        std::visit([&](auto make) { keep(make(checked, shape_)); }, entry.make);
        module().to(at::kDouble);
    }

    [[nodiscard]] SlotModule& module() { return *module_; }

    /// What the entry makes of the block: one row per query, [.., Tq, ..]; frequencies have no rows.
    at::Tensor run(const TileGeometry& g, at::ScalarType type = at::kDouble) {
        const at::NoGradGuard no_grad;
        return run_with_gradients(g, type);
    }
    at::Tensor run_with_gradients(const TileGeometry& g, at::ScalarType type = at::kDouble) {
        if (input_) return input_->table(g.query_positions);                                                         // [Tq, E]
        if (rotation_ && rotation_->reads_state()) return path_scores(g, type);                                      // [H, Tq, Tk]
        if (rotation_) return rotation_->rotate(vectors(g.query_positions, type), g.query_positions, {rotation_->inverse_frequencies(), 1},
                                                learned() ? Side::key : Side::query);                                // [1, H, Tq, d']
        // What is learned shows past the training length only.
        if (frequency_) return frequency_->scale(plain_, 10000, g.length + (learned() ? 4 * g.train_length : 0), g.train_length).theta(at::kCPU);
        if (positions_) return positions_->map(positions_from(0, g.length), {.length = g.length, .train_length = g.train_length, .tokens = tokens(g)})
                                   .relative.reshape({-1}).slice(0, 0, g.query_positions.numel());                   // [Tq]
        if (distance_) return distance_->distance(g);                                                                // [Tq, Tk] or [H, Tq, Tk]
        if (visibility_) return visibility_->visible(g).to(at::kDouble);                                             // [Tq, Tk]
        if (temperature_) return heated(g, type);                                                                    // [H, Tq, Tk]
        if (normaliser_) return normaliser_->weights(masked(probe_content(g, shape_.heads).to(type), g, -std::numeric_limits<double>::infinity()), g)[0];
        if (bias_ && bias_->reads_content()) return bias_->content_tile(view(g, type), g)[0];                        // [H, Tq, Tk]
        if (bias_) return bias_->tile(g);                                                                            // [H, Tq, Tk]
        return adaptive_->tile(probe_content(g, shape_.heads).to(type), probe_bias(g, shape_.heads).to(type), g)[0]; // [H, Tq, Tk]
    }

    /// Axis of the result that counts queries; -1 where there is none.
    [[nodiscard]] std::int64_t row_axis() const {
        if (frequency_ || positions_) return -1;
        if (input_) return 0;
        return turns() ? 2 : -2;
    }
    [[nodiscard]] std::vector<std::int64_t> expected_shape(std::int64_t rows, std::int64_t columns) const {
        if (input_) return {rows, shape_.width};
        if (turns()) return {1, shape_.heads, rows, shape_.head_width * (entry_.info.id == "pope" ? 2 : 1)};
        if (frequency_) return {static_cast<std::int64_t>(plain_.size())};
        if (positions_) return {rows};
        if (visibility_ || (distance_ && entry_.info.id != "ms-poe")) return {rows, columns};
        return {shape_.heads, rows, columns};
    }
    /// Has cells of queries and keys, of which the future ones do not count.
    [[nodiscard]] bool has_cells() const { return row_axis() == -2; }
    /// Counts and plain doubles, whatever the module's type is.
    [[nodiscard]] bool is_exact() const { return frequency_ || positions_ || distance_ || visibility_; }

    [[nodiscard]] const std::shared_ptr<InputEncoding>& input() const { return input_; }
    [[nodiscard]] const std::shared_ptr<Rotation>& rotation() const { return rotation_; }
    [[nodiscard]] const std::shared_ptr<FrequencyScaling>& frequency() const { return frequency_; }
    [[nodiscard]] const std::shared_ptr<Bias>& bias() const { return bias_; }
    [[nodiscard]] const std::shared_ptr<Adaptive>& adaptive() const { return adaptive_; }
    [[nodiscard]] const std::shared_ptr<PositionMap>& positions() const { return positions_; }
    [[nodiscard]] const std::shared_ptr<DistanceMap>& distance() const { return distance_; }
    [[nodiscard]] const std::shared_ptr<Temperature>& temperature() const { return temperature_; }
    [[nodiscard]] const std::shared_ptr<Visibility>& visibility() const { return visibility_; }
    [[nodiscard]] const std::shared_ptr<Normaliser>& normaliser() const { return normaliser_; }

    /// What a bias that reads the text sees of the block; `phase` makes another text.
    ContentView view(const TileGeometry& g, at::ScalarType type, double phase = 0) {
        ContentView made;
        made.q = vectors(g.query_positions, type, phase);
        made.k = vectors(g.key_positions, type, phase + 2);
        made.content = at::matmul(made.q, made.k.transpose(-2, -1)) / std::sqrt(static_cast<double>(shape_.head_width));
        made.state = bias_->token_state(hidden(positions_from(0, g.length), type, phase));
        made.first_row = g.query_positions[0].item<std::int64_t>();
        made.first_column = g.key_positions[0].item<std::int64_t>();
        return made;
    }
    [[nodiscard]] const Entry& entry() const { return entry_; }
    [[nodiscard]] const SlotShape& shape() const { return shape_; }
    [[nodiscard]] const std::vector<double>& plain() const { return plain_; }

private:
    template <class Slot>
    void keep(std::shared_ptr<Slot> made) {
        module_ = made;
        slot(made) = made;
    }
    std::shared_ptr<InputEncoding>& slot(const std::shared_ptr<InputEncoding>&) { return input_; }
    std::shared_ptr<Rotation>& slot(const std::shared_ptr<Rotation>&) { return rotation_; }
    std::shared_ptr<FrequencyScaling>& slot(const std::shared_ptr<FrequencyScaling>&) { return frequency_; }
    std::shared_ptr<Bias>& slot(const std::shared_ptr<Bias>&) { return bias_; }
    std::shared_ptr<Adaptive>& slot(const std::shared_ptr<Adaptive>&) { return adaptive_; }
    std::shared_ptr<PositionMap>& slot(const std::shared_ptr<PositionMap>&) { return positions_; }
    std::shared_ptr<DistanceMap>& slot(const std::shared_ptr<DistanceMap>&) { return distance_; }
    std::shared_ptr<Temperature>& slot(const std::shared_ptr<Temperature>&) { return temperature_; }
    std::shared_ptr<Visibility>& slot(const std::shared_ptr<Visibility>&) { return visibility_; }
    std::shared_ptr<Normaliser>& slot(const std::shared_ptr<Normaliser>&) { return normaliser_; }

    [[nodiscard]] bool learned() const { return entry_.info.learned; }
    [[nodiscard]] bool turns() const { return rotation_ && !rotation_->reads_state(); }
    [[nodiscard]] at::Tensor vectors(const at::Tensor& positions, at::ScalarType type, double phase = 0) const {
        return probe_vectors(positions, shape_.heads, shape_.head_width, phase).to(type);
    }
    /// A layer's normed input, [1, T, E].
    [[nodiscard]] at::Tensor hidden(const at::Tensor& positions, at::ScalarType type, double phase = 0) const {
        return probe_vectors(positions, 1, shape_.width, 5 + phase).squeeze(1).to(type);
    }
    [[nodiscard]] static at::Tensor tokens(const TileGeometry& g) { return (at::arange(g.length, at::kLong).square() % 7).unsqueeze(0); }  // [1, T]
    at::Tensor path_scores(const TileGeometry& g, at::ScalarType type) {
        const auto state = rotation_->token_state(hidden(g.key_positions, type));
        return rotation_->scores(vectors(g.query_positions, type), vectors(g.key_positions, type, 2), state, g.query_positions[0].item<std::int64_t>(), 0.5)[0];
    }
    at::Tensor heated(const TileGeometry& g, at::ScalarType type) {
        auto content = probe_content(g, shape_.heads).to(type);
        const auto factor = temperature_->content_factor(g);
        if (factor.defined()) content = content * factor.to(type).unsqueeze(-1);
        return temperature_->apply(content, g)[0];
    }

    const Entry& entry_;
    std::shared_ptr<SlotModule> module_;
    std::shared_ptr<PositionMap> positions_;
    std::shared_ptr<DistanceMap> distance_;
    std::shared_ptr<Temperature> temperature_;
    std::shared_ptr<Visibility> visibility_;
    std::shared_ptr<Normaliser> normaliser_;
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

/// Every entry, with a table long enough for the lengths the harness runs, and not at a start of nothing but zeros.
inline Params roomy(const Entry& entry) {
    if (entry.info.id == "learned" || entry.info.id == "tupe") return {{"rows", std::int64_t{4096}}};
    if (entry.info.id == "cope") return {{"initial", 0.5}};
    if (entry.info.id == "clex") return {{"start", 0.05}};
    if (entry.info.id == "pope") return {{"phase", std::string("uniform")}};
    return {};
}

}  // namespace lw
