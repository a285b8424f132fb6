/// See profile_plot.h.
#include "ui/plot/profile_plot.h"

#include "ui/plot/axis_ticks.h"
#include "ui/plot/colour_map.h"
#include "ui/plot/number_text.h"
#include "ui/plot/read_out.h"
#include "ui/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace lw::ui {

namespace {
constexpr std::int64_t kKeySteps = 128;  // of the cursor across what is seen
}

ProfilePlot::ProfilePlot(QWidget* parent) : QWidget(parent), m_theme(PlotTheme::fromPalette(palette())), m_readOut(new ReadOut(this)) {
    setMouseTracking(true);
    setMinimumHeight(90);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Row profile"));
    m_readOut->setObjectName(QStringLiteral("profileReadOut"));
    setAttribute(Qt::WA_OpaquePaintEvent);  // what lies behind need not be painted with every step of a drag
}

void ProfilePlot::setRow(const lw::RowProfile& row, lw::ScorePart part) {
    m_row = row;
    m_part = part;
    rebuild();
}

void ProfilePlot::clear() {
    m_lines.clear();
    setRow({}, m_part);
}

void ProfilePlot::setTrainLength(std::int64_t length) {
    if (length == m_trainLength) return;
    m_trainLength = length;
    update();
}

void ProfilePlot::setLimit(double limit) {
    if (limit == m_limit) return;  // with every tile that comes
    m_limit = limit;
    rebuild();
}

void ProfilePlot::setKeyAxis(double left, double right, double keyBegin, double keyEnd, std::int64_t keys) {
    if (std::tie(m_left, m_right, m_keyBegin, m_keyEnd, m_keys) == std::tie(left, right, keyBegin, keyEnd, keys)) return;
    m_left = left;
    m_right = right;
    m_keyBegin = keyBegin;
    m_keyEnd = keyEnd;
    m_keys = keys;
    update();
}

void ProfilePlot::setCursorKey(std::optional<std::int64_t> key) {
    if (m_cursorKey == key) return;
    m_cursorKey = key;
    if (!key) m_readOut->hide();
    update();
}

void ProfilePlot::setLines(std::int64_t query, std::vector<ProfileLine> lines, lw::ScorePart part) {
    m_row = {};
    m_row.query = query;
    m_part = part;
    m_lines = std::move(lines);
    chooseRange();
}

void ProfilePlot::rebuild() {
    const bool own = m_row.probability.empty() && m_row.content.empty() && !m_lines.empty() && m_row.query >= 0;
    if (!own) m_lines = m_row.probability.empty() && m_row.content.empty() ? std::vector<ProfileLine>{} : profileLines(m_row, m_part, m_theme);
    chooseRange();
}

void ProfilePlot::chooseRange() {
    m_picture.forget();
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const ProfileLine& line : m_lines)
        for (const float value : line.values)
            if (std::isfinite(value)) low = std::min<double>(low, value), high = std::max<double>(high, value);
    if (m_part == lw::ScorePart::probability) {
        m_high = high > 0 ? std::min(1.0, niceCeiling(high)) : 1;
        m_low = std::min(1e-6, m_high / 10);
    } else if (!(low <= high)) {
        m_low = -1;
        m_high = 1;
    } else {
        // The map's limits where they hold the row: equal values then stand at equal heights and colours.
        const double pad = 0.06 * std::max(high - low, 1e-6);
        const bool fits = m_limit > 0 && low >= -m_limit && high <= m_limit && high - low > 0.25 * m_limit;
        m_low = fits ? -m_limit : low - pad;
        m_high = fits ? m_limit : high + pad;
    }
    update();
}

ProfileView ProfilePlot::view() const {
    const QFontMetrics metrics(m_theme.caption);
    const double bottom = 2 * metrics.height() + 8;
    return {QRectF(m_left, 6, std::max(10.0, m_right - m_left), std::max(20.0, height() - 6 - bottom)), m_keyBegin, m_keyEnd, m_low, m_high, m_part == lw::ScorePart::probability};
}

/// As long as the widget has room for on both sides of the middle of the axis.
QString ProfilePlot::keyTitle() const {
    const QRectF area = view().area;
    const auto room = static_cast<int>(area.width() + 2 * std::max(0.0, std::min(area.left(), width() - area.right())));
    const QString query = integerText(m_row.query);
    QStringList titles{tr("key position j"), tr("key j")};
    if (!m_lines.empty()) titles = {tr("key position j (query i = %1)").arg(query), tr("key j (query i = %1)").arg(query), tr("key j (i = %1)").arg(query), tr("key j")};
    return theme::fittingText(titles, QFontMetrics(m_theme.caption), room);
}

/// In device pixels, as the map above: both shift by the same whole pixels when they are dragged.
void ProfilePlot::paintLines(QPainter& painter, const ProfileView& view) {
    if (m_lines.empty()) return;
    const QTransform device = painter.deviceTransform();
    const QRectF exact = device.mapRect(view.area);
    const QPoint first(qRound(exact.left()), qRound(exact.top()));
    const ProfilePicture::Pixels pixels{{qRound(exact.right()) - first.x(), qRound(exact.bottom()) - first.y()}, device.m11()};
    const QImage& picture = m_picture.update(view, m_lines, pixels);
    painter.save();
    painter.setWorldTransform(device.inverted() * painter.worldTransform());
    painter.drawImage(first - QPoint(pixels.margin(), pixels.margin()), picture);
    painter.restore();
}

void ProfilePlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.background);
    const ProfileView v = view();
    ProfileAxes axes;
    axes.keys = m_keys;
    axes.unit = partUnit(m_part);
    axes.keyTitle = keyTitle();
    if (m_trainLength > 0 && !m_lines.empty()) axes.markedKey = m_row.query - m_trainLength;
    axes.mark = tr("distance = L");
    paintProfileAxes(painter, v, m_theme, axes);
    paintLines(painter, v);
    paintProfileLabels(painter, v, m_theme, m_lines);
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.accent, 1));
        painter.drawRect(v.area.adjusted(-0.5, -0.5, 0.5, 0.5));
    }
    if (!m_cursorKey) return;
    const double x = v.x(static_cast<double>(*m_cursorKey) + 0.5);
    if (x < v.area.left() || x > v.area.right()) return;
    painter.setPen(QPen(m_theme.secondary, 1));
    painter.drawLine(QPointF(std::floor(x) + 0.5, v.area.top()), QPointF(std::floor(x) + 0.5, v.area.bottom()));
}

void ProfilePlot::showReadOut(std::int64_t key) {
    std::vector<ReadOutRow> rows;
    for (auto line = m_lines.rbegin(); line != m_lines.rend(); ++line) {
        if (key >= static_cast<std::int64_t>(line->values.size())) continue;
        const double value = line->values[static_cast<std::size_t>(key)];
        rows.push_back({line->colour == m_theme.text ? m_theme.panelText : line->colour, line->label, m_part == lw::ScorePart::probability ? shortText(value) : signedText(value, 2), {}});
    }
    if (rows.empty()) return m_readOut->hide();
    m_readOut->setTheme(m_theme);
    m_readOut->setContent(tr("j %1 · distance %2").arg(integerText(key), integerText(m_row.query - key)), rows);
    m_readOut->showNear(QPoint(static_cast<int>(view().x(static_cast<double>(key) + 0.5)), 10), rect());
}

void ProfilePlot::mouseMoveEvent(QMouseEvent* event) {
    const ProfileView v = view();
    const double key = v.keyAt(event->position().x());
    if (m_lines.empty() || event->position().x() < v.area.left() || event->position().x() > v.area.right() || key < 0 || key >= static_cast<double>(m_keys)) return leaveEvent(nullptr);
    const auto cell = static_cast<std::int64_t>(key);
    setCursorKey(cell);
    showReadOut(cell);
    Q_EMIT keyHovered(cell);
}

void ProfilePlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && m_cursorKey) Q_EMIT keyClicked(*m_cursorKey);
}

void ProfilePlot::leaveEvent(QEvent*) {
    if (!m_cursorKey) return;
    setCursorKey(std::nullopt);
    Q_EMIT hoverLeft();
}

/// Left and right go through the keys, Return takes one, Escape leaves.
void ProfilePlot::keyPressEvent(QKeyEvent* event) {
    const std::int64_t last = std::min(m_row.query, m_keys - 1);
    const bool along = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    if (m_lines.empty() || last < 0 || (event->modifiers() & Qt::ShiftModifier)) return QWidget::keyPressEvent(event);
    if (event->key() == Qt::Key_Escape && m_cursorKey) return leaveEvent(nullptr);
    if (event->key() == Qt::Key_Return && m_cursorKey) return Q_EMIT keyClicked(*m_cursorKey);
    if (!along) return QWidget::keyPressEvent(event);
    const std::int64_t stride = std::max<std::int64_t>(1, static_cast<std::int64_t>(m_keyEnd - m_keyBegin) / kKeySteps);
    const std::int64_t key = std::clamp(m_cursorKey.value_or(last) + (event->key() == Qt::Key_Left ? -stride : stride), std::int64_t{0}, last);
    setCursorKey(key);
    showReadOut(key);
    Q_EMIT keyHovered(key);
}

QString ProfilePlot::tableText() const {
    QString text = QStringLiteral("key");
    std::size_t size = 0;
    for (const ProfileLine& line : m_lines) {
        text += QLatin1Char('\t') + line.label;
        size = std::max(size, line.values.size());
    }
    for (std::size_t j = 0; j < size; ++j) {
        text += QStringLiteral("\n%1").arg(j);
        for (const ProfileLine& line : m_lines) text += QLatin1Char('\t') + (j < line.values.size() ? QString::number(line.values[j], 'g', 7) : QString());
    }
    return text;
}

void ProfilePlot::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(tr("Copy numbers"), this, [this] { QApplication::clipboard()->setText(tableText()); });
    menu.addAction(tr("Copy image"), this, [this] { QApplication::clipboard()->setPixmap(grab()); });
    menu.exec(event->globalPos());
}

void ProfilePlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange && event->type() != QEvent::StyleChange) return;
    m_theme = PlotTheme::fromPalette(palette());
    rebuild();
}

}  // namespace lw::ui
