/// The picture of a map kept from frame to frame: always what it would be if it were made afresh, with little of it coloured.
#include "ui/plot/curve_plot.h"
#include "ui/plot/map_picture.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <tuple>

using namespace lw::ui;

namespace {

constexpr QRgb kMasked = 0xffeaebee;
const ColourScale kScale{ColourMapId::blueRed, -3, 3, false};

lw::MapTile tileOf(lw::CellRange queries, lw::CellRange keys, std::int64_t cells, double phase) {
    lw::MapTile tile;
    tile.queries = queries;
    tile.keys = keys;
    tile.rows = (queries.size() + cells - 1) / cells;
    tile.columns = (keys.size() + cells - 1) / cells;
    tile.cells_per_row = tile.cells_per_column = static_cast<double>(cells);
    for (std::int64_t r = 0; r < tile.rows; ++r)
        for (std::int64_t c = 0; c < tile.columns; ++c) {
            const bool hidden = keys.begin + c * cells > queries.begin + r * cells;
            tile.values.push_back(hidden ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(3 * std::sin(phase + 0.37 * static_cast<double>(r) + 1.1 * static_cast<double>(c))));
        }
    return tile;
}

MapGeometry viewOf(std::int64_t cells, MapWindow window, QSize pixels) {
    MapGeometry view;
    view.area = QRectF(QPointF(), pixels);
    view.queries = view.keys = cells;
    view.window = window;
    return view;
}

/// Both tiles in a picture that knows nothing of earlier frames.
QImage afresh(const MapGeometry& view, QSize size, const lw::MapTile& overview, const lw::MapTile& detail) {
    MapPicture picture;
    picture.setScale(kScale, kMasked);
    picture.setTile(MapPicture::overview, &overview, {});
    picture.setTile(MapPicture::detail, &detail, {});
    return picture.update(view, size).copy();
}

int pixelsIn(const QRegion& region) {
    int count = 0;
    for (const QRect& rect : region) count += rect.width() * rect.height();
    return count;
}

struct Moved {
    explicit Moved(std::int64_t cells = 1000) : overview(tileOf({0, cells}, {0, cells}, 25, 0)) {
        picture.setScale(kScale, kMasked);
        picture.setTile(MapPicture::overview, &overview, {});
    }
    void setDetail(lw::MapTile tile) {
        std::swap(detail, tile);
        picture.setTile(MapPicture::detail, &detail, tile);
    }
    lw::MapTile overview, detail;
    MapPicture picture;
};

}  // namespace

TEST_CASE("a map that was moved looks like one drawn there", "[ui][plot][picture]") {
    std::mt19937 random(5);
    for (const auto& [span, size] : {std::pair{200.0, QSize(200, 200)}, {333.3, QSize(211, 307)}, {1000.0, QSize(90, 80)}, {7.0, QSize(301, 200)}}) {
        Moved m;
        MapGeometry view = viewOf(1000, {400, 400 + span, 100, 100 + span}, size);
        view.pan({0, 0});
        for (int frame = 0; frame < 60; ++frame) {
            const auto step = [&] { return static_cast<double>(static_cast<int>(random() % 61) - 30); };
            view.pan({step(), frame % 3 == 0 ? 0 : step()});
            if (frame % 20 == 10) view.zoom({50, 50}, frame % 40 == 10 ? 1.25 : 0.8);
            if (frame % 7 == 5) m.setDetail(tileOf(view.visibleQueries(), view.visibleKeys(), 1 + frame % 3, frame));
            CAPTURE(span, frame);
            REQUIRE(m.picture.update(view, size) == afresh(view, size, m.overview, m.detail));
        }
    }
}

TEST_CASE("a pan colours the stripe that came into view", "[ui][plot][picture]") {
    Moved m;
    const QSize size(200, 100);
    MapGeometry view = viewOf(1000, {300, 400, 100, 300}, size);
    m.setDetail(tileOf({250, 450}, {50, 350}, 1, 0));
    (void)m.picture.update(view, size);
    CHECK(pixelsIn(m.picture.coloured()) == 200 * 100);
    (void)m.picture.update(view, size);
    CHECK(m.picture.coloured().isEmpty());
    view.pan({-3, 0});
    (void)m.picture.update(view, size);
    CHECK(m.picture.coloured() == QRegion(197, 0, 3, 100));
    view.pan({5, 2});
    (void)m.picture.update(view, size);
    CHECK(pixelsIn(m.picture.coloured()) == 5 * 100 + 2 * 195);
}

TEST_CASE("only rows that changed are coloured again, and nothing under the detail", "[ui][plot][picture]") {
    Moved m;
    const QSize size(200, 200);
    const MapGeometry view = viewOf(1000, {500, 600, 100, 200}, size);
    m.setDetail(tileOf({500, 600}, {100, 200}, 1, 0));
    (void)m.picture.update(view, size);
    lw::MapTile other = m.detail;
    other.values[40 * 100 + 7] = 2.5F;
    other.values[41 * 100 + 90] = -2.5F;
    m.setDetail(other);
    CHECK(m.picture.update(view, size) == afresh(view, size, m.overview, m.detail));
    CHECK(m.picture.coloured() == QRegion(0, 80, 200, 4));
    m.setDetail(other);
    (void)m.picture.update(view, size);
    CHECK(m.picture.coloured().isEmpty());
    lw::MapTile coarse = tileOf({0, 1000}, {0, 1000}, 25, 9);
    std::swap(m.overview, coarse);
    m.picture.setTile(MapPicture::overview, &m.overview, coarse);
    (void)m.picture.update(view, size);
    CHECK(m.picture.coloured().isEmpty());
    m.setDetail({});
    CHECK(m.picture.update(view, size) == afresh(view, size, m.overview, {}));
}

TEST_CASE("a pixel has the colour of the nearest cell's value, never of a mixture", "[ui][plot][picture]") {
    Moved m(100);
    m.overview = tileOf({0, 100}, {0, 100}, 1, 0);
    for (const auto& [begin, span, pixels] : {std::tuple{0.0, 100.0, 100}, {0.0, 100.0, 332}, {0.0, 100.0, 50}, {20.0, 40.0, 160}, {93.0, 7.0, 64}}) {
        const QSize size(pixels, pixels);
        const QImage& image = m.picture.update(viewOf(100, {begin, begin + span, begin, begin + span}, size), size);
        const auto cell = [&](int pixel) { return static_cast<std::size_t>(std::min(99.0, begin + (pixel + 0.5) * span / pixels)); };
        int differing = 0;
        for (int y = 0; y < pixels; ++y)
            for (int x = 0; x < pixels; ++x) {
                const float value = m.overview.values[cell(y) * 100 + cell(x)];
                QRgb expected = kMasked;
                if (!std::isnan(value)) Colouring(kScale, kMasked).line(&value, 1, &expected);
                differing += image.pixel(x, y) != expected;
            }
        CAPTURE(begin, span, pixels);
        // The picture lies on whole pixels: where it had to move by a fraction, cells begin a pixel beside.
        CHECK(differing <= (begin == 93.0 ? 64 * 64 / 4 : 0));
    }
}

TEST_CASE("curves with other values look like curves drawn with them", "[ui][plot][picture]") {
    const auto content = [](double slope) {
        CurveContent made;
        for (int s = 0; s < 3; ++s) {
            CurveSeries series;
            series.title = QStringLiteral("line %1").arg(s);
            series.style = s + 1;
            series.bold = s == 1;
            series.markers = false;
            for (int x = 1; x <= 1024; x *= 2) {
                series.x.push_back(x);
                series.y.push_back(x == 8 && s == 2 ? std::nan("") : 1 + slope * (s + 1) * x);
            }
            made.series.push_back(series);
        }
        made.marks.push_back({128, QStringLiteral("L = 128")});
        return made;
    };
    CurvePlot moved, fresh;
    for (CurvePlot* plot : {&moved, &fresh}) plot->resize(500, 300);
    for (const double slope : {0.1, 3.0, 0.7}) moved.setContent(content(slope));
    fresh.setContent(content(0.7));
    CHECK(moved.image() == fresh.image());
}
