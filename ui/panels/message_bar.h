#pragma once
/// One message above the pages: what happened and what to try. Stays until it is closed; details can be copied.

#include <QWidget>

class QLabel;
class QToolButton;

namespace lw::ui {

class MessageBar : public QWidget {
    Q_OBJECT
public:
    enum class Kind { error, notice };
    explicit MessageBar(QWidget* parent = nullptr);
    void showMessage(Kind kind, const QString& heading, const QString& text);
    [[nodiscard]] QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Kind m_kind = Kind::notice;
    QString m_heading;
    QLabel* m_text;
    QToolButton* m_copy;
    QToolButton* m_close;
};

}  // namespace lw::ui
