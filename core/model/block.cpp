#include "core/model/block.h"

#include <ATen/ATen.h>

#include <cmath>

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

namespace {

/// A layer's rotation of new queries or keys [B, H, T, d] at positions [T] or [B, T].
at::Tensor rotated(const BlockContext& context, const at::Tensor& x, const at::Tensor& positions, Side side) {
    const auto& layer = context.scheme.layer(context.layer);
    return layer.rotate(x, positions.dim() == 2 ? positions.unsqueeze(1) : positions, context.length, context.scheme.train_length(), side);
}

/// The row temperature on content, folded into queries that are turned already; plain ones get it inside the tile.
at::Tensor scaled_rows(const LayerScheme& layer, const AttentionInputs& inputs) {
    if (!inputs.rotated) return inputs.q;
    const auto factor = row_factor(layer, geometry_of(inputs, {0, inputs.q.size(2)}, {0, inputs.k.size(2)}));  // [T] or [H, T]
    return factor.defined() ? inputs.q * factor.to(inputs.q.scalar_type()).unsqueeze(-1) : inputs.q;
}

/// The inputs of one sequence of the batch, whose positions are its own.
AttentionInputs sequence_of(const AttentionInputs& inputs, std::int64_t b) {
    AttentionInputs one = inputs;
    one.query_positions = inputs.query_positions[b];
    one.key_positions = inputs.key_positions[b];
    for (auto* x : {&one.q, &one.k, &one.v, &one.key_state}) {
        if (x->defined()) *x = x->narrow(0, b, 1);
    }
    return one;
}

AttentionResult attend_with(const LayerScheme& layer, AttentionInputs& inputs, const BlockContext& context) {
    inputs.q = scaled_rows(layer, inputs);
    const bool capture = context.capture != nullptr;
    return context.plain_attention ? plain_attention(layer, inputs, capture) : attend(layer, inputs, capture);
}

/// True when positions have served once queries and keys are turned: places in the text then do for the rest, and the batch stays whole.
bool needs_places_only(const LayerScheme& layer, const AttentionInputs& inputs) {
    return inputs.rotated && !layer.bias && !layer.adaptive && !layer.distance;
}

/// Positions of each sequence's own: one sequence at a time, since biases and masks are made for one list of positions.
AttentionResult attend_each(const LayerScheme& layer, AttentionInputs& inputs, const BlockContext& context) {
    std::vector<at::Tensor> queries, outputs, normalisers;
    for (std::int64_t b = 0; b < inputs.q.size(0); ++b) {
        auto one = sequence_of(inputs, b);
        const auto result = attend_with(layer, one, context);
        queries.push_back(one.q);
        outputs.push_back(result.output);
        if (result.log_normaliser.defined()) normalisers.push_back(result.log_normaliser);
    }
    inputs.q = at::cat(queries);  // with the row temperature, as attend_with() leaves them
    return {at::cat(outputs), normalisers.empty() ? at::Tensor() : at::cat(normalisers)};
}

}  // namespace

AttentionInputs Block::inputs_of(const at::Tensor& normed, const BlockContext& context, std::int64_t rows) {
    const auto d = spec_.head_width;
    const auto& layer = context.scheme.layer(context.layer);
    const auto parts = qkv_->forward(normed).split_with_sizes({spec_.heads * d, spec_.kv_heads * d, spec_.kv_heads * d}, -1);  // [B, T, n d]
    AttentionInputs inputs;
    const auto own = context.positions.slice(-1, context.past);                              // [T] or [B, T]
    inputs.query_positions = last_rows(own, rows, own.dim() - 1);
    inputs.key_positions = context.positions;
    inputs.steps = context.steps;
    inputs.first_position = context.first_position;
    if (context.scheme.positions()) {
        inputs.query_indices = last_rows(context.indices, rows, 0);
        inputs.key_indices = context.indices;
    }
    inputs.length = context.length;
    inputs.train_length = context.scheme.train_length();
    inputs.rotated = !layer.rotates_in_tile();
    inputs.q = to_heads(last_rows(parts[0], rows, 1), spec_.heads);                          // [B, H, rows, d]
    inputs.k = to_heads(parts[1], spec_.kv_heads);                                           // [B, Hkv, T, d]
    inputs.v = to_heads(parts[2], spec_.kv_heads);                                           // [B, Hkv, T, d]
    inputs.key_state = layer.token_state(normed);                                            // [B, S, T, n] or undefined
    if (inputs.rotated) {
        inputs.q = rotated(context, inputs.q, inputs.query_positions, Side::query);
        inputs.k = rotated(context, inputs.k, own, Side::key);
        // Scores are divided by the root of the width; a rotation that widens the head must not change their size.
        if (inputs.q.size(-1) != d) inputs.q = inputs.q * std::sqrt(static_cast<double>(inputs.q.size(-1)) / static_cast<double>(d));
    }
    if (context.cache != nullptr) {
        const auto all = context.cache->append(static_cast<std::size_t>(context.layer), inputs.k, inputs.v, inputs.key_state);
        inputs.k = all.k;
        inputs.v = all.v;
        inputs.key_state = all.state;
    }
    return inputs;
}

at::Tensor Block::attention(const at::Tensor& normed, const BlockContext& context, std::int64_t rows) {
    const auto& layer = context.scheme.layer(context.layer);
    auto inputs = inputs_of(normed, context, rows);
    if (inputs.key_positions.dim() == 2 && needs_places_only(layer, inputs)) {
        inputs.query_positions = inputs.query_indices;
        inputs.key_positions = inputs.key_indices;
    }
    const auto result = inputs.key_positions.dim() == 2 ? attend_each(layer, inputs, context) : attend_with(layer, inputs, context);
    if (context.capture != nullptr) {
        *context.capture = {inputs, result.log_normaliser};
        context.capture->inputs.v = at::Tensor();
        // Copies where they are views: those would keep the projection of all three alive, and map tiles read rows that lie together.
        context.capture->inputs.q = inputs.q.contiguous();
        context.capture->inputs.k = inputs.k.contiguous();
    }
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
