/// See tasks_page.h; which task is shown is in tasks_choice.cpp.
#include "ui/pages/tasks_page.h"

#include "ui/forms/param_form.h"
#include "ui/forms/save_figure.h"
#include "ui/pages/tasks_content.h"
#include "ui/panels/empty_state.h"
#include "ui/plot/curve_plot.h"
#include "ui/plot/depth_map.h"
#include "ui/plot/number_text.h"
#include "ui/plot/segmented.h"
#include "ui/session.h"
#include "ui/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace lw::ui {

namespace {

constexpr std::int64_t kExamples = 256;
constexpr int kListRows = 12, kFewestRows = 3;
constexpr int kExampleRows = 5;
enum View { kByLength, kByPlace };

}  // namespace

TasksPage::TasksPage(Session* session, QWidget* parent) : Page(session, parent) {
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(buildList());
    splitter->addWidget(buildPlot());
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({360, 740});
    splitter->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(splitter);
    connect(this->session(), &Session::runsChanged, this, [this] {
        openOnRun();
        readResults();
        draw();
    });
    connect(this->session(), &Session::shownRunsChanged, this, [this] { draw(); });
    restoreTask();
    readResults();
    draw();
}

QWidget* TasksPage::buildList() {
    auto* panel = new QWidget(this);
    m_list = new QListWidget(panel);
    m_list->setObjectName(QStringLiteral("taskList"));
    m_list->setAccessibleName(tr("Tasks"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->viewport()->setBackgroundRole(QPalette::Window);
    for (const lw::TaskInfo& task : lw::tasks()) m_list->addItem(QString::fromStdString(task.name));
    // In a low window the list gives way first: it scrolls, and what stands below it does not.
    const auto heightOf = [this](int rows) { return qBound(1, m_list->count(), rows) * (m_list->sizeHintForRow(0) + 4) + 4; };
    m_list->setMinimumHeight(heightOf(kFewestRows));
    m_list->setMaximumHeight(heightOf(kListRows));
    m_summary = new QLabel(panel);
    m_summary->setObjectName(QStringLiteral("taskSummary"));
    m_summary->setWordWrap(true);
    m_params = new ParamForm(panel);
    auto* train = new QPushButton(tr("Train on this task…"), panel);
    train->setObjectName(QStringLiteral("trainOnTask"));
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(16, 12, 8, 16);
    layout->setSpacing(theme::kGrid * 2);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_summary);
    layout->addWidget(m_params);
    layout->addWidget(train, 0, Qt::AlignLeft);
    layout->addStretch();
    panel->setMinimumWidth(320);
    connect(m_list, &QListWidget::currentRowChanged, this, [this] {
        rememberTask();
        choose();
    });
    connect(m_params, &ParamForm::edited, this, [this] { showExample(); });
    connect(train, &QPushButton::clicked, this, [this] { trainOnTask(); });
    return panel;
}

QWidget* TasksPage::buildPlot() {
    auto* panel = new QWidget(this);
    m_evaluate = new QPushButton(tr("Evaluate"), panel);
    m_evaluate->setObjectName(QStringLiteral("evaluateTask"));
    m_plot = new CurvePlot(panel);
    m_plot->setObjectName(QStringLiteral("accuracyPlot"));
    m_plot->setLogY(false);
    m_empty = new EmptyState(panel);
    m_shares = new QLabel(panel);
    m_shares->setObjectName(QStringLiteral("taskShares"));
    m_shares->setWordWrap(true);
    m_shares->setFont(theme::caption());
    m_example = new QPlainTextEdit(panel);
    m_example->setObjectName(QStringLiteral("taskExample"));
    m_example->setAccessibleName(tr("Example"));
    m_example->setReadOnly(true);
    m_example->setFrameShape(QFrame::NoFrame);
    m_example->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_example->setFont(theme::monospace());
    m_example->setFixedHeight(kExampleRows * m_example->fontMetrics().lineSpacing() + 16);
    auto* bar = new QHBoxLayout;
    m_heading = new QLabel(panel);
    m_heading->setFont(theme::title());
    m_view = new Segmented(panel);
    m_view->setObjectName(QStringLiteral("taskView"));
    m_view->add(kByLength, tr("Length"), tr("Accuracy against length"));
    m_view->add(kByPlace, tr("Length × place"), tr("Accuracy by length and by the place of what is asked"));
    m_view->setCurrent(kByLength);
    m_depths = new DepthMap(panel);
    m_depths->setObjectName(QStringLiteral("depthMap"));
    bar->addWidget(m_heading);
    bar->addStretch();
    bar->addWidget(m_view);
    bar->addWidget(m_evaluate);
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(theme::kGrid);
    layout->addLayout(bar);
    layout->addWidget(m_plot, 1);
    layout->addWidget(m_depths, 1);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_shares);
    layout->addWidget(m_example);
    connect(m_evaluate, &QPushButton::clicked, this, [this] { evaluate(); });
    connect(m_view, &Segmented::chosen, this, [this] { draw(); });
    connect(m_plot, &CurvePlot::exportRequested, this, [this] { exportFigure(); });
    return panel;
}

QStringList TasksPage::runsOf(const lw::TaskInfo& task, bool shownOnly) const {
    QStringList keys;
    const std::string source = "task:" + task.id;
    for (const RunEntry& run : session()->runs())
        if (run.info.recipe.data.source == source && !run.info.checkpoints.empty() && (run.shown || !shownOnly)) keys << run.key;
    return keys;
}

QStringList TasksPage::runsOfTask(bool shownOnly) const { return task() == nullptr ? QStringList() : runsOf(*task(), shownOnly); }

void TasksPage::evaluate() {
    for (const QString& key : runsOfTask(true)) evaluateRun(key);
}

void TasksPage::evaluateRun(const QString& key) {
    const RunEntry* run = session()->findRun(key);
    const QString title = tr("Evaluating %1 on its task").arg(run->title());
    session()->compute().enqueue<lw::TaskEvaluation>(
        title,
        [folder = run->info.folder](const lw::RunContext& context) {
            return lw::evaluate_task(folder, {}, kExamples, -1, context);  // at the task's usual lengths
        },
        this,
        [this, key, title](lw::Result<lw::TaskEvaluation> evaluation) {
            if (!evaluation.ok()) return session()->report(evaluation.error(), title);
            m_results[key] = std::move(evaluation).value();
            draw();
        });
}

/// What was measured before lies with the runs.
void TasksPage::readResults() {
    std::vector<std::pair<QString, std::filesystem::path>> folders;
    for (const RunEntry& run : session()->runs())
        if (run.info.recipe.data.source.rfind("task:", 0) == 0 && !m_results.contains(run.key)) folders.emplace_back(run.key, run.info.folder);
    if (folders.empty()) return;
    using Results = std::map<QString, lw::TaskEvaluation>;
    session()->compute().run<Results>(
        QStringLiteral("task results"),
        [folders](const lw::RunContext&) -> lw::Result<Results> {
            Results results;
            for (const auto& [key, folder] : folders)
                if (const auto read = lw::read_task_evaluation(folder); read.ok() && read.value()) results[key] = *read.value();
            return results;
        },
        this,
        [this](lw::Result<Results> results) {
            if (!results.ok() || results.value().empty()) return;
            m_results.merge(std::move(results).value());
            draw();
        });
}

std::vector<MeasuredTask> TasksPage::measuredRuns(const QStringList& keys) const {
    std::vector<MeasuredTask> runs;
    for (const QString& key : keys) {
        const auto found = m_results.find(key);
        const RunEntry* run = session()->findRun(key);
        if (found != m_results.end() && run != nullptr) runs.push_back({run->title(), run->style, found->second});
    }
    return runs;
}

bool TasksPage::showsDepths() const { return m_view->isVisibleTo(this) && m_view->current() == kByPlace; }

void TasksPage::draw() {
    const QStringList keys = runsOfTask(true);
    const std::vector<MeasuredTask> runs = measuredRuns(keys);
    m_shares->setText(taskShares(runs));
    m_shares->setVisible(!m_shares->text().isEmpty());
    m_evaluate->setEnabled(!keys.isEmpty());
    const CurveContent curves = taskCurves(runs);
    std::vector<DepthGrid> depths = taskDepths(runs);
    m_view->setVisible(!depths.empty());
    m_depths->setGrids(std::move(depths));
    m_plot->setContent(curves);
    m_plot->setVisible(!curves.series.empty() && !showsDepths());
    m_depths->setVisible(!curves.series.empty() && showsDepths());
    m_heading->setText(showsDepths() ? tr("Accuracy by length and place") : tr("Accuracy against length"));
    m_empty->setVisible(curves.series.empty());
    if (curves.series.empty()) showEmpty(!keys.isEmpty());
    if (isVisible()) describeTask();
}

void TasksPage::showEmpty(bool measurable) {
    if (measurable) {
        m_empty->setContent(tr("Not measured yet"), tr("Measures how many answers are right, at the training length and beyond it."), tr("Evaluate"), [this] { evaluate(); });
    } else if (!runsOfTask(false).isEmpty()) {
        m_empty->setContent(tr("No run is ticked"), tr("Tick a run of this task in the list of runs."));
    } else {
        m_empty->setContent(tr("No run of this task yet"), tr("Train a model on it; its accuracy at longer lengths appears here."), tr("Train on this task…"), [this] { trainOnTask(); });
    }
}

bool TasksPage::canExport() const { return !m_plot->content().series.empty(); }

void TasksPage::copyFigure() {
    if (!canExport()) return;
    if (showsDepths()) {
        QGuiApplication::clipboard()->setPixmap(m_depths->grab());
        return session()->notice(tr("Copied the picture."));
    }
    m_plot->copyToClipboard();
    session()->notice(tr("Copied the picture and its numbers."));
}

/// With the recipes of the runs that are drawn.
void TasksPage::exportFigure() {
    if (!canExport()) return;
    QJsonArray runs;
    for (const QString& key : runsOfTask(true))
        if (const RunEntry* run = session()->findRun(key); run && m_results.contains(key)) runs.append(QJsonDocument::fromJson(QByteArray::fromStdString(lw::recipe_json(run->info.recipe))).object());
    const QJsonObject state{{QStringLiteral("figure"), QStringLiteral("task accuracy")}, {QStringLiteral("recipes"), runs}};
    if (showsDepths()) return exportDepths(QJsonDocument(state).toJson().toStdString());
    exportCurves(*m_plot, {tr("accuracy"), m_list->currentItem() ? m_list->currentItem()->text() : QString(), QJsonDocument(state).toJson().toStdString()}, session(), this);
}

void TasksPage::exportDepths(const std::string& state) {
    FigureOptions start = exportOptions(session()->settings(), tr("accuracy by place"));
    start.state = state;
    start.title = m_list->currentItem() ? m_list->currentItem()->text().toStdString() : std::string();
    std::vector<lw::TaskEvaluation> evaluations;
    for (const MeasuredTask& run : measuredRuns(runsOfTask(true))) {
        evaluations.push_back(run.measured);
        start.panel_titles.push_back(run.title.toStdString());
    }
    exportWith(start, [evaluations](const FigureOptions& options) { return render_depth_figure(evaluations, options); }, session(), this);
}

}  // namespace lw::ui
