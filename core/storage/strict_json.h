#pragma once
/// JSON that people write (recipes, studies): a misspelt key is refused with the right one, a value of the wrong kind by its name. Every
/// function throws Failure(invalid_argument); `where` names the object in its sentence.

#include "core/storage/recipe_fields.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace lw {

/// check_json() (json_text.h) whose problem is refused: no JSON, with line and column; nested too deeply; a key twice in one object.
[[nodiscard]] nlohmann::json parse_strictly(const std::string& text, const std::string& origin);
/// Names stand in tables and file names; `what` begins the sentence: "The name of a recipe".
void refuse_control_characters(const std::string& text, const std::string& what);
/// Files of this program are JSON, which has no bytes that are not UTF-8.
void refuse_other_than_utf8(const std::string& text, const std::string& what);
/// A name that somebody gives: UTF-8, one line, at most 200 bytes, as it stands in tables. What the program puts together may be longer.
void check_given_name(const std::string& name, const std::string& what);
/// An object in braces whose "format" is the one that this version reads, or absent.
void check_format(const nlohmann::json& root, std::int64_t format, const std::string& origin);
/// Every key of the object must be one of the known ones.
void check_keys(const nlohmann::json& object, const std::vector<std::string>& known, const std::string& where);

/// Takes the fields that are present; the others keep their defaults. A visitor of visit_fields().
class FieldReader {
public:
    FieldReader(const nlohmann::json& object, std::string where) : object_(object), where_(std::move(where)) {}

    void number(const char* name, std::int64_t& value, const Bounds&);
    void number(const char* name, double& value, const Bounds&);
    void flag(const char* name, bool& value);
    void text(const char* name, std::string& value);
    void word(const char* name, std::string& value, Words) { text(name, value); }

    /// To be called last, with the keys that were read by other means.
    void finish(std::initializer_list<const char*> others = {});

private:
    const nlohmann::json* find(const char* name);
    [[noreturn]] void wrong(const char* name, const char* expected) const;

    const nlohmann::json& object_;
    std::string where_;
    std::vector<std::string> known_;
};

}  // namespace lw
