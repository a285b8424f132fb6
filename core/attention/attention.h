#pragma once
/// Attention with any scheme: plan() chooses a path and can say why; all paths give the numbers of the plain one.

#include "core/attention/score_tile.h"

#include <string>

namespace lw {

struct AttentionResult {
    at::Tensor output;          ///< [B, H, Tq, d]
    at::Tensor log_normaliser;  ///< [B, H, Tq]; only when asked for
};

/// What plan() may look at.
struct AttentionQuestion {
    std::int64_t batch = 1, heads = 8, queries = 0, keys = 0, head_width = 16;
    bool gradient = false;
    bool wants_normaliser = false;
    bool on_gpu = false;
    bool double_precision = false;
};

/// One way to compute attention.
struct AttentionPath {
    const char* id;
    /// "" when it serves this case, else why not.
    std::string (*refusal)(const LayerScheme&, const AttentionQuestion&);
    AttentionResult (*run)(const LayerScheme&, const AttentionInputs&, bool wants_normaliser);
};

struct AttentionPlan {
    const AttentionPath* path = nullptr;
    std::string why;  ///< "fused-dape: pointwise adaptive term; stock: adaptive term mixes heads"
};

AttentionPlan plan(const LayerScheme& layer, const AttentionQuestion& question);
/// Whether anything the output depends on learns: the scheme's own parameters may where the rest of the model is frozen.
bool wants_gradient(const LayerScheme& layer, const AttentionInputs& inputs);
/// Plans and runs.
AttentionResult attend(const LayerScheme& layer, const AttentionInputs& inputs, bool wants_normaliser = false);
/// The reference: all scores at once, softmax, product. Memory O(Tq Tk).
AttentionResult plain_attention(const LayerScheme& layer, const AttentionInputs& inputs, bool wants_normaliser = false);
/// Exact, a block of query rows at a time, memory O(block x Tk).
AttentionResult row_block_attention(const LayerScheme& layer, const AttentionInputs& inputs, bool wants_normaliser = false);
/// Rows per block so that a block's temporaries stay near 16 MB, on a GPU near 1 GB.
std::int64_t rows_per_block(const LayerScheme& layer, const AttentionQuestion& question);

/// The paths, most specialised first; the last one serves everything.
const std::vector<AttentionPath>& attention_paths();

// The paths' own files.
extern const AttentionPath kStockPath;
extern const AttentionPath kStockBiasPath;
extern const AttentionPath kFusedCpuPath;
extern const AttentionPath kFusedCpuTrainingPath;
extern const AttentionPath kFusedDapePath;
extern const AttentionPath kCudaPath;
extern const AttentionPath kPlainPath;
extern const AttentionPath kRowBlockPath;

}  // namespace lw
