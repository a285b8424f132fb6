#include "core/model/block.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

/// [B, T, n d] -> [B, n, T, d].
at::Tensor to_heads(const at::Tensor& x, std::int64_t heads) {
    return x.view({x.size(0), x.size(1), heads, -1}).transpose(1, 2);
}

at::Tensor last_rows(const at::Tensor& x, std::int64_t rows, std::int64_t axis) {
    return rows == x.size(axis) ? x : x.narrow(axis, x.size(axis) - rows, rows);
}

}  // namespace

Block::Block(const ModelSpec& spec) : spec_(spec) {
    const auto projected = (spec.heads + 2 * spec.kv_heads) * spec.head_width;
    attention_norm_ = register_module("attention_norm", std::make_shared<Norm>(spec.width, spec));
    qkv_ = register_module("qkv", std::make_shared<Dense>(spec.width, projected, spec.attention_bias));
    output_ = register_module("output", std::make_shared<Dense>(spec.heads * spec.head_width, spec.width, spec.output_bias));
    ffn_norm_ = register_module("ffn_norm", std::make_shared<Norm>(spec.width, spec));
    ffn_ = register_module("ffn", std::make_shared<FeedForward>(spec));
}

void Block::draw(double inner, double output) {
    qkv_->draw(inner);
    output_->draw(output);
    ffn_->draw(inner, output);
}

at::Tensor Block::attention(const at::Tensor& normed, const BlockContext& context, std::int64_t rows) {
    const auto d = spec_.head_width;
    const auto projected = qkv_->forward(normed);                                            // [B, T, (H + 2 Hkv) d]
    const auto parts = projected.split_with_sizes({spec_.heads * d, spec_.kv_heads * d, spec_.kv_heads * d}, -1);
    AttentionInputs inputs;
    inputs.query_positions = last_rows(context.query_positions, rows, 0);
    inputs.key_positions = context.key_positions;
    inputs.length = context.length;
    inputs.train_length = context.scheme.train_length();
    const auto q = to_heads(last_rows(parts[0], rows, 1), spec_.heads);                      // [B, H, rows, d]
    inputs.q = context.scheme.rotate(q, inputs.query_positions, context.length);
    inputs.k = context.scheme.rotate(to_heads(parts[1], spec_.kv_heads), context.query_positions, context.length);
    inputs.v = to_heads(parts[2], spec_.kv_heads);                                           // [B, Hkv, T, d]
    if (context.cache != nullptr) {
        auto all = context.cache->append(static_cast<std::size_t>(context.layer), inputs.k, inputs.v);
        inputs.k = all.k;
        inputs.v = all.v;
    }
    const auto& layer = context.scheme.layer(context.layer);
    const bool capture = context.capture != nullptr;
    const auto result = context.plain_attention ? plain_attention(layer, inputs, capture) : attend(layer, inputs, capture);
    if (capture) *context.capture = {inputs.q, inputs.k, result.log_normaliser};
    return output_->forward(result.output.transpose(1, 2).flatten(2));                       // [B, rows, E]
}

at::Tensor Block::forward(const at::Tensor& x, const BlockContext& context) {
    const auto rows = context.rows > 0 ? std::min(context.rows, x.size(1)) : x.size(1);
    const auto kept = last_rows(x, rows, 1);                                                 // [B, rows, E]
    const auto attended = attention(attention_norm_->forward(x), context, rows);
    if (spec_.parallel_residual) return kept + attended + ffn_->forward(ffn_norm_->forward(kept));
    const auto middle = kept + attended;
    return middle + ffn_->forward(ffn_norm_->forward(middle));
}

}  // namespace lw
