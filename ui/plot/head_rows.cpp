/// See head_rows.h.
#include "ui/plot/head_rows.h"

#include "ui/plot/map_painter.h"
#include "ui/plot/number_text.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lw::ui {

namespace {

constexpr int kGap = 7;

/// The middle 99 % of all values of one head, so that one extreme key does not flatten every other panel.
std::pair<double, double> usualRange(const std::vector<ProfileLine>& lines) {
    std::vector<float> values;
    for (const ProfileLine& line : lines)
        for (const float value : line.values)
            if (std::isfinite(value)) values.push_back(value);
    if (values.empty()) return {0, 0};
    std::sort(values.begin(), values.end());
    const auto at = [&](double share) { return static_cast<double>(values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))]); };
    return {at(0.005), at(0.995)};
}

}  // namespace

HeadRows::HeadRows(QWidget* parent) : QWidget(parent), m_theme(PlotTheme::fromPalette(palette())) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::MinimumExpanding);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Rows of all heads"));
}

void HeadRows::setRows(const std::vector<lw::RowProfile>& rows, lw::ScorePart part) {
    const bool resized = rows.size() != m_rows.size();
    m_rows = rows;
    m_part = part;
    rebuild();
    if (resized) updateGeometry();
}

void HeadRows::setMeasures(const std::vector<lw::HeadMeasures>& measures) {
    m_measures.clear();
    for (const lw::HeadMeasures& m : measures) m_measures[{m.layer, m.head}] = m;
    update();
}

void HeadRows::setSelected(std::int64_t head) {
    m_selected = head;
    update();
}

void HeadRows::rebuild() {
    m_lines.clear();
    std::vector<std::pair<double, double>> ranges;
    std::vector<double> spans;
    for (const lw::RowProfile& row : m_rows) {
        std::vector<ProfileLine> lines = profileLines(row, m_part, m_theme);
        const bool positional = m_part != lw::ScorePart::probability && m_part != lw::ScorePart::content && m_part != lw::ScorePart::logit && (!row.bias.empty() || !row.adaptive.empty());
        // The small panels show what the scheme adds; content and sum would bury it.
        if (positional) std::erase_if(lines, [](const ProfileLine& line) { return line.label == partText(lw::ScorePart::content) || line.label == partText(lw::ScorePart::bias_adaptive); });
        if (m_part == lw::ScorePart::content) std::erase_if(lines, [](const ProfileLine& line) { return line.label != partText(lw::ScorePart::content); });
        ranges.push_back(usualRange(lines));
        spans.push_back(ranges.back().second - ranges.back().first);
        m_lines.push_back(std::move(lines));
    }
    m_low = HUGE_VAL;
    m_high = -HUGE_VAL;
    if (!spans.empty()) {
        std::nth_element(spans.begin(), spans.begin() + static_cast<std::ptrdiff_t>(spans.size() / 2), spans.end());
        const double most = 4 * std::max(spans[spans.size() / 2], 1e-6);
        for (const auto& [low, high] : ranges) {
            m_low = std::min(m_low, std::max(low, high - most));
            m_high = std::max(m_high, std::min(high, low + most));
        }
    }
    if (!(m_low < m_high)) m_low = -1, m_high = 1;
    const double pad = 0.08 * (m_high - m_low);
    m_low -= pad;
    m_high += pad;
    update();
}

HeadRows::Layout HeadRows::layoutFor(int width, int height) const {
    Layout layout;
    const int count = static_cast<int>(std::max<std::size_t>(1, m_rows.size()));
    layout.columns = std::min(count, width < 260 ? 2 : width < 640 ? 4 : 8);
    layout.width = (width + kGap) / layout.columns - kGap;
    layout.height = std::clamp(layout.width * 3 / 5, 30, 90);
    layout.caption = QFontMetrics(m_theme.caption).height() + 4;
    // Room that is left over makes the panels higher, up to squares.
    const int lines = (count + layout.columns - 1) / layout.columns;
    layout.height = std::clamp(height / lines - layout.caption - 4, layout.height, std::max(layout.height, layout.width));
    return layout;
}

int HeadRows::heightForWidth(int width) const {
    const Layout layout = layoutFor(width, 0);
    const int lines = (static_cast<int>(m_rows.size()) + layout.columns - 1) / layout.columns;
    return std::max(1, lines) * (layout.height + layout.caption + 4);
}

QRect HeadRows::cell(std::size_t index) const {
    const Layout layout = layoutFor(width(), height());
    const int i = static_cast<int>(index);
    return {i % layout.columns * (layout.width + kGap), i / layout.columns * (layout.height + layout.caption + 4), layout.width, layout.height};
}

int HeadRows::indexAt(QPoint position) const {
    const Layout layout = layoutFor(width(), height());
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (cell(i).adjusted(0, 0, 0, layout.caption).contains(position)) return static_cast<int>(i);
    return -1;
}

QString HeadRows::legend() const {
    if (m_lines.empty()) return {};
    QStringList names;
    for (auto line = m_lines.front().rbegin(); line != m_lines.front().rend(); ++line) names += QStringLiteral("<span style=\"color:%1\">%2</span>").arg(line->colour.name(), line->label);
    return tr("%1 against key position").arg(names.join(tr(" and ")));
}

void HeadRows::paintRow(QPainter& painter, std::size_t index) {
    const QRect at = cell(index);
    const lw::RowProfile& row = m_rows[index];
    const bool selected = row.head == m_selected;
    QColor ground = selected ? m_theme.tint : m_theme.masked;
    if (!selected) ground.setAlphaF(0.55F);
    painter.fillRect(at, ground);
    ProfileView view{QRectF(at).adjusted(1, 2, -1, -2), 0, static_cast<double>(row.content.size()), m_low, m_high, m_part == lw::ScorePart::probability};
    if (view.logarithmic) view.low = 1e-6, view.high = 1;
    if (!view.logarithmic && m_low < 0 && m_high > 0) {
        painter.setPen(QPen(m_theme.grid, 1));
        const double zero = std::floor(view.y(0)) + 0.5;
        painter.drawLine(QPointF(at.left(), zero), QPointF(at.right(), zero));
    }
    for (const ProfileLine& line : m_lines[index]) paintProfileLine(painter, view, line);
    const QFontMetrics metrics(m_theme.caption);
    const QRect line(at.left(), at.bottom() + 2, at.width(), metrics.height());
    int x = line.left();
    painter.setFont(m_theme.caption);
    const auto measures = m_measures.find({row.layer, row.head});
    if (measures != m_measures.end()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.headClass(measures->second.head_class));
        painter.drawEllipse(QRectF(x, line.center().y() - 2.5, 6, 6));
        painter.setRenderHint(QPainter::Antialiasing, false);
        x += 10;
        painter.setPen(m_theme.secondary);
        painter.drawText(line, static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), QStringLiteral("C %1").arg(signedText(measures->second.contrast, 1)));
    }
    painter.setPen(selected ? m_theme.text : m_theme.secondary);
    painter.drawText(QRect(x, line.top(), line.width(), line.height()), static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), QString::number(row.head));
    if ((static_cast<int>(index) == m_hovered && !selected) || (selected && hasFocus())) {
        painter.setPen(QPen(selected ? m_theme.accent : m_theme.secondary, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(at).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void HeadRows::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.background);
    for (std::size_t i = 0; i < m_rows.size(); ++i) paintRow(painter, i);
}

void HeadRows::mouseMoveEvent(QMouseEvent* event) {
    const int index = indexAt(event->position().toPoint());
    if (index == m_hovered) return;
    m_hovered = index;
    update();
}

void HeadRows::mousePressEvent(QMouseEvent* event) {
    const int index = indexAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && index >= 0) Q_EMIT headClicked(m_rows[static_cast<std::size_t>(index)].head);
}

/// Arrows take the neighbouring head.
void HeadRows::keyPressEvent(QKeyEvent* event) {
    const int columns = layoutFor(width(), height()).columns;
    int move = 0;
    switch (event->key()) {
        case Qt::Key_Left: move = -1; break;
        case Qt::Key_Right: move = 1; break;
        case Qt::Key_Up: move = -columns; break;
        case Qt::Key_Down: move = columns; break;
        default: return QWidget::keyPressEvent(event);
    }
    const auto now = std::find_if(m_rows.begin(), m_rows.end(), [this](const lw::RowProfile& row) { return row.head == m_selected; });
    if (now == m_rows.end() || (event->modifiers() & Qt::ShiftModifier)) return QWidget::keyPressEvent(event);
    const std::ptrdiff_t to = now - m_rows.begin() + move;
    if (to >= 0 && to < static_cast<std::ptrdiff_t>(m_rows.size())) Q_EMIT headClicked(m_rows[static_cast<std::size_t>(to)].head);
}

void HeadRows::leaveEvent(QEvent*) {
    m_hovered = -1;
    update();
}

void HeadRows::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange && event->type() != QEvent::StyleChange) return;
    m_theme = PlotTheme::fromPalette(palette());
    rebuild();
    updateGeometry();
}

}  // namespace lw::ui
