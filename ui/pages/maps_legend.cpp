/// See maps_legend.h.
#include "ui/pages/maps_legend.h"

#include "ui/plot/plot_theme.h"
#include "ui/theme.h"

#include <QMouseEvent>
#include <QPainter>

namespace lw::ui {

namespace {
constexpr const char* kClasses[] = {"local", "anti-local", "U-shape", "hump", "sink", "spike", "flat"};
}

ClassLegend::ClassLegend(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("classLegend"));
    setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setToolTip(tr("local: near keys get more; anti-local: far keys get more; U-shape: both ends; hump: the middle; sink: the first token alone; spike: the token itself alone.\nClick a class to see its heads alone."));
}

void ClassLegend::setMeasures(const std::vector<lw::HeadMeasures>& measures) {
    QStringList classes;
    for (const lw::HeadMeasures& m : measures) classes << QString::fromStdString(m.head_class);
    setClasses(classes, tr("number: λ, locality"));
}

void ClassLegend::setClasses(const QStringList& classes, const QString& remark) {
    m_entries.clear();
    for (const char* name : kClasses) {
        const auto count = classes.count(QLatin1String(name));
        // The filter stays in sight, or nobody could take it away again.
        if (count > 0 || m_filter == QLatin1String(name)) m_entries.push_back({QLatin1String(name), QStringLiteral("%1 %2").arg(QLatin1String(name)).arg(count), {}});
    }
    if (!m_entries.empty()) m_entries.push_back({{}, remark, {}});
    QStringList texts;
    for (const Entry& entry : m_entries) texts << entry.text;
    setAccessibleDescription(texts.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

void ClassLegend::setFilter(const QString& headClass) {
    if (headClass == m_filter) return;
    m_filter = headClass;
    update();
    Q_EMIT filterChanged(m_filter);
}

int ClassLegend::arrange(std::vector<Entry>& entries, int width) const {
    const QFontMetrics metrics(theme::caption());
    int x = 0, y = 0;
    const int line = metrics.height() + 6;
    for (Entry& entry : entries) {
        const int wide = metrics.horizontalAdvance(entry.text) + (entry.name.isEmpty() ? 4 : 22);
        if (x > 0 && x + wide > width) {
            x = 0;
            y += line;
        }
        entry.box = QRect(x, y, wide, line);
        x += wide + 6;
    }
    return y + line;
}

int ClassLegend::heightForWidth(int width) const {
    std::vector<Entry> entries = m_entries;
    return arrange(entries, width);
}

void ClassLegend::paintEvent(QPaintEvent*) {
    arrange(m_entries, width());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const PlotTheme colours = PlotTheme::fromPalette(palette());
    painter.setFont(colours.caption);
    for (const Entry& entry : m_entries) {
        if (!entry.name.isEmpty()) {
            if (entry.name == m_filter || entry.name == m_hovered) {
                painter.setPen(Qt::NoPen);
                painter.setBrush(entry.name == m_filter ? colours.tint : theme::raised(palette()));
                painter.drawRoundedRect(QRectF(entry.box), 4, 4);
            }
            painter.setPen(Qt::NoPen);
            painter.setBrush(colours.headClass(entry.name.toStdString()));
            painter.drawEllipse(QRectF(entry.box.left() + 5, entry.box.center().y() - 3, 7, 7));
        }
        painter.setPen(m_filter.isEmpty() || entry.name == m_filter ? (entry.name.isEmpty() ? colours.secondary : colours.text) : colours.secondary);
        painter.drawText(entry.box.adjusted(entry.name.isEmpty() ? 2 : 17, 0, 0, 0), static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), entry.text);
    }
}

void ClassLegend::mousePressEvent(QMouseEvent* event) {
    for (const Entry& entry : m_entries)
        if (!entry.name.isEmpty() && entry.box.contains(event->position().toPoint())) return setFilter(entry.name == m_filter ? QString() : entry.name);
}

void ClassLegend::mouseMoveEvent(QMouseEvent* event) {
    QString over;
    for (const Entry& entry : m_entries)
        if (!entry.name.isEmpty() && entry.box.contains(event->position().toPoint())) over = entry.name;
    if (over == m_hovered) return;
    m_hovered = over;
    update();
}

void ClassLegend::leaveEvent(QEvent*) {
    m_hovered.clear();
    update();
}

void ClassLegend::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    leaveEvent(nullptr);
}

/// Left and right go through the classes, Space or Return keeps one bright, Escape all.
void ClassLegend::keyPressEvent(QKeyEvent* event) {
    QStringList names;
    for (const Entry& entry : m_entries)
        if (!entry.name.isEmpty()) names << entry.name;
    const int key = event->key();
    if (key == Qt::Key_Escape && !m_filter.isEmpty()) return setFilter({});
    if (names.isEmpty()) return QWidget::keyPressEvent(event);
    if (key == Qt::Key_Left || key == Qt::Key_Right) {
        const qsizetype now = names.indexOf(m_hovered);
        m_hovered = names[now < 0 ? 0 : (now + (key == Qt::Key_Right ? 1 : names.size() - 1)) % names.size()];
        return update();
    }
    const bool take = key == Qt::Key_Space || key == Qt::Key_Return || key == Qt::Key_Enter;
    if (!take || m_hovered.isEmpty()) return QWidget::keyPressEvent(event);
    setFilter(m_hovered == m_filter ? QString() : m_hovered);
}

}  // namespace lw::ui
