#pragma once
/// The parts of a TileReader's work: a request cut into units, and one thread's buffers to compute them in.

#include "core/attention/kernels/cpu/float_buffer.h"
#include "core/attention/kernels/cpu/tile_kernel.h"
#include "core/attention/tile_reader.h"

#include <vector>

namespace lw {

inline constexpr std::int64_t kTileRoom = 16;  ///< floats behind a row that may be read

/// A request cut into units of some rows of pixels by some columns of cells; each unit is done by one thread.
struct TilePlan {
    TilePlan(const PixelRequest& asked, std::int64_t heads, bool mixes_heads);

    PixelRequest request;
    std::int64_t first_head, heads_in;         ///< computed: one, or all from 0
    std::int64_t heads_out;                    ///< written: the same
    std::int64_t pixel_rows, pixel_columns;
    std::int64_t unit_pixel_rows, unit_columns;  ///< columns in cells, whole pixels
    std::int64_t row_units, column_units;
    [[nodiscard]] std::int64_t units() const { return row_units * column_units; }
};

class TileWork {
public:
    /// pixels [heads_out, pixel_rows, pixel_columns], NaN so far.
    TileWork(const TileReader& reader, const TilePlan& plan, float* pixels);
    void run(std::int64_t unit);

private:
    struct Block;  // some rows of a unit with their terms
    void begin_pixels();
    void add_rows(Span rows, Span columns);
    void read_content(Block& block);
    void read_bias(Block& block);
    [[nodiscard]] TileTerms terms_of(const Block& block, std::int64_t row) const;
    void write_pixels(std::int64_t pixel_row, Span rows, Span columns);
    [[nodiscard]] float reduced(std::int64_t head, Span cells, Span rows, std::int64_t first_column) const;

    const TileReader& reader_;
    const TilePlan& plan_;
    float* pixels_;
    std::int64_t stride_;                       // floats per head in the arrays below
    std::vector<float> high_, low_, sum_;       // [heads, columns of a unit]
    at::Tensor content_;                        // [H, rows, columns] of a block, reused
    kernels::FloatBuffer scratch_;              // of the kernel
};

}  // namespace lw
