#include "core/training/estimate.h"

#include "core/attention/attention.h"
#include "core/model/seed_scope.h"
#include "core/position/scheme.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <string_view>

namespace lw {

namespace {

/// Sums of bytes are doubles: the largest recipe that the bounds allow needs more than 64 bits can count.
constexpr double kFloat = 4;

constexpr const char* kRows = "rows";

/// The slots whose methods keep a table of positions: learned positions, TUPE.
constexpr std::array kTables{"input", "bias"};

/// Such a table may be larger than the memory, so it is made with a single row, and table_parameters() counts the others.
SchemeSpec with_one_row(SchemeSpec scheme) {
    for (const char* slot : kTables) {
        const auto choice = scheme.slots.find(slot);
        if (choice != scheme.slots.end() && choice->second.params.contains(kRows)) choice->second.params[kRows] = std::int64_t{1};
    }
    return scheme;
}

/// Parameters of the rows that with_one_row() left out. The recipe is resolved, so that every parameter is there.
std::int64_t table_parameters(const Recipe& recipe) {
    std::int64_t count = 0;
    for (const char* slot : kTables) {
        const auto choice = recipe.scheme.slots.find(slot);
        if (choice == recipe.scheme.slots.end() || !choice->second.params.contains(kRows)) continue;
        const auto rows = std::get<std::int64_t>(choice->second.params.at(kRows));
        count += ((rows > 0 ? rows : recipe.training.length) - 1) * recipe.model.width;
    }
    return count;
}

std::shared_ptr<PositionScheme> small_scheme(const Recipe& recipe) {
    const SeedScope scope(recipe.seed);
    SlotShape shape;
    shape.heads = recipe.model.heads;
    shape.kv_heads = recipe.model.kv_heads;
    shape.head_width = recipe.model.head_width;
    shape.width = recipe.model.width;
    shape.train_length = recipe.training.length;
    shape.vocabulary = recipe.model.vocabulary;
    return std::make_shared<PositionScheme>(with_one_row(recipe.scheme), shape, recipe.model.layers);
}

std::int64_t dense(std::int64_t in, std::int64_t out, bool bias) { return in * out + (bias ? out : 0); }

std::int64_t gates(const ModelSpec& m) { return m.activation == "swiglu" ? 2 : 1; }

/// Matrix weights of one block: those that cost arithmetic for every token.
std::int64_t block_parameters(const ModelSpec& m) {
    const std::int64_t norm = m.width * (m.norm == "layernorm" && m.norm_bias ? 2 : 1);
    return dense(m.width, (m.heads + 2 * m.kv_heads) * m.head_width, m.attention_bias) + dense(m.heads * m.head_width, m.width, m.output_bias) +
           dense(m.width, gates(m) * m.ffn_width, m.output_bias) + dense(m.ffn_width, m.width, m.output_bias) + 2 * norm;
}

std::int64_t count_with(const Recipe& recipe, const PositionScheme& scheme) {
    const ModelSpec& m = recipe.model;
    const std::int64_t norm = m.width * (m.norm == "layernorm" && m.norm_bias ? 2 : 1);
    std::int64_t count = m.vocabulary * m.width * (m.tied_embedding ? 1 : 2) + m.layers * block_parameters(m) + norm * (m.embedding_norm ? 2 : 1);
    for (const auto& parameter : scheme.parameters()) count += parameter.numel();
    return count + table_parameters(recipe);
}

AttentionPlan planned(const Recipe& recipe, const PositionScheme& scheme, bool on_gpu) {
    AttentionQuestion question;
    question.batch = recipe.training.batch;
    question.heads = recipe.model.heads;
    question.queries = question.keys = recipe.training.length;
    question.head_width = recipe.model.head_width;
    question.gradient = true;
    question.on_gpu = on_gpu;
    return plan(scheme.layer(0), question);
}

/// Hidden channels of an adaptive network; 0 without one.
std::int64_t hidden_channels(const PositionScheme& scheme) {
    const auto& adaptive = scheme.layer(0).adaptive;
    if (!adaptive) return 0;
    if (const auto network = adaptive->network()) return network->w1.size(0);
    std::int64_t widest = 0;
    for (const auto& parameter : adaptive->parameters()) widest = std::max(widest, parameter.size(0));
    return widest;
}

/// Bytes that attention keeps for backward in one layer, and those it needs only while it runs.
struct AttentionBytes {
    double kept = 0, passing = 0;
};
AttentionBytes attention_bytes(const Recipe& recipe, const PositionScheme& scheme, std::string_view path, bool on_gpu) {
    const auto length = static_cast<double>(recipe.training.length), batch = static_cast<double>(recipe.training.batch);
    const auto heads = static_cast<double>(recipe.model.heads), hidden = static_cast<double>(hidden_channels(scheme));
    const double cells = length * length;
    const double bias = scheme.layer(0).bias ? heads * cells * kFloat : 0;
    if (path == "stock") return {};
    // Backward finds the weights again from one number per row; its packed keys and values, and a block of a bias made cell by cell, pass.
    if (path == "fused-cpu-training") return {batch * heads * length * kFloat, 48.0 * 1024 * 1024};
    if (path == "stock+mask") return {on_gpu ? bias : 0, on_gpu ? bias : 0};
    if (path == "fused-dape") return {2 * bias, 4 * bias + 64.0 * 1024 * 1024};
    // Scores, logits and softmax are kept per cell, and what a learned bias is made from; an adaptive network keeps its inputs (2H),
    // hidden values (3D: two steps and a copy in the convolution's layout) and outputs (H). Measured within a quarter.
    const double per_cell = 3 * heads + (hidden > 0 ? 4 * heads + 3 * hidden : 0);
    return {batch * cells * per_cell * kFloat + 4 * bias, batch * cells * 2 * heads * kFloat};
}

/// Values per token and layer that backward needs outside attention: two normed inputs, the residual sums, q, k, v and the
/// attended values, the feed-forward before and after its activation.
std::int64_t kept_values(const ModelSpec& m, bool rotates) {
    const std::int64_t rotated = rotates ? 3 * (m.heads + m.kv_heads) * m.head_width : 0;
    return 6 * m.width + (2 * m.heads + 4 * m.kv_heads) * m.head_width + rotated + (gates(m) + 1) * m.ffn_width;
}

/// Operations of one layer over all pairs of tokens of a micro-batch, forward and backward, `per_pair` multiply-adds each.
double pair_operations(const Recipe& recipe, std::int64_t per_pair) {
    const auto pairs = static_cast<double>(recipe.training.batch * recipe.training.length * recipe.training.length);
    return 6.0 * pairs * static_cast<double>(per_pair);
}

}  // namespace

std::int64_t count_parameters(const Recipe& recipe) { return count_with(recipe, *small_scheme(recipe)); }

TrainingCost training_cost(const Recipe& recipe, bool on_gpu) {
    const ModelSpec& m = recipe.model;
    const auto scheme = small_scheme(recipe);
    const AttentionPlan plan = planned(recipe, *scheme, on_gpu);
    const AttentionBytes attention = attention_bytes(recipe, *scheme, plan.path->id, on_gpu);
    const auto tokens = static_cast<double>(recipe.training.batch * recipe.training.length);
    TrainingCost cost;
    cost.parameters = count_with(recipe, *scheme);
    cost.attention_path = plan.why;
    const auto micro_batches = static_cast<double>(recipe.training.accumulation), layers = static_cast<double>(m.layers);
    const auto values = static_cast<double>(kept_values(m, scheme->has_rotation())), vocabulary = static_cast<double>(m.vocabulary);
    // Weights, gradients, two moments; what backward keeps; logits, their log-softmax and their gradient.
    cost.bytes = saturated(4 * static_cast<double>(cost.parameters) * kFloat + layers * (tokens * values * kFloat + attention.kept) + attention.passing +
                           3 * tokens * vocabulary * kFloat);
    const double matrix = 6.0 * static_cast<double>(m.layers * block_parameters(m) + m.vocabulary * m.width) * tokens;
    cost.matrix_operations = micro_batches * (matrix + layers * pair_operations(recipe, 2 * m.heads * m.head_width));
    cost.adaptive_operations = micro_batches * layers * pair_operations(recipe, 3 * m.heads * hidden_channels(*scheme));
    return cost;
}

SmallerBatch fitting_batch(const Recipe& recipe, bool on_gpu, std::int64_t bytes) {
    Recipe smaller = recipe;
    while (smaller.training.batch % 2 == 0) {
        smaller.training.batch /= 2;
        smaller.training.accumulation *= 2;
        const std::int64_t needed = training_cost(smaller, on_gpu).bytes;
        if (needed <= bytes) return {smaller.training.batch, smaller.training.accumulation, needed};
    }
    return {};
}

std::int64_t saturated(double bytes) {
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    return bytes < static_cast<double>(kMost) ? static_cast<std::int64_t>(bytes) : kMost;
}

std::string size_words(std::int64_t bytes) {
    const auto value = static_cast<double>(bytes);
    if (value < 1e6) return fmt::format("{:.0f} kB", value / 1e3);
    return value < 1e9 ? fmt::format("{:.0f} MB", value / 1e6) : fmt::format("{:.1f} GB", value / 1e9);
}

}  // namespace lw
