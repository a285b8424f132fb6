/// Schemes that stay in the plots of the Encodings page while the form goes on to others.
#include "ui/pages/encodings_page.h"
#include "ui/plot/run_styles.h"
#include "ui/session.h"
#include "ui/theme.h"

#include <QHBoxLayout>
#include <QToolButton>

#include <algorithm>
#include <set>

namespace lw::ui {

/// The colour that the scheme has everywhere, unless a pinned scheme has it.
int EncodingsPage::styleOf(const lw::SchemeSpec& scheme) const {
    SchemeStyles known;
    for (const RunEntry& run : session()->runs()) addSchemeStyle(known, run.info.recipe.scheme, run.style);
    std::set<int> taken;
    for (const ShownScheme& pinned : m_pinned) taken.insert(pinned.style);
    return styleOfScheme(scheme, known, taken);
}

void EncodingsPage::pin() {
    if (m_current.preview.distance.empty()) return;
    m_pinned.push_back(m_current);
    m_pinned.back().pinned = true;
    m_current.style = styleOf(m_current.scheme);
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
        colours.setColor(QPalette::ButtonText, theme::runTextColour(m_pinned[static_cast<std::size_t>(p)].style, theme::isDark(colours), theme::surface(colours)));
        chip->setPalette(colours);
        connect(chip, &QToolButton::clicked, this, [this, p] { unpin(p); });
        m_pins->addWidget(chip);
    }
}

}  // namespace lw::ui
