/// See end_labels.h.
#include "ui/plot/end_labels.h"

#include "ui/plot/axis_ticks.h"
#include "ui/plot/qcp.h"

#include <algorithm>
#include <cmath>

namespace lw::ui {

namespace {

constexpr int kBeside = 3;     // pixels from the axes to names that stand beside their ends
constexpr int kLeader = 16;    // the same where leaders need room to be seen
constexpr int kEndReach = 24;  // from the right edge of the axes: lines that end farther left have a leader
constexpr int kRightEdge = 4;
constexpr double kLargestShare = 0.4;  // of the plot's width

double heightOf(const QCPItemText* text) { return QFontMetrics(text->font()).height(); }

}  // namespace

void EndLabels::add(const QString& text, QPointF end, const PlotTheme& theme, const CurveSeries& series) {
    Label label{new QCPItemText(m_plot), new QCPItemLine(m_plot), end, text, series.bold};  // the plot owns its items
    QFont font = theme.caption;
    font.setBold(series.bold);
    label.text->setFont(font);
    label.text->setText(text);
    label.text->setColor(theme.runText(series.style));
    label.text->setClipToAxisRect(false);
    label.text->setPadding({});
    label.text->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    QColor thin = theme.run(series.style);
    thin.setAlphaF(0.45F);
    label.leader->setPen(QPen(thin, 1));
    label.leader->setClipToAxisRect(false);
    for (QCPItemPosition* position : {label.text->position, label.leader->start, label.leader->end}) position->setType(QCPItemPosition::ptAbsolute);
    m_labels.push_back(label);
}

int EndLabels::room(int plotWidth) const {
    if (m_labels.empty()) return 16;
    int widest = 0;
    for (const Label& label : m_labels) widest = std::max(widest, QFontMetrics(label.text->font()).horizontalAdvance(label.full));
    return std::min(widest + kLeader + kRightEdge + 2, std::max(60, static_cast<int>(kLargestShare * plotWidth)));
}

/// From the top down. Ends that lie outside of what is zoomed to have no name, and where there are more names than lines of text fit,
/// those that crowd most are left out, the current run's never.
std::vector<EndLabels::Label*> EndLabels::seenLabels() {
    const QCPAxisRect* rect = m_plot->axisRect();
    const auto row = [this](const Label* label) { return m_plot->yAxis->coordToPixel(label->end.y()); };
    std::vector<Label*> seen;
    for (Label& label : m_labels) {
        const double px = m_plot->xAxis->coordToPixel(label.end.x());
        const bool shown = px <= rect->right() + 1 && px >= rect->left() - 1;
        label.text->setVisible(false);
        label.leader->setVisible(false);
        if (shown) seen.push_back(&label);
    }
    std::stable_sort(seen.begin(), seen.end(), [&](const Label* a, const Label* b) { return row(a) < row(b); });
    if (seen.empty()) return seen;
    const auto fitting = static_cast<std::size_t>(std::max(1.0, rect->height() / heightOf(seen.front()->text)));
    while (seen.size() > fitting) {
        std::size_t crowded = seen.size();
        double least = HUGE_VAL;
        for (std::size_t i = 0; i < seen.size(); ++i) {
            const double gap = i == 0 ? row(seen[1]) - row(seen[0]) : row(seen[i]) - row(seen[i - 1]);
            if (seen[i]->bold || gap >= least) continue;
            least = gap;
            crowded = i;
        }
        if (crowded == seen.size()) break;
        seen.erase(seen.begin() + static_cast<std::ptrdiff_t>(crowded));
    }
    return seen;
}

void EndLabels::place() { placeColumn(seenLabels()); }

void EndLabels::placeColumn(const std::vector<Label*>& labels) {
    if (labels.empty()) return;
    const QCPAxisRect* rect = m_plot->axisRect();
    const double height = heightOf(labels.front()->text);
    std::vector<double> wanted, across;
    for (const Label* label : labels) {
        wanted.push_back(std::clamp<double>(m_plot->yAxis->coordToPixel(label->end.y()), rect->top(), rect->bottom()));
        across.push_back(m_plot->xAxis->coordToPixel(label->end.x()));
    }
    const std::vector<double> placed = spreadLabels(wanted, height, rect->top() + height / 2, rect->bottom());
    const double last = rect->right();
    const auto moved = [&](std::size_t i) { return std::abs(placed[i] - wanted[i]) > height / 2 || across[i] < last - kEndReach; };
    bool anyMoved = false;
    for (std::size_t i = 0; i < labels.size(); ++i) anyMoved = anyMoved || moved(i);
    const double at = last + (anyMoved ? kLeader : kBeside);  // one left edge for the whole column
    const int room = static_cast<int>(m_plot->viewport().right() - kRightEdge - at);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        labels[i]->text->setText(QFontMetrics(labels[i]->text->font()).elidedText(labels[i]->full, Qt::ElideRight, room));
        labels[i]->text->setVisible(true);
        labels[i]->text->position->setCoords(at, placed[i]);
        labels[i]->leader->setVisible(moved(i));
        labels[i]->leader->start->setCoords(across[i] + 5, wanted[i]);
        labels[i]->leader->end->setCoords(at - 3, placed[i]);
    }
}

std::vector<QRectF> EndLabels::rects() const {
    std::vector<QRectF> rects;
    for (const Label& label : m_labels) {
        if (!label.text->visible()) continue;
        const QPointF at = label.text->position->coords();
        const double height = heightOf(label.text);
        rects.emplace_back(at.x(), at.y() - height / 2, QFontMetrics(label.text->font()).horizontalAdvance(label.text->text()), height);
    }
    return rects;
}

}  // namespace lw::ui
