/// See atlas_content.h.
#include "ui/plot/atlas_content.h"

#include "ui/plot/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lw::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("Atlas", text); }

QString placeText(const lw::HeadPoint& point, lw::TrailAxis over) {
    return over == lw::TrailAxis::length ? QStringLiteral("T = %1").arg(integerText(point.length)) : tr("step %1").arg(integerText(point.step));
}

QString wayText(const lw::HeadAtlas& atlas, lw::TrailAxis over) {
    const auto& stops = over == lw::TrailAxis::length ? atlas.lengths : atlas.steps;
    if (stops.size() < 2) return {};
    const QString text = over == lw::TrailAxis::length ? tr("thin lines: from T = %1 to %2 (dot)") : tr("thin lines: from step %1 to %2 (dot)");
    return text.arg(integerText(stops.front()), integerText(stops.back()));
}

AtlasDot dotOf(const std::vector<lw::HeadPoint>& trail, const AtlasAxis& axis, lw::TrailAxis over) {
    AtlasDot dot;
    for (const lw::HeadPoint& point : trail) {
        dot.layer = point.layer;
        dot.head = point.head;
        const double value = point.*axis.value;
        if (std::isfinite(value) && std::isfinite(point.locality)) dot.way.push_back({QPointF(point.locality, value), QString::fromStdString(point.head_class), placeText(point, over)});
    }
    return dot;
}

}  // namespace

const std::vector<AtlasAxis>& atlasAxes() {
    static const std::vector<AtlasAxis> axes{
        {"C", QT_TRANSLATE_NOOP("Atlas", "far − near contrast C, nats"), QT_TRANSLATE_NOOP("Atlas", "C, nats"), &lw::HeadPoint::contrast, asinhScale},
        {"A", QT_TRANSLATE_NOOP("Atlas", "adaptivity A"), QT_TRANSLATE_NOOP("Atlas", "A"), &lw::HeadPoint::adaptivity, linearScale},
        {"rho", QT_TRANSLATE_NOOP("Atlas", "rank correlation ρ with distance"), QT_TRANSLATE_NOOP("Atlas", "ρ"), &lw::HeadPoint::rank, atanhScale},
        {"entropy", QT_TRANSLATE_NOOP("Atlas", "attention entropy, nats"), QT_TRANSLATE_NOOP("Atlas", "entropy, nats"), &lw::HeadPoint::entropy, linearScale},
        {"spread", QT_TRANSLATE_NOOP("Atlas", "entropy / entropy of equal weights"), QT_TRANSLATE_NOOP("Atlas", "relative entropy"), &lw::HeadPoint::spread, linearScale},
        {"beyond", QT_TRANSLATE_NOOP("Atlas", "share of weight beyond L"), QT_TRANSLATE_NOOP("Atlas", "weight beyond L"), &lw::HeadPoint::beyond_training, linearScale},
        {"sink", QT_TRANSLATE_NOOP("Atlas", "share of weight on the first token"), QT_TRANSLATE_NOOP("Atlas", "weight on first"), &lw::HeadPoint::sink, linearScale},
        {"self", QT_TRANSLATE_NOOP("Atlas", "share of weight on the token itself"), QT_TRANSLATE_NOOP("Atlas", "weight on itself"), &lw::HeadPoint::self, linearScale},
    };
    return axes;
}

const AtlasAxis* findAtlasAxis(const std::string& id) {
    for (const AtlasAxis& axis : atlasAxes())
        if (id == axis.id) return &axis;
    return nullptr;
}

QString atlasName(const AtlasDot& dot) { return QStringLiteral("%1.%2").arg(dot.layer).arg(dot.head); }

AtlasContent atlasContent(const lw::HeadAtlas& atlas, const AtlasAxis& axis, lw::TrailAxis over) {
    AtlasContent content{.dots = {}, .xLabel = tr("locality λ"), .yLabel = tr(axis.label), .yShort = tr(axis.shortLabel), .wayLabel = wayText(atlas, over), .up = &axis.scale()};
    for (std::int64_t layer = 0; layer < atlas.layers; ++layer)
        for (std::int64_t head = 0; head < atlas.heads; ++head) {
            AtlasDot dot = dotOf(lw::head_trail(atlas, layer, head, over), axis, over);
            if (!dot.way.empty()) content.dots.push_back(std::move(dot));
        }
    return content;
}

std::vector<const AtlasAxis*> knownAxes(const lw::HeadAtlas& atlas) {
    std::vector<const AtlasAxis*> known;
    for (const AtlasAxis& axis : atlasAxes()) {
        const auto has = [&](const lw::HeadPoint& point) { return std::isfinite(point.*axis.value); };
        if (std::any_of(atlas.points.begin(), atlas.points.end(), has)) known.push_back(&axis);
    }
    return known;
}

lw::HeadAtlas atlasOf(const std::vector<lw::HeadMeasures>& measures) {
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    lw::HeadAtlas atlas;
    atlas.steps = atlas.lengths = {0};
    for (const lw::HeadMeasures& m : measures) {
        lw::HeadPoint point{.layer = m.layer, .head = m.head, .contrast = m.contrast, .rank = m.rank, .locality = m.locality, .adaptivity = m.adaptivity,
                            .head_class = m.head_class, .entropy = m.entropy, .spread = kUnknown, .beyond_training = m.beyond_training, .sink = m.first_key,
                            .self = kUnknown};
        atlas.layers = std::max(atlas.layers, m.layer + 1);
        atlas.heads = std::max(atlas.heads, m.head + 1);
        atlas.texts = m.texts;
        atlas.of = m.of;
        atlas.points.push_back(std::move(point));
    }
    return atlas;
}

std::vector<std::pair<QString, int>> classCounts(const AtlasContent& content) {
    std::vector<std::pair<QString, int>> counts;
    for (const AtlasDot& dot : content.dots) {
        const QString& name = dot.way.back().headClass;
        const auto found = std::find_if(counts.begin(), counts.end(), [&](const auto& entry) { return entry.first == name; });
        if (found == counts.end()) counts.emplace_back(name, 1);
        else ++found->second;
    }
    std::stable_sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    return counts;
}

}  // namespace lw::ui
