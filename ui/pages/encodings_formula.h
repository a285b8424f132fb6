#pragma once
/// A method's formula, written in Unicode, as rich text.

#include <QString>

namespace lw::ui {

/// Letters that stand for numbers in italics, names of functions upright, indices and exponents lowered and raised: the subscripts and
/// superscripts of Unicode as well as "x_j", "r_min", "Σ_{…}", "b^(…)" and "x^2". Everything else is kept and escaped.
[[nodiscard]] QString formulaHtml(const QString& formula);

}  // namespace lw::ui
