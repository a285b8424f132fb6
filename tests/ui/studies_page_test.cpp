/// The Studies page on the fake laboratory.
#include "tests/ui/ui_support.h"
#include "ui/forms/number_list.h"
#include "ui/forms/study_form.h"
#include "ui/jobs/study_job.h"
#include "ui/pages/studies_matrix.h"
#include "ui/pages/studies_page.h"
#include "ui/pages/studies_results.h"
#include "ui/plot/curve_plot.h"
#include "ui/plot/segmented.h"

#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTextBrowser>

#include <algorithm>

using namespace lw;
using namespace lw::ui;
using lw::test::eventually;
using lw::test::SessionFixture;

namespace {

StudySpec tiny(std::vector<std::uint64_t> seeds = {1}) {
    StudySpec spec;
    spec.name = "Tiny";
    spec.schemes = {find_scheme("alibi").value(), find_scheme("rope").value()};
    spec.seeds = std::move(seeds);
    spec.lengths = {128};
    spec.sizes.emplace_back();
    spec.sizes.front().training.steps = 20;
    spec.corpora.emplace_back();
    spec.corpora.front().tokenizer = "byte";
    spec.evaluation.lengths = {128, 256, 512};
    return spec;
}

struct ShownStudies : SessionFixture {
    explicit ShownStudies(ComputeThread::Mode mode = ComputeThread::Mode::immediate) : SessionFixture(mode), page(std::make_unique<StudiesPage>(session.get())) {
        page->resize(1000, 640);
        page->setVisible(true);
    }
    void add(const StudySpec& spec) {
        page->addSpec(spec, false);
        REQUIRE(eventually([&] { return page->loaded() != nullptr && page->loaded()->status.cells.size() == spec.schemes.size() * spec.seeds.size() * spec.lengths.size(); }));
    }
    template <class T>
    T* find(const char* name) const {
        T* found = page->findChild<T*>(QString::fromLatin1(name));
        REQUIRE(found);
        return found;
    }
    [[nodiscard]] const StudyStatus& status() const { return page->loaded()->status; }
    [[nodiscard]] StudyModel* model() const { return find<StudyMatrix>("studyMatrix")->studyModel(); }
    [[nodiscard]] std::int64_t calls(const std::string& name) const {
        const std::lock_guard lock(fake::state().mutex);
        return std::count(fake::state().calls.begin(), fake::state().calls.end(), name);
    }
    std::unique_ptr<StudiesPage> page;
};

}  // namespace

TEST_CASE("without a study the page says what one is", "[ui][studies]") {
    const ShownStudies shown;
    // The results have an empty state of their own, which is hidden.
    const auto shows_button = [&] {
        const auto buttons = shown.page->findChildren<QPushButton*>(QStringLiteral("emptyStateButton"));
        return std::count_if(buttons.begin(), buttons.end(), [](const QPushButton* button) { return button->isVisible() && button->text() == QStringLiteral("New study…"); }) == 1;
    };
    REQUIRE(eventually(shows_button));
    CHECK_FALSE(shown.page->canExport());
    CHECK_FALSE(shown.find<QPushButton>("runStudy")->isEnabled());
}

TEST_CASE("a study that was added shows a tile for each scheme and seed", "[ui][studies]") {
    ShownStudies shown;
    shown.add(tiny({1, 2}));
    REQUIRE(shown.model()->rowCount() == 2);
    REQUIRE(shown.model()->columnCount() == 2);
    CHECK(shown.model()->headerData(1, Qt::Horizontal).toString().contains(QStringLiteral("seed 2")));
    CHECK(shown.model()->headerData(1, Qt::Vertical).toString() == QStringLiteral("RoPE"));
    CHECK(shown.model()->look(shown.model()->index(0, 0)).text == QStringLiteral("waiting"));
    CHECK(shown.find<QLabel>("studySummary")->text() == QStringLiteral("0 of 4 finished, about 4 min left, needs 310 MB of 18 GB"));
    CHECK(shown.find<QPushButton>("runStudy")->text() == QStringLiteral("Run"));
}

TEST_CASE("a file becomes a study and one that is none leaves a sentence", "[ui][studies]") {
    ShownStudies shown;
    QFile file(shown.folder.filePath(QStringLiteral("study.json")));
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write("{\"name\": \"From a file\"}");
    file.close();
    shown.page->addFile(file.fileName());
    REQUIRE(eventually([&] { return shown.page->loaded() != nullptr; }));
    CHECK(shown.page->chosen() == QStringLiteral("from-a-file"));
    const QSignalSpy errors(shown.session.get(), &Session::errorReported);
    shown.page->addFile(shown.folder.filePath(QStringLiteral("nothing.json")));
    CHECK(errors.size() == 1);
    CHECK(shown.page->chosen() == QStringLiteral("from-a-file"));
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

TEST_CASE("a failed cell shows its sentence and Try again makes it wait", "[ui][studies]") {
    ShownStudies shown;
    fake::state().failing = {"RoPE"};
    shown.add(tiny());
    shown.page->toggle();
    REQUIRE(eventually([&] { return shown.page->loaded() != nullptr && shown.status().count("failed") == 1; }));
    const QModelIndex rope = shown.model()->index(1, 0);
    CHECK(shown.model()->look(rope).tone == CellLook::Tone::bad);
    CHECK(rope.data(Qt::ToolTipRole).toString().contains(QStringLiteral("The corpus could not be read.")));
    shown.find<StudyMatrix>("studyMatrix")->setCurrentIndex(rope);
    CHECK(shown.find<QLabel>("studyCell")->text().contains(QStringLiteral("The corpus could not be read.")));
    CHECK(shown.find<QLabel>("studySummary")->text().startsWith(QStringLiteral("1 of 2 finished, 1 failed")));
    CHECK_FALSE(shown.find<QPushButton>("runStudy")->isEnabled());
    shown.page->retry({shown.model()->cell(rope)->id});
    REQUIRE(eventually([&] { return shown.status().count("waiting") == 1; }));
    CHECK(shown.find<QPushButton>("runStudy")->text() == QStringLiteral("Continue"));
}

TEST_CASE("a paused study keeps its steps and goes on, and maps are served while it runs", "[ui][studies]") {
    ShownStudies shown(ComputeThread::Mode::thread);
    shown.session->reloadRuns();
    fake::state().step_milliseconds = 2;
    StudySpec spec = tiny();
    spec.sizes.front().training.steps = 3000;
    shown.add(spec);
    auto* button = shown.find<QPushButton>("runStudy");
    button->click();
    const QModelIndex first = shown.model()->index(0, 0);
    REQUIRE(eventually([&] { return shown.model()->look(first).share > 0; }));
    CHECK(shown.model()->look(first).text.endsWith(QStringLiteral("/ 3,000")));
    CHECK(button->text() == QStringLiteral("Pause"));
    REQUIRE(eventually([&] { return shown.session->currentRun() != nullptr; }));
    shown.session->setLength(256);
    shown.session->ensureMaps();
    REQUIRE(eventually([&] { return shown.session->mapsInfo() != nullptr; }));
    button->click();
    REQUIRE(eventually([&] { return shown.page->loaded() != nullptr && shown.status().count("stopped") == 1 && button->text() == QStringLiteral("Continue"); }));
    fake::state().step_milliseconds = 0;
    button->click();
    CHECK(eventually([&] { return shown.page->loaded() != nullptr && shown.status().count("finished") == 2; }));
}

TEST_CASE("a study that another program works on can be paused and is not run twice", "[ui][studies]") {
    ShownStudies shown;
    shown.add(tiny());
    {
        const std::lock_guard lock(fake::state().mutex);
        fake::state().studies.at("tiny").running = true;
    }
    shown.page->setVisible(false);
    shown.page->setVisible(true);
    REQUIRE(eventually([&] { return shown.page->loaded() != nullptr && shown.status().running; }));
    CHECK(shown.find<QLabel>("studyState")->text().contains(QStringLiteral("Another program works on it")));
    CHECK(shown.find<QPushButton>("runStudy")->text() == QStringLiteral("Pause"));
    shown.find<QPushButton>("runStudy")->click();
    REQUIRE(eventually([&] { return shown.status().paused; }));
    CHECK(shown.status().count("waiting") == 2);
}

TEST_CASE("what is put first is worked on first", "[ui][studies]") {
    ShownStudies shown;
    shown.add(tiny());
    shown.page->prioritise(shown.status().cells[1].id);
    REQUIRE(eventually([&] { return shown.status().cells[1].priority == 1; }));
    CHECK(shown.model()->look(shown.model()->index(1, 0)).text == QStringLiteral("first"));
    shown.page->toggle();
    REQUIRE(fake::state().trained.size() == 2);
    CHECK(fake::state().trained.front().title == "RoPE");
}

TEST_CASE("a hidden page reads nothing, also while its study runs", "[ui][studies]") {
    ShownStudies shown;
    shown.add(tiny());
    shown.page->setVisible(false);
    const auto before = shown.calls("studies");
    shown.session->compute().cancelAll();
    Q_EMIT shown.session->workspaceChanged();
    shown.page->choose(QStringLiteral("tiny"));
    CHECK(shown.calls("studies") == before);
    CHECK(shown.page->loaded() == nullptr);
    shown.page->setVisible(true);
    CHECK(eventually([&] { return shown.page->loaded() != nullptr; }));
}

TEST_CASE("the study and the view are as they were left", "[ui][studies]") {
    ShownStudies shown;
    shown.add(tiny());
    StudySpec other = tiny({1, 2});
    other.name = "Another";
    shown.add(other);
    shown.page->choose(QStringLiteral("tiny"));
    shown.page->setView(StudiesPage::kReport);
    StudiesPage next(shown.session.get());
    next.setVisible(true);
    REQUIRE(eventually([&] { return next.loaded() != nullptr; }));
    CHECK(next.chosen() == QStringLiteral("tiny"));
    CHECK(next.findChild<Segmented*>(QStringLiteral("studyView"))->current() == StudiesPage::kReport);
    CHECK(next.findChild<QListWidget*>(QStringLiteral("studyList"))->count() == 2);
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

TEST_CASE("the form counts the runs of a study and refuses what is none", "[ui][studies]") {
    const SessionFixture f;
    StudySpec start = usualStudy();
    start.schemes = {find_scheme("alibi").value(), find_scheme("rope").value()};
    StudyDialog dialog(f.session.get(), start, {QStringLiteral("Study 1")});
    const auto find = [&](const char* name) { return dialog.findChild<QLabel*>(QString::fromLatin1(name)); };
    auto* seeds = dialog.findChild<QLineEdit*>(QStringLiteral("studySeeds"));
    auto* add = dialog.findChild<QPushButton*>(QStringLiteral("addStudy"));
    CHECK(dialog.spec().name == "Study 2");
    REQUIRE(eventually([&] { return find("studyTakes")->text() == QStringLiteral("6 runs, about 6 min, needs 310 MB of 18 GB"); }));
    seeds->setText(QStringLiteral("1-5"));
    REQUIRE(eventually([&] { return find("studyTakes")->text().startsWith(QStringLiteral("10 runs")); }));
    CHECK(dialog.spec().seeds == std::vector<std::uint64_t>{1, 2, 3, 4, 5});
    CHECK(add->isEnabled());
    seeds->setText(QStringLiteral("one"));
    REQUIRE(eventually([&] { return !add->isEnabled(); }));
    CHECK(find("studyRemarks")->text().contains(QStringLiteral("seeds is “one”")));
    seeds->setText(QStringLiteral("1"));
    dialog.findChild<QSpinBox*>(QStringLiteral("studyHeads"))->setValue(7);
    REQUIRE(eventually([&] { return find("studyRemarks")->text().contains(QStringLiteral("not a multiple")); }));
    CHECK_FALSE(dialog.findChild<QPushButton*>(QStringLiteral("addAndRun"))->isEnabled());
}

TEST_CASE("numbers are read from lists and ranges", "[ui][studies]") {
    CHECK(numbersFrom(QStringLiteral("1, 2 5 - 7; 2")) == std::vector<std::int64_t>{1, 2, 5, 6, 7});
    CHECK(numbersFrom(QString()) == std::vector<std::int64_t>{});
    for (const char* wrong : {"1,x", "-3", "5-2", "1-100000", "1.5"}) CHECK_FALSE(numbersFrom(QString::fromLatin1(wrong)));
}
