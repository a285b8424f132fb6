/// Two maps beside each other, their difference, and what leaves the page as a figure.
#include "tests/ui/maps_support.h"
#include "ui/pages/maps_heads.h"
#include "ui/pages/maps_legend.h"
#include "ui/plot/colour_map.h"
#include "ui/plot/figures.h"
#include "ui/plot/profile_plot.h"
#include "ui/plot/read_out.h"
#include "ui/plot/segmented.h"
#include "ui/plot/thumbnail_grid.h"

#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>

#include <cmath>

using namespace lw::ui;
using lw::ScorePart;
using lw::test::eventually;
using lw::test::ShownMaps;

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

TEST_CASE("the difference map reads out the cell itself, not the pixel", "[ui][maps]") {
    const ShownMaps shown;
    shown.session->setLength(2000);
    REQUIRE(eventually([&] { return shown.exact() && shown.map()->shownTile().queries.end == 2000; }));
    shown.page->compareWithHead(1, 2);
    HeatMap* gap = shown.page->canvas()->map(MapsCanvas::kDifference);
    REQUIRE(eventually([&] { return !gap->shownTile().values.empty(); }));
    REQUIRE(gap->shownTile().cells_per_row > 1);
    shown.hover(gap, {1501, 700});
    REQUIRE(gap->crosshair());
    const MapCell cell = *gap->crosshair();
    const auto* readOut = gap->findChild<ReadOut*>(QStringLiteral("mapReadOut"));
    REQUIRE(eventually([&] { return readOut->isVisible() && readOut->rows().size() == 3; }));
    const auto exact = [&](std::int64_t layer, std::int64_t head) { return partOf(shown.session->maps()->cell(layer, head, cell.query, cell.key).value(), ScorePart::bias_adaptive); };
    const auto number = [&](std::size_t row) { return QString(readOut->rows()[row].value).replace(QChar(0x2212), QLatin1Char('-')).toDouble(); };
    CHECK(number(0) == Approx(exact(shown.session->layer(), shown.session->head())).margin(0.006));
    CHECK(number(1) == Approx(exact(1, 2)).margin(0.006));
    CHECK(number(2) == Approx(number(0) - number(1)).margin(0.011));
}

TEST_CASE("only the map under the mouse has a read-out", "[ui][maps]") {
    const ShownMaps shown;
    shown.page->compareWithHead(1, 2);
    HeatMap* second = shown.page->canvas()->map(MapsCanvas::kSecond);
    shown.hover(shown.map(), {200, 50});
    const auto* first = shown.map()->findChild<ReadOut*>(QStringLiteral("mapReadOut"));
    REQUIRE(eventually([&] { return first->isVisible(); }));
    shown.hover(second, {100, 20});
    CHECK(second->findChild<ReadOut*>(QStringLiteral("mapReadOut"))->isVisible());
    CHECK_FALSE(first->isVisible());
}

TEST_CASE("an export is of the map it was asked of, and a comparison has both maps and their difference", "[ui][maps]") {
    const ShownMaps shown;
    shown.session->setHead(2, 4);
    shown.page->compareWithHead(1, 2);
    using Figure = MapsPage::Figure;
    const auto second = shown.page->tileOrder(Figure::thisMap, MapsCanvas::kSecond);
    REQUIRE(second.targets.size() == 1);
    CHECK(second.targets[0].layer == 1);
    CHECK(second.targets[0].head == 2);
    const auto gap = shown.page->tileOrder(Figure::thisMap, MapsCanvas::kDifference);
    CHECK(gap.difference);
    CHECK_FALSE(gap.targetsToo);
    const auto both = shown.page->tileOrder(Figure::comparison, MapsCanvas::kFirst);
    CHECK(both.targets.size() == 2);
    CHECK(both.targetsToo);
    const FigureOptions options = shown.page->mapOptions(Figure::comparison, MapsCanvas::kFirst);
    CHECK(options.panel_titles.size() == 3);
    CHECK(options.differences == std::vector<std::size_t>{2});
    CHECK(options.high == shown.map()->scale().high);
    CHECK(options.signed_colours == "blue-red");
    CHECK(options.state.find("compared_with") != std::string::npos);
    const std::string title = shown.page->mapOptions(Figure::thisMap, MapsCanvas::kSecond).title;
    CHECK(title.find("Layer 1, head 2") != std::string::npos);
    CHECK(title.find("DAPE-Kerple, seed 1") != std::string::npos);
}

TEST_CASE("the colours chosen on the screen go into the figure", "[ui][maps]") {
    const ShownMaps shown;
    QMenu menu;
    Q_EMIT shown.map()->menuAboutToShow(&menu);
    for (QAction* action : menu.actions())
        if (action->text() == colourMapName(ColourMapId::purpleGreen)) action->trigger();
    CHECK(shown.page->mapOptions(MapsPage::Figure::thisMap, MapsCanvas::kFirst).signed_colours == "purple-green");
    MapsPage next(shown.session.get());
    CHECK(next.mapOptions(MapsPage::Figure::thisMap, MapsCanvas::kFirst).signed_colours == "purple-green");
}

TEST_CASE("two checkpoints of a run are compared", "[ui][maps]") {
    const ShownMaps shown;
    shown.page->compareWithStep(3000);
    HeatMap* second = shown.page->canvas()->map(MapsCanvas::kSecond);
    REQUIRE(eventually([&] { return shown.page->comparing() && !second->shownTile().values.empty() && !second->shownTile().sampled; }));
    CHECK(shown.page->secondName().contains(QStringLiteral("3,000")));
    const MapCell cell{200, 30};
    CHECK(second->valueAt(cell) != shown.map()->valueAt(cell));
}

TEST_CASE("two texts are compared, and a new length keeps the comparison", "[ui][maps]") {
    const ShownMaps shown;
    shown.page->compareWithText({{}, "en-prose/northanger_abbey", 256, 256});
    HeatMap* second = shown.page->canvas()->map(MapsCanvas::kSecond);
    REQUIRE(eventually([&] { return shown.page->comparing() && !second->shownTile().values.empty() && !second->shownTile().sampled; }));
    CHECK(shown.page->secondName().contains(QStringLiteral("256")));
    shown.session->setPart(ScorePart::content);
    REQUIRE(eventually([&] { return second->shownTile().part == ScorePart::content && !second->shownTile().sampled && shown.exact(); }));
    CHECK(second->valueAt({200, 30}) != shown.map()->valueAt({200, 30}));
    shown.session->setLength(128);
    REQUIRE(eventually([&] { return shown.page->comparing() && shown.exact() && second->shownTile().queries.end == 128; }));
    shown.choose("Kerple");
    CHECK(eventually([&] { return shown.exact() && !shown.page->comparing(); }));
}

TEST_CASE("another checkpoint of the run can be looked at", "[ui][maps]") {
    const ShownMaps shown;
    CHECK(shown.session->mapsInfo()->step == 6000);
    shown.session->setStep(3000);
    REQUIRE(eventually([&] { return shown.session->mapsInfo() && shown.session->mapsInfo()->step == 3000; }));
    shown.choose("Kerple");
    CHECK(shown.session->step() == -1);
}
