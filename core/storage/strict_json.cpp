#include "core/storage/strict_json.h"

#include "core/position/nearest.h"
#include "core/storage/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lw {

namespace {

using nlohmann::json;

constexpr std::size_t kLongestGivenName = 200;

[[noreturn]] void refuse(const std::string& sentence) { throw Failure(ErrorKind::invalid_argument, sentence); }

}  // namespace

json parse_strictly(const std::string& text, const std::string& origin) {
    CheckedJson checked = check_json(text);
    if (!checked.problem.empty()) refuse(fmt::format("{} {}.", origin, checked.problem));
    return std::move(checked.value);
}

void refuse_control_characters(const std::string& text, const std::string& what) {
    const auto control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
    if (std::any_of(text.begin(), text.end(), control))
        refuse(fmt::format("{} holds a line break or another control character; write it in one line without.", what));
}

void refuse_other_than_utf8(const std::string& text, const std::string& what) {
    try {
        (void)json(text).dump();
    } catch (const json::type_error&) {
        refuse(fmt::format("{} must be UTF-8 text, as recipes are kept in JSON files; rename it.", what));
    }
}

void check_given_name(const std::string& name, const std::string& what) {
    refuse_other_than_utf8(name, what);
    refuse_control_characters(name, what);
    if (name.size() > kLongestGivenName) refuse(fmt::format("{} has {} bytes; at most {} fit into tables.", what, name.size(), kLongestGivenName));
}

void check_format(const json& root, std::int64_t format, const std::string& origin) {
    if (!root.is_object()) refuse(fmt::format("{} must be a JSON object in braces.", origin));
    if (!root.contains("format") || root["format"] == format) return;
    refuse(fmt::format("{} has format {}, and this version of the program reads format {}.", origin, root["format"].dump().substr(0, 20), format));
}

void check_keys(const json& object, const std::vector<std::string>& known, const std::string& where) {
    if (!object.is_object()) refuse(fmt::format("{} must be a JSON object, but is {}.", where, object.dump().substr(0, 40)));
    for (const auto& [key, value] : object.items()) {
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        refuse(fmt::format("{} has no key \"{}\".{}", where, key, suggestion(key, known)));
    }
}

void FieldReader::number(const char* name, std::int64_t& value, const Bounds&) {
    const json* found = find(name);
    if (found == nullptr) return;
    if (found->is_number_integer()) {
        if (found->is_number_unsigned() && found->get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) wrong(name, "a whole number");
        value = found->get<std::int64_t>();
    } else if (found->is_number_float() && std::abs(found->get<double>()) < 1e15 && found->get<double>() == std::floor(found->get<double>())) {
        value = static_cast<std::int64_t>(found->get<double>());  // 1e3 is a whole number to a person
    } else {
        wrong(name, "a whole number");
    }
}

void FieldReader::number(const char* name, double& value, const Bounds&) {
    const json* found = find(name);
    if (found == nullptr) return;
    if (!found->is_number()) wrong(name, "a number");
    value = found->get<double>();
}

void FieldReader::flag(const char* name, bool& value) {
    const json* found = find(name);
    if (found == nullptr) return;
    if (!found->is_boolean()) wrong(name, "true or false");
    value = found->get<bool>();
}

void FieldReader::text(const char* name, std::string& value) {
    const json* found = find(name);
    if (found == nullptr) return;
    if (!found->is_string()) wrong(name, "a text in quotes");
    value = found->get<std::string>();
}

void FieldReader::finish(std::initializer_list<const char*> others) {
    known_.insert(known_.end(), others.begin(), others.end());
    check_keys(object_, known_, where_);
}

const json* FieldReader::find(const char* name) {
    known_.emplace_back(name);
    if (!object_.is_object()) return nullptr;
    const auto found = object_.find(name);
    return found == object_.end() ? nullptr : &*found;
}

void FieldReader::wrong(const char* name, const char* expected) const {
    refuse(fmt::format("\"{}\" of {} must be {}, but is {}.", name, where_, expected, object_.at(name).dump().substr(0, 60)));
}

}  // namespace lw
