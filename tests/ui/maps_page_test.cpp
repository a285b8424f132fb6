/// The Maps page on the fake laboratory.
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

TEST_CASE("parts that cannot be chosen say why", "[ui][maps]") {
    const ShownMaps shown("ALiBi");
    const auto* parts = shown.page->findChild<Segmented*>(QStringLiteral("mapParts"));
    CHECK(parts->button(static_cast<int>(ScorePart::adaptive))->toolTip().contains(QStringLiteral("ALiBi has no such part")));
}
