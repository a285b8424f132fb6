#pragma once
/// Smooth long lines on the screen. Qt strokes a polyline as one outline, and filling an outline of thousands of points takes time that
/// grows with their square. The same line drawn a stripe of pixels at a time, each with the few points that reach into it, takes a small
/// part of that and gives the same picture.

#include <QPolygonF>

class QPainter;

namespace lw::ui {

/// The polyline with the painter's pen, finite points. As QPainter::drawPolyline() paints it, and by it wherever stripes would not do: on
/// paper and in vector files, for dashes, for few points, and where x does not rise from point to point.
void paintLine(QPainter& painter, const QPolygonF& line);

}  // namespace lw::ui
