/// The maps of the Encodings page: from previews to numbers, and the view that shows them.
#include "tests/ui/ui_support.h"
#include "ui/forms/scheme_form.h"
#include "ui/main_window.h"
#include "ui/pages/encodings_curves.h"
#include "ui/pages/encodings_maps.h"
#include "ui/pages/encodings_page.h"
#include "ui/plot/curve_plot.h"
#include "ui/plot/heat_map.h"
#include "ui/plot/read_out.h"
#include "ui/plot/segmented.h"
#include "ui/screenshots.h"

#include <QCheckBox>
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QWheelEvent>

#include <cmath>
#include <limits>

using namespace lw;
using namespace lw::ui;
using lw::test::eventually;
using lw::test::SessionFixture;

namespace {

const double kHidden = std::numeric_limits<double>::quiet_NaN();

/// Four tokens, every cell: distances halved, a window of two keys, ALiBi of slope 1.
ShownScheme four() {
    ShownScheme scheme;
    scheme.title = QStringLiteral("Half");
    scheme.scheme.slots["bias"] = {"alibi", {}};
    EncodingPreview& p = scheme.preview;
    p.distance = {0, 1, 3};
    p.effective_distance = {{0, 0.5, 1.5}};
    p.bias = {{0, -0.5, -1.5}};
    p.map_index = {0, 1, 2, 3};
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) p.distance_map.push_back(j > i || i - j > 1 ? kHidden : 0.5 * (i - j));
    p.frequency = {1, 0.5};
    p.wave_map = {1, 1, 0.5, 0.9, -0.4, 0.5, -1, 0.1};
    scheme.plain = p;
    scheme.plain->effective_distance.clear();
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) scheme.plain->distance_map[static_cast<std::size_t>(4 * i + j)] = j > i ? kHidden : i - j;
    return scheme;
}

struct MapsFixture : SessionFixture {
    MapsFixture() : window(std::make_unique<MainWindow>(session.get())) {
        window->resize(1600, 1000);
        window->show();
        window->showPage(PageId::encodings);
        waitForJobs(*session);
    }
    EncodingsPage* page() { return static_cast<EncodingsPage*>(window->page(PageId::encodings)); }
    void show(const char* id) {
        page()->schemeForm()->setScheme(find_scheme(id).value());
        Q_EMIT page()->schemeForm()->edited();
        waitForJobs(*session);
    }
    void choose(EncodingsPage::View view) {
        page()->findChild<Segmented*>(QStringLiteral("encodingsView"))->button(view)->click();
        waitForJobs(*session);
    }
    std::unique_ptr<MainWindow> window;
};

}  // namespace

TEST_CASE("the map of used distances keeps hidden cells apart and shares its scale with the plain one", "[ui][encodings]") {
    const auto scheme = four();
    const EncodingMapsView linear{0, false, MapBeside::plain}, logarithmic{0, true, MapBeside::plain};
    const QuantityMap used = distanceMap(scheme, linear), plain = besideDistanceMap(scheme, linear);
    CHECK(used.tile.rows == 4);
    CHECK(used.tile.queries.end == 4);
    CHECK(used.tile.values[4] == 0.5F);
    CHECK(std::isnan(used.tile.values[1]));
    CHECK(std::isnan(used.tile.values[12]));
    CHECK(plain.tile.values[12] == 3);
    CHECK(used.scale == plain.scale);
    CHECK(used.scale.high == 3);
    CHECK(used.scale.low == 0);
    CHECK(distanceMap(scheme, logarithmic).scale.logarithmic);
    CHECK(distanceMap(scheme, logarithmic).scale.low > 0);
}

TEST_CASE("what plug-in methods change stands beside as a signed map, and nothing where nothing changes", "[ui][encodings]") {
    auto scheme = four();
    const EncodingMapsView view{0, true, MapBeside::change};
    const QuantityMap change = besideDistanceMap(scheme, view);
    CHECK(change.tile.values[4] == -0.5F);
    CHECK(std::isnan(change.tile.values[12]));
    CHECK(change.scale.low == -change.scale.high);
    CHECK(besideWaveMap(scheme, view).empty());
    scheme.plain->wave_map[3] = 0;
    CHECK(besideWaveMap(scheme, view).tile.values[3] == Approx(0.9));
    scheme.plain = scheme.preview;
    CHECK(besideDistanceMap(scheme, view).empty());
}

TEST_CASE("the share of pairs that are read counts earlier keys, and sampled diagonals half", "[ui][encodings]") {
    auto scheme = four();
    CHECK(shareOfPairs(scheme.preview) == Approx(0.7));
    CHECK(visibilityText(scheme.preview).contains(QStringLiteral("70 %")));
    CHECK(visibilityText(*scheme.plain).contains(QStringLiteral("every")));
    scheme.preview.map_index = {0, 10, 20, 30};
    CHECK(shareOfPairs(scheme.preview) == Approx(5.0 / 8.0));
}

TEST_CASE("a bias has a map where it follows the used distance alone", "[ui][encodings]") {
    auto scheme = four();
    const EncodingMapsView view{0, true, MapBeside::plain};
    CHECK(biasMap(scheme, view).tile.values[4] == Approx(-0.5));
    scheme.preview.distance_map[8] = 1;  // between two samples
    CHECK(biasMap(scheme, view).tile.values[8] == Approx(-1));
    scheme.preview.distance_map[8] = 2;  // farther than any sample: nothing is made up
    CHECK(std::isnan(biasMap(scheme, view).tile.values[8]));
    CHECK(biasMap(scheme, view).scale.low == -biasMap(scheme, view).scale.high);
    scheme.preview.effective_distance.push_back({0, 1, 3});
    CHECK(biasMap(scheme, view).empty());
    scheme.preview.effective_distance.pop_back();
    scheme.scheme.slots["bias"].id = "fire";
    CHECK(biasMap(scheme, view).empty());
}

TEST_CASE("waves lie over positions and pairs, and pairs that the samples miss are counted", "[ui][encodings]") {
    auto scheme = four();
    const QuantityMap waves = waveMap(scheme);
    CHECK(waves.tile.columns == 2);
    CHECK(waves.columns == std::vector<std::int64_t>{0, 1});
    CHECK_FALSE(waves.squareCells);
    CHECK(waves.tile.values[3] == Approx(0.9));
    CHECK(unresolvedText(scheme.preview).isEmpty());
    scheme.preview.map_index = {0, 4, 8, 12};
    CHECK(unresolvedText(scheme.preview).contains(QStringLiteral("1 fast pair ")));
}

TEST_CASE("a cell reads out its distances, and says when it is not read", "[ui][encodings]") {
    const auto scheme = four();
    const EncodingMapsView view{0, true, MapBeside::plain};
    const auto value = [](const MapReading& reading, const char* label) {
        for (const ReadOutRow& row : reading.rows)
            if (row.label.contains(QString::fromUtf8(label))) return row.value;
        return QStringLiteral("none");
    };
    const MapReading near = distanceReading(scheme, view, {3, 2}), far = distanceReading(scheme, view, {3, 0});
    CHECK(near.heading.contains(QStringLiteral("3")));
    CHECK(value(near, "δ") == QStringLiteral("1"));
    CHECK(value(near, "used") == QStringLiteral("0.50"));
    CHECK(value(near, "plain") == QStringLiteral("1"));
    CHECK(value(near, "Bias").contains(QStringLiteral("0.50")));
    CHECK(value(far, "used") == QStringLiteral("not read"));
    CHECK(value(far, "plain") == QStringLiteral("3"));
    CHECK(distanceReading(scheme, view, {0, 2}).rows.front().label.contains(QStringLiteral("masked")));
    CHECK(value(waveReading(scheme, {1, 1}), "cos").contains(QStringLiteral("0.9")));
    CHECK(waveReading(scheme, {9, 9}).rows.empty());
}

TEST_CASE("a map is written with its numbers and the places they belong to", "[ui][encodings][figure]") {
    const QTemporaryDir folder;
    auto scheme = four();
    scheme.preview.map_index = {0, 10, 20, 30};
    FigureOptions options;
    options.path = folder.filePath(QStringLiteral("used.svg")).toStdString();
    options.height_mm = 0;
    options.npz = true;
    const auto files = render_quantity_figure(distanceMap(scheme, {}), options);
    REQUIRE(files.ok());
    REQUIRE(files.value().size() == 3);
    const auto contents = [](const std::filesystem::path& path) {
        QFile file(QString::fromStdString(path.string()));
        REQUIRE(file.open(QIODevice::ReadOnly));
        return file.readAll();
    };
    CHECK(contents(files.value()[0]).contains("key position j"));
    const QByteArray csv = contents(files.value()[1]);
    CHECK(csv.contains("row,0,10,20,30\n"));
    CHECK(csv.contains("10,0.5,0,nan,nan\n"));
    CHECK(contents(files.value()[2]).contains("used_distance_rows"));
    CHECK_FALSE(render_quantity_figure({}, options).ok());
}

TEST_CASE("the maps of a scheme are computed while they are seen, the plain one beside", "[ui][encodings]") {
    MapsFixture f;
    f.show("rope-self-extend");
    CHECK(f.page()->maps()->empty());
    f.choose(EncodingsPage::kMaps);
    const EncodingsMaps* maps = f.page()->maps();
    REQUIRE_FALSE(maps->quantity(EncodingsMaps::kDistanceBeside).empty());
    CHECK(maps->map(EncodingsMaps::kDistanceBeside)->isVisible());
    CHECK(maps->quantity(EncodingsMaps::kWavesBeside).empty());
    CHECK_FALSE(maps->hasBias());
    CHECK(maps->quantity(EncodingsMaps::kDistance).tile.rows == 128);
    CHECK(f.page()->findChild<QLabel*>(QStringLiteral("previewNote"))->text().contains(QStringLiteral("Self-Extend")));
    f.page()->findChild<Segmented*>(QStringLiteral("besideMaps"))->button(static_cast<int>(MapBeside::change))->click();
    CHECK(isDiverging(maps->quantity(EncodingsMaps::kDistanceBeside).scale.map));
    f.page()->findChild<QCheckBox*>(QStringLiteral("logDistance"))->click();
    CHECK_FALSE(maps->map(EncodingsMaps::kDistance)->scale().logarithmic);
    f.show("alibi");
    CHECK(maps->hasBias());
    CHECK_FALSE(maps->map(EncodingsMaps::kDistanceBeside)->isVisible());
}

TEST_CASE("maps with the same axes share crosshair and zoom, and the one under the mouse reads out", "[ui][encodings]") {
    MapsFixture f;
    f.show("rope-self-extend");
    f.choose(EncodingsPage::kMaps);
    HeatMap* used = f.page()->maps()->map(EncodingsMaps::kDistance);
    HeatMap* plain = f.page()->maps()->map(EncodingsMaps::kDistanceBeside);
    Q_EMIT used->hovered(8191, 0);
    const auto* readOut = used->findChild<ReadOut*>(QStringLiteral("mapReadOut"));
    CHECK(readOut->isVisible());
    CHECK(readOut->heading().contains(QStringLiteral("8,191")));
    CHECK(readOut->rows().at(0).value == QStringLiteral("8,191"));
    CHECK(readOut->rows().at(1).value == QStringLiteral("1,079.88"));  // 64 + 8127 / 8
    CHECK(plain->crosshair() == MapCell{8191, 0});
    CHECK_FALSE(plain->findChild<ReadOut*>(QStringLiteral("mapReadOut"))->isVisible());
    CHECK_FALSE(f.page()->maps()->map(EncodingsMaps::kWaves)->crosshair());
    used->setWindow({0, 1024, 0, 1024});
    CHECK(plain->geometryOfCells().window.keyEnd == 1024);
    CHECK(f.page()->maps()->map(EncodingsMaps::kWaves)->geometryOfCells().showsAll());
    Q_EMIT used->hoverLeft();
    CHECK_FALSE(plain->crosshair());
}

TEST_CASE("the view is remembered, and its main map is copied with its numbers", "[ui][encodings]") {
    MapsFixture f;
    f.show("rope");
    f.choose(EncodingsPage::kMaps);
    REQUIRE(f.page()->canExport());
    f.page()->copyFigure();
    CHECK(QGuiApplication::clipboard()->text().count(QLatin1Char('\n')) == 128);
    f.page()->pin();  // saves
    CHECK(EncodingsPage(f.session.get()).view() == EncodingsPage::kMaps);
    f.choose(EncodingsPage::kCurves);
    f.page()->unpin(0);
    CHECK(EncodingsPage(f.session.get()).view() == EncodingsPage::kCurves);
}

TEST_CASE("all plots of an extended rotation are seen in a large window, and scroll in a small one", "[ui][encodings]") {
    MapsFixture f;
    f.show("rope-yarn");
    auto* curves = f.page()->findChild<EncodingsCurves*>();
    const auto fits = [&] {
        for (const char* name : {"similarityPlot", "decayPlot", "wavelengthPlot", "turnsPlot"}) {
            const auto* plot = f.page()->findChild<CurvePlot*>(QLatin1String(name));
            if (!plot->isVisible() || plot->height() < 160) return false;
            if (!curves->viewport()->rect().contains(QRect(plot->mapTo(curves->viewport(), QPoint(0, 0)), plot->size()))) return false;
        }
        return true;
    };
    CHECK(eventually(fits));
    CHECK(curves->columns() == 2);
    f.window->resize(1024, 700);
    CHECK(eventually([&] { return curves->columns() == 1; }));
    for (const CurvePlot* plot : curves->findChildren<CurvePlot*>())
        if (plot->isVisible()) CHECK(plot->height() >= 160);
    auto* plot = f.page()->findChild<CurvePlot*>(QStringLiteral("turnsPlot"));
    const QPoint before = plot->mapTo(curves, QPoint(0, 0));
    QWidget* canvas = plot->findChildren<QWidget*>().front();
    QWheelEvent wheel(QPointF(20, 20), canvas->mapToGlobal(QPointF(20, 20)), {}, {0, -240}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(canvas, &wheel);
    CHECK(plot->mapTo(curves, QPoint(0, 0)).y() < before.y());
}
