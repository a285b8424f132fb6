/// The Encodings page and the selected run: its scheme in the form, and the form's scheme on its weights.
#include "ui/forms/scheme_form.h"
#include "ui/pages/encodings_page.h"
#include "ui/session.h"
#include "ui/theme.h"

#include <QFontMetrics>
#include <QMenu>
#include <QToolButton>

namespace lw::ui {

namespace {

/// Why a run cannot be read with this scheme; "" when it can.
QString hindrance(const RunEntry* run, const SchemeForm& form) {
    if (run == nullptr) return EncodingsPage::tr("Select a run in the list first.");
    if (!form.valid()) return form.error();
    if (!run->info.base.empty()) return EncodingsPage::tr("This run uses another run's weights; select that one.");
    const auto extension = lw::extension_between(run->info.recipe.scheme, form.scheme());
    if (!extension.ok()) return QString::fromStdString(extension.error().message);
    if (extension.value().slots.empty()) return EncodingsPage::tr("This is the scheme the run was trained with. Add a frequency scaling, a distance map, a temperature …");
    const auto extended = lw::extend_scheme(run->info.recipe.scheme, extension.value());
    return extended.ok() ? QString() : QString::fromStdString(extended.error().message);
}

constexpr int kReasonWidth = 520;  // pixels

QString withReason(const QString& text, const QString& reason) { return reason.isEmpty() ? text : EncodingsPage::tr("%1 (%2)").arg(text, reason); }

}  // namespace

QToolButton* EncodingsPage::buildRunMenu(QWidget* parent) {
    m_run = new QToolButton(parent);
    m_run->setObjectName(QStringLiteral("runMenu"));
    m_run->setText(tr("Run ▾"));
    m_run->setToolTip(tr("Read the selected run's scheme, or put this one on its weights."));
    m_run->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_run);
    menu->setToolTipsVisible(true);
    m_take = menu->addAction(QString(), this, &EncodingsPage::takeRunScheme);
    m_apply = menu->addAction(QString(), this, &EncodingsPage::applyToRun);
    m_showTrained = menu->addAction(QString(), this, &EncodingsPage::showTrained);
    m_fitting = menu->addMenu(QString());
    m_fitting->setToolTipsVisible(true);
    // Entries that cannot be chosen show no tooltip: the reason stands below them.
    m_applyWhy = new QAction(menu);
    m_applyWhy->setObjectName(QStringLiteral("applyReason"));
    m_applyWhy->setEnabled(false);
    menu->insertAction(m_showTrained, m_applyWhy);
    connect(menu, &QMenu::aboutToShow, this, &EncodingsPage::updateRunMenu);
    m_run->setMenu(menu);
    return m_run;
}

void EncodingsPage::updateRunMenu() {
    const RunEntry* run = session()->currentRun();
    const QString name = run == nullptr ? tr("the selected run") : run->title(), why = hindrance(run, *m_scheme);
    m_take->setText(withReason(tr("Show the scheme of %1").arg(name), run != nullptr ? QString() : tr("select a run in the list first")));
    m_take->setEnabled(run != nullptr);
    m_apply->setText(tr("Read %1 with this scheme and evaluate it").arg(name));
    m_applyWhy->setText(QStringLiteral("    ") + QFontMetrics(theme::body()).elidedText(why, Qt::ElideRight, kReasonWidth));
    m_applyWhy->setVisible(!why.isEmpty());
    m_apply->setEnabled(why.isEmpty());
    const bool weights = run != nullptr && !run->info.checkpoints.empty();
    m_showTrained->setText(withReason(tr("Show the trained values of %1").arg(name), weights ? QString() : run == nullptr ? tr("select a run in the list first") : tr("it has no checkpoint yet")));
    m_showTrained->setEnabled(weights);
    m_showTrained->setToolTip(weights ? tr("What training made of its biases, frequencies and position vectors, layer by layer.") : tr("It has no checkpoint yet."));
    m_apply->setToolTip(why.isEmpty() ? tr("Makes a run that shares the weights; nothing is trained.") : why);
    listFitting(run);
    m_fitting->setTitle(withReason(tr("Read %1 with a preset and evaluate it").arg(name), m_fitting->menuAction()->isEnabled() ? QString() : run != nullptr && !run->info.base.empty() ? tr("it uses another run's weights") : tr("none fits")));
}

/// Presets that fit the run's weights, and all of them at once: what lengthwise-cli extensions compares.
void EncodingsPage::listFitting(const RunEntry* run) {
    m_fitting->clear();
    std::vector<lw::SchemeSpec> fitting;
    if (run != nullptr && run->info.base.empty())
        for (const lw::SchemePreset& preset : session()->presets())
            if (auto extension = lw::preset_extension(run->info.recipe.scheme, preset.scheme); extension.ok() && extension.value()) fitting.push_back(*std::move(extension).value());
    m_fitting->menuAction()->setEnabled(!fitting.empty());
    for (const lw::SchemeSpec& extension : fitting)
        m_fitting->addAction(QString::fromStdString(extension.name), this, [this, extension] { extendWith({extension}); });
    if (fitting.size() < 2) return;
    m_fitting->addSeparator();
    QAction* all = m_fitting->addAction(tr("All %1, one after another").arg(fitting.size()), this, [this, fitting] { extendWith(fitting); });
    all->setToolTip(tr("Each is evaluated like the run itself; that takes a while, and can be cancelled."));
}

void EncodingsPage::extendWith(const std::vector<lw::SchemeSpec>& extensions) {
    const RunEntry* run = session()->currentRun();
    if (run == nullptr) return;
    const RunEntry base = *run;  // the first extension becomes the selected run
    for (const lw::SchemeSpec& extension : extensions) session()->extendRun(base, extension);
    session()->showPage(PageId::curves);
}

void EncodingsPage::takeRunScheme() {
    const RunEntry* run = session()->currentRun();
    if (run == nullptr) return;
    m_scheme->setScheme(run->info.recipe.scheme);
    Q_EMIT m_scheme->edited();
}

void EncodingsPage::applyToRun() {
    const RunEntry* run = session()->currentRun();
    const QString why = hindrance(run, *m_scheme);
    if (!why.isEmpty()) return session()->notice(why);
    extendWith({lw::extension_between(run->info.recipe.scheme, m_scheme->scheme()).value()});
}

}  // namespace lw::ui
