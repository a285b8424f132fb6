#include "core/attention/fused_cpu_case.h"
#include "core/attention/poll.h"
#include "core/position/piecewise_linear.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>

namespace lw {

namespace {

/// The kernel's sheets of one call and where they lie: all rows over distances, or some rows' cells.
struct Sheets {
    at::Tensor bias;                ///< [H, n]
    at::Tensor offset;              ///< [D, n]: W1_bias · bias + b1
    std::int64_t shift = 0, row = 0;  ///< of query 0 and key 0; from row to row
    [[nodiscard]] kernels::Sheet<const float> sheet(const at::Tensor& x) const { return {x.const_data_ptr<float>() + shift, x.size(1), row}; }
};

/// Gradients that are sums over everything, as they grow.
struct Sums {
    at::Tensor w1_content, w1_bias, b1, w2;
    static void grow(at::Tensor& sum, const at::Tensor& value) { sum = sum.defined() ? sum.add_(value) : value; }
};

struct Backward {
    const FusedCpuTensors& tensors;
    const FusedCpuCase& shared;
    kernels::BackwardCall call;
    at::Tensor w1{};  ///< [k, D, C], of a network that convolves
    FusedCpuTensors gradients{};
    Sums sums{};

    [[nodiscard]] bool has_network() const { return tensors.w2.defined(); }
    [[nodiscard]] bool convolves() const { return shared.kernel > 0; }
    /// Floats before a sheet's first row.
    [[nodiscard]] std::int64_t front() const { return convolves() ? kernels::kSheetFront : 0; }

    /// What the first layer adds for the bias, [D, n]. A convolution reads the bias itself.
    [[nodiscard]] at::Tensor offset_of(const at::Tensor& bias, std::int64_t n) const {
        if (!has_network() || convolves()) return {};
        if (!tensors.w1_bias.defined()) return tensors.b1.defined() ? tensors.b1.unsqueeze(1).expand({-1, n}).contiguous() : at::Tensor();
        return tensors.b1.defined() ? at::addmm(tensors.b1.unsqueeze(1), tensors.w1_bias, bias) : at::mm(tensors.w1_bias, bias);
    }

    /// Over distances, the farthest first, so that they rise along keys: entry x is distance Tk - 1 - x.
    [[nodiscard]] Sheets table_sheets() const {
        const auto keys = call.keys, n = front() + keys + kernels::kSheetPadding;
        Sheets sheets;
        sheets.shift = front() + call.queries - 1;
        sheets.row = -1;
        if (tensors.table.defined()) {
            sheets.bias = at::zeros({tensors.table.size(0), n}, tensors.table.options());
            sheets.bias.narrow(1, front(), keys).copy_(tensors.table.flip(1));
        }
        sheets.offset = offset_of(sheets.bias, n);
        return sheets;
    }

    /// Rows [begin, ..) of cells [H, r, c].
    [[nodiscard]] Sheets cell_sheets(const at::Tensor& cells, std::int64_t begin) const {
        const auto padded = padded_cells(cells);  // [H, r, c + padding]
        Sheets sheets;
        sheets.row = padded.size(2);
        sheets.shift = front() - begin * sheets.row;
        sheets.bias = convolves() ? at::constant_pad_nd(padded.flatten(1), {front(), 0}) : padded.flatten(1);
        sheets.offset = offset_of(sheets.bias, sheets.bias.size(1));
        return sheets;
    }

    /// Runs the kernel on some rows; returns the gradient of sheets.bias, [H, n], where it is asked for.
    at::Tensor rows(const Sheets& sheets, std::int64_t begin, std::int64_t end, bool bias_learns) {
        const bool adds = (shared.adds_bias || convolves()) && sheets.bias.defined();
        BackwardWishes wishes;
        wishes.bias_shift = wishes.offset_shift = sheets.shift;
        if (adds) call.bias = sheets.sheet(sheets.bias);
        if (adds && bias_learns) wishes.bias_floats = sheets.bias.numel();
        if (sheets.offset.defined()) {
            call.network.offset = sheets.sheet(sheets.offset);
            wishes.offset_floats = sheets.offset.numel();
        }
        wishes.w1 = has_network() && (convolves() || tensors.w1_content.defined());
        wishes.w2 = has_network();
        wishes.b1 = convolves() && tensors.b1.defined();
        const auto totals = run_backward(call, tensors.q.size(0), begin, end, wishes, gradients.k, gradients.v);
        if (wishes.w1) add_first_layer(totals.w1);
        if (wishes.w2) Sums::grow(sums.w2, totals.w2.view_as(tensors.w2));
        if (wishes.b1) Sums::grow(sums.b1, totals.b1);
        auto d_bias = totals.bias.defined() ? totals.bias.view_as(sheets.bias) : at::Tensor();
        if (totals.offset.defined()) through_offset(sheets, totals.offset.view_as(sheets.offset), bias_learns, d_bias);
        return d_bias;
    }

    /// d_w1 [k, D, C]: channels of the content, then of the bias.
    void add_first_layer(const at::Tensor& d_w1) {
        const auto heads = call.heads;
        if (tensors.w1_content.defined()) Sums::grow(sums.w1_content, d_w1.narrow(2, 0, heads).reshape_as(tensors.w1_content));
        if (convolves() && tensors.w1_bias.defined()) Sums::grow(sums.w1_bias, d_w1.narrow(2, d_w1.size(2) - heads, heads));
    }

    /// From the offset's gradient [D, n] to those of W1_bias, b1 and the bias.
    void through_offset(const Sheets& sheets, const at::Tensor& d_offset, bool bias_learns, at::Tensor& d_bias) {
        if (tensors.b1.defined()) Sums::grow(sums.b1, d_offset.sum(1));
        if (!tensors.w1_bias.defined()) return;
        Sums::grow(sums.w1_bias, at::mm(d_offset, sheets.bias.t()));
        if (!bias_learns) return;
        d_bias = d_bias.defined() ? at::addmm(d_bias, tensors.w1_bias.t(), d_offset) : at::mm(tensors.w1_bias.t(), d_offset);
    }

    void over_table() {
        const auto sheets = table_sheets();
        const auto d_bias = rows(sheets, 0, call.queries, shared.table_learns);
        if (d_bias.defined()) gradients.table = d_bias.narrow(1, front(), call.keys).flip(1);
    }

    /// A block of rows' cells, made again under autograd where they learn, and their gradient handed on to the bias's parameters.
    void over_cells(std::vector<at::Tensor>& d_parameters) {
        const auto parameters = shared.bias->parameters();
        const bool learns = std::any_of(parameters.begin(), parameters.end(), [](const at::Tensor& x) { return x.requires_grad(); });
        const auto block = cell_block_rows(tensors);
        for (std::int64_t begin = 0; begin < call.queries; begin += block) {
            poll();
            const auto end = std::min(begin + block, call.queries), columns = call.before + end;
            const auto cells = cells_of(geometry_of(shared.inputs, {begin, end}, {0, columns}), learns);  // [H, r, c]
            auto d_cells = rows(cell_sheets(cells.detach(), begin), begin, end, learns);            // [H, front + r (c + padding)]
            if (!d_cells.defined() || !learns) continue;
            d_cells = d_cells.slice(1, front()).reshape({cells.size(0), end - begin, -1}).narrow(2, 0, columns).to(cells.scalar_type());
            add_parameter_gradients(parameters, cells, d_cells, d_parameters);
        }
    }

    /// The bias's cells, under autograd where it learns.
    [[nodiscard]] at::Tensor cells_of(const TileGeometry& geometry, bool learns) const {
        const at::AutoGradMode with_graph(learns);
        if (auto* piecewise = dynamic_cast<PiecewiseBias*>(shared.bias.get()); piecewise != nullptr && learns) {
            if (auto cells = piecewise->piecewise_tile(geometry); cells.defined()) return cells;
        }
        return shared.bias->tile(geometry);
    }

    static void add_parameter_gradients(const std::vector<at::Tensor>& parameters, const at::Tensor& cells, const at::Tensor& d_cells,
                                        std::vector<at::Tensor>& d_parameters) {
        std::vector<at::Tensor> learned;
        std::copy_if(parameters.begin(), parameters.end(), std::back_inserter(learned), [](const at::Tensor& x) { return x.requires_grad(); });
        const auto found = torch::autograd::grad({cells}, learned, {d_cells}, std::nullopt, false, true);
        for (std::size_t p = 0, n = 0; p < parameters.size(); ++p) {
            if (!parameters[p].requires_grad()) continue;
            if (found[n].defined()) Sums::grow(d_parameters[p], found[n]);
            ++n;
        }
    }
};

kernels::BackwardCall call_of(const FusedCpuTensors& tensors, const FusedCpuCase& shared) {
    kernels::BackwardCall call;
    set_tensors(call, tensors.q, tensors.k, tensors.v);
    call.visible = shared.visible_keys();
    if (!tensors.w2.defined()) return call;
    if (tensors.w1_content.defined()) call.network.w1 = tensors.w1_content.const_data_ptr<float>();
    call.network.w2 = tensors.w2.const_data_ptr<float>();
    if (tensors.b2.defined()) call.network.b2 = tensors.b2.const_data_ptr<float>();
    call.network.hidden = tensors.w2.size(-1);
    call.network.slope = shared.slope;
    return call;
}

/// A convolution's first layer over all channels it reads.
void set_convolution(Backward& backward) {
    const auto& tensors = backward.tensors;
    auto& network = backward.call.network;
    network.kernel = backward.shared.kernel;
    network.reads_content = tensors.w1_content.defined();
    network.reads_bias = tensors.w1_bias.defined();
    network.adds_bias = backward.shared.adds_bias;
    std::vector<at::Tensor> read;
    if (network.reads_content) read.push_back(tensors.w1_content);
    if (network.reads_bias) read.push_back(tensors.w1_bias);
    backward.w1 = at::cat(read, 2);  // [k, D, C]
    network.w1 = backward.w1.const_data_ptr<float>();
    if (tensors.b1.defined()) network.b1 = tensors.b1.const_data_ptr<float>();
}

/// Of x's shape, in memory as the projections before attention have it: [B, T, heads, d].
at::Tensor gradient_like(const at::Tensor& x) {
    const at::IntArrayRef sizes = x.sizes();
    return at::empty({sizes[0], sizes[2], sizes[1], sizes[3]}, x.options()).transpose(1, 2);
}

}  // namespace

FusedCpuTensors fused_cpu_backward(const FusedCpuTensors& tensors, const FusedCpuCase& shared, const at::Tensor& output, const at::Tensor& log_normaliser,
                                   const at::Tensor& d_output, std::vector<at::Tensor>& d_parameters) {
    const at::NoGradGuard no_gradient;
    Backward backward{tensors, shared, call_of(tensors, shared)};
    if (shared.kernel > 0) set_convolution(backward);
    auto& g = backward.gradients;
    g.q = gradient_like(tensors.q);
    g.k = gradient_like(tensors.k);
    g.v = gradient_like(tensors.v);
    backward.call.output = strided(output);
    backward.call.d_output = strided(d_output);
    backward.call.log_normaliser = strided(log_normaliser);
    backward.call.d_q = writable(g.q);
    if (shared.bias) backward.over_cells(d_parameters);
    else backward.over_table();
    g.w1_content = backward.sums.w1_content;
    g.w1_bias = backward.sums.w1_bias;
    g.b1 = backward.sums.b1;
    g.w2 = backward.sums.w2;
    if (tensors.b2.defined()) g.b2 = at::zeros_like(tensors.b2);  // a constant per head changes no weight
    return g;
}

}  // namespace lw
