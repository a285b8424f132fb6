#pragma once
/// A combo box that ends a text it has no room for with an ellipsis, and keeps the whole of it in a tooltip.

#include <QComboBox>

namespace lw::ui {

class ElidedCombo : public QComboBox {
public:
    explicit ElidedCombo(QWidget* parent = nullptr);
    /// What is seen of the current text.
    [[nodiscard]] QString shownText() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
};

}  // namespace lw::ui
