/// The scheme of the Encodings page goes on: kept among the person's own presets, or to the Train page.
#include "ui/forms/scheme_form.h"
#include "ui/pages/encodings_page.h"
#include "ui/session.h"
#include "ui/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>

namespace lw::ui {

namespace {

constexpr int kSavedFor = 8000;  // ms

}  // namespace

QWidget* EncodingsPage::buildPresetBar() {
    m_scheme->follow(session());
    auto* box = new QWidget(this);
    auto* save = new QPushButton(tr("Save as preset…"), box);
    save->setObjectName(QStringLiteral("savePreset"));
    save->setToolTip(tr("Keeps this scheme under a name, for this page and for training."));
    auto* train = new QPushButton(tr("Train with this scheme"), box);
    train->setObjectName(QStringLiteral("trainScheme"));
    train->setToolTip(tr("Opens the Train page with this scheme in its recipe."));
    m_presetName = new QLineEdit(box);
    m_presetName->setObjectName(QStringLiteral("presetName"));
    m_presetName->setPlaceholderText(tr("Name, then Enter"));
    m_presetName->setToolTip(tr("A preset of your own with this name is replaced."));
    m_presetName->hide();
    m_saved = new QLabel(box);
    m_saved->setObjectName(QStringLiteral("presetSaved"));
    m_saved->setFont(theme::caption());
    m_saved->setForegroundRole(QPalette::PlaceholderText);
    m_saved->setWordWrap(true);
    m_saved->hide();
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(theme::kGrid);
    buttons->addWidget(save);
    buttons->addWidget(train);
    buttons->addStretch();
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGrid);
    layout->addLayout(buttons);
    layout->addWidget(m_presetName);
    layout->addWidget(m_saved);
    connect(save, &QPushButton::clicked, this, [this] {
        m_saved->hide();
        m_presetName->setVisible(m_presetName->isHidden());
        m_presetName->setFocus();
    });
    connect(m_presetName, &QLineEdit::returnPressed, this, [this] { savePreset(m_presetName->text()); });
    connect(train, &QPushButton::clicked, this, [this] {
        if (!m_scheme->valid()) return session()->notice(m_scheme->error());
        session()->requestScheme(m_scheme->scheme());
    });
    return box;
}

/// A refused name stays in its field, to be changed.
void EncodingsPage::savePreset(const QString& name) {
    if (!m_scheme->valid()) return session()->notice(m_scheme->error());
    if (!session()->savePreset(name, m_scheme->scheme())) return;
    m_presetName->clear();
    m_presetName->hide();
    // The message bar may be holding an offer; here it is seen at once.
    m_saved->setText(tr("Kept as %1, in the list of schemes under “Your own”.").arg(name.trimmed()));
    m_saved->show();
    QTimer::singleShot(kSavedFor, m_saved, &QWidget::hide);
}

}  // namespace lw::ui
