#pragma once
/// An atlas of heads under the mouse: read-out of the nearest dot, click to choose its head; arrow keys go from dot to dot.

#include "ui/plot/atlas_painter.h"

#include <QWidget>

namespace lw::ui {

class ReadOut;

class AtlasPlot : public QWidget {
    Q_OBJECT
public:
    explicit AtlasPlot(QWidget* parent = nullptr);

    void setContent(const AtlasContent& content);
    [[nodiscard]] const AtlasContent& content() const { return m_content; }
    void setSelected(std::int64_t layer, std::int64_t head);
    /// What stands there while there are no dots.
    void setMessage(const QString& message);
    /// Only heads of this class stay bright; "" = all.
    void setFilter(const QString& headClass);
    /// Where a head's dot is, in pixels of this widget; nothing where it has none.
    [[nodiscard]] std::optional<QPointF> dotAt(std::int64_t layer, std::int64_t head) const;
    [[nodiscard]] QSize sizeHint() const override { return {420, 320}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 220}; }

Q_SIGNALS:
    void headClicked(qint64 layer, qint64 head);
    void headHovered(qint64 layer, qint64 head);
    void hoverLeft();
    void exportRequested();
    void copyRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent*) override { update(); }
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    [[nodiscard]] AtlasView view() const;
    [[nodiscard]] int indexOf(std::int64_t layer, std::int64_t head) const;
    void readOut(int dot);
    void endHover();
    [[nodiscard]] std::vector<AtlasPlace> stopsOf(const AtlasDot& dot) const;

    PlotTheme m_theme;
    AtlasContent m_content;
    ReadOut* m_readOut;
    std::int64_t m_layer = 0, m_head = 0;
    QString m_filter, m_message;
    int m_hovered = -1;
};

}  // namespace lw::ui
