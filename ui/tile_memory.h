#pragma once
/// How much memory finished map tiles may take: a setting of the person, and its menu.

#include "core/api/maps.h"

#include <QString>

#include <functional>

class QMenu;
class QSettings;

namespace lw::ui {

/// Bytes for each opened text; -1 = as the machine's memory suggests.
[[nodiscard]] std::int64_t tileBytes(QSettings& settings);
/// Adds a choice of sizes; `apply` is told the bytes (resolved) after a new one was stored.
void fillTileMemoryMenu(QMenu* menu, QSettings& settings, std::function<void(std::int64_t bytes)> apply);
/// "Finished tiles: 12 of at most 1,024 MB".
[[nodiscard]] QString tileUseText(const lw::TileUse& use);

}  // namespace lw::ui
