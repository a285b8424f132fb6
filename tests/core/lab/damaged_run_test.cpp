/// Runs that were damaged or tampered with: the sentence says what is wrong, and what can still be done works.
#include "tests/support/catch_torch.h"

#include "core/api/evaluation.h"
#include "core/storage/atomic_file.h"
#include "core/storage/run_folder.h"
#include "core/storage/tensor_file.h"
#include "tests/core/training/tiny_run.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <functional>
#include <optional>

using namespace lw;

namespace {

Error error_of_weights(const RunInfo& run, const std::function<void(std::map<std::string, at::Tensor>&)>& damage) {
    const auto file = run.checkpoints.back().file;
    auto content = read_tensor_file(file);
    damage(content.tensors);
    write_tensor_file(file, content);
    GenerateRequest request;
    request.run = run.folder;
    request.step = run.checkpoints.back().step;
    request.tokens = 2;
    return generate(request).error();
}

void set_base(const RunInfo& run, const std::string& base) {
    const RunFolder folder(run.folder);
    auto record = folder.read_record();
    record.base = base;
    folder.write_record(record);
    std::filesystem::remove_all(run.folder / "checkpoints");
}

/// What a run says of its recipe once its recipe.json is this one.
std::optional<bool> edited_to(const RunInfo& run, const Recipe& recipe) {
    write_file(run.folder / "recipe.json", recipe_json(recipe));
    return read_run(run.folder).value().recipe_edited;
}

}  // namespace

TEST_CASE("a recipe that was changed after training is noticed; titles and evaluation settings may change", "[lab][damage]") {
    const TinyLaboratory lab;
    const auto run = train(lab.recipe("rope"), lab.workspace).value();
    CHECK(run.recipe_edited == std::optional(false));
    Recipe changed = run.recipe;
    changed.name = "Another title";
    changed.evaluation.documents = 3;
    CHECK(edited_to(run, changed) == std::optional(false));
    changed.training.clip = 0.5;
    CHECK(edited_to(run, changed) == std::optional(true));
    CHECK(edited_to(run, run.recipe) == std::optional(false));
}

TEST_CASE("a key that came into being after the training changes no recipe, and earlier runs say nothing", "[lab][damage]") {
    const TinyLaboratory lab;
    const auto run = train(lab.recipe("rope"), lab.workspace).value();
    const RunFolder folder(run.folder);
    auto record = folder.read_record();
    auto earlier = nlohmann::ordered_json::parse(record.recipe);
    REQUIRE(earlier["model"].erase("norm_eps") == 1);
    record.recipe = earlier.dump(2);
    folder.write_record(record);
    CHECK(read_run(run.folder).value().recipe_edited == std::optional(false));
    record.recipe.clear();
    folder.write_record(record);
    Recipe changed = run.recipe;
    changed.training.clip = 0.5;
    CHECK_FALSE(edited_to(run, changed).has_value());
}

TEST_CASE("weights that are no numbers are refused by name", "[lab][damage]") {
    const TinyLaboratory lab;
    const auto run = train(lab.recipe("rope"), lab.workspace).value();
    const auto broken = error_of_weights(run, [](auto& tensors) { tensors.begin()->second = at::full_like(tensors.begin()->second, std::nan("")); });
    CHECK(broken.kind == ErrorKind::corrupt_file);
    CHECK_THAT(broken.message, Catch::Contains("not a number"));
    const auto whole = error_of_weights(run, [](auto& tensors) { tensors.begin()->second = at::zeros_like(tensors.begin()->second, at::kInt); });
    CHECK(whole.kind == ErrorKind::corrupt_file);
    CHECK_THAT(whole.message, Catch::Contains("floating-point"));
}

TEST_CASE("a damaged run named by its id is reported as damaged, not as absent", "[lab][damage]") {
    const TinyLaboratory lab;
    const auto run = train(lab.recipe("rope"), lab.workspace).value();
    write_file(run.folder / "recipe.json", "{");
    for (const auto& named : {find_run(lab.workspace, run.id), read_run(run.folder)}) {
        REQUIRE_FALSE(named.ok());
        CHECK(named.error().kind == ErrorKind::corrupt_file);
        CHECK_THAT(named.error().message, Catch::Contains("recipe.json"));
    }
    CHECK(find_run(lab.workspace, "another").error().kind == ErrorKind::not_found);
}

TEST_CASE("runs that borrow weights from themselves or in a circle say so and can be deleted", "[lab][damage]") {
    const TinyLaboratory lab;
    const auto first = train(lab.recipe("rope"), lab.workspace).value(), second = train(lab.recipe("rope"), lab.workspace).value();
    set_base(first, second.id);
    set_base(second, first.id);
    GenerateRequest request;
    request.run = first.folder;
    CHECK_THAT(generate(request).error().message, Catch::Contains("uses the weights of the run " + second.id));
    CHECK(delete_run(first.folder).ok());
    set_base(second, second.id);
    CHECK(delete_run(second.folder).ok());
    CHECK(list_runs(lab.workspace).value().runs.empty());
}

TEST_CASE("only -1 stands for the best checkpoint", "[lab][damage]") {
    const TinyLaboratory lab;
    GenerateRequest request;
    request.run = train(lab.recipe("rope"), lab.workspace).value().folder;
    request.step = -5;
    CHECK(generate(request).error().kind == ErrorKind::invalid_argument);
}

TEST_CASE("files of a run with values of the wrong kind are damaged files, by name", "[lab][damage]") {
    const TinyLaboratory lab;
    const auto run = train(lab.recipe("rope"), lab.workspace).value();
    GenerateRequest request;
    request.run = run.folder;
    request.tokens = 2;
    const std::string tokenizer = read_file(run.folder / "tokenizer.json", 1U << 20U), recipe = read_file(run.folder / "recipe.json", 1U << 20U);
    for (const char* damaged : {R"({"kind": 3.5})", R"({"kind": null, "id": []})", R"({"kind": "task", "words": true, "task": "copy"})"}) {
        write_file(run.folder / "tokenizer.json", damaged);
        const auto error = generate(request).error();
        CHECK(error.kind == ErrorKind::corrupt_file);
        CHECK_THAT(error.message, Catch::Contains("tokenizer.json") && !Catch::Contains("exception"));
    }
    write_file(run.folder / "tokenizer.json", tokenizer);
    write_file(run.folder / "recipe.json", R"({"format": 1e999})");
    CHECK(read_run(run.folder).error().kind == ErrorKind::corrupt_file);
    CHECK_THAT(read_run(run.folder).error().message, Catch::Contains("recipe.json") && Catch::Contains("too large"));
    write_file(run.folder / "recipe.json", recipe);
    CHECK(generate(request).ok());
}

TEST_CASE("an input encoding that reads the tokens generates text as well", "[lab]") {
    const TinyLaboratory lab;
    const auto run = train(lab.recipe("complex"), lab.workspace).value();
    GenerateRequest request;
    request.run = run.folder;
    request.tokens = 3;
    CHECK(generate(request).ok());
}

TEST_CASE("a run that is deleted while it is measured does not come back", "[lab][damage]") {
    const TinyLaboratory lab;
    const auto run = train(lab.recipe("alibi"), lab.workspace).value();
    EvaluationSpec spec;
    spec.lengths = {32, 64, 128};
    spec.documents = 4;
    const auto measured = evaluate(run.folder, spec, -1, {}, [&](const Evaluation&) { std::filesystem::remove_all(run.folder); });
    REQUIRE_FALSE(measured.ok());
    CHECK_THAT(measured.error().message, Catch::Contains("deleted"));
    CHECK_FALSE(std::filesystem::exists(run.folder));
}

TEST_CASE("a run whose folder has a name that no JSON can hold is refused before it is measured, and listed as a problem", "[lab]") {
    const TinyLaboratory lab;
    const RunInfo run = lab.trained();
    const auto renamed = lab.workspace / "a\xff";
    std::filesystem::rename(run.folder, renamed);
    const auto refused = evaluate(renamed, short_spec());
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == ErrorKind::invalid_argument);
    CHECK_THAT(refused.error().message, Catch::Contains("UTF-8"));
    const RunList listed = list_runs(lab.workspace).value();
    CHECK(listed.runs.empty());
    CHECK(listed.problems.size() == 1);
}
