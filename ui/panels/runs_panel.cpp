/// See runs_panel.h.
#include "ui/panels/runs_panel.h"

#include "ui/models/runs_model.h"
#include "ui/panels/empty_state.h"
#include "ui/panels/run_delegate.h"
#include "ui/theme.h"

#include <QContextMenuEvent>
#include <QDesktopServices>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollBar>
#include <QUrl>
#include <QVBoxLayout>

namespace lw::ui {

RunsPanel::RunsPanel(Session* session, QWidget* parent)
    : QWidget(parent), m_session(session), m_model(new RunsModel(session, this)), m_caption(new QLabel(tr("validation perplexity"), this)),
      m_view(new QListView(this)), m_empty(new EmptyState(this)) {
    m_caption->setObjectName(QStringLiteral("runsCaption"));
    m_caption->setFont(theme::caption());
    m_caption->setForegroundRole(QPalette::PlaceholderText);
    m_caption->setAlignment(Qt::AlignRight);
    m_caption->setContentsMargins(12, 0, 12, 2);
    m_caption->setToolTip(tr("The lowest perplexity on the validation text while a run trained, over windows of its training length; of several seeds their mean. "
                             "Curves shows perplexities on the test text, which are others."));
    buildView();
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
    layout->addWidget(m_caption);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_empty, 1);
    layout->addLayout(bottom);
    setMinimumWidth(qMax(180, RunDelegate::usualWidth()));
    followSession();
}

void RunsPanel::buildView() {
    m_view->setObjectName(QStringLiteral("runsView"));
    m_view->setAccessibleName(tr("Runs"));
    m_view->setModel(m_model);
    m_view->setItemDelegate(new RunDelegate(m_view));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setMouseTracking(true);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->viewport()->setBackgroundRole(QPalette::Window);
    m_view->installEventFilter(this);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
        if (now.isValid()) m_session->setCurrentRun(now.data(RunsModel::KeyRole).toString());
    });
    connect(m_session, &Session::currentRunChanged, this, [this] { followSession(); });
    connect(m_session, &Session::runsChanged, this, [this] { followSession(); });
    // What a person opened stays where it was on the screen.
    connect(m_model, &QAbstractItemModel::modelAboutToBeReset, this, [this] { m_scrolled = m_view->verticalScrollBar()->value(); });
    connect(m_model, &RunsModel::openChanged, this, [this] {
        followSession();
        m_view->doItemsLayout();
        m_view->verticalScrollBar()->setValue(m_scrolled);
    });
}

void RunsPanel::followSession() {
    const bool any = m_model->rowCount() > 0;
    m_view->setVisible(any);
    m_caption->setVisible(any);
    m_empty->setVisible(!any);
    const RunEntry* run = m_session->currentRun();
    const QModelIndex index = run != nullptr ? m_model->indexOf(run->key) : QModelIndex();
    if (index.isValid() && index != m_view->currentIndex()) m_view->setCurrentIndex(index);
}

bool RunsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_view || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const QModelIndex index = m_view->currentIndex();
    if ((key != Qt::Key_Left && key != Qt::Key_Right) || !index.isValid()) return QWidget::eventFilter(watched, event);
    const QString run = index.data(RunsModel::KeyRole).toString();
    // From a seed, left closes the heading it is under.
    for (int r = index.row(); r >= 0; --r) {
        const QModelIndex row = m_model->index(r);
        const bool heading = static_cast<RunsModel::Kind>(row.data(RunsModel::KindRole).toInt()) == RunsModel::Kind::heading;
        if (!heading || !row.data(RunsModel::KeysRole).toStringList().contains(run)) continue;
        if (key == Qt::Key_Left || r == index.row()) m_model->setData(row, key == Qt::Key_Right, RunsModel::OpenRole);
        break;
    }
    return true;
}

void RunsPanel::contextMenuEvent(QContextMenuEvent* event) {
    const QModelIndex index = m_view->indexAt(m_view->viewport()->mapFromGlobal(event->globalPos()));
    const RunEntry* run = m_session->findRun(index.data(RunsModel::KeyRole).toString());
    if (run == nullptr) return;
    QMenu menu(this);
    fillGroupMenu(menu, index.data(RunsModel::KeysRole).toStringList());
    const bool heading = static_cast<RunsModel::Kind>(index.data(RunsModel::KindRole).toInt()) == RunsModel::Kind::heading;
    if (heading) {
        const bool open = index.data(RunsModel::OpenRole).toBool();
        menu.addSeparator();
        menu.addAction(open ? tr("Hide the seeds") : tr("List the seeds"), this, [this, row = QPersistentModelIndex(index), open] { m_model->setData(row, !open, RunsModel::OpenRole); });
    } else {
        fillRunMenu(menu, *run);
    }
    menu.exec(event->globalPos());
}

/// What can be done with one run and with several seeds alike.
void RunsPanel::fillGroupMenu(QMenu& menu, const QStringList& keys) {
    menu.addAction(tr("Show only this"), this, [this, keys] { m_session->setShownOnly(keys); });
    menu.addAction(tr("Show all"), this, [this] {
        QStringList all;
        for (const RunEntry& other : m_session->runs()) all << other.key;
        m_session->setShownOnly(all);
    });
    menu.addSeparator();
    const RunEntry* run = m_session->findRun(keys.front());
    QAction* evaluate = menu.addAction(tr("Evaluate"), this, [this, keys] { m_session->evaluateRuns(keys); });
    evaluate->setEnabled(!run->isTask());  // those have no perplexity; the Tasks page measures them
    menu.addAction(tr("New run from this recipe…"), this, [this, recipe = run->info.recipe] { m_session->requestRecipe(recipe); });
}

void RunsPanel::fillRunMenu(QMenu& menu, const RunEntry& run) {
    const QString key = run.key;
    menu.addAction(tr("Open maps"), this, [this, key] {
        m_session->setCurrentRun(key);
        m_session->showPage(PageId::maps);
    });
    menu.addAction(tr("Open folder"), this, [key] { QDesktopServices::openUrl(QUrl::fromLocalFile(key)); });
    menu.addSeparator();
    QAction* remove = menu.addAction(tr("Delete…"), this, [this, key] { deleteRun(key); });
    remove->setEnabled(!run.info.demo);
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
