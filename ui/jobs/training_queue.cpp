/// Recipes that wait are written down, so that closing the program does not lose them.
#include "ui/jobs/training.h"

namespace lw::ui {

namespace {
const QString kQueue = QStringLiteral("queue");
}

void Training::forget(const ItemPointer& item) {
    if (m_session->closing()) return;  // cancelled because the window closes: wanted again at the next start
    if (std::erase(m_waiting, item) > 0) saveQueue();
}

void Training::saveQueue() {
    QSettings& settings = m_session->settings();
    settings.remove(kQueue);
    settings.beginWriteArray(kQueue);
    int index = 0;
    const auto write = [&](const Item& item) {
        settings.setArrayIndex(index++);
        settings.setValue(QStringLiteral("recipe"), QString::fromStdString(item.recipe));
        settings.setValue(QStringLiteral("evaluate"), item.evaluateAfter);
    };
    for (const Item& item : m_leftOver) write(item);
    for (const ItemPointer& item : m_waiting) write(*item);
    settings.endArray();
    settings.sync();
}

void Training::readLeftOver() {
    QSettings& settings = m_session->settings();
    const int count = settings.beginReadArray(kQueue);
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        Item item;
        item.recipe = settings.value(QStringLiteral("recipe")).toString().toStdString();
        item.evaluateAfter = settings.value(QStringLiteral("evaluate")).toBool();
        if (lw::parse_recipe(item.recipe).ok()) m_leftOver.push_back(std::move(item));
    }
    settings.endArray();
}

void Training::startLeftOver() {
    const std::vector<Item> items = std::exchange(m_leftOver, {});
    for (const Item& item : items)
        if (const auto recipe = lw::parse_recipe(item.recipe); recipe.ok()) start(recipe.value(), item.evaluateAfter);
}

void Training::forgetLeftOver() {
    m_leftOver.clear();
    saveQueue();
}

}  // namespace lw::ui
