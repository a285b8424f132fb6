#pragma once
/// One pre-norm transformer block: attention and feed-forward, sequential or parallel residual.

#include "core/attention/attention.h"
#include "core/model/layers.h"
#include "core/model/transformer.h"

namespace lw {

/// What a block needs to know about this pass.
struct BlockContext {
    PositionScheme& scheme;
    std::int64_t layer = 0;
    at::Tensor indices;          ///< [length] float64, places in the text of all tokens so far
    at::Tensor positions;        ///< [length] or [B, length] float64, what the position map made of them
    PositionSteps steps = PositionSteps::not_known;
    double first_position = 0;   ///< where steps are by one
    std::int64_t past = 0;       ///< tokens that the cache held before this pass
    std::int64_t length = 0;     ///< tokens so far, the new ones included
    KeyValueCache* cache = nullptr;
    LayerCapture* capture = nullptr;
    std::int64_t rows = 0;       ///< compute only the last so many rows; 0 = all
    bool plain_attention = false;
};

class Block : public torch::nn::Module {
public:
    explicit Block(const ModelSpec& spec);
    /// x [B, T, E] -> [B, rows, E].
    at::Tensor forward(const at::Tensor& x, const BlockContext& context);
    void draw(double inner, double output);

private:
    AttentionInputs inputs_of(const at::Tensor& normed, const BlockContext& context, std::int64_t rows);
    at::Tensor attention(const at::Tensor& normed, const BlockContext& context, std::int64_t rows);

    ModelSpec spec_;
    std::shared_ptr<Norm> attention_norm_, ffn_norm_;
    std::shared_ptr<Dense> qkv_, output_;
    std::shared_ptr<FeedForward> ffn_;
};

}  // namespace lw
