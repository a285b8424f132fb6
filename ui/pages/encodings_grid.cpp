/// See encodings_grid.h.
#include "ui/pages/encodings_grid.h"

#include "ui/theme.h"

#include <QCoreApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>

namespace lw::ui {

namespace {

constexpr int kGap = 2 * theme::kGrid;
constexpr int kUnderHeading = 4;

}  // namespace

PlotBox::PlotBox(const QString& heading, QWidget* plot, QWidget* parent) : QWidget(parent), m_heading(heading) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, headerHeight(), 0, 0);
    layout->setSpacing(0);
    layout->addWidget(plot, 1);
    plot->setAccessibleName(heading);
    describe();
}

int PlotBox::headerHeight() const { return QFontMetrics(theme::body()).height() + kUnderHeading; }

void PlotBox::setHeading(const QString& heading) {
    if (heading == m_heading) return;
    m_heading = heading;
    describe();
}

void PlotBox::setNote(const QString& note) {
    if (note == m_note) return;
    m_note = note;
    describe();
}

void PlotBox::setHelp(const QString& help) {
    m_help = help;
    describe();
}

void PlotBox::describe() {
    QStringList lines{m_heading};
    for (const QString& line : {m_note, m_help})
        if (!line.isEmpty()) lines << line;
    setToolTip(QStringLiteral("<p>%1</p>").arg(lines.join(QStringLiteral("<br>"))));
    update();
}

std::optional<int> PlotBox::fittingHeight(int width) const { return m_fitting ? std::optional(headerHeight() + m_fitting(width)) : std::nullopt; }

/// The tip belongs to the heading: over the plot it would cover what is read there.
bool PlotBox::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && static_cast<QHelpEvent*>(event)->pos().y() > headerHeight()) {
        QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void PlotBox::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) layout()->setContentsMargins(0, headerHeight(), 0, 0);
}

void PlotBox::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QFontMetrics heading(theme::body()), note(theme::caption());
    const QString title = heading.elidedText(m_heading, Qt::ElideRight, width());
    const int used = heading.horizontalAdvance(title) + kGap;
    painter.setFont(theme::body());
    painter.setPen(theme::text(palette()));
    painter.drawText(QRect(0, 0, width(), heading.height()), static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), title);
    if (m_note.isEmpty() || used >= width()) return;
    painter.setFont(theme::caption());
    painter.setPen(theme::secondaryText(palette()));
    const QString quiet = note.elidedText(m_note, Qt::ElideRight, width() - used);
    painter.drawText(QRect(used, 0, width() - used, heading.height()), static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), quiet);
}

int gridColumns(int count, QSize room, QSize smallest, int wide) {
    if (count < 2 || room.width() < 2 * smallest.width() + kGap) return 1;
    const bool fits = count * smallest.height() + (count - 1) * kGap <= room.height();
    return room.width() >= wide || !fits ? 2 : 1;
}

std::vector<int> rowHeights(int room, const std::vector<std::optional<int>>& needed, int smallest) {
    std::vector<int> heights(needed.size(), 0);
    auto open = static_cast<int>(needed.size());
    for (bool changed = true; changed && open > 0;) {
        changed = false;
        const int share = room / open;
        for (std::size_t row = 0; row < needed.size(); ++row) {
            const int height = std::max(smallest, needed[row].value_or(share + 1));
            if (heights[row] > 0 || height > share) continue;
            heights[row] = height;
            room -= height;
            --open;
            changed = true;
        }
    }
    for (int& height : heights)
        if (height == 0) height = std::max(smallest, room / std::max(1, open));
    return heights;
}

PlotGrid::PlotGrid(QSize smallest, int wide, QWidget* parent) : QScrollArea(parent), m_smallest(smallest), m_wide(wide), m_content(new QWidget) {
    setWidget(m_content);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumWidth(smallest.width() + verticalScrollBar()->sizeHint().width());
    setFocusPolicy(Qt::NoFocus);
}

PlotBox* PlotGrid::add(const QString& heading, QWidget* plot) {
    auto* box = new PlotBox(heading, plot, m_content);
    box->hide();
    // Plots take the wheel for zooming, which would leave no way to scroll over them.
    box->installEventFilter(this);
    for (QWidget* child : box->findChildren<QWidget*>()) child->installEventFilter(this);
    m_boxes.push_back(box);
    return box;
}

std::vector<PlotBox*> PlotGrid::seen() const {
    std::vector<PlotBox*> boxes;
    std::copy_if(m_boxes.begin(), m_boxes.end(), std::back_inserter(boxes), [](const PlotBox* box) { return !box->isHidden(); });
    return boxes;
}

void PlotGrid::arrange() {
    const std::vector<PlotBox*> boxes = seen();
    const int count = static_cast<int>(boxes.size());
    if (count == 0) return;
    QSize room = maximumViewportSize();
    m_columns = gridColumns(count, room, m_smallest, m_wide);
    const int rows = (count + m_columns - 1) / m_columns;
    const int needed = rows * m_smallest.height() + (rows - 1) * kGap;
    if (needed > room.height()) room = {room.width() - verticalScrollBar()->sizeHint().width() - theme::kGrid / 2, needed};
    m_content->resize(room);
    place(boxes, room);
}

void PlotGrid::place(const std::vector<PlotBox*>& boxes, QSize room) {
    const auto columns = static_cast<std::size_t>(m_columns), rows = (boxes.size() + columns - 1) / columns;
    const int across = (room.width() - (m_columns - 1) * kGap) / m_columns;
    std::vector<std::optional<int>> needed(rows, 0);
    for (std::size_t n = 0; n < boxes.size(); ++n) {
        std::optional<int>& row = needed[n / columns];
        const std::optional<int> height = boxes[n]->fittingHeight(across);
        row = row && height ? std::optional(std::max(*row, *height)) : std::nullopt;
    }
    const std::vector<int> heights = rowHeights(room.height() - (static_cast<int>(rows) - 1) * kGap, needed, m_smallest.height());
    int top = 0;
    for (std::size_t n = 0; n < boxes.size(); ++n) {
        const int height = heights[n / columns];
        boxes[n]->setGeometry(static_cast<int>(n % columns) * (across + kGap), top, across, height);
        if (n % columns == columns - 1) top += height + kGap;
    }
}

/// With Ctrl the wheel zooms the plot, as it does without where nothing has to be scrolled.
bool PlotGrid::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Wheel || verticalScrollBar()->maximum() == 0) return QScrollArea::eventFilter(watched, event);
    const auto* widget = qobject_cast<QWidget*>(watched);
    // A scroll area also watches its scroll bars, which must keep what they are sent.
    const bool plot = widget != nullptr && m_content->isAncestorOf(widget);
    if (!plot || static_cast<QWheelEvent*>(event)->modifiers() & Qt::ControlModifier) return QScrollArea::eventFilter(watched, event);
    QCoreApplication::sendEvent(verticalScrollBar(), event);
    return true;
}

void PlotGrid::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    arrange();
}

}  // namespace lw::ui
