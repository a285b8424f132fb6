#pragma once
/// Biases that add up one number per token and head, at most 0, over the tokens after the key up to the query:
/// B(i, j) = Σ_{l = j+1..i} g_l = c_i - c_j, c = cumulative sum of g; 0 on the token itself. g comes from a linear layer
/// z = w_h·x + b_h on the layer's normed input; FoX and Cable differ in how.

#include "core/position/content_bias.h"
#include "core/position/entry.h"

namespace lw {

class GateSumBias : public ContentBias {
public:
    /// w ~ N(0, 0.02), b as given.
    GateSumBias(const SlotShape& shape, double initial_bias);
    at::Tensor content_tile(const ContentView& view, const TileGeometry& geometry) override;
    at::Tensor token_state(const at::Tensor& normed) override;

protected:
    /// z [B, T, H] -> g, each at most 0.
    virtual at::Tensor gate(const at::Tensor& z) const = 0;

private:
    at::Tensor weight_, bias_;  // [H, E], [H]
};

/// A linear layer and a running sum per token; a difference and its addition to the score per pair.
MethodCost gate_cost(const Params& params, const ModelShape& shape);

}  // namespace lw
