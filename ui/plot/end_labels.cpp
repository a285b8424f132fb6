/// See end_labels.h.
#include "ui/plot/end_labels.h"

#include "ui/plot/axis_ticks.h"
#include "ui/plot/qcp.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace lw::ui {

void EndLabels::add(const QString& text, QPointF end, const PlotTheme& theme, const CurveSeries& series) {
    Label label{new QCPItemText(m_plot), new QCPItemLine(m_plot), end};  // the plot owns its items
    QFont font = theme.caption;
    font.setBold(series.bold);
    label.text->setFont(font);
    label.text->setText(text);
    label.text->setColor(theme.run(series.style));
    label.text->setClipToAxisRect(false);
    label.text->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    label.leader->setPen(QPen(theme.grid, 1));
    label.leader->setClipToAxisRect(false);
    for (QCPItemPosition* position : {label.text->position, label.leader->start, label.leader->end}) position->setType(QCPItemPosition::ptAbsolute);
    m_labels.push_back(label);
}

int EndLabels::width() const {
    double last = -HUGE_VAL;
    for (const Label& label : m_labels) last = std::max(last, label.end.x());
    int widest = 0;
    for (const Label& label : m_labels)
        if (label.end.x() >= last) widest = std::max(widest, QFontMetrics(label.text->font()).horizontalAdvance(label.text->text()));
    return widest;
}

void EndLabels::place() {
    const QCPAxisRect* rect = m_plot->axisRect();
    std::map<double, std::vector<Label*>> columns;
    for (Label& label : m_labels) columns[label.end.x()].push_back(&label);
    for (auto& [x, labels] : columns) {
        const double px = m_plot->xAxis->coordToPixel(x);
        const double height = QFontMetrics(labels.front()->text->font()).height();
        std::vector<double> wanted;
        for (const Label* label : labels) wanted.push_back(std::clamp<double>(m_plot->yAxis->coordToPixel(label->end.y()), rect->top(), rect->bottom()));
        const std::vector<double> placed = spreadLabels(wanted, height, rect->top() + height / 2, rect->bottom());
        const bool seen = px <= rect->right() + 1 && px >= rect->left() - 1;
        const auto far = [&](std::size_t i) { return std::abs(placed[i] - wanted[i]) > height / 2; };
        bool anyMoved = false;
        for (std::size_t i = 0; i < labels.size(); ++i) anyMoved = anyMoved || far(i);
        const double at = px + (anyMoved ? 18 : 9);  // one left edge for the whole column
        for (std::size_t i = 0; i < labels.size(); ++i) {
            const bool moved = far(i);
            labels[i]->text->setVisible(seen);
            labels[i]->text->position->setCoords(at, placed[i]);
            labels[i]->leader->setVisible(seen && moved);
            labels[i]->leader->start->setCoords(px + 5, wanted[i]);
            labels[i]->leader->end->setCoords(at - 1, placed[i]);
        }
    }
}

}  // namespace lw::ui
