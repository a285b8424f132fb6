/// What the Studies page reads, always on the compute thread and only while it is seen, and what it then shows.
#include "core/api/study_report.h"
#include "ui/jobs/study_job.h"
#include "ui/pages/studies_matrix.h"
#include "ui/pages/studies_page.h"
#include "ui/pages/studies_results.h"
#include "ui/panels/empty_state.h"
#include "ui/plot/number_text.h"
#include "ui/plot/segmented.h"
#include "ui/session.h"
#include "ui/theme.h"

#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace lw::ui {

namespace {

/// All that a report says comes from this: what is asked for, and which runs are there or why they are not. While it is the same the report is.
std::string reportKey(const lw::StudyStatus& status) {
    std::string key = status.folder.string() + lw::study_json(status.spec);
    for (const lw::StudyCell& cell : status.cells) key += "\n" + cell.id + " " + cell.state + " " + cell.run + " " + cell.message;
    for (const auto* remarks : {&status.notes, &status.problems})
        for (const std::string& remark : *remarks) key += "\n" + remark;
    return key;
}

QString joined(const std::vector<std::string>& sentences) {
    QStringList lines;
    for (const std::string& sentence : sentences) lines << QString::fromStdString(sentence);
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

/// What was shown belongs to another study, or to another workspace; so does what is still being read.
void StudiesPage::forget() {
    session()->compute().cancelChannel(QStringLiteral("study"));
    session()->compute().cancelChannel(QStringLiteral("study report"));
    m_loaded.reset();
    m_reported.clear();
    m_asked.clear();
    m_stack->setCurrentIndex(0);
    m_title->clear();
    m_summary->setText(tr("Reading…"));
    m_state->clear();
    m_matrix->setStudy({}, {});
    m_results->setEmpty({}, {});
    updateButton();
}

void StudiesPage::refresh() {
    m_stale = !isVisible();
    if (m_stale) return;
    readList();
}

void StudiesPage::readList() {
    using Items = std::vector<StudyItem>;
    session()->compute().run<Items>(
        QStringLiteral("studies"), [workspace = session()->workspace()](const lw::RunContext&) -> lw::Result<Items> { return loadStudies(workspace); }, this,
        [this, workspace = session()->workspace()](lw::Result<Items> items) {
            if (workspace != session()->workspace()) return;
            if (!items.ok()) return session()->report(items.error(), tr("Reading the studies"));
            showList(items.value());
        });
}

void StudiesPage::showList(const std::vector<StudyItem>& items) {
    {
        const QSignalBlocker quiet(m_list);
        m_list->clear();
        for (const StudyItem& item : items) {
            auto* line = new QListWidgetItem(QStringLiteral("%1\n%2").arg(item.name, item.problem.isEmpty() ? item.counts : tr("cannot be read")), m_list);
            line->setData(Qt::UserRole, item.id);
            line->setData(Qt::UserRole + 1, item.name);
            line->setToolTip(item.problem.isEmpty() ? item.name : item.problem);
            if (item.id == m_chosen) m_list->setCurrentItem(line);
        }
        if (m_list->currentItem() == nullptr && m_list->count() > 0) m_list->setCurrentRow(0);
    }
    if (m_list->currentItem() == nullptr) {
        m_chosen.clear();
        forget();
        return showEmpty();
    }
    const QString id = m_list->currentItem()->data(Qt::UserRole).toString();
    if (id != m_chosen || !m_loaded) return choose(id);
    readStudy();
}

void StudiesPage::readStudy() {
    if (!isVisible()) {
        m_stale = true;
        return;
    }
    if (m_chosen.isEmpty()) return;
    StudyRequest request{session()->workspace(), m_chosen.toStdString(), session()->compute().device(), m_loaded ? m_loaded->numbers : CellNumbers{}};
    session()->compute().run<StudyLoaded>(
        QStringLiteral("study"), [request](const lw::RunContext&) { return loadStudy(request); }, this,
        [this, id = m_chosen, workspace = session()->workspace()](lw::Result<StudyLoaded> loaded) {
            if (id == m_chosen && workspace == session()->workspace()) showStudy(std::move(loaded));
        });
}

/// Also a report that could not be made is made again.
void StudiesPage::readAgain() {
    m_reported.clear();
    readList();
}

void StudiesPage::showStudy(lw::Result<StudyLoaded> loaded) {
    if (!loaded.ok()) {
        m_timer->stop();
        forget();
        m_empty->setContent(tr("This study cannot be read"), QString::fromStdString(loaded.error().message), tr("Read again"), [this] { readAgain(); });
        m_stack->setCurrentIndex(1);
        return;
    }
    m_loaded = std::move(loaded).value();
    m_stack->setCurrentIndex(0);
    const lw::StudyStatus& status = m_loaded->status;
    const StudyGrid grid = studyGrid(status);
    m_title->setText(QString::fromStdString(status.spec.name) + (grid.columns.empty() || !grid.oneSetting() ? QString() : QStringLiteral(" · ") + grid.columns.front().setting));
    m_matrix->setStudy(*m_loaded, m_job->live());
    if (QListWidgetItem* line = m_list->currentItem(); line != nullptr && line->data(Qt::UserRole).toString() == m_chosen) line->setText(QStringLiteral("%1\n%2").arg(line->data(Qt::UserRole + 1).toString(), countsText(status)));
    updateBar();
    readReport();
    // Steps of one's own job come by themselves; what another program does is looked up, and the time that is left as well.
    if (isVisible() && (status.running || m_job->has(m_chosen))) m_timer->start();
    else m_timer->stop();
}

/// Bootstraps take a moment: only for a view that shows them, and only when there is something new.
void StudiesPage::readReport() {
    if (!isVisible() || !m_loaded || m_view->current() == kMatrix) return;
    const std::string wanted = reportKey(m_loaded->status);
    if (wanted == m_reported) return showReport();
    if (wanted == m_asked) return;  // asked for anew at every look, one that takes longer than that would never come
    m_asked = wanted;
    if (m_reported.empty()) m_results->setEmpty(tr("Working out the report…"), {});
    session()->compute().run<lw::StudyReport>(
        QStringLiteral("study report"), [status = m_loaded->status](const lw::RunContext& context) { return lw::study_report(status, context); }, this,
        [this, wanted](lw::Result<lw::StudyReport> report) {
            m_asked.clear();
            if (!report.ok() && report.error().kind == lw::ErrorKind::cancelled) {
                if (m_reported.empty()) m_results->setEmpty(tr("The report was stopped"), tr("It is worked out when this page is looked at again."));
                return;
            }
            m_reported = wanted;  // a failure as well: it would fail again until something changes
            if (!report.ok()) return m_results->setEmpty(tr("There is no report"), QString::fromStdString(report.error().message));
            const bool any = std::any_of(report.value().tables.begin(), report.value().tables.end(), [](const lw::StudyTable& table) { return !table.rows.empty(); });
            if (any) m_results->setReport(report.value());
            else m_results->setEmpty(tr("Nothing is measured yet"), tr("Values and differences appear here as soon as the first run is trained and measured."));
            showReport();
        });
}

void StudiesPage::showReport() {
    if (m_view->current() != kMatrix && m_results->hasReport()) m_results->setView(static_cast<StudyResults::View>(m_view->current() - kCurves));
}

bool StudiesPage::runsElsewhere() const { return m_loaded && m_loaded->status.running && !m_job->has(m_chosen); }

/// What keeps it from running, or who works on it; then what a reader should know.
QString StudiesPage::stateSentence() const {
    const lw::StudyStatus& status = m_loaded->status;
    if (!status.problems.empty()) return tr("It cannot start: %1").arg(joined(status.problems));
    QStringList lines;
    if (m_job->waits(m_chosen)) lines << tr("It waits until the job before it ends.");
    else if (m_job->has(m_chosen)) lines << tr("It is worked on. Maps and previews go on meanwhile; other training and evaluations wait until it ends or is paused.");
    else if (status.running) lines << tr("Another program works on it.");
    else if (status.paused) lines << tr("It is paused. What was computed is kept.");
    if (!status.notes.empty()) lines << joined(status.notes);
    return lines.join(QLatin1Char('\n'));
}

void StudiesPage::updateBar() {
    const bool matrix = m_view->current() == kMatrix;
    m_matrix->setVisible(matrix);
    m_results->setVisible(!matrix);
    updateButton();
    if (!m_loaded) return;
    m_summary->setText(summaryText(m_loaded->status, m_loaded->estimate));
    m_state->setText(stateSentence());
    m_state->setForegroundRole(m_loaded->status.problems.empty() ? QPalette::PlaceholderText : QPalette::WindowText);
    m_state->setVisible(!m_state->text().isEmpty());
    describeCell();
}

void StudiesPage::updateButton() {
    const bool own = m_job->has(m_chosen), pausing = m_job->pausing(m_chosen);
    const auto in = [this](std::initializer_list<const char*> states) {
        return m_loaded && std::any_of(states.begin(), states.end(), [this](const char* state) { return m_loaded->status.count(state) > 0; });
    };
    const bool left = in({"waiting", "blocked", "stopped", "trained", "running"}), begun = in({"finished", "stopped", "trained", "running"});
    m_run->setText(pausing ? tr("Pausing…") : own || runsElsewhere() ? tr("Pause") : begun ? tr("Continue") : tr("Run"));
    m_run->setMinimumWidth(m_run->fontMetrics().horizontalAdvance(tr("Pausing…")) + 28);
    m_run->setEnabled(m_loaded && !pausing && (own || runsElsewhere() || (left && m_loaded->status.problems.empty())));
    m_more->setEnabled(m_loaded.has_value());
}

void StudiesPage::showEmpty() {
    m_empty->setContent(tr("No studies yet"), tr("A study trains and measures schemes with several seeds and lengths from one file, and says which is better, by how much and how sure that is."),
                        tr("New study…"), [this] { newStudy(); });
    m_stack->setCurrentIndex(1);
    updateButton();
}

QString StudiesPage::cellSentence(const lw::StudyCell& cell) const {
    const CellLook look = cellLook(cell, m_job->live(), m_loaded->numbers);
    return cell.run.empty() ? QStringLiteral("%1. %2").arg(cellName(cell), look.help) : tr("%1. %2 Run %3.").arg(cellName(cell), look.help, QString::fromStdString(cell.run));
}

/// Steps and lengths of the run in work; the details panel follows with the next reading.
void StudiesPage::showLive() {
    m_matrix->setLive(m_job->live());
    if (const lw::StudyCell* cell = m_loaded ? m_matrix->currentCell() : nullptr; cell != nullptr) m_cell->setText(cellSentence(*cell));
}

void StudiesPage::describeCell() {
    const lw::StudyCell* cell = m_loaded && isVisible() && m_view->current() == kMatrix ? m_matrix->currentCell() : nullptr;
    m_cell->setVisible(m_view->current() == kMatrix);
    DetailSection section;
    const QString hint = tr("Select a run to read about it; its menu tries it again, puts it first, or opens it in Curves and Maps.");
    const QString numbers = m_loaded ? numbersText(m_loaded->numbers) : QString();
    m_cell->setText(cell != nullptr ? QString() : numbers.isEmpty() ? hint : numbers + QLatin1Char(' ') + hint);
    if (cell != nullptr) {
        const CellLook look = cellLook(*cell, m_job->live(), m_loaded->numbers);
        const QString run = QString::fromStdString(cell->run);
        m_cell->setText(cellSentence(*cell));
        const lw::Recipe& recipe = cell->recipe;
        section.heading = tr("Run of the study");
        section.title = QString::fromStdString(cell->scheme);
        section.text = look.help;
        section.facts = {{tr("Setting"), QString::fromStdString(cell->setting), {}},
                         {tr("Seed"), QString::number(cell->seed), {}},
                         {tr("Scheme"), QString::fromStdString(lw::scheme_line(recipe.scheme)), {}},
                         {tr("Model"), tr("%1 layers, width %2").arg(recipe.model.layers).arg(integerText(recipe.model.width)), {}},
                         {tr("Training"), cell->steps == 0 ? tr("none: the weights of another run") : tr("L = %1, batch %2, %3 steps").arg(integerText(recipe.training.length), integerText(recipe.training.batch), integerText(recipe.training.steps)), {}}};
        if (!run.isEmpty()) section.facts.push_back({tr("Run"), run, {}});
        if (hasFailed(*cell)) section.actions.push_back({tr("Try again"), [this, id = cell->id] { retry({id}); }});
        if (cell->state == "finished") section.actions.push_back({tr("Open in Curves"), [this, copy = *cell] { openRun(copy, false); }});
    }
    session()->setDetails(QStringLiteral("study cell"), section);
}

}  // namespace lw::ui
