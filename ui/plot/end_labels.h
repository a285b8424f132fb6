#pragma once
/// Names of the lines instead of a legend: one column at the right edge for all of them, also for lines that end earlier. Where a name
/// cannot stand beside the end of its line, a thin leader in the line's colour points back.

#include "ui/plot/curve_content.h"
#include "ui/plot/plot_theme.h"

#include <QPointF>
#include <QRectF>

class QCustomPlot;
class QCPItemLine;
class QCPItemText;

namespace lw::ui {

class EndLabels {
public:
    explicit EndLabels(QCustomPlot* plot) : m_plot(plot) {}
    void clear() { m_labels.clear(); }
    void add(const QString& text, QPointF end, const PlotTheme& theme, const CurveSeries& series);
    /// The label that was added as this one, at another end.
    void move(std::size_t label, QPointF end) { m_labels[label].end = end; }
    /// Pixels that the column takes to the right of the axes of a plot of this width: long names are shortened rather than the plot.
    [[nodiscard]] int room(int plotWidth) const;
    /// After the layout of a replot: coordinates to pixels, at any size the plot is drawn at.
    void place();
    /// Where the names that are seen stand.
    [[nodiscard]] std::vector<QRectF> rects() const;

private:
    struct Label {
        QCPItemText* text;
        QCPItemLine* leader;
        QPointF end;   ///< in plot coordinates
        QString full;
        bool bold;
    };
    [[nodiscard]] std::vector<Label*> seenLabels();
    void placeColumn(const std::vector<Label*>& labels);

    QCustomPlot* m_plot;
    std::vector<Label> m_labels;
};

}  // namespace lw::ui
