#pragma once
/// Three groups of controls in a line; where it is too narrow for them, the middle one takes a line of its own.

#include <QWidget>

namespace lw::ui {

class EncodingsBar : public QWidget {
    Q_OBJECT
public:
    EncodingsBar(QWidget* left, QWidget* middle, QWidget* right, QWidget* parent);
    [[nodiscard]] bool wrapped() const { return m_wrapped; }
    [[nodiscard]] QSize sizeHint() const override { return minimumSizeHint(); }
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();
    void place(QWidget* group, int x, int line);
    [[nodiscard]] int lineHeight() const;

    QWidget* m_left;
    QWidget* m_middle;
    QWidget* m_right;
    bool m_wrapped = false;
};

}  // namespace lw::ui
