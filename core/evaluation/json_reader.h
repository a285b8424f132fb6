#pragma once
/// Members of a JSON object that was written by this program, read with every kind checked.

#include "core/api/result.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace lw {

/// Reads members of one object and says which one is missing or of the wrong kind.
class JsonReader {
public:
    JsonReader(const nlohmann::json& object, std::string origin) : object_(object), origin_(std::move(origin)) {
        if (!object.is_object()) fail("it is not a JSON object");
    }

    [[noreturn]] void fail(const std::string& what) const {
        throw Failure(ErrorKind::corrupt_file, fmt::format("{} is not a readable evaluation: {}. Evaluate the run again.", origin_, what));
    }

    [[nodiscard]] bool has(const char* name) const { return object_.contains(name); }
    [[nodiscard]] const nlohmann::json& member(const char* name) const {
        const auto found = object_.find(name);
        if (found == object_.end()) fail(fmt::format("\"{}\" is missing", name));
        return *found;
    }

    void read(const char* name, std::string& value) const { check(name, member(name).is_string(), "text"), value = member(name).get<std::string>(); }
    void read(const char* name, bool& value) const { check(name, member(name).is_boolean(), "true or false"), value = member(name).get<bool>(); }
    void read(const char* name, std::int64_t& value) const { value = integer(name, member(name)); }
    void read(const char* name, std::uint64_t& value) const {
        check(name, member(name).is_number_unsigned(), "a whole number from 0");
        value = member(name).get<std::uint64_t>();
    }
    void read(const char* name, double& value) const { value = real(name, member(name)); }
    void read(const char* name, std::vector<double>& values) const {
        for (const nlohmann::json& item : list(name)) values.push_back(real(name, item));
    }
    void read(const char* name, std::vector<std::int64_t>& values) const {
        for (const nlohmann::json& item : list(name)) values.push_back(integer(name, item));
    }
    void read(const char* name, std::vector<std::string>& values) const {
        for (const nlohmann::json& item : list(name)) {
            check(name, item.is_string(), "a list of texts");
            values.push_back(item.get<std::string>());
        }
    }

    [[nodiscard]] const nlohmann::json& list(const char* name) const {
        check(name, member(name).is_array(), "a list");
        return member(name);
    }
    [[nodiscard]] std::int64_t integer(const char* name, const nlohmann::json& value) const {
        check(name, value.is_number_integer(), "a whole number");
        return value.get<std::int64_t>();
    }
    /// JSON has no NaN: null stands for it.
    [[nodiscard]] double real(const char* name, const nlohmann::json& value) const {
        if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
        check(name, value.is_number(), "a number");
        return value.get<double>();
    }
    [[nodiscard]] const std::string& origin() const { return origin_; }

private:
    void check(const char* name, bool fits, const char* kind) const {
        if (!fits) fail(fmt::format("\"{}\" is not {}", name, kind));
    }

    const nlohmann::json& object_;
    std::string origin_;
};

}  // namespace lw
