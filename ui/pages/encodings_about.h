#pragma once
/// What the Encodings page says of a scheme's methods and asks about the model.

#include "core/api/scheme.h"

#include <QPalette>
#include <QString>

#include <vector>

namespace lw::ui {

/// Every filled slot: name, formula with its current numbers, cost, claims, outlook and paper, as rich text.
[[nodiscard]] QString aboutScheme(const lw::SchemeSpec& scheme, const lw::ModelShape& shape, const QPalette& palette);
/// One of them. `numbers` may be empty, as for a scheme that cannot run.
[[nodiscard]] QString aboutMethod(const lw::MethodInfo& info, const lw::MethodNumbers& numbers, const QPalette& palette);
/// Length, training length, heads and head width.
[[nodiscard]] std::vector<lw::ParamSpec> shapeSpecs();
/// What a person chose of them.
[[nodiscard]] lw::ModelShape modelShape(const lw::Params& values);

}  // namespace lw::ui
