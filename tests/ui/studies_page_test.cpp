/// The Studies page on the fake laboratory.
#include "tests/ui/studies_support.h"
#include "ui/jobs/study_job.h"
#include "ui/plot/segmented.h"

#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTimer>

#include <future>

using namespace lw;
using namespace lw::ui;
using lw::test::eventually;
using lw::test::ShownStudies;
using lw::test::tiny;

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
    const QSignalSpy notices(shown.session.get(), &Session::noticeGiven);
    shown.page->addFile(file.fileName());
    REQUIRE(notices.size() == 1);
    CHECK(notices[0][0].toString().contains(QStringLiteral("From a file was there already and is replaced")));
    const QSignalSpy errors(shown.session.get(), &Session::errorReported);
    shown.page->addFile(shown.folder.filePath(QStringLiteral("nothing.json")));
    CHECK(errors.size() == 1);
    CHECK(shown.page->chosen() == QStringLiteral("from-a-file"));
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

TEST_CASE("a reading of one study that comes late is not taken for another that was added meanwhile", "[ui][studies]") {
    ShownStudies shown(ComputeThread::Mode::thread);
    shown.add(tiny());
    std::promise<void> gate;
    shown.session->compute().run<Nothing>(
        QStringLiteral("hold"), [open = gate.get_future().share()](const RunContext&) -> Status { open.wait(); return Nothing{}; }, shown.page.get(), {});
    StudySpec other = tiny();
    other.name = "Another";
    const QSignalSpy notices(shown.session.get(), &Session::noticeGiven);
    shown.page->addSpec(other, true);
    shown.page->setVisible(false);
    shown.page->setVisible(true);  // reads Tiny after Another was added
    gate.set_value();
    REQUIRE(eventually([&] { return notices.size() == 1; }));
    CHECK(notices[0][0].toString() == QStringLiteral("The study Another is finished: 2 runs."));
    REQUIRE(eventually([&] { return shown.page->loaded() != nullptr && shown.status().count("finished") == 2; }));
    CHECK(shown.status().spec.name == "Another");
}

TEST_CASE("a study that is lost while its menu is open leaves the menu without effect", "[ui][studies]") {
    ShownStudies shown;
    shown.add(tiny());
    shown.page->toggle();
    REQUIRE(shown.status().count("finished") == 2);
    const QSignalSpy asked(shown.session.get(), &Session::pageRequested);
    bool found = false;
    QTimer::singleShot(0, shown.page.get(), [&] {
        {
            const std::lock_guard lock(fake::state().mutex);
            fake::state().studies.clear();
        }
        Q_EMIT shown.session->workspaceChanged();
        for (QMenu* menu : shown.page->findChildren<QMenu*>()) {
            for (QAction* action : menu->actions()) {
                if (!action->text().contains(QStringLiteral("in Curves"))) continue;
                found = true;
                action->trigger();
            }
            menu->close();
        }
    });
    shown.find<QPushButton>("moreStudy")->click();
    CHECK(found);
    CHECK(shown.page->loaded() == nullptr);
    CHECK(asked.isEmpty());
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

TEST_CASE("the end of a study is told as what it was: finished, paused, or stuck behind what failed", "[ui][studies]") {
    StudyStatus status;
    status.cells.resize(3);
    const auto told = [&](const char* a, const char* b, const char* c, bool stopped) {
        status.cells[0].state = a;
        status.cells[1].state = b;
        status.cells[2].state = c;
        return endSentence(QStringLiteral("Tiny"), status, stopped);
    };
    CHECK(told("finished", "finished", "finished", false) == QStringLiteral("The study Tiny is finished: 3 runs."));
    CHECK(told("finished", "stopped", "waiting", true) == QStringLiteral("The study Tiny is paused: 1 of 3 runs finished. What was computed is kept."));
    CHECK(told("finished", "failed", "diverged", false) == QStringLiteral("The study Tiny ended: 1 of 3 runs finished, 2 failed."));
    CHECK(told("finished", "failed", "blocked", false) == QStringLiteral("The study Tiny ended: 1 of 3 runs finished, 1 failed, 1 blocked, as the runs they go on with are not there."));
    CHECK(told("finished", "finished", "running", false) == QStringLiteral("The study Tiny ended: 2 of 3 runs finished, 1 worked on by another program."));
    CHECK(told("finished", "finished", "waiting", false) == QStringLiteral("The study Tiny ended: 2 of 3 runs finished, 1 left."));
    status.cells.resize(1);
    status.cells[0].state = "finished";
    CHECK(endSentence(QStringLiteral("Tiny"), status, false) == QStringLiteral("The study Tiny is finished: 1 run."));
}

TEST_CASE("the matrix says what its numbers are", "[ui][studies]") {
    CHECK(numbersText({}).isEmpty());
    CHECK(numbersText({{"a", {45.6, 128, false}}, {"b", {43.2, 128, false}}}) == QStringLiteral("Numbers: perplexity at 128 tokens."));
    CHECK(numbersText({{"a", {45.6, 128, false}}, {"b", {43.2, 256, false}}}) == QStringLiteral("Numbers: perplexity at the training length."));
    CHECK(numbersText({{"a", {0.5, 64, true}}}) == QStringLiteral("Numbers: share of right tokens at 64 tokens."));
    CHECK(numbersText({{"a", {0.5, 64, true}}, {"b", {43.2, 128, false}}}).contains(QStringLiteral("of tasks")));
}
