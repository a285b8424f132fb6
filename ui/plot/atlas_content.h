#pragma once
/// What an atlas of heads shows, as plain values: one dot per head, locality λ across, another measure up, and the way that led there.

#include "core/api/heads.h"
#include "ui/plot/atlas_scale.h"

#include <QPointF>
#include <QString>

#include <utility>
#include <vector>

namespace lw::ui {

/// A measure that can stand on the upright axis.
struct AtlasAxis {
    const char* id;      ///< as the command line names it
    const char* label;
    const char* shortLabel;  ///< where there is little room
    double lw::HeadPoint::* value;
    const AtlasScale& (*scale)();
};
[[nodiscard]] const std::vector<AtlasAxis>& atlasAxes();
/// nullptr for an id that is not there.
[[nodiscard]] const AtlasAxis* findAtlasAxis(const std::string& id);

/// One place on a head's way.
struct AtlasPlace {
    QPointF at;          ///< λ and the measure
    QString headClass;
    QString label;       ///< "T = 2,048", "step 1,000"
};
struct AtlasDot {
    std::int64_t layer = 0, head = 0;
    std::vector<AtlasPlace> way;   ///< the last one is the dot
};
/// "layer.head", as it stands beside a dot.
[[nodiscard]] QString atlasName(const AtlasDot& dot);
struct AtlasContent {
    std::vector<AtlasDot> dots;
    QString xLabel, yLabel;
    QString yShort;                ///< the same where there is little room
    QString wayLabel;              ///< "thin lines: from T = 128 to 2,048"; "" without ways
    const AtlasScale* across = &atanhScale();
    const AtlasScale* up = &linearScale();
    [[nodiscard]] bool empty() const { return dots.empty(); }
};

/// Heads whose measure is not known (A with one text) are left out.
[[nodiscard]] AtlasContent atlasContent(const lw::HeadAtlas& atlas, const AtlasAxis& axis, lw::TrailAxis over);
/// Axes on which at least one head has a value.
[[nodiscard]] std::vector<const AtlasAxis*> knownAxes(const lw::HeadAtlas& atlas);
/// One point per head: what is known of an open map's query row.
[[nodiscard]] lw::HeadAtlas atlasOf(const std::vector<lw::HeadMeasures>& measures);

/// How many heads end in each class, the most first.
[[nodiscard]] std::vector<std::pair<QString, int>> classCounts(const AtlasContent& content);

}  // namespace lw::ui
