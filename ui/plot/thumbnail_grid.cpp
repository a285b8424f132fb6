/// See thumbnail_grid.h.
#include "ui/plot/thumbnail_grid.h"

#include "ui/plot/number_text.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <numeric>

namespace lw::ui {

namespace {
constexpr int kGap = 6;
constexpr int kFrame = 3;  // pixels around a picture: of the selected one's frame
constexpr int kMark = 9;   // dot of the class
constexpr int kApart = 4;  // more between head and number where the number has two decimals: "0+1.00" reads as one
constexpr int kSmallest = 36;
constexpr int kLargest = 96;
}  // namespace

ThumbnailGrid::ThumbnailGrid(QWidget* parent) : QWidget(parent), m_theme(PlotTheme::fromPalette(palette())) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Heads"));
}

void ThumbnailGrid::setHeads(std::int64_t layers, std::int64_t heads) {
    if (layers == m_layers && heads == m_heads) return;
    m_layers = layers;
    m_heads = heads;
    m_images.clear();
    m_measures.clear();
    updateGeometry();
    update();
}

void ThumbnailGrid::setImage(std::int64_t layer, std::int64_t head, const QImage& image, QSizeF shown) {
    m_images[{layer, head}] = {image, shown};
    update(cell(layer, head));
}

void ThumbnailGrid::clearImages() {
    m_images.clear();
    update();
}

void ThumbnailGrid::setMeasures(const std::vector<lw::HeadMeasures>& measures) {
    m_measures.clear();
    for (const lw::HeadMeasures& m : measures) m_measures[{m.layer, m.head}] = m;
    update();
}

void ThumbnailGrid::setSelected(std::int64_t layer, std::int64_t head) {
    m_selected = {layer, head};
    update();
}

void ThumbnailGrid::setFilter(const QString& headClass) {
    m_filter = headClass;
    update();
}

void ThumbnailGrid::setSortedByLocality(bool sorted) {
    m_sorted = sorted;
    update();
}

ThumbnailGrid::Layout ThumbnailGrid::layoutFor(int width) const {
    Layout layout;
    const QFontMetrics metrics(m_theme.caption);
    layout.labelWidth = metrics.horizontalAdvance(QStringLiteral("L%1").arg(std::max<std::int64_t>(m_layers - 1, 0))) + 10;
    layout.caption = metrics.height() + kFrame + 3;
    // The number in a caption is what the legend explains: a picture is as wide as dot, head and number at least.
    const int smallest = std::max(kSmallest, kMark + metrics.horizontalAdvance(QString::number(std::max<std::int64_t>(m_heads - 1, 0))) + 4 + metrics.horizontalAdvance(signedText(-0.9, 1)));
    const int room = std::max(1, width - layout.labelWidth);
    const int heads = static_cast<int>(std::max<std::int64_t>(1, m_heads));
    // As many columns as fit, but lines of one layer equally long: 12 heads make 12, or 6 and 6, not 10 and 2.
    const int most = std::clamp((room + kGap) / (smallest + kGap), 1, heads);
    layout.linesPerLayer = (heads + most - 1) / most;
    layout.columns = (heads + layout.linesPerLayer - 1) / layout.linesPerLayer;
    layout.side = std::clamp((room + kGap) / layout.columns - kGap, 12, kLargest);
    layout.layerHeight = layout.linesPerLayer * (layout.side + layout.caption) + kGap + 2;
    return layout;
}

int ThumbnailGrid::heightForWidth(int width) const { return static_cast<int>(m_layers) * layoutFor(width).layerHeight; }
QSize ThumbnailGrid::sizeHint() const { return {420, std::max(60, heightForWidth(420))}; }
int ThumbnailGrid::imagePixels() const { return static_cast<int>(layoutFor(width()).side * devicePixelRatioF()); }

std::vector<std::int64_t> ThumbnailGrid::order(std::int64_t layer) const {
    std::vector<std::int64_t> heads(static_cast<std::size_t>(m_heads));
    std::iota(heads.begin(), heads.end(), 0);
    if (!m_sorted) return heads;
    const auto locality = [&](std::int64_t head) {
        const auto found = m_measures.find({layer, head});
        return found == m_measures.end() ? -2.0 : found->second.locality;
    };
    std::stable_sort(heads.begin(), heads.end(), [&](std::int64_t a, std::int64_t b) { return locality(a) > locality(b); });
    return heads;
}

QRect ThumbnailGrid::cell(std::int64_t layer, std::int64_t head) const {
    const Layout layout = layoutFor(width());
    const std::vector<std::int64_t> heads = order(layer);
    const int place = static_cast<int>(std::find(heads.begin(), heads.end(), head) - heads.begin());
    return {layout.labelWidth + place % layout.columns * (layout.side + kGap), static_cast<int>(layer) * layout.layerHeight + 2 + place / layout.columns * (layout.side + layout.caption), layout.side, layout.side};
}

std::optional<ThumbnailGrid::Head> ThumbnailGrid::headAt(QPoint position) const {
    const Layout layout = layoutFor(width());
    for (std::int64_t layer = 0; layer < m_layers; ++layer)
        for (std::int64_t head = 0; head < m_heads; ++head)
            if (cell(layer, head).adjusted(0, 0, 0, layout.caption - 1).contains(position)) return Head{layer, head};
    return std::nullopt;
}

QRect ThumbnailGrid::captionOf(const QRect& cell) const { return {cell.left(), cell.bottom() + 1 + kFrame, cell.width(), QFontMetrics(m_theme.caption).height() + 1}; }

QRect ThumbnailGrid::caption(std::int64_t layer, std::int64_t head) const { return captionOf(cell(layer, head)); }

void ThumbnailGrid::paintHead(QPainter& painter, const Head& head, const QRect& at) {
    const auto measures = m_measures.find(head);
    const bool known = measures != m_measures.end();
    const bool dimmed = !m_filter.isEmpty() && (!known || QString::fromStdString(measures->second.head_class) != m_filter);
    painter.setOpacity(dimmed ? 0.25 : 1.0);
    painter.fillRect(at, m_theme.masked);
    const auto image = m_images.find(head);
    if (image != m_images.end() && !image->second.image.isNull()) {
        const QSizeF size = image->second.image.size();
        painter.drawImage(QRectF(at), image->second.image, QRectF(0, 0, size.width() * image->second.shown.width(), size.height() * image->second.shown.height()));
    }
    const QFontMetrics metrics(m_theme.caption);
    const QRect line = captionOf(at);
    int x = line.left();
    if (known) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.headClass(measures->second.head_class));
        painter.drawEllipse(QRectF(x, line.center().y() - 2.5, 6, 6));
        painter.setRenderHint(QPainter::Antialiasing, false);
        x += kMark;
    }
    painter.setPen(m_theme.secondary);
    painter.setFont(m_theme.caption);
    const QString number = QString::number(head.second);
    painter.drawText(QRect(x, line.top(), line.width(), line.height()), static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), number);
    const int room = line.right() + 1 - x - metrics.horizontalAdvance(number) - 2;
    const auto fitting = [&](int decimals) { return signedText(measures->second.locality, decimals); };
    const QString value = !known ? QString() : metrics.horizontalAdvance(fitting(2)) <= room - kApart ? fitting(2) : fitting(1);
    if (metrics.horizontalAdvance(value) <= room)
        painter.drawText(line, static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), value);
    painter.setOpacity(1);
}

void ThumbnailGrid::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.background);
    const Layout layout = layoutFor(width());
    for (std::int64_t layer = 0; layer < m_layers; ++layer) {
        painter.setFont(m_theme.caption);
        painter.setPen(layer == m_selected.first ? m_theme.text : m_theme.secondary);
        painter.drawText(QRect(0, static_cast<int>(layer) * layout.layerHeight + 2, layout.labelWidth, layout.side), static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), QStringLiteral("L%1").arg(layer));
        for (std::int64_t head = 0; head < m_heads; ++head) paintHead(painter, {layer, head}, cell(layer, head));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const auto frame = [&](const Head& head, const QPen& pen) {
        if (head.first >= m_layers || head.second >= m_heads) return;
        painter.setPen(pen);
        painter.drawRoundedRect(QRectF(cell(head.first, head.second)).adjusted(-1, -1, 1, 1), 2, 2);
    };
    if (m_hovered && *m_hovered != m_selected) frame(*m_hovered, QPen(m_theme.secondary, 1));
    frame(m_selected, QPen(m_theme.accent, hasFocus() ? 3 : 2));
}

void ThumbnailGrid::mouseMoveEvent(QMouseEvent* event) {
    const auto head = headAt(event->position().toPoint());
    if (head == m_hovered) return;
    m_hovered = head;
    update();
    if (head) Q_EMIT headHovered(head->first, head->second);
    else Q_EMIT hoverLeft();
}

void ThumbnailGrid::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (const auto head = headAt(event->position().toPoint())) Q_EMIT headClicked(head->first, head->second);
}

/// Arrows take the neighbouring head, in the order that is seen.
void ThumbnailGrid::keyPressEvent(QKeyEvent* event) {
    const int across = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    const int down = event->key() == Qt::Key_Up ? -1 : event->key() == Qt::Key_Down ? 1 : 0;
    if ((across == 0 && down == 0) || m_heads == 0 || m_layers == 0 || (event->modifiers() & Qt::ShiftModifier)) return QWidget::keyPressEvent(event);
    const std::vector<std::int64_t> heads = order(m_selected.first);
    const auto place = std::find(heads.begin(), heads.end(), m_selected.second) - heads.begin() + across;
    const std::int64_t layer = std::clamp<std::int64_t>(m_selected.first + down, 0, m_layers - 1);
    const auto wrapped = static_cast<std::size_t>((place + m_heads) % m_heads);
    Q_EMIT headClicked(layer, order(layer)[wrapped]);
}

void ThumbnailGrid::leaveEvent(QEvent*) {
    if (!m_hovered) return;
    m_hovered.reset();
    update();
    Q_EMIT hoverLeft();
}

bool ThumbnailGrid::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto head = headAt(help->pos());
    const auto found = head ? m_measures.find(*head) : m_measures.end();
    if (found == m_measures.end()) {
        QToolTip::hideText();
        return true;
    }
    const lw::HeadMeasures& m = found->second;
    QToolTip::showText(help->globalPos(), tr("Layer %1, head %2: %3\nfar − near contrast C %4 nats\nrank correlation ρ %5\nlocality λ %6").arg(m.layer).arg(m.head).arg(QString::fromStdString(m.head_class), signedText(m.contrast, 2), signedText(m.rank, 2), signedText(m.locality, 2)), this);
    return true;
}

void ThumbnailGrid::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange && event->type() != QEvent::StyleChange) return;
    m_theme = PlotTheme::fromPalette(palette());
    updateGeometry();
    update();
}

}  // namespace lw::ui
