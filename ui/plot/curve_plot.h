#pragma once
/// A plot of lines with intervals: read-out of all curves under the mouse, click to choose, wheel to zoom, drag to pan.

#include "ui/plot/curve_content.h"
#include "ui/plot/plot_theme.h"

#include <QImage>
#include <QRectF>
#include <QWidget>

#include <optional>

class QCustomPlot;
class QCPPainter;
class QMenu;

namespace lw::ui {

class CurveScene;
class ReadOut;

class CurvePlot : public QWidget {
    Q_OBJECT
public:
    explicit CurvePlot(QWidget* parent = nullptr);

    void setContent(const CurveContent& content);
    [[nodiscard]] const CurveContent& content() const;
    void setLogY(bool log);
    [[nodiscard]] bool logY() const;
    void setIntervals(Intervals intervals);
    [[nodiscard]] Intervals intervals() const;
    /// Fills a menu with the kinds of intervals; what is chosen there is told by intervalsChanged().
    void addIntervalChoices(QMenu* menu);
    /// A theme of its own (export); otherwise the plot follows the palette.
    void setFixedTheme(const PlotTheme& theme, const QString& title = {});
    /// Marks a chosen x with a line in the accent colour.
    void setSelected(std::optional<double> x);
    /// What the mouse at this x would read out; also from the keyboard and other plots.
    void showReadOut(double x, QPoint near);
    void hideReadOut();
    void fit();
    /// What is seen, in coordinates of the data: left to right and low to high.
    [[nodiscard]] QRectF shownRange() const;
    [[nodiscard]] QPointF pixelOf(double x, double y) const;
    /// Where the names of the lines stand, once drawn.
    [[nodiscard]] std::vector<QRectF> labelRects() const;
    /// Whether the intervals of a series are drawn: in `few` those of the bold one and of the one under the mouse.
    [[nodiscard]] bool intervalsShown(std::size_t series) const;

    /// Draws at a size of its own, whatever the widget's.
    void render(QCPPainter& painter, QSize size);
    [[nodiscard]] QImage image(double scale = 2);
    [[nodiscard]] QString tableText() const;  ///< tab-separated numbers of all curves, with their intervals
    void copyToClipboard();

Q_SIGNALS:
    void lengthClicked(int series, double x);      ///< series -1: chosen by keys, no line was meant
    void lengthActivated(int series, double x);    ///< a marker was double-clicked
    void hovered(double x);
    void hoverLeft();
    void exportRequested();
    /// With the x of the data nearest to where the menu was asked for.
    void menuAboutToShow(QMenu* menu, std::optional<double> x);
    void intervalsChanged();                       ///< by a person

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void hover(QPoint position);
    void step(int direction);
    void doubleClick(QPoint position);

    QCustomPlot* m_plot;
    CurveScene* m_scene;
    ReadOut* m_readOut;
    QPoint m_pressed;
    std::optional<double> m_hoverX;
    bool m_fixedTheme = false;
};

}  // namespace lw::ui
