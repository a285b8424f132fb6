#pragma once
/// Values that papers state, drawn faintly beside one's own lines. They were measured on other texts with other tokens: they show a
/// shape, and are never part of a comparison.

#include "core/api/published.h"
#include "ui/pages/curves_data.h"

namespace lw::ui {

/// Where the values come from, how they were measured and how sure they are, in a few sentences.
[[nodiscard]] QString publishedWords(const lw::PublishedSet& set);
/// Appends the set's values as markers without lines; a set that is not there adds nothing.
void addPublished(CurvesLoaded& loaded, const std::string& id);

}  // namespace lw::ui
