#pragma once
/// Puts curve content into a QCustomPlot: axes, lines, intervals, marks and the labels at the line ends.

#include "ui/plot/curve_content.h"
#include "ui/plot/plot_theme.h"

#include <QObject>
#include <QVector>

#include <QRectF>

#include <array>
#include <memory>
#include <optional>

class QCustomPlot;
class QCPGraph;
class QCPGraphData;
class QCPItemStraightLine;
class QCPItemText;

namespace lw::ui {

class EndLabels;

class CurveScene : public QObject {
    Q_OBJECT
public:
    explicit CurveScene(QCustomPlot* plot);
    ~CurveScene() override;

    void setTheme(const PlotTheme& theme);
    void setContent(const CurveContent& content);
    void setLogY(bool log);
    void setIntervals(Intervals intervals);
    /// Shows the band of one more series where not all have theirs; -1 = of none. True when the plot is to be drawn again.
    [[nodiscard]] bool setHovered(int series);
    void setTitle(const QString& title);
    /// Whole range of both axes. New content keeps the part that a person zoomed into, until this is called.
    void fit();
    /// The same for another size of the plot, unless a person zoomed.
    void refit();
    [[nodiscard]] bool empty() const;
    /// A vertical line on its own buffered layer, so that hovering does not redraw the curves.
    void setCursor(std::optional<double> x);
    void setSelected(std::optional<double> x);

    [[nodiscard]] const CurveContent& content() const { return m_content; }
    [[nodiscard]] bool logY() const { return m_logY; }
    [[nodiscard]] Intervals intervals() const { return m_intervals; }
    /// The x of the data nearest to a pixel column; nothing without data.
    [[nodiscard]] std::optional<double> nearestX(double pixel) const;
    /// The series whose point at x is nearest to a pixel row; -1 = none has a point there.
    [[nodiscard]] int nearestSeries(double x, double pixel) const;
    [[nodiscard]] std::vector<QRectF> labelRects() const;
    /// Whether the intervals of a series are drawn as things stand.
    [[nodiscard]] bool intervalsShown(std::size_t series) const;

private:
    [[nodiscard]] static bool usable(double y, bool log);
    void rebuild();
    /// Whether other content needs no other axes, lines and labels: what it takes while a slider moves.
    [[nodiscard]] bool onlyValuesDiffer(const CurveContent& content) const;
    void setValues();
    [[nodiscard]] QVector<QCPGraphData> points(const CurveSeries& series) const;
    [[nodiscard]] QPointF lastPoint(const CurveSeries& series) const;  ///< NaN without one
    void style();
    void addSeries(std::size_t index);
    void addFilled(const CurveSeries& series, const QColor& colour);
    void addIntervals(const CurveSeries& series, QCPGraph* graph);
    void addBand(const CurveSeries& series);
    [[nodiscard]] std::size_t indexOf(const CurveSeries& series) const { return static_cast<std::size_t>(&series - m_content.series.data()); }
    [[nodiscard]] bool fewLines() const;
    void reserveLabels();
    void addMark(const CurveMark& mark);
    void placeMarks();
    [[nodiscard]] int markRowHeight() const;
    [[nodiscard]] double axisWidth() const;
    void setScales();
    [[nodiscard]] bool zoomed() const;

    struct Band {
        std::size_t series = 0;
        QCPGraph* low = nullptr;
        QCPGraph* high = nullptr;
    };

    QCustomPlot* m_plot;
    PlotTheme m_theme;
    CurveContent m_content;
    QString m_title;
    bool m_logY = true;
    Intervals m_intervals = Intervals::bands;
    std::vector<Band> m_bands;
    int m_hovered = -1;
    std::vector<QCPGraph*> m_graphs;                ///< lines of the content's series, in their order
    std::unique_ptr<EndLabels> m_labels;
    std::vector<QCPItemText*> m_marks;              ///< names of the content's marks, in their order
    int m_laidOutWidth = 0;                         ///< width of the plot for which its axes are laid out; 0 = for none
    QCPItemStraightLine* m_cursor = nullptr;
    QCPItemStraightLine* m_selected = nullptr;
    std::optional<double> m_cursorX, m_selectedX;
    std::optional<std::array<double, 4>> m_fitted;  ///< ranges of the last fit: others were chosen by a person
};

}  // namespace lw::ui
