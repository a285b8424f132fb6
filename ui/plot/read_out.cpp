/// See read_out.h.
#include "ui/plot/read_out.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace lw::ui {

namespace {
constexpr int kPadding = 10;
constexpr int kMark = 18;  // room of the coloured square
constexpr int kGap = 14;
constexpr int kLeading = 4;
}  // namespace

ReadOut::ReadOut(QWidget* parent) : QWidget(parent), m_theme(PlotTheme::fromPalette(palette())) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void ReadOut::setTheme(const PlotTheme& theme) {
    m_theme = theme;
    update();
}

void ReadOut::setContent(const QString& heading, const std::vector<ReadOutRow>& rows) {
    m_heading = heading;
    m_rows = rows;
    QStringList lines{heading};
    for (const ReadOutRow& row : rows) lines += QStringLiteral("%1 %2 %3").arg(row.label, row.value, row.extra).trimmed();
    setAccessibleDescription(lines.join(QLatin1Char('\n')));
    resize(sizeHint());
    update();
}

ReadOut::Columns ReadOut::columns() const {
    const QFontMetrics metrics(m_theme.caption);
    Columns c;
    for (const ReadOutRow& row : m_rows) {
        c.label = std::max(c.label, metrics.horizontalAdvance(row.label));
        c.value = std::max(c.value, metrics.horizontalAdvance(row.value));
        c.extra = std::max(c.extra, metrics.horizontalAdvance(row.extra));
        c.marks = c.marks || row.mark.isValid();
    }
    return c;
}

QSize ReadOut::sizeHint() const {
    const QFontMetrics metrics(m_theme.caption);
    const Columns c = columns();
    int width = c.label + (c.marks ? kMark : 0) + (c.value > 0 ? kGap + c.value : 0) + (c.extra > 0 ? kGap / 2 + c.extra : 0);
    width = std::max(width, metrics.horizontalAdvance(m_heading));
    const int lines = static_cast<int>(m_rows.size()) + (m_heading.isEmpty() ? 0 : 1);
    return {width + 2 * kPadding, lines * (metrics.height() + kLeading) - kLeading + 2 * kPadding - 4};
}

void ReadOut::showNear(QPoint point, const QRect& within) {
    const QSize size = sizeHint();
    resize(size);
    int x = point.x() + 16;
    if (x + size.width() > within.right()) x = point.x() - 16 - size.width();
    int y = point.y() + 16;
    if (y + size.height() > within.bottom()) y = point.y() - 16 - size.height();
    move(std::max(within.left(), std::min(x, within.right() - size.width())),
         std::max(within.top(), std::min(y, within.bottom() - size.height())));
    raise();
    show();
}

void ReadOut::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.panel);
    painter.drawRoundedRect(rect(), 5, 5);
    painter.setFont(m_theme.caption);
    const QFontMetrics metrics(m_theme.caption);
    const Columns c = columns();
    int y = kPadding - 2;
    const auto draw = [&](int x, int width, const QString& text, const QColor& colour, Qt::Alignment align) {
        painter.setPen(colour);
        painter.drawText(QRect(x, y, width, metrics.height()), static_cast<int>(align | Qt::AlignVCenter), text);
    };
    if (!m_heading.isEmpty()) {
        draw(kPadding, width() - kPadding, m_heading, m_theme.panelSecondary, Qt::AlignLeft);
        y += metrics.height() + kLeading;
    }
    for (const ReadOutRow& row : m_rows) {
        int x = kPadding;
        if (c.marks) {
            if (row.mark.isValid()) {
                painter.setPen(Qt::NoPen);
                painter.setBrush(row.mark);
                painter.drawRoundedRect(QRectF(x, y + metrics.height() / 2.0 - 5, 10, 10), 2, 2);
            }
            x += kMark;
        }
        draw(x, c.label + 2, row.label, m_theme.panelText, Qt::AlignLeft);
        x += c.label + kGap;
        draw(x, c.value, row.value, m_theme.panelText, Qt::AlignRight);
        draw(x + c.value + kGap / 2, c.extra + 2, row.extra, m_theme.panelSecondary, Qt::AlignLeft);
        y += metrics.height() + kLeading;
    }
}

}  // namespace lw::ui
