/// Long lines and the lines of a row: drawn a stripe at a time, kept from frame to frame, and always what they would be if drawn whole.
#include "tests/ui/maps_support.h"
#include "ui/plot/line_painter.h"
#include "ui/plot/profile_picture.h"
#include "ui/plot/profile_plot.h"

#include <QImage>
#include <QPainter>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <random>

using namespace lw::ui;
using lw::test::eventually;
using lw::test::ShownMaps;

namespace {

/// The largest difference of any channel of any pixel.
int worst(const QImage& a, const QImage& b) {
    if (a.size() != b.size() || a.isNull()) return 256;
    int most = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
            for (const int d : {qRed(p) - qRed(q), qGreen(p) - qGreen(q), qBlue(p) - qBlue(q), qAlpha(p) - qAlpha(q)})
                most = std::max(most, std::abs(d));
        }
    return most;
}

QPolygonF noise(int columns) {
    std::mt19937 random(3);
    QPolygonF line;
    for (int c = 0; c < columns; ++c)
        for (const double along : {0.3, 0.8}) line << QPointF(c + along, 10 + static_cast<double>(random() % 80));
    return line;
}

/// As on an axis of logarithms: few points at first, thousands at the end.
QPolygonF logarithmic(int columns) {
    QPolygonF line;
    for (int c = 0; c < 2000; ++c) line << QPointF(columns * std::log(c + 1.0) / std::log(2000.0), 50 + 40 * std::sin(0.05 * c));
    return line;
}

QImage drawn(double scale, const QPen& pen, const std::function<void(QPainter&)>& draw) {
    QImage image(QSize(static_cast<int>(300 * scale), static_cast<int>(100 * scale)), QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.translate(0.5, 0.5);
    painter.setClipRect(QRectF(20, 5, 250, 90));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(pen);
    draw(painter);
    return image;
}

/// A noisy and a smooth term of a row of `keys` keys.
std::vector<ProfileLine> rowOf(int keys) {
    std::mt19937 random(7);
    std::vector<ProfileLine> lines(2);
    for (int k = 0; k < keys; ++k) {
        lines[0].values.push_back(static_cast<float>(random() % 200) / 100 - 1);
        lines[1].values.push_back(static_cast<float>(0.9 * std::sin(0.01 * k)));
    }
    lines[0].colour = QColor(30, 90, 160);
    lines[1].colour = QColor(200, 90, 20);
    lines[1].width = 1.6;
    return lines;
}

ProfileView viewFrom(double begin, double span) { return {QRectF(0, 0, 240, 80), begin, begin + span, -1, 1, false}; }

/// Paint events of every widget of a window.
class Painted : public QObject {
public:
    explicit Painted(QWidget* window) {
        window->installEventFilter(this);
        for (QWidget* widget : window->findChildren<QWidget*>()) widget->installEventFilter(this);
    }
    std::vector<const QObject*> widgets;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint) widgets.push_back(watched);
        return false;
    }
};

void mouse(HeatMap* map, QEvent::Type type, QPointF at) {
    const Qt::MouseButton button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
    const Qt::MouseButton held = type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton;
    QMouseEvent event(type, at, map->mapToGlobal(at), button, held, Qt::NoModifier);
    QApplication::sendEvent(map, &event);
}

}  // namespace

TEST_CASE("a long line drawn in stripes looks like the line drawn whole", "[ui][plot][picture]") {
    QPen dashed(QColor(30, 90, 160), 1.5);
    dashed.setStyle(Qt::DashLine);
    const QPen round(QColor(30, 90, 160), 1.2, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin), translucent(QColor(30, 90, 160, 100), 2.4);
    const QPen pens[] = {round, translucent, QPen(QColor(30, 90, 160), 1.5, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin), dashed};
    for (const QPolygonF& line : {noise(300), logarithmic(300)})
        for (const QPen& pen : pens)
            for (const double scale : {1.0, 1.5, 2.0}) {
                CAPTURE(line.size(), pen.widthF(), scale);
                const QImage whole = drawn(scale, pen, [&](QPainter& painter) { painter.drawPolyline(line); });
                CHECK(worst(whole, drawn(scale, pen, [](QPainter&) {})) > 50);
                CHECK(worst(whole, drawn(scale, pen, [&](QPainter& painter) { paintLine(painter, line); })) <= 1);
            }
}

TEST_CASE("a line that turns back, and one that lies far outside, are drawn as ever", "[ui][plot][picture]") {
    QPolygonF back = noise(300);
    std::reverse(back.begin() + 100, back.begin() + 200);
    QPolygonF far = noise(300);
    far.prepend({-1e9, 40});
    far.append({1e9, 60});
    const QPen pen(QColor(30, 90, 160), 1.2);
    for (const QPolygonF& line : {back, far}) {
        const QImage whole = drawn(1, pen, [&](QPainter& painter) { painter.drawPolyline(line); });
        CHECK(worst(whole, drawn(1, pen, [&](QPainter& painter) { paintLine(painter, line); })) <= 1);
    }
}

TEST_CASE("the lines of a row that were moved look like those drawn there", "[ui][plot][picture]") {
    const std::vector<ProfileLine> lines = rowOf(4000);
    std::mt19937 random(5);
    for (const double scale : {1.0, 2.0})
        for (const double span : {12.0, 240.0, 1920.0}) {  // keys wider than a pixel, as wide, and narrower
            const ProfilePicture::Pixels pixels{QSize(240, 80) * scale, scale};
            const double pixel = span / pixels.size.width();
            ProfilePicture moved;
            double begin = 1000;
            for (int frame = 0; frame < 12; ++frame) {
                begin += pixel * (static_cast<int>(random() % 61) - 30);
                ProfilePicture fresh;
                CAPTURE(scale, span, frame);
                REQUIRE(worst(moved.update(viewFrom(begin, span), lines, pixels), fresh.update(viewFrom(begin, span), lines, pixels)) <= 1);
                REQUIRE(moved.drawn().width() <= (frame == 0 ? pixels.size.width() + 2 * pixels.margin() : 30));
            }
        }
}

TEST_CASE("of a row that moves only the stripe that came into view is drawn, and all of another", "[ui][plot][picture]") {
    std::vector<ProfileLine> lines = rowOf(4000);
    const ProfilePicture::Pixels pixels{{240, 80}, 1};
    ProfilePicture picture;
    (void)picture.update(viewFrom(1000, 480), lines, pixels);
    CHECK(picture.drawn() == QRect(0, 0, 242, 82));
    (void)picture.update(viewFrom(1000, 480), lines, pixels);
    CHECK(picture.drawn().isEmpty());
    (void)picture.update(viewFrom(1010, 480), lines, pixels);
    CHECK(picture.drawn() == QRect(237, 0, 5, 82));
    (void)picture.update(viewFrom(1004, 480), lines, pixels);
    CHECK(picture.drawn() == QRect(0, 0, 3, 82));
    for (float& value : lines[0].values) value = -value;
    picture.forget();
    ProfilePicture fresh;
    CHECK(picture.update(viewFrom(1004, 480), lines, pixels) == fresh.update(viewFrom(1004, 480), lines, pixels));
    (void)picture.update(viewFrom(1004, 500), lines, pixels);
    CHECK(picture.drawn() == QRect(0, 0, 242, 82));
    ProfileView flat = viewFrom(1004, 500);
    flat.high = 2;
    (void)picture.update(flat, lines, pixels);
    CHECK(picture.drawn() == QRect(0, 0, 242, 82));
}

TEST_CASE("a row that had no room for a while is drawn again", "[ui][plot][picture]") {
    const std::vector<ProfileLine> lines = rowOf(4000);
    const ProfilePicture::Pixels pixels{{240, 80}, 1};
    ProfilePicture picture, fresh;
    (void)picture.update(viewFrom(1000, 480), lines, pixels);
    CHECK(picture.update(viewFrom(1000, 480), lines, {{240, 0}, 1}).isNull());
    CHECK(picture.update(viewFrom(1000, 480), lines, pixels) == fresh.update(viewFrom(1000, 480), lines, pixels));
    CHECK(picture.drawn() == QRect(0, 0, 242, 82));
}

TEST_CASE("the row below a map shows another row and another part at once", "[ui][plot][picture]") {
    // Forwards and backwards, so that the axes are the same.
    const auto rowWith = [](bool backwards) {
        lw::RowProfile row;
        row.query = 99;
        for (int k = 0; k < 100; ++k) {
            const int at = backwards ? 99 - k : k;
            row.content.push_back(static_cast<float>(std::sin(0.7 * at)));
            row.bias.push_back(-0.1F * static_cast<float>(at));
            row.probability.push_back(0.01F * static_cast<float>(at));
        }
        return row;
    };
    ProfilePlot used, fresh;
    for (ProfilePlot* plot : {&used, &fresh}) {
        plot->resize(500, 200);
        plot->setKeyAxis(60, 360, 0, 100, 100);
    }
    used.setRow(rowWith(false), lw::ScorePart::bias);
    (void)used.grab();
    const auto same = [&] { return used.grab().toImage() == fresh.grab().toImage(); };
    for (const lw::ScorePart part : {lw::ScorePart::bias, lw::ScorePart::probability}) {
        for (const bool backwards : {true, false}) {
            used.setRow(rowWith(backwards), part);
            fresh.clear();
            (void)fresh.grab();
            fresh.setRow(rowWith(backwards), part);
            CHECK(same());
        }
    }
    used.clear();
    fresh.clear();
    CHECK(same());
}

TEST_CASE("a row that is told its limits and its axis again is not painted again", "[ui][plot][picture]") {
    ProfilePlot plot;
    plot.resize(500, 200);
    lw::RowProfile row;
    row.query = 9;
    row.content.assign(10, 0.5F);
    plot.setRow(row, lw::ScorePart::content);
    plot.setLimit(2);
    plot.setTrainLength(5);
    plot.setKeyAxis(50, 350, 0, 10, 10);
    plot.show();
    QCoreApplication::processEvents();
    const Painted painted(&plot);
    const auto paints = [&] {
        QCoreApplication::processEvents();
        return painted.widgets.size();
    };
    plot.setLimit(2);
    plot.setTrainLength(5);
    plot.setKeyAxis(50, 350, 0, 10, 10);
    CHECK(paints() == 0);
    plot.setLimit(3);
    CHECK(paints() == 1);
    plot.setKeyAxis(50, 350, 1, 11, 11);
    CHECK(paints() == 2);
}

TEST_CASE("a step of a drag paints the map and the row below it and nothing else", "[ui][maps][picture]") {
    const ShownMaps shown;
    HeatMap* map = shown.map();
    map->setWindow({100, 200, 20, 120});
    REQUIRE(eventually([&] { return shown.exact(); }));
    QCoreApplication::processEvents();
    const QPointF centre = map->geometryOfCells().area.center();
    mouse(map, QEvent::MouseButtonPress, centre);
    mouse(map, QEvent::MouseMove, centre + QPointF(10, 10));  // the cursor changes and read-outs go
    REQUIRE(eventually([&] { return shown.exact(); }));
    QCoreApplication::processEvents();
    const Painted painted(shown.page.get());
    const double begin = map->geometryOfCells().window.keyBegin;
    mouse(map, QEvent::MouseMove, centre + QPointF(14, 13));
    CHECK(map->geometryOfCells().window.keyBegin < begin);
    REQUIRE(eventually([&] { return shown.exact() && !painted.widgets.empty(); }));
    QCoreApplication::processEvents();
    for (const QObject* widget : painted.widgets) {
        CAPTURE(widget->metaObject()->className(), widget->objectName().toStdString());
        CHECK((widget == map || widget == shown.page->canvas()->profile()));
    }
    mouse(map, QEvent::MouseButtonRelease, centre);
}
