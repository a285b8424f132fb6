#include "core/attention/tile_work.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>

namespace lw {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::int64_t kBlockRows = 32;     // rows whose content is computed at once
constexpr std::int64_t kUnitColumns = 512;  // content, sums and their tables then stay in the second-level cache

std::int64_t pieces(std::int64_t whole, std::int64_t piece) { return (whole + piece - 1) / piece; }
std::int64_t round_up(std::int64_t n, std::int64_t step) { return pieces(n, step) * step; }

bool reads_content(ScorePart part) { return part != ScorePart::bias; }
bool shows_content(ScorePart part) { return part == ScorePart::content || part == ScorePart::logit || part == ScorePart::probability; }
bool shows_bias(ScorePart part) { return part != ScorePart::content && part != ScorePart::adaptive; }
bool shows_network(ScorePart part) { return part != ScorePart::content && part != ScorePart::bias; }

}  // namespace

TilePlan::TilePlan(const PixelRequest& asked, std::int64_t heads, bool mixes_heads) : request(asked) {
    const bool one = asked.head >= 0 && !mixes_heads;
    first_head = one ? asked.head : 0;
    heads_in = heads_out = one ? 1 : heads;
    pixel_rows = pieces(asked.rows.size(), asked.row_cells);
    pixel_columns = pieces(asked.columns.size(), asked.column_cells);
    unit_pixel_rows = std::max<std::int64_t>(1, kBlockRows / asked.row_cells);
    unit_columns = std::max<std::int64_t>(1, kUnitColumns / asked.column_cells) * asked.column_cells;
    row_units = pieces(pixel_rows, unit_pixel_rows);
    column_units = pieces(asked.columns.size(), unit_columns);
}

struct TileWork::Block {
    Span rows, columns;
    const float *content = nullptr, *bias = nullptr, *table = nullptr;        // first row's first column
    std::int64_t content_head = 0, content_row = 0, bias_head = 0, bias_row = 0, table_unit = 0, table_row = 0;  // strides
    at::Tensor bias_kept, table_kept;
};

TileWork::TileWork(const TileReader& reader, const TilePlan& plan, float* pixels)
    : reader_(reader), plan_(plan), pixels_(pixels), stride_(round_up(plan.unit_columns, kTileRoom) + kTileRoom) {  // not a multiple of 4 kB: heads would share cache sets
    const auto size = static_cast<std::size_t>(plan.heads_in * stride_);
    const auto reducer = plan.request.reducer;
    (reducer == Reducer::mean ? sum_ : high_).resize(size);
    if (reducer == Reducer::signed_max_abs) low_.resize(size);
    scratch_ = kernels::FloatBuffer((plan.heads_in + reader.hidden_) * kTileStrip);
}

void TileWork::begin_pixels() {
    std::fill(high_.begin(), high_.end(), -kInfinity);
    std::fill(low_.begin(), low_.end(), kInfinity);
    std::fill(sum_.begin(), sum_.end(), 0.0F);
}

void TileWork::run(std::int64_t unit) {
    const auto& request = plan_.request;
    const auto top = request.rows.begin + unit / plan_.column_units * plan_.unit_pixel_rows * request.row_cells;
    const auto bottom = std::min(top + plan_.unit_pixel_rows * request.row_cells, request.rows.end);
    const auto left = request.columns.begin + unit % plan_.column_units * plan_.unit_columns;
    const Span columns{left, std::min(left + plan_.unit_columns, request.columns.end)};
    if (bottom <= left) return;  // all of it lies after the queries
    for (auto row = top; row < bottom; row += kBlockRows) add_rows({row, std::min(row + kBlockRows, bottom)}, columns);
}

/// Rows of one unit: a row of pixels begins and ends where it may, within the block or blocks ago.
void TileWork::add_rows(Span rows, Span columns) {
    // Keys after the block's last query are seen by none of its rows.
    Block block{.rows = rows, .columns = {columns.begin, std::min(columns.end, rows.end)}, .bias_kept = {}, .table_kept = {}};
    const bool any = block.columns.size() > 0;
    if (any && reads_content(plan_.request.part)) read_content(block);
    if (any) read_bias(block);
    const auto& request = plan_.request;
    const TileSums sums{high_.empty() ? nullptr : high_.data(), low_.empty() ? nullptr : low_.data(), sum_.empty() ? nullptr : sum_.data(), stride_};
    for (auto row = rows.begin; row < rows.end; ++row) {
        const auto within = (row - request.rows.begin) % request.row_cells;  // rows of the pixel that came before
        if (within == 0) begin_pixels();
        const auto seen = std::min(block.columns.end, row + 1) - block.columns.begin;
        if (seen > 0) add_tile_row(terms_of(block, row), seen, sums, scratch_.data());
        if (within + 1 == request.row_cells || row + 1 == request.rows.end) write_pixels((row - request.rows.begin) / request.row_cells, {row - within, row + 1}, columns);
    }
}

void TileWork::read_content(Block& block) {
    const auto& reader = reader_;
    const auto group = reader.heads_ / reader.k_.size(0);
    const auto head = plan_.first_head;
    const auto q = reader.q_.narrow(0, head, plan_.heads_in).slice(1, block.rows.begin, block.rows.end);                      // [h, r, d]
    const auto k = (plan_.heads_in == 1 ? reader.k_.narrow(0, head / group, 1) : reader.k_).slice(1, block.columns.begin, block.columns.end);  // [hk, c, d]
    const auto rows = block.rows.size(), columns = block.columns.size();
    const auto floats = plan_.heads_in * rows * columns;
    if (!content_.defined() || content_.numel() < floats + kTileRoom) content_ = at::empty({floats + kTileRoom}, reader.q_.options());
    auto scores = content_.narrow(0, 0, floats).view({k.size(0), plan_.heads_in / k.size(0) * rows, columns});
    const auto scaled = (q * reader.inputs_.score_scale()).reshape({k.size(0), -1, q.size(2)});                               // [hk, G r, d]
    at::bmm_out(scores, scaled, k.transpose(1, 2));
    block.content = content_.const_data_ptr<float>();
    block.content_head = rows * columns;
    block.content_row = columns;
}

/// From the tables of all distances, or computed for the block where the bias depends on more.
void TileWork::read_bias(Block& block) {
    const auto& reader = reader_;
    const bool network = reader.layer_.adaptive && shows_network(plan_.request.part);
    if (!reader.layer_.bias || (!network && !shows_bias(plan_.request.part))) return;
    if (reader.bias_table_.defined()) {
        // Row i begins at distance i: one column earlier in the table for each later row.
        const auto offset = reader.length_ - 1 - block.rows.begin + block.columns.begin;
        block.bias = reader.bias_table_.const_data_ptr<float>() + plan_.first_head * reader.bias_table_.size(1) + offset;
        block.bias_head = reader.bias_table_.size(1);
        block.bias_row = -1;
        if (!network || !reader.hidden_table_.defined()) return;
        block.table = reader.hidden_table_.const_data_ptr<float>() + offset;
        block.table_unit = reader.hidden_table_.size(1);
        block.table_row = -1;
        return;
    }
    const auto cells = block.rows.size() * block.columns.size();
    const auto tile = reader.layer_.bias->tile(geometry_of(reader.inputs_, block.rows, block.columns)).to(at::kFloat);        // [H, r, c]
    block.bias_kept = at::constant_pad_nd(tile.reshape({reader.heads_, cells}), {0, kTileRoom}).contiguous();                 // [H, r c + room]
    block.bias_head = cells + kTileRoom;
    block.bias_row = block.columns.size();
    block.bias = block.bias_kept.const_data_ptr<float>() + plan_.first_head * block.bias_head;
    if (!network || !reader.w1_bias_.defined()) return;
    block.table_kept = at::mm(reader.w1_bias_, block.bias_kept);                                                              // [D, r c + room]
    if (reader.b1_.defined()) block.table_kept.add_(reader.b1_.unsqueeze(1));
    block.table_unit = block.bias_head;
    block.table_row = block.bias_row;
    block.table = block.table_kept.const_data_ptr<float>();
}

TileTerms TileWork::terms_of(const Block& block, std::int64_t row) const {
    const auto part = plan_.request.part;
    const auto floats = [](const at::Tensor& x) { return x.defined() ? x.const_data_ptr<float>() : nullptr; };
    const auto down = row - block.rows.begin;
    TileTerms terms;
    terms.heads = plan_.heads_in;
    terms.adds_content = shows_content(part);
    if (block.content) terms.content = block.content + down * block.content_row;
    terms.content_stride = block.content_head;
    // The bias by itself is shown also where the scheme does not add it.
    if (block.bias && shows_bias(part) && (part == ScorePart::bias || reader_.adds_bias_)) terms.bias = block.bias + down * block.bias_row;
    terms.bias_stride = block.bias_head;
    if (part == ScorePart::probability) terms.normaliser = floats(reader_.normaliser_) + row * reader_.heads_ + plan_.first_head;
    if (!reader_.layer_.adaptive || !shows_network(part)) return terms;
    terms.hidden = reader_.hidden_;
    if (block.table) terms.table = block.table + down * block.table_row;
    terms.table_stride = block.table_unit;
    terms.w1 = floats(reader_.w1_content_);
    terms.b1 = floats(reader_.b1_);
    terms.w2 = floats(reader_.w2_);
    terms.b2 = floats(reader_.b2_);
    terms.slope = static_cast<float>(reader_.slope_);
    return terms;
}

/// Sums of columns -> one pixel; NaN where none of its cells is visible.
float TileWork::reduced(std::int64_t head, Span cells, Span rows, std::int64_t first_column) const {
    float high = -kInfinity, low = kInfinity;
    double sum = 0;
    std::int64_t visible = 0;
    for (auto j = cells.begin; j < cells.end; ++j) {
        const auto seeing = std::max<std::int64_t>(0, rows.end - std::max(rows.begin, j));  // queries of the pixel that see key j
        if (seeing == 0) break;
        visible += seeing;
        const auto at = static_cast<std::size_t>(head * stride_ + j - first_column);
        if (!high_.empty()) high = std::max(high, high_[at]);
        if (!low_.empty()) low = std::min(low, low_[at]);
        if (!sum_.empty()) sum += static_cast<double>(sum_[at]);
    }
    if (visible == 0) return std::numeric_limits<float>::quiet_NaN();
    if (!sum_.empty()) return static_cast<float>(sum / static_cast<double>(visible));
    return low_.empty() || high >= -low ? high : low;
}

void TileWork::write_pixels(std::int64_t pixel_row, Span rows, Span columns) {
    const auto wide = plan_.request.column_cells;
    for (std::int64_t head = 0; head < plan_.heads_out; ++head) {
        float* out = pixels_ + (head * plan_.pixel_rows + pixel_row) * plan_.pixel_columns;
        for (auto begin = columns.begin; begin < columns.end; begin += wide) {
            const auto pixel = (begin - plan_.request.columns.begin) / wide;
            out[pixel] = reduced(head, {begin, std::min(begin + wide, columns.end)}, rows, columns.begin);
        }
    }
}

}  // namespace lw
