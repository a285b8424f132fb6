#pragma once
/// Spin box for numbers over many magnitudes: shows the digits that matter, steps by factors on a logarithmic scale.

#include "ui/forms/slider_scale.h"

#include <QDoubleSpinBox>
#include <QStringList>

namespace lw::ui {

class NumberSpin : public QDoubleSpinBox {
    Q_OBJECT
public:
    explicit NumberSpin(const SliderScale& scale, QWidget* parent = nullptr);
    [[nodiscard]] QString textFromValue(double value) const override;
    [[nodiscard]] double valueFromText(const QString& text) const override;
    [[nodiscard]] QValidator::State validate(QString& text, int& position) const override;
    void stepBy(int steps) override;
    /// What is out of bounds becomes the bound, which a tool tip says.
    void fixup(QString& text) const override;
    /// "at most 0.1"; empty for a number within the bounds.
    [[nodiscard]] QString boundText(double wanted) const;
    /// What stands for the smallest value, the longest text first: the first that fits is shown. Empty = the number itself.
    void setSpecialTexts(const QStringList& texts);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void wheelEvent(QWheelEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QString stripped(const QString& text) const;
    void fitSpecialText();
    SliderScale m_scale;
    QStringList m_special;
};

}  // namespace lw::ui
