#include "tests/support/catch_torch.h"

#include "core/api/recipe.h"

using namespace lw;

namespace {

std::string error_of(const Result<Recipe>& result) {
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().kind == ErrorKind::invalid_argument);
    return result.error().message;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Recipe alibi() {
    Recipe recipe;
    recipe.scheme.name = "ALiBi";
    recipe.scheme.slots["bias"].id = "alibi";
    return recipe;
}

}  // namespace

TEST_CASE("a recipe written and read again is the same text", "[storage]") {
    Recipe recipe = check_recipe(alibi()).value();
    recipe.seed = 18446744073709551615ULL;
    recipe.training.peak_rate = 0.1 + 0.2;
    recipe.evaluation.lengths = {128, 256};
    const std::string text = recipe_json(recipe);
    CHECK(recipe_json(parse_recipe(text).value()) == text);
}

TEST_CASE("an empty recipe has the defaults", "[storage]") {
    const Recipe recipe = parse_recipe("{}").value();
    CHECK(recipe_json(recipe) == recipe_json(Recipe{}));
}

TEST_CASE("a scheme may be given by its preset's name", "[storage]") {
    const Recipe recipe = parse_recipe(R"({"scheme": "alibi"})").value();
    CHECK(recipe.scheme.slots.at("bias").id == "alibi");
}

TEST_CASE("a slot may be given by its method's name alone", "[storage]") {
    const Recipe recipe = parse_recipe(R"({"scheme": {"name": "x", "slots": {"bias": "alibi"}}})").value();
    CHECK(recipe.scheme.slots.at("bias").id == "alibi");
}

TEST_CASE("a misspelt key is refused with the right one", "[storage]") {
    CHECK(contains(error_of(parse_recipe(R"({"training": {"lenght": 128}})")), "Did you mean \"length\"?"));
    CHECK(contains(error_of(parse_recipe(R"({"trainig": {}})")), "Did you mean \"training\"?"));
    CHECK(contains(error_of(parse_recipe(R"({"model": {"head": 8}})")), "Did you mean \"heads\"?"));
    CHECK(contains(error_of(parse_recipe(R"({"scheme": {"slots": {"bias": {"id": "alibi", "parms": {}}}}})")), "Did you mean \"params\"?"));
}

TEST_CASE("a value of the wrong kind names the field", "[storage]") {
    CHECK(contains(error_of(parse_recipe(R"({"training": {"steps": "many"}})")), "\"steps\" of \"training\""));
    CHECK(contains(error_of(parse_recipe(R"({"training": {"steps": 1.5}})")), "a whole number"));
    CHECK(contains(error_of(parse_recipe(R"({"model": {"tied_embedding": 1}})")), "true or false"));
    CHECK(contains(error_of(parse_recipe(R"({"seed": -1})")), "seed"));
    CHECK(contains(error_of(parse_recipe(R"({"training": []})")), "must be a JSON object"));
    CHECK(contains(error_of(parse_recipe("[]")), "must be a JSON object"));
    CHECK(contains(error_of(parse_recipe(R"({"evaluation": {"lengths": [1.5]}})")), "lengths"));
    CHECK(contains(error_of(parse_recipe(R"({"evaluation": {"lengths": 5}})")), "lengths"));
    CHECK(contains(error_of(parse_recipe(R"({"format": 99})")), "format 99"));
}

TEST_CASE("text that is no JSON names line and column", "[storage]") {
    CHECK(contains(error_of(parse_recipe("{\n  \"name\": oops\n}")), "line 2, column 1"));
    CHECK(contains(error_of(parse_recipe("")), "is empty"));
}

TEST_CASE("a whole number written with an exponent is a whole number", "[storage]") {
    CHECK(parse_recipe(R"({"training": {"steps": 1e3}})").value().training.steps == 1000);
}

TEST_CASE("a value out of bounds names the bound", "[storage]") {
    Recipe recipe = alibi();
    recipe.training.batch = 0;
    CHECK(contains(error_of(check_recipe(recipe)), "training.batch is 0; it must be at least 1"));
    recipe = alibi();
    recipe.training.peak_rate = 0;
    CHECK(contains(error_of(check_recipe(recipe)), "training.peak_rate is 0; it must be greater than 0"));
    recipe = alibi();
    recipe.training.peak_rate = std::numeric_limits<double>::quiet_NaN();
    CHECK(contains(error_of(check_recipe(recipe)), "training.peak_rate is nan"));
    recipe = alibi();
    recipe.model.norm = "layernrm";
    CHECK(contains(error_of(check_recipe(recipe)), "Did you mean \"layernorm\"?"));
    recipe = alibi();
    recipe.evaluation.lengths = {128, 0};
    CHECK(contains(error_of(check_recipe(recipe)), "evaluation.lengths holds 0"));
}

TEST_CASE("sizes that do not fit each other are refused", "[storage]") {
    Recipe recipe = alibi();
    recipe.model.width = 100;
    CHECK(contains(error_of(check_recipe(recipe)), "try 104"));
    recipe = alibi();
    recipe.model.kv_heads = 3;
    CHECK(contains(error_of(check_recipe(recipe)), "must divide"));
    recipe = Recipe{};
    recipe.scheme.slots["rotation"].id = "rope";
    recipe.model.head_width = 15;
    CHECK(contains(error_of(check_recipe(recipe)), "15"));
}

TEST_CASE("derived sizes are filled in", "[storage]") {
    Recipe recipe = alibi();
    Recipe checked = check_recipe(recipe).value();
    CHECK(checked.model.kv_heads == 8);
    CHECK(checked.model.head_width == 16);
    CHECK(checked.model.ffn_width == 512);
    CHECK(checked.evaluation.scored == 0);  // the protocol's own number, which depends on the lengths asked for
    recipe.model.activation = "swiglu";
    CHECK(check_recipe(recipe).value().model.ffn_width == 344);
}

TEST_CASE("unknown schemes, tasks and task parameters are refused", "[storage]") {
    Recipe recipe;
    recipe.scheme.slots["bias"].id = "alibbi";
    const Result<Recipe> misspelt = check_recipe(recipe);
    REQUIRE_FALSE(misspelt.ok());
    CHECK(misspelt.error().kind == ErrorKind::not_found);
    CHECK(contains(misspelt.error().message, "Did you mean \"alibi\"?"));
    recipe = alibi();
    recipe.data.source = "task:coppy";
    CHECK(contains(error_of(check_recipe(recipe)), "copy"));
    recipe = alibi();
    recipe.data.task["pairs"] = std::int64_t{4};
    CHECK(contains(error_of(check_recipe(recipe)), "no synthetic task"));
}

TEST_CASE("the hash names what is trained and not its title", "[storage]") {
    Recipe recipe = alibi();
    const std::string hash = recipe_hash(recipe);
    CHECK(hash.size() == 16);
    CHECK(recipe_hash(check_recipe(recipe).value()) == hash);
    CHECK(recipe_hash(parse_recipe(recipe_json(recipe)).value()) == hash);
    recipe.name = "Another title";
    CHECK(recipe_hash(recipe) == hash);
    recipe.seed = 2;
    CHECK(recipe_hash(recipe) != hash);
    recipe = alibi();
    recipe.training.peak_rate *= 1.0000001;
    CHECK(recipe_hash(recipe) != hash);
}

TEST_CASE("a key that stands twice in a recipe is refused", "[storage]") {
    CHECK(contains(error_of(parse_recipe(R"({"training": {"steps": 3, "steps": 4}})")), "\"steps\" twice"));
    CHECK(parse_recipe(R"({"scheme": {"name": "x", "slots": {"bias": "alibi"}}, "name": "y"})").ok());
}

TEST_CASE("a recipe's name is one line, and a folder is one corpus with and without a slash at its end", "[storage]") {
    Recipe recipe = alibi();
    recipe.name = "two\nlines";
    CHECK(contains(error_of(check_recipe(recipe)), "The name of a recipe holds a line break"));
    recipe.name = "ALiBi – größer";  // letters of other alphabets are none
    recipe.data.source = "/texts/prose//";
    CHECK(check_recipe(recipe).value().data.source == "/texts/prose");
    Recipe plain = recipe;
    plain.data.source = "/texts/prose";
    CHECK(recipe_hash(plain) == recipe_hash(recipe));
    recipe.data.source = "en-prose+/texts/prose/";
    CHECK(check_recipe(recipe).value().data.source == "en-prose+/texts/prose");
}
