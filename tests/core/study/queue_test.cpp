/// What stops the queue and what does not, what can be tried again while it runs, and what is never written over.
#include "tests/support/catch_torch.h"

#include "core/study/study_folder.h"
#include "tests/core/study/small_study.h"

#include <cerrno>

using namespace lw;

namespace {

/// Two cells: one on a text that is too short to train on, then one on the usual corpus.
StudySpec short_and_long(const TinyLaboratory& lab) {
    StudySpec spec = one_cell(lab);
    spec.corpora.insert(spec.corpora.begin(), spec.corpora[0]);
    spec.corpora[0].source = (lab.folder / "short.txt").string();
    write_file(lab.folder / "short.txt", "A text that is far too short to train on at a length of thirty-two tokens, in three parts.");
    spec.evaluation.lengths = {5};  // which the short text has, too
    spec.evaluation.scored = 4;
    return spec;
}

void mend(const TinyLaboratory& lab) {
    std::string longer;
    for (int n = 0; n < 400; ++n) longer += "A line of text, which makes this file long enough, number " + std::to_string(n) + ".\n";
    write_file(lab.folder / "short.txt", longer);
}

std::string refusal_of(const TinyLaboratory& lab, StudySpec spec, const std::string& name) {
    spec.name = name;
    const auto added = add_study(lab.workspace, spec);
    return added.ok() ? "" : added.error().message;
}

}  // namespace

TEST_CASE("a cell that failed is tried again by the program that works on the study", "[study]") {
    const TinyLaboratory lab;
    bool asked = false;
    StudyHooks hooks;
    hooks.on_status = [&](const StudyStatus& status) {
        if (status.cells[0].state != "failed" || std::exchange(asked, true)) return;
        mend(lab);
        REQUIRE(retry_cell(lab.workspace, "one-cell", status.cells[0].id).ok());
    };
    const StudyStatus status = run_whole(lab, short_and_long(lab), {}, hooks);
    CHECK(asked);
    CHECK(status.count("finished") == 2);
}

TEST_CASE("a cell that cannot be written fails alone; only a full disk stops a study", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = one_cell(lab);
    spec.seeds = {1, 2};
    const RunInfo run = train(lab.recipe(), lab.workspace).value();
    std::filesystem::remove_all(run.folder / "evaluations");
    write_file(run.folder / "evaluations", "A file where the folder should be.");
    const StudyStatus status = run_whole(lab, spec);
    CHECK(status.cells[0].run == run.id);
    CHECK(status.cells[0].state == "failed");
    CHECK_THAT(status.cells[0].message, Catch::Contains("evaluations"));
    CHECK(status.cells[1].state == "finished");
}

TEST_CASE("writes that fail for want of space are counted, others are not", "[study][storage]") {
    const TinyLaboratory lab;
    const auto before = full_disk_failures();
    CHECK_THROWS_AS(fail_writing(lab.folder / "file", EACCES), Failure);
    CHECK(full_disk_failures() == before);
    for (const int error : {ENOSPC, EDQUOT, EFBIG}) CHECK_THROWS_AS(fail_writing(lab.folder / "file", error), Failure);
    CHECK(full_disk_failures() == before + 3);
}

TEST_CASE("a full disk stops the study at its cell, which goes on by itself", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = one_cell(lab);
    spec.seeds = {1, 2};
    const std::string id = add_study(lab.workspace, spec).value();
    StudyHooks hooks;
    hooks.training.on_start = [&](const RunInfo&) { fail_writing(lab.folder / "file", ENOSPC); };
    const auto stopped = run_study(lab.workspace, id, {}, hooks);
    REQUIRE_FALSE(stopped.ok());
    CHECK(stopped.error().kind == ErrorKind::io);
    CHECK_THAT(stopped.error().message, Catch::StartsWith("The study stopped at ALiBi, L = 32, corpus, seed 1: Disk full"));
    CHECK(study_status(lab.workspace, id).value().count("failed") == 0);
    CHECK(run_study(lab.workspace, id).value().count("finished") == 2);
}

TEST_CASE("a study is not written over by one of another name, nor while a program works on it", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = one_cell(lab);
    REQUIRE(refusal_of(lab, spec, "Study 1").empty());
    CHECK_THAT(refusal_of(lab, spec, "Study-1"), Catch::Contains("\"Study 1\"") && Catch::Contains("\"Study-1\"") && Catch::Contains("studies/study-1"));
    const std::string before = read_file(lab.workspace / "studies" / "study-1" / "study.json");
    CHECK(before.find("\"Study 1\"") != std::string::npos);
    {
        const auto held = StudyFolder(lab.workspace, "study-1").lock();
        CHECK(refusal_of(lab, spec, "Study 1").empty());  // the same as it is
        spec.seeds = {3};
        CHECK_THAT(refusal_of(lab, spec, "Study 1"), Catch::Contains("works on the study study-1 already"));
        CHECK(read_file(lab.workspace / "studies" / "study-1" / "study.json") == before);
    }
    CHECK(refusal_of(lab, spec, "Study 1").empty());
    CHECK(study_status(lab.workspace, "study-1").value().cells.at(0).seed == 3);
}

TEST_CASE("a study whose files are damaged is a corrupt file with advice", "[study]") {
    const TinyLaboratory lab;
    const std::string id = add_study(lab.workspace, one_cell(lab)).value();
    const auto folder = lab.workspace / "studies" / id;
    std::filesystem::create_directories(folder / "state.json");
    CHECK(study_status(lab.workspace, id).error().kind == ErrorKind::corrupt_file);
    CHECK_THAT(study_status(lab.workspace, id).error().message, Catch::Contains("delete it"));
    std::filesystem::remove(folder / "state.json");
    for (const std::string& text : {std::string("{"), std::string(100'000, '['), std::string("{\"name\": {}}")}) {
        write_file(folder / "study.json", text);
        const auto status = study_status(lab.workspace, id);
        REQUIRE_FALSE(status.ok());
        CHECK(status.error().kind == ErrorKind::corrupt_file);
        CHECK_THAT(status.error().message, Catch::Contains("study add FILE"));
    }
}
