/// Names of lines in one column at the right, and whose intervals are drawn.
#include "ui/plot/curve_plot.h"
#include "ui/plot/export_dialog.h"
#include "ui/plot/qcp.h"
#include "ui/plot/segmented.h"
#include "ui/theme.h"

#include <QApplication>
#include <QTest>

#include <catch2/catch.hpp>

#include <set>

using namespace lw::ui;

namespace {

/// Lines that lie close together and end at different lengths.
CurveContent crowded(int lines, const QString& name = QStringLiteral("Run %1")) {
    CurveContent content;
    for (int l = 0; l < lines; ++l) {
        CurveSeries series;
        series.title = name.contains(QStringLiteral("%1")) ? name.arg(l) : name;
        series.style = l;
        const int points = 3 + l % 4;
        for (int p = 0; p < points; ++p) {
            series.x.push_back(128 << p);
            series.y.push_back(30 + 0.1 * l + p);
            series.low.push_back(series.y.back() - 1);
            series.high.push_back(series.y.back() + 1);
        }
        content.series.push_back(series);
    }
    return content;
}

void checkApart(const std::vector<QRectF>& rects, const QRectF& within) {
    std::set<double> edges;
    for (std::size_t i = 0; i < rects.size(); ++i) {
        edges.insert(rects[i].left());
        CHECK(within.contains(rects[i]));
        for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(rects[i].adjusted(0, 0.01, 0, -0.01).intersects(rects[j]));
    }
    CHECK(edges.size() <= 1);
}

}  // namespace

TEST_CASE("a plot that had its content before it had its size has room for whole names", "[ui][plot]") {
    CurvePlot plot;
    const QString name = QStringLiteral("DAPE-Kerple, associative recall, seed 1");
    plot.resize(160, 120);
    plot.setContent(crowded(1, name));
    plot.resize(900, 500);
    plot.show();
    REQUIRE(QTest::qWaitForWindowExposed(&plot));
    plot.findChild<QCustomPlot*>()->replot();
    REQUIRE(plot.labelRects().size() == 1);
    CHECK(plot.labelRects().front().width() >= QFontMetrics(theme::caption()).horizontalAdvance(name));
}

TEST_CASE("names at the line ends stand in one column, apart from each other and inside the plot", "[ui][plot]") {
    for (const QSize size : {QSize(900, 500), QSize(500, 260), QSize(260, 170)})
        for (const int lines : {1, 4, 9, 14}) {
            CurvePlot plot;
            plot.resize(size);
            plot.show();
            REQUIRE(QTest::qWaitForWindowExposed(&plot));
            plot.setContent(crowded(lines));
            plot.fit();
            plot.findChild<QCustomPlot*>()->replot();  // names are placed when the axes have been laid out
            const auto rects = plot.labelRects();
            CHECK(rects.size() >= std::min<std::size_t>(static_cast<std::size_t>(lines), 4));
            checkApart(rects, QRectF(plot.rect()));
        }
}

TEST_CASE("long names are shortened rather than the plot, also in a figure that was never shown", "[ui][plot]") {
    CurvePlot plot;
    plot.setFixedTheme(PlotTheme::forExport(false));
    plot.setContent(crowded(9, QStringLiteral("RoPE (base 500,000) + Kerple + Self-Extend %1")));
    const QSize size(600, 380);
    QImage picture(size, QImage::Format_RGB32);
    QCPPainter painter(&picture);
    plot.render(painter, size);
    const auto rects = plot.labelRects();
    REQUIRE(rects.size() == 9);
    checkApart(rects, QRectF(QPointF(0, 0), size));
    CHECK(rects.front().left() >= 0.55 * size.width());
}

TEST_CASE("among many lines only the selected one and the one under the mouse have their bands", "[ui][plot]") {
    CurvePlot plot;
    plot.resize(800, 500);
    plot.setIntervals(Intervals::few);
    plot.setContent(crowded(4));
    for (std::size_t s = 0; s < 4; ++s) CHECK(plot.intervalsShown(s));
    CurveContent many = crowded(6);
    many.series[2].bold = true;
    plot.setContent(many);
    plot.show();
    REQUIRE(QTest::qWaitForWindowExposed(&plot));
    plot.grab();
    for (std::size_t s = 0; s < 6; ++s) CHECK(plot.intervalsShown(s) == (s == 2));
    const QPointF at = plot.pixelOf(128, many.series[5].y[0]);
    auto* canvas = plot.findChild<QCustomPlot*>();
    QMouseEvent move(QEvent::MouseMove, at, canvas->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(canvas, &move);
    CHECK(plot.intervalsShown(5));
    CHECK_FALSE(plot.intervalsShown(0));
    plot.hideReadOut();
    CHECK_FALSE(plot.intervalsShown(5));
    plot.setIntervals(Intervals::none);
    CHECK_FALSE(plot.intervalsShown(2));
}

TEST_CASE("the export dialog offers the intervals of curves that have some", "[ui][figure]") {
    FigureOptions start;
    start.path = "curves.pdf";
    const auto draw = [](const FigureOptions& options) -> FigureResult { return std::vector{options.path}; };
    CHECK(ExportDialog(start, draw).findChild<Segmented*>(QStringLiteral("exportBands")) == nullptr);
    start.ask_bands = start.few_bands = true;
    ExportDialog dialog(start, draw);
    auto* bands = dialog.findChild<Segmented*>(QStringLiteral("exportBands"));
    REQUIRE(bands);
    CHECK(dialog.options().few_bands);
    bands->setCurrent(0);
    CHECK_FALSE(dialog.options().bands);
    bands->setCurrent(2);
    CHECK(dialog.options().bands);
    CHECK_FALSE(dialog.options().few_bands);
}
