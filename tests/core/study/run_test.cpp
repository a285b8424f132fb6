/// The queue: what is trained, what is reused, what survives, what is said of cells that cannot be finished.
#include "tests/support/catch_torch.h"

#include "core/storage/run_folder.h"
#include "core/study/study_folder.h"
#include "tests/core/study/small_study.h"

using namespace lw;

namespace {

std::vector<RunInfo> runs_of(const TinyLaboratory& lab) { return list_runs(lab.workspace).value().runs; }

/// Text of every evaluation, but for when it was made and how long it took.
std::vector<double> losses_of(const StudyStatus& status) {
    std::vector<double> losses;
    for (const StudyCell& cell : status.cells) {
        for (const Evaluation& evaluation : read_evaluations(cell.folder).value()) {
            for (const LengthPoint& point : evaluation.points) losses.push_back(point.loss);
        }
    }
    return losses;
}

void replace_in(const std::filesystem::path& file, const std::string& what, const std::string& by) {
    std::string text = read_file(file);
    const auto at = text.find(what);
    REQUIRE(at != std::string::npos);
    write_file(file, text.replace(at, what.size(), by));
}

}  // namespace

TEST_CASE("a study trains and measures every cell once", "[study]") {
    const TinyLaboratory lab;
    std::vector<std::int64_t> finished;
    StudyHooks hooks;
    std::int64_t points = 0, steps = 0;
    hooks.on_status = [&](const StudyStatus& status) { finished.push_back(status.count("finished")); };
    hooks.on_point = [&](const StudyCell&, const Evaluation&) { ++points; };
    hooks.training.on_start = [&](const RunInfo&) { ++steps; };
    const StudyStatus status = run_whole(lab, small_study(lab), {}, hooks);
    CHECK(status.count("finished") == 8);
    CHECK(runs_of(lab).size() == 8);
    CHECK(finished.front() == 0);
    CHECK(finished.back() == 8);
    CHECK(std::is_sorted(finished.begin(), finished.end()));
    CHECK(points == 16);
    CHECK(steps == 8);
    CHECK_FALSE(status.running);
}

TEST_CASE("runs and evaluations that are there are reused", "[study]") {
    const TinyLaboratory lab;
    const StudySpec spec = one_cell(lab);
    Recipe by_hand = lab.recipe();
    by_hand.name = "Trained before, under another name";
    const RunInfo run = train(by_hand, lab.workspace).value();
    const StudyStatus first = run_whole(lab, spec);
    REQUIRE(first.count("finished") == 1);
    CHECK(first.cells[0].run == run.id);
    CHECK(runs_of(lab).size() == 1);
    const auto measured = read_evaluations(run.folder).value().at(0).created;
    bool worked = false;
    RunContext context;
    context.progress = [&](const Progress&) { worked = true; };
    CHECK(run_whole(lab, spec, context).count("finished") == 1);
    CHECK_FALSE(worked);
    // Measured in another way it is measured again, without being trained again.
    StudySpec longer = spec;
    longer.evaluation.lengths = {32, 64, 128};
    CHECK(preview_study(lab.workspace, longer).value().cells[0].state == "trained");
    CHECK(run_whole(lab, longer).count("finished") == 1);
    CHECK(runs_of(lab).size() == 1);
}

TEST_CASE("a length that no document reaches is said before and does not keep a cell from being finished", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = one_cell(lab);
    spec.evaluation.lengths = {32, 64, 65536};
    const StudyStatus before = preview_study(lab.workspace, spec).value();
    REQUIRE(before.problems.empty());
    CHECK_THAT(before.notes.at(0), Catch::Contains("65,536 will be left out") && Catch::Contains("the longest document in the test split"));
    CHECK(run_whole(lab, spec).count("finished") == 1);
    CHECK(study_status(lab.workspace, "one-cell").value().count("finished") == 1);
    spec.evaluation.lengths = {65536};
    CHECK_THAT(preview_study(lab.workspace, spec).value().problems.at(0), Catch::Contains("No length of the evaluation can be measured"));
}

TEST_CASE("an evaluation that is impossible is refused before anything is trained", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = one_cell(lab);
    spec.evaluation.lengths = {32};
    spec.evaluation.scored = 1000000;
    CHECK_THAT(preview_study(lab.workspace, spec).value().problems.at(0), Catch::Contains("1,000,000 scored tokens do not fit"));
    // Of the third part of a text there is a tenth.
    spec.evaluation.scored = 0;
    spec.evaluation.lengths = {4096};
    spec.corpora[0].source = (lab.corpus / "document-0.txt").string();
    CHECK_THAT(preview_study(lab.workspace, spec).value().problems.at(0), Catch::Contains("No length of the evaluation can be measured"));
    CHECK_FALSE(run_study(lab.workspace, add_study(lab.workspace, spec).value()).ok());
    CHECK(runs_of(lab).empty());
}

TEST_CASE("a text that has the bytes of a length but not the tokens is refused before anything is trained", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = one_cell(lab);
    spec.corpora[0].tokenizer = "bpe";
    spec.corpora[0].vocabulary = 320;
    spec.evaluation.lengths = {5000};
    CHECK(preview_study(lab.workspace, spec).value().problems.empty());
    const auto refused = run_study(lab.workspace, add_study(lab.workspace, spec).value());
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == ErrorKind::invalid_argument);
    CHECK_THAT(refused.error().message, Catch::Contains("The study cannot start: The evaluation on") && Catch::Contains("no document is long enough for a length of 5,000"));
    CHECK(runs_of(lab).empty());
}

TEST_CASE("a missing corpus is named before anything starts", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = small_study(lab);
    spec.corpora.push_back(spec.corpora[0]);
    spec.corpora[1].source = "en-prose";
    const std::string id = add_study(lab.workspace, spec).value();
    const auto refused = run_study(lab.workspace, id);
    REQUIRE_FALSE(refused.ok());
    CHECK_THAT(refused.error().message, Catch::Contains("corpus fetch en-prose"));
    CHECK(runs_of(lab).empty());
}

TEST_CASE("a stopped study goes on where it was and comes to the same numbers", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = small_study(lab);
    spec.lengths = {32};
    std::stop_source stop;
    RunContext context;
    context.stop = stop.get_token();
    std::int64_t seen = 0;
    context.progress = [&](const Progress& progress) {
        if (progress.stage.ends_with("Training") && ++seen == 8) stop.request_stop();  // in the second cell
    };
    const StudyStatus stopped = run_whole(lab, spec, context);
    CHECK(stopped.count("finished") == 1);
    CHECK(stopped.count("stopped") == 1);
    const StudyStatus whole = run_study(lab.workspace, "small-study").value();
    REQUIRE(whole.count("finished") == 4);
    const TinyLaboratory other;
    StudySpec same = spec;
    same.corpora[0].source = lab.corpus.string();
    CHECK(losses_of(whole) == losses_of(run_whole(other, same)));
}

TEST_CASE("a pause stops after saving, and the next run takes it back", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = one_cell(lab);
    spec.sizes[0].training.steps = 4000;
    const std::string id = add_study(lab.workspace, spec).value();
    bool asked = false;
    RunContext context;
    context.progress = [&](const Progress&) {
        if (!std::exchange(asked, true)) REQUIRE(pause_study(lab.workspace, id).ok());
    };
    const StudyStatus status = run_study(lab.workspace, id, context).value();
    CHECK(status.paused);
    CHECK(status.cells[0].state == "stopped");
    CHECK(status.cells[0].step > 0);
    CHECK(status.cells[0].step < 4000);
}

TEST_CASE("a study that a program works on is not started twice", "[study]") {
    const TinyLaboratory lab;
    const std::string id = add_study(lab.workspace, one_cell(lab)).value();
    const auto held = StudyFolder(lab.workspace, id).lock();
    const auto refused = run_study(lab.workspace, id);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == ErrorKind::unavailable);
    CHECK(study_status(lab.workspace, id).value().running);
}

TEST_CASE("a diverged cell is marked, the others go on, and it is tried again only when asked", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = one_cell(lab);
    spec.sizes.push_back(spec.sizes[0]);
    spec.sizes[0].name = "wild";
    spec.sizes[1].name = "calm";
    spec.sizes[0].training.peak_rate = 10;
    spec.sizes[0].training.clip = 0;
    spec.sizes[0].training.steps = 60;
    spec.sizes[0].training.epsilon = 1e-30;
    spec.sizes[0].model.norm_eps = 1e-12;
    StudyStatus status = run_whole(lab, spec);
    if (status.cells[0].state != "diverged") {
        // Whether so small a model diverges is up to the machine; what is held is what the program makes of one that did.
        const RunFolder folder(status.cells[0].folder);
        RunRecord record = folder.read_record();
        record.status = "failed";
        record.diverged = true;
        record.message = "Training stopped at step 3: the loss is no longer a finite number.";
        folder.write_record(record);
        status = study_status(lab.workspace, "one-cell").value();
    }
    CHECK(status.cells[0].state == "diverged");
    CHECK_THAT(status.cells[0].message, Catch::Contains("finite"));
    CHECK(status.cells[1].state == "finished");
    CHECK(run_study(lab.workspace, "one-cell").value().cells[0].state == "diverged");
    REQUIRE(retry_cell(lab.workspace, "one-cell", status.cells[0].id).ok());
    CHECK(study_status(lab.workspace, "one-cell").value().cells[0].state == "stopped");
}

TEST_CASE("a cell that fails keeps its sentence until it is tried again", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = one_cell(lab);
    spec.corpora[0].source = (lab.folder / "short.txt").string();
    write_file(lab.folder / "short.txt", "A text that is far too short to train on at a length of thirty-two tokens, in three parts.");
    spec.evaluation.lengths = {5};
    spec.evaluation.scored = 4;
    const StudyStatus failed = run_whole(lab, spec);
    REQUIRE(failed.cells[0].state == "failed");
    CHECK_FALSE(failed.cells[0].message.empty());
    CHECK(run_study(lab.workspace, "one-cell").value().cells[0].state == "failed");
    std::string longer;
    for (int n = 0; n < 400; ++n) longer += "A line of text, which makes this file long enough, number " + std::to_string(n) + ".\n";
    write_file(lab.folder / "short.txt", longer);
    REQUIRE(retry_cell(lab.workspace, "one-cell", failed.cells[0].id.substr(0, 6)).ok());
    CHECK(run_study(lab.workspace, "one-cell").value().cells[0].state == "finished");
    CHECK_FALSE(retry_cell(lab.workspace, "one-cell", "zz").ok());
}

TEST_CASE("a cell whose run has lost its files says how it is trained anew", "[study]") {
    const TinyLaboratory lab;
    const RunInfo run = train(lab.recipe(), lab.workspace).value();
    std::filesystem::remove_all(run.folder / "checkpoints");
    const StudyStatus failed = run_whole(lab, one_cell(lab));
    REQUIRE(failed.cells[0].run == run.id);
    REQUIRE(failed.cells[0].state == "failed");
    CHECK_THAT(failed.cells[0].message, Catch::Contains("its checkpoints are gone") && Catch::Contains("runs delete " + run.id + " --yes") &&
                                            Catch::Contains("study retry one-cell " + failed.cells[0].id));
    REQUIRE(delete_run(run.folder).ok());
    REQUIRE(retry_cell(lab.workspace, "one-cell", failed.cells[0].id).ok());
    CHECK(run_study(lab.workspace, "one-cell").value().count("finished") == 1);
}

TEST_CASE("a run whose recipe was changed is recognised and not mixed in", "[study]") {
    const TinyLaboratory lab;
    const StudyStatus first = run_whole(lab, one_cell(lab));
    replace_in(first.cells[0].folder / "recipe.json", "\"clip\": 1.0", "\"clip\": 0.5");
    const StudyStatus status = study_status(lab.workspace, "one-cell").value();
    CHECK(status.cells[0].state == "waiting");
    REQUIRE_FALSE(status.notes.empty());
    CHECK_THAT(status.notes[0], Catch::Contains(first.cells[0].run) && Catch::Contains("was changed after it was trained"));
    // Nor is it taken for a run of the recipe that it says now.
    StudySpec changed = one_cell(lab);
    changed.sizes[0].training.clip = 0.5;
    CHECK(preview_study(lab.workspace, changed).value().cells[0].state == "waiting");
    const StudyStatus again = run_study(lab.workspace, "one-cell").value();
    CHECK(again.cells[0].state == "finished");
    CHECK(again.cells[0].run != first.cells[0].run);
}

TEST_CASE("cells of a higher priority come first", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = small_study(lab);
    spec.lengths = {32};
    const std::string id = add_study(lab.workspace, spec).value();
    const StudyCell last = study_status(lab.workspace, id).value().cells.back();
    CHECK_THAT(prioritise_cell(lab.workspace, id, "", 2).error().message, Catch::Contains("4 cells") && Catch::Contains(last.id + " (Kerple, L = 32, corpus, seed 2)"));
    REQUIRE(prioritise_cell(lab.workspace, id, last.id, 2).ok());
    std::string first_run;
    StudyHooks hooks;
    hooks.training.on_start = [&](const RunInfo& run) {
        if (first_run.empty()) first_run = run.recipe.scheme.name + " " + std::to_string(run.recipe.seed);
    };
    REQUIRE(run_study(lab.workspace, id, {}, hooks).ok());
    CHECK(first_run == "Kerple 2");
}

TEST_CASE("trained runs go on at a longer length, and a plug-in trains nothing", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = one_cell(lab, "rope");
    spec.continuation = {{}, {{"as it is", {}}, {"YaRN", {{"frequency", {"yarn", {{"factor", 2.0}}}}}}}, {64}, {0, 3}, spec.sizes[0].training};
    CHECK(preview_study(lab.workspace, spec).value().cells.at(1).state == "blocked");
    const StudyStatus status = run_whole(lab, spec);
    REQUIRE(status.cells.size() == 5);
    CHECK(status.count("finished") == 5);
    CHECK(status.cells[1].run == status.cells[0].run);  // the model as it is
    CHECK(read_run(status.cells[3].folder).value().base == status.cells[0].folder);
    const RunInfo tuned = read_run(status.cells[4].folder).value();
    CHECK(tuned.base.empty());
    CHECK(tuned.step == 3);
    CHECK(tuned.recipe.start.length == 32);
    // It begins with the other's weights: its first loss is far below that of drawn ones, ln 256.
    CHECK(read_log(tuned.folder).value().at(0).loss < read_log(status.cells[0].folder).value().at(0).loss);
    const auto report = study_report(status).value();
    REQUIRE(report.tables.size() == 2);
    CHECK(report.tables[1].rows.size() == 4);
}

TEST_CASE("a study that goes on with one of several runs of a title says which, and names them all", "[study]") {
    const TinyLaboratory lab;
    Recipe recipe = lab.recipe("rope");
    const std::string first = train(recipe, lab.workspace).value().id;
    recipe.seed = 2;
    const std::string second = train(recipe, lab.workspace).value().id;
    StudySpec spec = one_cell(lab, "rope");
    spec.schemes.clear();
    spec.continuation = {{"RoPE"}, {{"as it is", {}}}, {64}, {0}, spec.sizes[0].training};
    const StudyStatus status = preview_study(lab.workspace, spec).value();
    REQUIRE_FALSE(status.notes.empty());
    CHECK_THAT(status.notes[0], Catch::Contains("2 runs") && Catch::Contains(first + ", " + second) && Catch::Contains("with, " + second));
    spec.continuation.runs = {second};
    for (const std::string& note : preview_study(lab.workspace, spec).value().notes) CHECK_THAT(note, !Catch::Contains("2 runs"));
}

TEST_CASE("weights to go on with are looked for, and a sentence says when they are not there", "[study]") {
    const TinyLaboratory lab;
    Recipe recipe = lab.recipe("rope");
    recipe.start = {"0123456789abcdef", -1, 32};
    const auto refused = train(recipe, lab.workspace);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == ErrorKind::not_found);
    CHECK_THAT(refused.error().message, Catch::Contains("0123456789abcdef"));
    recipe.start.recipe = "abc";
    CHECK_THAT(check_recipe(recipe).error().message, Catch::Contains("16 hexadecimal digits"));
    CHECK(recipe_hash(lab.recipe()) != recipe_hash(recipe));
}

TEST_CASE("an estimate says what is left in time and memory", "[study]") {
    const TinyLaboratory lab;
    const StudyStatus before = preview_study(lab.workspace, small_study(lab)).value();
    const StudyEstimate all = estimate_study(before).value();
    CHECK(all.seconds > 0);
    CHECK(all.bytes > 0);
    CHECK(all.cell_seconds.size() == 8);
    const StudyEstimate none = estimate_study(run_whole(lab, small_study(lab))).value();
    CHECK(none.seconds == 0);
}
