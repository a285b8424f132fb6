/// See tile_memory.h.
#include "ui/tile_memory.h"

#include <QCoreApplication>
#include <QLocale>
#include <QMenu>
#include <QSettings>

#include <array>

namespace lw::ui {

namespace {
constexpr std::int64_t kMegabyte = 1024 * 1024;
constexpr std::array<int, 4> kChoices{64, 256, 1024, 4096};  // MB

QString key() { return QStringLiteral("maps/tileMegabytes"); }
QString text(const char* words) { return QCoreApplication::translate("TileMemory", words); }
QString megabytes(std::int64_t bytes) { return QLocale().toString(static_cast<double>(bytes) / static_cast<double>(kMegabyte), 'f', 0); }
}  // namespace

std::int64_t tileBytes(QSettings& settings) {
    const int kept = settings.value(key(), -1).toInt();
    return kept < 0 ? -1 : kept * kMegabyte;
}

void fillTileMemoryMenu(QMenu* menu, QSettings& settings, std::function<void(std::int64_t bytes)> apply) {
    const std::int64_t now = tileBytes(settings);
    const auto choice = [&](const QString& name, int value) {
        QAction* action = menu->addAction(name, menu, [&settings, value, apply] {
            settings.setValue(key(), value);
            const std::int64_t bytes = tileBytes(settings);
            apply(bytes < 0 ? lw::default_tile_bytes() : bytes);
        });
        action->setCheckable(true);
        action->setChecked(now == (value < 0 ? -1 : value * kMegabyte));
    };
    choice(text("As this machine's memory suggests (%1 MB)").arg(megabytes(lw::default_tile_bytes())), -1);
    for (const int value : kChoices) choice(text("%1 MB").arg(QLocale().toString(value)), value);
}

QString tileUseText(const lw::TileUse& use) {
    if (use.budget <= 0) return {};
    return text("Finished tiles: %1 of at most %2 MB").arg(megabytes(use.bytes), megabytes(use.budget));
}

}  // namespace lw::ui
