/// Menus of the Studies page.
#include "ui/pages/studies_matrix.h"
#include "ui/pages/studies_page.h"
#include "ui/pages/studies_results.h"
#include "ui/session.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QGuiApplication>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QUrl>

namespace lw::ui {

void StudiesPage::openListMenu(const QPoint& position) {
    const QListWidgetItem* line = m_list->itemAt(position);
    if (line == nullptr) return;
    QMenu menu(this);
    fillStudyMenu(&menu, line->data(Qt::UserRole).toString());
    menu.exec(m_list->viewport()->mapToGlobal(position));
}

void StudiesPage::openMoreMenu() {
    if (!m_loaded) return;
    QMenu menu(this);
    std::vector<std::string> failed;
    for (const lw::StudyCell& cell : m_loaded->status.cells)
        if (hasFailed(cell)) failed.push_back(cell.id);
    menu.addAction(failed.size() == 1 ? tr("Try the failed run again") : tr("Try the %1 failed runs again").arg(failed.size()), this, [this, failed] { retry(failed); })->setVisible(!failed.empty());
    menu.addAction(tr("Show the finished runs in Curves"), this, [this] { showRuns(); })->setEnabled(m_loaded->status.count("finished") > 0);
    menu.addSeparator();
    if (m_results->hasReport()) {
        m_results->addCopyChoices(&menu);
        menu.addSeparator();
    }
    fillStudyMenu(&menu, m_chosen);
    menu.exec(m_more->mapToGlobal(QPoint(0, m_more->height())));
}

/// Also of a study that cannot be read, whose file a person may want to mend.
void StudiesPage::fillStudyMenu(QMenu* menu, const QString& id) {
    const QString folder = QString::fromStdString((session()->workspace() / "studies" / id.toStdString()).string());
    menu->addAction(tr("Open folder"), this, [folder] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); });
    menu->addAction(tr("Copy path"), this, [folder] { QGuiApplication::clipboard()->setText(folder); });
    menu->addAction(tr("Read again"), this, [this] { readAgain(); });
}

void StudiesPage::openCellMenu(const QPoint& position) {
    const lw::StudyCell* current = m_matrix->currentCell();
    if (current == nullptr) return;
    const lw::StudyCell cell = *current;  // the matrix may be read anew while the menu is open
    const bool open = cell.state != "finished" && cell.state != "running";
    QMenu menu(this);
    if (hasFailed(cell)) menu.addAction(tr("Try again"), this, [this, cell] { retry({cell.id}); });
    if (open) menu.addAction(tr("Put first"), this, [this, cell] { prioritise(cell.id); });
    if (cell.state == "finished") {
        menu.addAction(tr("Open in Curves"), this, [this, cell] { openRun(cell, false); });
        if (!cell.recipe.data.source.starts_with("task:")) menu.addAction(tr("Open in Maps"), this, [this, cell] { openRun(cell, true); });
    }
    menu.addSeparator();
    menu.addAction(tr("Copy message"), this, [cell] { QGuiApplication::clipboard()->setText(QString::fromStdString(cell.message)); })->setEnabled(!cell.message.empty());
    menu.addAction(tr("Copy id of the run"), this, [cell] { QGuiApplication::clipboard()->setText(QString::fromStdString(cell.run)); })->setEnabled(!cell.run.empty());
    menu.exec(position);
}

}  // namespace lw::ui
