/// See runs_panel.h.
#include "ui/panels/runs_panel.h"

#include "ui/models/runs_model.h"
#include "ui/panels/empty_state.h"
#include "ui/panels/run_delegate.h"
#include "ui/theme.h"

#include <QContextMenuEvent>
#include <QDesktopServices>
#include <QListView>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

namespace lw::ui {

RunsPanel::RunsPanel(Session* session, QWidget* parent)
    : QWidget(parent), m_session(session), m_model(new RunsModel(session, this)), m_view(new QListView(this)), m_empty(new EmptyState(this)) {
    m_view->setObjectName(QStringLiteral("runsView"));
    m_view->setAccessibleName(tr("Runs"));
    m_view->setModel(m_model);
    m_view->setItemDelegate(new RunDelegate(m_view));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setUniformItemSizes(true);
    m_view->setMouseTracking(true);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->viewport()->setBackgroundRole(QPalette::Window);
    auto* add = new QPushButton(tr("New run…"), this);
    add->setObjectName(QStringLiteral("newRunButton"));
    connect(add, &QPushButton::clicked, this, [this] { m_session->showPage(PageId::train); });
    m_empty->setContent({}, tr("There are no runs here yet."));

    auto* bottom = new QHBoxLayout;
    bottom->setContentsMargins(12, theme::kGrid, 12, 12);
    bottom->addWidget(add);
    bottom->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_empty, 1);
    layout->addLayout(bottom);
    setMinimumWidth(qMax(180, RunDelegate::usualWidth()));

    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
        if (now.isValid()) m_session->setCurrentRun(now.data(RunsModel::KeyRole).toString());
    });
    connect(m_session, &Session::currentRunChanged, this, [this] { followSession(); });
    connect(m_session, &Session::runsChanged, this, [this] { followSession(); });
    followSession();
}

void RunsPanel::followSession() {
    const bool any = m_model->rowCount() > 0;
    m_view->setVisible(any);
    m_empty->setVisible(!any);
    const RunEntry* run = m_session->currentRun();
    const QModelIndex index = run != nullptr ? m_model->indexOf(run->key) : QModelIndex();
    if (index.isValid() && index != m_view->currentIndex()) m_view->setCurrentIndex(index);
}

void RunsPanel::contextMenuEvent(QContextMenuEvent* event) {
    const QModelIndex index = m_view->indexAt(m_view->viewport()->mapFromGlobal(event->globalPos()));
    const RunEntry* run = m_session->findRun(index.data(RunsModel::KeyRole).toString());
    if (run == nullptr) return;
    const QString key = run->key;
    QMenu menu(this);
    menu.addAction(tr("Show only this"), this, [this, key] { m_session->setShownOnly({key}); });
    menu.addAction(tr("Show all"), this, [this] {
        QStringList all;
        for (const RunEntry& other : m_session->runs()) all << other.key;
        m_session->setShownOnly(all);
    });
    menu.addSeparator();
    menu.addAction(tr("Open maps"), this, [this, key] {
        m_session->setCurrentRun(key);
        m_session->showPage(PageId::maps);
    });
    QAction* evaluate = menu.addAction(tr("Evaluate"), this, [this, key] { m_session->evaluateRuns({key}); });
    evaluate->setEnabled(!run->isTask());  // those have no perplexity; the Tasks page measures them
    menu.addAction(tr("New run from this recipe…"), this, [this, recipe = run->info.recipe] { m_session->requestRecipe(recipe); });
    menu.addAction(tr("Open folder"), this, [key] { QDesktopServices::openUrl(QUrl::fromLocalFile(key)); });
    menu.addSeparator();
    QAction* remove = menu.addAction(tr("Delete…"), this, [this, key] { deleteRun(key); });
    remove->setEnabled(!run->info.demo);
    menu.exec(event->globalPos());
}

/// The one question of the program that must be answered: files are lost by it.
void RunsPanel::deleteRun(const QString& key) {
    const RunEntry* run = m_session->findRun(key);
    if (run == nullptr) return;
    const QString question = tr("Delete the run %1 with its checkpoints and evaluations? It cannot be brought back.").arg(run->title());
    if (QMessageBox::question(this, tr("Delete run"), question, QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Cancel) != QMessageBox::Yes)
        return;
    const auto status = m_session->deleteRun(run->info.folder);
    if (!status.ok()) m_session->report(status.error(), tr("Deleting a run"));
    m_session->reloadRuns();
}

}  // namespace lw::ui
