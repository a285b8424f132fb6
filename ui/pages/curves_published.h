#pragma once
/// Values that papers state, drawn faintly beside one's own lines. They were measured on other texts with other tokens: they show a
/// shape, and are never part of a comparison.

#include "ui/pages/curves_data.h"

namespace lw::ui {

struct PublishedSeries {
    QString title;
    std::vector<double> length, value;
};

struct PublishedSet {
    std::string id;
    QString title;   ///< "arXiv, 125M, L = 512"
    QString source;  ///< paper and place
    QString note;
    std::vector<PublishedSeries> series;
};

/// From resources/published; files that cannot be read are left out.
[[nodiscard]] std::vector<PublishedSet> publishedSets();
[[nodiscard]] PublishedSet readPublished(const std::filesystem::path& file);
/// Appends the set's values as markers without lines.
void addPublished(CurvesLoaded& loaded, const std::string& id);

}  // namespace lw::ui
