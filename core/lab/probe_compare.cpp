#include "core/lab/probe_compare.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace lw {

namespace {

using nlohmann::json;

bool is_array(const json& value) { return value.is_array() || (value.is_object() && value.contains("shape") && value.contains("data")); }

bool is_mistake(const std::string& key) { return key.rfind("wrong_", 0) == 0 || key.rfind("off_by_one_", 0) == 0; }

/// Nested lists of a {"shape", "data"}; lists stay as they are, so that both forms compare and lists may be ragged.
json nested(const json& value) {
    if (value.is_array() || !is_array(value)) return value;
    json level = value.at("data");
    const auto shape = value.at("shape").get<std::vector<std::size_t>>();
    for (std::size_t axis = shape.size(); axis-- > 1;) {
        json grouped = json::array();
        for (std::size_t begin = 0; begin + shape[axis] <= level.size() && shape[axis] > 0; begin += shape[axis]) {
            const auto first = level.begin() + static_cast<std::ptrdiff_t>(begin);
            grouped.push_back(json(std::vector<json>(first, first + static_cast<std::ptrdiff_t>(shape[axis]))));
        }
        level = std::move(grouped);
    }
    return level;
}

/// "a.b" -> value, for members of objects that are no arrays.
void open(const json& object, const std::string& prefix, std::map<std::string, json>& values) {
    for (const auto& [key, value] : object.items()) {
        if (is_mistake(key)) continue;
        if (value.is_object() && !is_array(value)) open(value, prefix + key + ".", values);
        else values[prefix + key] = value;
    }
}

class Comparison {
public:
    explicit Comparison(const Tolerance& tolerance) : tolerance_(tolerance) {}

    /// `place` says where in an array, "[2][0]".
    void compare(const json& got, const json& want, const std::string& place, ProbeValue& value) const {
        if (want.is_null()) return;
        if (want.is_array()) compare_lists(got, want, place, value);
        else if (want.is_string()) compare_words(got, want, place, value);
        else compare_numbers(got, want, place, value);
    }

private:
    static void fail(ProbeValue& value, const std::string& reason) {
        if (value.holds) value.reason = reason;  // the first one is told
        value.holds = false;
    }

    void compare_lists(const json& got, const json& want, const std::string& place, ProbeValue& value) const {
        if (!got.is_array()) return fail(value, fmt::format("one value at {} where a list of {} is expected", place, want.size()));
        if (got.size() != want.size()) return fail(value, fmt::format("{} values at {} where {} are expected", got.size(), place, want.size()));
        for (std::size_t n = 0; n < want.size(); ++n) compare(got[n], want[n], fmt::format("{}[{}]", place, n), value);
    }

    static void compare_words(const json& got, const json& want, const std::string& place, ProbeValue& value) {
        ++value.compared;
        if (got != want) fail(value, fmt::format("{} at {} where {} is expected", got.dump(), place, want.dump()));
    }

    void compare_numbers(const json& got, const json& want, const std::string& place, ProbeValue& value) const {
        ++value.compared;
        const auto number = [](const json& x) { return x.is_boolean() ? (x.get<bool>() ? 1.0 : 0.0) : x.is_number() ? x.get<double>() : NAN; };
        const double expected = number(want), deviation = std::abs(number(got) - expected);
        if (!std::isfinite(deviation)) return fail(value, fmt::format("{} at {} where {} is expected", got.dump(), place, want.dump()));
        value.deviation = std::max(value.deviation, deviation);
        if (deviation > tolerance_.allowed(expected)) {
            fail(value, fmt::format("{} at {} where {} is expected, {:.3g} away", got.dump(), place, want.dump(), deviation));
        }
    }

    Tolerance tolerance_;
};

}  // namespace

std::vector<ProbeValue> compared_values(const json& computed, const json& expected, const Tolerance& tolerance) {
    std::map<std::string, json> got, want;
    open(computed, "", got);
    open(expected, "", want);
    const Comparison comparison(tolerance);
    std::vector<ProbeValue> values;
    for (const auto& [key, value] : want) {
        values.push_back({.key = key, .computed = "", .reason = ""});
        const auto found = got.find(key);
        if (found == got.end()) {
            // Nothing where nothing is expected is as it should be.
            if (value.is_null()) values.back().computed = "null";
            else values.back().reason = "the library has no such number of its own";
            continue;
        }
        values.back().computed = found->second.dump();
        comparison.compare(nested(found->second), nested(value), key, values.back());
    }
    for (const auto& [key, value] : got) {
        if (want.count(key) == 0) values.push_back({.key = key, .computed = value.dump(), .reason = ""});
    }
    return values;
}

}  // namespace lw
