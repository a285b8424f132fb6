/// Which run is a cell's: what counts as measured, which of several is taken, whose recipe is not believed.
#include "tests/support/catch_torch.h"

#include "tests/core/study/small_study.h"

#include <algorithm>

using namespace lw;

namespace {

/// A study of one cell on a task.
StudySpec task_cell(const TinyLaboratory& lab) {
    StudySpec spec = one_cell(lab);
    spec.lengths = {8};
    spec.corpora[0].source = "task:copy";
    spec.evaluation.lengths = {8, 16};
    return spec;
}

StudyCell first_cell(const TinyLaboratory& lab, const StudySpec& spec) { return preview_study(lab.workspace, spec).value().cells.at(0); }

RunInfo edited_run(const TinyLaboratory& lab) {
    const RunInfo run = train(lab.recipe("rope"), lab.workspace).value();
    std::string text = read_file(run.folder / "recipe.json");
    const std::string clip = "\"clip\": 1.0";
    REQUIRE(text.find(clip) != std::string::npos);
    write_file(run.folder / "recipe.json", text.replace(text.find(clip), clip.size(), "\"clip\": 0.5"));
    return run;
}

}  // namespace

TEST_CASE("lengths of a task that were measured besides do not keep a cell from being finished, and are not in its table", "[study]") {
    const TinyLaboratory lab;
    const StudySpec spec = task_cell(lab);
    const StudyCell cell = run_whole(lab, spec).cells.at(0);
    REQUIRE(cell.state == "finished");
    REQUIRE(evaluate_task(cell.folder, {32}).value().points.size() == 3);
    const StudyStatus status = preview_study(lab.workspace, spec).value();
    CHECK(status.cells.at(0).state == "finished");
    CHECK(study_report(status).value().tables.at(0).lengths == std::vector<std::int64_t>{8, 16});
}

TEST_CASE("an accuracy on few examples is not what a study asks for", "[study]") {
    const TinyLaboratory lab;
    const StudySpec spec = task_cell(lab);
    const StudyCell cell = run_whole(lab, spec).cells.at(0);
    REQUIRE(evaluate_task(cell.folder, {16}, 8).ok());
    CHECK(first_cell(lab, spec).state == "trained");
    CHECK(run_whole(lab, spec).cells.at(0).state == "finished");
}

TEST_CASE("a task without lengths is measured at its usual ones", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = task_cell(lab);
    REQUIRE(run_whole(lab, spec).count("finished") == 1);
    spec.evaluation.lengths.clear();
    const StudyCell cell = first_cell(lab, spec);
    CHECK(cell.recipe.evaluation.lengths == std::vector<std::int64_t>{8, 16, 32, 64});
    CHECK(cell.state == "trained");  // two of them are not there
}

TEST_CASE("what a protocol does not use does not keep a cell from being finished", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = one_cell(lab);
    spec.evaluation.stride = 16;  // of last-k, which has none
    CHECK(run_whole(lab, spec).count("finished") == 1);
    spec.evaluation.protocol = "non-overlapping";
    spec.evaluation.scored = 16;
    CHECK(run_whole(lab, spec).count("finished") == 1);
    spec.evaluation.protocol = "sliding";
    CHECK(run_whole(lab, spec).count("finished") == 1);
    spec.evaluation.stride = 0;  // half a window: another measurement
    CHECK(first_cell(lab, spec).state == "trained");
}

TEST_CASE("of several runs of a recipe the newest is taken, and one that is measured before all others", "[study]") {
    const TinyLaboratory lab;
    const RunInfo first = train(lab.recipe(), lab.workspace).value(), second = train(lab.recipe(), lab.workspace).value();
    REQUIRE(first.id != second.id);
    StudyCell cell = first_cell(lab, one_cell(lab));
    CHECK(cell.run == second.id);
    CHECK(cell.state == "trained");
    REQUIRE(evaluate(first.folder, cell.recipe.evaluation).ok());
    cell = first_cell(lab, one_cell(lab));
    CHECK(cell.run == first.id);
    CHECK(cell.state == "finished");
}

TEST_CASE("a run whose recipe was changed after its training is nothing to go on with", "[study]") {
    const TinyLaboratory lab;
    const RunInfo run = edited_run(lab);
    Recipe further = lab.recipe("rope");
    further.training.clip = 0.5;
    further.start = {training_hash(further), -1, 32};
    REQUIRE(further.start.recipe == training_hash(read_run(run.folder).value().recipe));
    const auto refused = train(further, lab.workspace);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == ErrorKind::not_found);
    StudySpec spec = one_cell(lab, "rope");
    spec.schemes.clear();
    spec.continuation = {{run.id}, {{"as it is", {}}}, {64}, {3}, spec.sizes[0].training};
    const StudyStatus status = preview_study(lab.workspace, spec).value();
    CHECK(status.cells.empty());
    CHECK_THAT(status.problems.at(0), Catch::Contains(run.id) && Catch::Contains("was changed after it was trained"));
}

TEST_CASE("named runs of one title and two recipes are two rows, seeds of one recipe are one", "[study]") {
    const TinyLaboratory lab;
    Recipe recipe = lab.recipe("rope");
    const std::string first = train(recipe, lab.workspace).value().id;
    recipe.seed = 2;
    const std::string second = train(recipe, lab.workspace).value().id;
    recipe.model.layers = 3;
    const std::string other = train(recipe, lab.workspace).value().id;
    StudySpec spec = one_cell(lab, "rope");
    spec.schemes.clear();
    spec.continuation = {{first, second}, {{"as it is", {}}}, {64}, {0}, spec.sizes[0].training};
    std::vector<StudyCell> cells = preview_study(lab.workspace, spec).value().cells;
    REQUIRE(cells.size() == 2);
    CHECK(cells[0].scheme == "RoPE, plug-in");
    CHECK(cells[1].scheme == cells[0].scheme);
    spec.continuation.runs.push_back(other);
    cells = preview_study(lab.workspace, spec).value().cells;
    REQUIRE(cells.size() == 3);
    CHECK(cells[0].scheme == "RoPE (" + first + "), plug-in");
    CHECK(cells[1].scheme == cells[0].scheme);
    CHECK(cells[2].scheme == "RoPE (" + other + "), plug-in");
}

TEST_CASE("a whole id names its cell, though that of a plug-in ends with it", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = one_cell(lab, "rope");
    spec.continuation = {{}, {{"as it is", {}}}, {64}, {0}, spec.sizes[0].training};
    const std::string id = add_study(lab.workspace, spec).value();
    const StudyStatus before = study_status(lab.workspace, id).value();
    REQUIRE(before.cells.size() == 2);
    REQUIRE(before.cells[1].id.ends_with(before.cells[0].id));
    REQUIRE(prioritise_cell(lab.workspace, id, before.cells[0].id, 4).ok());
    const StudyStatus after = study_status(lab.workspace, id).value();
    CHECK(after.cells[0].priority == 4);
    CHECK(after.cells[1].priority == 0);
}

TEST_CASE("numbers and runs that cannot be read are named before they are made anew", "[study]") {
    const TinyLaboratory lab;
    const StudySpec spec = one_cell(lab);
    const StudyCell cell = run_whole(lab, spec).cells.at(0);
    const std::string line = cell.scheme + ", " + cell.setting + ", seed 1";
    const auto said = [&](const std::string& part) {
        const auto notes = preview_study(lab.workspace, spec).value().notes;
        return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) { return note.find(part) != std::string::npos; });
    };
    CHECK_FALSE(said("last-k.json"));
    write_file(cell.folder / "evaluations" / "last-k.json", "{");
    CHECK(first_cell(lab, spec).state == "trained");
    CHECK(said("last-k.json"));
    CHECK(said("Evaluate the run again. " + line + " is measured again."));
    CHECK(run_whole(lab, spec).cells.at(0).state == "finished");
    CHECK_FALSE(said("last-k.json"));
    write_file(cell.folder / "run.json", "{");
    CHECK(said("A run cannot be read and is left out: " + cell.run));
    CHECK(said(line + " is trained anew."));
    write_file(cell.folder / "recipe.json", "{");
    CHECK(said("If it is one of this study's, its cell is trained anew."));
    // Once it is, the damaged folder concerns no cell any more.
    CHECK(run_whole(lab, spec).cells.at(0).state == "finished");
    CHECK(said("A run cannot be read"));
    CHECK_FALSE(said("anew"));
}
