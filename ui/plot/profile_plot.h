#pragma once
/// One query row under the map it belongs to: all terms against key position, on the map's own key axis.

#include "ui/plot/profile_picture.h"

#include <QWidget>

#include <optional>

class QCPPainter;

namespace lw::ui {

class ReadOut;

class ProfilePlot : public QWidget {
    Q_OBJECT
public:
    explicit ProfilePlot(QWidget* parent = nullptr);

    /// The terms of the row, or its probability when that is the part that is looked at.
    void setRow(const lw::RowProfile& row, lw::ScorePart part);
    /// Lines of one's own, of one unit: two heads in comparison.
    void setLines(std::int64_t query, std::vector<ProfileLine> lines, lw::ScorePart part);
    void clear();
    [[nodiscard]] const lw::RowProfile& row() const { return m_row; }
    void setTrainLength(std::int64_t length);
    /// Symmetric limits of the map above, 0 = from the values.
    void setLimit(double limit);
    /// The map's key axis: pixels and cells.
    void setKeyAxis(double left, double right, double keyBegin, double keyEnd, std::int64_t keys);
    void setCursorKey(std::optional<std::int64_t> key);
    [[nodiscard]] const std::vector<ProfileLine>& lines() const { return m_lines; }
    [[nodiscard]] QString tableText() const;
    [[nodiscard]] QSize sizeHint() const override { return {400, 200}; }
    [[nodiscard]] QString keyTitle() const;  ///< of the axis, as it is drawn
    [[nodiscard]] int labelWidth() const { return profileLabelWidth(m_theme, m_lines); }

Q_SIGNALS:
    void keyHovered(qint64 key);
    void hoverLeft();
    void keyClicked(qint64 key);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent*) override { update(); }
    void focusOutEvent(QFocusEvent*) override { update(); }
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void rebuild();
    void chooseRange();
    [[nodiscard]] ProfileView view() const;
    void paintLines(QPainter& painter, const ProfileView& view);
    void showReadOut(std::int64_t key);

    PlotTheme m_theme;
    lw::RowProfile m_row;
    lw::ScorePart m_part = lw::ScorePart::bias_adaptive;
    std::vector<ProfileLine> m_lines;
    ProfilePicture m_picture;
    std::int64_t m_trainLength = 0, m_keys = 1;
    double m_limit = 0, m_low = -1, m_high = 1;
    double m_left = 50, m_right = 350, m_keyBegin = 0, m_keyEnd = 1;
    std::optional<std::int64_t> m_cursorKey;
    ReadOut* m_readOut;
};

}  // namespace lw::ui
