/// The curve plot under mouse and keys, offscreen.
#include "core/api/evaluation.h"
#include "ui/plot/curve_content.h"
#include "ui/plot/curve_plot.h"
#include "ui/plot/qcp.h"
#include "ui/plot/qcp_tickers.h"
#include "ui/plot/read_out.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QMimeData>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QTest>
#include <QWheelEvent>

#include <catch2/catch.hpp>

#include <cmath>
#include <optional>
#include <utility>

using namespace lw::ui;

namespace {

CurveContent content() {
    CurveContent c;
    c.trainLength = 128;
    CurveSeries flat{QStringLiteral("ALiBi"), 3, {128, 256, 512, 1024}, {26, 25.9, 25.8, 25.7}, {25, 25, 25, 25}, {27, 27, 27, 27}, true, false, false};
    CurveSeries steep = flat;
    steep.title = QStringLiteral("RoPE");
    steep.style = 2;
    steep.y = {27, 60, 130, 280};
    steep.low = {26, 58, 126, 270};
    steep.high = {28, 62, 134, 290};
    c.series = {steep, flat};
    return c;
}

}  // namespace

TEST_CASE("hovering the curves reads out all of them at the nearest length, best first", "[ui][plot]") {
    CurvePlot plot;
    plot.resize(700, 420);
    plot.setContent(content());
    plot.show();
    REQUIRE(QTest::qWaitForWindowExposed(&plot));
    plot.showReadOut(512, {300, 100});
    const auto* readOut = plot.findChild<ReadOut*>(QStringLiteral("curveReadOut"));
    REQUIRE(readOut);
    CHECK(readOut->isVisible());
    CHECK(readOut->heading() == QStringLiteral("T = 512 = 4 L"));
    REQUIRE(readOut->rows().size() == 2);
    CHECK(readOut->rows()[0].label == QStringLiteral("ALiBi"));
    CHECK(readOut->rows()[0].value == QStringLiteral("26"));
    CHECK(readOut->rows()[1].extra == QStringLiteral("[126, 134]"));
    CHECK(plot.rect().contains(readOut->geometry()));
    plot.hideReadOut();
    CHECK_FALSE(readOut->isVisible());
}

TEST_CASE("arrow keys step through the lengths and Return chooses one", "[ui][plot]") {
    CurvePlot plot;
    plot.resize(700, 420);
    plot.setContent(content());
    plot.show();
    REQUIRE(QTest::qWaitForWindowExposed(&plot));
    const QSignalSpy hovered(&plot, &CurvePlot::hovered);
    const QSignalSpy chosen(&plot, &CurvePlot::lengthClicked);
    QTest::keyClick(&plot, Qt::Key_Right);
    QTest::keyClick(&plot, Qt::Key_Right);
    QTest::keyClick(&plot, Qt::Key_Return);
    REQUIRE(hovered.size() == 2);
    REQUIRE(chosen.size() == 1);
    CHECK(chosen[0][1].toDouble() == 256);
    CHECK(chosen[0][0].toInt() == -1);  // a length was meant, no line
}

TEST_CASE("a click on the curves names the line and the length that are nearest", "[ui][plot]") {
    CurvePlot plot;
    plot.resize(700, 420);
    plot.setContent(content());
    plot.show();
    REQUIRE(QTest::qWaitForWindowExposed(&plot));
    plot.grab();  // lays out
    const QSignalSpy chosen(&plot, &CurvePlot::lengthClicked);
    QWidget* inner = plot.childAt(300, 200);
    REQUIRE(inner);
    QTest::mouseClick(inner, Qt::LeftButton, {}, QPoint(570, 30));
    REQUIRE(chosen.size() == 1);
    CHECK(chosen[0][0].toInt() == 0);
    CHECK(chosen[0][1].toDouble() == 1024);
}

TEST_CASE("the copied table of the curves has every drawn number", "[ui][plot]") {
    CurvePlot plot;
    plot.setContent(content());
    const QStringList lines = plot.tableText().split(QLatin1Char('\n'));
    REQUIRE(lines.size() == 5);
    CHECK(lines[0].endsWith(QStringLiteral("RoPE\tRoPE low\tRoPE high\tALiBi\tALiBi low\tALiBi high")));
    CHECK(lines[3] == QStringLiteral("512\t130\t126\t134\t25.8\t25\t27"));
}

TEST_CASE("names in a table are quoted where they must be, and never empty or twice", "[ui][plot]") {
    CurveContent c = content();
    c.xLabel = QStringLiteral("length T (tokens)");
    c.series[0].title = QStringLiteral("RoPE (base 500,000)");
    c.series[1].title.clear();
    c.series.push_back(c.series[0]);
    const QStringList header = QString::fromStdString(contentCsv(c)).section(QLatin1Char('\n'), 0, 0).split(QStringLiteral(",\""));
    CHECK(header.size() >= 4);
    CHECK(QString::fromStdString(contentCsv(c)).contains(QStringLiteral("\"RoPE (base 500,000)\"")));
    const auto names = seriesNames(c);
    CHECK(names[1] == QStringLiteral("line 2"));
    CHECK(names[2] != names[0]);
}

TEST_CASE("new numbers keep the part a person zoomed into", "[ui][plot]") {
    CurvePlot plot;
    plot.resize(700, 420);
    plot.setContent(content());
    plot.show();
    REQUIRE(QTest::qWaitForWindowExposed(&plot));
    plot.grab();
    const QRectF all = plot.shownRange();
    QWidget* inner = plot.childAt(300, 200);
    QWheelEvent wheel(QPointF(300, 200), inner->mapToGlobal(QPointF(300, 200)), {}, {0, 240}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(inner, &wheel);
    const QRectF zoomed = plot.shownRange();
    REQUIRE(zoomed.width() < all.width());
    CurveContent more = content();
    more.series[0].x.push_back(2048);
    more.series[0].y.push_back(600);
    more.series[0].low.push_back(590);
    more.series[0].high.push_back(610);
    plot.setContent(more);
    CHECK(plot.shownRange() == zoomed);
    plot.fit();
    CHECK(plot.shownRange().right() > all.right());
}

TEST_CASE("a double-click on a marker names it, elsewhere it shows everything", "[ui][plot]") {
    CurvePlot plot;
    plot.resize(700, 420);
    plot.setContent(content());
    plot.show();
    REQUIRE(QTest::qWaitForWindowExposed(&plot));
    plot.grab();
    const QSignalSpy activated(&plot, &CurvePlot::lengthActivated);
    QWidget* inner = plot.childAt(300, 200);
    QTest::mouseDClick(inner, Qt::LeftButton, {}, plot.pixelOf(512, 130).toPoint());
    REQUIRE(activated.size() == 1);
    CHECK(activated[0][0].toInt() == 0);
    CHECK(activated[0][1].toDouble() == 512);
    QTest::mouseDClick(inner, Qt::LeftButton, {}, QPoint(300, 60));
    CHECK(activated.size() == 1);
}

TEST_CASE("a plot that was never shown has as many numbers on its axes as its size asks for", "[ui][plot]") {
    CurvePlot plot;
    plot.setContent(content());
    QSvgGenerator generator;
    QBuffer buffer;
    generator.setOutputDevice(&buffer);
    generator.setSize(QSize(900, 700));
    {
        QCPPainter painter;
        painter.begin(&generator);
        plot.render(painter, QSize(900, 700));
    }
    const QString svg = QString::fromUtf8(buffer.data());
    for (const char* tick : {"50", "100", "200"}) CHECK(svg.contains(QStringLiteral(">%1<").arg(QLatin1String(tick))));
}

TEST_CASE("an empty plot has no numbers on its axes", "[ui][plot]") {
    CurvePlot plot;
    plot.resize(500, 300);
    CurveContent none;
    none.xLabel = QStringLiteral("step");
    plot.setContent(none);
    plot.show();
    REQUIRE(QTest::qWaitForWindowExposed(&plot));
    QSvgGenerator generator;
    QBuffer buffer;
    generator.setOutputDevice(&buffer);
    {
        QCPPainter painter;
        painter.begin(&generator);
        plot.render(painter, plot.size());
    }
    CHECK(buffer.data().contains("step"));
    CHECK_FALSE(QRegularExpression(QStringLiteral(">[0-9]")).match(QString::fromUtf8(buffer.data())).hasMatch());
}

TEST_CASE("a copied plot is there as pixels, as vectors and as numbers", "[ui][plot]") {
    CurvePlot plot;
    plot.resize(400, 300);
    plot.setContent(content());
    plot.copyToClipboard();
    const QMimeData* mime = QApplication::clipboard()->mimeData();
    CHECK(mime->hasImage());
    CHECK(mime->data(QStringLiteral("image/svg+xml")).contains("<svg"));
    CHECK(mime->text().contains(QStringLiteral("ALiBi")));
}

TEST_CASE("numbers of lengths never touch, however narrow the axis is", "[ui][plot]") {
    for (const double width : {40.0, 90.0, 160.0, 400.0, 900.0}) {
        const auto ticker = lengthTicker([width] { return width; }, [](const QString& text) { return static_cast<int>(text.size()) * 7; });
        QVector<double> ticks;
        QVector<QString> labels;
        ticker->generate(QCPRange(120, 17000), QLocale::c(), QLatin1Char('f'), 0, ticks, nullptr, &labels);
        REQUIRE_FALSE(ticks.isEmpty());
        const double octave = width / std::log2(17000.0 / 120);
        for (qsizetype i = 1; i < ticks.size(); ++i)
            CHECK(octave * std::log2(ticks[i] / ticks[i - 1]) >= static_cast<double>(labels[i].size() + labels[i - 1].size()) * 3.5 + 4);
        if (width > 800) CHECK(ticks.size() == 8);
    }
}

TEST_CASE("markers at both ends lie whole inside the axes at any width", "[ui][plot]") {
    for (const int width : {320, 900}) {
        CurvePlot plot;
        plot.setContent(content());
        QImage picture(width, 226, QImage::Format_RGB32);
        QCPPainter painter(&picture);
        plot.render(painter, picture.size());
        auto* inner = plot.findChild<QCustomPlot*>();
        REQUIRE(inner);
        CHECK(plot.pixelOf(1024, 26).x() <= inner->axisRect()->right() - 4);
        CHECK(plot.pixelOf(128, 26).x() >= inner->axisRect()->left() + 4);
    }
}

TEST_CASE("names of training lengths stand above the axes, one below the other", "[ui][plot]") {
    CurveContent c = content();
    c.marks = {{128, QStringLiteral("trained at L = 128")}, {256, QStringLiteral("trained at L = 256")}};
    CurvePlot plot;
    plot.setContent(c);
    QImage picture(320, 226, QImage::Format_RGB32);
    QCPPainter painter(&picture);
    plot.render(painter, picture.size());
    auto* inner = plot.findChild<QCustomPlot*>();
    std::vector<QRectF> names;
    for (int i = 0; i < inner->itemCount(); ++i)
        if (auto* text = qobject_cast<QCPItemText*>(inner->item(i)); text != nullptr && text->text().startsWith(QStringLiteral("trained"))) names.push_back({text->topLeft->pixelPosition(), text->bottomRight->pixelPosition()});
    REQUIRE(names.size() == 2);
    CHECK_FALSE(names[0].intersects(names[1]));
    for (const QRectF& name : names) {
        CHECK(name.bottom() <= inner->axisRect()->top());
        CHECK(name.top() >= 0);
        CHECK(name.right() <= picture.width());
    }
}

TEST_CASE("a figure that was never shown wastes no room beyond its first and last length", "[ui][plot]") {
    CurveContent c = content();
    CurvePlot plot;
    plot.setContent(c);
    QImage picture(900, 600, QImage::Format_RGB32);
    QCPPainter painter(&picture);
    plot.render(painter, picture.size());
    const QCPAxis* axis = plot.findChild<QCustomPlot*>()->xAxis;
    const auto& first = c.series.front().x;
    CHECK(axis->coordToPixel(first.front()) - axis->axisRect()->left() < 30);
    CHECK(axis->axisRect()->right() - axis->coordToPixel(first.back()) < 30);
}

TEST_CASE("an axis of shares has a number every fifth at most, however high the plot is", "[ui][plot]") {
    CurveContent shares = content();
    for (CurveSeries& series : shares.series) series.y = {1, 0.9, 0.62, 0.4}, series.low.clear(), series.high.clear();
    shares.yRange = {0, 1};
    CurvePlot plot;
    plot.setContent(shares);
    plot.setLogY(false);
    plot.show();
    REQUIRE(QTest::qWaitForWindowExposed(&plot));
    for (const int height : {160, 420, 1200}) {
        plot.resize(700, height);
        auto* drawn = plot.findChild<QCustomPlot*>();
        drawn->replot();
        const QVector<double> ticks = drawn->yAxis->tickVector();
        CAPTURE(height);
        REQUIRE(ticks.size() >= 2);
        CHECK(ticks.size() <= 6);
        CHECK(ticks.first() == 0);
        CHECK(ticks.last() == Approx(1));
    }
}

TEST_CASE("accuracies of a task are drawn from 0 to 1", "[ui][plot]") {
    lw::CurveSet set;
    CHECK_FALSE(curveContent(set).yRange.has_value());
    set.protocol = "task";
    CHECK(curveContent(set).yRange == std::optional(std::pair(0.0, 1.0)));
}
