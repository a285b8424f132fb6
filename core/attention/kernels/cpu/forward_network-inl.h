/// DAPE's network (2405.14722) cell by cell, at one row of a tile: strips of keys through both layers, some units folded where that is cheaper.
#if defined(LW_FORWARD_NETWORK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef LW_FORWARD_NETWORK_INL_H
#undef LW_FORWARD_NETWORK_INL_H
#else
#define LW_FORWARD_NETWORK_INL_H
#endif

#include "core/attention/kernels/cpu/forward.h"
#include "core/attention/kernels/cpu/forward_fold-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lw::kernels::HWY_NAMESPACE {

/// One row of a tile. Pointers are at column 0.
struct NetworkRow {
    Range span;           ///< columns whose logits are wanted, whole vectors
    const Seen& seen;     ///< columns that the row sees
    float* scores;        ///< head 0; the next lies kScoreHead further
    const float* cells;   ///< [H, kScoreRow], or null
    std::int64_t entry;   ///< of cut tables
    const float* hidden_table;  ///< [D, kTableRow], or null
    const float* logit_table;   ///< [H, kTableRow], or null
};

/// The buffers of one thread.
class CellNetwork {
public:
    CellNetwork(const AttentionCall& call, const Prepared& prepared)
        : call_(call), prepared_(prepared), network_(call.network), folding_(call, prepared),
          hidden_(network_.convolves() ? 0 : network_.hidden * kStripKeys) {}

    [[nodiscard]] Folding& folding() { return folding_; }
    /// Of all rows so far.
    [[nodiscard]] const FoldingCounts& counts() const { return counts_; }
    /// Scores become logits.
    void apply(const NetworkRow& row) {
        if (folding_.keys() <= row.span.begin) {
            counts_.parts += (row.span.end - row.span.begin + kFoldKeys - 1) / kFoldKeys;
            return apply_whole(row, row.span);
        }
        std::int64_t open[kTileKeys / kFoldKeys], part = 0;
        for (auto key = row.span.begin; key < row.span.end; key += kFoldKeys, ++part) open[part] = open_units(row, part_from(row, key));
        counts_.parts += part;
        part = 0;
        for (auto key = row.span.begin; key < row.span.end; key += kFoldKeys, ++part) {
            if (folding_.pays_for(open[part])) apply_folded(row, part_from(row, key), open[part]);
            else apply_whole(row, part_from(row, key));
        }
    }

private:
    [[nodiscard]] static Range part_from(const NetworkRow& row, std::int64_t key) { return {key, std::min(key + kFoldKeys, row.span.end)}; }
    /// Scores of keys that the row does not see must not count: its logits would depend on them, if only in the last bits.
    [[nodiscard]] std::int64_t open_units(const NetworkRow& row, Range keys) const {
        if (!folding_.reads_content()) return 0;
        if (keys.end > folding_.keys() || !row.seen.covers(keys.begin, keys.end)) return network_.hidden;
        return folding_.open_units(folding_.largest_square(row.scores + keys.begin, (keys.end - keys.begin) / kLanes));
    }

    void apply_folded(const NetworkRow& row, Range keys, std::int64_t open) {
        ++counts_.folded;
        if (folding_.has_turning()) ++counts_.turning;
        for (auto key = keys.begin; key < keys.end; key += kStripKeys) {
            folding_.apply(row.scores + key, row.entry + key, (keys.end - key) / kLanes, open);
        }
    }

    void apply_whole(const NetworkRow& row, Range keys) {
        const auto heads = call_.heads, units = network_.hidden;
        const auto at = [&](const float* data) { return data == nullptr ? nullptr : data + keys.begin; };
        FirstLayer<Product, Leaky, kStripKeys> first{{at(row.hidden_table), prepared_.b1.data()},
                                                     {prepared_.w1_content.data(), at(row.scores), kScoreHead, heads},
                                                     {prepared_.w1_bias.data(), at(row.cells), kScoreRow, heads},
                                                     {network_.slope}, hidden_.data()};
        SecondLayer<Product> second{{at(row.logit_table), prepared_.b2.data()}, network_.adds_bias ? at(row.cells) : nullptr,
                                    {prepared_.w2.data(), hidden_.data(), kStripKeys, units}, {}, row.scores + keys.begin};
        for (auto key = keys.begin; key < keys.end; key += kStripKeys) {
            const auto vectors = (keys.end - key) / kLanes;
            through(units, vectors, first);
            through(heads, vectors, second);
            first.shift(kStripKeys);
            second.shift(kStripKeys);
        }
    }

    const AttentionCall& call_;
    const Prepared& prepared_;
    const NetworkWeights& network_;
    Folding folding_;
    FoldingCounts counts_;
    FloatBuffer hidden_;  ///< [D, kStripKeys]
};

}  // namespace lw::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
