/// See run_delegate.h.
#include "ui/panels/run_delegate.h"

#include "ui/models/runs_model.h"
#include "ui/plot/run_mark.h"
#include "ui/theme.h"

#include <QMouseEvent>
#include <QPainter>

namespace lw::ui {

namespace {

constexpr int kTick = 14;
constexpr int kBeforeMark = 8;
constexpr int kAfterMark = 8;
constexpr int kMargin = 12;
constexpr int kLeastMargin = 2;  // beside a scroll bar

QFont valueFont() {
    QFont font = theme::tabular();
    font.setPointSizeF(theme::caption().pointSizeF());
    return font;
}

/// The whole line where it fits; where it does not, what says least goes first, and the status last.
QString shortSubtitle(const QString& subtitle, const QFontMetrics& metrics, int room) {
    QStringList parts = subtitle.split(QStringLiteral(" · "));
    while (parts.size() > 2 && metrics.horizontalAdvance(parts.join(QStringLiteral(" · "))) > room) parts.removeAt(parts.size() - 2);
    const QString joined = parts.join(QStringLiteral(" · "));
    if (subtitle.count(QStringLiteral(" · ")) < 2 || metrics.horizontalAdvance(joined) <= room) return metrics.elidedText(joined, Qt::ElideRight, room);
    return metrics.elidedText(parts.last(), Qt::ElideRight, room);
}

RunsModel::Kind kindOf(const QModelIndex& index) { return static_cast<RunsModel::Kind>(index.data(RunsModel::KindRole).toInt()); }

/// In the margin, so that tick boxes of all rows stand under each other.
void paintArrow(QPainter* painter, const QRect& box, bool open, const QPalette& palette) {
    const QPointF middle = QRectF(box).center() + QPointF(0.5, 0);
    const double half = 3;
    QPolygonF arrow;
    if (open) arrow << QPointF(-half, -half / 2) << QPointF(0, half / 2) << QPointF(half, -half / 2);
    else arrow << QPointF(-half / 2, -half) << QPointF(half / 2, 0) << QPointF(-half / 2, half);
    painter->setPen(QPen(theme::secondaryText(palette), 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->setBrush(Qt::NoBrush);
    painter->drawPolyline(arrow.translated(middle));
}

/// At the right of a line, in the painter's colour; what it takes of the line's width.
int paintValue(QPainter* painter, const QRect& line, const QModelIndex& index) {
    const QString value = index.data(RunsModel::ValueRole).toString();
    painter->setFont(valueFont());
    painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, value);
    return value.isEmpty() ? 0 : painter->fontMetrics().horizontalAdvance(value) + theme::kGrid;
}

}  // namespace

QRect RunDelegate::tickRect(const QRect& row) {
    return {row.left() + kMargin, row.center().y() - kTick / 2, kTick, kTick};
}

int RunDelegate::usualWidth() {
    const int before = kMargin + kTick + kBeforeMark + kRunMark.width() + kAfterMark;
    const int line = QFontMetrics(theme::caption()).horizontalAdvance(tr("L %1 · %2 seeds").arg(128).arg(3)) + theme::kGrid + QFontMetrics(valueFont()).horizontalAdvance(QStringLiteral("00.0"));
    return before + line + kMargin;
}

/// A scroll bar takes its room from the margin before it takes any from the text.
QRect RunDelegate::titleRect(const QRect& row) {
    const int body = QFontMetrics(theme::body()).height(), caption = QFontMetrics(theme::caption()).height();
    const int left = tickRect(row).right() + kBeforeMark + kRunMark.width() + kAfterMark;
    const int margin = qBound(kLeastMargin, kMargin - (usualWidth() - row.width()), kMargin);
    return {left, row.top() + (row.height() - body - caption) / 2, row.right() - margin - left, body};
}

QRect RunDelegate::arrowRect(const QRect& row) { return {row.left(), row.top(), kMargin, row.height()}; }

QSize RunDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
    const int body = QFontMetrics(theme::body()).height(), caption = QFontMetrics(theme::caption()).height();
    return {200, kindOf(index) == RunsModel::Kind::seed ? qMax(body, kTick) + theme::kGrid / 2 : body + caption + theme::kGrid};
}

void RunDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QPalette& palette = option.palette;
    if (option.state & QStyle::State_Selected) {
        painter->fillRect(option.rect, theme::selection(palette));
    } else if (option.state & QStyle::State_MouseOver) {
        painter->fillRect(option.rect, theme::raised(palette));
    }
    const QRect tick = tickRect(option.rect);
    theme::paintTickBox(painter, tick, static_cast<Qt::CheckState>(index.data(Qt::CheckStateRole).toInt()), true, false, palette);
    if (kindOf(index) == RunsModel::Kind::heading) paintArrow(painter, arrowRect(option.rect), index.data(RunsModel::OpenRole).toBool(), palette);
    if (kindOf(index) == RunsModel::Kind::seed) {
        paintSeed(painter, option.rect, index, palette);
    } else {
        const QRect mark(tick.right() + kBeforeMark, option.rect.center().y() - kRunMark.height() / 2, kRunMark.width(), kRunMark.height());
        paintRunMark(painter, mark, index.data(RunsModel::StyleRole).toInt(), palette);
        paintTwoLines(painter, option.rect, index, palette);
    }
    painter->restore();
}

void RunDelegate::paintTwoLines(QPainter* painter, const QRect& row, const QModelIndex& index, const QPalette& palette) {
    const QFontMetrics bodyMetrics(theme::body()), captionMetrics(theme::caption());
    const QRect first = titleRect(row);
    const QRect second(first.left(), first.bottom() + 1, first.width(), captionMetrics.height());
    painter->setPen(theme::text(palette));
    painter->setFont(theme::body());
    painter->drawText(first, Qt::AlignLeft | Qt::AlignVCenter, bodyMetrics.elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, first.width()));
    const int room = second.width() - paintValue(painter, second, index);
    painter->setFont(theme::caption());
    painter->setPen(theme::secondaryText(palette));
    painter->drawText(second, Qt::AlignLeft | Qt::AlignVCenter, shortSubtitle(index.data(RunsModel::SubtitleRole).toString(), captionMetrics, room));
}

void RunDelegate::paintSeed(QPainter* painter, const QRect& row, const QModelIndex& index, const QPalette& palette) {
    QRect line = titleRect(row);
    line.setTop(row.top());
    line.setBottom(row.bottom());
    painter->setPen(theme::text(palette));
    const int room = line.width() - paintValue(painter, line, index);
    painter->setFont(theme::caption());
    painter->setPen(theme::secondaryText(palette));
    painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter, shortSubtitle(index.data(Qt::DisplayRole).toString(), QFontMetrics(theme::caption()), room));
}

bool RunDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option, const QModelIndex& index) {
    const bool checked = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;  // of several seeds: all
    const auto toggle = [&] { return model->setData(index, checked ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole); };
    if (event->type() == QEvent::KeyPress) {
        return static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space && toggle();
    }
    if (event->type() != QEvent::MouseButtonRelease && event->type() != QEvent::MouseButtonPress &&
        event->type() != QEvent::MouseButtonDblClick)
        return false;
    const auto* mouse = static_cast<QMouseEvent*>(event);
    if (kindOf(index) == RunsModel::Kind::heading && mouse->button() == Qt::LeftButton && arrowRect(option.rect).contains(mouse->position().toPoint())) {
        return event->type() != QEvent::MouseButtonRelease || model->setData(index, !index.data(RunsModel::OpenRole).toBool(), RunsModel::OpenRole);
    }
    const QRect box = tickRect(option.rect).adjusted(kindOf(index) == RunsModel::Kind::heading ? 0 : -8, -8, 6, 8);
    if (mouse->button() != Qt::LeftButton || !box.contains(mouse->position().toPoint())) return false;
    // The press is taken too, so that ticking does not also choose the run.
    return event->type() != QEvent::MouseButtonRelease || toggle();
}

}  // namespace lw::ui
