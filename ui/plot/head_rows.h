#pragma once
/// All heads of one layer as small multiples: their bias and adaptive term against key position at the chosen query, on one scale.

#include "ui/plot/profile_painter.h"

#include <QWidget>

#include <map>
#include <optional>

namespace lw::ui {

class HeadRows : public QWidget {
    Q_OBJECT
public:
    explicit HeadRows(QWidget* parent = nullptr);

    void setRows(const std::vector<lw::RowProfile>& rows, lw::ScorePart part);
    void setMeasures(const std::vector<lw::HeadMeasures>& measures);
    void setSelected(std::int64_t head);
    [[nodiscard]] const std::vector<lw::RowProfile>& rows() const { return m_rows; }
    [[nodiscard]] QRect cell(std::size_t index) const;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override { return {420, heightForWidth(420)}; }
    /// Names of the lines in their colours, as rich text: "bias and adaptive against key position".
    [[nodiscard]] QString legend() const;

Q_SIGNALS:
    void headClicked(qint64 head);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent*) override { update(); }
    void focusOutEvent(QFocusEvent*) override { update(); }

private:
    struct Layout {
        int columns = 4, width = 90, height = 56, caption = 16;
    };
    [[nodiscard]] Layout layoutFor(int width, int height) const;
    [[nodiscard]] int indexAt(QPoint position) const;
    void rebuild();
    void paintRow(QPainter& painter, std::size_t index);

    PlotTheme m_theme;
    std::vector<lw::RowProfile> m_rows;
    lw::ScorePart m_part = lw::ScorePart::bias_adaptive;
    std::vector<std::vector<ProfileLine>> m_lines;
    std::map<std::pair<std::int64_t, std::int64_t>, lw::HeadMeasures> m_measures;
    std::int64_t m_selected = 0;
    int m_hovered = -1;
    double m_low = -1, m_high = 1;
};

}  // namespace lw::ui
