/// Curves, tables and reports of studies on the fake laboratory.
#include "tests/ui/studies_support.h"
#include "ui/pages/studies_results.h"
#include "ui/pages/studies_table.h"
#include "ui/plot/curve_plot.h"
#include "ui/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTableView>
#include <QTextBrowser>

#include <mutex>

using namespace lw;
using namespace lw::ui;
using lw::test::eventually;
using lw::test::SessionFixture;
using lw::test::ShownStudies;
using lw::test::tiny;

namespace {

/// Two schemes on a task at two lengths, without curves.
StudyReport accuracies() {
    StudyTable table;
    table.title = "task:parity";
    table.measure = "accuracy";
    table.lengths = {40, 80};
    for (const char* title : {"NoPE", "RoPE"}) {
        StudyRow row{title, {}, {}, false};
        for (const std::int64_t length : table.lengths) row.values.push_back(StudyValue{.length = length, .value = 0.9, .low = 0.8, .high = 1, .seeds = 3});
        table.rows.push_back(row);
    }
    StudyReport report;
    report.name = "Tasks";
    report.tables.push_back(table);
    return report;
}

}  // namespace

TEST_CASE("a scheme's curve has the colour of its runs, and the others those that are free", "[ui][studies]") {
    StudyReport report = accuracies();
    StudyTable& table = report.tables.front();
    table.rows[1].runs = {"absent", "demo:rope-l128-s1"};
    for (const StudyRow& row : table.rows) {
        CurveLine line;
        line.title = row.title;
        line.length = {40};
        line.value = line.low = line.high = {0.9};
        line.tokens = {100};
        table.curves.lines.push_back(line);
    }
    const CurveContent content = studyCurves(table, report, {{"demo:rope-l128-s1", 5}});
    REQUIRE(content.series.size() == 2);
    CHECK(content.series[1].style == 5);
    CHECK(content.series[0].style == theme::runStyle(0));
    const CurveContent taken = studyCurves(table, report, {{"demo:rope-l128-s1", theme::runStyle(0)}});
    CHECK(taken.series[0].style == theme::runStyle(1));
}

TEST_CASE("a study that runs finishes its cells and fills curves, table and report", "[ui][studies]") {
    ShownStudies shown(ComputeThread::Mode::thread);
    shown.add(tiny());
    shown.find<QPushButton>("runStudy")->click();
    REQUIRE(eventually([&] { return shown.page->loaded() != nullptr && shown.status().count("finished") == 2 && !shown.status().running; }));
    CHECK(shown.model()->look(shown.model()->index(0, 0)).text == QStringLiteral("26.6"));
    shown.page->setView(StudiesPage::kCurves);
    const auto* plot = shown.find<CurvePlot>("studyPlot");
    REQUIRE(eventually([&] { return plot->content().series.size() == 2; }));
    CHECK(plot->content().trainLength == 128);
    CHECK(shown.page->canExport());
    shown.page->setView(StudiesPage::kTable);
    const auto* table = shown.find<QTableView>("studyTable")->model();
    REQUIRE(table->rowCount() == 2);
    CHECK(table->index(0, 1).data().toString().startsWith(QStringLiteral("26.6")));
    shown.page->setView(StudiesPage::kReport);
    CHECK(shown.find<QTextBrowser>("studyText")->toPlainText().contains(QStringLiteral("ALiBi is lower than RoPE")));
    CHECK(shown.find<QTextBrowser>("studyText")->toPlainText().contains(QStringLiteral("Fewer than five seeds")));
    REQUIRE(eventually([&] { return shown.session->runs().size() == demo_runs().size() + 2; }));
}

TEST_CASE("the best of a length is bold and filled, what is not significantly worse is marked, the rest is neither", "[ui][studies]") {
    ShownStudies shown;
    shown.add(tiny({1, 2, 3}));
    shown.page->toggle();
    REQUIRE(eventually([&] { return shown.page->loaded() != nullptr && shown.status().count("finished") == 6; }));
    shown.page->setView(StudiesPage::kTable);
    const auto* table = shown.find<QTableView>("studyTable")->model();
    REQUIRE(eventually([&] { return table->rowCount() == 2; }));
    CHECK(table->index(0, 1).data(Qt::FontRole).value<QFont>().bold());
    CHECK_FALSE(table->index(1, 1).data(Qt::FontRole).value<QFont>().bold());
    CHECK(table->index(1, 1).data().toString().endsWith(QLatin1Char('~')));
    CHECK_FALSE(table->index(1, 3).data().toString().endsWith(QLatin1Char('~')));
    const auto& series = shown.find<CurvePlot>("studyPlot")->content().series;
    REQUIRE(series.size() == 2);
    CHECK(series[0].filled == std::vector<char>{1, 1, 1});
    CHECK(series[1].filled == std::vector<char>{1, 0, 0});
}

TEST_CASE("a report that was stopped is made at the next look", "[ui][studies]") {
    ShownStudies shown;
    shown.add(tiny());
    fake::state().fail_report = {ErrorKind::cancelled, "Cancelled."};
    shown.page->setView(StudiesPage::kReport);
    const auto made = shown.calls("study report");
    REQUIRE(eventually([&] { return shown.session->compute().idle(); }));
    fake::state().fail_report = {ErrorKind::internal, ""};
    shown.page->setVisible(false);
    shown.page->setVisible(true);
    CHECK(shown.calls("study report") == made + 1);
    shown.page->setVisible(false);
    shown.page->setVisible(true);
    CHECK(shown.calls("study report") == made + 1);
}

TEST_CASE("a report is made anew when the study changes, and one that fails is not asked for again and again", "[ui][studies]") {
    ShownStudies shown;
    shown.add(tiny());
    fake::state().fail_report = {ErrorKind::corrupt_file, "The evaluation of RoPE cannot be read."};
    shown.page->setView(StudiesPage::kReport);
    const auto look = [&] {
        shown.page->setVisible(false);
        shown.page->setVisible(true);
    };
    const auto made = shown.calls("study report");
    CHECK(made == 1);
    look();
    CHECK(shown.calls("study report") == made);
    {
        const std::lock_guard lock(fake::state().mutex);
        fake::state().studies.at("tiny").cells[0].state = "running";
    }
    look();
    CHECK(shown.calls("study report") == made + 1);
    {
        const std::lock_guard lock(fake::state().mutex);
        fake::state().studies.at("tiny").notes = {"One seed only."};
    }
    look();
    CHECK(shown.calls("study report") == made + 2);
}

TEST_CASE("a table without curves is shown in their place, and accuracies stand on an axis from 0 to 1", "[ui][studies]") {
    const SessionFixture f;
    StudyResults results(f.session.get());
    const auto* stack = results.findChild<QStackedWidget*>();
    const auto* table = results.findChild<QTableView*>(QStringLiteral("studyTable"));
    StudyReport report = accuracies();
    results.setReport(report);
    results.setView(StudyResults::kCurves);
    CHECK(stack->currentWidget()->isAncestorOf(table));
    CHECK_FALSE(results.hasFigure());
    results.copy();
    CHECK(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("csv")));
    auto& lines = report.tables[0].curves.lines;
    lines.resize(2);
    for (CurveLine& line : lines) line.length = {40, 80}, line.value = {0.9, 0.5};
    lines[0].title = "NoPE";
    lines[1].title = lines[1].band = "chance";
    results.setReport(report);
    const auto* plot = results.findChild<CurvePlot*>(QStringLiteral("studyPlot"));
    CHECK(stack->currentWidget()->isAncestorOf(plot));
    CHECK(results.hasFigure());
    CHECK_FALSE(plot->logY());
    REQUIRE(plot->content().yRange.has_value());
    CHECK(*plot->content().yRange == std::pair<double, double>(0, 1));
}

TEST_CASE("marks are explained by the test of their own table, and nothing is claimed where none was made", "[ui][studies]") {
    StudyReport report = accuracies();
    report.test = "paired t test, seed by seed";
    report.level = 0.99;
    StudyTable& table = report.tables[0];
    table.test = "Welch's t test with Holm's correction";
    CHECK(tableMarks(table, report).contains(QStringLiteral("(Welch's t test with Holm's correction; p ≥ 0.01 ")));
    CHECK_FALSE(tableMarks(table, report).contains(QStringLiteral("paired")));
    table.test.clear();
    CHECK(tableMarks(table, report) == QStringLiteral("Nothing was tested, so that nothing is marked."));
    table.rows.resize(1);
    CHECK(tableMarks(table, report).isEmpty());
}

TEST_CASE("hollow markers claim nothing at a length where nothing was tested", "[ui][studies]") {
    StudyReport report = accuracies();
    StudyTable& table = report.tables[0];
    CHECK(markerNote(table).isEmpty());
    table.rows[0].values[0]->best = true;
    CHECK(markerNote(table).contains(QStringLiteral("Where none is filled nothing was tested.")));
    table.rows[0].values[1]->best = true;
    CHECK(markerNote(table).contains(QStringLiteral("Hollow: significantly worse.")));
    CHECK_FALSE(markerNote(table).contains(QStringLiteral("nothing was tested")));
}

TEST_CASE("a look at a study that is as it was leaves the report as it is, and only what is seen is copied", "[ui][studies]") {
    ShownStudies shown;
    shown.add(tiny());
    shown.page->toggle();
    shown.page->setView(StudiesPage::kReport);
    REQUIRE(eventually([&] { return shown.page->canExport(); }));
    const QSignalSpy drawn(shown.find<QTextBrowser>("studyText"), &QTextBrowser::textChanged);
    shown.page->setVisible(false);
    shown.page->setVisible(true);
    CHECK(drawn.isEmpty());
    shown.page->setView(StudiesPage::kMatrix);
    shown.page->copyFigure();
    CHECK(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("text Tiny")));
}

TEST_CASE("another study that is being read shows nothing of the one before", "[ui][studies]") {
    ShownStudies shown(ComputeThread::Mode::thread);
    shown.add(tiny());
    const auto* summary = shown.find<QLabel>("studySummary");
    CHECK(summary->text().startsWith(QStringLiteral("0 of 2")));
    shown.page->choose(QStringLiteral("nothing"));
    CHECK(summary->text() == QStringLiteral("Reading…"));
    CHECK(shown.page->loaded() == nullptr);
}

TEST_CASE("a report is copied in every format", "[ui][studies]") {
    ShownStudies shown;
    shown.add(tiny());
    shown.page->toggle();
    shown.page->setView(StudiesPage::kReport);
    auto* results = shown.page->findChild<StudyResults*>();
    REQUIRE(eventually([&] { return results->hasReport(); }));
    for (const ReportFormat& format : report_formats()) {
        results->copyReport(format.id);
        CHECK(QGuiApplication::clipboard()->text().toStdString() == report_text(results->report(), format.id).value());
    }
}
