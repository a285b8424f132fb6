/// See empty_state.h.
#include "ui/panels/empty_state.h"

#include "ui/theme.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace lw::ui {

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent), m_title(new QLabel(this)), m_text(new QLabel(this)), m_button(new QPushButton(this)) {
    m_title->setFont(theme::title());
    m_title->setAlignment(Qt::AlignCenter);
    m_text->setAlignment(Qt::AlignCenter);
    m_text->setWordWrap(true);
    m_text->setForegroundRole(QPalette::PlaceholderText);
    m_button->setObjectName(QStringLiteral("emptyStateButton"));
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(theme::kGrid);
    layout->addStretch(1);
    layout->addWidget(m_title, 0, Qt::AlignHCenter);
    layout->addWidget(m_text, 0, Qt::AlignHCenter);
    layout->addSpacing(theme::kGrid);
    layout->addWidget(m_button, 0, Qt::AlignHCenter);
    layout->addStretch(1);
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (const auto action = m_action) action();  // it may put another in its own place
    });
}

void EmptyState::setContent(const QString& title, const QString& text, const QString& button, std::function<void()> action) {
    m_title->setText(title);
    m_title->setVisible(!title.isEmpty());
    m_text->setText(text);
    m_text->setVisible(!text.isEmpty());
    m_button->setText(button);
    m_button->setVisible(!button.isEmpty());
    m_action = std::move(action);
    fitText();
}

void EmptyState::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitText();
}

/// A centred label that wraps gets too little height from its layout: its size is set from its width.
void EmptyState::fitText() {
    const int width = qBound(80, this->width() - 32, 400);
    m_text->setMinimumSize(0, 0);  // its height for a width is never less than its minimum
    m_text->setFixedSize(width, qMax(0, m_text->heightForWidth(width)));
}

}  // namespace lw::ui
