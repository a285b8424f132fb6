/// The Curves page on the fake laboratory.
#include "tests/ui/ui_support.h"
#include "ui/pages/curves_evaluate.h"
#include "ui/pages/curves_page.h"
#include "ui/pages/curves_table.h"
#include "ui/plot/curve_plot.h"
#include "ui/plot/segmented.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

using namespace lw::ui;
using lw::test::eventually;
using lw::test::SessionFixture;

namespace {

struct ShownCurves : SessionFixture {
    ShownCurves() {
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

TEST_CASE("the test against a reference stands in the last column at the chosen length", "[ui][curves]") {
    const ShownCurves shown;
    shown.page->setReference(QStringLiteral("Kerple"));
    shown.page->selectLength(2048, 0);
    const auto* table = shown.page->findChild<QTableView*>(QStringLiteral("curvesTable"));
    REQUIRE(eventually([&] { return table->model()->headerData(table->model()->columnCount() - 1, Qt::Horizontal).toString() == QStringLiteral("p against Kerple, 2,048"); }));
    CHECK(table->model()->index(0, table->model()->columnCount() - 1).data().toString() == QStringLiteral("0.004"));
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
            if (!series.title.isEmpty()) CHECK(styles.at(series.title) == series.style);
    }
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
    request.runs.push_back({"/runs/rope-s1", "rope-s1", QStringLiteral("RoPE"), {}, 2, 128, false});
    lw::Evaluation fresh;
    fresh.protocol.protocol = "last-k";
    fresh.run = "rope-s1";
    fresh.points.resize(2);
    fresh.points[0].length = 128;
    fresh.points[0].perplexity = 27;
    fresh.points[1].length = 256;
    fresh.points[1].perplexity = 60;
    request.fresh = {fresh};
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

TEST_CASE("the evaluation dialog gives back what it was given and what was ticked", "[ui][curves]") {
    lw::EvaluationSpec start;
    start.protocol = "sliding";
    start.lengths = {128, 1024};
    start.documents = 7;
    EvaluateDialog dialog(start, {QStringLiteral("RoPE"), QStringLiteral("ALiBi")}, {}, nullptr);
    CHECK(dialog.choice().spec.protocol == "sliding");
    CHECK(dialog.choice().spec.lengths == start.lengths);
    CHECK(dialog.choice().spec.documents == 7);
    CHECK_FALSE(dialog.choice().onlyMissing);
    auto* box = dialog.findChild<QAbstractButton*>(QStringLiteral("length4096"));
    REQUIRE(box);
    box->click();
    CHECK(dialog.choice().spec.lengths == std::vector<std::int64_t>{128, 1024, 4096});
    for (const QString& id : protocolIds()) CHECK_FALSE(protocolHelp(id).isEmpty());
}
