/// See map_geometry.h.
#include "ui/plot/map_geometry.h"

#include <algorithm>
#include <cmath>

namespace lw::ui {

namespace {

constexpr double kClosest = 4;  // cells

double clampSpan(double span, std::int64_t cells) {
    const double size = static_cast<double>(cells);
    return std::clamp(span, std::min(kClosest, size), size);
}

void clampRange(double& begin, double& end, std::int64_t cells) {
    const double size = static_cast<double>(cells);
    const double span = clampSpan(end - begin, cells);
    begin = std::clamp(begin, 0.0, size - span);
    end = begin + span;
}

CellRange whole(double begin, double end, std::int64_t size) {
    const auto first = std::clamp(static_cast<std::int64_t>(std::floor(begin + 1e-9)), std::int64_t{0}, size);
    const auto last = std::clamp(static_cast<std::int64_t>(std::ceil(end - 1e-9)), first, size);
    return {first, last};
}

}  // namespace

void MapGeometry::fit() { window = {0, static_cast<double>(queries), 0, static_cast<double>(keys)}; }

void MapGeometry::clamp() {
    clampRange(window.queryBegin, window.queryEnd, queries);
    clampRange(window.keyBegin, window.keyEnd, keys);
}

void MapGeometry::zoom(QPointF about, double factor) {
    const double key = keyAt(about.x());
    const double query = queryAt(about.y());
    const double keySpan = clampSpan((window.keyEnd - window.keyBegin) / factor, keys);
    const double querySpan = clampSpan((window.queryEnd - window.queryBegin) / factor, queries);
    const double keyShare = (key - window.keyBegin) / (window.keyEnd - window.keyBegin);
    const double queryShare = (query - window.queryBegin) / (window.queryEnd - window.queryBegin);
    window.keyBegin = key - keyShare * keySpan;
    window.keyEnd = window.keyBegin + keySpan;
    window.queryBegin = query - queryShare * querySpan;
    window.queryEnd = window.queryBegin + querySpan;
    clamp();
}

void MapGeometry::pan(QPointF pixels) {
    const double dk = -pixels.x() / cellWidth();
    const double dq = -pixels.y() / cellHeight();
    window.keyBegin += dk;
    window.keyEnd += dk;
    window.queryBegin += dq;
    window.queryEnd += dq;
    clamp();
}

void MapGeometry::show(CellRange queryRange, CellRange keyRange) {
    window = {static_cast<double>(queryRange.begin), static_cast<double>(queryRange.end), static_cast<double>(keyRange.begin),
              static_cast<double>(keyRange.end)};
    clamp();
}

double MapGeometry::x(double key) const { return area.left() + (key - window.keyBegin) * cellWidth(); }
double MapGeometry::y(double query) const { return area.top() + (query - window.queryBegin) * cellHeight(); }
double MapGeometry::keyAt(double px) const { return window.keyBegin + (px - area.left()) / cellWidth(); }
double MapGeometry::queryAt(double py) const { return window.queryBegin + (py - area.top()) / cellHeight(); }

std::optional<MapCell> MapGeometry::cellAt(QPointF pixel) const {
    if (!area.contains(pixel)) return std::nullopt;
    const MapCell cell{static_cast<std::int64_t>(std::floor(queryAt(pixel.y()))), static_cast<std::int64_t>(std::floor(keyAt(pixel.x())))};
    if (cell.query < 0 || cell.query >= queries || cell.key < 0 || cell.key >= keys) return std::nullopt;
    return cell;
}

QRectF MapGeometry::rect(CellRange q, CellRange k) const {
    return {QPointF(x(static_cast<double>(k.begin)), y(static_cast<double>(q.begin))),
            QPointF(x(static_cast<double>(k.end)), y(static_cast<double>(q.end)))};
}

CellRange MapGeometry::visibleQueries() const { return whole(window.queryBegin, window.queryEnd, queries); }
CellRange MapGeometry::visibleKeys() const { return whole(window.keyBegin, window.keyEnd, keys); }

bool MapGeometry::showsAll() const {
    return window == MapWindow{0, static_cast<double>(queries), 0, static_cast<double>(keys)};
}

}  // namespace lw::ui
