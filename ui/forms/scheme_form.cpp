/// See scheme_form.h. It loops over slots and methods: a new method appears without a change here.
#include "ui/forms/scheme_form.h"

#include "ui/forms/param_form.h"
#include "ui/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace lw::ui {

namespace {

constexpr int kLabelWidth = 120;

/// Same slots, methods and parameters once everything is filled in; the name does not matter.
bool sameScheme(const lw::SchemeSpec& a, const lw::SchemeSpec& b) {
    const auto left = lw::check_scheme(a), right = lw::check_scheme(b);
    if (!left.ok() || !right.ok()) return false;
    const auto& p = left.value().slots;
    const auto& q = right.value().slots;
    return p.size() == q.size() && std::equal(p.begin(), p.end(), q.begin(), [](const auto& x, const auto& y) {
        return x.first == y.first && x.second.id == y.second.id && x.second.params == y.second.params;
    });
}

}  // namespace

SchemeForm::SchemeForm(QWidget* parent) : QWidget(parent), m_preset(new QComboBox(this)), m_message(new QLabel(this)) {
    m_preset->setObjectName(QStringLiteral("presetCombo"));
    m_preset->setAccessibleName(tr("Scheme"));
    m_preset->setMaxVisibleItems(24);
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
    label->setFixedWidth(kLabelWidth);
    line->addWidget(label);
    line->addWidget(m_preset, 1);
    line->addSpacing(30);
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
    label->setFixedWidth(kLabelWidth);
    label->setToolTip(QString::fromStdString(info.summary));
    line->addWidget(label);
    line->addWidget(slot.method, 1);
    line->addSpacing(30);
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
    for (const lw::SchemePreset& preset : lw::scheme_presets())
        if (sameScheme(preset.scheme, scheme)) scheme.name = preset.scheme.name;
    if (!scheme.name.empty()) return scheme;
    QStringList names;  // "RoPE + Kerple" says more than "Own combination"
    for (const Slot& slot : m_slots)
        if (!slot.method->currentData().toString().isEmpty()) names << slot.method->currentText();
    scheme.name = names.join(QStringLiteral(" + ")).toStdString();
    return scheme;
}

void SchemeForm::changed() {
    check();
    Q_EMIT edited();
}

void SchemeForm::check() {
    const lw::SchemeSpec now = scheme();
    int preset = m_preset->count() - 1;
    for (int p = 0; p + 1 < m_preset->count(); ++p)
        if (m_preset->itemText(p).toStdString() == now.name) preset = p;
    m_preset->setCurrentIndex(preset);
    const auto checked = lw::check_scheme(now);
    m_error = checked.ok() ? QString() : QString::fromStdString(checked.error().message);
    m_message->setText(m_error);
    m_message->setVisible(!m_error.isEmpty());
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, theme::error(colours));
    m_message->setPalette(colours);
}

}  // namespace lw::ui
