#include "core/storage/strict_json.h"

#include "core/position/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace lw {

namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& sentence) { throw Failure(ErrorKind::invalid_argument, sentence); }

/// Of a key that stands twice in one object the parser keeps the last value: the first one would be ignored without a word.
class RepeatedKeys {
public:
    bool operator()(json::parse_event_t event, const json& value) {
        if (event == json::parse_event_t::object_start) open_.emplace_back();
        if (event == json::parse_event_t::object_end) open_.pop_back();
        if (event == json::parse_event_t::key && !open_.back().insert(value.get<std::string>()).second && first_.empty())
            first_ = value.get<std::string>();
        return true;
    }
    [[nodiscard]] const std::string& first() const { return first_; }

private:
    std::vector<std::set<std::string>> open_;
    std::string first_;
};

}  // namespace

json parse_strictly(const std::string& text, const std::string& origin) {
    RepeatedKeys repeated;
    try {
        json root = json::parse(text, [&](int, json::parse_event_t event, json& value) { return repeated(event, value); });
        if (!repeated.first().empty())
            refuse(fmt::format("{} has the key \"{}\" twice in one place; leave one of them out.", origin, repeated.first()));
        return root;
    } catch (const json::parse_error& error) {
        const std::size_t at = std::min(error.byte == 0 ? std::size_t{0} : error.byte - 1, text.size());
        const std::string before = text.substr(0, at);
        const auto line = std::count(before.begin(), before.end(), '\n') + 1;
        const std::size_t start = before.rfind('\n');
        const std::size_t column = start == std::string::npos ? at + 1 : at - start;
        refuse(fmt::format("{} is not valid JSON: the first problem is at line {}, column {}.", origin, line, column));
    } catch (const json::out_of_range&) {
        refuse(fmt::format("{} holds a number that is too large to be read.", origin));
    }
}

void refuse_control_characters(const std::string& text, const std::string& what) {
    const auto control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
    if (std::any_of(text.begin(), text.end(), control))
        refuse(fmt::format("{} holds a line break or another control character; write it in one line without.", what));
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
