#pragma once
/// Spin box for numbers over many magnitudes: shows the digits that matter, steps by factors on a logarithmic scale.

#include "ui/forms/slider_scale.h"

#include <QDoubleSpinBox>

namespace lw::ui {

class NumberSpin : public QDoubleSpinBox {
    Q_OBJECT
public:
    explicit NumberSpin(const SliderScale& scale, QWidget* parent = nullptr);
    [[nodiscard]] QString textFromValue(double value) const override;
    [[nodiscard]] double valueFromText(const QString& text) const override;
    [[nodiscard]] QValidator::State validate(QString& text, int& position) const override;
    void stepBy(int steps) override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void wheelEvent(QWheelEvent* event) override;

private:
    [[nodiscard]] QString stripped(const QString& text) const;
    SliderScale m_scale;
};

}  // namespace lw::ui
