#pragma once
/// A tick box whose text ends with an ellipsis where there is no room for all of it; the tool tip is the owner's.

#include <QCheckBox>

namespace lw::ui {

class ElidedCheck : public QCheckBox {
public:
    explicit ElidedCheck(QWidget* parent = nullptr);
    /// What is seen of the text.
    [[nodiscard]] QString shownText() const;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace lw::ui
