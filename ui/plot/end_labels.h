#pragma once
/// Names at the ends of lines instead of a legend. Where ends lie close, the labels move apart and thin leaders point back.

#include "ui/plot/curve_content.h"
#include "ui/plot/plot_theme.h"

#include <QPointF>

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
    /// Pixels that the labels of the longest lines need to the right of the axes.
    [[nodiscard]] int width() const;
    /// After the layout of a replot: coordinates to pixels, at any size the plot is drawn at.
    void place();

private:
    struct Label {
        QCPItemText* text;
        QCPItemLine* leader;
        QPointF end;  ///< in plot coordinates
    };
    QCustomPlot* m_plot;
    std::vector<Label> m_labels;
};

}  // namespace lw::ui
