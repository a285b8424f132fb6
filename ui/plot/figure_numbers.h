#pragma once
/// The files of numbers beside a figure, and which of those that are there already may be replaced.

#include "ui/plot/figures.h"

#include <QString>

#include <filesystem>

namespace lw::ui {

/// The program that a figure names as its maker, with or without numbers beside it.
[[nodiscard]] QString creator(const FigureOptions& options);
/// The path of the numbers beside a figure ("csv", "npz").
[[nodiscard]] std::filesystem::path beside(const std::filesystem::path& figure, const char* ending);
/// invalid_argument where `numbers` is there already and is not beside a figure of this name that Lengthwise drew with numbers: only the figure's
/// own name was chosen by somebody, so a table of theirs must not be lost to it.
[[nodiscard]] lw::Status check_replaced(const std::filesystem::path& numbers, const std::filesystem::path& figure);

}  // namespace lw::ui
