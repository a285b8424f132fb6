#pragma once
/// All heads of all layers at a glance: a small map each, with class mark, head number and locality.

#include "ui/plot/plot_theme.h"

#include <QImage>
#include <QWidget>

#include <map>
#include <optional>

namespace lw::ui {

class ThumbnailGrid : public QWidget {
    Q_OBJECT
public:
    explicit ThumbnailGrid(QWidget* parent = nullptr);

    void setHeads(std::int64_t layers, std::int64_t heads);
    /// `shown`: the share of the image that lies on cells, where its last pixels reach past the map.
    void setImage(std::int64_t layer, std::int64_t head, const QImage& image, QSizeF shown = {1, 1});
    void clearImages();
    void setMeasures(const std::vector<lw::HeadMeasures>& measures);
    void setSelected(std::int64_t layer, std::int64_t head);
    /// Only heads of this class stay bright; "" = all.
    void setFilter(const QString& headClass);
    /// Within each layer the most local head first, instead of by number.
    void setSortedByLocality(bool sorted);

    [[nodiscard]] std::int64_t layers() const { return m_layers; }
    [[nodiscard]] std::int64_t heads() const { return m_heads; }
    [[nodiscard]] bool hasImages() const { return !m_images.empty(); }
    /// Where a head's picture is, in pixels of this widget.
    [[nodiscard]] QRect cell(std::int64_t layer, std::int64_t head) const;
    /// Where its class, number and locality stand: clear of the pictures and of the selected one's frame.
    [[nodiscard]] QRect caption(std::int64_t layer, std::int64_t head) const;
    /// Device pixels worth computing per picture.
    [[nodiscard]] int imagePixels() const;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 60}; }

Q_SIGNALS:
    void headClicked(qint64 layer, qint64 head);
    void headHovered(qint64 layer, qint64 head);
    void hoverLeft();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent*) override { update(); }
    void focusOutEvent(QFocusEvent*) override { update(); }

private:
    using Head = std::pair<std::int64_t, std::int64_t>;
    struct Layout {
        int side = 40, columns = 1, linesPerLayer = 1, labelWidth = 28, caption = 16, layerHeight = 60;
    };
    [[nodiscard]] Layout layoutFor(int width) const;
    [[nodiscard]] std::optional<Head> headAt(QPoint position) const;
    [[nodiscard]] std::vector<std::int64_t> order(std::int64_t layer) const;
    [[nodiscard]] QRect captionOf(const QRect& cell) const;
    void paintHead(QPainter& painter, const Head& head, const QRect& at);

    PlotTheme m_theme;
    std::int64_t m_layers = 0, m_heads = 0;
    Head m_selected{0, 0};
    std::optional<Head> m_hovered;
    struct Picture {
        QImage image;
        QSizeF shown;
    };
    std::map<Head, Picture> m_images;
    std::map<Head, lw::HeadMeasures> m_measures;
    QString m_filter;
    bool m_sorted = false;
};

}  // namespace lw::ui
