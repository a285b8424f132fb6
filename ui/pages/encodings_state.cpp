/// What the Encodings page remembers: the scheme in the form, the model's shape, the view, and the pinned schemes.
#include "ui/forms/param_form.h"
#include "ui/forms/scheme_form.h"
#include "ui/pages/encodings_page.h"
#include "ui/plot/segmented.h"
#include "ui/session.h"

#include "core/api/recipe.h"

#include <QCheckBox>

namespace lw::ui {

namespace {

QString setting(const char* name) { return QStringLiteral("encodings/") + QLatin1String(name); }

}  // namespace

QString EncodingsPage::schemeJson(const lw::SchemeSpec& scheme) {
    lw::Recipe recipe;
    recipe.scheme = scheme;
    return QString::fromStdString(lw::recipe_json(recipe));
}

void EncodingsPage::saveState() {
    QSettings& settings = session()->settings();
    settings.setValue(setting("scheme"), schemeJson(m_scheme->scheme()));
    settings.setValue(setting("logDistance"), m_logDistance->isChecked());
    settings.setValue(setting("view"), view() == kMaps ? QStringLiteral("maps") : QStringLiteral("curves"));
    settings.setValue(setting("besideMaps"), m_beside->current() == static_cast<int>(MapBeside::change) ? QStringLiteral("change") : QStringLiteral("plain"));
    for (const auto& [id, value] : m_shape->values()) settings.setValue(setting("shape/") + QString::fromStdString(id), static_cast<qint64>(paramNumber(value)));
    settings.remove(setting("pins"));
    settings.beginWriteArray(setting("pins"));
    for (std::size_t p = 0; p < m_pinned.size(); ++p) {
        settings.setArrayIndex(static_cast<int>(p));
        settings.setValue(QStringLiteral("scheme"), schemeJson(m_pinned[p].scheme));
        settings.setValue(QStringLiteral("style"), m_pinned[p].style);
    }
    settings.endArray();
}

void EncodingsPage::restoreState() {
    QSettings& settings = session()->settings();
    const auto read = [](const QVariant& json) { return lw::parse_recipe(json.toString().toStdString()); };
    const QVariant saved = settings.value(setting("scheme"));
    const auto recipe = read(saved);
    if (saved.isValid() && recipe.ok()) m_scheme->setScheme(recipe.value().scheme);
    else if (const auto scheme = lw::find_scheme("kerple"); scheme.ok()) m_scheme->setScheme(scheme.value());
    m_logDistance->setChecked(settings.value(setting("logDistance"), true).toBool());
    setView(settings.value(setting("view")).toString() == QStringLiteral("maps") ? kMaps : kCurves);
    m_beside->setCurrent(static_cast<int>(settings.value(setting("besideMaps")).toString() == QStringLiteral("change") ? MapBeside::change : MapBeside::plain));
    for (const auto& [id, usual] : lw::Params(m_shape->values()))
        if (const QVariant value = settings.value(setting("shape/") + QString::fromStdString(id)); value.isValid()) m_shape->setValue(id, static_cast<std::int64_t>(value.toLongLong()));
    const int count = settings.beginReadArray(setting("pins"));
    for (int p = 0; p < count; ++p) {
        settings.setArrayIndex(p);
        const auto pinned = read(settings.value(QStringLiteral("scheme")));
        if (!pinned.ok()) continue;
        const lw::SchemeSpec& scheme = pinned.value().scheme;
        m_pinned.push_back({QString::fromStdString(scheme.name), std::max(1, settings.value(QStringLiteral("style")).toInt()), {}, scheme});
        m_pinned.back().pinned = true;
    }
    settings.endArray();
    showPins();
}

/// Pins of last time come without their numbers: they are computed when the page is first seen.
void EncodingsPage::drawPinned() {
    for (std::size_t p = 0; p < m_pinned.size(); ++p) {
        if (!m_pinned[p].preview.distance.empty()) continue;
        lw::PreviewRequest request = previewRequest();
        request.scheme = m_pinned[p].scheme;
        session()->compute().run<SchemePreviews>(
            QStringLiteral("preview pin %1").arg(p), [request](const lw::RunContext&) { return previewWithPlain(request); }, this,
            [this, style = m_pinned[p].style](lw::Result<SchemePreviews> previews) {
                for (ShownScheme& pinned : m_pinned) {
                    if (!previews.ok() || pinned.style != style) continue;
                    pinned.preview = previews.value().own;
                    pinned.plain = previews.value().plain;
                    pinned.without = previews.value().without;
                }
                draw();
            });
    }
}

}  // namespace lw::ui
