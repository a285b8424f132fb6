/// generate(): text from a trained model, token by token.

#include "core/api/runs.h"
#include "core/lab/guard.h"
#include "core/lab/load_model.h"
#include "core/lab/sampler.h"
#include "core/lab/text_stream.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <chrono>

namespace lw {

namespace {

std::vector<std::int64_t> prompt_ids(const Tokenizer& tokenizer, const std::string& prompt) {
    std::vector<std::int64_t> ids = tokenizer.encode(prompt);
    if (ids.empty()) ids = tokenizer.encode("\n");  // a model without a start token has to continue something
    if (ids.empty()) ids = {0};
    return ids;
}

/// Bounded position tables refuse here, before anything is generated, instead of half-way.
void require_positions(Transformer& model, std::int64_t length, const at::Device& device) {
    const at::Tensor last = at::full({1}, static_cast<double>(length - 1), at::TensorOptions(at::kDouble).device(device));  // [1]
    const at::Tensor nothing = at::zeros({1, 1, model.spec().width}, at::TensorOptions(at::kFloat).device(device));       // [1, 1, E]
    const at::Tensor token = at::zeros({1, 1}, at::TensorOptions(at::kLong).device(device));                              // [1, 1]
    (void)model.scheme()->apply_input(nothing, last, token);
}

/// The model reading on: with a cache only the new token, without one the whole text each time.
class Reader {
public:
    Reader(Transformer& model, bool cached, at::Device device) : model_(model), cached_(cached), device_(device), cache_(model.spec().layers) {}

    /// Logits after the last of `ids`, [V].
    at::Tensor logits(const std::vector<std::int64_t>& ids) {
        const std::size_t known = cached_ ? static_cast<std::size_t>(cache_.length()) : 0;
        const std::vector<std::int64_t> fresh(ids.begin() + static_cast<std::ptrdiff_t>(known), ids.end());
        const at::Tensor tokens = at::tensor(fresh, at::TensorOptions(at::kLong)).unsqueeze(0).to(device_);  // [1, T]
        ForwardOptions options;
        options.last_rows = 1;
        if (cached_) options.cache = &cache_;
        return model_.forward(tokens, options)[0][0];
    }

private:
    Transformer& model_;
    bool cached_;
    at::Device device_;
    KeyValueCache cache_;
};

void report(const RunContext& context, std::int64_t done, std::int64_t total, double rate) {
    if (!context.progress) return;
    Progress progress;
    progress.stage = "Generating";
    progress.done = static_cast<double>(done);
    progress.total = static_cast<double>(total);
    progress.unit = "tokens";
    progress.rate = rate;
    progress.rate_unit = "tokens";
    progress.seconds_left = rate > 0 ? static_cast<double>(total - done) / rate : -1;
    context.report(progress);
}

Generated generate_text(const GenerateRequest& request, const RunContext& context) {
    if (request.tokens < 1) throw Failure(ErrorKind::invalid_argument, fmt::format("{} tokens were asked for; at least 1 is needed.", request.tokens));
    Sampler sampler({request.temperature, request.top_k, request.top_p}, request.seed);
    const at::NoGradGuard no_gradient;
    const LoadedModel loaded = load_model(request.run, request.step, context.device);
    if (sees_future(loaded.model->scheme()->layer(0))) {
        throw Failure(ErrorKind::invalid_argument, fmt::format("{} is an encoder: it was not trained to go on with a text. Its answers are measured with: lengthwise-cli evaluate {}",
                                                               loaded.run.title, loaded.run.id));
    }
    const at::Device device(context.device);
    TextStream stream(*loaded.tokenizer, prompt_ids(*loaded.tokenizer, request.prompt));
    Generated result;
    result.prompt_tokens = static_cast<std::int64_t>(stream.ids().size());
    require_positions(*loaded.model, result.prompt_tokens + request.tokens - 1, device);
    Reader reader(*loaded.model, request.cache, device);
    const auto give = [&](const std::string& text) {
        result.text += text;
        if (request.on_text && !text.empty()) request.on_text(text);
    };
    const auto start = std::chrono::steady_clock::now();
    while (result.tokens < request.tokens && !context.stopping()) {
        // A padded vocabulary has rows that stand for no token.
        const at::Tensor logits = reader.logits(stream.ids()).slice(0, 0, loaded.tokenizer->size());  // [V]
        give(stream.add(sampler.next(logits)));
        ++result.tokens;
        result.tokens_per_second = static_cast<double>(result.tokens) / std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        report(context, result.tokens, request.tokens, result.tokens_per_second);
        if (context.serve) context.serve();
    }
    give(stream.finish());
    return result;
}

}  // namespace

Result<Generated> generate(const GenerateRequest& request, const RunContext& context) {
    return guarded<Generated>([&] { return generate_text(request, context); });
}

}  // namespace lw
