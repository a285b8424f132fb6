#pragma once
/// A few choices of which one is always taken, joined in one control. Arrow keys move within it.

#include <QAbstractButton>

class QButtonGroup;
class QHBoxLayout;

namespace lw::ui {

class SegmentButton : public QAbstractButton {
    Q_OBJECT
public:
    explicit SegmentButton(const QString& text, QWidget* parent);
    void setEnds(bool first, bool last);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    bool m_first = true, m_last = true;
};

class Segmented : public QWidget {
    Q_OBJECT
public:
    explicit Segmented(QWidget* parent = nullptr);
    SegmentButton* add(int id, const QString& text, const QString& help = {});
    void setCurrent(int id);
    [[nodiscard]] int current() const;
    [[nodiscard]] QAbstractButton* button(int id) const;
    void setSegmentVisible(int id, bool visible);

Q_SIGNALS:
    void chosen(int id);  ///< by a person, not by setCurrent

private:
    void updateEnds();

    QButtonGroup* m_group;
    QHBoxLayout* m_layout;
};

}  // namespace lw::ui
