/// How maps are shown: limits, legend, measures, pictures of heads, and the values behind them.
#include "tests/ui/maps_support.h"
#include "ui/pages/maps_canvas.h"
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

TEST_CASE("linear probability takes the limits of its own head", "[ui][maps]") {
    const ShownMaps shown;
    shown.session->setPart(ScorePart::probability);
    QTest::mouseClick(shown.page->findChild<Segmented*>(QStringLiteral("probabilityScale"))->button(0), Qt::LeftButton);
    for (const auto& [layer, head] : {std::pair{0, 0}, {3, 5}, {2, 2}}) {
        shown.session->setHead(layer, head);
        REQUIRE(eventually([&] { return shown.exact() && shown.map()->shownTile().head == head && shown.map()->shownTile().part == ScorePart::probability; }));
        CHECK(shown.map()->scale().high == scaleFor(ScorePart::probability, {valueSpread(shown.map()->shownTile().values), valueSpread(shown.map()->overviewTile().values)}, false).high);
    }
}

TEST_CASE("limits kept while probability is shown are those of the signed parts too", "[ui][maps]") {
    const ShownMaps shown;
    const double before = shown.map()->scale().high;
    shown.session->setPart(ScorePart::probability);
    shown.page->setLimits(MapsPage::Limits::kept);
    shown.session->setPart(ScorePart::bias);
    REQUIRE(eventually([&] { return shown.exact() && shown.map()->shownTile().part == ScorePart::bias; }));
    CHECK(shown.map()->scale().high == before);
    CHECK(shown.map()->scale().low == -before);
}

TEST_CASE("measures over several texts say so and give way to those of another text", "[ui][maps]") {
    const ShownMaps shown;
    REQUIRE(eventually([&] { return !shown.page->heads()->measures().empty(); }));
    const auto measured = [&] {
        for (const DetailFact& fact : shown.session->details().at(QStringLiteral("head")).facts)
            if (fact.label == QStringLiteral("Measured over")) return fact.value;
        return QString();
    };
    CHECK(measured() == QStringLiteral("1 text"));
    const auto measure = shown.session->details().at(QStringLiteral("head")).actions.front().call;  // it replaces what it stands in
    measure();
    REQUIRE(eventually([&] { return measured() == QStringLiteral("16 texts"); }));
    shown.session->setLength(128);
    REQUIRE(eventually([&] { return shown.exact() && !shown.page->heads()->measures().empty(); }));
    CHECK(measured() == QStringLiteral("1 text"));
}

TEST_CASE("pictures of long texts are sampled first and exact in the end", "[ui][maps]") {
    const ShownMaps shown;
    shown.session->setLength(1100);
    const auto exact = [&] {
        const auto& tiles = shown.page->heads()->tiles();
        return tiles.size() == 32 && std::none_of(tiles.begin(), tiles.end(), [](const auto& entry) { return entry.second.sampled; });
    };
    REQUIRE(eventually(exact));
    CHECK(shown.page->heads()->tiles().begin()->second.queries.end == 1100);
}

TEST_CASE("a band of rows lands on its own rows of the picture", "[ui][maps]") {
    lw::MapTile band;
    band.queries = {8, 14};
    band.keys = {0, 4};
    band.rows = 3;
    band.columns = 2;
    band.cells_per_row = 2;
    band.cells_per_column = 2;
    band.values = {1, -2, 3, -4, 5, -6};
    lw::MapTile whole = emptyPicture(band, 16, 4, 4);
    addBand(whole, band);
    CHECK(std::isnan(whole.values[0]));
    CHECK(whole.values[2 * 2] == 3);       // queries 8 to 11: the larger of 1 and 3
    CHECK(whole.values[2 * 2 + 1] == -4);
    CHECK(whole.values[3 * 2 + 1] == -6);
}

TEST_CASE("how maps are shown is as it was left", "[ui][maps]") {
    const ShownMaps shown;
    shown.page->setReducer(lw::Reducer::mean);
    shown.page->setLimits(MapsPage::Limits::kept);
    MapsPage next(shown.session.get());
    CHECK(next.limits() == MapsPage::Limits::kept);
    next.resize(1000, 680);
    next.show();
    REQUIRE(eventually([&] { return next.settled() && !next.canvas()->map()->shownTile().values.empty(); }));
    CHECK(next.canvas()->map()->shownTile().reducer == lw::Reducer::mean);
}

TEST_CASE("in a narrow page the longest part has a short name and says the whole in its tooltip", "[ui][maps]") {
    const ShownMaps shown;
    const auto* both = shown.page->findChild<Segmented*>(QStringLiteral("mapParts"))->button(static_cast<int>(ScorePart::bias_adaptive));
    CHECK(both->text() == QStringLiteral("Bias + adaptive"));
    shown.page->setMinimumSize(480, 320);  // as in the window
    shown.page->resize(700, 600);
    CHECK(both->text() == QStringLiteral("Bias + ad."));
    CHECK(both->toolTip().contains(QStringLiteral("Bias + adaptive")));
}

TEST_CASE("a filter stays in the legend when no head has its class any more", "[ui][maps]") {
    ClassLegend legend;
    std::vector<lw::HeadMeasures> measures(1);
    measures[0].head_class = "hump";
    legend.setMeasures(measures);
    legend.setFilter(QStringLiteral("hump"));
    measures[0].head_class = "local";
    legend.setMeasures(measures);
    CHECK(legend.accessibleDescription().contains(QStringLiteral("hump 0")));
    legend.setFocus();
    QTest::keyClick(&legend, Qt::Key_Escape);
    CHECK(legend.filter().isEmpty());
    QTest::keyClick(&legend, Qt::Key_Right);
    QTest::keyClick(&legend, Qt::Key_Space);
    CHECK(legend.filter() == QStringLiteral("local"));
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

TEST_CASE("in a low window the row profile lies wholly below its map, with its axis title", "[ui][maps]") {
    MapsCanvas canvas;
    canvas.resize(460, 400);
    canvas.show();
    for (const bool comparing : {false, true}) {
        canvas.setComparing(comparing);
        CHECK(canvas.rect().contains(canvas.profile()->geometry()));
        CHECK_FALSE(canvas.profile()->geometry().intersects(canvas.map()->geometry()));
    }
}
