/// Fake laboratory, part 1: errors, machine and schemes. Previews are in fake_lab_preview.cpp. See fake_lab.h.
#include "tests/ui/fake_lab.h"

#include "core/api/doctor.h"
#include "core/api/encoder.h"
#include "core/api/scheme.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace lw {

namespace fake {

State& state() {
    static State instance;
    return instance;
}

void reset() {
    State& s = state();
    const std::lock_guard lock(s.mutex);
    s.step_milliseconds = 0;
    s.text_milliseconds = 0;
    s.evaluated.clear();
    s.tasks.clear();
    s.incomparable.clear();
    s.presets.clear();
    s.calls.clear();
    s.studies.clear();
    s.failing.clear();
    s.open_maps_calls = 0;
    s.preview_calls = 0;
    s.distance_calls = 0;
    s.dependence_calls = 0;
    s.without_boundary.clear();
    s.trained.clear();
    s.fetched.clear();
    s.fail_distances = false;
    s.fail_maps.message.clear();
    s.fail_training.message.clear();
    s.fail_report.message.clear();
    std::filesystem::remove_all(data_folder() / "evaluations");
}

}  // namespace fake

const char* error_kind_name(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::invalid_argument: return "invalid argument";
        case ErrorKind::not_found: return "not found";
        case ErrorKind::corrupt_file: return "corrupt file";
        case ErrorKind::out_of_memory: return "out of memory";
        case ErrorKind::cancelled: return "cancelled";
        case ErrorKind::unavailable: return "unavailable";
        case ErrorKind::io: return "input or output";
        case ErrorKind::internal: return "internal";
    }
    return "internal";
}

Result<DoctorReport> doctor(bool measure_speed) {
    {
        const std::lock_guard lock(fake::state().mutex);
        fake::state().calls.push_back("doctor");
    }
    DoctorReport report;
    report.lines = {{"Program", "Lengthwise (fake laboratory)", "ok", ""},
                    {"LibTorch", "2.11.0, CPU", "ok", ""},
                    {"GPU", "none found", "note", "Everything works on the CPU. With an NVIDIA GPU, install its driver and run scripts/bootstrap again."},
                    {"Threads", "2", "ok", ""}};
    report.devices = {"cpu"};
    if (measure_speed) {
        report.gflops_one_thread = 98;
        report.gflops_all_threads = 171;
    }
    return report;
}

void initialise(int) {}
Status check_device(const std::string& device) {
    if (device == "cpu") return Nothing{};
    return Error{ErrorKind::unavailable, "The device \"" + device + "\" is not there; found: cpu."};
}
MemoryUse memory_use() { return {1LL << 28, 1LL << 29, 24LL << 30, 20LL << 30}; }
std::filesystem::path resource_folder() { return std::filesystem::path(LW_SOURCE_DIR) / "resources"; }
std::filesystem::path data_folder() {
    // One for each test process: several run at a time. Removed when it ends.
    static const struct Folder {
        std::filesystem::path path = std::filesystem::temp_directory_path() / ("lengthwise-fake-" + std::to_string(::getpid()));
        ~Folder() {
            std::error_code ignored;
            std::filesystem::remove_all(path, ignored);
        }
    } folder;
    return folder.path;
}

const std::vector<SlotInfo>& slots() {
    static const std::vector<SlotInfo> list = {
        {"input", "Input", "What is added to the embedding."},
        {"rotation", "Rotation", "How queries and keys are turned by their position."},
        {"frequency", "Frequency scaling", "How the rotation's frequencies change beyond the training length."},
        {"bias", "Bias", "What is added to every score from the positions alone."},
        {"distance", "Distance map", "Which distance a pair is given."},
        {"temperature", "Temperature", "How the scores of a row are scaled."},
        {"visibility", "Visibility", "Which keys a query reads."},
        {"adaptive", "Adaptive bias", "What is added to every score from the content and bias of all heads."},
    };
    return list;
}

namespace {

ParamSpec real(const char* id, const char* label, double value, double low, double high, double step, bool logarithmic, const char* help) {
    ParamSpec spec;
    spec.id = id;
    spec.label = label;
    spec.help = help;
    spec.type = ParamType::real;
    spec.default_value = value;
    spec.min = low;
    spec.max = high;
    spec.step = step;
    spec.logarithmic = logarithmic;
    return spec;
}

ParamSpec integer(const char* id, const char* label, std::int64_t value, double low, double high, double step, const char* help) {
    ParamSpec spec = real(id, label, 0, low, high, step, false, help);
    spec.type = ParamType::integer;
    spec.default_value = value;
    return spec;
}

/// One whose 0 is worked out.
ParamSpec automatic(ParamSpec spec, const char* zero) {
    spec.zero = zero;
    return spec;
}

ParamSpec choice(const char* id, const char* label, std::vector<std::string> choices, const char* help) {
    ParamSpec spec;
    spec.id = id;
    spec.label = label;
    spec.help = help;
    spec.type = ParamType::choice;
    spec.default_value = choices.front();
    spec.choices = std::move(choices);
    return spec;
}

ParamSpec boolean(const char* id, const char* label, bool value, const char* help) {
    ParamSpec spec;
    spec.id = id;
    spec.label = label;
    spec.help = help;
    spec.type = ParamType::boolean;
    spec.default_value = value;
    return spec;
}

MethodInfo method(const char* slot, const char* id, const char* name, const char* summary, const char* formula, const char* paper,
                  const char* beyond, std::vector<std::string> claims, std::vector<ParamSpec> params, bool learned, bool plug_in = false) {
    MethodInfo info;
    info.slot = slot;
    info.id = id;
    info.name = name;
    info.summary = summary;
    info.formula = formula;
    info.paper = paper;
    info.url = "https://arxiv.org/";
    info.beyond_training = beyond;
    for (const std::string& claim : claims) info.claims.push_back({claim, "The tests check that it is " + claim + "."});
    info.params = std::move(params);
    info.learned = learned;
    info.plug_in = plug_in;
    return info;
}

std::vector<MethodInfo> make_methods() {
    std::vector<MethodInfo> list;
    list.push_back(method("input", "learned", "Learned", "One trained vector per position.", "x_i = e_i + P_i", "Gehring et al., 2017, Convolutional Sequence to Sequence Learning", "Cannot go past its table.", {"learned", "bounded length"}, {automatic(integer("positions", "Positions", 0, 0, 65536, 1, "Rows of the table; 0 = the training length."), "the training length")}, true));
    list.push_back(method("input", "sinusoidal", "Sinusoidal", "Sines and cosines of growing wavelength.", "p_i[2m] = sin(i θ_m), p_i[2m+1] = cos(i θ_m), θ_m = base^(−2m/E)", "Vaswani et al., 2017, Attention Is All You Need", "Breaks soon after the training length.", {}, {real("base", "Base", 10000, 10, 1e7, 0, true, "The longest wavelength is 2π base.")}, false));
    list.push_back(method("rotation", "rope", "RoPE", "Turns pairs of channels by an angle that grows with position.", "q_i, k_j → R(i) q_i, R(j) k_j;  θ_m = base^(−2m/d)", "Su et al., 2021, RoFormer: Enhanced Transformer with Rotary Position Embedding", "Breaks past the training length unless its frequencies are scaled. Slow pairs reach angles never seen.", {"relative", "norm-preserving"}, {real("base", "Base", 10000, 10, 1e7, 0, true, "The slowest pair turns once in 2π base^((d−2)/d) tokens."), real("fraction", "Rotated share", 1, 0.1, 1, 0.05, false, "Share of the channels that are turned."), choice("layout", "Layout", {"half-split", "interleaved"}, "Which channels form a pair.")}, false));
    list.push_back(method("frequency", "linear", "Linear interpolation", "Positions are divided by the factor.", "θ'_m = θ_m / s", "Chen et al., 2023, Extending Context Window of Large Language Models via Positional Interpolation", "Works up to s L, a little blurred nearby.", {"identity at factor 1"}, {real("factor", "Factor", 4, 1, 256, 0, true, "Longest length over training length.")}, false, true));
    list.push_back(method("frequency", "ntk", "NTK-aware", "The base grows, so that fast pairs keep their speed.", "base' = base · s^(d/(d−2))", "bloc97, 2023, NTK-Aware Scaled RoPE", "Works a good way past L without training.", {"identity at factor 1"}, {real("factor", "Factor", 4, 1, 256, 0, true, "Longest length over training length.")}, false, true));
    list.push_back(method("frequency", "yarn", "YaRN", "Slow pairs are interpolated, fast ones kept, a ramp in between.", "θ'_m = (1−γ_m) θ_m/s + γ_m θ_m,  factor 0.1 ln s + 1", "Peng et al., 2023, YaRN: Efficient Context Window Extension of Large Language Models", "The usual choice for extending RoPE.", {"identity at factor 1"}, {real("factor", "Factor", 4, 1, 256, 0, true, "Longest length over training length."), real("beta_fast", "Kept above", 32, 1, 128, 1, false, "Turns within L above which a pair is kept."), real("beta_slow", "Interpolated below", 1, 0.1, 32, 0.1, false, "Turns within L below which a pair is interpolated.")}, false, true));
    list.push_back(method("bias", "alibi", "ALiBi", "A penalty that grows linearly with distance.", "b_ij = −s_h (i − j),  s_h = 2^(−8h/H)", "Press et al., 2022, Train Short, Test Long", "Stays flat: far keys are hardly seen.", {"relative", "monotone", "pointwise over pairs"}, {real("scale", "Slope scale", 1, 0.05, 8, 0, true, "Multiplies every slope.")}, false));
    list.push_back(method("bias", "t5", "T5 buckets", "One trained value per bucket of distance.", "b_ij = B_h[bucket(i − j)]", "Raffel et al., 2020, Exploring the Limits of Transfer Learning", "All far distances share one bucket.", {"relative", "learned"}, {integer("buckets", "Buckets", 32, 4, 512, 4, "Number of trained values per head."), integer("max_distance", "Largest distance", 128, 8, 65536, 8, "Where the last bucket begins.")}, true));
    list.push_back(method("bias", "kerple-log", "Kerple (logarithmic)", "A penalty that grows with the logarithm of distance.", "b_ij = −r₁ ln(1 + r₂ (i − j))", "Chi et al., 2022, KERPLE: Kernelized Relative Positional Embedding", "Rises slowly.", {"relative", "monotone", "learned"}, {real("r1", "Initial r₁", 1, 0.01, 10, 0, true, "Strength at the start of training."), real("r2", "Initial r₂", 1, 0.01, 10, 0, true, "Scale of distance at the start of training.")}, true));
    list.push_back(method("bias", "fire", "FIRE", "A small network of the normalised distance.", "b_ij = f_θ(ψ(i − j) / ψ(max(L, i)))", "Li et al., 2024, Functional Interpolation for Relative Positions", "Bounded, but it can drift.", {"learned"}, {integer("width", "Hidden width", 32, 4, 256, 4, "Of the network.")}, true));
    list.push_back(method("distance", "self-extend", "Self-Extend", "Far distances are counted in groups.", "f = n + (δ − n) / G past n", "Jin et al., 2024, LLM Maybe LongLM", "Distances stay among those of the training.", {}, {integer("neighbours", "Neighbours", 64, 1, 65536, 1, "Distances kept as they are."), integer("group", "Group", 8, 1, 64, 1, "Tokens that share a distance.")}, false, true));
    list.push_back(method("temperature", "log-n", "log-n", "Rows grow sharper with their position.", "s_i = max(1, ln i / ln L)", "Su, 2021", "Keeps the entropy of a row.", {}, {}, false, true));
    list.push_back(method("visibility", "full", "Full (encoder)", "Every key is read.", "all j", "Vaswani et al., 2017", "Both sides grow.", {}, {}, false, false));
    list.push_back(method("visibility", "window", "Window", "Only near keys are read.", "δ < w", "Beltagy et al., 2020, Longformer", "Far keys are never read.", {}, {integer("window", "Window", 128, 1, 65536, 1, "Keys that are read.")}, false, true));
    list.push_back(method("adaptive", "dape", "DAPE", "A network across heads turns content and bias into one more term.", "a_ij = f(content_ij, b_ij)", "Zheng et al., 2024, DAPE: Data-Adaptive Positional Encoding", "Does not rise on this data.", {"learned", "pointwise over pairs"}, {integer("width", "Hidden width D", 32, 4, 256, 4, "Of the network across heads."), choice("variant", "Variant", {"concat_residual", "concat", "add_residual"}, "What goes in, and whether the bias stays.")}, true));
    list.push_back(method("adaptive", "dape-v2", "DAPE V2", "Convolutions along the keys across heads.", "a = conv(conv(content, b))", "Zheng et al., 2024, DAPE V2: Process Attention Score as Feature Map", "Like DAPE, with a halo of keys.", {"learned", "needs a halo"}, {choice("kernel", "Kernel", {"3", "1", "5", "7"}, "Keys seen on each side."), boolean("residual", "Residual", true, "Keep the bias itself in the sum.")}, true));
    return list;
}

SchemePreset preset(const char* id, const char* name, std::map<std::string, SlotChoice> slots) {
    return {id, std::string("The scheme ") + name + ".", {name, std::move(slots)}};
}

std::string lower(std::string word) {
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return word;
}

double number(const Params& params, const char* id, double fallback) {
    const auto found = params.find(id);
    if (found == params.end()) return fallback;
    if (const auto* d = std::get_if<double>(&found->second)) return *d;
    if (const auto* i = std::get_if<std::int64_t>(&found->second)) return static_cast<double>(*i);
    return fallback;
}

Status check_value(const MethodInfo& info, const ParamSpec& spec, const ParamValue& value) {
    if (spec.type != ParamType::real && spec.type != ParamType::integer) return Nothing{};
    const double x = number({{spec.id, value}}, spec.id.c_str(), 0);
    if (x >= spec.min && x <= spec.max) return Nothing{};
    return Error{ErrorKind::invalid_argument, info.name + ": " + spec.label + " is out of bounds (" + std::to_string(x) + ")."};
}

}  // namespace

const std::vector<MethodInfo>& methods() {
    static const std::vector<MethodInfo> list = make_methods();
    return list;
}

Result<MethodInfo> describe_method(const std::string& slot, const std::string& id) {
    for (const MethodInfo& info : methods())
        if (info.slot == slot && info.id == id) return info;
    return Error{ErrorKind::not_found, "There is no method \"" + id + "\" in the slot \"" + slot + "\"."};
}

const std::vector<SchemePreset>& scheme_presets() {
    static const std::vector<SchemePreset> list = {
        preset("nope", "NoPE", {}),
        preset("learned", "Learned", {{"input", {"learned", {}}}}),
        preset("sinusoidal", "Sinusoidal", {{"input", {"sinusoidal", {}}}}),
        preset("rope", "RoPE", {{"rotation", {"rope", {}}}}),
        preset("rope-yarn", "RoPE+YaRN", {{"rotation", {"rope", {}}}, {"frequency", {"yarn", {}}}}),
        preset("t5", "T5", {{"bias", {"t5", {}}}}),
        preset("alibi", "ALiBi", {{"bias", {"alibi", {}}}}),
        preset("kerple", "Kerple", {{"bias", {"kerple-log", {}}}}),
        preset("fire", "FIRE", {{"bias", {"fire", {}}}}),
        preset("dape-alibi", "DAPE-ALiBi", {{"bias", {"alibi", {}}}, {"adaptive", {"dape", {}}}}),
        preset("dape-kerple", "DAPE-Kerple", {{"bias", {"kerple-log", {}}}, {"adaptive", {"dape", {}}}}),
        preset("dape-fire", "DAPE-FIRE", {{"bias", {"fire", {}}}, {"adaptive", {"dape", {}}}}),
        preset("rope-self-extend", "RoPE+Self-Extend", {{"rotation", {"rope", {}}}, {"distance", {"self-extend", {}}}}),
    };
    return list;
}

Result<SchemeSpec> find_scheme(const std::string& name, const std::filesystem::path& workspace) {
    for (const SchemePreset& candidate : workspace.empty() ? scheme_presets() : scheme_presets(workspace).presets)
        if (lower(name) == candidate.id || lower(name) == lower(candidate.scheme.name)) return candidate.scheme;
    return Error{ErrorKind::not_found, "There is no scheme \"" + name + "\"."};
}

Result<SchemeSpec> plain_scheme(const SchemeSpec& scheme) {
    SchemeSpec plain = scheme;
    for (const char* slot : {"positions", "frequency", "distance", "temperature", "visibility"}) plain.slots.erase(slot);
    return plain;
}

Result<SchemeSpec> extension_between(const SchemeSpec& base, const SchemeSpec& wanted) {
    SchemeSpec extension;
    for (const auto& [slot, made] : wanted.slots)
        if (base.slots.count(slot) == 0) extension.slots[slot] = made;
    for (const auto& [slot, made] : base.slots)
        if (wanted.slots.count(slot) == 0) extension.slots[slot] = {"none", {}};
    return extension;
}

Result<std::optional<SchemeSpec>> preset_extension(const SchemeSpec& base, const SchemeSpec& preset) {
    if (base.slots.count("rotation") != preset.slots.count("rotation") || base.slots.count("bias") != preset.slots.count("bias")) return std::optional<SchemeSpec>();
    SchemeSpec extension{preset.name, {}};
    for (const auto& [slot, made] : preset.slots)
        if (base.slots.count(slot) == 0) extension.slots[slot] = made;
    return extension.slots.empty() ? std::optional<SchemeSpec>() : std::optional<SchemeSpec>(extension);
}

Result<SchemeSpec> extend_scheme(const SchemeSpec& base, const SchemeSpec& extension) {
    SchemeSpec extended = base;
    for (const auto& [slot, made] : extension.slots) {
        if (slot == "bias") return Error{ErrorKind::invalid_argument, "The model was trained without this bias."};
        extended.slots[slot] = made;
    }
    return extended;
}

Result<SchemeSpec> encoder_scheme(const SchemeSpec& scheme) {
    SchemeSpec encoder = scheme;
    encoder.slots.try_emplace("visibility", SlotChoice{"full", {}});
    return encoder;
}

Result<SchemeSpec> check_scheme(const SchemeSpec& scheme) {
    SchemeSpec checked = scheme;
    for (auto& [slot, choice_made] : checked.slots) {
        const auto info = describe_method(slot, choice_made.id);
        if (!info.ok()) return info.error();
        for (const ParamSpec& spec : info.value().params) {
            choice_made.params.try_emplace(spec.id, spec.default_value);
            if (auto good = check_value(info.value(), spec, choice_made.params.at(spec.id)); !good.ok()) return good.error();
        }
    }
    if (scheme.slots.contains("frequency") && !scheme.slots.contains("rotation"))
        return Error{ErrorKind::invalid_argument, "Frequency scaling needs a rotation: choose RoPE, or leave the frequencies alone."};
    return checked;
}

std::string scheme_line(const SchemeSpec& scheme) {
    std::string line;
    for (const auto& [slot, choice_made] : scheme.slots) line += (line.empty() ? "" : " · ") + slot + ": " + choice_made.id;
    return line.empty() ? "no position" : line;
}

std::string methods_markdown() { return "# Methods\n"; }

}  // namespace lw
