/// Ways to write a report.
#include "tests/support/catch_torch.h"

#include "core/api/study_report.h"

using namespace lw;

namespace {

StudyValue value(std::int64_t length, double mean, double deviation) {
    StudyValue v{.length = length, .value = mean, .low = mean - 1, .high = mean + 1};
    v.deviation = deviation;
    v.seeds = 3;
    v.tokens = 1000;
    return v;
}

/// Two schemes at two lengths, one cell absent, one row of a paper.
StudyReport made_report() {
    StudyTable table;
    table.title = "L = 128, en_prose";
    table.protocol_line = "last-k";
    table.lengths = {128, 1024};
    table.rows = {{"Kerple", {"k1"}, {value(128, 8.314, 0.01), value(1024, 1234.5, 0.1)}, false},
                  {"A & B | C", {"a1"}, {value(128, 8.2, 0.01), std::nullopt}, false},
                  {"Kerple, published", {}, {StudyValue{.length = 128, .value = 8.3}, std::nullopt}, true}};
    table.rows[1].values[0]->best = true;
    table.rows[0].values[0]->near_best = true;
    Comparison comparison;
    comparison.a = "A & B | C";
    comparison.b = "Kerple";
    comparison.length = 128;
    comparison.ratio = 0.9863;
    comparison.sentence = "A & B | C is lower, \"by\" 1.4 %.";
    table.comparisons = {comparison};
    table.findings = {comparison.sentence};
    table.cautions = {"3 seeds: weak."};
    table.published_source = "A paper.";
    table.test = "Welch's t test with Holm's correction";
    return {"My study", 0.95, "Welch's t test", 6, 5, {table}, {"One note."}};
}

std::string written(const char* format) { return report_text(made_report(), format).value(); }

std::size_t lines_of(const std::string& text) { return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')); }

}  // namespace

TEST_CASE("every format is listed and writes something", "[study][report]") {
    CHECK(report_formats().size() == 5);
    for (const ReportFormat& format : report_formats()) {
        INFO(format.id);
        CHECK_FALSE(report_text(made_report(), format.id).value().empty());
        CHECK(format.extension.starts_with("."));
    }
    CHECK_THAT(report_text(made_report(), "latx").error().message, Catch::Contains("latex"));
    CHECK(report_text(made_report(), "latx").error().kind == ErrorKind::invalid_argument);
}

TEST_CASE("the text for a terminal stands in columns and marks the best", "[study][report]") {
    const std::string text = written("text");
    CHECK_THAT(text, Catch::Contains("8.20 ±0.08*") && Catch::Contains("8.31 ±0.08~") && Catch::Contains("1,235 ±123\n"));
    CHECK_THAT(text, Catch::Contains("Read with care:\n- 3 seeds: weak.") && Catch::Contains("Published: A paper."));
    CHECK_THAT(text, Catch::Contains("5 of 6 cells finished") && Catch::Contains("- One note."));
}

TEST_CASE("the legend says what the marks of its own table rest on", "[study][report]") {
    StudyReport report = made_report();
    CHECK_THAT(report_text(report, "text").value(), Catch::Contains("~: not significantly worse (Welch's t test with Holm's correction; 95 %)."));
    report.tables[0].test.clear();
    CHECK_THAT(report_text(report, "text").value(), Catch::Contains("Nothing was tested, so that nothing is marked.") && !Catch::Contains("not significantly worse"));
}

TEST_CASE("findings stand by pair, after what is to be read with care, and without pairs as they are", "[study][report]") {
    StudyReport report = made_report();
    StudyTable& table = report.tables.front();
    table.findings = {"first", "second", "third"};
    table.pairs = {{"A & B | C and Kerple", {"first and second"}}, {"Kerple and NoPE", {"third"}}};
    const std::string text = report_text(report, "markdown").value();
    CHECK_THAT(text, Catch::Contains("### A & B | C and Kerple\n\n* first and second\n\n### Kerple and NoPE\n\n* third"));
    CHECK(text.find("Read with care") < text.find("### "));
    CHECK_THAT(report_text(report, "text").value(), Catch::Contains("first and second\n\nthird\n"));
    CHECK_THAT(report_text(report, "latex").value(), Catch::Contains("% first and second\n% third\n"));
    table.pairs.clear();
    REQUIRE(findings_by_pair(table).size() == 1);
    CHECK(findings_by_pair(table)[0].findings == table.findings);
    CHECK(findings_by_pair(table)[0].title.empty());
}

TEST_CASE("the CSV of differences has every sentence of accuracies too", "[study][report]") {
    StudyReport report = made_report();
    StudyTable& table = report.tables.front();
    table.measure = "accuracy";
    table.comparisons.clear();
    table.findings = {"A is more accurate than B at 8.", "A and B do not differ at 16."};
    table.pairs = {{"A and B", {"shorter"}}};
    const std::string text = report_text(report, "csv-differences").value();
    CHECK(lines_of(text) == 1 + 2);
    CHECK_THAT(text, Catch::Contains("\"L = 128, en_prose\",,,,,,,,,,,,,,A is more accurate than B at 8.\n"));
    CHECK_THAT(text, !Catch::Contains("shorter"));
}

TEST_CASE("Markdown is a table with the best in bold, and bars in titles do not break it", "[study][report]") {
    const std::string text = written("markdown");
    CHECK_THAT(text, Catch::Contains("| perplexity at | 128 | 1,024 |\n| --- | ---: | ---: |"));
    CHECK_THAT(text, Catch::Contains("| A & B \\| C | **8.20 ± 0.08** | – |"));
    CHECK_THAT(text, Catch::Contains("*8.31 ± 0.08*"));
}

TEST_CASE("LaTeX uses booktabs and escapes what LaTeX would take for commands", "[study][report]") {
    const std::string text = written("latex");
    CHECK_THAT(text, Catch::Contains("\\toprule") && Catch::Contains("\\bottomrule") && Catch::Contains("\\begin{tabular}{lrr}"));
    CHECK_THAT(text, Catch::Contains("A \\& B | C & \\textbf{8.20} {\\scriptsize $\\pm$ 0.08} & -- \\\\"));
    CHECK_THAT(text, Catch::Contains("\\underline{8.31}"));
    CHECK_THAT(text, Catch::Contains("\\caption{L = 128, en\\_prose."));
    CHECK_THAT(text, Catch::Contains("\\midrule\nKerple, published"));
}

TEST_CASE("a line break in a name does not leave a LaTeX comment", "[study][report]") {
    StudyReport report = made_report();
    report.name = "My\nstudy";
    report.tables[0].findings = {"A\nB is lower."};
    const std::string text = report_text(report, "latex").value();
    CHECK_THAT(text, Catch::StartsWith("% My study: 5 of 6 cells finished.") && Catch::Contains("% A B is lower.\n"));
}

TEST_CASE("CSV has one line for each value and for each difference", "[study][report]") {
    CHECK(lines_of(written("csv")) == 1 + 4);
    CHECK_THAT(written("csv"), Catch::Contains("\"L = 128, en_prose\",perplexity,Kerple,0,128,8.314,7.314"));
    CHECK_THAT(written("csv"), Catch::Contains("\"Kerple, published\",1,128,8.3,"));
    // What has no interval has empty cells, not an interval of no width.
    StudyReport single = made_report();
    StudyValue& kerple = *single.tables[0].rows[0].values[0];
    kerple.low = kerple.high = kerple.document_low = kerple.document_high = kerple.value;
    CHECK_THAT(report_text(single, "csv").value(), Catch::Contains(",perplexity,Kerple,0,128,8.314,,,,,"));
    single.tables[0].comparisons[0].low = single.tables[0].comparisons[0].high = single.tables[0].comparisons[0].ratio = 0.5;
    CHECK_THAT(report_text(single, "csv-differences").value(), Catch::Contains(",0.5,,,"));
    CHECK(lines_of(written("csv-differences")) == 1 + 1);
    CHECK_THAT(written("csv-differences"), Catch::Contains("\"A & B | C is lower, \"\"by\"\" 1.4 %.\""));
}
