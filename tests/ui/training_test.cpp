/// Training from the window: the queue, pausing, what happens at the end, fetching meanwhile.
#include "tests/ui/ui_support.h"
#include "ui/forms/recipe_form.h"
#include "ui/jobs/training.h"
#include "ui/main_window.h"
#include "ui/pages/train_page.h"
#include "ui/panels/message_bar.h"
#include "ui/screenshots.h"

#include <QCheckBox>
#include <QComboBox>
#include <QPushButton>

using namespace lw;
using namespace lw::ui;
using lw::test::eventually;
using lw::test::SessionFixture;

namespace {

Recipe recipeOf(const char* scheme, std::int64_t steps) {
    Recipe recipe;
    recipe.scheme = find_scheme(scheme).value();
    recipe.training.steps = steps;
    return recipe;
}

struct TrainFixture : SessionFixture {
    TrainFixture() : SessionFixture(ComputeThread::Mode::thread), window(std::make_unique<MainWindow>(session.get())) {
        window->show();
        window->showPage(PageId::train);
        waitForJobs(*session);
        fake::state().step_milliseconds = 1;
    }
    TrainPage* page() { return static_cast<TrainPage*>(window->page(PageId::train)); }
    Training* training() { return page()->training(); }
    QPushButton* button(const char* name) { return window->findChild<QPushButton*>(QLatin1String(name)); }
    void startLong() {
        training()->start(recipeOf("alibi", 100000), false);
        REQUIRE(eventually([&] { return training()->log().size() > 1; }));
    }
    void end() {
        session->compute().cancelAll();
        REQUIRE(eventually([&] { return session->compute().idle(); }));
    }
    std::unique_ptr<MainWindow> window;
};

}  // namespace

TEST_CASE("cancelling a waiting run leaves the running one running", "[ui][training]") {
    TrainFixture f;
    f.startLong();
    f.training()->start(recipeOf("rope", 50), false);
    JobId waiting = 0;
    for (const JobInfo& job : f.session->compute().jobs())
        if (job.state == JobState::queued) waiting = job.id;
    REQUIRE(waiting != 0);
    f.session->compute().cancel(waiting);
    QCoreApplication::processEvents();
    CHECK(f.training()->running());
    CHECK(f.button("stopButton")->isEnabled());
    const std::size_t before = f.training()->log().size();
    REQUIRE(eventually([&] { return f.training()->log().size() > before; }));
    f.button("stopButton")->click();
    REQUIRE(eventually([&] { return !f.training()->running(); }));
}

TEST_CASE("a run can be stopped while it still reads its text", "[ui][training]") {
    TrainFixture f;
    fake::state().text_milliseconds = 20000;
    f.training()->start(recipeOf("alibi", 100), false);
    REQUIRE(eventually([&] { return f.button("stopButton")->isEnabled(); }));
    f.button("stopButton")->click();
    REQUIRE(eventually([&] { return f.session->compute().idle() && !f.training()->running(); }));
    CHECK(fake::state().trained.empty());
}

TEST_CASE("a paused run stands still, serves maps and goes on", "[ui][training]") {
    TrainFixture f;
    f.startLong();
    f.button("pauseButton")->click();
    CHECK(f.training()->paused());
    f.session->setLength(256);
    f.session->ensureMaps();
    REQUIRE(eventually([&] { return f.session->mapsInfo() && f.session->mapsInfo()->length == 256; }));
    QTest::qWait(100);  // what was under way has arrived
    const std::size_t before = f.training()->log().size();
    QTest::qWait(150);
    CHECK(f.training()->log().size() == before);
    f.button("pauseButton")->click();
    REQUIRE(eventually([&] { return f.training()->log().size() > before; }));
    f.end();
}

TEST_CASE("recipes that wait when the window closes are offered at the next start", "[ui][training]") {
    TrainFixture f;
    f.startLong();
    f.training()->start(recipeOf("rope", 20), false);
    f.training()->start(recipeOf("kerple", 20), false);
    f.window->close();
    f.window.reset();
    REQUIRE(eventually([&] { return f.session->compute().idle(); }));
    const std::size_t trained = fake::state().trained.size();
    fake::state().step_milliseconds = 0;
    f.window = std::make_unique<MainWindow>(f.session.get());
    f.window->show();
    CHECK(f.training()->leftOver() == 2);
    auto* bar = f.window->findChild<MessageBar*>();
    REQUIRE(eventually([&] { return bar->kind() == MessageBar::Kind::offer && bar->text().contains("2 recipes"); }));
    f.window->findChild<QPushButton*>("messageAction")->click();
    REQUIRE(eventually([&] { return f.session->compute().idle() && fake::state().trained.size() == trained + 2; }));
    CHECK(f.training()->leftOver() == 0);
    CHECK(Training(f.session.get()).leftOver() == 0);
}

TEST_CASE("the end of a run does not take a person away from another page", "[ui][training]") {
    TrainFixture f;
    f.window->showPage(PageId::encodings);
    const QString current = f.session->currentRun()->key;
    f.training()->start(recipeOf("alibi", 30), true);
    auto* bar = f.window->findChild<MessageBar*>();
    REQUIRE(eventually([&] { return !bar->isHidden() && bar->text().contains("is trained"); }));
    REQUIRE(eventually([&] { return f.session->compute().idle(); }));
    CHECK(f.window->currentPage() == PageId::encodings);
    CHECK(f.session->currentRun()->key == current);
}

TEST_CASE("a corpus is fetched while a run trains", "[ui][training]") {
    TrainFixture f;
    f.startLong();
    REQUIRE(eventually([&] { return f.button("fetch-en-drama") != nullptr; }));
    f.button("fetch-en-drama")->click();
    REQUIRE(eventually([&] {
        const auto* tick = f.window->findChild<QCheckBox*>("corpus-en-drama");
        return tick != nullptr && tick->isChecked();
    }));
    CHECK(f.training()->running());
    f.end();
}

TEST_CASE("the live map offers the parts that the scheme has", "[ui][training]") {
    TrainFixture f;
    f.training()->start(recipeOf("rope", 30), false);
    REQUIRE(eventually([&] { return f.training()->log().size() == 3; }));
    for (const QComboBox* combo : f.page()->findChildren<QComboBox*>())
        if (combo->accessibleName() == "Part of the live map") CHECK(combo->count() == 3);
}

TEST_CASE("the recipe in the form is there again at the next start", "[ui][training]") {
    TrainFixture f;
    f.page()->form()->setRecipe(recipeOf("rope", 77));
    REQUIRE(eventually([&] { return !f.session->settings().value("train/recipe").toString().isEmpty(); }));
    CHECK(f.session->settings().value("train/recipe").toString().contains("RoPE"));
}
