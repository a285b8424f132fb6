#pragma once
/// Decoder-only pre-norm transformer with any positional scheme.

#include "core/api/recipe.h"
#include "core/attention/score_tile.h"
#include "core/model/key_value_cache.h"
#include "core/position/scheme.h"

#include <torch/nn/module.h>

#include <map>

namespace lw {

/// What one attention layer leaves behind for maps: what its scores are made of, and the log-normaliser of each row.
struct LayerCapture {
    AttentionInputs inputs;     ///< v undefined
    at::Tensor log_normaliser;  ///< [B, H, T]; undefined where the layer's normaliser has none
};

struct ForwardOptions {
    KeyValueCache* cache = nullptr;                ///< tokens continue what the cache holds
    std::vector<LayerCapture>* capture = nullptr;  ///< filled per layer when given
    std::int64_t last_rows = 0;                    ///< logits of the last so many rows only; 0 = all
    bool plain_attention = false;                  ///< force the plain path (tests compare with it)
    bool drop_unscored_rows = true;                ///< with last_rows: the last layer computes only those rows
};

class Block;
class Norm;

class Transformer : public torch::nn::Module {
public:
    /// `spec` resolved by check_recipe (vocabulary > 0). Parameters are drawn from `seed`'s own generator scope.
    Transformer(const ModelSpec& spec, const SchemeSpec& scheme, std::int64_t train_length, std::uint64_t seed);

    /// tokens [B, T] int64 -> logits [B, T (or last_rows), V].
    at::Tensor forward(const at::Tensor& tokens, const ForwardOptions& options = {});
    /// Mean cross-entropy in nats over targets != -100; tokens, targets [B, T].
    at::Tensor loss(const at::Tensor& tokens, const at::Tensor& targets);

    [[nodiscard]] const ModelSpec& spec() const { return spec_; }
    [[nodiscard]] const std::shared_ptr<PositionScheme>& scheme() const { return scheme_; }
    [[nodiscard]] std::int64_t parameter_count() const;

    /// The planned attention path with its reason, for logs and results.
    [[nodiscard]] std::string attention_note(std::int64_t batch, std::int64_t length, bool gradient) const;

private:
    at::Tensor hidden(const at::Tensor& tokens, const ForwardOptions& options);
    MappedPositions positions_of(const at::Tensor& indices, const at::Tensor& tokens, const ForwardOptions& options);
    at::Tensor refill(const at::Tensor& tokens, const ForwardOptions& options);
    void initialise();

    ModelSpec spec_;
    std::shared_ptr<PositionScheme> scheme_;
    std::shared_ptr<Norm> embedding_norm_;
    std::vector<std::shared_ptr<Block>> blocks_;
    std::shared_ptr<Norm> final_norm_;
    at::Tensor embedding_;  // [V, E]
    at::Tensor head_;       // [V, E]; the embedding itself when tied
};

/// A deep copy of the tensors by name, and back (names as in checkpoints). load throws Failure(corrupt_file) on a missing, extra or misshapen tensor.
std::map<std::string, at::Tensor> model_tensors(Transformer& model);
void load_model_tensors(Transformer& model, const std::map<std::string, at::Tensor>& tensors);

}  // namespace lw
