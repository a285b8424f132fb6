/// See depth_grid.h.
#include "ui/plot/depth_grid.h"

#include "ui/plot/colour_map.h"
#include "ui/plot/number_text.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lw::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("DepthGrid", text); }

QString depthText(double depth) { return tr("%1 %").arg(std::lround(100 * depth)); }

/// Black or white, whichever stands off the colour more.
QColor inkOn(QRgb colour) { return qGray(colour) > 140 ? QColor(Qt::black) : QColor(Qt::white); }

struct Cells {
    QRectF area;
    double width, height;
    [[nodiscard]] QRectF at(std::size_t row, std::size_t column) const {
        return {area.left() + static_cast<double>(column) * width, area.top() + static_cast<double>(row) * height, width, height};
    }
};

void paintValues(QPainter& painter, const Cells& cells, const DepthGrid& grid, const PlotTheme& theme) {
    const ColourScale scale{ColourMapId::ink, 0, 1, false};
    const QFontMetricsF metrics(theme.caption);
    const bool words = metrics.horizontalAdvance(QStringLiteral("0.00")) + 4 <= cells.width && metrics.height() <= cells.height;
    painter.setFont(theme.caption);
    for (std::size_t i = 0; i < grid.values.size(); ++i) {
        const QRectF cell = cells.at(i / grid.lengths.size(), i % grid.lengths.size());
        const QRgb colour = scale.colour(grid.values[i], theme.masked.rgb());
        painter.fillRect(cell, QColor(colour));
        if (!words || std::isnan(grid.values[i])) continue;
        painter.setPen(inkOn(colour));
        painter.drawText(cell, Qt::AlignCenter, numberText(grid.values[i], 2));
    }
    painter.setPen(QPen(theme.background, 1));
    for (std::size_t column = 1; column < grid.lengths.size(); ++column) painter.drawLine(cells.at(0, column).topLeft(), QPointF(cells.at(0, column).left(), cells.area.bottom()));
    for (std::size_t row = 1; row < grid.depths.size(); ++row) painter.drawLine(cells.at(row, 0).topLeft(), QPointF(cells.area.right(), cells.at(row, 0).top()));
}

/// Numbers that would run into the one before are left out.
void paintNumbers(QPainter& painter, const Cells& cells, const DepthGrid& grid, const PlotTheme& theme, bool depthNumbers) {
    const QFontMetricsF metrics(theme.caption);
    painter.setFont(theme.caption);
    painter.setPen(theme.secondary);
    double used = -HUGE_VAL;
    for (std::size_t column = 0; column < grid.lengths.size(); ++column) {
        const QString text = integerText(grid.lengths[column]);
        const double middle = cells.at(0, column).center().x(), half = metrics.horizontalAdvance(text) / 2;
        if (middle - half < used) continue;
        painter.drawText(QRectF(middle - half, cells.area.bottom() + 4, 2 * half + 1, metrics.height()), Qt::AlignCenter, text);
        used = middle + half + 6;
    }
    if (!depthNumbers) return;
    used = -HUGE_VAL;
    for (std::size_t row = 0; row < grid.depths.size(); ++row) {
        const double middle = cells.at(row, 0).center().y(), half = metrics.height() / 2;
        if (middle - half < used) continue;
        painter.drawText(QRectF(cells.area.left() - 60, middle - half, 54, 2 * half), Qt::AlignRight | Qt::AlignVCenter, depthText(grid.depths[row]));
        used = middle + half;
    }
    painter.save();
    painter.translate(cells.area.left() - depthMargins(theme).left, cells.area.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-cells.area.height() / 2, 0, cells.area.height(), metrics.height()), Qt::AlignCenter, tr("place in the text"));
    painter.restore();
}

void paintTrained(QPainter& painter, const Cells& cells, const DepthGrid& grid, const PlotTheme& theme) {
    const auto longer = std::upper_bound(grid.lengths.begin(), grid.lengths.end(), grid.trainLength);
    if (grid.trainLength <= 0 || longer == grid.lengths.begin() || longer == grid.lengths.end()) return;
    const double x = cells.at(0, static_cast<std::size_t>(longer - grid.lengths.begin())).left();
    painter.setPen(QPen(theme.accent, 2));
    painter.drawLine(QPointF(x, cells.area.top() - 3), QPointF(x, cells.area.bottom() + 3));
}

}  // namespace

DepthGrid depthGrid(const lw::TaskEvaluation& evaluation, const QString& title) {
    DepthGrid grid{title, {}, {}, {}, evaluation.train_length};
    for (const lw::TaskPoint& point : evaluation.points) {
        if (point.depths.empty()) continue;
        grid.lengths.push_back(point.length);
        for (const lw::TaskDepth& one : point.depths) grid.depths.push_back(one.depth);
    }
    std::sort(grid.lengths.begin(), grid.lengths.end());
    std::sort(grid.depths.begin(), grid.depths.end());
    grid.lengths.erase(std::unique(grid.lengths.begin(), grid.lengths.end()), grid.lengths.end());
    grid.depths.erase(std::unique(grid.depths.begin(), grid.depths.end()), grid.depths.end());
    grid.values.assign(grid.lengths.size() * grid.depths.size(), std::nan(""));
    for (const lw::TaskPoint& point : evaluation.points) {
        const auto column = std::lower_bound(grid.lengths.begin(), grid.lengths.end(), point.length) - grid.lengths.begin();
        for (const lw::TaskDepth& one : point.depths) {
            const auto row = std::lower_bound(grid.depths.begin(), grid.depths.end(), one.depth) - grid.depths.begin();
            grid.values[static_cast<std::size_t>(row) * grid.lengths.size() + static_cast<std::size_t>(column)] = one.token_accuracy;
        }
    }
    return grid;
}

DepthMargins depthMargins(const PlotTheme& theme) {
    const QFontMetricsF metrics(theme.caption);
    return {metrics.horizontalAdvance(depthText(1)) + 12 + metrics.height(), 2 * metrics.height() + 10};
}

void paintDepthGrid(QPainter& painter, const QRectF& area, const DepthGrid& grid, const PlotTheme& theme, bool depthNumbers) {
    if (grid.empty()) return;
    const Cells cells{area, area.width() / static_cast<double>(grid.lengths.size()), area.height() / static_cast<double>(grid.depths.size())};
    paintValues(painter, cells, grid, theme);
    paintNumbers(painter, cells, grid, theme, depthNumbers);
    paintTrained(painter, cells, grid, theme);
    const QFontMetricsF metrics(theme.caption);
    painter.setPen(theme.secondary);
    painter.drawText(QRectF(area.left(), area.bottom() + 6 + metrics.height(), area.width(), metrics.height() + 2), Qt::AlignHCenter | Qt::AlignTop, tr("length T (tokens)"));
}

}  // namespace lw::ui
