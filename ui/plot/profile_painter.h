#pragma once
/// Drawing of one query row: values against key position, any number of cells, for widgets and figures.

#include "ui/plot/plot_theme.h"

#include <QPolygonF>
#include <QRectF>

#include <vector>

class QPainter;

namespace lw::ui {

struct ProfileView {
    QRectF area;                        ///< pixels
    double keyBegin = 0, keyEnd = 1;    ///< cells seen
    double low = -1, high = 1;
    bool logarithmic = false;
    [[nodiscard]] double x(double key) const { return area.left() + (key - keyBegin) * area.width() / (keyEnd - keyBegin); }
    [[nodiscard]] double y(double value) const;
    [[nodiscard]] double keyAt(double px) const { return keyBegin + (px - area.left()) * (keyEnd - keyBegin) / area.width(); }
};

struct ProfileLine {
    std::vector<float> values;
    QColor colour;
    double width = 1.3;
    QString label;
};

/// The line through the cells; where several cells share a pixel column, their smallest and largest value are both drawn,
/// so that a single spike is never lost.
[[nodiscard]] QPolygonF profilePolygon(const ProfileView& view, const std::vector<float>& values, double columnsPerPixel = 1);
void paintProfileLine(QPainter& painter, const ProfileView& view, const ProfileLine& line);
struct ProfileAxes {
    bool valueNumbers = true;
    bool keyNumbers = true;
    QString keyTitle;
    bool keepInside = false;        ///< outermost key numbers stay within the panel
    std::int64_t keys = 0;          ///< positions in all, for the last tick
    std::int64_t markedKey = -1;    ///< dashed line, -1 = none
    QString mark;                   ///< its text
    QString unit = {};              ///< of the values, along their axis
};
/// Top left of the name of a dashed line at pixel `mark`: left of it, right of it where `taken` pixels at the top left are written on, and one
/// line lower where both sides are.
[[nodiscard]] QPointF markPlace(const ProfileView& view, double mark, double width, double taken, double lineHeight);
void paintProfileAxes(QPainter& painter, const ProfileView& view, const PlotTheme& theme, const ProfileAxes& axes);
/// Names of the lines to the right of the area, moved apart where they would overlap.
void paintProfileLabels(QPainter& painter, const ProfileView& view, const PlotTheme& theme, const std::vector<ProfileLine>& lines);
[[nodiscard]] int profileLabelWidth(const PlotTheme& theme, const std::vector<ProfileLine>& lines);
/// The lines of a row: content, bias, adaptive, bias + adaptive as far as the scheme has them; or the probability alone.
[[nodiscard]] std::vector<ProfileLine> profileLines(const lw::RowProfile& row, lw::ScorePart part, const PlotTheme& theme);
/// bias + adaptive, or whichever of them there is.
[[nodiscard]] std::vector<float> positionalSum(const lw::RowProfile& row);

}  // namespace lw::ui
