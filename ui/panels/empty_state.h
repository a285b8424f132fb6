#pragma once
/// What stands where something will be: one sentence and the button that brings it there.

#include <QWidget>

#include <functional>

class QLabel;
class QPushButton;

namespace lw::ui {

class EmptyState : public QWidget {
    Q_OBJECT
public:
    explicit EmptyState(QWidget* parent = nullptr);
    /// `button` may be empty: then only the sentences are shown.
    void setContent(const QString& title, const QString& text, const QString& button = {}, std::function<void()> action = {});
    [[nodiscard]] QPushButton* button() const { return m_button; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitText();
    QLabel* m_title;
    QLabel* m_text;
    QPushButton* m_button;
    std::function<void()> m_action;
};

}  // namespace lw::ui
