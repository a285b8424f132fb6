#include "core/evaluation/transformer_scorer.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace lw {
namespace {

/// Small batches of short windows fit the processor's caches; a GPU wants more at once.
constexpr std::int64_t kTokensOnCpu = 4096;
constexpr std::int64_t kTokensOnGpu = 32768;
/// Hidden values of one call, over all tokens and the widest layer, stay below this many.
constexpr std::int64_t kHiddenValues = 64 << 20;
/// Logits of one call stay below 1 GiB.
constexpr std::int64_t kLogits = 256 << 20;
/// Rows whose log-softmax is in memory at once.
constexpr std::int64_t kLogitRows = 2048;

/// -log softmax(logits)[target]; logits [R, V], targets [R] -> [R] float64.
at::Tensor token_losses(const at::Tensor& logits, const at::Tensor& targets) {
    std::vector<at::Tensor> parts;
    for (std::int64_t begin = 0; begin < logits.size(0); begin += kLogitRows) {
        const std::int64_t end = std::min(begin + kLogitRows, logits.size(0));
        at::Tensor rows = logits.slice(0, begin, end);                                                        // [r, V]
        if (rows.scalar_type() != at::kDouble) rows = rows.to(at::kFloat);                                    // [r, V]
        const at::Tensor wanted = rows.gather(1, targets.slice(0, begin, end).unsqueeze(1)).squeeze(1);       // [r]
        parts.push_back((at::logsumexp(rows, {1}) - wanted).to(at::kDouble));                                 // [r]
    }
    return at::cat(parts);  // [R]
}

}  // namespace

TransformerScorer::TransformerScorer(Transformer& model) : model_(model), device_(model.parameters().front().device()) {}

std::vector<std::vector<double>> TransformerScorer::score(const std::vector<TokenSpan>& windows, std::int64_t rows) {
    const at::NoGradGuard no_gradients;
    const auto batch = static_cast<std::int64_t>(windows.size());
    const auto size = static_cast<std::int64_t>(windows.front().size());
    at::Tensor tokens = at::empty({batch, size}, at::kLong);                                               // [B, n]
    auto* out = tokens.data_ptr<std::int64_t>();
    for (const TokenSpan& window : windows) out = std::copy(window.begin(), window.end(), out);
    tokens = tokens.to(device_);
    ForwardOptions options;
    options.last_rows = rows == size - 1 ? 0 : rows;
    // The last token of a window is only predicted, so it is not read.
    const at::Tensor logits = model_.forward(tokens.slice(1, 0, size - 1), options);                          // [B, rows, V]
    const at::Tensor targets = tokens.slice(1, size - rows, size).reshape({-1});                              // [B * rows]
    const at::Tensor losses = token_losses(logits.reshape({batch * rows, -1}), targets).cpu().contiguous();   // [B * rows]
    const double* values = losses.data_ptr<double>();
    std::vector<std::vector<double>> result;
    for (std::int64_t n = 0; n < batch; ++n) result.emplace_back(values + n * rows, values + (n + 1) * rows);
    return result;
}

std::int64_t TransformerScorer::tokens_per_call() const {
    const ModelSpec& spec = model_.spec();
    const std::int64_t widest = std::max({spec.width, spec.ffn_width, std::int64_t{1}});
    const std::int64_t most = device_.is_cpu() ? kTokensOnCpu : kTokensOnGpu;
    const std::int64_t by_logits = kLogits / std::max<std::int64_t>(spec.vocabulary, 1);
    return std::max<std::int64_t>(std::min({most, kHiddenValues / widest, by_logits}), 1);
}

bool TransformerScorer::can_score_all(std::int64_t size) const { return size * std::max<std::int64_t>(model_.spec().vocabulary, 1) <= kLogits; }

}  // namespace lw
