#pragma once
/// Left dock: the runs. Tick = in the plots; selected = the run of the maps and details.

#include "ui/session.h"

#include <QWidget>

class QLabel;
class QListView;
class QMenu;

namespace lw::ui {

class EmptyState;
class RunsModel;

class RunsPanel : public QWidget {
    Q_OBJECT
public:
    explicit RunsPanel(Session* session, QWidget* parent = nullptr);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    /// Right and left open and close the seeds of a heading, as in trees.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildView();
    void followSession();
    void fillGroupMenu(QMenu& menu, const QStringList& keys);
    void fillRunMenu(QMenu& menu, const RunEntry& run);
    void deleteRun(const QString& key);

    Session* m_session;
    RunsModel* m_model;
    QLabel* m_caption;  ///< what the numbers at the right are
    QListView* m_view;
    int m_scrolled = 0; ///< before rows of a heading came or went
    EmptyState* m_empty;
};

}  // namespace lw::ui
