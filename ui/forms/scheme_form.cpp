/// See scheme_form.h. It loops over slots and methods: a new method appears without a change here.
#include "ui/forms/scheme_form.h"

#include "core/api/encoder.h"
#include "ui/forms/automatic_value.h"
#include "ui/forms/elided_combo.h"
#include "ui/forms/param_form.h"
#include "ui/forms/preset_groups.h"
#include "ui/forms/search_combo.h"
#include "ui/session.h"
#include "ui/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lw::ui {

namespace {

QString valueText(const lw::ParamValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return QString::fromStdString(*text);
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? SchemeForm::tr("on") : SchemeForm::tr("off");
    return QLocale::c().toString(paramNumber(value), 'g', 6);
}

}  // namespace

SchemeForm::SchemeForm(QWidget* parent) : QWidget(parent), m_preset(new SearchCombo(this)), m_delete(new QToolButton(this)), m_message(new QLabel(this)) {
    m_preset->setObjectName(QStringLiteral("presetCombo"));
    m_preset->setAccessibleName(tr("Scheme"));
    m_delete->setObjectName(QStringLiteral("deletePreset"));
    m_delete->setText(QStringLiteral("×"));
    m_delete->setAutoRaise(true);
    m_delete->setProperty("compact", true);
    m_delete->setFixedWidth(theme::kResetWidth);
    m_delete->setToolTip(tr("Delete this preset of your own"));
    m_delete->setAccessibleName(tr("Delete preset"));
    QSizePolicy policy = m_delete->sizePolicy();
    policy.setRetainSizeWhenHidden(true);  // the combo stays as wide as the others
    m_delete->setSizePolicy(policy);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGrid);
    auto* line = new QHBoxLayout;
    line->setSpacing(0);
    auto* label = new QLabel(tr("Scheme"), this);
    label->setFixedWidth(theme::kLabelWidth);
    line->addWidget(label);
    line->addSpacing(layout->spacing());
    line->addWidget(m_preset, 1);
    line->addWidget(m_delete);
    layout->addLayout(line);
    for (const lw::SlotInfo& info : lw::slots()) addSlot(info, layout);
    m_message->setObjectName(QStringLiteral("schemeMessage"));
    m_message->setWordWrap(true);
    m_message->setFont(theme::caption());
    layout->addWidget(m_message);
    connect(m_preset, &QComboBox::activated, this, [this](int index) { choosePreset(index); });
    connect(m_delete, &QToolButton::clicked, this, [this] { Q_EMIT deleteRequested(m_preset->currentData().toString()); });
    setPresets(lw::scheme_presets());
    if (!m_presets.empty()) setScheme(m_presets.front().scheme);
}

void SchemeForm::setPresets(std::vector<lw::SchemePreset> presets) {
    m_presets = std::move(presets);
    m_checked.clear();
    for (const lw::SchemePreset& preset : m_presets) {
        auto checked = lw::check_scheme(preset.scheme);
        m_checked.push_back(checked.ok() ? std::optional(std::move(checked).value()) : std::nullopt);
    }
    {
        const QSignalBlocker quiet(m_preset);
        m_preset->clear();
        addPresets();
    }
    if (!m_slots.empty()) check();
}

void SchemeForm::addPresets() {
    for (const PresetGroup& group : presetGroups(m_presets)) {
        m_preset->addHeading(group.heading);
        for (const lw::SchemePreset& preset : group.presets) m_preset->addEntry(QString::fromStdString(preset.scheme.name), QString::fromStdString(preset.id), QString::fromStdString(preset.summary));
    }
    m_preset->addHeading(tr("Other"));
    m_preset->addEntry(tr("Own combination"), QString(), tr("What is chosen below is none of the presets."));
}

void SchemeForm::setShape(const lw::ModelShape& shape) {
    if (shape.length == m_shape.length && shape.train_length == m_shape.train_length) return;
    m_shape = shape;
    for (const Slot& slot : m_slots) slot.params->setAutomatic([this](const lw::ParamSpec& spec) { return automaticTexts(spec, m_shape); });
}

/// A preset's own values are no change of it.
void SchemeForm::setBaselines() {
    const bool known = presetOf(scheme()) != nullptr;
    for (const Slot& slot : m_slots) slot.params->setBaseline(known ? slot.params->values() : lw::Params{});
}

void SchemeForm::follow(Session* session) {
    setPresets(session->presets());
    connect(session, &Session::presetsChanged, this, [this, session] { setPresets(session->presets()); });
    connect(this, &SchemeForm::deleteRequested, session, &Session::deletePreset);
}

const lw::SchemePreset* SchemeForm::presetOf(const lw::SchemeSpec& scheme) const {
    const auto same = [](const auto& x, const auto& y) { return x.first == y.first && x.second.id == y.second.id && x.second.params == y.second.params; };
    const auto mine = lw::check_scheme(scheme);
    if (!mine.ok()) return nullptr;
    const auto& a = mine.value().slots;
    const auto found = std::find_if(m_checked.begin(), m_checked.end(), [&](const std::optional<lw::SchemeSpec>& other) {
        return other && std::equal(a.begin(), a.end(), other->slots.begin(), other->slots.end(), same);
    });
    return found == m_checked.end() ? nullptr : &m_presets[static_cast<std::size_t>(found - m_checked.begin())];
}

/// Slots that no method fills yet are left out.
void SchemeForm::addSlot(const lw::SlotInfo& info, QVBoxLayout* layout) {
    Slot slot;
    slot.info = info;
    slot.method = new ElidedCombo(this);
    slot.method->setObjectName(QStringLiteral("slot-") + QString::fromStdString(info.id));
    slot.method->setAccessibleName(QString::fromStdString(info.title));
    slot.method->setMaxVisibleItems(24);
    slot.method->addItem(tr("None"), QString());
    for (const lw::MethodInfo& method : lw::methods()) {
        if (method.slot != info.id) continue;
        slot.method->addItem(QString::fromStdString(method.name), QString::fromStdString(method.id));
        slot.method->setItemData(slot.method->count() - 1, QString::fromStdString(method.summary), Qt::ToolTipRole);
    }
    if (slot.method->count() == 1) {
        delete slot.method;
        return;
    }
    auto* line = new QHBoxLayout;
    auto* label = new QLabel(QString::fromStdString(info.title), this);
    label->setFixedWidth(theme::kLabelWidth);
    label->setToolTip(QString::fromStdString(info.summary));
    line->setSpacing(0);
    line->addWidget(label);
    line->addSpacing(theme::kGrid);
    line->addWidget(slot.method, 1);
    line->addSpacing(theme::kResetWidth);
    slot.params = new ParamForm(this);
    slot.params->setObjectName(QStringLiteral("params-") + QString::fromStdString(info.id));
    slot.params->setAutomatic([this](const lw::ParamSpec& spec) { return automaticTexts(spec, m_shape); });
    layout->addLayout(line);
    layout->addWidget(slot.params);
    const std::size_t index = m_slots.size();
    m_slots.push_back(slot);
    connect(slot.method, &QComboBox::activated, this, [this, index] {
        showMethod(m_slots[index], {});
        changed();
    });
    connect(slot.params, &ParamForm::edited, this, [this] { changed(); });
}

void SchemeForm::showMethod(Slot& slot, const lw::Params& values) {
    const std::string id = slot.method->currentData().toString().toStdString();
    std::vector<lw::ParamSpec> specs;
    if (const auto info = lw::describe_method(slot.info.id, id); !id.empty() && info.ok()) specs = info.value().params;
    slot.params->setSpecs(specs, values);
    slot.params->setVisible(!specs.empty());
}

void SchemeForm::choosePreset(int index) {
    const QString id = m_preset->itemData(index).toString();
    if (id.isEmpty()) return check();
    const auto chosen = std::find_if(m_presets.begin(), m_presets.end(), [&](const lw::SchemePreset& preset) { return QString::fromStdString(preset.id) == id; });
    if (chosen != m_presets.end()) setScheme(keptEncoder(chosen->scheme));
    Q_EMIT edited();
}

/// A preset for an encoder where one is being set up: presets say nothing about who reads whom.
lw::SchemeSpec SchemeForm::keptEncoder(const lw::SchemeSpec& preset) const {
    const lw::SchemeSpec now = scheme();
    const auto visibility = now.slots.find("visibility");
    if (visibility == now.slots.end() || visibility->second.id != "full") return preset;
    auto encoder = lw::encoder_scheme(preset);
    return encoder.ok() ? std::move(encoder).value() : preset;
}

void SchemeForm::setScheme(const lw::SchemeSpec& scheme) {
    for (Slot& slot : m_slots) {
        const auto found = scheme.slots.find(slot.info.id);
        const QString id = found == scheme.slots.end() ? QString() : QString::fromStdString(found->second.id);
        slot.method->setCurrentIndex(qMax(0, slot.method->findData(id)));
        showMethod(slot, found == scheme.slots.end() ? lw::Params{} : found->second.params);
    }
    setBaselines();
    check();
}

lw::SchemeSpec SchemeForm::scheme() const {
    lw::SchemeSpec scheme;
    for (const Slot& slot : m_slots) {
        const std::string id = slot.method->currentData().toString().toStdString();
        if (!id.empty()) scheme.slots[slot.info.id] = {id, slot.params->values()};
    }
    const lw::SchemePreset* preset = presetOf(scheme);
    scheme.name = preset != nullptr ? preset->scheme.name : ownName();
    return scheme;
}

/// "RoPE (base 500,000) + Kerple" says more than "Own combination".
std::string SchemeForm::ownName() const {
    QStringList names;
    for (const Slot& slot : m_slots) {
        if (slot.method->currentData().toString().isEmpty()) continue;
        QStringList changes;
        for (const auto& [id, value] : slot.params->changedValues()) changes << tr("%1 %2").arg(QString::fromStdString(id), valueText(value));
        names << (changes.isEmpty() ? slot.method->currentText() : tr("%1 (%2)").arg(slot.method->currentText(), changes.join(QStringLiteral(", "))));
    }
    return names.join(QStringLiteral(" + ")).toStdString();
}

void SchemeForm::changed() {
    check();
    Q_EMIT edited();
}

void SchemeForm::check() {
    const lw::SchemeSpec now = scheme();
    const lw::SchemePreset* preset = presetOf(now);
    m_preset->setCurrentIndex(preset != nullptr ? m_preset->findData(QString::fromStdString(preset->id)) : m_preset->count() - 1);
    m_delete->setVisible(preset != nullptr && preset->own);
    const auto checked = lw::check_scheme(now);
    m_error = checked.ok() ? QString() : QString::fromStdString(checked.error().message);
    m_message->setText(m_error);
    m_message->setVisible(!m_error.isEmpty());
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, theme::error(colours));
    m_message->setPalette(colours);
}

}  // namespace lw::ui
