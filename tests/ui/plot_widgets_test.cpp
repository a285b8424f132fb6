/// Maps, pictures of heads and rows under mouse and keys, offscreen.
#include "ui/plot/heat_map.h"
#include "ui/plot/head_rows.h"
#include "ui/plot/profile_plot.h"
#include "ui/plot/read_out.h"
#include "ui/plot/segmented.h"
#include "ui/plot/thumbnail_grid.h"
#include "ui/theme.h"
#include "ui/plot/profile_painter.h"
#include "ui/plot/number_text.h"

#include <QApplication>
#include <QClipboard>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <catch2/catch.hpp>

#include <cmath>

using namespace lw::ui;

namespace {

void moveMouse(QWidget* widget, QPointF at, Qt::MouseButtons buttons = Qt::NoButton) {
    QMouseEvent event(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, buttons, Qt::NoModifier);
    QApplication::sendEvent(widget, &event);
}

lw::MapTile tile(std::int64_t n) {
    lw::MapTile t;
    t.queries = t.keys = {0, n};
    t.rows = t.columns = n;
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j) t.values.push_back(j > i ? std::nanf("") : static_cast<float>(i * 1000 + j));
    return t;
}

struct ShownMap {
    explicit ShownMap(std::int64_t cells) {
        map.resize(500, 460);
        map.setTitle(QStringLiteral("Layer 0, head 0"));
        map.setCells(cells, cells);
        map.show();
        REQUIRE(QTest::qWaitForWindowExposed(&map));
    }
    [[nodiscard]] QPointF pixel(double fx, double fy) const {
        const QRectF& a = map.geometryOfCells().area;
        return {a.left() + fx * a.width(), a.top() + fy * a.height()};
    }
    HeatMap map;
};

}  // namespace

TEST_CASE("pixels that stand for several cells are read where they are drawn", "[ui][plot]") {
    ShownMap shown(10);
    lw::MapTile coarse;
    coarse.queries = coarse.keys = {0, 10};
    coarse.rows = coarse.columns = 3;
    coarse.cells_per_row = coarse.cells_per_column = 4;
    for (int i = 0; i < 9; ++i) coarse.values.push_back(static_cast<float>(i));
    shown.map.setScale({ColourMapId::blueRed, 0, 8, false});
    shown.map.setDetail(coarse);
    CHECK(shown.map.valueAt({3, 0}) == 0);
    CHECK(shown.map.valueAt({4, 0}) == 3);
    CHECK(shown.map.valueAt({7, 7}) == 4);
    CHECK(shown.map.valueAt({8, 9}) == 8);
    // The picture agrees: cells 7 and 8 lie in pixels of different colour, 4 and 7 in one.
    const QImage picture = shown.map.grab().toImage();
    const auto colour = [&](double query) { return picture.pixel((shown.pixel(0.05, (query + 0.5) / 10) * picture.devicePixelRatio()).toPoint()); };
    CHECK(colour(4) == colour(7));
    CHECK(colour(7) != colour(8));
    CHECK(colour(3) != colour(4));
}

TEST_CASE("arrow keys move the crosshair and with Ctrl the map", "[ui][plot]") {
    ShownMap shown(512);
    const QSignalSpy hovered(&shown.map, &HeatMap::hovered);
    const QSignalSpy clicked(&shown.map, &HeatMap::cellClicked);
    shown.map.setFocus();
    QTest::keyClick(&shown.map, Qt::Key_Down);
    REQUIRE(shown.map.crosshair());
    const MapCell first = *shown.map.crosshair();
    QTest::keyClick(&shown.map, Qt::Key_Left);
    CHECK(shown.map.crosshair()->key < first.key);
    CHECK(hovered.size() == 2);
    QTest::keyClick(&shown.map, Qt::Key_Return);
    CHECK(clicked.size() == 1);
    QTest::keyClick(&shown.map, Qt::Key_Plus);
    const double before = shown.map.geometryOfCells().window.keyBegin;
    QTest::keyClick(&shown.map, Qt::Key_Right, Qt::ControlModifier);
    CHECK(shown.map.geometryOfCells().window.keyBegin > before);
}

TEST_CASE("arrow keys go through heads and keys", "[ui][plot]") {
    ThumbnailGrid grid;
    grid.setHeads(3, 4);
    grid.setSelected(1, 3);
    const QSignalSpy heads(&grid, &ThumbnailGrid::headClicked);
    QTest::keyClick(&grid, Qt::Key_Right);
    QTest::keyClick(&grid, Qt::Key_Down);
    REQUIRE(heads.size() == 2);
    CHECK(heads[0] == QVariantList{qint64{1}, qint64{0}});
    CHECK(heads[1] == QVariantList{qint64{2}, qint64{3}});

    HeadRows rows;
    std::vector<lw::RowProfile> profiles(4);
    for (std::size_t h = 0; h < profiles.size(); ++h) profiles[h].head = static_cast<std::int64_t>(h);
    rows.setRows(profiles, lw::ScorePart::bias);
    rows.setSelected(1);
    const QSignalSpy chosen(&rows, &HeadRows::headClicked);
    QTest::keyClick(&rows, Qt::Key_Right);
    REQUIRE(chosen.size() == 1);
    CHECK(chosen[0][0].toInt() == 2);
}

TEST_CASE("the map tells which cell is under the mouse", "[ui][plot]") {
    ShownMap shown(100);
    const QSignalSpy hovered(&shown.map, &HeatMap::hovered);
    const QSignalSpy left(&shown.map, &HeatMap::hoverLeft);
    moveMouse(&shown.map, shown.pixel(0.105, 0.755));
    REQUIRE(hovered.size() == 1);
    CHECK(hovered[0][0].toLongLong() == 75);
    CHECK(hovered[0][1].toLongLong() == 10);
    moveMouse(&shown.map, {2, 2});
    CHECK(left.size() == 1);
    CHECK_FALSE(shown.map.crosshair());
}

TEST_CASE("a click chooses a cell, a drag does not", "[ui][plot]") {
    ShownMap shown(100);
    const QSignalSpy clicked(&shown.map, &HeatMap::cellClicked);
    QTest::mouseClick(&shown.map, Qt::LeftButton, {}, shown.pixel(0.505, 0.805).toPoint());
    REQUIRE(clicked.size() == 1);
    CHECK(clicked[0][0].toLongLong() == 80);
    QTest::mousePress(&shown.map, Qt::LeftButton, {}, shown.pixel(0.5, 0.5).toPoint());
    moveMouse(&shown.map, shown.pixel(0.7, 0.7), Qt::LeftButton);
    QTest::mouseRelease(&shown.map, Qt::LeftButton, {}, shown.pixel(0.7, 0.7).toPoint());
    CHECK(clicked.size() == 1);
}

TEST_CASE("zooming and panning ask for what is seen, in whole cells", "[ui][plot]") {
    ShownMap shown(8192);
    const QSignalSpy view(&shown.map, &HeatMap::viewChanged);
    const QPointF middle = shown.pixel(0.5, 0.5);
    QWheelEvent wheel(middle, shown.map.mapToGlobal(middle), {}, {0, 120 * 8}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&shown.map, &wheel);
    REQUIRE(view.size() == 1);
    const auto queries = view[0][0].value<lw::CellRange>();
    CHECK(queries.size() < 2000);
    CHECK(queries.begin < 4096);
    CHECK(queries.end > 4096);
    CHECK(view[0][2].toSize().width() > 100);
    const double before = shown.map.geometryOfCells().window.keyBegin;
    QTest::mousePress(&shown.map, Qt::LeftButton, {}, middle.toPoint());
    moveMouse(&shown.map, middle + QPointF(60, 0), Qt::LeftButton);
    CHECK(view.size() == 2);
    CHECK(shown.map.geometryOfCells().window.keyBegin < before);
    QTest::mouseRelease(&shown.map, Qt::LeftButton, {}, middle.toPoint());
    QTest::mouseDClick(&shown.map, Qt::LeftButton, {}, middle.toPoint());
    CHECK(shown.map.geometryOfCells().showsAll());
}

TEST_CASE("a coarse tile stays under the finer one, each on its own cells", "[ui][plot]") {
    ShownMap shown(16);
    lw::MapTile coarse = tile(4);
    coarse.queries = coarse.keys = {0, 16};
    coarse.cells_per_row = coarse.cells_per_column = 4;
    coarse.sampled = true;
    shown.map.setScale({ColourMapId::blueRed, -1e4, 1e4, false});
    shown.map.setOverview(coarse);
    CHECK(shown.map.caption().contains(QStringLiteral("sampled")));
    CHECK(shown.map.valueAt({15, 0}) == 3000);
    lw::MapTile fine = tile(16);
    fine.queries = fine.keys = {8, 16};
    fine.rows = fine.columns = 8;
    fine.values.assign(64, 5.0F);
    shown.map.setDetail(fine);
    CHECK(shown.map.valueAt({15, 9}) == 5);
    CHECK(shown.map.valueAt({15, 0}) == 3000);
    CHECK(shown.map.caption().contains(QStringLiteral("every cell")));
}

TEST_CASE("masked cells look neutral on the screen, in light and dark", "[ui][plot]") {
    ShownMap shown(16);
    shown.map.setScale({ColourMapId::blueRed, -1e4, 1e4, false});
    shown.map.setDetail(tile(16));
    const QImage picture = shown.map.grab().toImage();
    const QColor masked = picture.pixelColor((shown.pixel(0.9, 0.1) * picture.devicePixelRatio()).toPoint());
    CHECK(masked.saturationF() < 0.15);
    CHECK(masked.rgb() == PlotTheme::fromPalette(shown.map.palette()).masked.rgb());
}

TEST_CASE("the map's numbers are copied with masked cells empty", "[ui][plot]") {
    ShownMap shown(2);
    shown.map.setDetail(tile(2));
    shown.map.copyToClipboard();
    CHECK(QApplication::clipboard()->text() == QStringLiteral("0\t\n1000\t1001\n"));
}

TEST_CASE("every head of a deep and wide model has its own picture, and a click finds it", "[ui][plot]") {
    ThumbnailGrid grid;
    grid.setHeads(24, 12);
    grid.resize(420, grid.heightForWidth(420));
    const QSignalSpy clicked(&grid, &ThumbnailGrid::headClicked);
    for (const auto& [layer, head] : {std::pair{0, 0}, {23, 11}, {7, 5}}) {
        const QRect at = grid.cell(layer, head);
        CHECK(grid.rect().contains(at));
        QTest::mouseClick(&grid, Qt::LeftButton, {}, at.center());
        CHECK(clicked.back()[0].toInt() == layer);
        CHECK(clicked.back()[1].toInt() == head);
    }
    CHECK(grid.cell(0, 0).width() == grid.cell(23, 11).width());
    CHECK_FALSE(grid.cell(3, 4).intersects(grid.cell(3, 5)));
    CHECK_FALSE(grid.cell(3, 4).intersects(grid.cell(4, 4)));
}

TEST_CASE("sorting by locality puts the most local head first", "[ui][plot]") {
    ThumbnailGrid grid;
    grid.setHeads(1, 3);
    grid.resize(300, 100);
    std::vector<lw::HeadMeasures> measures(3);
    for (std::size_t h = 0; h < 3; ++h) {
        measures[h].head = static_cast<std::int64_t>(h);
        measures[h].locality = h == 2 ? 0.9 : -0.1 * static_cast<double>(h);
    }
    grid.setMeasures(measures);
    grid.setSortedByLocality(true);
    CHECK(grid.cell(0, 2).left() < grid.cell(0, 0).left());
    CHECK(grid.cell(0, 0).left() < grid.cell(0, 1).left());
}

TEST_CASE("the row profile reads out every term at the key under the mouse", "[ui][plot]") {
    ProfilePlot plot;
    plot.resize(500, 200);
    lw::RowProfile row;
    row.query = 9;
    row.content.assign(10, 0.5F);
    row.bias.assign(10, -2.0F);
    row.adaptive.assign(10, 1.0F);
    row.probability.assign(10, 0.1F);
    plot.setRow(row, lw::ScorePart::bias_adaptive);
    plot.setKeyAxis(50, 350, 0, 10, 10);
    plot.show();
    const QSignalSpy hovered(&plot, &ProfilePlot::keyHovered);
    moveMouse(&plot, {50 + 30 * 3 + 15, 60});
    REQUIRE(hovered.size() == 1);
    CHECK(hovered[0][0].toInt() == 3);
    const auto* readOut = plot.findChild<ReadOut*>(QStringLiteral("profileReadOut"));
    REQUIRE(readOut);
    REQUIRE(readOut->rows().size() == 4);
    CHECK(readOut->heading().contains(QStringLiteral("distance 6")));
    CHECK(plot.lines().size() == 4);
    QTest::keyClick(&plot, Qt::Key_Right);
    CHECK(hovered.back()[0].toInt() == 4);
    plot.setRow(row, lw::ScorePart::probability);
    CHECK(plot.lines().size() == 1);
}

TEST_CASE("the row profile's axis is named in as many words as there is room for", "[ui][plot]") {
    ProfilePlot plot;
    lw::RowProfile row;
    row.query = 9;
    row.content.assign(10, 0.5F);
    plot.setRow(row, lw::ScorePart::bias_adaptive);
    plot.resize(500, 200);
    plot.setKeyAxis(50, 350, 0, 10, 10);
    CHECK(plot.keyTitle() == QStringLiteral("key position j (query i = 9)"));
    plot.resize(140, 200);
    plot.setKeyAxis(30, 90, 0, 10, 10);
    CHECK(plot.keyTitle().startsWith(QStringLiteral("key j")));
    plot.clear();
    plot.resize(500, 200);
    plot.setKeyAxis(50, 350, 0, 10, 10);
    CHECK(plot.keyTitle() == QStringLiteral("key position j"));
}

TEST_CASE("a segment tells when a person takes it and not when it is set", "[ui][plot]") {
    Segmented control;
    control.add(4, QStringLiteral("One"));
    control.add(7, QStringLiteral("Two"));
    const QSignalSpy chosen(&control, &Segmented::chosen);
    CHECK(control.current() == 4);
    control.setCurrent(7);
    CHECK(chosen.isEmpty());
    control.show();
    QTest::mouseClick(control.button(4), Qt::LeftButton);
    REQUIRE(chosen.size() == 1);
    CHECK(chosen[0][0].toInt() == 4);
}

TEST_CASE("captions of heads keep clear of the pictures and have room for their number at any width", "[ui][plot]") {
    for (const int width : {220, 320, 420, 600}) {
        ThumbnailGrid grid;
        grid.setHeads(4, 8);
        grid.resize(width, grid.heightForWidth(width));
        const QRect caption = grid.caption(1, 3);
        CHECK(caption.top() > grid.cell(1, 3).bottom() + 2);  // the selected frame reaches two pixels out
        CHECK(caption.width() >= 9 + QFontMetrics(theme::caption()).horizontalAdvance(QStringLiteral("7")) + 2 + QFontMetrics(theme::caption()).horizontalAdvance(signedText(-0.9, 1)));
        for (std::int64_t layer = 0; layer < 4; ++layer)
            for (std::int64_t head = 0; head < 8; ++head) CHECK_FALSE(caption.intersects(grid.cell(layer, head)));
        CHECK(grid.rect().contains(grid.caption(3, 7)));
    }
}

TEST_CASE("the name of the training distance never stands on the unit", "[ui][plot]") {
    ProfileView view;
    view.area = QRectF(50, 6, 300, 100);
    constexpr double width = 60, taken = 64, line = 14;
    CHECK(markPlace(view, 300, width, taken, line) == QPointF(235, 6));
    CHECK(markPlace(view, 150, width, taken, line) == QPointF(155, 6));
    CHECK(markPlace(view, 80, width, taken, line) == QPointF(85, 20));
    CHECK(markPlace(view, 80, width, 0, line) == QPointF(85, 6));
}
