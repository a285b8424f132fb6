/// From lists to cells: how many, which recipe, what is the same run, what is refused.
#include "tests/support/catch_torch.h"

#include "core/study/cells.h"
#include "tests/core/study/small_study.h"

using namespace lw;

namespace {

SchemeSpec yarn() { return {"YaRN", {{"frequency", {"yarn", {{"factor", 4.0}}}}}}; }

}  // namespace

TEST_CASE("every combination of the lists is a cell with its own recipe", "[study]") {
    const TinyLaboratory lab;
    const StudyCells made = study_cells(small_study(lab), lab.workspace);
    REQUIRE(made.problems.empty());
    REQUIRE(made.cells.size() == 8);
    CHECK(made.cells[0].scheme == "ALiBi");
    CHECK(made.cells[0].recipe.training.length == 16);
    CHECK(made.cells[1].seed == 2);
    CHECK(made.cells[1].recipe.seed == 2);
    CHECK(made.cells[2].recipe.training.length == 32);
    CHECK(made.cells[4].scheme == "Kerple");
    CHECK(made.cells[0].setting == "L = 16, corpus");
    CHECK(made.cells[0].id == training_hash(made.cells[0].recipe));
}

TEST_CASE("all cells score the same tokens, whatever length they were trained at", "[study]") {
    const TinyLaboratory lab;
    for (const StudyCell& cell : study_cells(small_study(lab), lab.workspace).cells) {
        CHECK(cell.recipe.evaluation.scored == 8);  // half the shortest training length
        CHECK(cell.recipe.evaluation.lengths == std::vector<std::int64_t>{32, 64});
    }
    StudySpec open = small_study(lab);
    open.evaluation.lengths.clear();
    CHECK(study_cells(open, lab.workspace).cells.front().recipe.evaluation.lengths.front() == 16);
}

TEST_CASE("schemes that come to the same recipe are one cell, and that is said", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = small_study(lab);
    spec.schemes[1] = spec.schemes[0];
    spec.schemes[1].name = "ALiBi once more";
    const StudyCells made = study_cells(spec, lab.workspace);
    CHECK(made.cells.size() == 4);
    REQUIRE(made.notes.size() == 4);
    CHECK_THAT(made.notes[0], Catch::Contains("ALiBi once more") && Catch::Contains("the same run"));
}

TEST_CASE("a recipe that is refused is a problem that names the cell", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = small_study(lab);
    spec.schemes = {find_scheme("rope").value()};
    spec.sizes[0].model.width = 12;  // three channels a head, which RoPE cannot turn
    const StudyCells made = study_cells(spec, lab.workspace);
    CHECK(made.cells.empty());
    REQUIRE(made.problems.size() == 4);
    CHECK_THAT(made.problems[0], Catch::Contains("RoPE, L = 16, corpus, seed 1") && Catch::Contains("odd"));
}

TEST_CASE("a task that is not there is a problem that names the cell, not an error of the study", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = one_cell(lab);
    spec.corpora[0].source = "task:coppy";
    spec.evaluation.lengths.clear();
    const StudyCells made = study_cells(spec, lab.workspace);
    CHECK(made.cells.empty());
    REQUIRE(made.problems.size() == 1);
    CHECK_THAT(made.problems[0], Catch::Contains("seed 1: ") && Catch::Contains("coppy"));
}

TEST_CASE("a length of the evaluation at which a task has no example is a problem before anything is trained", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = one_cell(lab);
    spec.corpora[0].source = "task:passkey";
    spec.lengths = {128};
    spec.evaluation.lengths = {8, 256};
    const StudyCells made = study_cells(spec, lab.workspace);
    CHECK(made.cells.empty());
    REQUIRE(made.problems.size() == 1);
    CHECK_THAT(made.problems[0], Catch::Contains("seed 1: ") && Catch::Contains("needs a length of at least"));
    spec.evaluation.lengths = {128, 256};
    CHECK(study_cells(spec, lab.workspace).problems.empty());
}

TEST_CASE("an evaluation past the table of learned positions is a problem before anything is trained", "[study]") {
    const TinyLaboratory lab;
    for (const char* const scheme : {"learned", "tupe"}) {
        StudySpec spec = one_cell(lab, scheme);
        spec.evaluation.lengths = {64, 128};  // L = 32
        const StudyCells made = study_cells(spec, lab.workspace);
        CHECK(made.cells.empty());
        REQUIRE(made.problems.size() == 1);
        CHECK_THAT(made.problems[0], Catch::Contains(spec.schemes[0].name + " has a table of 32 positions") && Catch::Contains("64 tokens need 64") &&
                                         Catch::Contains("up to length 128 cannot be made"));
    }
}

TEST_CASE("lengths that a table of positions does not reach are left out of a text's evaluation, which is said once", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = one_cell(lab, "learned");  // measured at 32 and 64
    spec.seeds = {1, 2};
    StudyCells made = study_cells(spec, lab.workspace);
    CHECK(made.problems.empty());
    CHECK(made.cells.size() == 2);
    REQUIRE(made.notes.size() == 1);
    CHECK_THAT(made.notes[0], Catch::Contains("has a table of 32 positions") && Catch::Contains("the length 64 will be left out"));
    spec.corpora[0].source = "task:copy";  // fails at the first length that it cannot read
    spec.evaluation.lengths = {32, 64};
    made = study_cells(spec, lab.workspace);
    CHECK(made.cells.empty());
    REQUIRE(made.problems.size() == 2);
    CHECK_THAT(made.problems[0], Catch::Contains("has a table of"));
}

TEST_CASE("a table that serves longer texts, by itself or through a position map, is measured on them", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = one_cell(lab, "learned");
    const auto left_out = [&] {
        const StudyCells made = study_cells(spec, lab.workspace);
        CHECK(made.problems.empty());
        return made.notes.size();
    };
    for (const char* const beyond : {"clip", "wrap"}) {
        spec.schemes[0].slots["input"].params = {{"beyond", std::string(beyond)}};
        CHECK(left_out() == 0);
    }
    spec.schemes[0].slots["input"].params = {{"beyond", std::string("interpolate")}, {"factor", 2.0}};
    CHECK(left_out() == 1);  // 32 rows, the last at position 62: 63 tokens
    spec.schemes[0].slots["input"].params["factor"] = 3.0;
    CHECK(left_out() == 0);
    spec.schemes[0].slots["input"].params = {{"rows", std::int64_t{63}}};
    CHECK(left_out() == 1);
    spec.schemes[0].slots["input"].params = {{"rows", std::int64_t{64}}};
    CHECK(left_out() == 0);
    spec.schemes[0].slots["input"].params = {};
    spec.schemes[0].slots["positions"] = {"linear", {{"factor", 4.0}}};
    CHECK(left_out() == 0);
}

TEST_CASE("a vocabulary that cannot be learned is a problem before anything is trained", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = one_cell(lab);
    spec.corpora[0].tokenizer = "bpe";
    for (const std::int64_t vocabulary : {100, 65537}) {
        spec.corpora[0].vocabulary = vocabulary;
        const StudyCells made = study_cells(spec, lab.workspace);
        CHECK(made.cells.empty());
        REQUIRE(made.problems.size() == 1);
        CHECK_THAT(made.problems[0], Catch::Contains("seed 1: A BPE vocabulary of " + std::to_string(vocabulary) + " is outside"));
    }
    spec.corpora[0].vocabulary = 320;
    CHECK(study_cells(spec, lab.workspace).problems.empty());
}

TEST_CASE("a continuation multiplies cells by extensions, lengths and steps; plug-ins do not depend on the length", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = one_cell(lab, "rope");
    spec.continuation = {{}, {{"as it is", {}}, yarn()}, {64, 128}, {0, 3}, spec.sizes[0].training};
    const StudyCells made = study_cells(spec, lab.workspace);
    REQUIRE(made.problems.empty());
    REQUIRE(made.cells.size() == 1 + 2 * (1 + 2));
    const StudyCell& plug_in = made.cells[4];
    CHECK(plug_in.scheme == "RoPE + YaRN, plug-in");
    CHECK(plug_in.recipe.scheme.slots.at("frequency").id == "yarn");
    CHECK(plug_in.recipe.start.recipe.empty());
    const StudyCell& tuned = made.cells[5];
    CHECK(tuned.scheme == "RoPE + YaRN, 3 steps at 64");
    CHECK(tuned.recipe.training.length == 64);
    CHECK(tuned.recipe.training.steps == 3);
    CHECK(tuned.recipe.start.recipe == training_hash(made.cells[0].recipe));
    CHECK(tuned.recipe.start.length == 32);
    CHECK(tuned.base == made.cells[0].id);
}

TEST_CASE("the heading of a continuation says its length where there is one, and rows that are their base's own run are said", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = one_cell(lab, "rope");
    spec.continuation = {{}, {{"as it is", {}}, yarn()}, {64}, {0, 3}, spec.sizes[0].training};
    const StudyCells made = study_cells(spec, lab.workspace);
    REQUIRE(made.cells.size() == 5);
    for (std::size_t n = 1; n < made.cells.size(); ++n) CHECK(made.cells[n].setting == "L = 32, corpus, continued at 64");
    REQUIRE(made.notes.size() == 1);
    CHECK_THAT(made.notes[0], Catch::Contains("1 cell with \"none\" and 0 steps is the run of another cell"));
    spec.continuation.lengths = {64, 128};
    CHECK(study_cells(spec, lab.workspace).cells[1].setting == "L = 32, corpus, continued");
    spec.continuation.lengths = {64};
    spec.continuation.steps = {0};
    CHECK(study_cells(spec, lab.workspace).cells[1].setting == "L = 32, corpus, continued");
    spec.continuation.extensions = {yarn()};
    CHECK(study_cells(spec, lab.workspace).notes.empty());
}

TEST_CASE("what must be trained with can come in with steps, and not without", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = one_cell(lab, "rope");
    spec.continuation = {{}, {{"PoSE", {{"positions", {"pose", {}}}}}}, {32}, {0, 3}, spec.sizes[0].training};
    const StudyCells made = study_cells(spec, lab.workspace);
    REQUIRE(made.cells.size() == 2);
    CHECK(made.cells[1].recipe.scheme.slots.at("positions").id == "pose");
    REQUIRE(made.problems.size() == 1);
    CHECK_THAT(made.problems[0], Catch::Contains("plug-in") && Catch::Contains("must be trained with it"));
    spec.continuation.extensions = {{"ALiBi", {{"bias", {"alibi", {}}}}}};
    CHECK(study_cells(spec, lab.workspace).problems.size() == 2);  // a bias belongs to the training
}

TEST_CASE("the reference of a continuation is the title of a row, and the nearest is named", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = one_cell(lab, "rope");
    spec.continuation = {{}, {{"as it is", {}}, yarn()}, {64}, {0, 3}, spec.sizes[0].training};
    for (const char* const title : {"RoPE", "RoPE, plug-in", "RoPE + YaRN, 3 steps"}) {
        spec.reference = title;
        CHECK(preview_study(lab.workspace, spec).value().problems.empty());
    }
    spec.reference = "YaRN";  // an extension, of which there are two rows
    const StudyCells made = study_cells(spec, lab.workspace);
    REQUIRE(made.problems.size() == 1);
    CHECK_THAT(made.problems[0], Catch::Contains("\"YaRN\"") && Catch::Contains("RoPE + YaRN, plug-in"));
    spec.continuation.steps = {3};
    spec.reference = "RoPE + YaRN, 5 steps";
    CHECK_THAT(study_cells(spec, lab.workspace).problems.at(0), Catch::Contains("Did you mean \"RoPE + YaRN, 3 steps\""));
}
