#include "core/attention/tile_reader.h"

#include "core/attention/kernels/cpu/prepared.h"
#include "core/attention/kernels/cpu/tile_kernel.h"
#include "core/attention/tile_work.h"
#include "core/position/distance_bias.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <atomic>

namespace lw {

namespace {

/// What makes a layer's scores something else than content + static bias + network, or puts them out of this kernel's reach.
bool is_served(const LayerScheme& layer, const AttentionInputs& inputs) {
    if (!layer.beyond_fast_paths().empty() || !inputs.rotated) return false;
    if (layer.adaptive && !layer.adaptive->network()) return false;
    const auto& q = inputs.q;
    return !q.is_cuda() && q.scalar_type() == at::kFloat && q.size(0) == 1 && q.size(2) == inputs.k.size(2) && q.size(1) <= kMostTileHeads;
}

/// Room behind each row, so that whole vectors can be read at its end.
at::Tensor with_room(const at::Tensor& x) { return at::constant_pad_nd(x.to(at::kFloat), {0, kTileRoom}).contiguous(); }

/// [rows, columns] -> [rows / 8, columns, 8], zeros in rows that are not there.
at::Tensor interleaved(const at::Tensor& matrix) {
    const auto rows = matrix.size(0), columns = matrix.size(1), blocks = (rows + kernels::kInterleave - 1) / kernels::kInterleave;
    const auto padded = at::constant_pad_nd(matrix, {0, 0, 0, blocks * kernels::kInterleave - rows});
    return padded.view({blocks, kernels::kInterleave, columns}).transpose(1, 2).contiguous();
}

at::Tensor plain(const at::Tensor& x) { return x.defined() ? x.detach().to(at::kFloat).contiguous() : x; }

}  // namespace

std::shared_ptr<const TileReader> TileReader::of(const LayerScheme& layer, const AttentionInputs& inputs, const at::Tensor& log_normaliser) {
    if (!is_served(layer, inputs)) return nullptr;
    const at::NoGradGuard no_gradient;
    std::shared_ptr<TileReader> reader(new TileReader);
    reader->layer_ = layer;
    reader->inputs_ = inputs;
    reader->heads_ = inputs.q.size(1);
    reader->length_ = inputs.q.size(2);
    reader->q_ = inputs.q[0];
    reader->k_ = inputs.k[0];
    if (log_normaliser.defined()) reader->normaliser_ = log_normaliser.to(at::kFloat).t().contiguous();  // [T, H]
    reader->make_tables();
    return reader;
}

void TileReader::make_tables() {
    const auto last_row = geometry_of(inputs_, {length_ - 1, length_}, {0, length_});
    // The last row of a bias that depends on the distance alone holds every distance there is, falling.
    if (layer_.bias && layer_.bias->distance_only() && has_unit_steps(last_row)) bias_table_ = with_room(layer_.bias->tile(last_row).select(1, 0));
    if (!layer_.adaptive) return;
    const auto net = *layer_.adaptive->network();
    adds_bias_ = layer_.adaptive->adds_bias();
    slope_ = net.slope;
    b1_ = plain(net.b1);
    b2_ = plain(net.b2);
    hidden_ = net.w2.size(1);
    w2_ = interleaved(plain(net.w2));
    const auto w1 = plain(net.w1);
    const bool reads_bias = net.reads_bias && layer_.bias;
    if (net.sums_inputs || net.reads_content) w1_content_ = interleaved(w1.slice(1, 0, heads_));
    if (reads_bias) w1_bias_ = w1.slice(1, w1.size(1) - heads_).contiguous();
    if (bias_table_.defined() && reads_bias) {
        hidden_table_ = at::mm(w1_bias_, bias_table_);  // [D, T + room]
        if (b1_.defined()) hidden_table_.add_(b1_.unsqueeze(1));
    }
}

bool TileReader::mixes_heads(ScorePart part) const { return layer_.adaptive && part != ScorePart::content && part != ScorePart::bias; }

std::int64_t TileReader::bytes() const {
    std::int64_t floats = 0;
    for (const auto* x : {&normaliser_, &bias_table_, &hidden_table_}) floats += x->defined() ? x->numel() : 0;
    return floats * static_cast<std::int64_t>(sizeof(float));
}

at::Tensor TileReader::pixels(const PixelRequest& request, const std::stop_token& stop) const {
    const at::NoGradGuard no_gradient;
    TORCH_CHECK(request.part != ScorePart::probability || normaliser_.defined(), "probabilities need the log-normaliser of every row");
    const TilePlan plan(request, heads_, mixes_heads(request.part));
    auto pixels = at::full({plan.heads_out, plan.pixel_rows, plan.pixel_columns}, std::numeric_limits<double>::quiet_NaN(), at::kFloat);
    std::atomic<std::int64_t> next{0};
    // Each thread takes the next unit when it is done with one: units near the diagonal are cheaper, those above it cost nothing.
    at::parallel_for(0, at::get_num_threads(), 1, [&](std::int64_t, std::int64_t) {
        const at::NoGradGuard no_gradient_here;
        TileWork work(*this, plan, pixels.mutable_data_ptr<float>());
        for (auto unit = next++; unit < plan.units() && !stop.stop_requested(); unit = next++) work.run(unit);
    });
    if (stop.stop_requested()) throw Failure(ErrorKind::cancelled, "The map was cancelled.");
    return request.head < 0 || plan.heads_out == 1 ? pixels : pixels.narrow(0, request.head, 1);
}

}  // namespace lw
