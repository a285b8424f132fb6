#pragma once
/// Recipe: everything needed to reproduce a run. Its JSON form is documented in docs/file_formats.md.

#include "core/api/scheme.h"

#include <filesystem>

namespace lw {

/// Decoder-only transformer. Zero means "derive": kv_heads = heads, head_width = width / heads, ffn_width = 4 width
/// (8/3 width rounded up to a multiple of 8 for swiglu).
struct ModelSpec {
    std::int64_t layers = 4;
    std::int64_t heads = 8;
    std::int64_t kv_heads = 0;
    std::int64_t width = 128;
    std::int64_t head_width = 0;
    std::int64_t ffn_width = 0;
    std::int64_t vocabulary = 0;          ///< 0 = the tokenizer's size
    std::string norm = "layernorm";       ///< layernorm | rmsnorm
    double norm_eps = 1e-5;
    std::string activation = "gelu";      ///< gelu (exact) | gelu-tanh | swiglu
    bool attention_bias = true;           ///< bias of the q, k, v projections
    bool output_bias = true;              ///< bias of attention output and feed-forward projections
    bool norm_bias = true;                ///< LayerNorm only
    bool tied_embedding = false;
    bool parallel_residual = false;       ///< GPT-NeoX: x + attn(ln1 x) + ffn(ln2 x)
    bool embedding_norm = false;          ///< BLOOM: a norm right after the embedding
    std::string initialisation = "dape";  ///< dape (small init / depth-scaled output, encodings 3.1) | gpt2
};

/// What is read: a corpus (or several, joined by "+"), a file or folder of a person, or a synthetic task.
struct DataSpec {
    std::string source = "en-prose";  ///< corpus ids joined by "+", an absolute path, "sample:<name>", or "task:<id>"
    std::string tokenizer = "bpe";    ///< byte | bpe (SentencePiece BPE trained on the training split); tasks bring their own
    std::int64_t vocabulary = 1024;   ///< bpe only
    Params task;                      ///< parameters of a synthetic task
};

struct TrainingSpec {
    std::int64_t length = 128;  ///< L
    std::int64_t batch = 32;    ///< sequences per micro-batch
    std::int64_t accumulation = 1;
    std::int64_t steps = 1000;
    double peak_rate = 2e-3;
    double final_rate_fraction = 0.1;  ///< cosine ends here
    double warmup_fraction = 0.02;
    double beta1 = 0.9;
    double beta2 = 0.95;
    double epsilon = 1e-8;
    double weight_decay = 0.1;
    double clip = 1.0;                   ///< global gradient norm, 0 = off
    std::string precision = "fp32";      ///< fp32 | bf16 (autocast on a GPU)
    std::int64_t checkpoint_every = 250; ///< steps; the last step always writes one
    std::int64_t validate_every = 100;
    std::int64_t validation_batches = 8;
    std::int64_t keep_checkpoints = 3;   ///< newest periodic ones kept beside the best and the last; 0 = all
};

/// Which tokens LongPPL counts: key tokens, those that a long context helps. Fang et al. 2024, arXiv 2410.23771 (ICLR 2025): a token is one iff
/// ln P(token | long) - ln P(token | the last K tokens) > alpha and ln P(token | long) > beta. There K = 4,096, for models of 32,768 tokens and more.
struct KeyTokenSpec {
    std::filesystem::path evaluator;   ///< folder of the run whose losses mark them; empty = the measured run itself
    std::int64_t evaluator_step = -1;  ///< its checkpoint; -1 = the best one, else the last
    std::int64_t short_context = 0;    ///< K, tokens; 0 = L / 4 of the measured run
    double gain = 2;                   ///< alpha, nats
    double probability = -2;           ///< beta, ln P
};

struct EvaluationSpec {
    std::string protocol = "last-k";    ///< last-k | dape-paper | non-overlapping | sliding; of evaluate() longppl as well, which no recipe names
    std::vector<std::int64_t> lengths;  ///< empty = L, 2L, 4L, ... 16384 as the documents allow
    std::int64_t scored = 0;            ///< tokens scored in a window; 0 = the protocol's own: min(256, L/2, half the shortest length) of last-k,
                                        ///< 256 of dape-paper; the window-by-window protocols score every new token and ignore it
    std::int64_t stride = 0;  ///< sliding: 0 = T/2. longppl: tokens by which windows of the short context move; 0 = 1, exactly K tokens before each; else K … K + stride - 1
    std::int64_t documents = 32;        ///< at most this many places (windows of one document count as one place each)
    std::string split = "test";         ///< train | validation | test
    std::int64_t bootstrap = 1000;      ///< resamples of documents (of places where there are fewer than 8 documents); 0 = no interval
    double level = 0.95;
    KeyTokenSpec keys{};                ///< longppl only; not part of recipes
};

/// Weights to begin with: those of another run, trained on by this recipe (fine-tuning, also at another length and with plug-in methods).
struct StartSpec {
    std::string recipe;       ///< training_hash() of that run's recipe; "" = weights are drawn from the seed
    std::int64_t step = -1;   ///< its checkpoint; -1 = the best one, else the last
    std::int64_t length = 0;  ///< the length its weights were trained with: what positional methods scale from. Needed with `recipe`
};

struct Recipe {
    std::string name;  ///< run title; "" = the scheme's name
    SchemeSpec scheme;
    ModelSpec model;
    DataSpec data;
    TrainingSpec training;
    EvaluationSpec evaluation;
    std::uint64_t seed = 1;
    StartSpec start{};
};

/// Reads recipe JSON. A misspelt key is refused with the right one suggested; a value out of bounds names the bound.
/// A scheme given as a plain word is a preset's name: one that comes with the program or, with a workspace, one's own.
Result<Recipe> parse_recipe(const std::string& json, const std::filesystem::path& workspace = {});
Result<Recipe> read_recipe(const std::filesystem::path& file, const std::filesystem::path& workspace = {});
/// Pretty-printed JSON with every field, keys in a fixed order.
[[nodiscard]] std::string recipe_json(const Recipe& recipe);
/// Fills every derived value and checks everything that can be checked without reading data.
Result<Recipe> check_recipe(const Recipe& recipe);
/// 16 hex digits of a hash over the resolved recipe without its name.
[[nodiscard]] std::string recipe_hash(const Recipe& recipe);
/// The same without the evaluation's settings: equal for recipes that train the same weights.
[[nodiscard]] std::string training_hash(const Recipe& recipe);

/// What training this recipe will take on a device. Memory is the peak of tensors' bytes there.
struct TrainingEstimate {
    std::int64_t parameters = 0;
    std::int64_t bytes = 0;
    std::int64_t bytes_available = 0;
    double seconds_per_step = 0;   ///< on the CPU, from arithmetic and the machine's measured speed; 0 = unknown, as on a GPU
    std::string attention_path;    ///< which path is planned, and why
    std::string advice;            ///< "" or what would fit / be faster
};
/// Allocates nothing of the model's size. Errors: those of check_recipe; unavailable for a device that is not there.
Result<TrainingEstimate> estimate_training(const Recipe& recipe, const std::string& device = "cpu");

}  // namespace lw
