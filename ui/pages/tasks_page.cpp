/// See tasks_page.h.
#include "ui/pages/tasks_page.h"

#include "ui/forms/param_form.h"
#include "ui/forms/save_figure.h"
#include "ui/panels/empty_state.h"
#include "ui/plot/curve_plot.h"
#include "ui/session.h"
#include "ui/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

namespace lw::ui {

namespace {

constexpr std::int64_t kLongest = 4096;
constexpr std::int64_t kExamples = 256;

std::vector<std::int64_t> lengthsFrom(std::int64_t trained) {
    std::vector<std::int64_t> lengths;
    for (std::int64_t length = std::max<std::int64_t>(16, trained / 2); length <= std::max(kLongest, trained); length *= 2) lengths.push_back(length);
    return lengths;
}

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
    connect(this->session(), &Session::runsChanged, this, [this] { draw(); });
    connect(this->session(), &Session::shownRunsChanged, this, [this] { draw(); });
    if (m_list->count() > 0) m_list->setCurrentRow(0);
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
    m_list->setFixedHeight(qMax(1, m_list->count()) * (m_list->sizeHintForRow(0) + 4) + 4);
    m_summary = new QLabel(panel);
    m_summary->setObjectName(QStringLiteral("taskSummary"));
    m_summary->setWordWrap(true);
    m_params = new ParamForm(panel);
    auto* train = new QPushButton(tr("Train on this task…"), panel);
    train->setObjectName(QStringLiteral("trainOnTask"));
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(16, 12, 8, 16);
    layout->setSpacing(theme::kGrid * 2);
    layout->addWidget(m_list);
    layout->addWidget(m_summary);
    layout->addWidget(m_params);
    layout->addWidget(train, 0, Qt::AlignLeft);
    layout->addStretch();
    panel->setMinimumWidth(320);
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) { choose(row); });
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
    auto* bar = new QHBoxLayout;
    auto* heading = new QLabel(tr("Accuracy against length"), panel);
    heading->setFont(theme::title());
    bar->addWidget(heading);
    bar->addStretch();
    bar->addWidget(m_evaluate);
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(theme::kGrid);
    layout->addLayout(bar);
    layout->addWidget(m_plot, 1);
    layout->addWidget(m_empty, 1);
    connect(m_evaluate, &QPushButton::clicked, this, [this] { evaluate(); });
    connect(m_plot, &CurvePlot::exportRequested, this, [this] { exportFigure(); });
    return panel;
}

void TasksPage::choose(int row) {
    if (row < 0 || row >= static_cast<int>(lw::tasks().size())) return;
    const lw::TaskInfo& task = lw::tasks()[static_cast<std::size_t>(row)];
    m_summary->setText(QString::fromStdString(task.summary));
    m_params->setSpecs(task.params);
    draw();
}

void TasksPage::trainOnTask() {
    const int row = m_list->currentRow();
    if (row < 0) return;
    lw::Recipe recipe;
    if (const auto scheme = lw::find_scheme("dape-kerple"); scheme.ok()) recipe.scheme = scheme.value();
    recipe.data.source = "task:" + lw::tasks()[static_cast<std::size_t>(row)].id;
    recipe.data.task = m_params->values();
    session()->requestRecipe(recipe);
}

QStringList TasksPage::runsOfTask(bool shownOnly) const {
    QStringList keys;
    const int row = m_list->currentRow();
    if (row < 0) return keys;
    const std::string source = "task:" + lw::tasks()[static_cast<std::size_t>(row)].id;
    for (const RunEntry& run : session()->runs())
        if (run.info.recipe.data.source == source && !run.info.checkpoints.empty() && (run.shown || !shownOnly)) keys << run.key;
    return keys;
}

void TasksPage::evaluate() {
    for (const QString& key : runsOfTask(true)) evaluateRun(key);
}

void TasksPage::evaluateRun(const QString& key) {
    const RunEntry* run = session()->findRun(key);
    const QString title = tr("Evaluating %1 on its task").arg(run->title());
    session()->compute().enqueue<std::vector<lw::TaskPoint>>(
        title,
        [folder = run->info.folder, lengths = lengthsFrom(run->info.recipe.training.length)](const lw::RunContext& context) {
            return lw::evaluate_task(folder, lengths, kExamples, context);
        },
        this,
        [this, key, title](lw::Result<std::vector<lw::TaskPoint>> points) {
            if (!points.ok()) return session()->report(points.error(), title);
            m_results[key] = std::move(points).value();
            draw();
        });
}

void TasksPage::draw() {
    const QStringList keys = runsOfTask(true);
    m_evaluate->setEnabled(!keys.isEmpty());
    CurveContent content;
    content.xLabel = tr("length T (tokens)");
    content.yLabel = tr("share of answers right");
    for (const QString& key : keys) {
        const auto found = m_results.find(key);
        const RunEntry* run = session()->findRun(key);
        if (found == m_results.end()) continue;
        CurveSeries series;
        series.title = run->title();
        series.style = run->style;
        for (const lw::TaskPoint& point : found->second) {
            series.x.push_back(static_cast<double>(point.length));
            series.y.push_back(point.token_accuracy);
            series.low.push_back(point.low);
            series.high.push_back(point.high);
        }
        content.trainLength = static_cast<double>(run->info.recipe.training.length);
        content.series.push_back(std::move(series));
    }
    if (content.trainLength > 0) content.marks.push_back({content.trainLength, tr("trained at L = %1").arg(static_cast<int>(content.trainLength))});
    m_plot->setVisible(!content.series.empty());
    m_empty->setVisible(content.series.empty());
    if (!content.series.empty()) return m_plot->setContent(content);
    if (!keys.isEmpty()) {
        m_empty->setContent(tr("Not measured yet"), tr("Measures how many answers are right from half the training length up to %1 tokens.").arg(kLongest), tr("Evaluate"), [this] { evaluate(); });
    } else if (!runsOfTask(false).isEmpty()) {
        m_empty->setContent(tr("No run is ticked"), tr("Tick a run of this task in the list of runs."));
    } else {
        m_empty->setContent(tr("No run of this task yet"), tr("Train a model on it; its accuracy at longer lengths appears here."), tr("Train on this task…"), [this] { trainOnTask(); });
    }
}

void TasksPage::copyFigure() { m_plot->copyToClipboard(); }
void TasksPage::exportFigure() { saveCurveFigure(*m_plot, tr("accuracy"), {}, session(), this); }

}  // namespace lw::ui
