#include "core/lab/probe_input.h"

#include "core/api/doctor.h"
#include "core/training/estimate.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace lw {

namespace {

using nlohmann::json;

json member(const json& object, const char* name) {
    const auto found = object.find(name);
    return found == object.end() ? json::object() : *found;
}

/// JSON's own conversion cuts 2.5 to 2, makes a number of true, and is undefined for what no whole number holds.
void check_number(const json& value, const std::string& id, const char* type, bool whole) {
    constexpr double kLargest = 9007199254740992;  // 2^53: above it not every whole number is a double
    const bool number = value.is_number_integer() || (value.is_number_float() && (!whole || value.get<double>() == std::floor(value.get<double>())));
    if (!number) throw UnknownCase(fmt::format("\"{}\" is {}, which is no {}", id, value.dump(), type));
    if (whole && std::abs(value.get<double>()) > kLargest) {
        throw Failure(ErrorKind::out_of_memory, fmt::format("{} is {}; whole numbers here have at most 16 digits. Choose a smaller one.", id, value.dump()));
    }
}

template <class T>
T typed(const json* value, const std::string& id, const char* type) {
    if (value == nullptr) throw UnknownCase(fmt::format("the case does not give \"{}\"", id));
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) check_number(*value, id, type, std::is_integral_v<T>);
    try {
        return value->get<T>();
    } catch (const json::exception&) {
        throw UnknownCase(fmt::format("\"{}\" is {}, which is no {}", id, value->dump(), type));
    }
}

/// As the entry's parameter takes it.
ParamValue param_value(const ParamSpec& spec, const json& value) {
    if (spec.type == ParamType::boolean) return typed<bool>(&value, spec.id, "truth value");
    if (spec.type == ParamType::choice) return typed<std::string>(&value, spec.id, "word");
    if (spec.type == ParamType::list) {
        std::string text;
        for (const auto& number : value) text += (text.empty() ? "" : ", ") + number.dump();
        return text;
    }
    if (spec.type == ParamType::integer && value.is_number_integer()) return value.get<std::int64_t>();
    return typed<double>(&value, spec.id, "number");
}

at::Tensor with_heads(const at::Tensor& x) { return x.dim() == 2 ? x.view({1, 1, x.size(0), x.size(1)}) : x.unsqueeze(0); }

[[noreturn]] void refuse(const std::string& sentence) { throw Failure(ErrorKind::invalid_argument, sentence); }

/// Queries, keys and their positions belong together.
void check_shapes(const AttentionInputs& inputs) {
    const auto heads = inputs.q.size(1), key_heads = inputs.k.size(1);
    if (key_heads == 0 || heads % key_heads != 0) refuse(fmt::format("{} query heads are no multiple of {} key heads.", heads, key_heads));
    if (inputs.q.size(3) != inputs.k.size(3)) refuse(fmt::format("Queries have {} elements and keys {}.", inputs.q.size(3), inputs.k.size(3)));
    const auto check = [](const char* what, std::int64_t vectors, std::int64_t positions) {
        if (vectors != positions) refuse(fmt::format("There are {} {} and {} positions for them.", vectors, what, positions));
    };
    check("queries", inputs.q.size(2), inputs.query_positions.numel());
    check("keys", inputs.k.size(2), inputs.key_positions.numel());
}

/// What a case says about itself without changing a number: names, words about the formula, sizes that its arrays have as well, and what
/// draws come from where they are given.
const std::set<std::string>& descriptive() {
    static const std::set<std::string> names = {"kind",    "method",  "protocol", "task", "formula", "certainty", "convention", "integrator", "start", "class",
                                                "classes", "out_len", "source",   "note", "theta",   "logit",     "outer",      "loss",       "H",     "Hkv",
                                                "D",       "E",       "V",      "K"};
    return names;
}

}  // namespace

ProbeInput::ProbeInput(const json& test, const json& file)
    : file_(file), params_(member(test, "params")), inputs_(member(test, "inputs")), expected_(member(test, "expect")) {}

const json* ProbeInput::find(const json& object, const std::string& id) const {
    const auto found = object.find(id);
    if (found == object.end()) return nullptr;
    (&object == &params_ ? read_params_ : read_inputs_).insert(id);
    return &*found;
}

std::vector<std::string> ProbeInput::not_read() const {
    std::vector<std::string> all;
    for (const auto& entry : params_.items()) {
        if (read_params_.count(entry.key()) == 0 && descriptive().count(entry.key()) == 0) all.push_back("params." + entry.key());
    }
    for (const auto& entry : inputs_.items()) {
        if (read_inputs_.count(entry.key()) == 0) all.push_back("inputs." + entry.key());
    }
    return all;
}

double ProbeInput::real(const std::string& id) const { return typed<double>(find(params_, id), id, "number"); }
double ProbeInput::real(const std::string& id, double fallback) const { return has(id) ? real(id) : fallback; }
std::int64_t ProbeInput::integer(const std::string& id) const { return typed<std::int64_t>(find(params_, id), id, "whole number"); }
std::int64_t ProbeInput::integer(const std::string& id, std::int64_t fallback) const { return has(id) ? integer(id) : fallback; }
void ProbeInput::not_below(const std::string& id, std::int64_t least) const {
    if (has(id) && integer(id) < least) refuse(fmt::format("{} is {}; it must be at least {}.", id, integer(id), least));
}
bool ProbeInput::flag(const std::string& id, bool fallback) const { return has(id) ? typed<bool>(find(params_, id), id, "truth value") : fallback; }
std::string ProbeInput::word(const std::string& id) const { return typed<std::string>(find(params_, id), id, "word"); }
std::string ProbeInput::word(const std::string& id, const std::string& fallback) const { return has(id) ? word(id) : fallback; }

void ProbeInput::only(const std::string& id, const json& value) const {
    const json* given = find(params_, id);
    if (given == nullptr || *given == value) return;
    throw UnknownCase(fmt::format("\"{}\" is {}; the library has {} only", id, given->dump(), value.dump()));
}

const json& ProbeInput::input(const std::string& id) const {
    const json* found = find(inputs_, id);
    if (found == nullptr) throw UnknownCase(fmt::format("the case does not give the input \"{}\"", id));
    return *found;
}

at::Tensor ProbeInput::array(const std::string& id) const {
    const json& given = input(id);
    if (!given.is_array() && !given.is_object() && !given.is_number()) throw UnknownCase(fmt::format("the input \"{}\" is {}, which is no list of numbers", id, given.dump()));
    return tensor_of(given);
}

std::int64_t ProbeInput::whole_number(const json& value, const std::string& id) { return typed<std::int64_t>(&value, id, "whole number"); }

std::vector<double> ProbeInput::numbers(const std::string& id) const {
    const auto flat = array(id).reshape({-1}).contiguous();
    return {flat.const_data_ptr<double>(), flat.const_data_ptr<double>() + flat.numel()};
}

Params ProbeInput::params_for(const std::string& slot, const std::string& id, const std::map<std::string, std::string>& names) const {
    Params given;
    for (const auto& spec : find_entry(slot, id).info.params) {
        const auto named = names.find(spec.id);
        const json* value = find(params_, named == names.end() ? spec.id : named->second);
        if (value == nullptr || value->is_null()) continue;
        // A form that the entry does not have is no wrong number; where a refusal is expected the entry has to refuse it.
        const bool listed = spec.type != ParamType::choice || std::find(spec.choices.begin(), spec.choices.end(), *value) != spec.choices.end();
        if (!listed && !expected_.contains("error")) throw UnknownCase(fmt::format("{} of {} is not {} here", spec.id, id, value->dump()));
        given[spec.id] = param_value(spec, *value);
    }
    return given;
}

SlotShape ProbeInput::shape() const {
    SlotShape shape;
    for (const char* size : {"H", "Hkv", "D", "E", "L"}) not_below(size, 1);
    if (gives("q")) {
        const auto q = array("q");
        shape.heads = q.dim() == 2 ? 1 : q.size(0);
        shape.head_width = q.size(-1);
    }
    if (gives("k") && input("k").is_object() && array("k").dim() == 3) shape.kv_heads = array("k").size(0);
    shape.kv_heads = integer("Hkv", shape.kv_heads);
    shape.heads = integer("H", shape.heads);
    shape.head_width = integer("D", shape.head_width);
    refuse_size("H", shape.heads, static_cast<double>(shape.heads));
    refuse_size("D", shape.head_width, static_cast<double>(shape.head_width));
    shape.width = integer("E", shape.heads * shape.head_width);
    refuse_size("E", shape.width, static_cast<double>(shape.width));
    shape.train_length = integer("L", shape.train_length);
    return shape;
}

TileGeometry ProbeInput::geometry() const {
    const auto rows_of = [&](const char* name, const char* all) {
        if (gives(name)) return array(name).size(-2);
        return gives("n") ? whole_input("n") : array(all).size(-1);
    };
    if (gives("n")) mark_input("n");  // vectors that are given say the same
    TileGeometry geometry;
    if (gives("positions_q") || gives("positions")) {
        geometry.query_positions = array(gives("positions_q") ? "positions_q" : "positions");
        geometry.key_positions = array(gives("positions_k") ? "positions_k" : gives("positions") ? "positions" : "positions_q");
    } else {
        const auto keys = rows_of("k", "logits"), queries = rows_of("q", "logits");
        if (gives("n")) refuse_size("n", std::max(keys, queries), static_cast<double>(keys) * static_cast<double>(queries));  // a tile of all pairs
        geometry.key_positions = at::arange(keys, at::kDouble);
        geometry.query_positions = at::arange(keys - queries, keys, at::kDouble);
    }
    const auto last = geometry.query_positions.numel() == 0 ? 0.0 : geometry.query_positions.max().item<double>();
    geometry.length = integer("length", static_cast<std::int64_t>(last) + 1);
    geometry.train_length = integer("L", geometry.length);
    geometry.sequence_ends = true;  // the numbers are of one pass over these keys and no others
    return geometry;
}

AttentionInputs ProbeInput::attention() const {
    const auto geometry = this->geometry();
    AttentionInputs inputs;
    inputs.q = with_heads(array("q"));
    inputs.k = with_heads(array("k"));
    if (gives("v")) inputs.v = with_heads(array("v"));
    inputs.query_positions = geometry.query_positions;
    inputs.key_positions = geometry.key_positions;
    inputs.length = geometry.length;
    inputs.train_length = geometry.train_length;
    inputs.rotated = false;
    check_shapes(inputs);
    return inputs;
}

ProbeInput ProbeInput::other(const std::string& id) const {
    for (const auto& test : file_.at("cases")) {
        if (test.value("id", "") == id) return {test, file_};
    }
    throw UnknownCase(fmt::format("the file has no case \"{}\"", id));
}

void refuse_size(const std::string& name, std::int64_t size, double values) {
    constexpr double kBytes = 48;  // in float64, once more on the way, and as a member of a JSON list
    const std::int64_t available = memory_use().available;
    if (values * kBytes <= static_cast<double>(available)) return;
    throw Failure(ErrorKind::out_of_memory, fmt::format("{} is {}, for which about {} of memory are needed, and {} are available. Choose a smaller one.", name, size,
                                                        size_words(saturated(values * kBytes)), size_words(available)));
}

at::Tensor causal_only(const at::Tensor& tile, const TileGeometry& geometry) {
    const auto future = geometry.key_positions.unsqueeze(0).gt(geometry.query_positions.unsqueeze(1));  // [Tq, Tk]
    return tile.masked_fill(future, std::numeric_limits<double>::quiet_NaN());
}

ScoreParts all_scores(const LayerScheme& layer, const AttentionInputs& inputs) {
    return score_parts(layer, inputs, {0, inputs.q.size(2)}, {0, inputs.k.size(2)});
}

}  // namespace lw
