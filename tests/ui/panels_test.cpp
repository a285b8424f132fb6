/// Panels around the pages: token strip, job texts, message bar, details, empty states.
#include "tests/ui/ui_support.h"
#include "ui/models/runs_model.h"
#include "ui/panels/details_panel.h"
#include "ui/panels/empty_state.h"
#include "ui/panels/job_status.h"
#include "ui/panels/job_text.h"
#include "ui/panels/message_bar.h"
#include "ui/panels/text_panel.h"
#include "ui/panels/token_layout.h"
#include "ui/panels/token_strip.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>

using namespace lw;
using namespace lw::ui;
using lw::test::eventually;
using lw::test::SessionFixture;

TEST_CASE("tokens wrap at the width and each is found where it stands", "[ui][panels]") {
    const TokenLayout layout = layoutTokens({40, 40, 40, 90, 10, 300, 20}, 100, 20);
    CHECK(layout.rows() == 5);
    CHECK(layout.rowBegin == std::vector<std::size_t>{0, 2, 3, 5, 6});
    CHECK(layout.height() == 100);
    for (std::size_t t = 0; t < layout.places.size(); ++t)
        CHECK(layout.tokenAt(layout.places[t].x + 1, layout.places[t].row * 20 + 1) == static_cast<std::int64_t>(t));
    CHECK(layout.tokenAt(95, 1) == -1);
    CHECK(layout.tokenAt(1, 1000) == -1);
    CHECK(layoutTokens({}, 100, 20).tokenAt(0, 0) == -1);
}

TEST_CASE("durations and progress read as people say them", "[ui][panels]") {
    CHECK(durationText(41) == "0:41");
    CHECK(durationText(725) == "12:05");
    CHECK(durationText(12000) == "3 h 20 min");
    Progress progress;
    progress.done = 20;
    progress.total = 32;
    progress.unit = "documents";
    progress.seconds_left = 41;
    CHECK(progressText(progress) == "20 of 32 documents · 0:41 left");
    CHECK(progressPermille(progress) == 625);
    progress.total = 0;
    CHECK(progressPermille(progress) == -1);
}

TEST_CASE("a click on a token chooses the query and arrow keys go on from it", "[ui][panels]") {
    SessionFixture f;
    f.session->reloadRuns();
    TextPanel panel(f.session.get());
    panel.resize(900, 120);
    panel.show();
    auto* strip = panel.findChild<TokenStrip*>("tokenStrip");
    REQUIRE(strip->tokenLayout().places.size() == static_cast<std::size_t>(f.session->length()));
    const TokenPlace place = strip->tokenLayout().places[3];
    QTest::mouseClick(strip->viewport(), Qt::LeftButton, {}, QPoint(place.x + 3, 5));
    CHECK(f.session->query() == 3);
    QTest::keyClick(strip, Qt::Key_Right);
    CHECK(f.session->query() == 4);
    QTest::keyClick(strip, Qt::Key_End);
    CHECK(f.session->query() == f.session->length() - 1);
    CHECK(panel.findChild<QLabel*>("textCaption")->toolTip().contains("query 511"));
}

TEST_CASE("typed text becomes the text of the session and going back restores the document", "[ui][panels]") {
    SessionFixture f;
    f.session->reloadRuns();
    TextPanel panel(f.session.get());
    panel.show();
    panel.findChild<QToolButton*>("typeTextButton")->click();
    auto* line = panel.findChild<QLineEdit*>("typedText");
    QTest::keyClicks(line, "It was a lighthouse");
    QTest::keyClick(line, Qt::Key_Return);
    CHECK(f.session->textRequest().text == "It was a lighthouse");
    panel.findChild<QToolButton*>("typeTextButton")->click();
    CHECK(f.session->textRequest().text.empty());
}

TEST_CASE("a range past the end of a document is answered with its length", "[ui][panels]") {
    SessionFixture f;
    f.session->reloadRuns();
    TextPanel panel(f.session.get());
    panel.findChild<QSpinBox*>("offsetSpin")->setValue(164300);
    CHECK(panel.findChild<QLabel*>("textCaption")->toolTip().contains("164,402"));
}

TEST_CASE("the strip paints with shading of any length", "[ui][panels]") {
    TokenStrip strip;
    strip.resize(300, 60);
    strip.setTokens({"▁a", "▁b", "⏎"}, 0);
    for (const std::vector<float>& shade : {std::vector<float>{}, {0.5F}, {1, 0.2F, 0, 4}}) {
        strip.setShade(shade);
        CHECK_FALSE(strip.grab().isNull());
    }
    strip.setQuery(99);
    CHECK_FALSE(strip.grab().isNull());
}

TEST_CASE("a message stays until it is closed", "[ui][panels]") {
    MessageBar bar;
    CHECK(bar.isHidden());
    bar.showMessage(MessageBar::Kind::error, "Evaluating ALiBi", "The disk is full.");
    CHECK_FALSE(bar.isHidden());
    CHECK(bar.text() == "Evaluating ALiBi: The disk is full.");
    bar.findChild<QToolButton*>("messageClose")->click();
    CHECK(bar.isHidden());
}

TEST_CASE("a notice goes after a while and never hides an error", "[ui][panels]") {
    MessageBar bar;
    auto* timer = bar.findChild<QTimer*>();
    REQUIRE(timer);
    CHECK(timer->interval() == MessageBar::kNoticeTime);
    timer->setInterval(1);
    bar.showMessage(MessageBar::Kind::notice, {}, "Copied.");
    CHECK(eventually([&] { return bar.isHidden(); }));
    bar.showMessage(MessageBar::Kind::error, {}, "The disk is full.");
    bar.showMessage(MessageBar::Kind::notice, {}, "Copied.");
    CHECK(bar.text() == "The disk is full.");
    bar.showMessage(MessageBar::Kind::error, {}, "The disk is gone.");
    CHECK(bar.text() == "The disk is gone.");
    bar.findChild<QToolButton*>("messageClose")->click();
    CHECK(bar.text() == "Copied.");
    CHECK(eventually([&] { return bar.isHidden(); }));
}

TEST_CASE("an offer waits behind an error and is taken by its button", "[ui][panels]") {
    MessageBar bar;
    int taken = 0, refused = 0;
    bar.showOffer({"Two runs waited.", "Train them", [&] { ++taken; }, [&] { ++refused; }});
    bar.showMessage(MessageBar::Kind::error, {}, "The disk is full.");
    bar.findChild<QToolButton*>("messageClose")->click();
    CHECK(bar.text() == "Two runs waited.");
    bar.findChild<QPushButton*>("messageAction")->click();
    CHECK(taken == 1);
    CHECK(refused == 0);
    CHECK(bar.isHidden());
}

TEST_CASE("another document is read once", "[ui][panels]") {
    SessionFixture f;
    f.session->reloadRuns();
    TextPanel panel(f.session.get());
    panel.findChild<QSpinBox*>("offsetSpin")->setValue(1000);
    QSignalSpy requests(f.session.get(), &Session::textRequestChanged);
    auto* documents = panel.findChild<QComboBox*>("documentCombo");
    documents->setCurrentIndex(2);
    Q_EMIT documents->activated(2);
    CHECK(requests.count() == 1);
    CHECK(f.session->textRequest().offset == 0);
}

TEST_CASE("details show the run first and call what a button says", "[ui][panels]") {
    SessionFixture f;
    f.session->reloadRuns();
    DetailsPanel panel(f.session.get());
    bool called = false;
    DetailSection head;
    head.title = "Layer 2, head 4";
    head.facts = {{"Class", "anti-local", QColor("#d55e00")}};
    head.actions = {{"Open maps at 2,048", [&] { called = true; }}};
    f.session->setDetails("head", head);
    REQUIRE(eventually([&] { return panel.findChild<QPushButton*>() != nullptr; }));
    panel.findChild<QPushButton*>()->click();
    CHECK(called);
    const auto labels = panel.widget()->findChildren<QLabel*>();
    REQUIRE_FALSE(labels.isEmpty());
    CHECK(labels.first()->text() == f.session->currentRun()->title());
}

TEST_CASE("an empty state has the button that fills it", "[ui][panels]") {
    EmptyState state;
    int pressed = 0;
    state.setContent("No run yet", "Train one.", "Train", [&] { ++pressed; });
    state.button()->click();
    CHECK(pressed == 1);
    state.setContent("Nothing to draw", "Choose a scheme.");
    CHECK(state.button()->isHidden());
}

TEST_CASE("the status bar shows the long job and its cancel ends it", "[ui][panels]") {
    ComputeThread thread;
    JobStatus status(&thread);
    QObject receiver;
    bool ended = false;
    std::atomic<bool> seen{false};  // the job ends when its last state was looked at
    thread.enqueue<int>(
        "Training DAPE-Kerple",
        [&](const RunContext& context) -> Result<int> {
            context.report({"Training", 3, 10, "steps", 0, "", 7, ""});
            while (!context.stopping() || !seen) std::this_thread::yield();
            return 1;
        },
        &receiver, [&](Result<int>) { ended = true; });
    auto* title = status.findChild<QLabel*>("jobTitle");
    REQUIRE(eventually([&] { return title->text() == "Training DAPE-Kerple"; }));
    status.findChild<QToolButton*>("jobCancel")->click();
    CHECK(title->text().contains("stopping"));
    seen = true;
    REQUIRE(eventually([&] { return ended && title->text().isEmpty(); }));
}

TEST_CASE("the number beside a run is called a validation perplexity, and only where it is one", "[ui][panels]") {
    SessionFixture f;
    RunInfo extended = read_run("/fake/demo/rope-s1").value(), task = extended;
    extended.folder = "/fake/workspace/rope-s1-yarn";
    extended.base = "/fake/demo/rope-s1";
    task.folder = "/fake/workspace/copy-s1";
    task.recipe.data.source = "task:copy";
    fake::state().trained = {extended, task};
    f.session->reloadRuns();
    DetailsPanel panel(f.session.get());
    const auto valueOf = [&](const char* folder) -> std::optional<QString> {
        f.session->setCurrentRun(QLatin1String(folder));
        for (const DetailFact& fact : f.session->details().at(QStringLiteral("run")).facts)
            if (fact.label == QStringLiteral("Validation perplexity")) return fact.value;
        return std::nullopt;
    };
    CHECK(valueOf("/fake/demo/rope-s1").value_or(QString()).startsWith(QStringLiteral("27.")));
    CHECK(valueOf("/fake/workspace/rope-s1-yarn") == QStringLiteral("–"));
    CHECK(valueOf("/fake/workspace/copy-s1") == std::nullopt);
    CHECK(perplexityText(*f.session->findRun(QStringLiteral("/fake/workspace/copy-s1"))).isEmpty());
    CHECK(perplexityHelp(*f.session->findRun(QStringLiteral("/fake/demo/rope-s1"))).contains(QStringLiteral("Validation perplexity")));
}
