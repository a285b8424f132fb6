#pragma once
/// Score parts as exact tiles: content + bias + adaptive = logit -> probability, for any layer, head, query and key range.

#include "core/api/context.h"
#include "core/api/text.h"

#include <functional>
#include <limits>
#include <memory>
#include <optional>

namespace lw {

enum class ScorePart { content, bias, adaptive, bias_adaptive, logit, probability };
[[nodiscard]] const char* score_part_name(ScorePart part);  ///< "content", "bias", "adaptive", "bias+adaptive", "logit", "probability"
Result<ScorePart> parse_score_part(const std::string& name);

/// How several cells become one pixel. signed_max_abs keeps the value of largest magnitude with its sign.
enum class Reducer { mean, max, signed_max_abs };
[[nodiscard]] const char* reducer_name(Reducer reducer);
Result<Reducer> parse_reducer(const std::string& name);

struct CellRange {
    std::int64_t begin = 0;
    std::int64_t end = 0;  ///< exclusive
    [[nodiscard]] std::int64_t size() const { return end - begin; }
};

struct TileRequest {
    std::int64_t layer = 0;
    std::int64_t head = -1;  ///< -1 = all heads of the layer
    ScorePart part = ScorePart::probability;
    CellRange queries;       ///< rows i
    CellRange keys;          ///< columns j
    std::int64_t max_rows = 512;  ///< at most so many rows of pixels
    std::int64_t max_columns = 512;
    Reducer reducer = Reducer::signed_max_abs;
    bool sampled = false;    ///< take one cell per pixel instead of pooling: coarse, quick, marked as such
};

/// Values of one head, row major [rows x columns]; NaN = masked (no visible cell in that pixel).
struct MapTile {
    std::int64_t layer = 0;
    std::int64_t head = 0;
    ScorePart part = ScorePart::probability;
    CellRange queries;
    CellRange keys;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::vector<float> values;
    Reducer reducer = Reducer::mean;
    bool sampled = false;         ///< some pixels show one of their cells only
    double cells_per_row = 1;     ///< query cells per pixel
    double cells_per_column = 1;
    double exact_share = 1;       ///< of the pixels that were computed from all of their cells; 1 unless sampled
};

/// One query row of one head, all parts against key position 0..i (an encoder's: against every key), unpooled. logit = content + bias + adaptive of the
/// terms that the scheme really adds (the variant "concat" of DAPE leaves the static bias out of the sum).
struct RowProfile {
    std::int64_t layer = 0;
    std::int64_t head = 0;
    std::int64_t query = 0;
    std::vector<float> content, bias, adaptive, logit, probability;  ///< [i + 1], an encoder's [T]; absent parts are empty
};

/// The arithmetic of one cell.
struct CellArithmetic {
    std::int64_t query = 0, key = 0;
    std::string query_piece, key_piece;
    double content = 0, bias = 0, adaptive = 0, logit = 0, probability = 0;
    bool bias_is_added = true;  ///< false for the DAPE variant that drops the static bias
    bool visible = true;
    std::string sentence;       ///< "0.41 + (−3.46) + 2.10 = −0.95 → exp(−0.95 − 7.13) = 3.1e-4"
};

/// Locality of one head over distance (encodings 5.2) at one query, of the part `of`: what was asked for, or content where bias + adaptive
/// was asked of a scheme that has neither.
struct HeadMeasures {
    std::int64_t layer = 0, head = 0;
    ScorePart of = ScorePart::bias_adaptive;
    std::int64_t texts = 1;  ///< averaged over
    double contrast = 0;    ///< C, far minus near, nats
    double rank = 0;        ///< ρ, Spearman with distance
    double locality = 0;    ///< λ in [-1, 1]
    /// A, how much the curve changes from text to text: 0 for a static bias; NaN with one text, where it cannot be measured.
    double adaptivity = std::numeric_limits<double>::quiet_NaN();
    std::string head_class; ///< "local" | "anti-local" | "U-shape" | "hump" | "sink" | "spike" | "flat"
    double rms_content = 0, rms_bias = 0, rms_adaptive = 0;
    double entropy = 0;         ///< of the probability row, nats
    double beyond_training = 0; ///< probability mass at distances that training had not, δ >= L
    double first_key = 0;       ///< probability mass on key 0
    std::vector<std::string> documents{};  ///< short names of those that the texts are from, each once; empty for a session's own text
};

struct MeasureRequest {
    std::int64_t query = -1;          ///< -1 = last
    ScorePart of = ScorePart::bias_adaptive;
    std::int64_t sequences = 16;      ///< texts averaged over (A needs several); fewer when the corpus has fewer
    double rank_threshold = 0.5, contrast_threshold = 0.25;
    double peak_threshold = 0.5;      ///< of sink and spike: least share of softmax(b) on the first token or the token itself, and least |λ|
};

struct MapsInfo {
    std::string run_title;
    std::int64_t layers = 0, heads = 0, length = 0, train_length = 0, step = 0;
    std::vector<ScorePart> parts;  ///< that this scheme has
    TokenText text;
    std::string attention_note;
    bool causal = true;            ///< no query reads a later key; false for an encoder
};

/// Pictures of a view as they get better, one per head asked for. Called on the computing thread.
using PictureSink = std::function<void(std::vector<MapTile>)>;

/// What a session keeps of finished tiles, and how much that spared.
struct TileUse {
    std::int64_t bytes = 0, budget = 0;  ///< kept, and the most that is kept; the tiles looked at longest ago go first
    std::int64_t tiles = 0;              ///< kept, counted per head
    std::int64_t computed = 0, reused = 0, dropped = 0;  ///< since the session was opened
};

/// A model with a text run through it once; hands out exact tiles from the kept q, k and log-normalisers.
/// To be used on the computing thread only, but for finished_view(), tile_use() and set_tile_budget(): those touch finished tiles alone,
/// which a lock guards, and may be called from any thread at any time, also while view() runs.
class MapSession {
public:
    virtual ~MapSession() = default;
    [[nodiscard]] virtual const MapsInfo& info() const = 0;
    /// One tile per head asked for (head = -1: H tiles of the layer).
    virtual Result<std::vector<MapTile>> tiles(const TileRequest& request, const RunContext& context = {}) = 0;
    /// Pictures of a view, better and better: unless it is there already, a sampled one first, then ones in which finished tiles take the
    /// place of samples (MapTile::exact_share), and last the exact one. A pixel is a power of two of cells along each axis, the smallest with
    /// which the view fits the pixels asked for, and pixels lie on multiples of their size: so the ranges that come back may begin
    /// and end up to a pixel outside those asked for (never outside the text, one pixel more than max_rows or max_columns at most), and
    /// neighbouring views share their tiles. `sampled` of the request asks for the first picture alone. Errors: those of tiles(); cancelled,
    /// and what was finished until then is kept.
    virtual Status view(const TileRequest& request, const PictureSink& sink, const RunContext& context = {}) {
        auto pictures = tiles(request, context);
        if (!pictures.ok()) return pictures.error();
        sink(std::move(pictures).value());
        return Nothing{};
    }
    /// The exact pictures that view() would end with, where all of their tiles are kept; nothing otherwise. From any thread.
    [[nodiscard]] virtual std::optional<std::vector<MapTile>> finished_view(const TileRequest& /*request*/) const { return std::nullopt; }
    [[nodiscard]] virtual TileUse tile_use() const { return {}; }     ///< from any thread
    virtual void set_tile_budget(std::int64_t /*bytes*/) {}           ///< from any thread; 0 keeps nothing
    /// All heads of the layer at one query (-1 = last). invalid_argument for a layer or query that is not there, with the bounds.
    virtual Result<std::vector<RowProfile>> rows(std::int64_t layer, std::int64_t query) = 0;
    /// invalid_argument for a layer, head, query or key that is not there, with the bounds. A key after its query is not visible.
    virtual Result<CellArithmetic> cell(std::int64_t layer, std::int64_t head, std::int64_t query, std::int64_t key) = 0;
    /// Every head of every layer, for the session's own text only, so without A. `request.sequences` is ignored.
    virtual Result<std::vector<HeadMeasures>> measures(const MeasureRequest& request, const RunContext& context = {}) = 0;
};

struct MapsRequest {
    std::filesystem::path run;
    std::int64_t step = -1;  ///< -1 = best checkpoint, else last
    TextRequest text;
    std::int64_t tile_bytes = -1;  ///< most that finished tiles may take; -1 = default_tile_bytes()
};
/// A sixteenth of the machine's memory, at least 64 MB and at most 1 GB.
[[nodiscard]] std::int64_t default_tile_bytes();
/// Runs the text through the model. Errors: those of read_text; not_found (no such checkpoint); out_of_memory for a text too long to keep;
/// cancelled.
Result<std::shared_ptr<MapSession>> open_maps(const MapsRequest& request, const RunContext& context = {});

/// Measures averaged over several texts of the given length: places of the run's validation and test documents (or of the bundled samples of
/// its language),
/// examples of its task, or the typed text alone. Errors: those of open_maps; invalid_argument for a part the scheme lacks and
/// for thresholds that are no numbers of 0 or more.
Result<std::vector<HeadMeasures>> measure_heads(const MapsRequest& request, const MeasureRequest& measure, const RunContext& context = {});

}  // namespace lw
