/// Opening things that were dropped on the window or named on the command line.
#include "ui/main_window.h"

#include "ui/pages/studies_page.h"
#include "ui/pages/train_page.h"

#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>

namespace lw::ui {

namespace {

bool isRunFolder(const QFileInfo& info) { return info.isDir() && QFileInfo::exists(info.filePath() + QStringLiteral("/recipe.json")); }

/// A folder with run folders in it.
bool isWorkspace(const QFileInfo& info) {
    if (!info.isDir()) return false;
    for (const QFileInfo& child : QDir(info.filePath()).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot))
        if (isRunFolder(child)) return true;
    return false;
}

}  // namespace

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) openPath(url.toLocalFile());
}

void MainWindow::openPath(const QString& path) {
    const QFileInfo info(QDir::cleanPath(path));  // a slash at the end would make a run folder its own workspace
    if (!info.exists()) {
        m_session->report({lw::ErrorKind::not_found, tr("There is no file or folder %1.").arg(path).toStdString()}, tr("Opening"));
    } else if (isRunFolder(info)) {
        importRun(info.absoluteFilePath());
    } else if (isWorkspace(info)) {
        m_session->setWorkspace(info.absoluteFilePath().toStdString());
    } else if (info.suffix() == QLatin1String("json")) {
        openRecipe(info.absoluteFilePath());
    } else {
        m_train->useText(info.absoluteFilePath());
    }
}

/// Or a study: both are JSON, and neither can be read as the other.
void MainWindow::openRecipe(const QString& path) {
    const auto recipe = lw::read_recipe(path.toStdString());
    if (!recipe.ok() && lw::read_study(path.toStdString(), m_session->workspace()).ok()) {
        showPage(PageId::studies);
        return static_cast<StudiesPage*>(page(PageId::studies))->addFile(path);
    }
    if (!recipe.ok()) return m_session->report(recipe.error(), tr("Opening %1").arg(QFileInfo(path).fileName()));
    m_session->requestRecipe(recipe.value());
}

/// A run lies in a workspace: the workspace is opened and the run selected.
void MainWindow::importRun(const QString& path) {
    const QFileInfo info(path);
    const std::filesystem::path workspace = info.absolutePath().toStdString();
    if (workspace != m_session->workspace()) m_session->setWorkspace(workspace);
    m_session->reloadRuns(path);
}

}  // namespace lw::ui
