/// See profile_painter.h.
#include "ui/plot/profile_painter.h"

#include "ui/plot/axis_ticks.h"
#include "ui/plot/line_painter.h"
#include "ui/plot/map_painter.h"
#include "ui/plot/number_text.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lw::ui {

namespace {

std::vector<double> decadeTicks(double low, double high, int about) {
    std::vector<double> ticks;
    const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9)), last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
    const int every = std::max(1, (last - first + about) / std::max(about, 1));
    for (int e = last; e >= first; e -= every) ticks.push_back(std::pow(10.0, e));
    return ticks;
}

/// Where a line runs near its end: rows often meet in their last few keys, where names could not tell them apart.
double usualEnd(const std::vector<float>& values, double keyBegin, double keyEnd) {
    const auto size = static_cast<std::int64_t>(values.size());
    const auto end = std::clamp(static_cast<std::int64_t>(keyEnd), std::int64_t{1}, size);
    const auto begin = std::clamp(end - 1 - static_cast<std::int64_t>(0.2 * (keyEnd - keyBegin)), std::int64_t{0}, end - 1);
    double sum = 0;
    std::int64_t count = 0;
    for (std::int64_t k = begin; k < end; ++k) {
        if (!std::isfinite(values[static_cast<std::size_t>(k)])) continue;
        sum += values[static_cast<std::size_t>(k)];
        ++count;
    }
    return count > 0 ? sum / static_cast<double>(count) : 0;
}

/// Upright beside the numbers where there is room; else at the top inside. Answers with the pixels it takes there.
double paintUnit(QPainter& painter, const ProfileView& view, double numbers, const QString& unit) {
    if (unit.isEmpty()) return 0;
    const QFontMetricsF metrics(painter.font());
    const double left = view.area.left() - 6 - numbers - metrics.height() - 1;
    if (left < 0) {
        painter.drawText(QPointF(view.area.left() + 4, view.area.top() + metrics.ascent()), unit);
        return 4 + metrics.horizontalAdvance(unit);
    }
    painter.save();
    painter.translate(left, view.area.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-view.area.height() / 2, 0, view.area.height(), metrics.height()), static_cast<int>(Qt::AlignCenter), unit);
    painter.restore();
    return 0;
}

/// The dashed line of a distance with its name, which keeps clear of what stands at the top left.
void paintMark(QPainter& painter, const ProfileView& view, const ProfileAxes& axes, double taken) {
    const double mark = view.x(static_cast<double>(axes.markedKey) + 0.5);
    if (axes.markedKey < 0 || mark <= view.area.left() || mark >= view.area.right()) return;
    painter.drawLine(QPointF(mark, view.area.top()), QPointF(mark, view.area.bottom()));
    const QFontMetricsF metrics(painter.font());
    painter.drawText(markPlace(view, mark, metrics.horizontalAdvance(axes.mark), taken, metrics.height()) + QPointF(0, metrics.ascent() - 1), axes.mark);
}

}  // namespace

QPointF markPlace(const ProfileView& view, double mark, double width, double taken, double lineHeight) {
    const double before = mark - width - 5, after = mark + 5, free = view.area.left() + (taken > 0 ? taken + 6 : 0);
    if (before >= free) return {before, view.area.top()};
    const bool clash = after < free;
    return {after, view.area.top() + (clash ? lineHeight : 0)};
}

double ProfileView::y(double value) const {
    double t = 0;
    if (logarithmic) t = value > low ? std::log(value / low) / std::log(high / low) : 0;
    else t = high > low ? (value - low) / (high - low) : 0.5;
    return area.bottom() - t * area.height();
}

QPolygonF profilePolygon(const ProfileView& view, const std::vector<float>& values, double columnsPerPixel) {
    QPolygonF line;
    const auto size = static_cast<std::int64_t>(values.size());
    const auto first = std::clamp(static_cast<std::int64_t>(std::floor(view.keyBegin)) - 1, std::int64_t{0}, size);
    const auto last = std::clamp(static_cast<std::int64_t>(std::ceil(view.keyEnd)) + 1, first, size);
    const double perCell = view.area.width() / (view.keyEnd - view.keyBegin) * columnsPerPixel;
    std::int64_t k = first;
    while (k < last) {
        const auto column = static_cast<std::int64_t>(std::floor((static_cast<double>(k) - view.keyBegin) * perCell));
        std::int64_t low = k, high = k, end = k;
        while (end < last && (end == k || static_cast<std::int64_t>(std::floor((static_cast<double>(end) - view.keyBegin) * perCell)) == column)) {
            if (values[static_cast<std::size_t>(end)] < values[static_cast<std::size_t>(low)]) low = end;
            if (values[static_cast<std::size_t>(end)] > values[static_cast<std::size_t>(high)]) high = end;
            ++end;
        }
        const auto add = [&](std::int64_t key) {
            const double value = values[static_cast<std::size_t>(key)];
            if (std::isfinite(value)) line << QPointF(view.x(static_cast<double>(key) + 0.5), view.y(value));
        };
        add(std::min(low, high));
        if (low != high) add(std::max(low, high));
        k = end;
    }
    return line;
}

void paintProfileLine(QPainter& painter, const ProfileView& view, const ProfileLine& line) {
    painter.save();
    painter.setClipRect(view.area.adjusted(-1, -1, 1, 1), Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(line.colour, line.width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    paintLine(painter, profilePolygon(view, line.values));
    painter.restore();
}

void paintProfileAxes(QPainter& painter, const ProfileView& view, const PlotTheme& theme, const ProfileAxes& axes) {
    painter.save();
    const QFontMetricsF metrics(theme.caption);
    const double height = metrics.height();
    painter.setFont(theme.caption);
    const int about = std::max(2, static_cast<int>(view.area.height() / (height * 1.8)));
    const std::vector<double> ticks = view.logarithmic ? decadeTicks(view.low, view.high, about) : linearTicks(view.low, view.high, std::min(about, 4));
    double widest = 0;
    for (const double tick : ticks) {
        const double y = view.y(tick);
        painter.setPen(QPen(theme.grid, 1));
        painter.drawLine(QPointF(view.area.left(), y), QPointF(view.area.right(), y));
        painter.setPen(theme.secondary);
        QString text = view.logarithmic ? decadeText(tick) : numberText(tick, tickDecimals(ticks));
        if (!view.logarithmic && view.low < 0 && tick > 0) text.prepend(QLatin1Char('+'));
        if (axes.valueNumbers) widest = std::max(widest, metrics.horizontalAdvance(text));
        if (axes.valueNumbers) painter.drawText(QRectF(view.area.left() - 126, y - height / 2, 120, height), static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), text);
    }
    painter.setPen(theme.secondary);
    const double taken = paintUnit(painter, view, widest, axes.unit);
    if (axes.keyNumbers) {
        const double room = metrics.horizontalAdvance(integerText(axes.keys)) + 14;
        for (const double tick : mapTicks(view.keyBegin, view.keyEnd, axes.keys, view.area.width(), room)) {
            const QString text = integerText(std::llround(tick));
            double left = view.x(tick + 0.5) - metrics.horizontalAdvance(text) / 2;
            if (axes.keepInside) left = std::clamp(left, view.area.left(), std::max(view.area.left(), view.area.right() - metrics.horizontalAdvance(text)));
            painter.drawText(QRectF(left, view.area.bottom() + 4, 120, height), static_cast<int>(Qt::AlignLeft | Qt::AlignTop), text);
        }
    }
    if (!axes.keyTitle.isEmpty())
        painter.drawText(QRectF(view.area.left(), view.area.bottom() + 4 + (axes.keyNumbers ? height : 0), view.area.width(), height + 2), static_cast<int>(Qt::AlignHCenter | Qt::AlignTop) | Qt::TextDontClip, axes.keyTitle);
    painter.setPen(QPen(theme.secondary, 1, Qt::DashLine));
    paintMark(painter, view, axes, taken);
    painter.restore();
}

int profileLabelWidth(const PlotTheme& theme, const std::vector<ProfileLine>& lines) {
    const QFontMetricsF metrics(theme.caption);
    double widest = 0;
    for (const ProfileLine& line : lines) widest = std::max(widest, metrics.horizontalAdvance(line.label));
    return static_cast<int>(std::ceil(widest)) + 8;
}

void paintProfileLabels(QPainter& painter, const ProfileView& view, const PlotTheme& theme, const std::vector<ProfileLine>& lines) {
    const QFontMetricsF metrics(theme.caption);
    std::vector<double> wanted;
    std::vector<const ProfileLine*> named;
    for (const ProfileLine& line : lines) {
        if (line.label.isEmpty() || line.values.empty()) continue;
        const double y = view.y(usualEnd(line.values, view.keyBegin, view.keyEnd));
        wanted.push_back(std::clamp(std::isfinite(y) ? y : view.area.bottom(), view.area.top(), view.area.bottom()));
        named.push_back(&line);
    }
    const std::vector<double> placed = spreadLabels(wanted, metrics.height(), view.area.top() + 4, view.area.bottom());
    painter.setFont(theme.caption);
    for (std::size_t i = 0; i < named.size(); ++i) {
        painter.setPen(named[i]->colour);
        painter.drawText(QRectF(view.area.right() + 6, placed[i] - metrics.height() / 2, 300, metrics.height()), static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), named[i]->label);
    }
}

std::vector<float> positionalSum(const lw::RowProfile& row) {
    if (row.bias.empty()) return row.adaptive;
    std::vector<float> sum = row.bias;
    for (std::size_t j = 0; j < sum.size() && j < row.adaptive.size(); ++j) sum[j] += row.adaptive[j];
    return sum;
}

std::vector<ProfileLine> profileLines(const lw::RowProfile& row, lw::ScorePart part, const PlotTheme& theme) {
    if (part == lw::ScorePart::probability) return {{row.probability, theme.part(part), 1.2, partText(part)}};
    std::vector<ProfileLine> lines;
    const auto add = [&](lw::ScorePart which, const std::vector<float>& values, double width) {
        if (!values.empty()) lines.push_back({values, theme.part(which), width, partText(which)});
    };
    add(lw::ScorePart::content, row.content, 1);
    if (part == lw::ScorePart::logit) add(lw::ScorePart::logit, row.logit, 1.2);
    if (!row.bias.empty() && !row.adaptive.empty()) add(lw::ScorePart::bias_adaptive, positionalSum(row), 1.2);
    add(lw::ScorePart::adaptive, row.adaptive, 1.3);
    add(lw::ScorePart::bias, row.bias, 1.6);
    return lines;
}

}  // namespace lw::ui
