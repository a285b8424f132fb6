/// Which task the Tasks page opens on.
#include "tests/ui/ui_support.h"
#include "ui/pages/tasks_page.h"

#include <QListWidget>

using namespace lw;
using namespace lw::ui;
using lw::test::SessionFixture;

namespace {

constexpr int kRecall = 0, kCopy = 1;  // rows of the fake laboratory's tasks

RunInfo runOf(const std::string& task) {
    RunInfo run = read_run("/fake/demo/dape-kerple-s1").value();
    run.id = task + "-dape-kerple-s1";
    run.folder = std::filesystem::path("/fake/workspace") / run.id;
    run.recipe.data.source = "task:" + task;
    run.evaluations.clear();
    run.demo = false;
    return run;
}

struct TasksFixture : SessionFixture {
    void train(std::vector<RunInfo> runs) {
        fake::state().trained = std::move(runs);
        session->reloadRuns();
    }
};

QListWidget* list(const TasksPage& page) { return page.findChild<QListWidget*>(QStringLiteral("taskList")); }

}  // namespace

TEST_CASE("the Tasks page opens on a task that has a run", "[ui][tasks]") {
    TasksFixture f;
    TasksPage page(f.session.get());
    CHECK(list(page)->currentRow() == kRecall);
    f.train({runOf("copy")});
    CHECK(list(page)->currentRow() == kCopy);
    f.train({runOf("copy"), runOf("recall")});
    CHECK(list(page)->currentRow() == kCopy);  // what is looked at stays while it has something to show
    const TasksPage next(f.session.get());
    CHECK(list(next)->currentRow() == kRecall);
}

TEST_CASE("a task with a ticked run goes before one without", "[ui][tasks]") {
    TasksFixture f;
    f.train({runOf("copy"), runOf("recall")});
    f.session->setShownOnly({QStringLiteral("/fake/workspace/copy-dape-kerple-s1")});
    const TasksPage page(f.session.get());
    CHECK(list(page)->currentRow() == kCopy);
    f.session->setShownOnly({});
    const TasksPage next(f.session.get());
    CHECK(list(next)->currentRow() == kRecall);
}

TEST_CASE("the task that a person chose is shown again, with a run or without", "[ui][tasks]") {
    TasksFixture f;
    f.train({runOf("copy")});
    TasksPage page(f.session.get());
    list(page)->setCurrentRow(kRecall);
    f.session->reloadRuns();
    CHECK(list(page)->currentRow() == kRecall);
    const TasksPage next(f.session.get());
    CHECK(list(next)->currentRow() == kRecall);
}

TEST_CASE("the details are of the run that the Tasks page shows", "[ui][tasks]") {
    TasksFixture f;
    f.train({runOf("copy"), runOf("recall")});
    const QString language = f.session->currentRun()->key;
    REQUIRE_FALSE(f.session->currentRun()->isTask());
    TasksPage page(f.session.get());
    CHECK(f.session->detailsRun()->key == language);  // not seen yet
    page.show();
    CHECK(f.session->detailsRun()->key == QStringLiteral("/fake/workspace/recall-dape-kerple-s1"));
    list(page)->setCurrentRow(kCopy);
    CHECK(f.session->detailsRun()->key == QStringLiteral("/fake/workspace/copy-dape-kerple-s1"));
    CHECK(f.session->currentRun()->key == language);  // maps and lists stay with it
    // A run that a person chooses is described.
    const QString other = f.session->runs()[1].key == language ? f.session->runs()[0].key : f.session->runs()[1].key;
    f.session->setCurrentRun(other);
    CHECK(f.session->detailsRun()->key == other);
    f.session->setShownOnly({});
    CHECK(f.session->detailsRun() == nullptr);
    CHECK(f.session->details().at(QStringLiteral("task")).text.contains(QStringLiteral("ticked")));
    page.hide();
    CHECK(f.session->detailsRun()->key == other);
    CHECK_FALSE(f.session->details().contains(QStringLiteral("task")));
}
