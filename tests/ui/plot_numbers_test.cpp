/// Pure parts of the plots: ticks, labels, geometry, numbers and colours.
#include "ui/plot/axis_ticks.h"
#include "ui/plot/colour_map.h"
#include "ui/plot/map_geometry.h"
#include "ui/plot/map_painter.h"
#include "ui/plot/number_text.h"
#include "ui/plot/profile_painter.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace lw::ui;

TEST_CASE("linear ticks are round multiples inside the range", "[ui][plot]") {
    CHECK(linearTicks(0, 10, 5) == std::vector<double>{0, 2, 4, 6, 8, 10});
    CHECK(linearTicks(-1, 1, 4) == std::vector<double>{-1, -0.5, 0, 0.5, 1});
    CHECK(linearTicks(3, 3, 5).empty());
    for (const double tick : linearTicks(-7.3, 12.9, 6)) CHECK((tick >= -7.3 && tick <= 12.9));
}

TEST_CASE("log ticks are 1, 2 and 5 per decade while there is room", "[ui][plot]") {
    CHECK(logTicks(20, 1000, 12) == std::vector<double>{20, 50, 100, 200, 500, 1000});
    CHECK(logTicks(1, 1e6, 4).size() <= 5);
    CHECK(logTicks(0, 10, 5).empty());
    CHECK(logTicks(24, 27, 6) == linearTicks(24, 27, 6));
    for (const auto& [low, high] : {std::pair{15.0, 80.0}, {12.0, 95.0}, {2.1, 4.9}, {26.0, 58.0}})
        for (const int about : {1, 2, 3, 6}) CHECK(logTicks(low, high, about).size() >= 2);
}

TEST_CASE("positions are ticked at multiples of a power of two", "[ui][plot]") {
    CHECK(positionTicks(0, 8191, 4) == std::vector<double>{0, 2048, 4096, 6144});
    CHECK(positionTicks(10, 20, 6) == std::vector<double>{10, 12, 14, 16, 18, 20});
}

TEST_CASE("a map's axis names its last position where there is room", "[ui][plot]") {
    const auto ticks = mapTicks(0, 8192, 8192, 400, 50);
    CHECK(ticks.front() == 0);
    CHECK(ticks.back() == 8191);
    CHECK(std::is_sorted(ticks.begin(), ticks.end()));
    CHECK(mapTicks(100, 200, 8192, 400, 50).back() < 200);
}

TEST_CASE("limits of colours are round and not smaller than the value", "[ui][plot]") {
    CHECK(niceCeiling(5.2) == Approx(6));
    CHECK(niceCeiling(6) == Approx(6));
    CHECK(niceCeiling(0.011) == Approx(0.015));
    CHECK(niceCeiling(-1) == 1);
}

TEST_CASE("labels that would overlap move apart, keep their order and stay inside", "[ui][plot]") {
    const std::vector<double> wanted{50, 52, 51, 200};
    const auto placed = spreadLabels(wanted, 10, 0, 300);
    std::vector<double> sorted = placed;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 1; i < sorted.size(); ++i) CHECK(sorted[i] - sorted[i - 1] >= 10 - 1e-9);
    CHECK(placed[0] < placed[2]);
    CHECK(placed[2] < placed[1]);
    CHECK(placed[3] == 200);
    CHECK((placed[0] + placed[1] + placed[2]) / 3 == Approx(51));

    const auto low = spreadLabels({298, 299, 300}, 10, 0, 300);
    CHECK(low[2] == Approx(300));
    CHECK(low[0] == Approx(280));
    CHECK(spreadLabels({}, 10, 0, 100).empty());
}

namespace {

MapGeometry geometry(std::int64_t cells) {
    MapGeometry g;
    g.area = QRectF(50, 20, 400, 400);
    g.queries = g.keys = cells;
    g.fit();
    return g;
}

}  // namespace

TEST_CASE("a cell's own pixels lead back to the cell", "[ui][plot]") {
    MapGeometry g = geometry(8192);
    g.zoom({120, 300}, 37.5);
    for (const double fx : {0.01, 0.4, 0.99}) {
        for (const double fy : {0.02, 0.5, 0.98}) {
            const QPointF pixel(g.area.left() + fx * 400, g.area.top() + fy * 400);
            const auto cell = g.cellAt(pixel);
            REQUIRE(cell);
            const QRectF box = g.rect({cell->query, cell->query + 1}, {cell->key, cell->key + 1});
            CHECK(box.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(pixel));
        }
    }
    CHECK_FALSE(g.cellAt({49, 100}));
    CHECK_FALSE(g.cellAt({100, 421}));
}

TEST_CASE("the query axis runs downwards", "[ui][plot]") {
    const MapGeometry g = geometry(100);
    CHECK(g.y(0) < g.y(99));
    CHECK(g.cellAt({51, 21})->query == 0);
    CHECK(g.cellAt({51, 419})->query == 99);
}

TEST_CASE("zooming keeps the cell under the mouse there", "[ui][plot]") {
    MapGeometry g = geometry(1000);
    const QPointF mouse(300, 150);
    const double key = g.keyAt(mouse.x()), query = g.queryAt(mouse.y());
    g.zoom(mouse, 5);
    CHECK(g.keyAt(mouse.x()) == Approx(key));
    CHECK(g.queryAt(mouse.y()) == Approx(query));
    g.zoom(mouse, 1e9);
    CHECK(g.window.keyEnd - g.window.keyBegin == Approx(4));
    g.zoom(mouse, 1e-9);
    CHECK(g.showsAll());
}

TEST_CASE("panning stops at the map's edges", "[ui][plot]") {
    MapGeometry g = geometry(1000);
    g.zoom({250, 220}, 4);
    g.pan({1e6, -1e6});
    CHECK(g.window.keyBegin == 0);
    CHECK(g.window.queryEnd == Approx(1000));
    CHECK(g.visibleKeys().begin == 0);
    CHECK(g.visibleKeys().size() == 250);
    CHECK(g.visibleQueries().end == 1000);
}

TEST_CASE("the last pixel of a picture lies on its own cells", "[ui][plot]") {
    lw::MapTile tile;
    tile.queries = tile.keys = {10, 20};
    tile.rows = tile.columns = 3;
    tile.cells_per_row = tile.cells_per_column = 4;
    const MapLayer layer = mapLayer(tile, QImage(3, 3, QImage::Format_RGB32));
    CHECK(layer.queryEnd == 22);
    CHECK(layer.keyEnd == 22);
    CHECK(layer.queries.end == 20);
}

TEST_CASE("names of palettes lead back to them", "[ui][plot]") {
    for (const ColourMapId id : {ColourMapId::night, ColourMapId::ink, ColourMapId::blueRed, ColourMapId::purpleGreen}) CHECK(colourMapOf(colourMapKey(id)) == id);
    CHECK_FALSE(colourMapOf("rainbow"));
}

TEST_CASE("masked cells are the neutral colour and zero is another one", "[ui][plot]") {
    const QRgb masked = qRgb(234, 235, 238);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const bool logarithmic : {false, true}) {
        const ColourScale scale = scaleFor(lw::ScorePart::probability, {valueSpread({0.0F, 0.5F, 1.0F})}, logarithmic);
        const QImage image = colourImage({nan, 0.0F, 1.0F, 0.5F}, 2, 2, scale, masked);
        CHECK(image.pixel(0, 0) == masked);
        CHECK(image.pixel(1, 0) != masked);
        CHECK(image.pixel(1, 0) == mapColour(scale.map, 0));
        CHECK(image.pixel(0, 1) == mapColour(scale.map, 1));
    }
}

TEST_CASE("signed scales are symmetric: opposite values have mirrored lightness", "[ui][plot]") {
    const ColourScale scale = scaleFor(lw::ScorePart::bias, {valueSpread({-3.1F, 1.0F}), valueSpread({2.0F})}, false);
    CHECK(scale.low == -scale.high);
    CHECK(scale.high == Approx(4));
    CHECK(scale.fraction(0) == 0.5);
    for (const double v : {0.5, 1.0, 2.0, 4.0}) CHECK(scale.fraction(v) == Approx(1 - scale.fraction(-v)));
    const auto luminance = [](QRgb c) { return 0.2126 * qRed(c) + 0.7152 * qGreen(c) + 0.0722 * qBlue(c); };
    for (const ColourMapId id : {ColourMapId::blueRed, ColourMapId::purpleGreen}) {
        CHECK(luminance(mapColour(id, 0.5)) > 235);
        for (const double t : {0.0, 0.2, 0.4}) CHECK(std::abs(luminance(mapColour(id, t)) - luminance(mapColour(id, 1 - t))) < 40);
    }
}

TEST_CASE("sequential maps rise evenly in lightness", "[ui][plot]") {
    const auto lightness = [](QRgb c) { return std::cbrt((0.2126 * std::pow(qRed(c) / 255.0, 2.2) + 0.7152 * std::pow(qGreen(c) / 255.0, 2.2) + 0.0722 * std::pow(qBlue(c) / 255.0, 2.2))); };
    double least = 1e9, most = 0;
    for (int i = 1; i <= 20; ++i) {
        const double step = lightness(mapColour(ColourMapId::night, i / 20.0)) - lightness(mapColour(ColourMapId::night, (i - 1) / 20.0));
        least = std::min(least, step);
        most = std::max(most, step);
    }
    CHECK(least > 0);
    CHECK(most < 2.5 * least);
}

TEST_CASE("a few extreme cells do not wash out the others, and the scale says so", "[ui][plot]") {
    std::vector<float> values(10000, 1.0F);
    values[0] = -500;
    const ColourScale scale = scaleFor(lw::ScorePart::content, {valueSpread(values)}, false);
    CHECK(scale.high == Approx(1));
    CHECK(valueSpread(values).low == -500);
}

TEST_CASE("infinities take the ends of the scale and are not part of its limits", "[ui][plot]") {
    const float inf = std::numeric_limits<float>::infinity();
    const ValueSpread spread = valueSpread({-inf, 2.0F, inf});
    CHECK(spread.high == 2);
    CHECK(spread.low == 2);
    const ColourScale scale = scaleFor(lw::ScorePart::bias, {spread}, false);
    const QImage image = colourImage({-inf, inf}, 1, 2, scale, qRgb(1, 2, 3));
    CHECK(image.pixel(0, 0) == mapColour(scale.map, 0));
    CHECK(image.pixel(1, 0) == mapColour(scale.map, 1));
}

TEST_CASE("numbers carry real minus signs and the digits their uncertainty supports", "[ui][plot]") {
    CHECK(integerText(8192) == QStringLiteral("8,192"));
    CHECK(signedText(-3.456, 2) == QStringLiteral("−3.46"));
    CHECK(signedText(0.41, 2) == QStringLiteral("+0.41"));
    CHECK(signedText(-0.001, 2) == QStringLiteral("0.00"));
    CHECK(shortText(3.14e-4) == QStringLiteral("3.1 × 10⁻⁴"));
    CHECK(estimateText(23.2345, 22.8, 23.6) == QStringLiteral("23.2"));
    CHECK(estimateText(487.3, 448, 530) == QStringLiteral("487"));
    CHECK(intervalText(22.81, 23.62) == QStringLiteral("[22.8, 23.6]"));
    CHECK(intervalText(5, 5).isEmpty());
    CHECK(decadeText(1e-6) == QStringLiteral("10⁻⁶"));
}

TEST_CASE("a single spike among thousands of keys is drawn", "[ui][plot]") {
    std::vector<float> row(8192, 0.0F);
    row[5000] = 7;
    const ProfileView view{QRectF(0, 0, 300, 100), 0, 8192, -8, 8, false};
    const QPolygonF line = profilePolygon(view, row);
    CHECK(line.size() <= 2 * 302);
    double top = 1e9;
    for (const QPointF& point : line) top = std::min(top, point.y());
    CHECK(top == Approx(view.y(7)));
}

TEST_CASE("a caption names size, reducer and whether cells were sampled", "[ui][plot]") {
    lw::MapTile tile;
    tile.queries = tile.keys = {0, 8192};
    tile.cells_per_row = tile.cells_per_column = 16;
    tile.reducer = lw::Reducer::signed_max_abs;
    CHECK(tileCaption(tile) == QStringLiteral("8,192 × 8,192 · signed max-abs of 16 × 16 cells"));
    tile.sampled = true;
    CHECK(tileCaption(tile).contains(QStringLiteral("sampled")));
    tile.sampled = false;
    tile.cells_per_row = tile.cells_per_column = 1;
    CHECK(tileCaption(tile).contains(QStringLiteral("every cell")));
}
