/// See token_strip.h. Only the rows that are seen are painted, so that 65,536 tokens scroll smoothly.
#include "ui/panels/token_strip.h"

#include "ui/theme.h"

#include <QHash>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <cmath>

namespace lw::ui {

namespace {

/// Letters of whole pixels: pieces that lie beside each other then read as one word.
QFont evenFont() {
    QFont font = theme::monospace();
    const double advance = QFontMetricsF(font).horizontalAdvance(QLatin1Char('0'));
    font.setLetterSpacing(QFont::AbsoluteSpacing, std::round(advance) - advance);
    return font;
}

QString drawn(const QString& piece) { return QString(piece).replace(QChar(0x2581), QLatin1Char(' ')); }

}  // namespace

TokenStrip::TokenStrip(QWidget* parent) : QAbstractScrollArea(parent) {
    setObjectName(QStringLiteral("tokenStrip"));
    setAccessibleName(tr("Tokens of the text"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setBackgroundRole(QPalette::Window);
    viewport()->setCursor(Qt::PointingHandCursor);
    setFont(evenFont());
    setMinimumHeight(fontMetrics().height() + theme::kGrid);
}

void TokenStrip::setTokens(const QStringList& pieces, std::int64_t offset) {
    m_names = pieces;
    m_pieces.clear();
    m_offset = offset;
    m_shade.clear();
    m_widths.clear();
    QHash<QString, int> known;  // a vocabulary is small: each piece is measured once
    for (const QString& piece : pieces) {
        m_pieces << drawn(piece);
        auto found = known.constFind(piece);
        if (found == known.constEnd()) found = known.insert(piece, fontMetrics().horizontalAdvance(m_pieces.back()));
        m_widths.push_back(*found);
    }
    relayout();
    reveal(m_query);
}

void TokenStrip::setShade(const std::vector<float>& values) {
    m_shade = values;
    viewport()->update();
}

void TokenStrip::setQuery(std::int64_t query) {
    m_query = query;
    reveal(query);
    viewport()->update();
}

void TokenStrip::relayout() {
    // Only whole rows are shown; half a row at the bottom looks like a mistake.
    const int rowHeight = fontMetrics().height() + 5;
    const int spare = contentsRect().height() % rowHeight;
    setViewportMargins(0, 0, 0, contentsRect().height() > rowHeight ? spare : 0);
    m_layout = layoutTokens(m_widths, viewport()->width() - 4, rowHeight);
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(m_layout.rowHeight);
    verticalScrollBar()->setRange(0, qMax(0, m_layout.height() - viewport()->height()));
    viewport()->update();
}

void TokenStrip::reveal(std::int64_t token) {
    if (token < 0 || token >= static_cast<std::int64_t>(m_layout.places.size())) return;
    const int top = m_layout.places[static_cast<std::size_t>(token)].row * m_layout.rowHeight;
    const int now = verticalScrollBar()->value();
    if (top < now) verticalScrollBar()->setValue(top);
    if (top + m_layout.rowHeight > now + viewport()->height()) verticalScrollBar()->setValue(top + m_layout.rowHeight - viewport()->height());
}

void TokenStrip::resizeEvent(QResizeEvent*) {
    relayout();
    reveal(m_query);
}

void TokenStrip::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font());
    const int scroll = verticalScrollBar()->value();
    const int first = scroll / m_layout.rowHeight;
    const int last = qMin(m_layout.rows() - 1, (scroll + viewport()->height()) / m_layout.rowHeight);
    for (int row = first; row <= last; ++row) {
        const auto r = static_cast<std::size_t>(row);
        const std::size_t end = r + 1 < m_layout.rowBegin.size() ? m_layout.rowBegin[r + 1] : m_layout.places.size();
        for (std::size_t token = m_layout.rowBegin[r]; token < end; ++token) paintToken(painter, token, row * m_layout.rowHeight - scroll);
    }
}

void TokenStrip::paintToken(QPainter& painter, std::size_t token, int top) const {
    const TokenPlace& place = m_layout.places[token];
    const QRectF box(place.x, top + 1, place.width, m_layout.rowHeight - 2);
    // Every other piece stands on a quiet ground: where one ends is seen without a gap inside words.
    if (token % 2 == 1) painter.fillRect(box, theme::raised(palette()));
    if (token < m_shade.size() && m_shade[token] > 0) {
        QColor tint = theme::accent(palette());
        tint.setAlphaF(0.55F * std::min(1.0F, m_shade[token]));
        painter.fillRect(box, tint);
    }
    if (static_cast<std::int64_t>(token) == m_query) {
        painter.setPen(QPen(theme::accent(palette()), 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    }
    const bool later = m_query >= 0 && static_cast<std::int64_t>(token) > m_query;
    painter.setPen(later ? theme::secondaryText(palette()) : theme::text(palette()));
    painter.drawText(QRectF(place.x, top, place.width + 4, m_layout.rowHeight), Qt::AlignLeft | Qt::AlignVCenter,
                     m_pieces[static_cast<qsizetype>(token)]);
}

void TokenStrip::mousePressEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    const auto token = m_layout.tokenAt(at.x(), at.y() + verticalScrollBar()->value());
    if (event->button() == Qt::LeftButton && token >= 0) Q_EMIT tokenClicked(token);
}

void TokenStrip::keyPressEvent(QKeyEvent* event) {
    const auto last = static_cast<std::int64_t>(m_widths.size()) - 1;
    const std::int64_t now = m_query < 0 ? last : m_query;
    if (event->key() == Qt::Key_Left && now > 0) return Q_EMIT tokenClicked(now - 1);
    if (event->key() == Qt::Key_Right && now < last) return Q_EMIT tokenClicked(now + 1);
    if (event->key() == Qt::Key_Home && last >= 0) return Q_EMIT tokenClicked(0);
    if (event->key() == Qt::Key_End && last >= 0) return Q_EMIT tokenClicked(last);
    QAbstractScrollArea::keyPressEvent(event);
}

bool TokenStrip::viewportEvent(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto token = m_layout.tokenAt(help->pos().x(), help->pos().y() + verticalScrollBar()->value());
    if (token < 0) {
        QToolTip::hideText();
        return true;
    }
    QString text = tr("Token %L1 “%2”").arg(token + m_offset).arg(m_names[static_cast<qsizetype>(token)]);
    QToolTip::showText(help->globalPos(), text, viewport());
    return true;
}

}  // namespace lw::ui
