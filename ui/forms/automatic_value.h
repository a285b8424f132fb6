#pragma once
/// Parameters whose 0 is worked out: ParamSpec::zero says from what.

#include "core/api/scheme.h"

#include <QStringList>

namespace lw::ui {

/// What a field shows at 0, the longest text first: "auto (= 64 at T = 8,192)", "auto = 64", "auto". Lengths of 0 in the shape are not
/// known. Empty where 0 is a number like others.
[[nodiscard]] QStringList automaticTexts(const lw::ParamSpec& spec, const lw::ModelShape& shape);

}  // namespace lw::ui
