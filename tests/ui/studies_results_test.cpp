/// Curves, tables and reports of studies on the fake laboratory.
#include "tests/ui/studies_support.h"
#include "ui/pages/studies_results.h"
#include "ui/plot/curve_plot.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QPushButton>
#include <QTableView>
#include <QTextBrowser>

#include <mutex>

using namespace lw;
using namespace lw::ui;
using lw::test::eventually;
using lw::test::ShownStudies;
using lw::test::tiny;

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
