#include "core/model/transformer.h"

#include "core/model/block.h"
#include "core/model/seed_scope.h"

#include <ATen/ATen.h>

#include <cmath>
#include <utility>

namespace lw {

namespace {

/// Standard deviations of the initial weights: {inner layers and embeddings, layers that write to the residual stream}.
std::pair<double, double> initial_deviations(const ModelSpec& spec) {
    const auto width = static_cast<double>(spec.width), layers = static_cast<double>(spec.layers);
    if (spec.initialisation == "gpt2") return {0.02, 0.02 / std::sqrt(2.0 * layers)};
    // GPT-NeoX "small init" and "wang init", the protocol of the DAPE paper (encodings 3.1).
    return {std::sqrt(2.0 / (5.0 * width)), 2.0 / (layers * std::sqrt(width))};
}

}  // namespace

Transformer::Transformer(const ModelSpec& spec, const SchemeSpec& scheme, std::int64_t train_length, std::uint64_t seed) : spec_(spec) {
    const SeedScope scope(seed);
    SlotShape shape;
    shape.heads = spec.heads;
    shape.kv_heads = spec.kv_heads;
    shape.head_width = spec.head_width;
    shape.width = spec.width;
    shape.train_length = train_length;
    shape.vocabulary = spec.vocabulary;
    embedding_ = register_parameter("embedding", at::zeros({spec.vocabulary, spec.width}));
    if (spec.embedding_norm) embedding_norm_ = register_module("embedding_norm", std::make_shared<Norm>(spec.width, spec));
    for (std::int64_t layer = 0; layer < spec.layers; ++layer) {
        blocks_.push_back(register_module("blocks_" + std::to_string(layer), std::make_shared<Block>(spec)));
    }
    final_norm_ = register_module("final_norm", std::make_shared<Norm>(spec.width, spec));
    head_ = spec.tied_embedding ? embedding_ : register_parameter("head", at::zeros({spec.vocabulary, spec.width}));
    // The scheme comes last, so that two schemes with one seed start from the same other weights.
    initialise();
    scheme_ = register_module("scheme", std::make_shared<PositionScheme>(scheme, shape, spec.layers));
}

void Transformer::initialise() {
    const at::NoGradGuard no_gradient;
    const auto [inner, output] = initial_deviations(spec_);
    embedding_.normal_(0, inner);
    for (const auto& block : blocks_) block->draw(inner, output);
    if (!spec_.tied_embedding) head_.normal_(0, inner);
}

std::int64_t Transformer::parameter_count() const {
    std::int64_t count = 0;
    for (const auto& parameter : parameters()) count += parameter.numel();
    return count;
}

std::string Transformer::attention_note(std::int64_t batch, std::int64_t length, bool gradient) const {
    AttentionQuestion question{.batch = batch, .heads = spec_.heads, .queries = length, .keys = length, .head_width = spec_.head_width,
                               .gradient = gradient, .wants_normaliser = false, .on_gpu = embedding_.is_cuda()};
    return plan(scheme_->layer(0), question).why;
}

MappedPositions Transformer::positions_of(const at::Tensor& indices, const at::Tensor& tokens, const ForwardOptions& options) {
    const auto& map = scheme_->positions();
    PositionContext context{.length = indices.numel(), .train_length = scheme_->train_length(), .training = map && map->is_training(),
                            .batch = tokens.size(0)};
    if (map && map->reads_tokens()) {
        const bool continues = options.cache != nullptr && options.cache->tokens().defined();
        context.tokens = continues ? at::cat({options.cache->tokens(), tokens}, 1) : tokens;  // [B, length]
    }
    return scheme_->map_positions(indices, context);
}

namespace {

/// What attention may know of positions without reading them in every layer. Only a bias wants to.
std::pair<PositionSteps, double> steps_of(const PositionScheme& scheme, const at::Tensor& positions) {
    if (!scheme.positions()) return {PositionSteps::by_one, 0};
    if (!scheme.layer(0).bias || positions.dim() != 1) return {PositionSteps::not_known, 0};
    const auto by_one = positions.diff().eq(1).all().to(at::kDouble).unsqueeze(0);
    const auto read = at::cat({positions.slice(0, 0, 1), by_one}).to(at::kCPU);  // [2]: one wait for both
    const auto* values = read.const_data_ptr<double>();
    return {values[1] != 0 ? PositionSteps::by_one : PositionSteps::other, values[0]};
}

}  // namespace

at::Tensor Transformer::hidden(const at::Tensor& tokens, const ForwardOptions& options) {
    const auto past = options.cache != nullptr ? options.cache->length() : 0;
    const auto length = past + tokens.size(1);
    scheme_->begin_pass();
    const auto indices = at::arange(length, at::TensorOptions(at::kDouble).device(tokens.device()));    // [length]
    const auto positions = positions_of(indices, tokens, options);                                      // [length] or [B, length]
    auto x = at::embedding(embedding_, tokens);                                                         // [B, T, E]
    x = scheme_->apply_input(x, positions.absolute.slice(-1, past), tokens);
    if (embedding_norm_) x = embedding_norm_->forward(x);
    const auto [steps, first_position] = steps_of(*scheme_, positions.relative);
    if (options.capture != nullptr) options.capture->resize(blocks_.size());
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        const bool last = i + 1 == blocks_.size();
        BlockContext context{.scheme = *scheme_, .layer = static_cast<std::int64_t>(i), .indices = indices, .positions = positions.relative,
                             .steps = steps, .first_position = first_position, .past = past, .length = length, .cache = options.cache, .capture = options.capture ? &(*options.capture)[i] : nullptr,
                             .rows = last && options.drop_unscored_rows && !options.capture ? options.last_rows : 0,
                             .plain_attention = options.plain_attention};
        x = blocks_[i]->forward(x, context);
    }
    if (options.cache != nullptr) options.cache->advance(tokens);
    return x;
}

at::Tensor Transformer::refill(const at::Tensor& tokens, const ForwardOptions& options) {
    const auto all = at::cat({options.cache->tokens(), tokens}, 1);  // [B, length]
    options.cache->clear();
    auto again = options;
    again.last_rows = options.last_rows > 0 ? std::min(options.last_rows, tokens.size(1)) : tokens.size(1);
    return forward(all, again);
}

at::Tensor Transformer::forward(const at::Tensor& tokens, const ForwardOptions& options) {
    TORCH_CHECK(tokens.dim() == 2, "tokens must be [B, T], got ", tokens.sizes());
    const auto past = options.cache != nullptr ? options.cache->length() : 0;
    if (past > 0 && scheme_->changes_between(past, past + tokens.size(1))) return refill(tokens, options);
    auto x = hidden(tokens, options);                                               // [B, T or rows, E]
    if (options.last_rows > 0 && x.size(1) > options.last_rows) x = x.narrow(1, x.size(1) - options.last_rows, options.last_rows);
    return at::linear(final_norm_->forward(x), head_);                             // [B, rows, V]
}

at::Tensor Transformer::loss(const at::Tensor& tokens, const at::Tensor& targets) {
    const auto logits = forward(tokens).flatten(0, 1).to(embedding_.scalar_type());  // [B T, V]
    return at::cross_entropy_loss(logits, targets.flatten());
}

std::map<std::string, at::Tensor> model_tensors(Transformer& model) {
    std::map<std::string, at::Tensor> tensors;
    for (const auto& item : model.named_parameters()) tensors[item.key()] = item.value().detach().to(at::kCPU).clone();
    return tensors;
}

namespace {

/// Weights that are no numbers would only turn into figures without meaning later.
void check_numbers(const std::string& name, const at::Tensor& weights) {
    if (!at::isFloatingType(weights.scalar_type())) throw Failure(ErrorKind::corrupt_file, "The tensor \"" + name + "\" of the checkpoint does not hold floating-point numbers.");
    if (!at::isfinite(weights).all().item<bool>()) {
        throw Failure(ErrorKind::corrupt_file, "The tensor \"" + name + "\" of the checkpoint holds values that are infinite or not a number: its training diverged, or the file is damaged.");
    }
}

}  // namespace

void load_model_tensors(Transformer& model, const std::map<std::string, at::Tensor>& tensors) {
    const at::NoGradGuard no_gradient;
    const auto parameters = model.named_parameters();
    for (const auto& item : parameters) {
        const auto found = tensors.find(item.key());
        if (found == tensors.end()) throw Failure(ErrorKind::corrupt_file, "The checkpoint lacks the tensor \"" + item.key() + "\": it belongs to another model.");
        if (found->second.sizes() != item.value().sizes()) {
            std::ostringstream message;
            message << "The tensor \"" << item.key() << "\" is " << found->second.sizes() << " in the checkpoint, but the model needs "
                    << item.value().sizes() << ".";
            throw Failure(ErrorKind::corrupt_file, message.str());
        }
        check_numbers(item.key(), found->second);
    }
    if (tensors.size() != parameters.size()) {
        for (const auto& [name, tensor] : tensors) {
            if (!parameters.contains(name)) throw Failure(ErrorKind::corrupt_file, "The checkpoint has a tensor \"" + name + "\" that the model does not know.");
        }
    }
    for (auto item : parameters) item.value().copy_(tensors.at(item.key()));
}

}  // namespace lw
