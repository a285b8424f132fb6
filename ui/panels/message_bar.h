#pragma once
/// One message above the pages: what happened and what to try. Errors and offers stay until they are closed, and only an error takes
/// the place of an error; notices go after a while.

#include <QWidget>

#include <deque>
#include <functional>

class QLabel;
class QPushButton;
class QTimer;
class QToolButton;

namespace lw::ui {

struct Offer;

class MessageBar : public QWidget {
    Q_OBJECT
public:
    enum class Kind { error, notice, offer };
    static constexpr int kNoticeTime = 6000;  ///< ms that a notice stays

    explicit MessageBar(QWidget* parent = nullptr);
    void showMessage(Kind kind, const QString& heading, const QString& text);
    void showOffer(const Offer& offer);
    [[nodiscard]] QString text() const;
    [[nodiscard]] Kind kind() const { return m_shown.kind; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Message {
        Kind kind = Kind::notice;
        QString text, action;
        std::function<void()> accept, dismiss;
    };
    void add(Message message);
    void show(Message message);
    void next();

    Message m_shown;
    std::deque<Message> m_waiting;
    QLabel* m_text;
    QPushButton* m_action;
    QToolButton* m_copy;
    QToolButton* m_close;
    QTimer* m_timer;
};

}  // namespace lw::ui
