#include "core/position/entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace lw {

namespace {

const ParamValue& param(const Params& params, const std::string& id) {
    const auto found = params.find(id);
    if (found == params.end()) throw Failure(ErrorKind::internal, fmt::format("parameter \"{}\" is not filled in", id));
    return found->second;
}

template <class T>
T typed_param(const Params& params, const std::string& id) {
    const auto* value = std::get_if<T>(&param(params, id));
    if (value == nullptr) throw Failure(ErrorKind::internal, fmt::format("parameter \"{}\" has the wrong type", id));
    return *value;
}

ParamSpec spec_of(const Label& label, ParamType type, ParamValue default_value) {
    ParamSpec spec;
    spec.id = label.id;
    spec.label = label.text;
    spec.unit = label.unit;
    spec.help = label.help;
    spec.symbol = label.symbol;
    spec.type = type;
    spec.default_value = std::move(default_value);
    return spec;
}

/// Of the meanings of 0 those that are worked out; the others ("none", "no position", "not given") are what 0 says.
std::string worked_out(const std::string& meaning) {
    const auto has = [&](const char* word) { return meaning.find(word) != std::string::npos; };
    const bool number = !meaning.empty() && meaning[0] >= '0' && meaning[0] <= '9';
    return meaning == "automatic" || number || has("length") || has(" of it") || has("width") ? meaning : "";
}

void set_range(ParamSpec& spec, const Range& range) {
    if (spec.type != ParamType::list) spec.zero = worked_out(meaning_of_zero(spec.help));
    spec.min = range.min;
    spec.max = range.max;
    spec.step = range.step;
    spec.logarithmic = range.logarithmic;
}

}  // namespace

bool flag_param(const Params& params, const std::string& id) { return typed_param<bool>(params, id); }
std::int64_t integer_param(const Params& params, const std::string& id) { return typed_param<std::int64_t>(params, id); }
double real_param(const Params& params, const std::string& id) { return typed_param<double>(params, id); }
std::string choice_param(const Params& params, const std::string& id) { return typed_param<std::string>(params, id); }

std::vector<double> numbers_of(const std::string& text) {
    std::string separated = text;
    std::replace(separated.begin(), separated.end(), ',', ' ');
    std::istringstream words(separated);
    std::vector<double> numbers;
    for (std::string word; words >> word;) {
        char* end = nullptr;
        const double number = std::strtod(word.c_str(), &end);
        if (*end != '\0' || !std::isfinite(number)) {
            throw Failure(ErrorKind::invalid_argument, fmt::format("\"{}\" is no number; a list looks like \"1, 1.5, 2\".", word));
        }
        numbers.push_back(number);
    }
    return numbers;
}

std::vector<double> list_param(const Params& params, const std::string& id) { return numbers_of(typed_param<std::string>(params, id)); }

std::string meaning_of_zero(const std::string& help) {
    constexpr std::string_view kMark = "0 = ";
    const auto found = help.find(kMark);
    if (found == std::string::npos || (found > 0 && help[found - 1] != ' ')) return {};
    std::string meaning = help.substr(found + kMark.size());
    for (const auto* end : {". ", ", ", "; "}) meaning = meaning.substr(0, meaning.find(end));
    if (!meaning.empty() && meaning.back() == '.') meaning.pop_back();
    return meaning;
}

ParamSpec real_spec(const Label& label, double default_value, const Range& range) {
    auto spec = spec_of(label, ParamType::real, default_value);
    set_range(spec, range);
    return spec;
}

ParamSpec integer_spec(const Label& label, std::int64_t default_value, const Range& range) {
    auto spec = spec_of(label, ParamType::integer, default_value);
    set_range(spec, range);
    return spec;
}

ParamSpec flag_spec(const Label& label, bool default_value) { return spec_of(label, ParamType::boolean, default_value); }

ParamSpec list_spec(const Label& label, const std::string& default_value, const Range& range) {
    auto spec = spec_of(label, ParamType::list, default_value);
    set_range(spec, range);
    return spec;
}

ParamSpec choice_spec(const Label& label, const std::string& default_value, std::vector<std::string> choices) {
    auto spec = spec_of(label, ParamType::choice, default_value);
    spec.choices = std::move(choices);
    return spec;
}

const std::vector<ClaimInfo>& known_claims() {
    static const std::vector<ClaimInfo> all = {
        {"relative", "Shifting all positions by the same amount changes nothing."},
        {"relative-dot", "The dot product of two position vectors depends on their distance only."},
        {"row-dependent", "The same distance gives another value at another query position."},
        {"norm-preserving", "Rotating keeps the length of queries and keys."},
        {"partial-tail", "Elements outside the rotated part stay exactly as they are."},
        {"monotone", "The bias never grows with distance."},
        {"zero-at-zero", "The bias of a token on itself is 0."},
        {"bounded-table", "Positions past the table are refused with a sentence."},
        {"identity-at-factor-1", "With factor 1 nothing changes."},
        {"keeps-fastest", "The fastest frequency stays as it is."},
        {"slows-slowest", "The slowest frequency is divided by the factor."},
        {"plain-within-training", "Up to the training length nothing changes."},
        {"length-independent", "With a given factor, frequencies do not depend on how long the text is."},
        {"length-dependent", "Frequencies change while the text grows past the training length, so keys are cached un-rotated."},
        {"pointwise", "Each cell depends on its own query and key only, so any tile can be computed alone."},
        {"reads-neighbours", "Each cell reads a few keys to its left and right, and no others."},
        {"causal", "Scores of future keys never reach a visible cell."},
        {"permutes-with-heads", "Renaming the heads of input and weights renames the heads of the result."},
        {"ascending", "Positions never fall along the text."},
        {"random-in-training", "Training draws new positions each time; outside training the same text gets the same positions."},
        {"content-dependent", "Another text gives other values at the same positions."},
        {"equals-oracle", "Its products of rotated queries and keys equal the slow sum over pairs at the mapped distances."},
        {"identity-inside-window", "Short distances stay as they are."},
        {"stays-trained", "No mapped distance reaches the training length, however long the text is."},
        {"hides-future", "No query reads a key after its own."},
        {"sums-to-one", "The weights of a row sum to 1."},
        {"sums-below-one", "The weights of a row may sum to less than 1."},
        {"row-factor", "All scores of a row get one factor, so their order stays."},
        {"learned", "It has parameters that training changes."},
        {"fixed", "It has no trainable parameters."},
    };
    return all;
}

ClaimInfo claim(const std::string& id) {
    const auto& all = known_claims();
    const auto found = std::find_if(all.begin(), all.end(), [&](const ClaimInfo& c) { return c.id == id; });
    if (found == all.end()) throw Failure(ErrorKind::internal, fmt::format("unknown claim \"{}\"", id));
    return *found;
}

std::vector<ClaimInfo> claims(const std::vector<std::string>& ids) {
    std::vector<ClaimInfo> result;
    for (const auto& id : ids) result.push_back(claim(id));
    return result;
}

void check_factor(const std::string& method, const Params& params, const std::string& id) {
    const double factor = real_param(params, id);
    if (factor == 0 || factor >= 1) return;
    throw Failure(ErrorKind::invalid_argument,
                  fmt::format("{} of {} is {}; it must be 0 (automatic: length / training length) or at least 1.", id, method, factor));
}

double resolved_factor(double factor, std::int64_t length, std::int64_t train_length) {
    if (factor != 0) return factor;
    if (train_length <= 0 || length <= train_length) return 1;
    return static_cast<double>(length) / static_cast<double>(train_length);
}

}  // namespace lw
