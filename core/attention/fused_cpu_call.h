#pragma once
/// A layer and its inputs as the CPU kernels take them.

#include "core/attention/kernels/cpu/call.h"
#include "core/attention/score_tile.h"
#include "core/position/visible_intervals.h"

#include <string>
#include <vector>

namespace lw {

/// Tensors that a call points into.
class KeptTensors {
public:
    /// A contiguous float32 copy (or itself) that lives as long as this; null for an undefined one.
    const float* keep(const at::Tensor& tensor);
    const float* keep(const std::vector<double>& values);
    /// As it is.
    void hold(const at::Tensor& tensor) { tensors_.push_back(tensor); }

private:
    std::vector<at::Tensor> tensors_;
};

/// The bias as pieces of one variable, pointing into `kept`; no pieces where it has no such form, or positions are more than places.
kernels::BiasPieces bias_pieces(const Bias& bias, const TileGeometry& geometry, KeptTensors& kept);

/// Float32 copies where the inputs are something else, and the call that points to all of it. The bias is a table over distances where it is one, and
/// as pieces of one variable where it is FIRE's. Where it is neither, call.bias.cells points to nothing of use until the caller has put a block of rows
/// there.
class FusedCpuCall {
public:
    FusedCpuCall(const LayerScheme& layer, const AttentionInputs& inputs);
    FusedCpuCall(const FusedCpuCall&) = delete;
    FusedCpuCall& operator=(const FusedCpuCall&) = delete;

    kernels::AttentionCall call;

private:
    void set_shapes(const AttentionInputs& inputs);
    void set_bias(const LayerScheme& layer, const AttentionInputs& inputs);
    void set_network(const LayerScheme& layer);
    void set_visible(const LayerScheme& layer, const AttentionInputs& inputs);

    KeptTensors tensors_;
    VisibleIntervals intervals_;
};

/// Why the layer's scores are beyond the CPU kernels, forward and backward; "" where they are not.
std::string beyond_cpu_kernels(const LayerScheme& layer);
/// The keys that the layer's pattern shows to each query, of a layer that beyond_cpu_kernels() lets pass.
VisibleIntervals intervals_of(const Visibility& visibility, const AttentionInputs& inputs);

}  // namespace lw
