#pragma once
/// Left dock: the runs. Tick = in the plots; selected = the run of the maps and details.

#include "ui/session.h"

#include <QWidget>

class QListView;

namespace lw::ui {

class EmptyState;
class RunsModel;

class RunsPanel : public QWidget {
    Q_OBJECT
public:
    explicit RunsPanel(Session* session, QWidget* parent = nullptr);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void followSession();
    void deleteRun(const QString& key);

    Session* m_session;
    RunsModel* m_model;
    QListView* m_view;
    EmptyState* m_empty;
};

}  // namespace lw::ui
