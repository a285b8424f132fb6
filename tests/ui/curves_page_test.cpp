/// The Curves page on the fake laboratory.
#include "tests/ui/ui_support.h"
#include "ui/pages/curves_evaluate.h"
#include "ui/pages/curves_page.h"
#include "ui/pages/curves_published.h"
#include "ui/pages/curves_table.h"
#include "ui/plot/curve_plot.h"
#include "ui/plot/qcp.h"
#include "ui/plot/segmented.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

#include <semaphore>

using namespace lw::ui;
using lw::test::eventually;
using lw::test::SessionFixture;

namespace {

struct ShownCurves : SessionFixture {
    explicit ShownCurves(ComputeThread::Mode mode = ComputeThread::Mode::immediate) : SessionFixture(mode) {
        session->reloadRuns();
        page = std::make_unique<CurvesPage>(session.get());
        page->resize(900, 640);
        page->setVisible(true);
        REQUIRE(eventually([&] { return !session->runs().empty(); }));
        QStringList keys;
        for (const RunEntry& run : session->runs()) keys << run.key;
        session->setShownOnly(keys);
        REQUIRE(eventually([&] { return !page->loaded().content.series.empty(); }));
    }
    QString keyOf(const char* title) const {
        for (const RunEntry& run : session->runs())
            if (run.title() == QLatin1String(title)) return run.key;
        return {};
    }
    [[nodiscard]] int rowOf(const char* title) const {
        const auto& series = page->loaded().content.series;
        for (std::size_t i = 0; i < series.size(); ++i)
            if (series[i].title == QLatin1String(title)) return static_cast<int>(i);
        return -1;
    }
    [[nodiscard]] QAbstractItemModel* model() const { return page->findChild<QTableView*>(QStringLiteral("curvesTable"))->model(); }
    std::unique_ptr<CurvesPage> page;
};

}  // namespace

TEST_CASE("seeds of one recipe are one line and the best line comes first", "[ui][curves]") {
    const ShownCurves shown;
    const auto& series = shown.page->loaded().content.series;
    CHECK(series.size() == 9);
    for (std::size_t i = 1; i < series.size(); ++i) CHECK(series[i - 1].y.back() <= series[i].y.back());
    CHECK(shown.page->loaded().content.trainLength == 128);
}

TEST_CASE("the table shows the very numbers of the curves", "[ui][curves]") {
    const ShownCurves shown;
    const auto* table = shown.page->findChild<QTableView*>(QStringLiteral("curvesTable"));
    REQUIRE(table);
    const auto& series = shown.page->loaded().content.series;
    REQUIRE(table->model()->rowCount() == static_cast<int>(series.size()));
    const auto* model = dynamic_cast<const CurvesModel*>(table->model());
    REQUIRE(model);
    for (std::size_t row = 0; row < series.size(); ++row)
        for (std::size_t c = 0; c < model->lengths().size(); ++c) {
            QString text = table->model()->index(static_cast<int>(row), static_cast<int>(c) + 1).data().toString();
            CHECK(text.remove(QLatin1Char(',')).toDouble() == Approx(series[row].y[c]).margin(0.51));
        }
    CHECK(model->text().split(QLatin1Char('\n')).size() == static_cast<qsizetype>(series.size()) + 1);
}

TEST_CASE("the current run's line is the bold one, also when it is one of several seeds", "[ui][curves]") {
    const ShownCurves shown;
    shown.session->setCurrentRun(shown.keyOf("DAPE-Kerple"));
    REQUIRE(eventually([&] { return shown.session->currentRun() != nullptr; }));
    int bold = 0;
    for (const CurveSeries& series : shown.page->loaded().content.series) {
        bold += series.bold ? 1 : 0;
        if (series.bold) CHECK(series.title == QStringLiteral("DAPE-Kerple"));
    }
    CHECK(bold == 1);
}

TEST_CASE("choosing a length tells the session, the details and the way to the maps", "[ui][curves]") {
    const ShownCurves shown;
    const QSignalSpy pages(shown.session.get(), &Session::pageRequested);
    int rope = -1;
    const auto& series = shown.page->loaded().content.series;
    for (std::size_t i = 0; i < series.size(); ++i)
        if (series[i].title == QStringLiteral("RoPE")) rope = static_cast<int>(i);
    shown.page->selectLength(2048, rope);
    CHECK(shown.session->length() == 2048);
    REQUIRE(shown.session->currentRun());
    CHECK(shown.session->currentRun()->title() == QStringLiteral("RoPE"));
    const auto details = shown.session->details().find(QStringLiteral("point"));
    REQUIRE(details != shown.session->details().end());
    CHECK(details->second.title == QStringLiteral("T = 2,048, 16 times the training length"));
    REQUIRE(details->second.actions.size() == 1);
    details->second.actions[0].call();
    CHECK(pages.size() == 1);
}

TEST_CASE("the heading of the last column is short where the table is narrow", "[ui][curves]") {
    const ShownCurves shown;
    shown.page->setReference(QStringLiteral("Kerple"));
    shown.page->selectLength(2048, 0);
    const auto* table = shown.page->findChild<QTableView*>(QStringLiteral("curvesTable"));
    const auto heading = [&] { return table->model()->headerData(table->model()->columnCount() - 1, Qt::Horizontal).toString(); };
    shown.page->resize(1600, 640);
    REQUIRE(eventually([&] { return heading() == QStringLiteral("p against Kerple, 2,048"); }));
    shown.page->resize(500, 640);
    CHECK(eventually([&] { return heading() == QStringLiteral("p, 2,048"); }));
}

TEST_CASE("the test against a reference stands in the last column at the chosen length", "[ui][curves]") {
    const ShownCurves shown;
    shown.page->setReference(QStringLiteral("Kerple"));
    shown.page->selectLength(2048, 0);
    const auto* table = shown.page->findChild<QTableView*>(QStringLiteral("curvesTable"));
    const int last = table->model()->columnCount() - 1;
    REQUIRE(eventually([&] { return table->model()->headerData(last, Qt::Horizontal, Qt::ToolTipRole).toString().contains(QStringLiteral("against Kerple at 2,048")); }));
    for (const char* title : {"RoPE", "DAPE-Kerple", "NoPE"}) {
        const double p = lw::fake::welch_p(title, "Kerple");
        CHECK(table->model()->index(shown.rowOf(title), last).data().toString().toDouble() == Approx(p).margin(0.006));
    }
    CHECK(table->model()->index(shown.rowOf("Kerple"), last).data().toString() == QStringLiteral("–"));
}

TEST_CASE("a line that cannot be compared costs its own cell and says why", "[ui][curves]") {
    const ShownCurves shown;
    lw::fake::state().incomparable = {"RoPE"};
    shown.page->setReference(QStringLiteral("Kerple"));
    shown.page->selectLength(2048, shown.rowOf("RoPE"));
    const int last = shown.model()->columnCount() - 1;
    const QModelIndex rope = shown.model()->index(shown.rowOf("RoPE"), last);
    CHECK(rope.data().toString() == QStringLiteral("–"));
    CHECK(rope.data(Qt::ToolTipRole).toString().contains(QStringLiteral("other places")));
    CHECK(shown.model()->index(shown.rowOf("ALiBi"), last).data().toString() != QStringLiteral("–"));
    CHECK(shown.session->details().at(QStringLiteral("point")).text.contains(QStringLiteral("other places")));
}

TEST_CASE("a reference without numbers is named instead of compared", "[ui][curves]") {
    ReferenceRequest request;
    request.lines = {{"k", QStringLiteral("Kerple"), {}, 1, false}, {"x", QStringLiteral("RoPE"), {"/fake/demo/rope-s1"}, 1, false}};
    request.chosen = 0;
    const ReferenceTable table = loadReference(request).value();
    CHECK(table.cells.empty());
    CHECK(table.problem.contains(QStringLiteral("Kerple")));
}

TEST_CASE("while a shorter list of runs is being read the old curves keep their own runs", "[ui][curves]") {
    const ShownCurves shown(ComputeThread::Mode::thread);
    REQUIRE(eventually([&] { return shown.session->compute().idle(); }));
    std::binary_semaphore open{0};
    QObject receiver;
    shown.session->compute().run<int>("gate", [&](const lw::RunContext&) -> lw::Result<int> { open.acquire(); return 0; }, &receiver, {});
    shown.session->setShownOnly({shown.keyOf("NoPE")});
    shown.session->setCurrentRun(shown.keyOf("NoPE"));  // marks lines of the list that is still shown
    for (const char* title : {"RoPE", "DAPE-FIRE"}) {
        shown.page->selectLength(512, shown.rowOf(title));
        CHECK(shown.session->currentRun()->title() == QLatin1String(title));
    }
    open.release();
    REQUIRE(eventually([&] { return shown.page->loaded().content.series.size() == 1 && shown.session->compute().idle(); }));
}

TEST_CASE("a comparison that was stopped is made at the next look", "[ui][curves]") {
    const ShownCurves shown;
    lw::fake::state().incomparable = {"stopped"};
    shown.page->setReference(QStringLiteral("Kerple"));
    const auto heading = [&] { return shown.model()->headerData(shown.model()->columnCount() - 1, Qt::Horizontal, Qt::ToolTipRole).toString(); };
    REQUIRE(eventually([&] { return shown.session->compute().idle(); }));
    CHECK_FALSE(heading().contains(QStringLiteral("against")));
    lw::fake::state().incomparable.clear();
    shown.page->selectLength(2048, shown.rowOf("RoPE"));
    CHECK(eventually([&] { return heading().contains(QStringLiteral("against Kerple at 2,048")); }));
}

TEST_CASE("each seed has a line of its own when asked for, named by its seed", "[ui][curves]") {
    const ShownCurves shown;
    shown.page->setGroupSeeds(false);
    CHECK(shown.page->loaded().content.series.size() == 13);
    CHECK(shown.rowOf("Kerple, seed 2") >= 0);
    CHECK(shown.rowOf("Kerple") < 0);
    CHECK(shown.rowOf("RoPE") >= 0);
    CHECK_FALSE(shown.session->settings().value(QStringLiteral("curves/groupSeeds")).toBool());
}

TEST_CASE("loss by position is of the chosen protocol and says of which length", "[ui][curves]") {
    const ShownCurves shown;
    shown.page->setMode(CurvesMode::position);
    CHECK(shown.page->loaded().content.xLabel == QStringLiteral("position in texts of 16,384 tokens"));
    CHECK(shown.rowOf("ALiBi") >= 0);
    shown.page->setProtocol("sliding");
    CHECK(shown.page->loaded().content.series.empty());
    shown.session->evaluateRuns({shown.keyOf("ALiBi")}, [] {
        lw::EvaluationSpec spec;
        spec.protocol = "sliding";
        return spec;
    }());
    REQUIRE(eventually([&] { return shown.page->loaded().content.series.size() == 1; }));
}

TEST_CASE("without the table the plot takes its room", "[ui][curves]") {
    const ShownCurves shown;
    const auto* plot = shown.page->findChild<CurvePlot*>(QStringLiteral("curvePlot"));
    const auto reach = [&] { return plot->mapTo(shown.page.get(), QPoint(0, plot->height())).y(); };
    REQUIRE(eventually([&] { return reach() < shown.page->height() - 100; }));
    for (const CurvesMode mode : {CurvesMode::position, CurvesMode::training}) {
        shown.page->setMode(mode);
        CHECK(eventually([&] { return reach() > shown.page->height() - 40; }));
        CHECK(eventually([&] { return plot->findChild<QCustomPlot*>()->axisRect()->bottom() > plot->height() - 60; }));
    }
    shown.page->setMode(CurvesMode::perplexity);
    CHECK(eventually([&] { return reach() < shown.page->height() - 100; }));
}

TEST_CASE("seeds of one recipe are one line by position too, with a band, and each has its own when asked for", "[ui][curves]") {
    const ShownCurves shown;
    shown.page->setMode(CurvesMode::position);
    for (const bool beyond : {false, true}) {
        CAPTURE(beyond);
        shown.page->setBeyond(beyond);
        const CurvesLoaded& loaded = shown.page->loaded();
        REQUIRE(loaded.beyond == beyond);
        CHECK(loaded.content.series.size() == 9);
        const int mean = shown.rowOf("Kerple"), alone = shown.rowOf("ALiBi");
        REQUIRE(mean >= 0);
        REQUIRE(alone >= 0);
        CHECK(loaded.content.series[static_cast<std::size_t>(mean)].hasIntervals());
        CHECK_FALSE(loaded.content.series[static_cast<std::size_t>(alone)].hasIntervals());
        CHECK(loaded.set.lines[static_cast<std::size_t>(mean)].seeds == 3);
        CHECK(loaded.missing.isEmpty());
        CHECK(contentCsv(loaded.content).find("Kerple low") != std::string::npos);
    }
    shown.page->setGroupSeeds(false);
    CHECK(shown.page->loaded().content.series.size() == 13);
    CHECK(shown.rowOf("Kerple, seed 3") >= 0);
    CHECK(shown.rowOf("Kerple") < 0);
}

TEST_CASE("the bold line by position is the one with the current run among its seeds", "[ui][curves]") {
    const ShownCurves shown;
    shown.page->setMode(CurvesMode::position);
    shown.session->setCurrentRun(QStringLiteral("/fake/demo/kerple-s3"));
    const int mean = shown.rowOf("Kerple");
    REQUIRE(mean >= 0);
    for (std::size_t s = 0; s < shown.page->loaded().content.series.size(); ++s) CHECK(shown.page->loaded().content.series[s].bold == (static_cast<int>(s) == mean));
}

TEST_CASE("a new evaluation of all seeds of a demo run changes their common line", "[ui][curves]") {
    const ShownCurves shown;
    shown.page->setProtocol("sliding");
    CHECK(shown.page->loaded().content.series.empty());
    QStringList keys;
    for (const RunEntry& run : shown.session->runs())
        if (run.title() == QStringLiteral("Kerple")) keys << run.key;
    REQUIRE(keys.size() == 3);
    lw::EvaluationSpec spec;
    spec.protocol = "sliding";
    shown.session->evaluateRuns(keys, spec);
    REQUIRE(eventually([&] { return shown.page->loaded().set.lines.size() == 1 && shown.page->loaded().set.lines[0].seeds == 3; }));
}

TEST_CASE("a marker leads to the maps by a double-click and the empty ground shows everything", "[ui][curves]") {
    const ShownCurves shown;
    const QSignalSpy pages(shown.session.get(), &Session::pageRequested);
    auto* plot = shown.page->findChild<CurvePlot*>(QStringLiteral("curvePlot"));
    Q_EMIT plot->lengthActivated(shown.rowOf("RoPE"), 1024);
    CHECK(pages.size() == 1);
    CHECK(shown.session->length() == 1024);
    CHECK(shown.session->currentRun()->title() == QStringLiteral("RoPE"));
}

TEST_CASE("Enter in the table chooses the length of its cell", "[ui][curves]") {
    const ShownCurves shown;
    auto* table = shown.page->findChild<QTableView*>(QStringLiteral("curvesTable"));
    table->setCurrentIndex(table->model()->index(shown.rowOf("RoPE"), 3));
    Q_EMIT table->activated(table->currentIndex());
    CHECK(shown.session->length() == 512);
    CHECK(shown.session->currentRun()->title() == QStringLiteral("RoPE"));
}

TEST_CASE("the kind of curve and the intervals are as they were left", "[ui][curves]") {
    const ShownCurves shown;
    shown.page->setMode(CurvesMode::training);
    auto* plot = shown.page->findChild<CurvePlot*>(QStringLiteral("curvePlot"));
    plot->setIntervals(Intervals::bars);
    Q_EMIT plot->intervalsChanged();
    CurvesPage next(shown.session.get());
    next.setVisible(true);
    CHECK(eventually([&] { return next.loaded().mode == CurvesMode::training; }));
    CHECK(next.findChild<CurvePlot*>(QStringLiteral("curvePlot"))->intervals() == Intervals::bars);
}

TEST_CASE("published values are faint markers that are no rows and no part of a comparison", "[ui][curves]") {
    const std::vector<lw::PublishedSet> sets = lw::published_sets();
    REQUIRE_FALSE(sets.empty());
    for (const lw::PublishedSet& set : sets) CHECK(publishedWords(set).contains(QStringLiteral("Stated in the paper's text: last 256 tokens")));
    const ShownCurves shown;
    const auto own = static_cast<std::size_t>(shown.model()->rowCount());
    shown.page->setPublished(sets.front().id);
    const CurvesLoaded& loaded = shown.page->loaded();
    REQUIRE(loaded.content.series.size() == own + sets.front().series.size());
    CHECK(loaded.set.lines.size() == own);
    CHECK(shown.model()->rowCount() == static_cast<int>(own));
    CHECK_FALSE(loaded.content.series.back().line);
    CHECK(loaded.content.series.back().faint);
    CHECK(loaded.lineRun.back() == -1);
}

TEST_CASE("linear and log are kept per kind of curve", "[ui][curves]") {
    const ShownCurves shown;
    auto* scale = shown.page->findChild<Segmented*>(QStringLiteral("curvesScale"));
    const auto* plot = shown.page->findChild<CurvePlot*>(QStringLiteral("curvePlot"));
    REQUIRE(scale);
    CHECK(plot->logY());
    shown.page->setMode(CurvesMode::training);
    CHECK(eventually([&] { return shown.page->loaded().mode == CurvesMode::training; }));
    CHECK_FALSE(plot->logY());
    shown.page->setMode(CurvesMode::perplexity);
    CHECK(eventually([&] { return shown.page->loaded().mode == CurvesMode::perplexity; }));
    CHECK(plot->logY());
    QTest::mouseClick(scale->button(0), Qt::LeftButton);
    CHECK_FALSE(plot->logY());
    CHECK(shown.session->settings().value(QStringLiteral("curves/logPerplexity")).toBool() == false);
}

TEST_CASE("loss by position and against step use the same runs and colours", "[ui][curves]") {
    const ShownCurves shown;
    std::map<QString, int> styles;
    for (const CurveSeries& series : shown.page->loaded().content.series) styles[series.title] = series.style;
    for (const CurvesMode mode : {CurvesMode::position, CurvesMode::training}) {
        shown.page->setMode(mode);
        REQUIRE(eventually([&] { return shown.page->loaded().mode == mode; }));
        REQUIRE_FALSE(shown.page->loaded().content.series.empty());
        for (const CurveSeries& series : shown.page->loaded().content.series)
            if (!series.title.isEmpty()) CHECK(styles.at(series.title.section(QStringLiteral(", seed"), 0, 0)) == series.style);
    }
}

TEST_CASE("losses beyond the training length are counted from it", "[ui][curves]") {
    const ShownCurves shown;
    const auto* origin = shown.page->findChild<Segmented*>(QStringLiteral("curvesOrigin"));
    REQUIRE(origin);
    CHECK_FALSE(origin->isVisible());
    shown.page->setMode(CurvesMode::position);
    CHECK(origin->isVisible());
    QTest::mouseClick(origin->button(1), Qt::LeftButton);
    REQUIRE(eventually([&] { return shown.page->loaded().beyond; }));
    const CurveContent& content = shown.page->loaded().content;
    REQUIRE_FALSE(content.series.empty());
    for (const CurveSeries& series : content.series) CHECK(series.x.front() == 1);
    CHECK(content.xLabel.contains(QStringLiteral("L = 128")));
    CHECK(content.marks.empty());
    CHECK(shown.page->loaded().older.isEmpty());
    CurvesPage next(shown.session.get());
    CHECK(next.findChild<Segmented*>(QStringLiteral("curvesOrigin"))->current() == 1);
    shown.page->setMode(CurvesMode::perplexity);
    REQUIRE(eventually([&] { return shown.page->loaded().mode == CurvesMode::perplexity; }));
    CHECK_FALSE(shown.page->loaded().beyond);
    CHECK_FALSE(origin->isVisible());
}

TEST_CASE("evaluations made before losses beyond L were kept say so and how to get them", "[ui][curves]") {
    const ShownCurves shown;
    const auto forget = [](const std::string& title) {
        const std::lock_guard lock(lw::fake::state().mutex);
        lw::fake::state().without_boundary.insert(title);
    };
    forget("ALiBi");
    shown.page->setMode(CurvesMode::position);
    shown.page->setBeyond(true);
    REQUIRE(eventually([&] { return !shown.page->loaded().older.isEmpty(); }));
    CHECK_FALSE(shown.page->loaded().content.series.empty());
    const auto* note = shown.page->findChild<QLabel*>(QStringLiteral("curvesNote"));
    CHECK(note->text().contains(QStringLiteral("ALiBi")));
    CHECK(note->text().contains(QStringLiteral("measure them again")));
    for (const RunEntry& run : shown.session->runs()) forget(run.info.title);
    shown.page->setBeyond(true);
    REQUIRE(eventually([&] { return shown.page->loaded().content.series.empty(); }));
    bool said = false;
    for (const QLabel* label : shown.page->findChildren<QLabel*>()) said = said || (label->isVisible() && label->text().contains(QStringLiteral("Measure these runs again")));
    CHECK(said);
    CHECK_FALSE(shown.page->canExport());
}

TEST_CASE("an evaluation lacks losses beyond L only where it could have had some", "[ui][curves]") {
    lw::Evaluation evaluation;
    CHECK_FALSE(lw::lacks_boundary_loss(evaluation, 128));
    evaluation.points.resize(1);
    evaluation.points[0].length = 256;
    CHECK_FALSE(lw::lacks_boundary_loss(evaluation, 128));  // no losses by position at all
    evaluation.position_loss = {3};
    CHECK(lw::lacks_boundary_loss(evaluation, 128));
    CHECK_FALSE(lw::lacks_boundary_loss(evaluation, 256));
    evaluation.boundary_loss = {3};
    CHECK_FALSE(lw::lacks_boundary_loss(evaluation, 128));
}

TEST_CASE("without a ticked run the page says what to do and has the button for it", "[ui][curves]") {
    const ShownCurves shown;
    shown.session->setShownOnly({});
    auto* button = shown.page->findChild<QPushButton*>(QStringLiteral("emptyStateButton"));
    REQUIRE(button);
    REQUIRE(eventually([&] { return button->isVisible(); }));
    CHECK_FALSE(shown.page->canExport());
    QTest::mouseClick(button, Qt::LeftButton);
    CHECK(eventually([&] { return !shown.page->loaded().content.series.empty() && shown.page->canExport(); }));
}

TEST_CASE("a fresh evaluation that is not saved yet is drawn", "[ui][curves]") {
    lw::CurveSet set;
    set.missing = {"RoPE"};
    CurvesRequest request;
    request.runs.push_back({QStringLiteral("rope"), "/runs/rope-s1", "/runs/rope-s1", "rope-s1", QStringLiteral("RoPE"), {}, 2, 128, 1, false});
    lw::Evaluation fresh;
    fresh.protocol.protocol = "last-k";
    fresh.run = "rope-s1";
    fresh.points.resize(2);
    fresh.points[0].length = 128;
    fresh.points[0].perplexity = 27;
    fresh.points[1].length = 256;
    fresh.points[1].perplexity = 60;
    request.fresh = {{QStringLiteral("rope"), fresh}};
    mergeFresh(set, request);
    REQUIRE(set.lines.size() == 1);
    CHECK(set.lines[0].value == std::vector<double>{27, 60});
    CHECK(set.missing.empty());

    set.lines[0].seeds = 3;
    set.lines[0].value = {1, 2};
    mergeFresh(set, request);
    CHECK(set.lines[0].value == std::vector<double>{1, 2});

    request.protocol = "sliding";
    set.lines.clear();
    mergeFresh(set, request);
    CHECK(set.lines.empty());
}
