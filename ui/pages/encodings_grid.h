#pragma once
/// Plots under their headings in one or two columns of equal size, with a scroll bar where they would become too small to read.

#include <QScrollArea>

#include <functional>
#include <optional>
#include <vector>

namespace lw::ui {

/// A plot under its heading. Heading and note share a line and are shortened where the box is narrow; the tool tip has them in full.
class PlotBox : public QWidget {
    Q_OBJECT
public:
    PlotBox(const QString& heading, QWidget* plot, QWidget* parent);
    void setHeading(const QString& heading);
    [[nodiscard]] const QString& heading() const { return m_heading; }
    /// Quieter, at the right: what a number in the plot needs to be said.
    void setNote(const QString& note);
    [[nodiscard]] const QString& note() const { return m_note; }
    /// Whole sentences for the tool tip: how the plot is read.
    void setHelp(const QString& help);
    /// For plots of a shape of their own: the height of the plot at a width; what is left goes to others.
    void setFittingHeight(std::function<int(int width)> height) { m_fitting = std::move(height); }
    /// Height of the box at a width; nothing when it takes whatever there is.
    [[nodiscard]] std::optional<int> fittingHeight(int width) const;

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] int headerHeight() const;
    void describe();

    QString m_heading, m_note, m_help;
    std::function<int(int)> m_fitting;
};

/// Two columns from `wide` pixels on; also in less room where one column would have to scroll and two of the smallest boxes fit beside
/// each other. All sizes in device-independent pixels.
[[nodiscard]] int gridColumns(int count, QSize room, QSize smallest, int wide);

/// `room` pixels for rows of which some need no more than a height of their own: they get it, the others share the rest evenly.
[[nodiscard]] std::vector<int> rowHeights(int room, const std::vector<std::optional<int>>& needed, int smallest);

class PlotGrid : public QScrollArea {
    Q_OBJECT
public:
    /// `smallest` is the size below which a box is not drawn.
    PlotGrid(QSize smallest, int wide, QWidget* parent);
    PlotBox* add(const QString& heading, QWidget* plot);
    /// After boxes were shown or hidden.
    void arrange();
    [[nodiscard]] int columns() const { return m_columns; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] std::vector<PlotBox*> seen() const;
    void place(const std::vector<PlotBox*>& boxes, QSize room);

    QSize m_smallest;
    int m_wide;
    int m_columns = 1;
    QWidget* m_content;
    std::vector<PlotBox*> m_boxes;
};

}  // namespace lw::ui
