/// The atlas of heads: dots from numbers, where they lie, and beside the maps.
#include "core/api/export.h"
#include "tests/ui/maps_support.h"
#include "ui/pages/maps_atlas.h"
#include "ui/pages/maps_heads.h"
#include "ui/pages/maps_legend.h"
#include "ui/plot/atlas_labels.h"
#include "ui/plot/atlas_plot.h"
#include "ui/plot/figures.h"
#include "ui/plot/read_out.h"
#include "ui/plot/segmented.h"
#include "ui/plot/thumbnail_grid.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace lw::ui;
using lw::test::eventually;
using lw::test::ShownMaps;

namespace {

lw::HeadPoint point(std::int64_t length, std::int64_t head, double locality, double contrast, const char* headClass) {
    lw::HeadPoint made;
    made.step = 10;
    made.length = length;
    made.head = head;
    made.locality = locality;
    made.contrast = contrast;
    made.head_class = headClass;
    return made;
}

/// Two heads at two lengths.
lw::HeadAtlas atlas() {
    lw::HeadAtlas made;
    made.run_title = "DAPE";
    made.layers = 1;
    made.heads = 2;
    made.steps = {10};
    made.lengths = {128, 512};
    made.points = {point(128, 0, 0.9, -20, "local"), point(128, 1, -0.2, 1, "anti-local"), point(512, 0, 0.5, -80, "local"), point(512, 1, -0.9, 0.1, "sink")};
    return made;
}

}  // namespace

TEST_CASE("an atlas has a dot for each head with the way that led there", "[ui][plot][atlas]") {
    const AtlasContent content = atlasContent(atlas(), *findAtlasAxis("C"), lw::TrailAxis::length);
    REQUIRE(content.dots.size() == 2);
    REQUIRE(content.dots[0].way.size() == 2);
    CHECK(content.dots[0].way.back().at == QPointF(0.5, -80));
    CHECK(content.dots[1].way.front().headClass == QStringLiteral("anti-local"));
    CHECK(content.wayLabel.contains(QStringLiteral("T = 128")));
    const auto counts = classCounts(content);
    REQUIRE(counts.size() == 2);
    CHECK(counts[0].second == 1);
    CHECK(atlasContent(atlas(), *findAtlasAxis("C"), lw::TrailAxis::step).dots[0].way.size() == 1);
    CHECK(atlasContent(atlas(), *findAtlasAxis("A"), lw::TrailAxis::length).empty());  // one text
    CHECK(findAtlasAxis("nothing") == nullptr);
}

TEST_CASE("only axes with a value are offered for an open map", "[ui][plot][atlas]") {
    std::vector<lw::HeadMeasures> measures(2);
    measures[1].head = 1;
    const lw::HeadAtlas known = atlasOf(measures);
    CHECK(known.heads == 2);
    std::vector<std::string> ids;
    for (const AtlasAxis* axis : knownAxes(known)) ids.emplace_back(axis->id);
    CHECK(ids == std::vector<std::string>{"C", "rho", "entropy", "beyond", "sink"});
}

TEST_CASE("contrast stands on an axis that tells small from large on both sides of 0", "[ui][plot][atlas]") {
    const AtlasContent content = atlasContent(atlas(), *findAtlasAxis("C"), lw::TrailAxis::length);
    const AtlasView view = atlasView(content, QRectF(0, 0, 200, 200));
    const double low = view.up->unstretched(view.low), high = view.up->unstretched(view.high);
    CHECK(low < -80);
    CHECK(high > 1);
    const double up = view.pixel({0, -1}).y() - view.pixel({0, 1}).y(), far = view.pixel({0, -80}).y() - view.pixel({0, -40}).y();
    CHECK(up > far);  // ±1 takes more room than −40 to −80
    CHECK(view.pixel({0, low}).y() == Approx(200));
    for (const double tick : atlasTicks(view, 5)) CHECK((tick >= low && tick <= high));
    const QPointF dot = view.pixel(content.dots[1].way.back().at);
    CHECK(nearestDot(content, view, dot + QPointF(3, 2), 14) == 1);
    CHECK(nearestDot(content, view, dot + QPointF(60, 60), 14) == -1);
}

TEST_CASE("localities near 1 stand apart, and those of the other sign have a place too", "[ui][plot][atlas]") {
    lw::HeadAtlas near = atlas();
    near.points = {point(512, 0, 0.99, -1, "local"), point(512, 1, 0.999, -1, "local")};
    near.lengths = {512};
    const AtlasContent content = atlasContent(near, *findAtlasAxis("C"), lw::TrailAxis::length);
    const AtlasView view = atlasView(content, QRectF(0, 0, 300, 200));
    CHECK(view.pixel({0.999, 0}).x() - view.pixel({0.99, 0}).x() > 40);
    CHECK(view.pixel({0.99, 0}).x() - view.pixel({0.9, 0}).x() > 40);
    CHECK(view.pixel({-0.5, 0}).x() > 0);
    CHECK(view.pixel({0.999, 0}).x() < 300);
    CHECK(nearestDot(content, view, view.pixel({0.99, -1}), 14) == 0);
    CHECK(nearestDot(content, view, view.pixel({0.999, -1}), 14) == 1);
    CHECK(view.pixel({1, 0}).x() == view.pixel({0.9999, 0}).x());  // 1 itself would be infinitely far away
    const auto ticks = localityTicks(view, 4);
    REQUIRE(ticks.size() > 2);
    CHECK(std::is_sorted(ticks.begin(), ticks.end()));
    CHECK(std::find(ticks.begin(), ticks.end(), 0.0) != ticks.end());
    CHECK(std::find(ticks.begin(), ticks.end(), 0.99) != ticks.end());
    CHECK(view.across->tickText(0.99, ticks) == QStringLiteral("+0.99"));
    CHECK(view.across->tickText(0.999, ticks) == QStringLiteral("+0.999"));
}

TEST_CASE("names of heads stand clear of the lines of ways", "[ui][plot][atlas]") {
    // Ways that come from the left and lie close above each other, as those over lengths do.
    lw::HeadAtlas made = atlas();
    made.points.clear();
    made.heads = 12;
    for (std::int64_t head = 0; head < made.heads; ++head)
        for (const std::int64_t length : {128, 512}) made.points.push_back(point(length, head, length == 128 ? 0.2 : 0.6 + 0.005 * static_cast<double>(head), -10 - 0.4 * static_cast<double>(head), "local"));
    const AtlasContent content = atlasContent(made, *findAtlasAxis("C"), lw::TrailAxis::length);
    const AtlasView view = atlasView(content, QRectF(0, 0, 500, 300));
    const auto labels = placeAtlasLabels(content, view, QFontMetricsF(QApplication::font()), {});
    CHECK(labels.size() > 2);
    for (const AtlasLabel& label : labels) {
        for (const AtlasDot& dot : content.dots) {
            CHECK_FALSE(label.box.contains(view.pixel(dot.way.back().at)));
            const QPointF from = view.pixel(dot.way.front().at), to = view.pixel(dot.way.back().at);
            for (int n = 0; n <= 200; ++n) CHECK_FALSE(label.box.contains(from + (to - from) * (n / 200.0)));
        }
        for (const AtlasLabel& other : labels) CHECK((label.dot == other.dot || !label.box.intersects(other.box)));
    }
    // What is chosen has its name first.
    AtlasMarks marks;
    marks.selected = 5;
    const auto marked = placeAtlasLabels(content, view, QFontMetricsF(QApplication::font()), marks);
    REQUIRE_FALSE(marked.empty());
    CHECK(marked.front().dot == 5);
    marks.filter = QStringLiteral("sink");  // all others are faint
    CHECK(placeAtlasLabels(content, view, QFontMetricsF(QApplication::font()), marks).size() == 1);
}

TEST_CASE("axes that are not linear say how they run", "[ui][plot][atlas]") {
    const AtlasContent content = atlasContent(atlas(), *findAtlasAxis("C"), lw::TrailAxis::length);
    CHECK(scaledTitle(content.yLabel, *content.up) == QStringLiteral("far − near contrast C, nats (asinh scale)"));
    CHECK(scaledTitle(content.xLabel, *content.across) == QStringLiteral("locality λ (atanh scale)"));
    CHECK(scaledTitle(QStringLiteral("entropy"), linearScale()) == QStringLiteral("entropy"));
    for (const AtlasScale* scale : {&linearScale(), &asinhScale(), &atanhScale()})
        for (const double value : {-0.95, -0.1, 0.0, 0.4, 0.999}) CHECK(scale->unstretched(scale->stretched(value)) == Approx(value).margin(1e-12));
}

TEST_CASE("a dot is read out under the mouse and chosen by a click", "[ui][plot][atlas]") {
    AtlasPlot plot;
    plot.resize(400, 300);
    plot.setContent(atlasContent(atlas(), *findAtlasAxis("C"), lw::TrailAxis::length));
    plot.show();
    const QPoint at = plot.dotAt(0, 1)->toPoint();
    QMouseEvent move(QEvent::MouseMove, QPointF(at), plot.mapToGlobal(QPointF(at)), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&plot, &move);
    const auto* readOut = plot.findChild<ReadOut*>(QStringLiteral("atlasReadOut"));
    REQUIRE(readOut->isVisible());
    CHECK(readOut->heading().contains(QStringLiteral("head 1")));
    CHECK(readOut->rows().size() == 2);
    const QSignalSpy clicked(&plot, &AtlasPlot::headClicked);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, at);
    REQUIRE(clicked.size() == 1);
    CHECK(clicked[0] == QVariantList{qint64{0}, qint64{1}});
    QTest::mouseClick(&plot, Qt::LeftButton, {}, QPoint(1, 1));
    CHECK(clicked.size() == 1);
}

TEST_CASE("arrow keys go from dot to dot and read them out", "[ui][plot][atlas]") {
    AtlasPlot plot;
    plot.resize(400, 300);
    plot.setContent(atlasContent(atlas(), *findAtlasAxis("C"), lw::TrailAxis::length));
    plot.setSelected(0, 0);  // at the right and far below
    plot.show();
    const QSignalSpy clicked(&plot, &AtlasPlot::headClicked);
    QTest::keyClick(&plot, Qt::Key_Right);
    CHECK(clicked.isEmpty());
    QTest::keyClick(&plot, Qt::Key_Left);
    REQUIRE(clicked.size() == 1);
    CHECK(clicked[0] == QVariantList{qint64{0}, qint64{1}});
    const auto* readOut = plot.findChild<ReadOut*>(QStringLiteral("atlasReadOut"));
    CHECK(readOut->isVisible());
    CHECK(readOut->heading().contains(QStringLiteral("head 1")));
    QTest::keyClick(&plot, Qt::Key_Escape);
    CHECK_FALSE(readOut->isVisible());
}

TEST_CASE("a filter lets the mouse find bright dots before faint ones that are nearer", "[ui][plot][atlas]") {
    lw::HeadAtlas near = atlas();
    near.points = {point(512, 0, 0.5, 1, "local"), point(512, 1, 0.52, 1, "sink")};
    near.lengths = {512};
    const AtlasContent content = atlasContent(near, *findAtlasAxis("C"), lw::TrailAxis::length);
    const AtlasView view = atlasView(content, QRectF(0, 0, 200, 200));
    const QPointF at = view.pixel(content.dots[0].way.back().at);
    CHECK(nearestDot(content, view, at, 14) == 0);
    CHECK(nearestDot(content, view, at, 14, QStringLiteral("sink")) == 1);
    CHECK(nearestDot(content, view, at, 14, QStringLiteral("local")) == 0);
    CHECK(nearestDot(content, view, at, 14, QStringLiteral("hump")) == 0);
}

TEST_CASE("numbers on a wide axis of both signs stand apart", "[ui][plot][atlas]") {
    lw::HeadAtlas wide = atlas();
    wide.points = {point(512, 0, 0, -50000, "local"), point(512, 1, 0, 50000, "anti-local")};
    wide.lengths = {512};
    const AtlasView view = atlasView(atlasContent(wide, *findAtlasAxis("C"), lw::TrailAxis::length), QRectF(0, 0, 100, 150));
    const auto ticks = atlasTicks(view, 6);
    REQUIRE(ticks.size() > 2);
    CHECK(std::find(ticks.begin(), ticks.end(), 0.0) != ticks.end());
    for (std::size_t n = 1; n < ticks.size(); ++n) CHECK(view.pixel({0, ticks[n - 1]}).y() - view.pixel({0, ticks[n]}).y() >= 14.9);
}

TEST_CASE("a legend takes as many lines as the page's width asks for", "[ui][plot][atlas]") {
    const AtlasContent content = atlasContent(atlas(), *findAtlasAxis("C"), lw::TrailAxis::length);
    const PlotTheme theme = PlotTheme::forExport(false);
    const double wide = paintAtlasLegend(nullptr, content, theme, QRectF(0, 0, 2000, 100)), narrow = paintAtlasLegend(nullptr, content, theme, QRectF(0, 0, 90, 100));
    CHECK(narrow > 2 * wide);
}

TEST_CASE("an atlas without heads says so, keeps the axis that was chosen, and asks once for ways", "[ui][maps][atlas]") {
    HeadAtlasView view;
    auto* axis = view.findChild<QComboBox*>(QStringLiteral("atlasAxis"));
    const auto* ways = view.findChild<Segmented*>(QStringLiteral("atlasWays"));
    CHECK_FALSE(ways->isEnabled());
    std::vector<lw::HeadMeasures> measures(2);
    measures[1].head = 1;
    view.setMeasures(measures);
    axis->setCurrentIndex(axis->findData(QStringLiteral("entropy")));
    view.setMeasures({});
    CHECK(view.plot()->content().empty());
    view.setMeasures(measures);
    CHECK(axis->currentData() == QStringLiteral("entropy"));
    const QSignalSpy asked(&view, &HeadAtlasView::trailsRequested);
    ways->button(1)->click();
    ways->button(0)->click();
    ways->button(1)->click();
    CHECK(asked.size() == 1);
    CHECK(view.findChild<QLabel*>(QStringLiteral("atlasNote"))->text().contains(QStringLiteral("being measured")));
    view.dropRequest(lw::TrailAxis::length);
    CHECK(ways->current() == 0);
    ways->button(1)->click();
    CHECK(asked.size() == 2);
}

TEST_CASE("the Maps page shows heads as an atlas, a click opens the head, and trails are measured on demand", "[ui][maps][atlas]") {
    const ShownMaps shown;
    HeadsPanel* heads = shown.page->heads();
    REQUIRE(eventually([&] { return heads->measures().size() == 32; }));
    CHECK(heads->grid()->isVisible());
    heads->showView(HeadsPanel::kAtlas);
    CHECK_FALSE(heads->grid()->isVisible());
    AtlasPlot* plot = heads->atlas()->plot();
    REQUIRE(plot->isVisible());
    REQUIRE(plot->content().dots.size() == 32);
    Q_EMIT plot->headClicked(2, 5);
    CHECK(shown.session->layer() == 2);
    CHECK(shown.session->head() == 5);
    const auto* ways = heads->atlas()->findChild<Segmented*>(QStringLiteral("atlasWays"));
    ways->button(1)->click();
    REQUIRE(eventually([&] { return plot->content().dots.front().way.size() > 1; }));
    auto* axis = heads->atlas()->findChild<QComboBox*>(QStringLiteral("atlasAxis"));
    axis->setCurrentIndex(axis->findData(QStringLiteral("entropy")));
    CHECK(plot->content().yLabel.contains(QStringLiteral("entropy")));
    shown.session->setHead(0, 0);
    CHECK(plot->content().dots.front().way.size() > 1);  // a new head or query leaves the ways
    CHECK(heads->findChild<ClassLegend*>()->accessibleDescription().contains(QStringLiteral("layer.head")));
    ways->button(0)->click();
    CHECK(plot->content().dots.front().way.size() == 1);
    CHECK(plot->content().yLabel.contains(QStringLiteral("entropy")));
    ways->button(1)->click();
    CHECK(plot->content().dots.front().way.size() > 1);  // known, and not measured again
    heads->showView(HeadsPanel::kPictures);
    CHECK(heads->grid()->isVisible());
}

TEST_CASE("a figure of an atlas is written with its numbers", "[ui][plot][atlas]") {
    const QTemporaryDir folder;
    FigureOptions options;
    options.path = folder.filePath(QStringLiteral("atlas.svg")).toStdString();
    options.title = "DAPE-Kerple: bias + adaptive of its heads";
    options.subtitle = "128 to 512 tokens, trained at L = 128, seed 1";
    const auto files = render_atlas_figure(atlas(), "C", lw::TrailAxis::length, options);
    REQUIRE(files.ok());
    QFile svg(QString::fromStdString(files.value()[0].string()));
    REQUIRE(svg.open(QIODevice::ReadOnly));
    const QString drawn = QString::fromUtf8(svg.readAll());
    CHECK(drawn.contains(QStringLiteral("atanh scale")));
    CHECK(drawn.contains(QStringLiteral("asinh scale")));
    CHECK(drawn.contains(QStringLiteral("seed 1")));
    CHECK(files.value().size() == 2);
    CHECK(std::filesystem::file_size(files.value()[0]) > 1000);
    CHECK(render_atlas_figure(atlas(), "B", lw::TrailAxis::length, options).error().message.find("choose one of C, A") != std::string::npos);
    CHECK(render_atlas_figure(atlas(), "A", lw::TrailAxis::length, options).error().kind == lw::ErrorKind::invalid_argument);
}

TEST_CASE("the atlas beside the maps is exported with the command line's numbers", "[ui][maps][atlas]") {
    const ShownMaps shown;
    HeadsPanel* heads = shown.page->heads();
    REQUIRE(eventually([&] { return heads->measures().size() == 32; }));
    heads->showView(HeadsPanel::kAtlas);
    HeadAtlasView* view = heads->atlas();
    CHECK(view->csv() == lw::measures_csv(heads->measures()));
    CHECK(view->axis() == QStringLiteral("C"));
    FigureOptions options = shown.page->atlasOptions();
    CHECK(options.title.find("DAPE-Kerple: bias + adaptive") == 0);
    CHECK(options.subtitle == "256 tokens, trained at L = 128, seed 1, step 6,000, query 255");
    view->findChild<Segmented*>(QStringLiteral("atlasWays"))->button(1)->click();
    REQUIRE(eventually([&] { return view->plot()->content().dots.front().way.size() > 1; }));
    CHECK(view->csv() == lw::atlas_csv(view->shown()));
    options = shown.page->atlasOptions();
    CHECK(options.subtitle.find("64 to 1,024 tokens, trained at L = 128") == 0);
    CHECK(options.state.find("\"atlas\"") != std::string::npos);
    options.path = shown.folder.filePath(QStringLiteral("atlas.svg")).toStdString();
    const auto files = render_atlas_content_figure(view->plot()->content(), view->csv(), options);
    REQUIRE(files.ok());
    REQUIRE(files.value().size() == 2);
    QFile table(QString::fromStdString(files.value()[1].string()));
    REQUIRE(table.open(QIODevice::ReadOnly));
    CHECK(table.readAll().toStdString() == view->csv());
    CHECK(render_atlas_content_figure({}, "", options).error().kind == lw::ErrorKind::invalid_argument);
}
