/// What a report says: means, marks, differences with their tests, and what to be careful about.
#include "tests/core/evaluation/golden.h"
#include "tests/core/evaluation/mock_scorer.h"

#include "core/api/published.h"
#include "core/study/report_rows.h"
#include "core/storage/run_folder.h"
#include "tests/core/study/small_study.h"

using namespace lw;
using namespace lw::test;

namespace {

/// A run whose loss is that of the mock plus `shift`.
EvaluatedRun run_with(const std::string& title, std::uint64_t seed, double shift, double wobble = 0, std::size_t documents = 12) {
    std::vector<std::int64_t> lengths;
    for (std::size_t n = 0; n < documents; ++n) lengths.push_back(900 + 40 * static_cast<std::int64_t>(n));
    const NumberedDocuments text(lengths);
    EvaluationJob job = job_for(text, "last-k", {64, 256});
    job.head.run = title + std::to_string(seed);
    job.head.protocol.bootstrap = 400;
    job.head.protocol.documents = 48;
    MockScorer scorer([=](std::int64_t token, std::int64_t context) { return MockLoss{}(token, context) + shift + wobble * std::sin(static_cast<double>(token)); });
    return {title, "group of " + title, "byte", 64, run_evaluation(job, scorer), seed};
}

ReportRow row_with(const std::string& title, const std::vector<double>& shifts, double wobble = 0, std::size_t documents = 12) {
    ReportRow row{title, {}};
    for (std::size_t n = 0; n < shifts.size(); ++n) row.runs.push_back(run_with(title, n + 1, shifts[n], wobble, documents));
    return row;
}

ReportGroup group_of(std::vector<ReportRow> rows) { return {"L = 64", {}, std::move(rows), {64, 256}, {}}; }

std::vector<Comparison> compared(const ReportGroup& group, const std::string& reference = "", const std::string& test = "welch") {
    StudySpec spec;
    spec.reference = reference;
    spec.test = test;
    std::vector<std::string> cautions;
    auto comparisons = compare_rows(group, spec, cautions);
    CHECK(cautions.empty());
    return comparisons;
}

bool said(const std::vector<std::string>& sentences, const std::string& part) {
    return std::any_of(sentences.begin(), sentences.end(), [&](const std::string& sentence) { return sentence.find(part) != std::string::npos; });
}

/// A run's losses as if they had been measured otherwise.
void change_evaluation(const StudyCell& cell, const std::function<void(Evaluation&)>& change) {
    Evaluation evaluation = read_evaluations(cell.folder).value().at(0);
    change(evaluation);
    const auto file = RunFolder(cell.folder).evaluation_folder() / "last-k.json";
    nlohmann::json root = nlohmann::json::parse(read_file(file));
    for (std::size_t n = 0; n < evaluation.points.size(); ++n) {
        root["points"][n]["loss"] = evaluation.points[n].loss;
        root["points"][n]["perplexity"] = evaluation.points[n].perplexity;
    }
    write_file(file, root.dump());
}

}  // namespace

TEST_CASE("a difference is said in a plain sentence with per cent, interval, p, seeds and documents", "[study][report]") {
    const auto comparisons = compared(group_of({row_with("Kerple", {0.00, 0.01, 0.02}, 0.05), row_with("DAPE-Kerple", {-0.05, -0.04, -0.035})}));
    REQUIRE(comparisons.size() == 2);
    const std::string& sentence = comparisons[0].sentence;
    CHECK_THAT(sentence, Catch::StartsWith("DAPE-Kerple is lower than Kerple at 64 by "));
    CHECK_THAT(sentence, Catch::Matches(".* by [0-9.]+ % \\[[0-9.]+, [0-9.]+\\], p = 0\\.[0-9]{3}, 3 seeds, 12 documents, Hedges' g = -[0-9.]+\\."));
}

TEST_CASE("p values are Welch's with Holm's correction over all pairs and lengths", "[study][report]") {
    const auto comparisons = compared(group_of({row_with("A", {0.00, 0.02, 0.01}), row_with("B", {0.10, 0.11, 0.13}), row_with("C", {0.02, 0.03, 0.01})}));
    REQUIRE(comparisons.size() == 6);
    std::vector<double> plain, corrected;
    for (const Comparison& c : comparisons) {
        plain.push_back(c.welch_p);
        corrected.push_back(c.corrected_p);
    }
    CHECK(corrected == holm_correction(plain));
    const auto welch = welch_test(std::vector<double>{0.00, 0.02, 0.01}, std::vector<double>{0.10, 0.11, 0.13});
    CHECK(comparisons[0].welch_p == Approx(welch->p).epsilon(1e-6));
    const auto paired = compared(group_of({row_with("A", {0.00, 0.02, 0.01}), row_with("B", {0.10, 0.11, 0.13})}), "", "paired");
    CHECK(paired[0].corrected_p == Approx(std::min(1.0, 2 * paired[0].paired_p)));
}

TEST_CASE("a reference is what every other row is compared with", "[study][report]") {
    const auto comparisons = compared(group_of({row_with("A", {0.00, 0.02}), row_with("B", {0.10, 0.11}), row_with("C", {-0.2, -0.3})}), "B");
    REQUIRE(comparisons.size() == 6);
    for (std::size_t n = 0; n < 4; ++n) CHECK(comparisons[n].b == "B");
    for (std::size_t n = 4; n < 6; ++n) CHECK(comparisons[n].a + comparisons[n].b == "CA");  // the best, for the marks
    std::vector<double> plain, corrected;
    for (const Comparison& c : comparisons) {
        plain.push_back(c.welch_p);
        corrected.push_back(c.corrected_p);
    }
    CHECK(corrected == holm_correction(plain));
}

TEST_CASE("seeds that cannot be paired have Welch's test, corrected like the others, and the sentence says so", "[study][report]") {
    const auto comparisons = compared(group_of({row_with("A", {0.00, 0.02, 0.01}), row_with("B", {0.10, 0.11})}), "", "paired");
    REQUIRE(comparisons.size() == 2);
    CHECK(comparisons[0].paired_p == -1);
    CHECK(comparisons[0].corrected_p == Approx(std::min(1.0, 2 * comparisons[0].welch_p)));
    CHECK_THAT(comparisons[0].sentence, Catch::Contains("3 against 2 seeds that cannot be paired, so by Welch's test"));
    StudySpec spec;
    spec.test = "paired";
    CHECK_THAT(test_words(comparisons, spec, false), Catch::StartsWith("paired t test, seed by seed, Welch's where seeds cannot be paired, with Holm's correction over all pairs"));
}

TEST_CASE("with one seed there is no test over seeds and the sentence says so", "[study][report]") {
    const auto comparisons = compared(group_of({row_with("A", {0.0}, 0.02), row_with("B", {0.2})}));
    CHECK(comparisons[0].corrected_p == -1);
    CHECK_THAT(comparisons[0].sentence, Catch::Contains("A is lower than B at 64") && Catch::Contains("1 seed (no test over seeds), 12 documents"));
    CHECK(is_significant(comparisons[0], 0.95));
}

TEST_CASE("seeds that scatter more than schemes differ are not called different", "[study][report]") {
    const auto comparisons = compared(group_of({row_with("A", {0.0, 0.2, -0.2}, 0.01), row_with("B", {0.05, -0.15, 0.25})}));
    CHECK_FALSE(is_significant(comparisons[0], 0.95));
    CHECK_THAT(comparisons[0].sentence, Catch::Contains("do not differ significantly at 64"));
}

TEST_CASE("few seeds, few tokens, few documents and other places are said aloud", "[study][report]") {
    CHECK(said(cautions_of(group_of({row_with("A", {0.0}), row_with("B", {0.1})})), "One seed: there is no test over seeds"));
    CHECK(said(cautions_of(group_of({row_with("A", {0.0, 0.1, 0.2})})), "3 seeds: a test over seeds is weak"));
    CHECK(said(cautions_of(group_of({row_with("A", {0.0, 0.1}), row_with("B", {0.0})})), "different numbers of seeds (1 to 2)"));
    CHECK(said(cautions_of(group_of({row_with("A", {0.0})})), "Few tokens: only"));
    CHECK(said(cautions_of(group_of({row_with("A", {0.0}, 0, 3)})), "Fewer than 8 documents"));
    CHECK(said(cautions_of(group_of({row_with("A", {0.0}), row_with("B", {0.0}, 0, 3)})), "Not all runs scored the same documents"));
}

TEST_CASE("rows that scored other places are not compared, which is said once", "[study][report]") {
    std::vector<std::string> cautions;
    CHECK(compare_rows(group_of({row_with("A", {0.0}), row_with("B", {0.0}, 0, 3)}), {}, cautions).empty());
    REQUIRE(cautions.size() == 1);
    CHECK_THAT(cautions[0], Catch::Contains("cannot be compared"));
}

TEST_CASE("a report has a table for each length, with the best marked", "[study][report]") {
    const TinyLaboratory lab;
    const StudyReport report = study_report(run_whole(lab, small_study(lab))).value();
    CHECK(report.cells == 8);
    CHECK(report.finished == 8);
    REQUIRE(report.tables.size() == 2);
    const StudyTable& table = report.tables[0];
    CHECK(table.title == "L = 16, corpus");
    CHECK(table.lengths == std::vector<std::int64_t>{32, 64});
    REQUIRE(table.rows.size() == 2);
    CHECK(table.comparisons.size() == 2);
    CHECK(table.findings.size() == 2);
    CHECK(table.curves.lines.size() == 2);
    for (std::size_t column = 0; column < 2; ++column) {
        const StudyValue &a = *table.rows[0].values[column], &b = *table.rows[1].values[column];
        CHECK(a.best == (a.value < b.value));
        CHECK(a.best != b.best);
        CHECK(a.seeds == 2);
        CHECK(a.low < a.value);
        CHECK(a.value < a.high);
        CHECK(a.tokens > 0);
    }
}

TEST_CASE("a report of unfinished and diverged cells says what is left out", "[study][report]") {
    const TinyLaboratory lab;
    StudySpec spec = small_study(lab);
    spec.lengths = {32};
    StudyStatus status = run_whole(lab, spec);
    status.cells[1].state = "diverged";
    status.cells[1].message = "The loss is no finite number.";
    status.cells[2].state = "waiting";
    const StudyTable table = study_report(status).value().tables.at(0);
    CHECK(said(table.cautions, "ALiBi, L = 32, corpus, seed 2 diverged and is left out: The loss is no finite number."));
    CHECK(said(table.cautions, "1 of 4 cells not in the table yet: waiting."));
    CHECK(table.rows[0].values[0]->seeds == 1);
}

TEST_CASE("a length at which the loss is no number is left out for that run alone", "[study][report]") {
    const TinyLaboratory lab;
    StudySpec spec = small_study(lab);
    spec.lengths = {32};
    const StudyStatus status = run_whole(lab, spec);
    change_evaluation(status.cells[0], [](Evaluation& evaluation) { evaluation.points[1].loss = evaluation.points[1].perplexity = NAN; });
    const StudyTable table = study_report(status).value().tables.at(0);
    CHECK(said(table.cautions, "ALiBi, L = 32, corpus, seed 1: the loss is not a finite number at 64"));
    CHECK(table.rows[0].values[0]->seeds == 2);
    CHECK(table.rows[0].values[1]->seeds == 1);
    const CurveLine& line = table.curves.lines.at(0);
    CHECK(line.length == std::vector<double>{32, 64});  // the other seed's value stays, as in the table
    CHECK(line.value[1] == table.rows[0].values[1]->value);
    CHECK(line.low[0] == table.rows[0].values[0]->low);
}

TEST_CASE("published values stand below, marked, for the table's schemes and lengths only", "[study][report]") {
    for (const PublishedSet& set : published_sets()) {
        INFO(set.id);
        CHECK_FALSE(set.source.empty());
        CHECK_FALSE(set.protocol.empty());
        CHECK(set.id.ends_with("-l" + std::to_string(set.length)));
        CHECK((set.certainty == "stated" || set.certainty == "second-hand"));
        for (const PublishedSeries& series : set.series) {
            CHECK_FALSE(series.points.empty());
            CHECK(find_scheme(series.title).ok());
        }
    }
    CHECK_THAT(published_set("dape-arxiv").error().message, Catch::Contains("dape-arxiv-125m-l1"));
    const TinyLaboratory lab;
    StudySpec spec = one_cell(lab);
    spec.lengths = {64, 128};
    spec.evaluation.lengths = {32, 128};
    spec.published = "dape-arxiv-125m-l128";
    const StudyStatus status = run_whole(lab, spec);
    const StudyReport report = study_report(status).value();
    CHECK(report.tables.at(0).rows.size() == 1);  // trained at 64: another table than the paper's
    CHECK(report.tables.at(0).published_source.empty());
    const StudyTable& table = report.tables.at(1);
    REQUIRE(table.rows.size() == 2);
    CHECK(table.rows[1].title == "ALiBi, published");
    CHECK(table.rows[1].published);
    CHECK_FALSE(table.rows[1].values[0]);
    CHECK(table.rows[1].values[1]->value == 8.31);
    CHECK_THAT(table.published_source, Catch::Contains("stated"));
    CHECK(table.comparisons.empty());
    CHECK_FALSE(said(report.cautions, "No published value"));
    StudyStatus other = status;
    other.spec.published = "dape-arxiv-125m-l512";
    CHECK(said(study_report(other).value().cautions, "No published value of dape-arxiv-125m-l512 is shown: it is of models trained at L = 512"));
}

TEST_CASE("accuracies on a task are tables of their own", "[study][report]") {
    const TinyLaboratory lab;
    StudySpec spec = small_study(lab);
    spec.lengths = {8};
    spec.corpora[0].source = "task:copy";
    spec.evaluation.lengths = {8, 16};
    const StudyStatus status = run_whole(lab, spec);
    INFO(status.cells[0].message);
    REQUIRE(status.count("finished") == 4);
    const StudyReport report = study_report(status).value();
    REQUIRE(report.tables.size() == 1);
    CHECK(report.tables[0].measure == "accuracy");
    CHECK(report.tables[0].rows.at(0).values.at(0)->seeds == 2);
    CHECK(report.tables[0].findings.size() == 2);
    CHECK_THAT(report_text(report, "text").value(), Catch::Contains("Accuracy in per cent"));
}
