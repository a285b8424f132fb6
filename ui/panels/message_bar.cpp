/// See message_bar.h.
#include "ui/panels/message_bar.h"

#include "ui/session.h"
#include "ui/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

#include <utility>

namespace lw::ui {

MessageBar::MessageBar(QWidget* parent)
    : QWidget(parent), m_text(new QLabel(this)), m_action(new QPushButton(this)), m_copy(new QToolButton(this)), m_close(new QToolButton(this)), m_timer(new QTimer(this)) {
    setObjectName(QStringLiteral("messageBar"));
    m_text->setObjectName(QStringLiteral("messageText"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_action->setObjectName(QStringLiteral("messageAction"));
    m_copy->setText(tr("Copy"));
    m_copy->setAutoRaise(true);
    m_close->setText(tr("Close"));
    m_close->setObjectName(QStringLiteral("messageClose"));
    m_close->setAutoRaise(true);
    m_timer->setSingleShot(true);
    m_timer->setInterval(kNoticeTime);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 6, 8, 6);
    layout->addWidget(m_text, 1);
    for (QWidget* button : std::initializer_list<QWidget*>{m_action, m_copy, m_close}) layout->addWidget(button, 0, Qt::AlignTop);
    connect(m_copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(text()); });
    connect(m_close, &QToolButton::clicked, this, [this] {
        if (m_shown.dismiss) m_shown.dismiss();
        next();
    });
    connect(m_action, &QPushButton::clicked, this, [this] {
        const auto accept = m_shown.accept;
        next();
        if (accept) accept();
    });
    connect(m_timer, &QTimer::timeout, this, [this] { next(); });
    hide();
}

void MessageBar::showMessage(Kind kind, const QString& heading, const QString& text) {
    add({kind, heading.isEmpty() ? text : tr("%1: %2").arg(heading, text), {}, {}, {}});
}

void MessageBar::showOffer(const Offer& offer) { add({Kind::offer, offer.text, offer.action, offer.accept, offer.dismiss}); }

/// An error goes before everything; a notice that cannot be seen now waits, and only the newest of them is worth waiting for.
void MessageBar::add(Message message) {
    const bool free = isHidden() || m_shown.kind == Kind::notice;
    if (message.kind == Kind::error) {
        if (!isHidden() && m_shown.kind == Kind::offer) m_waiting.push_front(std::exchange(m_shown, {}));
        return show(std::move(message));
    }
    if (free) return show(std::move(message));
    if (message.kind == Kind::notice) std::erase_if(m_waiting, [](const Message& other) { return other.kind == Kind::notice; });
    m_waiting.push_back(std::move(message));
}

void MessageBar::show(Message message) {
    m_shown = std::move(message);
    m_text->setText(m_shown.text);
    m_action->setText(m_shown.action);
    m_action->setVisible(!m_shown.action.isEmpty());
    m_copy->setVisible(m_shown.kind == Kind::error);
    if (m_shown.kind == Kind::notice) m_timer->start();
    else m_timer->stop();
    QWidget::show();
    update();
}

void MessageBar::next() {
    m_timer->stop();
    m_shown = {};
    if (m_waiting.empty()) return hide();
    Message message = std::move(m_waiting.front());
    m_waiting.pop_front();
    show(std::move(message));
}

QString MessageBar::text() const { return m_text->text(); }

void MessageBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QColor mark = m_shown.kind == Kind::error ? theme::error(palette()) : theme::accent(palette());
    painter.fillRect(rect(), theme::raised(palette()));
    painter.fillRect(QRect(0, 0, 4, height()), mark);
    painter.setPen(theme::line(palette()));
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

}  // namespace lw::ui
