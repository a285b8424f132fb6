/// See number_spin.h.
#include "ui/forms/number_spin.h"

#include "ui/theme.h"

#include <QLineEdit>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace lw::ui {

namespace {

constexpr int kArrows = 42;     // pixels of the arrows and the padding
constexpr int kSaidFor = 3000;  // ms

}  // namespace

NumberSpin::NumberSpin(const SliderScale& scale, QWidget* parent) : QDoubleSpinBox(parent), m_scale(scale) {
    setDecimals(scale.integer ? 0 : 12);
    setRange(scale.min, scale.max);
    setSingleStep(scale.step > 0 ? scale.step : (scale.max - scale.min) / 100);
    setGroupSeparatorShown(true);
    setKeyboardTracking(false);
    setAlignment(Qt::AlignRight);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QString NumberSpin::textFromValue(double value) const {
    if (m_scale.integer) return locale().toString(static_cast<qlonglong>(std::llround(value)));
    const double size = std::abs(value);
    if (size != 0 && (size < 1e-3 || size >= 1e9)) return locale().toString(value, 'g', 4);
    // Up to six significant digits, without the zeros at the end.
    const int decimals = size == 0 ? 0 : std::clamp(5 - static_cast<int>(std::floor(std::log10(size))), 0, 9);
    QString text = locale().toString(value, 'f', decimals);
    const QChar point = locale().decimalPoint().at(0);
    if (!text.contains(point)) return text;
    while (text.endsWith(QLatin1Char('0'))) text.chop(1);
    if (text.endsWith(point)) text.chop(1);
    return text;
}

QString NumberSpin::stripped(const QString& text) const {
    QString number = text;
    if (!prefix().isEmpty() && number.startsWith(prefix())) number.remove(0, prefix().size());
    if (!suffix().isEmpty() && number.endsWith(suffix())) number.chop(suffix().size());
    return number.remove(locale().groupSeparator()).trimmed();
}

double NumberSpin::valueFromText(const QString& text) const {
    if (!specialValueText().isEmpty() && text == specialValueText()) return minimum();
    bool good = false;
    const double value = locale().toDouble(stripped(text), &good);
    return good ? value : this->value();
}

QValidator::State NumberSpin::validate(QString& text, int&) const {
    if (!specialValueText().isEmpty() && text == specialValueText()) return QValidator::Acceptable;
    bool good = false;
    const double value = locale().toDouble(stripped(text), &good);
    if (!good) return QValidator::Intermediate;
    return value < minimum() || value > maximum() ? QValidator::Intermediate : QValidator::Acceptable;
}

void NumberSpin::fixup(QString& text) const {
    bool good = false;
    const double wanted = locale().toDouble(stripped(text), &good);
    const QString said = good ? boundText(wanted) : QString();
    if (said.isEmpty()) return;
    text = prefix() + textFromValue(std::clamp(wanted, minimum(), maximum())) + suffix();
    if (isVisible()) QToolTip::showText(mapToGlobal(QPoint(0, height() - 12)), said, const_cast<NumberSpin*>(this), {}, kSaidFor);
}

QString NumberSpin::boundText(double wanted) const {
    if (wanted > maximum()) return tr("at most %1").arg(textFromValue(maximum()));
    return wanted < minimum() ? tr("at least %1").arg(textFromValue(minimum())) : QString();
}

void NumberSpin::setSpecialTexts(const QStringList& texts) {
    m_special = texts;
    fitSpecialText();
}

void NumberSpin::fitSpecialText() {
    const QString text = m_special.isEmpty() ? QString() : theme::fittingText(m_special, fontMetrics(), width() - kArrows);
    if (text != specialValueText()) setSpecialValueText(text);
}

void NumberSpin::resizeEvent(QResizeEvent* event) {
    QDoubleSpinBox::resizeEvent(event);
    fitSpecialText();
}

void NumberSpin::stepBy(int steps) {
    if (!m_scale.logarithmic || value() <= 0) return QDoubleSpinBox::stepBy(steps);
    const double factor = std::pow(2.0, std::abs(steps) >= 10 ? steps / 10.0 : steps / 4.0);
    double next = m_scale.snap(value() * factor);
    if (m_scale.integer && next == value()) next += steps > 0 ? 1 : -1;
    setValue(next);
    lineEdit()->selectAll();
}

QSize NumberSpin::sizeHint() const {
    QSize size = QDoubleSpinBox::sizeHint();
    size.setWidth(fontMetrics().horizontalAdvance(QStringLiteral("auto = 64")) + kArrows);
    return size;
}

/// A wheel turned to scroll the form must not change numbers on its way.
void NumberSpin::wheelEvent(QWheelEvent* event) {
    if (hasFocus()) return QDoubleSpinBox::wheelEvent(event);
    event->ignore();
}

}  // namespace lw::ui
