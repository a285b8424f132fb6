/// See param_form.h. One widget builder for every method, task and recipe field.
#include "ui/forms/param_form.h"

#include "ui/forms/elided_combo.h"
#include "ui/forms/number_spin.h"
#include "ui/theme.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace lw::ui {

namespace {

QString objectNameOf(const lw::ParamSpec& spec) { return QStringLiteral("param-") + QString::fromStdString(spec.id); }

SliderScale scaleOf(const lw::ParamSpec& spec) {
    return {spec.min, spec.max, spec.step, spec.logarithmic, spec.type == lw::ParamType::integer};
}

/// Values read from files may be integers where reals are meant, and the other way round.
lw::ParamValue asType(const lw::ParamSpec& spec, const lw::ParamValue& value) {
    if (spec.type == lw::ParamType::real) return paramNumber(value);
    if (spec.type == lw::ParamType::integer) return static_cast<std::int64_t>(std::llround(paramNumber(value)));
    return value;
}

/// Choices are ids; where a method gives no words for them, the id reads as some.
QString choiceText(const std::string& id) { return QString::fromStdString(id).replace(QLatin1Char('_'), QLatin1Char(' ')); }

QString helpOf(const lw::ParamSpec& spec) {
    QString help = QString::fromStdString(spec.help);
    if (spec.type == lw::ParamType::integer || spec.type == lw::ParamType::real)
        help += ParamForm::tr("\nFrom %1 to %2.").arg(QLocale().toString(spec.min, 'g', 6), QLocale().toString(spec.max, 'g', 6));
    return help;
}

}  // namespace

double paramNumber(const lw::ParamValue& value) {
    if (const auto* real = std::get_if<double>(&value)) return *real;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
    return 0;
}

std::int64_t paramInteger(const lw::Params& values, const std::string& id, std::int64_t fallback) {
    const auto found = values.find(id);
    return found == values.end() ? fallback : static_cast<std::int64_t>(std::llround(paramNumber(found->second)));
}

double paramReal(const lw::Params& values, const std::string& id, double fallback) {
    const auto found = values.find(id);
    return found == values.end() ? fallback : paramNumber(found->second);
}

std::string paramText(const lw::Params& values, const std::string& id, const std::string& fallback) {
    const auto found = values.find(id);
    if (found == values.end()) return fallback;
    const auto* text = std::get_if<std::string>(&found->second);
    return text != nullptr ? *text : fallback;
}

ParamForm::ParamForm(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this)) {
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(theme::kGrid);
    m_grid->setVerticalSpacing(6);
    m_grid->setColumnStretch(1, 1);
}

void ParamForm::setSpecs(const std::vector<lw::ParamSpec>& specs, const lw::Params& values) {
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->setParent(nullptr);
            widget->deleteLater();
        }
        delete item;
    }
    m_rows.clear();
    m_values.clear();
    m_baseline.clear();
    for (const lw::ParamSpec& spec : specs) {
        const auto given = values.find(spec.id);
        m_values[spec.id] = asType(spec, given != values.end() ? given->second : spec.default_value);
    }
    m_rows.reserve(specs.size());
    for (const lw::ParamSpec& spec : specs) addRow(spec);
    setAutomatic(m_automatic);
}

void ParamForm::addRow(const lw::ParamSpec& spec) {
    Row row;
    row.spec = spec;
    QWidget* input = makeInput(row);
    const int line = static_cast<int>(m_rows.size());
    QString text = QString::fromStdString(spec.label);
    if (!spec.unit.empty()) text = tr("%1 (%2)").arg(text, QString::fromStdString(spec.unit));
    auto* label = new QLabel(text, this);
    label->setWordWrap(true);
    label->setFixedWidth(theme::kLabelWidth);  // a long word must not move the inputs of this form alone
    label->setToolTip(helpOf(spec));
    input->setToolTip(helpOf(spec));
    row.reset = new QToolButton(this);
    row.reset->setObjectName(QStringLiteral("reset-") + QString::fromStdString(spec.id));
    row.reset->setText(QStringLiteral("↺"));
    row.reset->setAutoRaise(true);
    row.reset->setAccessibleName(tr("Reset %1").arg(text));
    row.reset->setProperty("compact", true);
    row.reset->setFixedWidth(theme::kResetWidth - theme::kGrid);
    QSizePolicy policy = row.reset->sizePolicy();
    policy.setRetainSizeWhenHidden(true);  // nothing moves when it appears
    row.reset->setSizePolicy(policy);
    connect(row.reset, &QToolButton::clicked, this, [this, spec] {
        setValue(spec.id, usual(spec));
        Q_EMIT edited();
    });
    m_grid->addWidget(label, line, 0);
    m_grid->addWidget(input, line, 1);
    m_grid->addWidget(row.reset, line, 2);
    m_rows.push_back(row);
    refresh(m_rows.back());
}

QWidget* ParamForm::makeNumber(Row& row) {
    const SliderScale scale = scaleOf(row.spec);
    auto* box = new QWidget(this);
    auto* layout = new QHBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGrid);
    auto* slider = new QSlider(Qt::Horizontal, box);
    slider->setRange(0, SliderScale::kSteps);
    slider->setMinimumWidth(40);
    slider->setAccessibleName(QString::fromStdString(row.spec.label));
    slider->setObjectName(QStringLiteral("slider-") + QString::fromStdString(row.spec.id));
    auto* spin = new NumberSpin(scale, box);
    spin->setObjectName(objectNameOf(row.spec));
    spin->setAccessibleName(QString::fromStdString(row.spec.label));
    layout->addWidget(slider, 1);
    layout->addWidget(spin);
    row.spin = spin;
    const std::string id = row.spec.id;
    const auto store = [this, id, scale](double value) {
        change(id, scale.integer ? lw::ParamValue(static_cast<std::int64_t>(std::llround(value))) : lw::ParamValue(value));
    };
    connect(slider, &QSlider::valueChanged, spin, [spin, scale](int position) { spin->setValue(scale.value(position)); });
    connect(spin, &QDoubleSpinBox::valueChanged, slider, [slider, scale, store](double value) {
        const QSignalBlocker quiet(slider);
        slider->setValue(scale.position(value));
        store(value);
    });
    row.show = [spin, slider, scale](const lw::ParamValue& value) {
        const QSignalBlocker quiet(slider);
        // A recipe from a file may lie outside the usual bounds: what is shown must be what is trained.
        const double number = paramNumber(value);
        spin->setRange(std::min(scale.min, number), std::max(scale.max, number));
        spin->setValue(number);
        slider->setValue(scale.position(paramNumber(value)));
    };
    return box;
}

QWidget* ParamForm::makeChoice(Row& row) {
    auto* combo = new ElidedCombo(this);
    combo->setObjectName(objectNameOf(row.spec));
    combo->setAccessibleName(QString::fromStdString(row.spec.label));
    for (const std::string& choice : row.spec.choices) combo->addItem(choiceText(choice), QString::fromStdString(choice));
    const std::string id = row.spec.id;
    connect(combo, &QComboBox::currentIndexChanged, this, [this, id, combo] { change(id, combo->currentData().toString().toStdString()); });
    row.show = [combo](const lw::ParamValue& value) {
        if (const auto* text = std::get_if<std::string>(&value)) combo->setCurrentIndex(combo->findData(QString::fromStdString(*text)));
    };
    return combo;
}

QWidget* ParamForm::makeCheck(Row& row) {
    auto* check = new QCheckBox(this);
    check->setObjectName(objectNameOf(row.spec));
    check->setAccessibleName(QString::fromStdString(row.spec.label));
    const std::string id = row.spec.id;
    connect(check, &QCheckBox::toggled, this, [this, id](bool on) { change(id, on); });
    row.show = [check](const lw::ParamValue& value) { check->setChecked(paramNumber(value) != 0); };
    return check;
}

/// Numbers in a line of text; they count once the line is left, so that half a list is never taken.
QWidget* ParamForm::makeList(Row& row) {
    auto* line = new QLineEdit(this);
    line->setObjectName(objectNameOf(row.spec));
    line->setPlaceholderText(tr("Numbers, separated by commas"));
    line->setAccessibleName(QString::fromStdString(row.spec.label));
    const std::string id = row.spec.id;
    connect(line, &QLineEdit::editingFinished, this, [this, id, line] {
        if (paramText(m_values, id) != line->text().toStdString()) change(id, line->text().toStdString());
    });
    row.show = [line](const lw::ParamValue& value) {
        if (const auto* text = std::get_if<std::string>(&value)) line->setText(QString::fromStdString(*text));
    };
    return line;
}

QWidget* ParamForm::makeInput(Row& row) {
    switch (row.spec.type) {
        case lw::ParamType::boolean: return makeCheck(row);
        case lw::ParamType::choice: return makeChoice(row);
        case lw::ParamType::list: return makeList(row);
        default: return makeNumber(row);
    }
}

/// Widgets tell of every change; only a person's is passed on.
void ParamForm::change(const std::string& id, const lw::ParamValue& value) {
    if (m_showing) return;
    m_values[id] = value;
    for (const Row& row : m_rows)
        if (row.spec.id == id && row.reset != nullptr) showReset(row);
    Q_EMIT edited();
}

void ParamForm::refresh(const Row& row) {
    m_showing = true;
    const lw::ParamValue& value = m_values.at(row.spec.id);
    row.show(value);
    showReset(row);
    m_showing = false;
}

lw::ParamValue ParamForm::usual(const lw::ParamSpec& spec) const {
    const auto given = m_baseline.find(spec.id);
    return asType(spec, given != m_baseline.end() ? given->second : spec.default_value);
}

void ParamForm::showReset(const Row& row) {
    const lw::ParamValue target = usual(row.spec);
    row.reset->setVisible(m_values.at(row.spec.id) != target);
    row.reset->setToolTip(target == asType(row.spec, row.spec.default_value) ? tr("Back to the default") : tr("Back to the preset's value"));
}

void ParamForm::setBaseline(const lw::Params& values) {
    m_baseline = values;
    for (const Row& row : m_rows) showReset(row);
}

void ParamForm::setAutomatic(const std::function<QStringList(const lw::ParamSpec&)>& texts) {
    m_automatic = texts;
    for (const Row& row : m_rows) {
        if (row.spin == nullptr || !m_automatic) continue;
        const QStringList special = m_automatic(row.spec);
        // The field can only show words at its lower end: where that is no 0, the tooltip alone says what 0 is.
        row.spin->setSpecialTexts(row.spec.min == 0 ? special : QStringList());
        row.spin->setToolTip(special.isEmpty() ? helpOf(row.spec) : tr("%1\n0: %2").arg(helpOf(row.spec), special.front()));
    }
}

lw::Params ParamForm::changedValues() const {
    lw::Params changed;
    for (const Row& row : m_rows)
        if (m_values.at(row.spec.id) != asType(row.spec, row.spec.default_value)) changed[row.spec.id] = m_values.at(row.spec.id);
    return changed;
}

void ParamForm::setValues(const lw::Params& values) {
    for (const auto& [id, value] : values) setValue(id, value);
}

void ParamForm::setValue(const std::string& id, const lw::ParamValue& value) {
    for (const Row& row : m_rows) {
        if (row.spec.id != id) continue;
        m_values[id] = asType(row.spec, value);
        refresh(row);
    }
}

}  // namespace lw::ui
