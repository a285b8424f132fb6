/// See atlas_labels.h.
#include "ui/plot/atlas_labels.h"

#include <QFontMetricsF>
#include <QLineF>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace lw::ui {

namespace {

constexpr double kDot = 4.5, kStop = 2.2, kRing = 3;  // radii, as they are painted; the ring's beyond its dot's
constexpr double kBeside = 2, kMarkedBeside = 4;   // from a dot's edge, or that of its ring, to its name
constexpr std::array<double, 3> kReaches{14, 22, 32};  // from a dot to a name with a leader
constexpr int kDirections = 16;
constexpr std::size_t kLeaders = 64;               // dots up to which leaders are tried: more of them would be a net of their own

/// Whether a line has a point in a box: the part of it that lies between the box's sides is narrowed, side by side.
bool crosses(const QLineF& line, const QRectF& box) {
    double first = 0, last = 1;
    const auto narrow = [&](double from, double along, double low, double high) {
        if (along == 0) return from >= low && from <= high;
        const double a = (low - from) / along, b = (high - from) / along;
        first = std::max(first, std::min(a, b));
        last = std::min(last, std::max(a, b));
        return first <= last;
    };
    return narrow(line.x1(), line.dx(), box.left(), box.right()) && narrow(line.y1(), line.dy(), box.top(), box.bottom());
}

bool isFaint(const AtlasDot& dot, const QString& filter) { return !filter.isEmpty() && dot.way.back().headClass != filter; }

QRectF around(QPointF at, double radius) { return {at.x() - radius, at.y() - radius, 2 * radius, 2 * radius}; }

/// What is in the way of names.
class Obstacles {
public:
    Obstacles(const AtlasContent& content, const AtlasView& view, const AtlasMarks& marks) : m_area(view.area.adjusted(0, 0, 4, 0)) {
        for (std::size_t d = 0; d < content.dots.size(); ++d) {
            const AtlasDot& dot = content.dots[d];
            const bool ringed = static_cast<int>(d) == marks.hovered || static_cast<int>(d) == marks.selected;
            if (isFaint(dot, marks.filter) && !ringed) continue;
            m_boxes.push_back(around(view.pixel(dot.way.back().at), ringed ? kDot + kRing : kDot));
            for (std::size_t n = 0; n + 1 < dot.way.size(); ++n) {
                m_lines.emplace_back(view.pixel(dot.way[n].at), view.pixel(dot.way[n + 1].at));
                m_boxes.push_back(around(view.pixel(dot.way[n].at), kStop));
            }
        }
    }
    [[nodiscard]] bool free(const QRectF& box) const {
        return m_area.contains(box) && std::none_of(m_boxes.begin(), m_boxes.end(), [&](const QRectF& other) { return other.intersects(box); }) &&
               std::none_of(m_lines.begin(), m_lines.end(), [&](const QLineF& line) { return crosses(line, box); });
    }
    /// A leader may cross ways, but no name and no other leader.
    [[nodiscard]] bool freeLeader(const QLineF& leader) const {
        QPointF met;
        return std::none_of(m_names.begin(), m_names.end(), [&](const QRectF& name) { return crosses(leader, name); }) &&
               std::none_of(m_leaders.begin(), m_leaders.end(), [&](const QLineF& other) { return leader.intersects(other, &met) == QLineF::BoundedIntersection; });
    }
    void add(const AtlasLabel& label) {
        m_boxes.push_back(label.box);
        m_names.push_back(label.box);
        if (label.leader.isNull()) return;
        m_lines.push_back(label.leader);
        m_leaders.push_back(label.leader);
    }

private:
    QRectF m_area;
    std::vector<QRectF> m_boxes, m_names;
    std::vector<QLineF> m_lines, m_leaders;
};

/// Right, left, above, below, then the corners.
std::optional<QRectF> placeBeside(const Obstacles& obstacles, QPointF at, QSizeF size, double away) {
    const double w = size.width(), h = size.height(), near = 0.7 * away;
    for (const QPointF corner : {QPointF(away, -h / 2), QPointF(-away - w, -h / 2), QPointF(-w / 2, -away - h), QPointF(-w / 2, away), QPointF(near, -near - h), QPointF(near, near),
                                 QPointF(-near - w, -near - h), QPointF(-near - w, near)}) {
        const QRectF box(at + corner, size);
        if (obstacles.free(box)) return box;
    }
    return std::nullopt;
}

/// The nearest free place in any direction, with a line back to the dot.
std::optional<AtlasLabel> placeApart(const Obstacles& obstacles, std::size_t dot, QPointF at, QSizeF size) {
    for (const double reach : kReaches)
        for (int n = 0; n < kDirections; ++n) {
            const double angle = 2 * M_PI * n / kDirections;
            const QPointF way(std::cos(angle), std::sin(angle));
            const QPointF middle = at + way * (kDot + reach) + QPointF(way.x() * size.width() / 2, way.y() * size.height() / 2);
            const QRectF box(middle - QPointF(size.width() / 2, size.height() / 2), size);
            const QLineF leader(at + way * kDot, at + way * (kDot + reach - 1));
            if (obstacles.free(box) && obstacles.freeLeader(leader)) return AtlasLabel{dot, box, leader};
        }
    return std::nullopt;
}

/// Hovered, chosen, then the others, the last ones first as they lie on top.
std::vector<std::size_t> byRank(const AtlasContent& content, const AtlasMarks& marks) {
    std::vector<std::size_t> order;
    for (std::size_t n = content.dots.size(); n-- > 0;)
        if (static_cast<int>(n) == marks.hovered || static_cast<int>(n) == marks.selected || !isFaint(content.dots[n], marks.filter)) order.push_back(n);
    const auto rank = [&](std::size_t n) { return static_cast<int>(n) == marks.hovered ? 0 : static_cast<int>(n) == marks.selected ? 1 : 2; };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    return order;
}

}  // namespace

std::vector<AtlasLabel> placeAtlasLabels(const AtlasContent& content, const AtlasView& view, const QFontMetricsF& metrics, const AtlasMarks& marks) {
    Obstacles obstacles(content, view, marks);
    std::vector<AtlasLabel> labels;
    std::vector<std::size_t> crowded;
    const auto sizeOf = [&](std::size_t n) { return QSizeF(metrics.horizontalAdvance(atlasName(content.dots[n])) + 2, metrics.ascent()); };
    const auto add = [&](const AtlasLabel& label) {
        obstacles.add(label);
        labels.push_back(label);
    };
    for (const std::size_t n : byRank(content, marks)) {
        const bool marked = static_cast<int>(n) == marks.hovered || static_cast<int>(n) == marks.selected;
        const QPointF at = view.pixel(content.dots[n].way.back().at);
        if (const auto box = placeBeside(obstacles, at, sizeOf(n), kDot + (marked ? kMarkedBeside : kBeside))) add({n, *box});
        else if (!marked) crowded.push_back(n);
        else if (const auto label = placeApart(obstacles, n, at, sizeOf(n))) add(*label);  // has its place before all others
    }
    if (content.dots.size() > kLeaders) return labels;
    // After all those that need none, whose places they must not take.
    for (const std::size_t n : crowded)
        if (const auto label = placeApart(obstacles, n, view.pixel(content.dots[n].way.back().at), sizeOf(n))) add(*label);
    return labels;
}

}  // namespace lw::ui
