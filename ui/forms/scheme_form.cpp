/// See scheme_form.h. It loops over slots and methods: a new method appears without a change here.
#include "ui/forms/scheme_form.h"

#include "ui/forms/param_form.h"
#include "ui/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>

#include <algorithm>

namespace lw::ui {

namespace {

/// Index of the preset with the same slots, methods and parameters once everything is filled in; -1 = none.
int presetOf(const lw::SchemeSpec& scheme) {
    const auto same = [](const auto& x, const auto& y) {
        return x.first == y.first && x.second.id == y.second.id && x.second.params == y.second.params;
    };
    const auto mine = lw::check_scheme(scheme);
    if (!mine.ok()) return -1;
    const auto& a = mine.value().slots;
    const auto& presets = lw::scheme_presets();
    for (std::size_t p = 0; p < presets.size(); ++p) {
        const auto other = lw::check_scheme(presets[p].scheme);
        if (!other.ok()) continue;
        const auto& b = other.value().slots;
        if (std::equal(a.begin(), a.end(), b.begin(), b.end(), same)) return static_cast<int>(p);
    }
    return -1;
}

QString valueText(const lw::ParamValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return QString::fromStdString(*text);
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? SchemeForm::tr("on") : SchemeForm::tr("off");
    return QLocale::c().toString(paramNumber(value), 'g', 6);
}

}  // namespace

SchemeForm::SchemeForm(QWidget* parent) : QWidget(parent), m_preset(new QComboBox(this)), m_message(new QLabel(this)) {
    m_preset->setObjectName(QStringLiteral("presetCombo"));
    m_preset->setAccessibleName(tr("Scheme"));
    m_preset->setMaxVisibleItems(24);
    m_preset->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_preset->setMinimumContentsLength(12);
    for (const lw::SchemePreset& preset : lw::scheme_presets()) {
        m_preset->addItem(QString::fromStdString(preset.scheme.name), QString::fromStdString(preset.id));
        m_preset->setItemData(m_preset->count() - 1, QString::fromStdString(preset.summary), Qt::ToolTipRole);
    }
    m_preset->addItem(tr("Own combination"), QString());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGrid);
    auto* line = new QHBoxLayout;
    auto* label = new QLabel(tr("Scheme"), this);
    label->setFixedWidth(theme::kLabelWidth);
    line->addWidget(label);
    line->addWidget(m_preset, 1);
    line->addSpacing(theme::kResetWidth);
    layout->addLayout(line);
    for (const lw::SlotInfo& info : lw::slots()) addSlot(info, layout);
    m_message->setObjectName(QStringLiteral("schemeMessage"));
    m_message->setWordWrap(true);
    m_message->setFont(theme::caption());
    layout->addWidget(m_message);
    connect(m_preset, &QComboBox::activated, this, [this](int index) { choosePreset(index); });
    if (!lw::scheme_presets().empty()) setScheme(lw::scheme_presets().front().scheme);
}

/// Slots that no method fills yet are left out.
void SchemeForm::addSlot(const lw::SlotInfo& info, QVBoxLayout* layout) {
    Slot slot;
    slot.info = info;
    slot.method = new QComboBox(this);
    slot.method->setObjectName(QStringLiteral("slot-") + QString::fromStdString(info.id));
    slot.method->setAccessibleName(QString::fromStdString(info.title));
    slot.method->setMaxVisibleItems(24);
    slot.method->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    slot.method->setMinimumContentsLength(12);
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
    line->addWidget(label);
    line->addWidget(slot.method, 1);
    line->addSpacing(theme::kResetWidth);
    slot.params = new ParamForm(this);
    slot.params->setObjectName(QStringLiteral("params-") + QString::fromStdString(info.id));
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
    for (const lw::SchemePreset& preset : lw::scheme_presets())
        if (QString::fromStdString(preset.id) == id) setScheme(preset.scheme);
    Q_EMIT edited();
}

void SchemeForm::setScheme(const lw::SchemeSpec& scheme) {
    for (Slot& slot : m_slots) {
        const auto found = scheme.slots.find(slot.info.id);
        const QString id = found == scheme.slots.end() ? QString() : QString::fromStdString(found->second.id);
        slot.method->setCurrentIndex(qMax(0, slot.method->findData(id)));
        showMethod(slot, found == scheme.slots.end() ? lw::Params{} : found->second.params);
    }
    check();
}

lw::SchemeSpec SchemeForm::scheme() const {
    lw::SchemeSpec scheme;
    for (const Slot& slot : m_slots) {
        const std::string id = slot.method->currentData().toString().toStdString();
        if (!id.empty()) scheme.slots[slot.info.id] = {id, slot.params->values()};
    }
    const int preset = presetOf(scheme);
    scheme.name = preset >= 0 ? lw::scheme_presets()[static_cast<std::size_t>(preset)].scheme.name : ownName();
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
    const int preset = presetOf(now);
    m_preset->setCurrentIndex(preset >= 0 ? preset : m_preset->count() - 1);
    const auto checked = lw::check_scheme(now);
    m_error = checked.ok() ? QString() : QString::fromStdString(checked.error().message);
    m_message->setText(m_error);
    m_message->setVisible(!m_error.isEmpty());
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, theme::error(colours));
    m_message->setPalette(colours);
}

}  // namespace lw::ui
