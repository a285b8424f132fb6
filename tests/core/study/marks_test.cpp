/// Which rows of a table are marked, and what the marks and lines rest on. Trained runs with the losses and accuracies that a test needs.
#include "tests/support/catch_torch.h"

#include "core/evaluation/evaluation_json.h"
#include "core/evaluation/task_json.h"
#include "core/storage/run_folder.h"
#include "core/study/report_rows.h"
#include "tests/core/study/small_study.h"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace lw;

namespace {

/// Three schemes, in this order, of some seeds at one training length.
StudySpec three_schemes(const TinyLaboratory& lab, std::vector<std::uint64_t> seeds) {
    StudySpec spec = small_study(lab);
    spec.schemes.push_back(find_scheme("nope").value());
    spec.seeds = std::move(seeds);
    spec.lengths = {32};
    spec.sizes[0].training.steps = 2;
    return spec;
}

/// Every run's loss at every length as that of the first run, plus what its scheme and seed add.
void set_losses(const StudyStatus& status, const std::function<double(const StudyCell&)>& added) {
    const Evaluation first = read_evaluations(status.cells[0].folder).value().at(0);
    for (const StudyCell& cell : status.cells) {
        Evaluation evaluation = read_evaluations(cell.folder).value().at(0);
        evaluation.points = first.points;
        const auto shape = static_cast<double>(cell.scheme.size() + cell.seed);  // of documents: another one for each scheme
        for (LengthPoint& point : evaluation.points) {
            point.loss += added(cell);
            point.perplexity = std::exp(point.loss);
            for (std::size_t n = 0; n < point.document_loss.size(); ++n) point.document_loss[n] += added(cell) + 1e-3 * std::sin(static_cast<double>(n + 1) * shape);
        }
        write_evaluation(RunFolder(cell.folder).evaluation_folder(), evaluation);
    }
}

StudySpec task_study(const TinyLaboratory& lab, std::vector<std::uint64_t> seeds) {
    StudySpec spec = three_schemes(lab, std::move(seeds));
    spec.lengths = {8};
    spec.corpora[0].source = "task:copy";
    spec.evaluation.lengths = {8, 16};
    return spec;
}

void set_accuracies(const StudyStatus& status, const std::function<double(const StudyCell&)>& accuracy) {
    for (const StudyCell& cell : status.cells) {
        TaskEvaluation evaluation = read_task_evaluation(cell.folder).value().value();
        for (TaskPoint& point : evaluation.points) point.token_accuracy = accuracy(cell);
        write_task_evaluation(RunFolder(cell.folder).evaluation_folder(), evaluation);
    }
}

StudyTable only_table(const StudyStatus& status) {
    const StudyReport report = study_report(status).value();
    REQUIRE(report.tables.size() == 1);
    return report.tables[0];
}

/// "*~ ": the marks of a column, a sign for each row.
std::string marks(const StudyTable& table, std::size_t column = 0) {
    std::string signs;
    for (const StudyRow& row : table.rows) signs += row.values[column]->best ? '*' : row.values[column]->near_best ? '~' : ' ';
    return signs;
}

bool said(const std::vector<std::string>& sentences, const std::string& part) {
    return std::any_of(sentences.begin(), sentences.end(), [&](const std::string& sentence) { return sentence.find(part) != std::string::npos; });
}

double by_scheme(const StudyCell& cell, double alibi, double kerple, double nope) { return cell.scheme == "ALiBi" ? alibi : cell.scheme == "Kerple" ? kerple : nope; }

}  // namespace

TEST_CASE("one seed against several is not called different, however sure the documents are", "[study][report]") {
    Comparison c;
    c.ratio = 0.9;
    c.low = 0.88;
    c.high = 0.92;
    c.seeds_a = 1;
    c.seeds_b = 3;
    CHECK_FALSE(was_tested(c));
    CHECK_FALSE(is_significant(c, 0.95));
    c.seeds_b = 1;
    CHECK(was_tested(c));
    CHECK(is_significant(c, 0.95));
}

TEST_CASE("with a reference the marks still rest on comparisons with the best", "[study][report]") {
    const TinyLaboratory lab;
    StudySpec spec = three_schemes(lab, {1, 2, 3});
    spec.reference = "ALiBi";
    const StudyStatus status = run_whole(lab, spec);
    REQUIRE(status.count("finished") == 9);
    // NoPE is as good as Kerple, which is the best by a hair; both are far below the reference.
    set_losses(status, [](const StudyCell& cell) { return by_scheme(cell, 0.5, 0, 0.001) + 0.01 * static_cast<double>(cell.seed); });
    const StudyTable table = only_table(status);
    CHECK(marks(table) == " *~");
    CHECK(table.comparisons.size() == 3 * table.lengths.size());
    CHECK(table.comparisons[0].b == "ALiBi");
    CHECK(table.comparisons.back().a == "Kerple");
    CHECK(table.comparisons.back().b == "NoPE");
    CHECK(table.test == "Welch's t test with Holm's correction over all lengths of the table and the pairs with ALiBi or with the best");
}

TEST_CASE("what was not tested is not marked, and the sentence says so", "[study][report]") {
    const TinyLaboratory lab;
    StudySpec spec = three_schemes(lab, {1});
    spec.evaluation.bootstrap = 0;
    const StudyStatus status = run_whole(lab, spec);
    set_losses(status, [](const StudyCell& cell) { return by_scheme(cell, 0.5, 0, 0.001); });
    const StudyTable table = only_table(status);
    CHECK(marks(table) == "   ");
    CHECK(table.test.empty());
    CHECK(said(table.findings, "Kerple and ALiBi were not tested at 32: Kerple lower by 39."));
    CHECK(said(table.findings, "% (no interval), 1 seed (no test over seeds)"));
    CHECK(table.curves.lines.at(0).band == "no interval");
}

TEST_CASE("one seed has the bootstrap, which is not corrected, and the legend says so", "[study][report]") {
    const TinyLaboratory lab;
    StudyStatus status = run_whole(lab, three_schemes(lab, {1}));
    set_losses(status, [](const StudyCell& cell) { return by_scheme(cell, 0.5, 0, 0.4); });
    const StudyTable table = only_table(status);
    CHECK(marks(table) == " * ");
    CHECK(table.test == "bootstrap over documents, not corrected for the number of comparisons");
    CHECK_THAT(table.curves.lines.at(0).band, Catch::StartsWith("95 % bootstrap over "));
}

TEST_CASE("schemes that are equally accurate are all best, and none looks worse", "[study][report]") {
    const TinyLaboratory lab;
    const StudyStatus status = run_whole(lab, task_study(lab, {1, 2}));
    REQUIRE(status.count("finished") == 6);
    set_accuracies(status, [](const StudyCell& cell) { return by_scheme(cell, 1, 0.2 + 0.01 * static_cast<double>(cell.seed), 1); });
    const StudyTable table = only_table(status);
    CHECK(marks(table) == "* *");
    CHECK(said(table.findings, "ALiBi and NoPE are equally accurate at 8, 2 seeds (no test, as no seed differs from another)."));
    CHECK(said(table.findings, "ALiBi is more accurate than Kerple at 8 by 78.5 points, p"));
    CHECK(said(table.cautions, "2 seeds: a test over seeds is weak"));
    CHECK_THAT(table.test, Catch::StartsWith("Welch's t test with Holm's correction over all pairs"));
}

TEST_CASE("accuracies of one seed are not marked", "[study][report]") {
    const TinyLaboratory lab;
    const StudyStatus status = run_whole(lab, task_study(lab, {1}));
    set_accuracies(status, [](const StudyCell& cell) { return by_scheme(cell, 0.9, 0.2, 0.1); });
    const StudyTable table = only_table(status);
    CHECK(marks(table) == "   ");
    CHECK(table.test.empty());
    CHECK(said(table.findings, "ALiBi and Kerple were not tested at 8: ALiBi higher by 70.0 points, 1 seed (no test over seeds)."));
    CHECK(said(table.cautions, "One seed: there is no test over seeds and no interval."));
    CHECK_THAT(report_text(study_report(status).value(), "text").value(), Catch::Contains("Nothing was tested, so that nothing is marked."));
}

TEST_CASE("accuracies have lines, and a reference that they are compared with", "[study][report]") {
    const TinyLaboratory lab;
    StudySpec spec = task_study(lab, {1, 2});
    spec.reference = "NoPE";
    spec.test = "paired";
    const StudyStatus status = run_whole(lab, spec);
    set_accuracies(status, [](const StudyCell& cell) { return by_scheme(cell, 0.3, 0.5, 0.1) + 0.001 * static_cast<double>(cell.seed); });
    const StudyTable table = only_table(status);
    CHECK(table.findings.size() == 3 * table.lengths.size());  // two with the reference, one of the best with the other
    CHECK_THAT(table.test, Catch::StartsWith("Welch's t test") && Catch::Contains("the pairs with NoPE or with the best"));
    REQUIRE(table.curves.lines.size() == 3);
    const CurveLine& line = table.curves.lines[1];
    CHECK(table.curves.protocol == "task");
    CHECK(line.title == "Kerple");
    CHECK(line.length == std::vector<double>{8, 16});
    CHECK(line.value[0] == Approx(0.5015));
    CHECK(line.low[0] == table.rows[1].values[0]->low);
    CHECK(line.band == "95 % t interval over 2 seeds");
    CHECK(line.train_length == 8);
}

TEST_CASE("continuations of the same seeds are said to be pairs where another test is asked for", "[study][report]") {
    ReportGroup group;
    StudyCell cell;
    cell.base = "a run";
    group.cells = {&cell, &cell};
    const auto row = [](const char* title, std::vector<std::uint64_t> seeds) {
        ReportRow made;
        made.title = title;
        for (const std::uint64_t seed : seeds) made.runs.push_back({title, title, "byte", 32, {}, seed, false});
        return made;
    };
    StudySpec spec;
    const auto cautions = [&] {
        std::vector<std::string> said;
        note_pairing(group, spec, said);
        return said.size();
    };
    group.rows = {row("RoPE", {1, 2, 3}), row("YaRN", {1, 2, 3})};
    CHECK(cautions() == 1);
    spec.test = "paired";
    CHECK(cautions() == 0);
    spec.test = "welch";
    group.rows[1] = row("YaRN", {1, 2});
    CHECK(cautions() == 0);
    group.rows = {row("RoPE", {1}), row("YaRN", {1})};
    CHECK(cautions() == 0);
    group.rows = {row("RoPE", {1, 2}), row("YaRN", {1, 2})};
    cell.base.clear();  // trained from the beginning: seeds are another matter
    CHECK(cautions() == 0);
}
