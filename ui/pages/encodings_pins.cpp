/// Schemes that stay in the plots of the Encodings page while the form goes on to others.
#include "ui/pages/encodings_page.h"
#include "ui/theme.h"

#include <QHBoxLayout>
#include <QToolButton>

#include <algorithm>

namespace lw::ui {

/// A colour that no pinned scheme has: the one it had, or the first that is free. Style 0 is the grey of what is not scaled.
int EncodingsPage::styleOf(int before) const {
    const auto taken = [this](int style) { return std::any_of(m_pinned.begin(), m_pinned.end(), [style](const ShownScheme& pinned) { return pinned.style == style; }); };
    if (before > 0 && !taken(before)) return before;
    int style = 1;
    while (taken(style)) ++style;
    return style;
}

void EncodingsPage::pin() {
    if (m_current.preview.distance.empty()) return;
    m_pinned.push_back(m_current);
    m_pinned.back().pinned = true;
    m_current.style = styleOf(-1);
    pinsChanged();
}

void EncodingsPage::unpin(int index) {
    if (index < 0 || index >= static_cast<int>(m_pinned.size())) return;
    m_pinned.erase(m_pinned.begin() + index);
    pinsChanged();
}

void EncodingsPage::pinsChanged() {
    saveState();
    showPins();
    draw();
}

void EncodingsPage::showPins() {
    while (QLayoutItem* item = m_pins->takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
    for (int p = 0; p < static_cast<int>(m_pinned.size()); ++p) {
        auto* chip = new QToolButton(this);
        chip->setText(tr("%1  ×").arg(m_pinned[static_cast<std::size_t>(p)].title));
        chip->setAutoRaise(true);
        chip->setObjectName(QStringLiteral("pin-%1").arg(p));
        chip->setToolTip(tr("Remove from the plots"));
        QPalette colours = chip->palette();
        colours.setColor(QPalette::ButtonText, theme::runColour(m_pinned[static_cast<std::size_t>(p)].style, theme::isDark(colours)));
        chip->setPalette(colours);
        connect(chip, &QToolButton::clicked, this, [this, p] { unpin(p); });
        m_pins->addWidget(chip);
    }
}

}  // namespace lw::ui
