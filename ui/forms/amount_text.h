#pragma once
/// Times and sizes that are estimates: no more digits than are meant.

#include <QString>

#include <cstdint>

namespace lw::ui {

[[nodiscard]] QString roughTime(double seconds);      ///< "40 s", "14 min", "3 h 20 min", "2.5 days"
[[nodiscard]] QString bytesText(std::int64_t bytes);  ///< "310 MB", "1.2 GB", "18 GB"

}  // namespace lw::ui
