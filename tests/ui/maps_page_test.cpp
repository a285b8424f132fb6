/// The Maps page on the fake laboratory, and the values behind it.
#include "tests/ui/ui_support.h"
#include "ui/pages/maps_heads.h"
#include "ui/pages/maps_legend.h"
#include "ui/pages/maps_page.h"
#include "ui/plot/heat_map.h"
#include "ui/plot/profile_plot.h"
#include "ui/plot/read_out.h"
#include "ui/plot/segmented.h"
#include "ui/plot/thumbnail_grid.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

#include <cmath>

using namespace lw::ui;
using lw::ScorePart;
using lw::test::eventually;
using lw::test::SessionFixture;

namespace {

struct ShownMaps : SessionFixture {
    explicit ShownMaps(const char* run = "DAPE-Kerple", ComputeThread::Mode mode = ComputeThread::Mode::immediate) : SessionFixture(mode) {
        session->reloadRuns();
        REQUIRE(eventually([&] { return !session->runs().empty(); }));
        choose(run);
        session->setLength(256);
        session->setPart(ScorePart::bias_adaptive);
        page = std::make_unique<MapsPage>(session.get());
        page->resize(1000, 680);
        page->show();
        REQUIRE(eventually([&] { return exact(); }));
    }
    void choose(const char* run) const {
        for (const RunEntry& entry : session->runs())
            if (entry.title() == QLatin1String(run)) return session->setCurrentRun(entry.key);
    }
    [[nodiscard]] HeatMap* map() const { return page->canvas()->map(); }
    [[nodiscard]] bool exact() const { return page->settled() && !map()->shownTile().values.empty() && !map()->shownTile().sampled; }
    void hover(HeatMap* over, MapCell cell) const {
        const MapGeometry& g = over->geometryOfCells();
        const QPointF at(g.x(static_cast<double>(cell.key) + 0.5), g.y(static_cast<double>(cell.query) + 0.5));
        QMouseEvent event(QEvent::MouseMove, at, over->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(over, &event);
    }
    std::unique_ptr<MapsPage> page;
};

}  // namespace

TEST_CASE("the map of the chosen head and part is drawn exactly", "[ui][maps]") {
    const ShownMaps shown;
    CHECK(shown.map()->shownTile().part == ScorePart::bias_adaptive);
    CHECK(shown.map()->shownTile().queries.end == 256);
    shown.session->setHead(3, 5);
    REQUIRE(eventually([&] { return shown.exact() && shown.map()->shownTile().head == 5; }));
    CHECK(shown.map()->shownTile().layer == 3);
    shown.session->setPart(ScorePart::probability);
    REQUIRE(eventually([&] { return shown.exact() && shown.map()->shownTile().part == ScorePart::probability; }));
    CHECK(shown.map()->scale().logarithmic);
}

TEST_CASE("content, bias and adaptive of one head share symmetric limits", "[ui][maps]") {
    const ShownMaps shown;
    const ColourScale scale = shown.map()->scale();
    CHECK(scale.low == -scale.high);
    CHECK(scale.high > 1);
    for (const ScorePart part : {ScorePart::content, ScorePart::bias, ScorePart::adaptive}) {
        shown.session->setPart(part);
        REQUIRE(eventually([&] { return shown.exact() && shown.map()->shownTile().part == part; }));
        CHECK(shown.map()->scale() == scale);
    }
    shown.page->setLimits(MapsPage::Limits::seen);
    CHECK(shown.map()->scale().high < scale.high);
    shown.page->setLimits(MapsPage::Limits::kept);
    const double kept = shown.map()->scale().high;
    shown.session->setHead(0, 0);
    REQUIRE(eventually([&] { return shown.exact() && shown.map()->shownTile().head == 0; }));
    CHECK(shown.map()->scale().high == kept);
}

TEST_CASE("hovering a cell shows its arithmetic", "[ui][maps]") {
    const ShownMaps shown;
    shown.hover(shown.map(), {200, 50});
    const auto* readOut = shown.map()->findChild<ReadOut*>(QStringLiteral("mapReadOut"));
    REQUIRE(eventually([&] { return readOut->isVisible() && readOut->rows().size() == 5; }));
    CHECK(readOut->heading().startsWith(QStringLiteral("i 200 ")));
    CHECK(readOut->heading().contains(QStringLiteral("distance 150")));
    const auto value = [&](std::size_t row) {
        QString text = readOut->rows()[row].value;
        return text.replace(QChar(0x2212), QLatin1Char('-')).toDouble();
    };
    CHECK(value(0) + value(1) + value(2) == Approx(value(3)).margin(0.02));
    shown.hover(shown.map(), {50, 200});
    CHECK(readOut->rows()[0].label.startsWith(QStringLiteral("masked")));
}

TEST_CASE("a click on the map makes its row the query, and profile and tokens follow", "[ui][maps]") {
    const ShownMaps shown;
    const MapGeometry& g = shown.map()->geometryOfCells();
    QTest::mouseClick(shown.map(), Qt::LeftButton, {}, QPoint(static_cast<int>(g.x(20.5)), static_cast<int>(g.y(100.5))));
    const std::int64_t query = shown.session->query();
    CHECK(std::abs(query - 100) <= 1);
    REQUIRE(eventually([&] { return shown.page->canvas()->profile()->row().query == query; }));
    CHECK(shown.session->tokenShade().values.size() == static_cast<std::size_t>(query + 1));
}

TEST_CASE("the row profile shares the key axis of the map, also when zoomed", "[ui][maps]") {
    const ShownMaps shown;
    const QPointF middle = shown.map()->geometryOfCells().area.center();
    QWheelEvent wheel(middle, shown.map()->mapToGlobal(middle), {}, {0, 480}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(shown.map(), &wheel);
    REQUIRE(eventually([&] { return shown.exact(); }));
    const MapGeometry& g = shown.map()->geometryOfCells();
    CHECK_FALSE(g.showsAll());
    CHECK(shown.map()->shownTile().keys.begin == g.visibleKeys().begin);
    CHECK(shown.map()->shownTile().keys.end == g.visibleKeys().end);
    QSignalSpy hovered(shown.page->canvas()->profile(), &ProfilePlot::keyHovered);
    const QPointF at(g.area.left() + 0.25 * g.area.width() + shown.map()->x() - shown.page->canvas()->profile()->x(), 30);
    QMouseEvent move(QEvent::MouseMove, at, shown.page->canvas()->profile()->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(shown.page->canvas()->profile(), &move);
    REQUIRE(hovered.size() == 1);
    CHECK(hovered[0][0].toLongLong() == static_cast<qint64>(std::floor(g.keyAt(g.area.left() + 0.25 * g.area.width()))));
}

TEST_CASE("every head has a picture and a class, and a click takes it", "[ui][maps]") {
    const ShownMaps shown;
    ThumbnailGrid* grid = shown.page->heads()->grid();
    REQUIRE(eventually([&] { return shown.page->heads()->tiles().size() == 32 && shown.page->heads()->measures().size() == 32; }));
    QTest::mouseClick(grid, Qt::LeftButton, {}, grid->cell(1, 6).center());
    CHECK(shown.session->layer() == 1);
    CHECK(shown.session->head() == 6);
    const auto details = shown.session->details().find(QStringLiteral("head"));
    REQUIRE(details != shown.session->details().end());
    CHECK(details->second.heading == QStringLiteral("Head 6, layer 1"));
    CHECK_FALSE(shown.session->details().at(QStringLiteral("similar")).facts.empty());
}

TEST_CASE("keys page through heads and layers and stop at the last layer", "[ui][maps]") {
    const ShownMaps shown;
    shown.session->setHead(0, 7);
    QTest::keyClick(shown.page.get(), Qt::Key_Right);
    CHECK(shown.session->head() == 0);
    QTest::keyClick(shown.page.get(), Qt::Key_PageDown);
    CHECK(shown.session->layer() == 1);
    for (int i = 0; i < 9; ++i) QTest::keyClick(shown.page.get(), Qt::Key_Down);
    CHECK(shown.session->layer() == 3);
    QTest::keyClick(shown.page.get(), Qt::Key_Up, Qt::ShiftModifier);
    CHECK(shown.session->query() == 254);
}

TEST_CASE("parts that a scheme has not cannot be chosen, and the nearest one is shown", "[ui][maps]") {
    const ShownMaps shown("ALiBi");
    const auto* parts = shown.page->findChild<Segmented*>(QStringLiteral("mapParts"));
    CHECK_FALSE(parts->button(static_cast<int>(ScorePart::adaptive))->isEnabled());
    CHECK(parts->button(static_cast<int>(ScorePart::bias))->isEnabled());
    CHECK(shown.map()->shownTile().part == ScorePart::bias);
    CHECK(availablePart(ScorePart::bias_adaptive, {ScorePart::content, ScorePart::logit, ScorePart::probability}) == ScorePart::logit);
}

TEST_CASE("two heads are compared side by side with their difference and linked views", "[ui][maps]") {
    const ShownMaps shown;
    shown.session->setHead(2, 4);
    shown.page->compareWithHead(1, 2);
    HeatMap* second = shown.page->canvas()->map(MapsCanvas::kSecond);
    HeatMap* gap = shown.page->canvas()->map(MapsCanvas::kDifference);
    REQUIRE(eventually([&] { return shown.exact() && !second->shownTile().values.empty() && !second->shownTile().sampled && gap->shownTile().rows == shown.map()->shownTile().rows; }));
    CHECK(second->scale() == shown.map()->scale());
    const MapCell cell{200, 30};
    CHECK(gap->valueAt(cell) == Approx(shown.map()->valueAt(cell) - second->valueAt(cell)));
    shown.hover(second, cell);
    REQUIRE(second->crosshair());
    CHECK(shown.map()->crosshair() == second->crosshair());
    CHECK(gap->crosshair() == second->crosshair());
    const QPointF middle = second->geometryOfCells().area.center();
    QWheelEvent wheel(middle, second->mapToGlobal(middle), {}, {0, 240}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(second, &wheel);
    CHECK_FALSE(second->geometryOfCells().showsAll());
    CHECK(shown.map()->geometryOfCells().window == second->geometryOfCells().window);
    shown.page->stopComparing();
    CHECK_FALSE(second->isVisible());
    CHECK(shown.map()->isVisible());
}

TEST_CASE("a run is compared with another run on the same text", "[ui][maps]") {
    const ShownMaps shown;
    QString key;
    for (const RunEntry& run : shown.session->runs())
        if (run.title() == QStringLiteral("Kerple")) key = run.key;
    shown.page->compareWithRun(key);
    HeatMap* second = shown.page->canvas()->map(MapsCanvas::kSecond);
    REQUIRE(eventually([&] { return shown.page->comparing() && !second->shownTile().values.empty() && !second->shownTile().sampled; }));
    CHECK(second->shownTile().part == ScorePart::bias);
    CHECK(shown.map()->shownTile().part == ScorePart::bias_adaptive);
}

TEST_CASE("maps that cannot be opened say why and what to try", "[ui][maps]") {
    const ShownMaps shown;
    {
        const std::lock_guard lock(lw::fake::state().mutex);
        lw::fake::state().fail_maps = {lw::ErrorKind::out_of_memory, "8,192 tokens need 9 GB and 4 GB are free; 2,048 tokens would fit."};
    }
    shown.session->setLength(8192);
    auto* button = shown.page->findChild<QPushButton*>(QStringLiteral("emptyStateButton"));
    REQUIRE(eventually([&] { return button->isVisible(); }));
    bool said = false;
    for (const QLabel* label : shown.page->findChildren<QLabel*>()) said = said || (label->isVisible() && label->text().contains(QStringLiteral("2,048 tokens would fit")));
    CHECK(said);
    CHECK_FALSE(shown.page->canExport());
    lw::fake::reset();
    QTest::mouseClick(button, Qt::LeftButton);
    CHECK(eventually([&] { return shown.exact() && shown.session->length() == 512; }));
}

TEST_CASE("maps arrive through the compute thread and never sampled in the end", "[ui][maps]") {
    const ShownMaps shown("DAPE-Kerple", ComputeThread::Mode::thread);
    shown.session->setLength(1024);
    REQUIRE(eventually([&] { return shown.exact() && shown.map()->shownTile().queries.end == 1024 && shown.session->compute().idle(); }));
    CHECK_FALSE(shown.map()->caption().contains(QStringLiteral("sampled")));
    for (std::int64_t head = 0; head < 8; ++head) shown.session->setHead(1, head);
    REQUIRE(eventually([&] { return shown.exact() && shown.map()->shownTile().head == 7; }));
}

TEST_CASE("the legend counts classes and a click dims the others", "[ui][maps]") {
    ClassLegend legend;
    std::vector<lw::HeadMeasures> measures(3);
    measures[0].head_class = "local";
    measures[1].head_class = measures[2].head_class = "anti-local";
    legend.setMeasures(measures);
    legend.resize(400, legend.heightForWidth(400));
    CHECK(legend.accessibleDescription().contains(QStringLiteral("anti-local 2")));
    const QSignalSpy filtered(&legend, &ClassLegend::filterChanged);
    legend.grab();
    QTest::mouseClick(&legend, Qt::LeftButton, {}, QPoint(10, 8));
    REQUIRE(filtered.size() == 1);
    CHECK(legend.filter() == QStringLiteral("local"));
    QTest::mouseClick(&legend, Qt::LeftButton, {}, QPoint(10, 8));
    CHECK(legend.filter().isEmpty());
}

TEST_CASE("similar heads are those whose cells rise and fall together", "[ui][maps]") {
    std::map<HeadKey, lw::MapTile> tiles;
    const float nan = std::nanf("");
    tiles[{0, 0}].values = {1, 2, 3, nan, 4};
    tiles[{0, 1}].values = {2, 4, 6.1F, nan, 8};
    tiles[{1, 0}].values = {4, 3, 2, nan, 1};
    tiles[{1, 1}].values = {5, 5, 5, nan, 5};
    const auto similar = similarHeads(tiles, {0, 0}, 3);
    REQUIRE(similar.size() == 3);
    CHECK(similar[0].head == HeadKey{0, 1});
    CHECK(similar[0].correlation == Approx(1).margin(0.01));
    CHECK(similar[1].correlation == 0);
    CHECK(similar[2].correlation == Approx(-1));
}

TEST_CASE("a difference exists only on the same cells and is masked where either is", "[ui][maps]") {
    lw::MapTile a, b;
    a.queries = a.keys = b.queries = b.keys = {0, 2};
    a.rows = a.columns = b.rows = b.columns = 2;
    a.values = {3, std::nanf(""), 2, 1};
    b.values = {1, std::nanf(""), 2, 5};
    const auto d = difference(a, b);
    REQUIRE(d);
    CHECK(d->values[0] == 2);
    CHECK(std::isnan(d->values[1]));
    CHECK(d->values[3] == -4);
    b.keys = {1, 3};
    CHECK_FALSE(difference(a, b));
}

TEST_CASE("token shades lie between 0 and 1 and keep the order of probabilities", "[ui][maps]") {
    const auto shade = shadeOf({0.1F, 0.4F, 0.0F, std::nanf("")});
    CHECK(shade[1] == 1);
    CHECK(shade[0] == Approx(0.5));
    CHECK(shade[2] == 0);
    CHECK(shade[3] == 0);
}
