#pragma once
/// Positional schemes: slots, methods that fill them, presets, and what a scheme does to distance without any model.

#include "core/api/params.h"
#include "core/api/result.h"

#include <filesystem>
#include <optional>

namespace lw {

/// One filled slot: the method's id and its parameters (missing ones take their defaults).
struct SlotChoice {
    std::string id;
    Params params;
};

/// A scheme: slot id ("input", "rotation", "frequency", "bias", "adaptive", ...) -> choice. An absent slot is "none".
struct SchemeSpec {
    std::string name;  ///< title shown to people ("DAPE-Kerple")
    std::map<std::string, SlotChoice> slots;
};

struct SlotInfo {
    std::string id;
    std::string title;
    std::string summary;  ///< what the slot decides, one sentence
};

/// A statement about a method that the tests check ("relative", "norm-preserving", ...).
struct ClaimInfo {
    std::string id;
    std::string sentence;
};

/// A method's self-description (design, section 3).
struct MethodInfo {
    std::string slot;
    std::string id;  ///< kebab-case, permanent: files refer to it
    std::string name;
    std::string summary;  ///< one sentence
    std::string formula;  ///< Unicode, the formula that is actually run
    std::string paper;    ///< authors, year, title
    std::string url;
    std::string beyond_training;  ///< what to expect past the training length, at most two sentences
    std::string not_to_confuse;   ///< other methods of the same name, "" where the name is clear
    std::vector<ClaimInfo> claims;
    std::vector<ParamSpec> params;
    bool plug_in = false;  ///< may be changed on a trained model
    bool learned = false;  ///< has trainable parameters
};

[[nodiscard]] const std::vector<SlotInfo>& slots();
[[nodiscard]] const std::vector<MethodInfo>& methods();
Result<MethodInfo> describe_method(const std::string& slot, const std::string& id);

/// A named scheme: one that comes with the program (resources/schemes/<id>.json), or a person's own (schemes/<id>.json of a workspace).
struct SchemePreset {
    std::string id;  ///< kebab-case: "dape-kerple"
    std::string summary;
    SchemeSpec scheme;
    bool own = false;  ///< a person's: it can be saved again and deleted
};
/// Those that come with the program, in the order in which they are shown.
[[nodiscard]] const std::vector<SchemePreset>& scheme_presets();

/// Presets of a workspace.
struct PresetList {
    std::vector<SchemePreset> presets;  ///< those that come with the program, then one's own by id
    std::vector<std::string> problems;  ///< one sentence for each file that is no preset; it hides no other
};
[[nodiscard]] PresetList scheme_presets(const std::filesystem::path& workspace);
/// By id or by name, any case, among the presets that come with the program and, with a workspace, one's own. Unknown: not_found with the
/// nearest names. A damaged file of that name: corrupt_file.
Result<SchemeSpec> find_scheme(const std::string& name, const std::filesystem::path& workspace = {});
/// Writes the checked scheme to schemes/<id>.json of the workspace, where the id is the name in kebab-case; one's own preset of that id is
/// replaced. Errors: those of check_scheme; invalid_argument for a name without a letter or digit, over 80 bytes, or of a preset that comes
/// with the program; io.
Result<SchemePreset> save_preset(const std::filesystem::path& workspace, const std::string& name, const SchemeSpec& scheme);
/// Removes one's own preset by id or name, any case, also a damaged one. Errors: invalid_argument for one that comes with the program;
/// not_found with the nearest of one's own.
Status delete_preset(const std::filesystem::path& workspace, const std::string& name);

/// The scheme with every slot's parameters filled in. Refuses unknown slots, methods, parameters and values out of
/// bounds (the sentence names the bound), and combinations that cannot run (dynamic frequency without a rotation).
Result<SchemeSpec> check_scheme(const SchemeSpec& scheme);

/// The scheme without what may be changed on a trained model: what an extension is compared with.
Result<SchemeSpec> plain_scheme(const SchemeSpec& scheme);
/// `base` with the slots of `extension` put in, an id "none" empties a slot. Refuses whatever a trained model cannot take: a method that
/// is no plug-in, another method in the place of one the model was trained with.
Result<SchemeSpec> extend_scheme(const SchemeSpec& base, const SchemeSpec& extension);
/// The slots in which `wanted` differs from `base`, "none" for those it leaves empty: what extend_scheme() needs to make one of the other.
Result<SchemeSpec> extension_between(const SchemeSpec& base, const SchemeSpec& wanted);
/// What a preset changes when it is put onto a model that was trained with `base`, for extend_scheme(); nothing when it was made for another
/// kind of model, changes nothing, or holds a part that must be trained with.
Result<std::optional<SchemeSpec>> preset_extension(const SchemeSpec& base, const SchemeSpec& preset);

/// "bias: kerple-log · adaptive: dape (D = 32, concat_residual)"
[[nodiscard]] std::string scheme_line(const SchemeSpec& scheme);

/// The model that a method's numbers and costs are said for.
struct ModelShape {
    std::int64_t heads = 8;           ///< H
    std::int64_t kv_heads = 0;        ///< key and value heads; 0 = H
    std::int64_t head_width = 32;     ///< d
    std::int64_t width = 0;           ///< E; 0 = H d
    std::int64_t train_length = 128;  ///< L
    std::int64_t length = 8192;       ///< of the text, for methods that scale with it
    double base = 10000;              ///< of the rotation of whole heads that a frequency scaling changes; 0 = not known
    bool has_bias = true;             ///< an adaptive method finds a bias to read

    [[nodiscard]] std::int64_t model_width() const { return width > 0 ? width : heads * head_width; }
    [[nodiscard]] std::int64_t key_heads() const { return kv_heads > 0 ? kv_heads : heads; }
};

/// What a method adds to plain attention, counted from its own code. An operation is a multiplication or an addition; activation functions
/// and what is computed once for all tokens are not counted. Absent: not known.
struct MethodCost {
    std::optional<double> per_pair{};         ///< operations for every visible pair of query and key, all heads of a layer
    std::optional<double> per_token{};        ///< operations for every token, in each layer (input slot: once)
    std::optional<std::int64_t> learned{};    ///< trained numbers of a layer
    bool shared = false;                      ///< the learned numbers serve all layers
    std::int64_t kept = 0;                    ///< numbers per token and layer kept for later queries beside key and value
};

/// A filled slot in numbers.
struct MethodNumbers {
    std::string slot, id;
    std::string values;     ///< its symbols: "s = 4, β_fast = 32, β_slow = 1, L = 128"; "" where the formula has none
    MethodCost cost;
    std::string cost_line;  ///< the cost as a sentence; "" where nothing is known
};
/// Missing parameters take their defaults. Errors: not_found; those of check_scheme for a single method.
Result<MethodNumbers> method_numbers(const std::string& slot, const SlotChoice& choice, const ModelShape& shape = {});
/// Every filled slot, in the order of slots(); `base` and `has_bias` of the shape are taken from the scheme. Combinations are not checked.
Result<std::vector<MethodNumbers>> scheme_numbers(const SchemeSpec& scheme, const ModelShape& shape = {});

/// The catalogue of all methods as Markdown (docs/methods.md is this text).
[[nodiscard]] std::string methods_markdown();

/// What to show of a scheme when no model is there.
struct PreviewRequest {
    SchemeSpec scheme;
    std::int64_t heads = 8;
    std::int64_t head_width = 32;
    std::int64_t train_length = 128;
    std::int64_t length = 8192;     ///< length of the sequence the scheme is applied to
    std::int64_t points = 256;      ///< distances sampled, log-spaced with 0 and length - 1 included
    std::int64_t map_cells = 0;     ///< side of the distance and visibility maps; 0 = no maps
    std::uint64_t seed = 1;         ///< of learned methods' initial values
};

/// Curves against distance δ = i - j for the last query i = length - 1, per head; and the rotation's frequencies.
struct EncodingPreview {
    std::vector<std::int64_t> distance;             ///< δ, ascending, [n]
    std::vector<std::vector<double>> bias;          ///< [H][n], nats; empty without a bias slot
    std::vector<double> plain_frequency;            ///< radians per token before scaling, [d/2]; empty without a rotation
    std::vector<double> frequency;                  ///< after scaling, [d/2]
    double attention_factor = 1;                    ///< multiplies cos and sin
    std::vector<double> turns_in_training;          ///< L θ / 2π, [d/2]
    std::vector<double> similarity;                 ///< mean over pairs of cos(δ θ) · factor², [n]; 1 at δ = 0
    std::vector<double> plain_similarity;           ///< the same before scaling
    std::vector<double> decay_bound;                ///< relative bound of |qᵀk| after scaling (RoFormer, section 3.4.3), [n]; 1 at δ = 0
    std::vector<double> plain_decay_bound;          ///< the same before scaling
    std::vector<std::vector<double>> input_dot;     ///< [1][n]: p_i · p_(i-δ) / |p_i|² of an additive input; empty without
    std::vector<std::vector<double>> effective_distance;  ///< [1 or H][n]: what position and distance maps make of δ; empty without
    std::vector<bool> visible;                      ///< [n], whether the last query reads that key
    std::vector<std::vector<double>> row_factor;    ///< [1 or H][n]: the temperature's factor at query position `distance`; empty without
    std::vector<std::int64_t> map_index;            ///< places in the text of the maps' rows and columns, ascending, [m]
    std::vector<double> distance_map;               ///< effective distance of the first head, row major [m][m], NaN where hidden
    std::vector<double> wave_map;                   ///< cos(p θ) of each place and pair, row major [m][d/2]; empty without a rotation
    bool shows_initial_values = false;              ///< a learned method: these are initial values, not trained ones
    std::string note;                               ///< what the picture leaves out ("DAPE depends on the text ...")
};
Result<EncodingPreview> preview_scheme(const PreviewRequest& request);

}  // namespace lw
