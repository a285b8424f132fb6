#pragma once
/// Heads measured over length, over training and over texts: dispersion of attention, logits at untrained distances, classes as trails,
/// heads that attend alike, and how far the positional term depends on the text.

#include "core/api/maps.h"

namespace lw {

/// Logits of a set of cells, nats. Of no cell at all: NaN.
struct LogitRange {
    double low = std::numeric_limits<double>::quiet_NaN(), high = std::numeric_limits<double>::quiet_NaN();
    double mean = std::numeric_limits<double>::quiet_NaN(), deviation = std::numeric_limits<double>::quiet_NaN();  ///< population standard deviation
};

/// One head of one checkpoint at one length. `locality` is measured at the last query (encodings 5.2); everything else is a mean over the
/// last AtlasRequest::queries query rows of every text.
struct HeadPoint {
    std::int64_t step = 0, length = 0;
    std::int64_t layer = 0, head = 0;
    double contrast = 0, rank = 0, locality = 0;  ///< C (nats), ρ, λ
    double adaptivity = std::numeric_limits<double>::quiet_NaN();  ///< A; NaN with one text
    std::string head_class;
    double entropy = 0;          ///< of a row's weights, nats
    double spread = 0;           ///< entropy / mean of ln(visible keys): 1 = uniform, 0 = one key
    double effective_keys = 0;   ///< exp(entropy): so many keys of equal weight have that entropy
    double peak = 0;             ///< largest weight of a row
    double beyond_training = 0;  ///< share of weight at distances that training had not, |i − j| >= L
    double sink = 0;             ///< share of weight on the first token
    double self = 0;             ///< share of weight on the query's own token
    LogitRange trained{}, untrained{};                        ///< logits at distances below L, and from L on
    double rms_content = 0, rms_bias = 0, rms_adaptive = 0;   ///< over visible cells, nats; 0 = no such term
};

/// RMS of the terms over all heads of a layer, nats.
struct LayerTerms {
    std::int64_t step = 0, length = 0, layer = 0;
    double content = 0, bias = 0, adaptive = 0;
};

struct HeadAtlas {
    std::string run_title;
    std::int64_t layers = 0, heads = 0, train_length = 0;
    ScorePart of = ScorePart::bias_adaptive;   ///< what C, ρ, λ, A and the class are measured on; content where the scheme has neither
    std::int64_t texts = 0, queries = 0;       ///< averaged over; queries: fewer at lengths shorter than that
    std::vector<std::int64_t> steps, lengths;  ///< ascending
    std::vector<HeadPoint> points;             ///< by step, then length, layer, head
    std::vector<LayerTerms> terms;             ///< by step, then length, layer
    std::string text;                          ///< "16 texts, each ending with the same 64 tokens at every length"
};

struct AtlasRequest {
    std::filesystem::path run;
    TextRequest text;                   ///< as for maps; its length is that of the longest one asked for
    std::vector<std::int64_t> lengths;  ///< tokens; none = the text's length, of a typed text its tokens
    std::vector<std::int64_t> steps;    ///< checkpoints; none or -1 = the best one
    std::int64_t queries = 64;          ///< last rows that are averaged; 0 = all
    MeasureRequest measure;             ///< `query` is not looked at: C, ρ, λ and A are those of the last one
};
/// Every length is the end of the same texts, so that the last queries are the same tokens everywhere and only their context grows; examples
/// of a task, which have no shorter form, are new ones at each length, and lengths that give examples of one length are measured once.
/// Texts are run one after the other and score rows computed in blocks, so memory is that of one text.
/// Errors: those of measure_heads; invalid_argument for a length below 2 or longer than a typed text; not_found for a missing checkpoint.
Result<HeadAtlas> head_atlas(const AtlasRequest& request, const RunContext& context = {});

/// A head's way through lengths (at the last step) or through steps (at the longest length).
enum class TrailAxis { length, step };
/// The points of one head in order; empty for a head that is not there.
[[nodiscard]] std::vector<HeadPoint> head_trail(const HeadAtlas& atlas, std::int64_t layer, std::int64_t head, TrailAxis over);
/// How far a head's measures go along its trail.
struct HeadDrift {
    std::int64_t layer = 0, head = 0;
    std::string from_class, to_class;
    double from_locality = 0, to_locality = 0;  ///< λ at both ends
    double path = 0;                            ///< Σ |Δλ| from point to point
    double contrast = 0;                        ///< Σ |ΔC|, nats
    std::int64_t class_changes = 0;
};
/// Of every head, the longest path first.
[[nodiscard]] std::vector<HeadDrift> head_drift(const HeadAtlas& atlas, TrailAxis over);

struct HeadPlace {
    std::int64_t layer = 0, head = 0;
};
/// How differently heads attend: mean over query rows and texts of the Jensen–Shannon divergence of their weights, nats, between 0 (the
/// same) and ln 2 = 0.693 (no key in common); Clark et al. 2019, section 6, compare heads with it.
struct HeadDistances {
    std::string run_title;
    std::int64_t step = 0, length = 0, texts = 0, queries = 0;
    std::vector<HeadPlace> heads;     ///< [n], by layer, then head
    std::vector<double> divergence;   ///< [n x n], symmetric, 0 on the diagonal
};
/// One length (the text's) and one checkpoint (the first); `measure` gives the number of texts. Errors: those of head_atlas.
Result<HeadDistances> head_distances(const AtlasRequest& request, const RunContext& context = {});
struct SimilarTo {
    HeadPlace head;
    double divergence = 0;
};
/// The heads that attend most like this one, nearest first; empty for a head that is not there.
[[nodiscard]] std::vector<SimilarTo> most_similar(const HeadDistances& distances, HeadPlace head, std::size_t most);

/// One cell at which two texts' positional terms differ.
struct DependencePlace {
    std::int64_t layer = 0, head = 0, query = 0, key = 0;
    double term_a = 0, term_b = 0;  ///< bias + adaptive, each without its row's mean, which softmax ignores, nats
    double weight = 0;              ///< attention of text a
    double moved = 0;               ///< what its weight would change by with text b's term in the place of its own
    std::string query_a, key_a, query_b, key_b;  ///< printable tokens
};
/// How much one head's positional term depends on the text. NaN where scores of the head are not finite numbers.
struct HeadDependence {
    std::int64_t layer = 0, head = 0;
    double rms_difference = 0;  ///< of term b minus term a over visible cells, row means taken off, nats
    double rms_term = 0;        ///< of the terms themselves, likewise
    double largest = 0;         ///< |difference|, nats
    double moved = 0;           ///< mean over rows of half Σ |moved|: the share of the attention that the other text's term would shift
};
/// What "matters most" means.
enum class DependenceOrder { attention, term };  ///< |moved|; |term b − term a|
struct DependenceRequest {
    std::filesystem::path run;
    std::int64_t step = -1;
    TextRequest a, b;             ///< the longer one is cut to the length of the shorter one
    std::int64_t layer = -1, head = -1;  ///< -1 = all
    std::size_t places = 20;
    DependenceOrder order = DependenceOrder::attention;
};
struct TextDependence {
    std::string run_title;
    std::int64_t step = 0, length = 0, train_length = 0;
    bool reads_text = true;       ///< false: nothing in this scheme's positional term looks at the text, and all differences are 0
    std::string text_a, text_b;   ///< titles
    std::vector<HeadDependence> heads;     ///< by layer, then head
    std::vector<DependencePlace> places;   ///< where it matters most, first the most
    std::string warning{};        ///< names heads whose scores are not finite numbers; "" without
};
/// Errors: those of open_maps; invalid_argument for a scheme without bias and adaptive term, a layer or head that is not there, or twice
/// the same tokens.
Result<TextDependence> text_dependence(const DependenceRequest& request, const RunContext& context = {});

// As CSV: one header line, full precision.
[[nodiscard]] std::string atlas_csv(const HeadAtlas& atlas);
[[nodiscard]] std::string distances_csv(const HeadDistances& distances);  ///< a line for each pair of heads
[[nodiscard]] std::string places_csv(const TextDependence& dependence);
[[nodiscard]] std::string dependence_csv(const TextDependence& dependence);  ///< a line for each head

}  // namespace lw
