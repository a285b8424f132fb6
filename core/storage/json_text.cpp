#include "core/storage/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

namespace lw {

namespace {

using nlohmann::json;

/// The first key that stands twice in one object.
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

/// "line 2, column 7" of a byte.
std::string place_of(const std::string& text, std::size_t at) {
    const std::string before = text.substr(0, at);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t start = before.rfind('\n');
    return fmt::format("line {}, column {}", line, start == std::string::npos ? at + 1 : at - start);
}

/// Begins with the mark of UTF-16 or UTF-32, or has the zero byte that every second letter has there.
bool is_wide(const std::string& text) {
    return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") || text.substr(0, 4).find('\0') != std::string::npos;
}

std::string problem_of(const std::string& text, const json::parse_error& error) {
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) return "is empty";
    if (is_wide(text)) return "is not UTF-8 text but UTF-16 or UTF-32; save it again as UTF-8";
    const std::string place = place_of(text, std::min(error.byte == 0 ? std::size_t{0} : error.byte - 1, text.size()));
    const bool ill_formed = std::string_view(error.what()).find("UTF-8") != std::string_view::npos;
    if (ill_formed) return fmt::format("is not UTF-8 text: the first other byte is at {}; save it again as UTF-8", place);
    return fmt::format("is not valid JSON: the first problem is at {}", place);
}

}  // namespace

bool nested_too_deeply(std::string_view text) {
    int level = 0;
    bool quoted = false;
    for (std::size_t n = 0; n < text.size(); ++n) {
        const char c = text[n];
        if (quoted && c == '\\') ++n;  // a quotation mark behind it does not end the text in quotes
        else if (c == '"') quoted = !quoted;
        else if (!quoted && (c == '[' || c == '{') && ++level > kJsonLevels) return true;
        else if (!quoted && (c == ']' || c == '}')) --level;
    }
    return false;
}

json parse_json(const std::string& text) {
    if (nested_too_deeply(text)) return json(json::value_t::discarded);
    return json::parse(text, nullptr, false);
}

nlohmann::ordered_json parse_ordered_json(const std::string& text) {
    if (nested_too_deeply(text)) return nlohmann::ordered_json(nlohmann::ordered_json::value_t::discarded);
    return nlohmann::ordered_json::parse(text, nullptr, false);
}

CheckedJson check_json(const std::string& text) {
    CheckedJson checked{json(json::value_t::discarded), ""};
    if (nested_too_deeply(text)) {
        checked.problem = fmt::format("has brackets within more than {} others, which nothing that is read here needs", kJsonLevels);
        return checked;
    }
    RepeatedKeys repeated;
    try {
        checked.value = json::parse(text, [&](int, json::parse_event_t event, json& value) { return repeated(event, value); });
        if (!repeated.first().empty()) checked.problem = fmt::format("has the key \"{}\" twice in one place; leave one of them out", repeated.first());
    } catch (const json::parse_error& error) {
        checked.problem = problem_of(text, error);
    } catch (const json::out_of_range&) {
        checked.problem = "holds a number that is too large to be read";
    }
    return checked;
}

}  // namespace lw
