/// See map_painter.h.
#include "ui/plot/map_painter.h"

#include "ui/plot/axis_ticks.h"
#include "ui/plot/number_text.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace lw::ui {

namespace {

QString tr(const char* source) { return QCoreApplication::translate("Map", source); }

std::vector<double> barTicks(const ColourScale& scale, double pixels) {
    const int about = std::max(2, static_cast<int>(pixels / 50));
    if (scale.logarithmic) {
        std::vector<double> ticks;
        const double decades = std::log10(scale.high / scale.low);
        const int every = std::max(1, static_cast<int>(std::ceil(decades / (pixels / 28))));
        for (int e = static_cast<int>(std::ceil(std::log10(scale.low) - 1e-9)); std::pow(10, e) <= scale.high * 1.0001; e += every) ticks.push_back(std::pow(10, e));
        return ticks;
    }
    if (isDiverging(scale.map) && about <= 2) return {scale.low, (scale.low + scale.high) / 2, scale.high};
    if (isDiverging(scale.map) && about <= 6) return {scale.low, scale.low / 2, 0, scale.high / 2, scale.high};
    return linearTicks(scale.low, scale.high, about);
}

QString barLabel(const ColourScale& scale, double tick, const std::vector<double>& all) {
    if (scale.logarithmic) return decadeText(tick);
    const int decimals = tickDecimals(all);
    return isDiverging(scale.map) ? signedText(tick, decimals) : numberText(tick, decimals);
}

/// Pointed ends say that values lie beyond the scale.
QPainterPath barShape(const QRectF& bar, const ColourBarText& text) {
    const double point = bar.width() * 0.6;
    QPainterPath path;
    path.moveTo(bar.left(), bar.top());
    if (text.cutHigh) path.lineTo(bar.center().x(), bar.top() - point);
    path.lineTo(bar.right(), bar.top());
    path.lineTo(bar.right(), bar.bottom());
    if (text.cutLow) path.lineTo(bar.center().x(), bar.bottom() + point);
    path.lineTo(bar.left(), bar.bottom());
    path.closeSubpath();
    return path;
}

}  // namespace

void paintCells(QPainter& painter, const MapGeometry& geometry, const MapLayer& layer) {
    if (layer.image.isNull()) return;
    painter.save();
    painter.setClipRect(geometry.area.intersected(geometry.rect(layer.queries, layer.keys)), Qt::IntersectClip);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const QPointF first(geometry.x(static_cast<double>(layer.keys.begin)), geometry.y(static_cast<double>(layer.queries.begin)));
    painter.drawImage(QRectF(first, QPointF(geometry.x(layer.keyEnd), geometry.y(layer.queryEnd))), layer.image, QRectF(layer.image.rect()));
    painter.restore();
}

MapLayer mapLayer(const lw::MapTile& tile, QImage image) {
    const auto end = [](const CellRange& range, std::int64_t pixels, double cells) { return static_cast<double>(range.begin) + static_cast<double>(std::llround(static_cast<double>(pixels) * cells)); };
    return {std::move(image), tile.queries, tile.keys, end(tile.queries, tile.rows, tile.cells_per_row), end(tile.keys, tile.columns, tile.cells_per_column)};
}

std::vector<double> mapTicks(double begin, double end, std::int64_t cells, double pixels, double room) {
    const int about = std::max(1, static_cast<int>(pixels / (room * 1.6)));
    std::vector<double> ticks = positionTicks(begin, end - 1, std::min(about, 8));
    const double last = static_cast<double>(cells - 1);
    const double perCell = pixels / (end - begin);
    if (end >= static_cast<double>(cells) - 1e-6 && (ticks.empty() || last > ticks.back())) {
        if (!ticks.empty() && (last - ticks.back()) * perCell < room) ticks.pop_back();
        ticks.push_back(last);
    }
    return ticks;
}

void paintMapAxes(QPainter& painter, const MapGeometry& g, const PlotTheme& theme, const MapAxes& axes) {
    const QFontMetricsF metrics(theme.caption);
    painter.setFont(theme.caption);
    painter.setPen(theme.secondary);
    const double height = metrics.height();
    if (axes.keyNumbers) {
        const double room = metrics.horizontalAdvance(integerText(g.keys)) + 14;
        for (const double tick : mapTicks(g.window.keyBegin, g.window.keyEnd, g.keys, g.area.width(), room)) {
            const QString text = integerText(std::llround(tick));
            double left = g.x(tick + 0.5) - metrics.horizontalAdvance(text) / 2;
            if (axes.keepInside) left = std::clamp(left, g.area.left(), std::max(g.area.left(), g.area.right() - metrics.horizontalAdvance(text)));
            painter.drawText(QRectF(left, g.area.bottom() + 3, 120, height), static_cast<int>(Qt::AlignLeft | Qt::AlignTop), text);
        }
    }
    double widest = 0;
    if (axes.queryNumbers) {
        for (const double tick : mapTicks(g.window.queryBegin, g.window.queryEnd, g.queries, g.area.height(), height + 8)) {
            const QString text = integerText(std::llround(tick));
            widest = std::max(widest, metrics.horizontalAdvance(text));
            painter.drawText(QRectF(g.area.left() - 129, g.y(tick + 0.5) - height / 2, 120, height), static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), text);
        }
    }
    if (!axes.keyTitle.isEmpty()) {
        painter.drawText(QRectF(g.area.left(), g.area.bottom() + 3 + (axes.keyNumbers ? height : 0), g.area.width(), height + 2), static_cast<int>(Qt::AlignHCenter | Qt::AlignTop), axes.keyTitle);
    }
    if (!axes.queryTitle.isEmpty()) {
        painter.save();
        painter.translate(g.area.left() - 13 - widest - height, g.area.center().y());
        painter.rotate(-90);
        painter.drawText(QRectF(-g.area.height() / 2, 0, g.area.height(), height), static_cast<int>(Qt::AlignCenter), axes.queryTitle);
        painter.restore();
    }
}

int colourBarTextWidth(const ColourScale& scale, const PlotTheme& theme) {
    const QFontMetricsF metrics(theme.caption);
    double widest = 0;
    const std::vector<double> ticks = barTicks(scale, 300);
    for (const double tick : ticks) widest = std::max(widest, metrics.horizontalAdvance(barLabel(scale, tick, ticks)));
    return static_cast<int>(std::ceil(widest + metrics.height())) + 12;
}

void paintColourBar(QPainter& painter, const QRectF& bar, const ColourScale& scale, const PlotTheme& theme, const ColourBarText& text) {
    if (bar.height() < 20) return;
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    QImage ramp(1, 256, QImage::Format_RGB32);
    for (int i = 0; i < 256; ++i) ramp.setPixel(0, i, mapColour(scale.map, 1 - i / 255.0));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QPainterPath shape = barShape(bar, text);
    if (text.cutHigh || text.cutLow) {
        painter.fillPath(shape.intersected([&] { QPainterPath p; p.addRect(bar.adjusted(0, -bar.width(), 0, -bar.height())); return p; }()), QColor::fromRgb(mapColour(scale.map, 1)));
        painter.fillPath(shape.intersected([&] { QPainterPath p; p.addRect(bar.adjusted(0, bar.height(), 0, bar.width())); return p; }()), QColor::fromRgb(mapColour(scale.map, 0)));
    }
    painter.restore();
    painter.drawImage(bar, ramp, QRectF(ramp.rect()));
    const QFontMetricsF metrics(theme.caption);
    painter.setFont(theme.caption);
    painter.setPen(theme.secondary);
    const std::vector<double> ticks = barTicks(scale, bar.height());
    double widest = 0;
    for (const double tick : ticks) {
        const double y = bar.bottom() - scale.fraction(tick) * bar.height();
        const QString label = barLabel(scale, tick, ticks);
        widest = std::max(widest, metrics.horizontalAdvance(label));
        const double top = std::clamp(y - metrics.height() / 2, bar.top() - 3, bar.bottom() - metrics.height() + 3);
        painter.drawText(QRectF(bar.right() + 6, top, 100, metrics.height()), static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), label);
    }
    painter.translate(bar.right() + 10 + widest + metrics.height(), bar.center().y());
    painter.rotate(90);
    painter.drawText(QRectF(-bar.height() / 2, 0, bar.height(), metrics.height()), static_cast<int>(Qt::AlignCenter), text.unit);
    painter.restore();
}

QString reducerText(lw::Reducer reducer) {
    switch (reducer) {
        case lw::Reducer::mean: return tr("mean");
        case lw::Reducer::max: return tr("max");
        case lw::Reducer::signed_max_abs: return tr("signed max-abs");
    }
    return {};
}

QString partText(lw::ScorePart part) {
    switch (part) {
        case lw::ScorePart::content: return tr("content");
        case lw::ScorePart::bias: return tr("bias");
        case lw::ScorePart::adaptive: return tr("adaptive");
        case lw::ScorePart::bias_adaptive: return tr("bias + adaptive");
        case lw::ScorePart::logit: return tr("logit");
        case lw::ScorePart::probability: return tr("probability");
    }
    return {};
}

QString tileCaption(const lw::MapTile& tile) {
    const QString size = QStringLiteral("%1 × %2").arg(integerText(tile.queries.size()), integerText(tile.keys.size()));
    const auto factor = [](double cells) { return numberText(cells, std::abs(cells - std::round(cells)) < 0.005 ? 0 : 1); };
    if (tile.cells_per_row <= 1.0001 && tile.cells_per_column <= 1.0001) return tr("%1 · every cell").arg(size);
    const QString cells = QStringLiteral("%1 × %2").arg(factor(tile.cells_per_row), factor(tile.cells_per_column));
    if (tile.sampled) return tr("%1 · sampled, one of %2 cells").arg(size, cells);
    return tr("%1 · %2 of %3 cells").arg(size, reducerText(tile.reducer), cells);
}

}  // namespace lw::ui
