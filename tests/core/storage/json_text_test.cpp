/// Text that becomes JSON: what no parser, no stack and no person could make sense of is refused in words.
#include "tests/support/catch_torch.h"

#include "core/api/recipe.h"
#include "core/storage/json_text.h"

using namespace lw;

namespace {

std::string nested(int levels) { return std::string(static_cast<std::size_t>(levels), '[') + std::string(static_cast<std::size_t>(levels), ']'); }

}  // namespace

TEST_CASE("brackets within a hundred others are read, one more is not", "[storage][json]") {
    CHECK_FALSE(nested_too_deeply(nested(kJsonLevels)));
    CHECK(nested_too_deeply(nested(kJsonLevels + 1)));
    CHECK(parse_json(nested(kJsonLevels)).is_array());
    CHECK(parse_json(nested(100'000)).is_discarded());
    CHECK(parse_ordered_json(nested(100'000)).is_discarded());
    CHECK_THAT(check_json(nested(100'000)).problem, Catch::Contains("brackets"));
}

TEST_CASE("brackets in quotes and brackets that are closed again do not count as nested", "[storage][json]") {
    const std::string many(500, '[');
    CHECK_FALSE(nested_too_deeply("{\"a\": \"" + many + "\"}"));
    CHECK_FALSE(nested_too_deeply("[\"\\\"" + many + "\", \"\\\\\"]"));
    std::string list = "[";
    for (int n = 0; n < 500; ++n) list += "[],";
    CHECK_FALSE(nested_too_deeply(list + "[]]"));
}

TEST_CASE("each kind of unreadable JSON text is called by its name", "[storage][json]") {
    CHECK(check_json("{\"a\": [1, 2]}").problem.empty());
    CHECK(check_json("{\"a\": [1, 2]}").value["a"].size() == 2);
    CHECK(check_json(" \n").problem == "is empty");
    CHECK_THAT(check_json("{\n \"a\": ,}").problem, Catch::Contains("not valid JSON") && Catch::Contains("line 2, column 7"));
    CHECK_THAT(check_json("{\n\"a\": \"b\xff\"}").problem, Catch::Contains("not UTF-8") && Catch::Contains("line 2, column 8"));
    CHECK_THAT(check_json(std::string("\xff\xfe{\0}\0", 6)).problem, Catch::Contains("UTF-16"));
    CHECK_THAT(check_json(std::string("{\0}\0", 4)).problem, Catch::Contains("UTF-16"));
    CHECK_THAT(check_json("{\"a\": 1, \"a\": 2}").problem, Catch::Contains("\"a\" twice"));
    CHECK_THAT(check_json("[1e999]").problem, Catch::Contains("too large"));
}

TEST_CASE("a recipe of brackets alone is refused in one sentence", "[storage][json]") {
    const auto refused = parse_recipe("{\"name\": " + nested(100'000) + "}");
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == ErrorKind::invalid_argument);
    CHECK_THAT(refused.error().message, Catch::Contains("brackets"));
}
