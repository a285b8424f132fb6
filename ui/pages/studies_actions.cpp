/// What a person can do with studies and their runs. Files are written on the compute thread, as it may be reading them.
#include "core/api/doctor.h"
#include "ui/forms/study_form.h"
#include "ui/jobs/study_job.h"
#include "ui/pages/studies_page.h"
#include "ui/session.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QListWidget>

#include <algorithm>

namespace lw::ui {

namespace {

const QString kForm = QStringLiteral("studies/form");
const QString kFileFolder = QStringLiteral("studies/fileFolder");

}  // namespace

/// The form begins with what was asked for last.
void StudiesPage::newStudy() {
    lw::StudySpec start = usualStudy();
    const std::string last = session()->settings().value(kForm).toString().toStdString();
    if (auto read = last.empty() ? lw::Result<lw::StudySpec>(start) : lw::parse_study(last, session()->workspace()); read.ok()) start = std::move(read).value();
    start.name.clear();
    TakenStudies taken;
    for (int row = 0; row < m_list->count(); ++row) taken[m_list->item(row)->data(Qt::UserRole).toString()] = m_list->item(row)->data(Qt::UserRole + 1).toString();
    StudyDialog dialog(session(), start, taken, this);
    if (dialog.exec() != QDialog::Accepted) return;
    session()->settings().setValue(kForm, QString::fromStdString(lw::study_json(dialog.spec())));
    addSpec(dialog.spec(), dialog.runAfter());
}

void StudiesPage::addSpec(const lw::StudySpec& spec, bool run) {
    addStudy(QString::fromStdString(spec.name), [workspace = session()->workspace(), spec] { return lw::add_study(workspace, spec); }, run);
}

/// Each name has a channel of its own, so that one study that is added does not replace another that waits to be.
void StudiesPage::addStudy(const QString& name, std::function<lw::Result<std::string>()> add, bool run) {
    session()->compute().run<std::string>(
        QStringLiteral("add study ") + name, [add = std::move(add)](const lw::RunContext&) { return add(); }, this,
        [this, name, run, workspace = session()->workspace()](const lw::Result<std::string>& id) {
            if (!id.ok()) return session()->report(id.error(), tr("Adding a study"));
            if (workspace == session()->workspace()) studyAdded(QString::fromStdString(id.value()), name, run);
        });
}

/// At first where the study of the demo runs lies.
void StudiesPage::chooseFile() {
    QSettings& settings = session()->settings();
    const QString path = QFileDialog::getOpenFileName(this, tr("Add a study"), settings.value(kFileFolder, QString::fromStdString((lw::resource_folder() / "studies").string())).toString(), tr("Studies (*.json);;All files (*)"));
    if (path.isEmpty()) return;
    settings.setValue(kFileFolder, QFileInfo(path).absolutePath());
    addFile(path);
}

void StudiesPage::addFile(const QString& path) {
    addStudy(path, [workspace = session()->workspace(), file = std::filesystem::path(path.toStdString())] { return lw::add_study_file(workspace, file); }, false);
}

/// It runs whatever is looked at by then; what keeps it from running is said by the job.
void StudiesPage::studyAdded(const QString& id, const QString& name, bool run) {
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->data(Qt::UserRole).toString() == id) session()->notice(tr("The study %1 was there already and is replaced; its runs stay.").arg(m_list->item(row)->data(Qt::UserRole + 1).toString()));
    m_chosen = id;
    forget();
    session()->settings().setValue(QStringLiteral("studies/chosen"), m_chosen);
    if (run) m_job->start(id, name);
    refresh();
}

void StudiesPage::toggle() {
    if (!m_loaded) return;
    if (m_job->has(m_chosen)) m_job->pause(m_chosen);
    else if (runsElsewhere()) pauseElsewhere();
    else m_job->start(m_chosen, QString::fromStdString(m_loaded->status.spec.name));
    readStudy();
}

void StudiesPage::pauseElsewhere() {
    session()->compute().run<lw::Nothing>(
        QStringLiteral("pause study ") + m_chosen, [workspace = session()->workspace(), id = m_chosen.toStdString()](const lw::RunContext&) { return lw::pause_study(workspace, id); }, this,
        [this](const lw::Status& status) {
            if (!status.ok()) return session()->report(status.error(), tr("Pausing the study"));
            session()->notice(tr("The program that works on the study stops after saving."));
            readStudy();
        });
}

/// Each change of each cell has a channel of its own, so that none replaces another that waits.
void StudiesPage::changeCell(const std::string& cell, std::function<lw::Status()> change, const QString& what) {
    session()->compute().run<lw::Nothing>(
        QStringLiteral("study cell %1 %2 %3").arg(m_chosen, QString::fromStdString(cell), what), [change = std::move(change)](const lw::RunContext&) { return change(); }, this,
        [this, what](const lw::Status& status) {
            if (!status.ok()) return session()->report(status.error(), what);
            readStudy();
        });
}

void StudiesPage::retry(const std::vector<std::string>& cells) {
    for (const std::string& cell : cells)
        changeCell(cell, [workspace = session()->workspace(), id = m_chosen.toStdString(), cell] { return lw::retry_cell(workspace, id, cell); }, tr("Trying a run again"));
}

void StudiesPage::prioritise(const std::string& cell) {
    if (!m_loaded) return;
    std::int64_t highest = 0;
    for (const lw::StudyCell& other : m_loaded->status.cells) highest = std::max(highest, other.priority);
    changeCell(cell, [workspace = session()->workspace(), id = m_chosen.toStdString(), cell, highest] { return lw::prioritise_cell(workspace, id, cell, highest + 1); }, tr("Putting a run first"));
}

void StudiesPage::openRun(const lw::StudyCell& cell, bool maps) {
    const QString key = QString::fromStdString(cell.folder.string());
    if (session()->findRun(key) == nullptr) {
        session()->reloadRuns(key);  // trained since the list was read; it becomes the current one
    } else {
        session()->setShown(key, true);
        session()->setCurrentRun(key);
    }
    session()->showPage(maps ? PageId::maps : PageId::curves);
}

/// All that is finished, and nothing else, in Curves.
void StudiesPage::showRuns() {
    if (!m_loaded) return;  // lost while the menu was open
    QStringList keys;
    for (const lw::StudyCell& cell : m_loaded->status.cells)
        if (cell.state == "finished") keys << QString::fromStdString(cell.folder.string());
    session()->setShownOnly(keys);
    session()->showPage(PageId::curves);
}

std::string StudiesPage::stateJson() const {
    QJsonArray runs;
    for (const lw::StudyCell& cell : m_loaded->status.cells)
        if (cell.state == "finished") runs.append(QString::fromStdString(cell.run));
    const QJsonObject state{{QStringLiteral("program"), QStringLiteral("Lengthwise " LW_VERSION)},
                            {QStringLiteral("figure"), QStringLiteral("study")},
                            {QStringLiteral("study"), QJsonDocument::fromJson(QByteArray::fromStdString(lw::study_json(m_loaded->status.spec))).object()},
                            {QStringLiteral("runs"), runs}};
    return QJsonDocument(state).toJson().toStdString();
}

}  // namespace lw::ui
