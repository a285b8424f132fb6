/// See message_bar.h.
#include "ui/panels/message_bar.h"

#include "ui/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace lw::ui {

MessageBar::MessageBar(QWidget* parent)
    : QWidget(parent), m_text(new QLabel(this)), m_copy(new QToolButton(this)), m_close(new QToolButton(this)) {
    setObjectName(QStringLiteral("messageBar"));
    m_text->setObjectName(QStringLiteral("messageText"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_copy->setText(tr("Copy"));
    m_copy->setAutoRaise(true);
    m_close->setText(tr("Close"));
    m_close->setObjectName(QStringLiteral("messageClose"));
    m_close->setAutoRaise(true);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 6, 8, 6);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_copy, 0, Qt::AlignTop);
    layout->addWidget(m_close, 0, Qt::AlignTop);
    connect(m_copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(text()); });
    connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
    hide();
}

void MessageBar::showMessage(Kind kind, const QString& heading, const QString& text) {
    m_kind = kind;
    m_heading = heading;
    m_text->setText(heading.isEmpty() ? text : tr("%1: %2").arg(heading, text));
    show();
    update();
}

QString MessageBar::text() const { return m_text->text(); }

void MessageBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QColor mark = m_kind == Kind::error ? theme::error(palette()) : theme::accent(palette());
    painter.fillRect(rect(), theme::raised(palette()));
    painter.fillRect(QRect(0, 0, 4, height()), mark);
    painter.setPen(theme::line(palette()));
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

}  // namespace lw::ui
