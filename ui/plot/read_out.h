#pragma once
/// The dark panel beside the mouse: a heading and rows of mark, name, value and interval in aligned columns.

#include "ui/plot/plot_theme.h"

#include <QWidget>

#include <vector>

namespace lw::ui {

struct ReadOutRow {
    QColor mark;     ///< invalid = none
    QString label;
    QString value;   ///< right aligned
    QString extra;   ///< quieter, after the value
};

class ReadOut : public QWidget {
    Q_OBJECT
public:
    explicit ReadOut(QWidget* parent);
    void setTheme(const PlotTheme& theme);
    void setContent(const QString& heading, const std::vector<ReadOutRow>& rows);
    /// Beside the point, inside the rectangle of the parent, never under the mouse.
    void showNear(QPoint point, const QRect& within);
    [[nodiscard]] QString heading() const { return m_heading; }
    [[nodiscard]] const std::vector<ReadOutRow>& rows() const { return m_rows; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Columns {
        int label = 0, value = 0, extra = 0;
        bool marks = false;
    };
    [[nodiscard]] Columns columns() const;

    PlotTheme m_theme;
    QString m_heading;
    std::vector<ReadOutRow> m_rows;
};

}  // namespace lw::ui
