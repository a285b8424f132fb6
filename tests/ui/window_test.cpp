/// The whole window on the fake laboratory.
#include "tests/ui/ui_support.h"
#include "ui/forms/data_form.h"
#include "ui/forms/number_spin.h"
#include "ui/forms/recipe_form.h"
#include "ui/forms/scheme_form.h"
#include "ui/jobs/training.h"
#include "ui/main_window.h"
#include "ui/pages/encodings_page.h"
#include "ui/pages/tasks_page.h"
#include "ui/pages/train_page.h"
#include "ui/panels/message_bar.h"
#include "ui/panels/run_delegate.h"
#include "ui/plot/curve_plot.h"
#include "ui/plot/depth_map.h"
#include "ui/plot/segmented.h"
#include "ui/screenshots.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <set>

using namespace lw;
using namespace lw::ui;
using lw::test::eventually;
using lw::test::SessionFixture;

namespace {

struct WindowFixture : SessionFixture {
    WindowFixture() : SessionFixture(ComputeThread::Mode::thread), window(std::make_unique<MainWindow>(session.get())) {
        window->show();
        waitForJobs(*session);
    }
    template <class T>
    T* find(const char* name) {
        T* found = window->findChild<T*>(QString::fromLatin1(name));
        REQUIRE(found);
        return found;
    }
    TrainPage* train() { return static_cast<TrainPage*>(window->page(PageId::train)); }
    EncodingsPage* encodings() { return static_cast<EncodingsPage*>(window->page(PageId::encodings)); }
    TasksPage* tasks() { return static_cast<TasksPage*>(window->page(PageId::tasks)); }
    QAction* action(const QKeySequence& keys) {
        for (QAction* candidate : window->findChildren<QAction*>())
            if (candidate->shortcut() == keys) return candidate;
        return nullptr;
    }
    void shortRun() {
        lw::Recipe recipe;
        recipe.scheme = find_scheme("alibi").value();
        recipe.training.steps = 40;
        train()->form()->setRecipe(recipe);
        window->showPage(PageId::train);
    }
    std::unique_ptr<MainWindow> window;  // before the session goes, as in the program
};

}  // namespace

TEST_CASE("the first start shows the demo runs and no message", "[ui][window]") {
    WindowFixture f;
    CHECK(f.find<QListView>("runsView")->model()->rowCount() == 9);  // recipes; three seeds are one row
    CHECK(f.find<MessageBar>("messageBar")->isHidden());
    CHECK(f.window->currentPage() == PageId::curves);
}

TEST_CASE("the runs are read before anybody looks for a GPU", "[ui][window]") {
    WindowFixture f;
    REQUIRE(eventually([&] {
        const std::lock_guard lock(fake::state().mutex);
        return std::find(fake::state().calls.begin(), fake::state().calls.end(), "doctor") != fake::state().calls.end();
    }));
    CHECK(fake::state().calls.front() == "runs");
}

TEST_CASE("every page opens by its shortcut and paints", "[ui][window]") {
    WindowFixture f;
    for (int p = 0; p < 6; ++p) {
        QAction* go = f.action(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + p)));
        REQUIRE(go);
        go->trigger();
        waitForJobs(*f.session);
        CHECK(static_cast<int>(f.window->currentPage()) == p);
        // A page that paints is more than ground: text, axes or pictures in many colours.
        const QImage picture = f.window->page(static_cast<PageId>(p))->grab().toImage();
        std::set<QRgb> colours;
        for (int y = 0; y < picture.height(); y += 3)
            for (int x = 0; x < picture.width(); x += 3) colours.insert(picture.pixel(x, y));
        CHECK(colours.size() > 20);
    }
}

TEST_CASE("the window fits on a small screen", "[ui][window]") {
    WindowFixture f;
    for (const PageId page : {PageId::curves, PageId::maps, PageId::encodings, PageId::train, PageId::tasks, PageId::studies}) {
        f.window->showPage(page);
        waitForJobs(*f.session);
        CHECK(f.window->minimumSizeHint().width() <= 1024);
        CHECK(f.window->minimumSizeHint().height() <= 700);
    }
}

TEST_CASE("a click on the tick hides a run without choosing it and a click on the row chooses it", "[ui][window]") {
    WindowFixture f;
    auto* view = f.find<QListView>("runsView");
    const QModelIndex index = view->model()->index(1, 0);
    const QString key = index.data(Qt::UserRole).toString();
    const QString before = f.session->currentRun()->key;
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, RunDelegate::tickRect(view->visualRect(index)).center());
    CHECK_FALSE(f.session->findRun(key)->shown);
    CHECK(f.session->currentRun()->key == before);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(index).center());
    CHECK(f.session->currentRun()->key == key);
}

TEST_CASE("training shows its loss and map, then the run and its evaluation in Curves", "[ui][window]") {
    WindowFixture f;
    f.shortRun();
    f.find<QPushButton>("trainButton")->click();
    REQUIRE(eventually([&] { return f.window->currentPage() == PageId::curves; }));
    waitForJobs(*f.session);
    REQUIRE(f.session->runs().size() == demo_runs().size() + 1);
    const QString key = QString::fromStdString(fake::state().trained.front().folder.string());
    CHECK(f.session->currentRun()->key == key);
    CHECK(f.session->currentRun()->shown);
    CHECK(f.train()->training()->log().size() == 4);
    CHECK(f.train()->training()->liveMap().has_value());
    CHECK(f.session->findRun(key)->protocols.contains("last-k"));
}

TEST_CASE("without the tick no evaluation follows", "[ui][window]") {
    WindowFixture f;
    f.shortRun();
    f.find<QCheckBox>("evaluateAfter")->setChecked(false);
    f.find<QPushButton>("trainButton")->click();
    REQUIRE(eventually([&] { return f.session->runs().size() == demo_runs().size() + 1; }));
    waitForJobs(*f.session);
    CHECK(f.window->currentPage() == PageId::train);
    CHECK(f.session->runs().back().protocols.isEmpty());
}

TEST_CASE("stop ends a run that can be resumed", "[ui][window]") {
    WindowFixture f;
    fake::state().step_milliseconds = 2;
    f.shortRun();
    lw::Recipe recipe = f.train()->form()->recipe();
    recipe.training.steps = 2000;
    f.train()->form()->setRecipe(recipe);
    f.find<QPushButton>("trainButton")->click();
    REQUIRE(eventually([&] { return f.train()->training()->log().size() > 2; }));
    f.find<QPushButton>("stopButton")->click();
    REQUIRE(eventually([&] { return !f.train()->training()->running(); }));
    waitForJobs(*f.session);
    REQUIRE(f.session->currentRun()->info.status == "stopped");
    fake::state().step_milliseconds = 0;
    auto* resume = f.find<QPushButton>("resumeButton");
    REQUIRE(resume->isEnabled());
    resume->click();
    REQUIRE(eventually([&] { return f.session->currentRun()->info.status == "finished"; }));
    CHECK(f.session->currentRun()->info.step == 2000);
}

TEST_CASE("maps are served while training runs", "[ui][window]") {
    WindowFixture f;
    fake::state().step_milliseconds = 2;
    lw::Recipe recipe;
    recipe.scheme = find_scheme("alibi").value();
    recipe.training.steps = 100000;
    f.train()->form()->setRecipe(recipe);
    f.find<QPushButton>("trainButton")->click();
    REQUIRE(eventually([&] { return f.train()->training()->running(); }));
    f.session->setLength(256);
    f.session->ensureMaps();
    REQUIRE(eventually([&] { return f.session->mapsInfo() != nullptr && f.session->mapsInfo()->length == 256; }));
    CHECK(f.train()->training()->running());
    f.train()->training()->stop();
    REQUIRE(eventually([&] { return f.session->compute().idle(); }));
}

TEST_CASE("the window closes while a run trains, and the run is kept", "[ui][window]") {
    WindowFixture f;
    fake::state().step_milliseconds = 1;
    lw::Recipe recipe;
    recipe.scheme = find_scheme("alibi").value();
    recipe.training.steps = 100000;
    f.train()->form()->setRecipe(recipe);
    f.find<QPushButton>("trainButton")->click();
    REQUIRE(eventually([&] { return !f.train()->training()->log().empty(); }));
    f.window->close();
    f.window.reset();
    f.session.reset();
    REQUIRE(fake::state().trained.size() == 1);
    CHECK(fake::state().trained.front().status == "stopped");
}

TEST_CASE("a training that fails leaves its sentence in the message bar", "[ui][window]") {
    WindowFixture f;
    fake::state().fail_training = {ErrorKind::io, "The workspace is read-only."};
    f.shortRun();
    f.find<QPushButton>("trainButton")->click();
    auto* bar = f.find<MessageBar>("messageBar");
    REQUIRE(eventually([&] { return !bar->isHidden(); }));
    CHECK(bar->text().contains("read-only"));
    CHECK_FALSE(f.train()->training()->running());
}

TEST_CASE("a recipe that cannot be trained says why instead of starting", "[ui][window]") {
    WindowFixture f;
    f.window->showPage(PageId::train);
    auto* heads = f.train()->findChild<NumberSpin*>("param-heads");
    heads->setValue(7);
    auto* advice = f.find<QLabel>("advice");
    REQUIRE(eventually([&] { return advice->text().contains("not a multiple"); }));
    f.find<QPushButton>("trainButton")->click();
    waitForJobs(*f.session);
    CHECK(f.session->runs().size() == demo_runs().size());
}

TEST_CASE("the estimate follows the form", "[ui][window]") {
    WindowFixture f;
    f.shortRun();
    auto* estimate = f.find<QLabel>("estimate");
    REQUIRE(eventually([&] { return estimate->text().contains("parameters"); }));
    const QString before = estimate->text();
    f.train()->findChild<NumberSpin*>("param-width")->setValue(256);
    REQUIRE(eventually([&] { return estimate->text() != before; }));
}

TEST_CASE("a corpus that is not here is fetched by its button and then ticked", "[ui][window]") {
    WindowFixture f;
    f.window->showPage(PageId::train);
    waitForJobs(*f.session);
    CHECK_FALSE(f.find<QCheckBox>("corpus-en-drama")->isEnabled());
    f.find<QPushButton>("fetch-en-drama")->click();
    REQUIRE(eventually([&] {
        auto* tick = f.window->findChild<QCheckBox*>("corpus-en-drama");
        return tick != nullptr && tick->isEnabled() && tick->isChecked();
    }));
    CHECK(f.train()->form()->recipe().data.source == "en-prose+en-drama");
}

TEST_CASE("a dropped text becomes the corpus, a missing file a sentence", "[ui][window]") {
    WindowFixture f;
    const QString path = f.folder.filePath("novel.txt");
    QFile file(path);
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write("It was a dark night.");
    file.close();
    f.window->openPath(path);
    CHECK(f.window->currentPage() == PageId::train);
    CHECK(f.train()->form()->recipe().data.source == path.toStdString());
    f.window->openPath(f.folder.filePath("nothing.txt"));
    CHECK(f.find<MessageBar>("messageBar")->text().contains("nothing.txt"));
}

TEST_CASE("a dropped recipe fills the form and a dropped run folder opens its workspace", "[ui][window]") {
    WindowFixture f;
    QDir(f.folder.path()).mkpath("other/run-a");
    for (const char* name : {"recipe.json", "other/run-a/recipe.json"}) {
        QFile file(f.folder.filePath(name));
        REQUIRE(file.open(QIODevice::WriteOnly));
        file.write("{}");
    }
    f.window->openPath(f.folder.filePath("recipe.json"));
    CHECK(f.window->currentPage() == PageId::train);
    CHECK(f.train()->form()->recipe().scheme.name == "ALiBi");
    f.window->openPath(f.folder.filePath("other/run-a/"));
    CHECK(f.session->workspace() == f.folder.filePath("other").toStdString());
}

TEST_CASE("the recipe form keeps what it does not show", "[ui][window]") {
    WindowFixture f;
    lw::Recipe recipe;
    recipe.scheme = find_scheme("rope").value();
    recipe.model.norm = "rmsnorm";
    recipe.training.weight_decay = 0.05;
    recipe.training.length = 256;
    recipe.seed = 7;
    f.train()->form()->setRecipe(recipe);
    const lw::Recipe back = f.train()->form()->recipe();
    CHECK(back.model.norm == "rmsnorm");
    CHECK(back.training.weight_decay == 0.05);
    CHECK(back.training.length == 256);
    CHECK(back.seed == 7);
    CHECK(back.scheme.name == "RoPE");
}

TEST_CASE("a parameter of an encoding redraws it and a pinned one stays beside it", "[ui][window]") {
    WindowFixture f;
    f.window->showPage(PageId::encodings);
    waitForJobs(*f.session);
    auto* plot = f.encodings()->findChild<CurvePlot*>("biasPlot");
    REQUIRE(plot->content().series.size() == 8);
    const double before = plot->content().series[3].y.back();
    f.encodings()->findChild<NumberSpin*>("param-r1")->setValue(2);
    REQUIRE(eventually([&] { return plot->content().series[3].y.back() != before; }));
    f.find<QPushButton>("pinButton")->click();
    REQUIRE(plot->content().series.size() == 2);
    CHECK(plot->content().series[0].title == plot->content().series[1].title + " (pinned)");
    CHECK(f.find<QPushButton>("exportEncoding")->isEnabled());
    f.encodings()->schemeForm()->setScheme(find_scheme("alibi").value());
    Q_EMIT f.encodings()->schemeForm()->edited();
    REQUIRE(eventually([&] { return plot->content().series.size() == 2 && plot->content().series[1].title == "ALiBi"; }));
    f.encodings()->unpin(0);
    CHECK(plot->content().series.size() == 8);
}

TEST_CASE("no two schemes in one plot have one colour, and pins come back at the next start", "[ui][window]") {
    WindowFixture f;
    f.window->showPage(PageId::encodings);
    waitForJobs(*f.session);
    const auto show = [&](const char* id) {
        f.encodings()->schemeForm()->setScheme(find_scheme(id).value());
        Q_EMIT f.encodings()->schemeForm()->edited();
        waitForJobs(*f.session);
    };
    for (const char* id : {"alibi", "kerple", "fire"}) {
        show(id);
        f.encodings()->pin();
    }
    f.encodings()->unpin(0);
    show("t5");
    f.encodings()->pin();
    show("alibi");
    std::set<int> styles;
    const auto& series = f.encodings()->findChild<CurvePlot*>("biasPlot")->content().series;
    REQUIRE(series.size() == 4);
    for (const CurveSeries& one : series) styles.insert(one.style);
    CHECK(styles.size() == 4);
    CHECK(f.encodings()->canExport());
    EncodingsPage next(f.session.get());
    CHECK(next.pinned().size() == 3);
}

TEST_CASE("a scheme without anything to draw says so", "[ui][window]") {
    WindowFixture f;
    f.window->showPage(PageId::encodings);
    f.encodings()->schemeForm()->setScheme(find_scheme("nope").value());
    Q_EMIT f.encodings()->schemeForm()->edited();
    auto* plot = f.encodings()->findChild<CurvePlot*>("biasPlot");
    CHECK(eventually([&] { return plot->parentWidget()->isHidden(); }));
    CHECK_FALSE(f.encodings()->canExport());
}

TEST_CASE("a task leads to training on it and its accuracy is measured", "[ui][window]") {
    WindowFixture f;
    f.window->showPage(PageId::tasks);
    f.find<QPushButton>("trainOnTask")->click();
    CHECK(f.window->currentPage() == PageId::train);
    lw::Recipe recipe = f.train()->form()->recipe();
    CHECK(recipe.data.source == "task:recall");
    CHECK(recipe.data.task.size() == 1);
    recipe.training.steps = 20;
    f.train()->form()->setRecipe(recipe);
    CHECK(f.train()->form()->recipe().data.source == "task:recall");
    f.find<QCheckBox>("evaluateAfter")->setChecked(false);
    f.find<QPushButton>("trainButton")->click();
    REQUIRE(eventually([&] { return f.session->runs().size() == demo_runs().size() + 1; }));
    f.window->showPage(PageId::tasks);
    f.find<QPushButton>("evaluateTask")->click();
    REQUIRE(eventually([&] { return f.tasks()->results().size() == 1; }));
    const CurveContent& content = f.find<CurvePlot>("accuracyPlot")->content();
    REQUIRE(content.series.size() == 3);
    CHECK(content.series[1].y.back() <= content.series[0].y.back());
    CHECK(content.series[2].title == "chance");
    CHECK(content.series[2].y.front() == Approx(1.0 / 16));
    CHECK(content.yRange == std::pair{0.0, 1.0});
    CHECK(f.find<QLabel>("taskShares")->text().contains("longer"));
    CHECK(f.find<QPlainTextEdit>("taskExample")->toPlainText().contains("a b a"));
    CHECK(f.tasks()->canExport());
    auto* view = f.find<Segmented>("taskView");
    auto* depths = f.find<DepthMap>("depthMap");
    CHECK_FALSE(view->isHidden());
    CHECK(depths->isHidden());
    view->button(1)->click();
    CHECK_FALSE(depths->isHidden());
    CHECK(f.find<CurvePlot>("accuracyPlot")->isHidden());
    REQUIRE(depths->grids().size() == 1);
    CHECK(depths->grids().front().lengths == std::vector<std::int64_t>{128, 256, 512});
    TasksPage next(f.session.get());
    CHECK(eventually([&] { return next.results().size() == 1; }));
}

TEST_CASE("docks come back by reset and the layout is remembered", "[ui][window]") {
    WindowFixture f;
    auto* dock = f.find<QDockWidget>("runsDock");
    dock->hide();
    f.window->showPage(PageId::encodings);
    f.window->close();
    f.window = std::make_unique<MainWindow>(f.session.get());
    f.window->show();
    CHECK(f.find<QDockWidget>("runsDock")->isHidden());
    CHECK(f.window->currentPage() == PageId::encodings);
    f.window->resetLayout();
    CHECK_FALSE(f.find<QDockWidget>("runsDock")->isHidden());
    CHECK(f.find<QDockWidget>("jobsDock")->isHidden());
}

TEST_CASE("about shows the doctor's lines", "[ui][window]") {
    WindowFixture f;
    for (QAction* action : f.window->findChildren<QAction*>())
        if (action->text().contains("About")) action->trigger();
    REQUIRE(eventually([&] {
        auto* text = f.window->findChild<QLabel*>("aboutText");
        return text != nullptr && text->text().contains("LibTorch");
    }));
}

TEST_CASE("pictures of every page are saved in both looks and sizes", "[ui][window]") {
    WindowFixture f;
    const std::filesystem::path folder = f.folder.filePath("shots").toStdString();
    const auto saved = saveScreenshots(*f.session, *f.window, folder);
    REQUIRE(saved.ok());
    CHECK(saved.value() >= 18 * 4);  // and dialogs
    CHECK(std::filesystem::exists(folder / "maps-dark-1024x700.png"));
    CHECK(std::filesystem::exists(folder / "maps-atlas-dark-1600x1000.png"));
    CHECK(std::filesystem::exists(folder / "maps-texts-light-1024x700.png"));
    CHECK(std::filesystem::exists(folder / "curves-beyond-light-1600x1000.png"));
    CHECK(std::filesystem::exists(folder / "encodings-maps-light-1600x1000.png"));
    CHECK(std::filesystem::exists(folder / "maps-texts-all-heads-dark-1600x1000.png"));
    CHECK(std::filesystem::exists(folder / "studies-report-light-1024x700.png"));
    const QDir dialogs(QString::fromStdString(folder.string()), QStringLiteral("dialog-export-atlas-light-*.png"));
    CHECK(dialogs.count() == 1);
}

TEST_CASE("every page of a workspace without runs is saved as a picture", "[ui][window]") {
    fake::reset();
    const QTemporaryDir folder;
    SessionOptions options;
    options.settingsFile = folder.filePath(QStringLiteral("settings.ini"));
    options.workspace = folder.filePath(QStringLiteral("workspace")).toStdString();
    options.demo = false;
    Session session(options);
    MainWindow window(&session);
    const std::filesystem::path shots = folder.filePath(QStringLiteral("shots")).toStdString();
    const auto saved = saveScreenshots(session, window, shots, true);
    REQUIRE(saved.ok());
    CHECK(session.runs().empty());
    CHECK(saved.value() == 6 * 4);
    CHECK(std::filesystem::exists(shots / "empty-maps-dark-1024x700.png"));
}
