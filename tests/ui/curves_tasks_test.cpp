/// What the Curves page and the session do with runs of tasks, and with numbers over key tokens alone.
#include "core/api/published.h"
#include "tests/ui/ui_support.h"
#include "ui/pages/curves_evaluate.h"
#include "ui/pages/curves_page.h"
#include "ui/plot/segmented.h"

#include <QAbstractItemModel>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTimer>

using namespace lw;
using namespace lw::ui;
using lw::test::eventually;
using lw::test::SessionFixture;

namespace {

const QString kTask = QStringLiteral("/fake/workspace/recall-dape-kerple-s1");

/// All runs are ticked, one of a task with the title of one of text among them.
struct WithTask : SessionFixture {
    WithTask() {
        RunInfo task = read_run("/fake/demo/dape-kerple-s1").value();
        task.id = "recall-dape-kerple-s1";
        task.folder = kTask.toStdString();
        task.recipe.data.source = "task:recall";
        task.evaluations.clear();
        task.demo = false;
        fake::state().trained = {task};
        session->reloadRuns();
        page = std::make_unique<CurvesPage>(session.get());
        page->resize(1200, 700);
        page->setVisible(true);
        QStringList keys;
        for (const RunEntry& run : session->runs()) keys << run.key;
        session->setShownOnly(keys);
        REQUIRE(eventually([&] { return !page->loaded().content.series.empty(); }));
        REQUIRE(session->findRun(kTask) != nullptr);
        REQUIRE(session->findRun(kTask)->isTask());
    }
    [[nodiscard]] bool says(const QString& words) const {
        for (const QLabel* label : page->findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(words)) return true;
        return false;
    }
    std::unique_ptr<CurvesPage> page;
};

EvaluationSpec keyTokens() {
    EvaluationSpec spec;
    spec.protocol = "longppl";
    return spec;
}

}  // namespace

TEST_CASE("the first run that is looked at is one of text", "[ui][session]") {
    const WithTask shown;
    REQUIRE(shown.session->currentRun() != nullptr);
    CHECK_FALSE(shown.session->currentRun()->isTask());
    CHECK(shown.session->currentRun()->info.recipe.scheme.slots.contains("adaptive"));
}

TEST_CASE("runs of tasks are not evaluated by perplexity, and where they are measured is said", "[ui][session]") {
    const WithTask shown;
    const QSignalSpy errors(shown.session.get(), &Session::errorReported), notices(shown.session.get(), &Session::noticeGiven);
    shown.session->evaluateRuns({kTask});
    REQUIRE(notices.size() == 1);
    CHECK(notices[0][0].toString().contains(QStringLiteral("Tasks page")));
    CHECK(errors.isEmpty());
    CHECK(shown.session->findRun(kTask)->protocols.isEmpty());
}

TEST_CASE("where only runs of tasks are ticked there is nothing to ask", "[ui][curves]") {
    const WithTask shown;
    shown.session->setShownOnly({kTask});
    const QSignalSpy notices(shown.session.get(), &Session::noticeGiven);
    shown.page->evaluate();
    REQUIRE(notices.size() == 1);
    CHECK(notices[0][0].toString().contains(QStringLiteral("trained on text")));
}

TEST_CASE("the evaluation dialog names runs of text alone", "[ui][curves]") {
    const WithTask shown;
    const auto text = static_cast<int>(shown.session->shownRuns().size()) - 1;
    int offered = -1;
    QString missing;
    QTimer::singleShot(0, shown.page.get(), [&] {
        auto* dialog = shown.page->findChild<EvaluateDialog*>();
        if (dialog == nullptr) return;
        offered = dialog->findChild<QComboBox*>(QStringLiteral("evaluateEvaluator"))->count() - 1;
        auto* protocol = dialog->findChild<QComboBox*>(QStringLiteral("evaluateProtocol"));
        protocol->setCurrentIndex(protocol->findData(QStringLiteral("sliding")));
        missing = dialog->findChild<QAbstractButton*>(QStringLiteral("onlyMissing"))->text();
        dialog->reject();
    });
    shown.page->evaluate();
    CHECK(offered == text);
    CHECK(missing.contains(QString::number(text)));
}

TEST_CASE("LongPPL has no losses by position, which is said", "[ui][curves]") {
    const WithTask shown;
    QStringList keys;
    for (const RunEntry* run : shown.session->shownRuns())
        if (!run->isTask()) keys << run->key;
    shown.session->evaluateRuns(keys, keyTokens());
    shown.page->setProtocol("longppl");
    REQUIRE(eventually([&] { return !shown.page->loaded().content.series.empty() && shown.session->compute().idle(); }));
    shown.page->setMode(CurvesMode::position);
    REQUIRE(eventually([&] { return shown.page->loaded().content.series.empty(); }));
    CHECK(shown.says(QStringLiteral("has no losses by position")));
    shown.page->setBeyond(true);
    CHECK(eventually([&] { return shown.says(QStringLiteral("has no losses by position")); }));
    shown.page->setBeyond(false);
    QTest::mouseClick(shown.page->findChild<QPushButton*>(QStringLiteral("emptyStateButton")), Qt::LeftButton);
    CHECK(eventually([&] { return !shown.page->loaded().content.series.empty(); }));
}

TEST_CASE("published perplexities do not stand beside LongPPL", "[ui][curves]") {
    const WithTask shown;
    shown.session->evaluateRuns({QStringLiteral("/fake/demo/alibi-s1")}, keyTokens());
    shown.page->setPublished(published_sets().front().id);
    const auto* button = shown.page->findChild<QPushButton*>(QStringLiteral("publishedButton"));
    REQUIRE(eventually([&] { return button->isVisible() && shown.page->loaded().content.series.size() > shown.page->loaded().set.lines.size(); }));
    shown.page->setProtocol("longppl");
    REQUIRE(eventually([&] { return shown.page->loaded().set.lines.size() == 1; }));
    CHECK(shown.page->loaded().content.series.size() == 1);
    CHECK(shown.page->loaded().note.isEmpty());
    CHECK_FALSE(button->isVisible());
    const auto* model = shown.page->findChild<QTableView*>(QStringLiteral("curvesTable"))->model();
    CHECK(model->headerData(0, Qt::Horizontal).toString() == QStringLiteral("LongPPL"));
    shown.page->setProtocol("last-k");
    CHECK(model->headerData(0, Qt::Horizontal).toString() == QStringLiteral("Perplexity"));
    CHECK(button->isVisible());
}
