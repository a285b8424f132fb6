#pragma once
/// In the status bar: the running job, its progress, time left and Cancel. Keeps its size while values change.

#include "ui/jobs/compute_thread.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QToolButton;

namespace lw::ui {

class JobStatus : public QWidget {
    Q_OBJECT
public:
    explicit JobStatus(ComputeThread* compute, QWidget* parent = nullptr);

Q_SIGNALS:
    void panelRequested();

protected:
    void mousePressEvent(QMouseEvent* event) override;

private:
    void refresh();

    ComputeThread* m_compute;
    QLabel* m_title;
    QProgressBar* m_bar;
    QLabel* m_numbers;
    QToolButton* m_cancel;
    JobId m_job = 0;
};

/// All running and waiting jobs, one row each.
class JobsPanel : public QWidget {
    Q_OBJECT
public:
    explicit JobsPanel(ComputeThread* compute, QWidget* parent = nullptr);

private:
    struct Row;
    void rebuild();
    void refresh();

    ComputeThread* m_compute;
    std::vector<std::shared_ptr<Row>> m_rows;
};

}  // namespace lw::ui
