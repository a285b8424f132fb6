#pragma once
/// What the Encodings page says of a method and asks about the model.

#include "core/api/scheme.h"

#include <QPalette>
#include <QString>

#include <vector>

namespace lw::ui {

/// Name, formula, paper, claims and outlook of one method, as rich text.
[[nodiscard]] QString aboutMethod(const lw::MethodInfo& info, const QPalette& palette);
/// Length, training length, heads and head width.
[[nodiscard]] std::vector<lw::ParamSpec> shapeSpecs();

}  // namespace lw::ui
