/// What the Curves page says around its plot: what is missing, what cannot be compared, what to do where there is nothing.
#include "ui/pages/curves_evaluate.h"
#include "ui/pages/curves_page.h"
#include "ui/panels/empty_state.h"
#include "ui/plot/segmented.h"
#include "ui/session.h"
#include "ui/theme.h"

#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>

#include <algorithm>

namespace lw::ui {

void CurvesPage::showNote() {
    QStringList lines;
    const QString missing = m_loaded.missing.join(QStringLiteral(", "));
    if (!missing.isEmpty()) lines << (m_loaded.mode == CurvesMode::training ? tr("No training log: %1").arg(missing) : tr("Not evaluated by this protocol yet: %1").arg(missing));
    if (!m_loaded.older.isEmpty()) lines << tr("Measured before losses beyond L were kept, so Evaluate… has to measure them again: %1").arg(m_loaded.older.join(QStringLiteral(", ")));
    if (!m_loaded.within.isEmpty()) lines << tr("Not measured beyond the training length: %1").arg(m_loaded.within.join(QStringLiteral(", ")));
    lines << m_loaded.problems;
    if (!m_loaded.note.isEmpty()) lines << tr("Published, on other texts and tokens: %1").arg(m_loaded.note);
    m_note->setVisible(!lines.isEmpty());
    m_note->setText(lines.join(QLatin1Char('\n')));
}

/// One line above the plot; its tool tip names the groups.
void CurvesPage::showBanner() {
    m_banner->setVisible(!m_loaded.warning.isEmpty());
    m_banner->setToolTip(m_loaded.warning + QLatin1Char('\n') + m_loaded.warningHelp);
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, theme::warning(colours));
    m_banner->setPalette(colours);
    const QString shorter = m_loaded.warning.section(QStringLiteral(": "), 0, 0) + tr(": not comparable");
    m_banner->setText(theme::fittingText({m_loaded.warning, shorter}, QFontMetrics(m_banner->font()), m_stack->width()));
}

/// Beyond L nothing is drawn: what the evaluations lack, and that a new one brings it.
void CurvesPage::sayWhatLacks() {
    const QString evaluate = tr("Evaluate…");
    if (!m_loaded.older.isEmpty())
        return m_empty->setContent(tr("Measure these runs again"), tr("The evaluations of the ticked runs were made before losses beyond the training length were kept; a new one has them."), evaluate, [this] { this->evaluate(); });
    m_empty->setContent(tr("Not measured beyond L"), tr("None of the ticked runs was measured at a length beyond its training length L. Measure them at longer ones."), evaluate, [this] { this->evaluate(); });
}

void CurvesPage::showEmpty() {
    m_stack->setCurrentIndex(1);
    m_exportButton->setEnabled(false);
    if (session()->shownRuns().empty()) {
        const bool any = !session()->runs().empty();
        m_empty->setContent(any ? tr("No run is ticked") : tr("No runs yet"), any ? tr("Tick runs in the list to draw their curves.") : tr("Train a model, or open a workspace that has some."),
                            any ? tr("Show all runs") : tr("Go to Train"), [this, any] {
                                if (!any) return session()->showPage(PageId::train);
                                QStringList keys;
                                for (const RunEntry& run : session()->runs()) keys << run.key;
                                session()->setShownOnly(keys);
                            });
    } else if (const auto shown = session()->shownRuns(); static_cast<CurvesMode>(m_mode->current()) != CurvesMode::training && std::all_of(shown.begin(), shown.end(), [](const RunEntry* run) { return run->isTask(); })) {
        m_empty->setContent(tr("Only runs of tasks are ticked"), tr("They are measured by accuracy, on the Tasks page."), tr("Go to Tasks"), [this] { session()->showPage(PageId::tasks); });
    } else if (static_cast<CurvesMode>(m_mode->current()) == CurvesMode::training) {
        m_empty->setContent(tr("No training log"), tr("The ticked runs came without the log of their training."), {});
    } else if (static_cast<CurvesMode>(m_mode->current()) == CurvesMode::position && countsKeyTokens(QString::fromStdString(m_protocol))) {
        m_empty->setContent(tr("No losses by position"), tr("LongPPL counts key tokens alone and has no losses by position; choose another protocol."),
                            tr("Show “%1”").arg(protocolName(QStringLiteral("last-k"))), [this] { setProtocol("last-k"); });
    } else if (m_loaded.beyond && m_loaded.older.size() + m_loaded.within.size() > 0) {
        sayWhatLacks();
    } else {
        m_empty->setContent(tr("Not evaluated yet"), tr("None of the ticked runs has numbers by the protocol “%1”.").arg(protocolName(QString::fromStdString(m_protocol))), tr("Evaluate…"), [this] { evaluate(); });
    }
    describe();
}

}  // namespace lw::ui
