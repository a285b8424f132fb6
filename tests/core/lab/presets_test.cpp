/// Presets of one's own: saved, found, listed and deleted beside those that come with the program.
#include "tests/support/catch_torch.h"

#include "core/api/recipe.h"
#include "core/storage/atomic_file.h"
#include "tests/core/storage/temporary_folder.h"

#include <algorithm>

using namespace lw;

namespace {

SchemeSpec slow_yarn() {
    SchemeSpec scheme = find_scheme("rope-yarn").value();
    scheme.slots.at("frequency").params["factor"] = 16.0;
    return scheme;
}

const SchemePreset* listed(const PresetList& list, const std::string& id) {
    const auto found = std::find_if(list.presets.begin(), list.presets.end(), [&](const SchemePreset& preset) { return preset.id == id; });
    return found == list.presets.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("a saved scheme is found by id and by name, with its values", "[lab]") {
    const TemporaryFolder folder;
    const auto saved = save_preset(folder.path(), "My YaRN, 16×", slow_yarn()).value();
    CHECK(saved.own);
    for (const std::string& name : {saved.id, std::string("My YaRN, 16×"), std::string("my yarn, 16×")}) {
        const auto found = find_scheme(name, folder.path()).value();
        CHECK(found.name == "My YaRN, 16×");
        CHECK(std::get<double>(found.slots.at("frequency").params.at("factor")) == 16);
        CHECK(found.slots.at("rotation").id == "rope");
    }
    CHECK(find_scheme(saved.id).error().kind == ErrorKind::not_found);  // it belongs to its workspace
    const auto recipe = parse_recipe("{\"scheme\": \"" + saved.id + "\"}", folder.path());
    CHECK(recipe.value().scheme.name == "My YaRN, 16×");
}

TEST_CASE("one's own presets are listed after those of the program, and marked", "[lab]") {
    const TemporaryFolder folder;
    (void)save_preset(folder.path(), "Zeta", slow_yarn()).value();
    (void)save_preset(folder.path(), "Alpha", slow_yarn()).value();
    const auto list = scheme_presets(folder.path());
    const auto program = scheme_presets().size();
    REQUIRE(list.presets.size() == program + 2);
    CHECK_FALSE(list.presets[program - 1].own);
    CHECK(list.presets[program].id == "alpha");
    CHECK(list.presets[program + 1].own);
    CHECK_THAT(list.presets[program].summary, Catch::Contains("yarn (factor = 16)"));
    CHECK(list.problems.empty());
    CHECK(scheme_presets(folder / "nowhere").presets.size() == program);
}

TEST_CASE("saving under one's own name replaces, under a name of the program is refused", "[lab]") {
    const TemporaryFolder folder;
    (void)save_preset(folder.path(), "Mine", slow_yarn()).value();
    (void)save_preset(folder.path(), "mine", find_scheme("alibi").value()).value();
    CHECK(find_scheme("mine", folder.path()).value().slots.count("bias") == 1);
    for (const auto* name : {"alibi", "ALiBi", "RoPE Yarn"}) {
        CHECK_THAT(save_preset(folder.path(), name, slow_yarn()).error().message, Catch::Contains("comes with the program"));
    }
    CHECK(scheme_presets(folder.path()).presets.size() == scheme_presets().size() + 1);
}

TEST_CASE("names that make no file and schemes that cannot run are refused before anything is written", "[lab]") {
    const TemporaryFolder folder;
    const auto refused = [&](const std::string& name, const SchemeSpec& scheme, const char* part) {
        const auto saved = save_preset(folder.path(), name, scheme);
        REQUIRE_FALSE(saved.ok());
        CHECK(saved.error().kind == ErrorKind::invalid_argument);
        CHECK_THAT(saved.error().message, Catch::Contains(part));
    };
    refused("  ", slow_yarn(), "letter or digit");
    refused("../..", slow_yarn(), "letter or digit");
    refused("two\nlines", slow_yarn(), "one line");
    refused(std::string(200, 'a'), slow_yarn(), "80 bytes");
    refused("\xff\xfe odd", slow_yarn(), "UTF-8");
    refused("run", slow_yarn(), "another name");
    refused("Lone YaRN", {"", {{"frequency", {"yarn", {}}}}}, "Add rotation");
    CHECK_FALSE(std::filesystem::exists(folder / "schemes" / "lone-yarn.json"));
    CHECK(save_preset(folder.path(), "../up", slow_yarn()).value().id == "up");
    CHECK(std::filesystem::exists(folder / "schemes" / "up.json"));
}

TEST_CASE("a damaged preset is one sentence and hides no other", "[lab]") {
    const TemporaryFolder folder;
    (void)save_preset(folder.path(), "Good", slow_yarn()).value();
    write_file(folder / "schemes" / "broken.json", "{\"slots\": ");
    write_file(folder / "schemes" / "future.json", "{\"format\": 9, \"slots\": {}}");
    write_file(folder / "schemes" / "unknown.json", "{\"slots\": {\"bias\": \"alibbi\"}}");
    write_file(folder / "schemes" / "alibi.json", "{\"slots\": {\"bias\": \"alibi\"}}");
    const auto list = scheme_presets(folder.path());
    CHECK(listed(list, "good") != nullptr);
    REQUIRE(list.problems.size() == 4);
    CHECK_THAT(list.problems[0], Catch::Contains("alibi.json") && Catch::Contains("rename"));
    CHECK_THAT(list.problems[1], Catch::Contains("broken.json"));
    CHECK_THAT(list.problems[2], Catch::Contains("format"));
    CHECK_THAT(list.problems[3], Catch::Contains("alibi"));
    CHECK(find_scheme("broken", folder.path()).error().kind == ErrorKind::corrupt_file);
    CHECK(find_scheme("unknown", folder.path()).error().kind == ErrorKind::corrupt_file);
    CHECK(find_scheme("good", folder.path()).ok());
    CHECK(delete_preset(folder.path(), "broken").ok());
    CHECK(scheme_presets(folder.path()).problems.size() == 3);
}

TEST_CASE("only one's own presets are deleted", "[lab]") {
    const TemporaryFolder folder;
    (void)save_preset(folder.path(), "My scheme", slow_yarn()).value();
    CHECK_THAT(delete_preset(folder.path(), "alibi").error().message, Catch::Contains("comes with the program"));
    CHECK_THAT(delete_preset(folder.path(), "my-schem").error().message, Catch::Contains("my-scheme"));
    CHECK(delete_preset(folder.path(), "My scheme").ok());
    CHECK(find_scheme("my-scheme", folder.path()).error().kind == ErrorKind::not_found);
    CHECK(delete_preset(folder.path(), "my-scheme").error().kind == ErrorKind::not_found);
}

TEST_CASE("a preset file of brackets alone is named and hides no other", "[lab]") {
    const TemporaryFolder folder;
    const auto saved = save_preset(folder.path(), "Good one", slow_yarn()).value();
    write_file(folder / "schemes" / "deep.json", "{\"name\": " + std::string(100'000, '[') + std::string(100'000, ']') + "}");
    const auto list = scheme_presets(folder.path());
    CHECK(listed(list, saved.id) != nullptr);
    REQUIRE(list.problems.size() == 1);
    CHECK_THAT(list.problems.front(), Catch::Contains("schemes/deep.json") && Catch::Contains("brackets"));
}
