/// See job_status.h.
#include "ui/panels/job_status.h"

#include "ui/panels/job_text.h"
#include "ui/theme.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace lw::ui {

namespace {

QProgressBar* makeBar(QWidget* parent) {
    auto* bar = new QProgressBar(parent);
    bar->setTextVisible(false);
    bar->setFixedWidth(160);
    return bar;
}

void showProgress(QProgressBar* bar, const lw::Progress& progress) {
    const int permille = progressPermille(progress);
    bar->setRange(0, 1000);
    bar->setValue(qMax(0, permille));
}

QString headline(const JobInfo& job) {
    const QString stage = QString::fromStdString(job.progress.stage);
    if (job.state == JobState::queued) return JobStatus::tr("%1 · waiting").arg(job.title);
    if (job.state == JobState::stopping) return JobStatus::tr("%1 · stopping").arg(job.title);
    // "Training" says nothing more than the title does.
    return stage.isEmpty() || job.title.startsWith(stage) ? job.title : JobStatus::tr("%1 · %2").arg(job.title, stage);
}

}  // namespace

JobStatus::JobStatus(ComputeThread* compute, QWidget* parent)
    : QWidget(parent), m_compute(compute), m_title(new QLabel(this)), m_bar(makeBar(this)), m_numbers(new QLabel(this)), m_cancel(new QToolButton(this)) {
    setObjectName(QStringLiteral("jobStatus"));
    m_title->setObjectName(QStringLiteral("jobTitle"));
    m_cancel->setObjectName(QStringLiteral("jobCancel"));
    m_cancel->setText(tr("Cancel"));
    for (QLabel* label : {m_title, m_numbers}) label->setFont(theme::caption());
    m_cancel->setFont(theme::caption());
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_title, m_bar, m_numbers, m_cancel}) {
        layout->addWidget(widget);
        QSizePolicy policy = widget->sizePolicy();
        policy.setRetainSizeWhenHidden(widget == m_cancel);
        widget->setSizePolicy(policy);
    }
    layout->addStretch();
    connect(m_cancel, &QToolButton::clicked, this, [this] {
        m_compute->cancel(m_job);
        refresh();
    });
    connect(m_compute, &ComputeThread::jobsChanged, this, [this] { refresh(); });
    connect(m_compute, &ComputeThread::progressChanged, this, [this] { refresh(); });
    refresh();
}

/// The running long job; else an interactive one that is worth naming.
void JobStatus::refresh() {
    std::optional<JobInfo> shown;
    for (const JobInfo& job : m_compute->jobs())
        if (!job.title.isEmpty() && (!shown || (job.isLong() && !shown->isLong()))) shown = job;
    const JobId job = shown ? shown->id : 0;
    if (std::exchange(m_job, job) != job)
        for (QLabel* label : {m_title, m_numbers}) label->setMinimumWidth(0);
    m_title->setText(shown ? headline(*shown) : QString());
    m_numbers->setText(shown ? progressText(shown->progress) : QString());
    m_bar->setVisible(shown.has_value());
    m_cancel->setVisible(shown.has_value());
    if (!shown) return;
    showProgress(m_bar, shown->progress);
    m_cancel->setEnabled(shown->state != JobState::stopping);
    // Room grows with the longest text and is kept, so that nothing beside it moves while numbers change.
    for (QLabel* label : {m_title, m_numbers}) label->setMinimumWidth(qMax(label->minimumWidth(), label->sizeHint().width()));
}

void JobStatus::mousePressEvent(QMouseEvent*) { Q_EMIT panelRequested(); }

struct JobsPanel::Row {
    JobId id = 0;
    QLabel* title = nullptr;
    QProgressBar* bar = nullptr;
    QLabel* numbers = nullptr;
    QToolButton* cancel = nullptr;
};

JobsPanel::JobsPanel(ComputeThread* compute, QWidget* parent) : QWidget(parent), m_compute(compute) {
    setObjectName(QStringLiteral("jobsPanel"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    connect(m_compute, &ComputeThread::jobsChanged, this, [this] { rebuild(); });
    connect(m_compute, &ComputeThread::progressChanged, this, [this] { refresh(); });
    rebuild();
}

/// Rows are made anew only when the set of jobs changed.
void JobsPanel::rebuild() {
    std::vector<JobInfo> jobs;
    for (const JobInfo& job : m_compute->jobs())
        if (!job.title.isEmpty()) jobs.push_back(job);
    const auto same = std::equal(jobs.begin(), jobs.end(), m_rows.begin(), m_rows.end(), [](const JobInfo& job, const auto& row) { return job.id == row->id; });
    if (same && layout()->count() > 0) return refresh();
    while (QLayoutItem* item = layout()->takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->hide();  // not under the new ones until it goes
            item->widget()->deleteLater();
        }
        delete item;
    }
    m_rows.clear();
    auto* box = static_cast<QVBoxLayout*>(layout());
    for (const JobInfo& job : jobs) {
        auto row = std::make_shared<Row>();
        auto* widget = new QWidget(this);
        auto* grid = new QGridLayout(widget);
        grid->setContentsMargins(0, 0, 0, 0);
        grid->setVerticalSpacing(4);
        row->id = job.id;
        row->title = new QLabel(widget);
        row->bar = makeBar(widget);
        row->bar->setMaximumWidth(QWIDGETSIZE_MAX);
        row->bar->setMinimumWidth(80);
        row->numbers = new QLabel(widget);
        row->numbers->setFont(theme::caption());
        row->cancel = new QToolButton(widget);
        row->cancel->setText(tr("Cancel"));
        grid->addWidget(row->title, 0, 0);
        grid->addWidget(row->cancel, 0, 1, 2, 1);
        grid->addWidget(row->bar, 1, 0);
        grid->addWidget(row->numbers, 2, 0, 1, 2);
        connect(row->cancel, &QToolButton::clicked, this, [this, id = job.id] { m_compute->cancel(id); });
        box->addWidget(widget);
        m_rows.push_back(row);
    }
    if (jobs.empty()) {
        auto* none = new QLabel(tr("Nothing is running."), this);
        none->setForegroundRole(QPalette::PlaceholderText);
        box->addWidget(none);
    }
    box->addStretch();
    refresh();
}

void JobsPanel::refresh() {
    for (const JobInfo& job : m_compute->jobs())
        for (const auto& row : m_rows) {
            if (row->id != job.id) continue;
            row->title->setText(headline(job));
            row->numbers->setText(progressText(job.progress));
            row->cancel->setEnabled(job.state != JobState::stopping);
            showProgress(row->bar, job.progress);
        }
}

}  // namespace lw::ui
