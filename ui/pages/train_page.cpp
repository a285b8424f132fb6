/// See train_page.h. Building it and what it remembers are in train_page_setup.cpp.
#include "ui/pages/train_page.h"

#include "ui/forms/data_form.h"
#include "ui/forms/recipe_form.h"
#include "ui/forms/save_figure.h"
#include "ui/jobs/training.h"
#include "ui/pages/train_live_map.h"
#include "ui/panels/job_status.h"
#include "ui/panels/job_text.h"
#include "ui/plot/curve_plot.h"
#include "ui/plot/number_text.h"
#include "ui/theme.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>
#include <QSplitter>
#include <QTimer>
#include <QVBoxLayout>

namespace lw::ui {

namespace {

constexpr int kNarrow = 900;
constexpr int kWide = 1500;  // of the page: below it the loss needs the whole width
constexpr int kFormWidth = 420;
constexpr int kScrollBar = 12;
constexpr std::size_t kManyPoints = 40;
constexpr int kEstimateDelay = 120;  // a slider moves many times a second; the estimate follows when it rests

QString gigabytes(std::int64_t bytes) {
    const double value = static_cast<double>(bytes) / 1e9;
    return TrainPage::tr("%1 GB").arg(numberText(value, value < 10 ? 2 : 1));
}

/// Raw losses as they are; the validation loss with markers, because it is measured seldom.
CurveContent lossContent(const std::vector<lw::LogPoint>& log, int style) {
    CurveContent content;
    content.logTwoX = false;
    content.xLabel = TrainPage::tr("step");
    content.xName = TrainPage::tr("step");
    content.yLabel = TrainPage::tr("loss (nats per token)");
    CurveSeries training, validation;
    training.title = TrainPage::tr("training");
    training.style = style;
    training.markers = false;
    training.faint = true;
    validation.title = TrainPage::tr("validation");
    validation.style = style;
    validation.dashed = true;
    for (const lw::LogPoint& point : log) {
        training.x.push_back(static_cast<double>(point.step));
        training.y.push_back(point.loss);
        if (!point.validation_loss) continue;
        validation.x.push_back(static_cast<double>(point.step));
        validation.y.push_back(*point.validation_loss);
    }
    validation.markers = validation.x.size() <= kManyPoints;
    if (!training.x.empty()) content.series.push_back(std::move(training));
    if (!validation.x.empty()) content.series.push_back(std::move(validation));
    return content;
}

}  // namespace

TrainPage::TrainPage(Session* session, QWidget* parent)
    : Page(session, parent), m_form(new RecipeForm(session)), m_training(new Training(session, this)), m_estimateTimer(new QTimer(this)), m_saveTimer(new QTimer(this)) {
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("recipeScroll"));
    scroll->setWidget(m_form);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumWidth(m_form->minimumSizeHint().width() + kScrollBar);
    m_splitter = new QSplitter(Qt::Horizontal, this);
    m_splitter->addWidget(scroll);
    m_splitter->addWidget(buildMonitor());
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({kFormWidth, 700});
    m_splitter->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_splitter);

    m_estimateTimer->setSingleShot(true);
    m_estimateTimer->setInterval(kEstimateDelay);
    connect(m_estimateTimer, &QTimer::timeout, this, [this] { estimate(); });
    connect(m_form, &RecipeForm::edited, m_estimateTimer, qOverload<>(&QTimer::start));
    connect(m_form, &RecipeForm::edited, this, [this] { refreshButtons(); });
    connect(this->session(), &Session::recipeRequested, this, [this](const lw::Recipe& recipe) {
        m_form->setRecipe(recipe);
        this->session()->showPage(PageId::train);
    });
    connect(this->session(), &Session::schemeRequested, this, [this](const lw::SchemeSpec& scheme) {
        lw::Recipe recipe = m_form->recipe();
        recipe.name.clear();  // the title was of another scheme
        recipe.scheme = scheme;
        m_form->setRecipe(recipe);
        this->session()->showPage(PageId::train);
    });
    connect(this->session(), &Session::currentRunChanged, this, [this] {
        refreshButtons();
        showCurrentLog();
    });
    connect(this->session(), &Session::runsChanged, this, [this] { refreshButtons(); });
    connectTraining();
    connect(m_live, &TrainLiveMap::requestChanged, this, [this] { m_training->setLiveMap(m_live->request()); });
    m_training->setLiveMap(m_live->request());
    restoreRecipe();
    connect(m_form, &RecipeForm::edited, m_saveTimer, qOverload<>(&QTimer::start));
    refreshButtons();
    // Once the window is there to show it.
    if (m_training->leftOver() > 0) QMetaObject::invokeMethod(this, [this] { offerLeftOver(); }, Qt::QueuedConnection);
}

void TrainPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    m_training->setFollowed(true);
    estimate();
    if (m_lossDirty) showCurrentLog();
}

void TrainPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    m_training->setFollowed(false);
}

/// The live map stands beside the loss only where both have room, else under it.
void TrainPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    const bool narrow = width() < kNarrow;
    m_plots->setDirection(width() < kWide ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    const int form = narrow ? m_splitter->widget(0)->minimumWidth() : kFormWidth;
    if ((event->oldSize().width() < kNarrow) != narrow || event->oldSize().width() <= 0) m_splitter->setSizes({form, width() - form});
}

void TrainPage::estimate() {
    if (!isVisible()) return;  // asked again when the page is seen
    const QString problem = m_form->problem();
    if (!problem.isEmpty()) return showProblem(problem);
    const lw::Recipe recipe = m_form->recipe();
    session()->compute().run<lw::TrainingEstimate>(
        QStringLiteral("estimate"), [recipe](const lw::RunContext& context) { return lw::estimate_training(recipe, context.device); }, this,
        [this, steps = recipe.training.steps](lw::Result<lw::TrainingEstimate> estimate) {
            if (estimate.ok()) return showEstimate(estimate.value(), steps);
            showProblem(QString::fromStdString(estimate.error().message));
        });
}

void TrainPage::showEstimate(const lw::TrainingEstimate& estimate, std::int64_t steps) {
    QString text = tr("%1 parameters · %2 of %3 free memory").arg(integerText(estimate.parameters), gigabytes(estimate.bytes), gigabytes(estimate.bytes_available));
    if (estimate.seconds_per_step > 0)
        text += tr(" · about %1 (%2\u00a0s\u00a0per\u00a0step)").arg(durationText(estimate.seconds_per_step * static_cast<double>(steps)), numberText(estimate.seconds_per_step, 2));
    m_estimate->setText(text);
    QStringList lines;
    const QString path = QString::fromStdString(estimate.attention_path);
    if (!path.isEmpty()) lines << tr("Attention path: %1").arg(path.section(QStringLiteral(" ("), 0, 0));
    m_advice->setToolTip(path);  // with the reasons
    if (!estimate.advice.empty()) lines << QString::fromStdString(estimate.advice);
    m_advice->setText(lines.join(QLatin1Char('\n')));
    m_advice->setForegroundRole(QPalette::PlaceholderText);
    refreshButtons();
}

void TrainPage::showProblem(const QString& problem) {
    m_estimate->setText(tr("This recipe cannot be trained yet."));
    m_advice->setText(problem);
    m_advice->setForegroundRole(QPalette::WindowText);
    refreshButtons();
}

void TrainPage::refreshButtons() {
    const RunEntry* run = session()->currentRun();
    const QString running = m_training->running() ? QString::fromStdString(m_training->run().folder.string()) : QString();
    m_start->setEnabled(m_form->problem().isEmpty());
    m_start->setText(m_training->running() ? tr("Add to queue") : tr("Train"));
    m_start->setMinimumWidth(m_start->fontMetrics().horizontalAdvance(tr("Add to queue")) + 28);
    m_pause->setEnabled(m_training->running() && !m_training->stopping());
    m_pause->setText(m_pause->isChecked() ? tr("Go on") : tr("Pause"));
    m_pause->setMinimumWidth(m_pause->fontMetrics().horizontalAdvance(tr("Pause")) + 28);
    m_stop->setEnabled(m_training->running() && !m_training->stopping());
    m_stop->setText(m_training->stopping() ? tr("Stopping…") : tr("Stop"));
    m_stop->setMinimumWidth(m_stop->fontMetrics().horizontalAdvance(tr("Stopping…")) + 28);
    m_resume->setEnabled(run != nullptr && !run->info.demo && run->key != running && (run->info.status == "stopped" || run->info.status == "failed"));
}

void TrainPage::start() {
    const auto checked = lw::check_recipe(m_form->recipe());
    if (!checked.ok()) return showProblem(QString::fromStdString(checked.error().message));
    m_training->start(m_form->recipe(), m_evaluate->isChecked());
}

void TrainPage::resume() {
    if (const RunEntry* run = session()->currentRun()) m_training->resume(*run, m_evaluate->isChecked());
}

/// While something trains it is shown; else the log of the selected run.
void TrainPage::showCurrentLog() {
    if (m_training->running()) return drawLoss();
    m_lossDirty = !isVisible();
    const RunEntry* run = session()->currentRun();
    if (m_lossDirty || run == nullptr) return;
    const QString headline = tr("Loss of the selected run: %1, seed %2").arg(run->title()).arg(run->info.recipe.seed);
    session()->compute().run<std::vector<lw::LogPoint>>(
        QStringLiteral("log"), [folder = run->info.folder](const lw::RunContext&) { return lw::read_log(folder); }, this,
        [this, headline, style = run->style](lw::Result<std::vector<lw::LogPoint>> log) {
            if (m_training->running()) return;
            m_headline->setText(headline);
            m_loss->setContent(lossContent(log.ok() ? log.value() : std::vector<lw::LogPoint>{}, style));
            m_loss->setVisible(canExport());
        });
}

void TrainPage::drawLoss() {
    m_lossDirty = !isVisible();
    if (m_lossDirty) return;
    const QString key = QString::fromStdString(m_training->run().folder.string());
    const RunEntry* run = session()->findRun(key);
    if (key.isEmpty()) m_headline->setText(tr("%1 reads its text…").arg(m_training->title()));
    else m_headline->setText(tr("Loss of %1, step %2 of %3").arg(QString::fromStdString(m_training->run().title), integerText(m_training->log().empty() ? 0 : m_training->log().back().step), integerText(m_training->run().recipe.training.steps)));
    m_loss->setContent(lossContent(m_training->log(), run != nullptr ? run->style : 0));
    m_loss->setVisible(canExport());
}

void TrainPage::useText(const QString& path) {
    m_form->dataForm()->addPath(path);
    session()->showPage(PageId::train);
}

bool TrainPage::canExport() const { return !m_loss->content().series.empty(); }

void TrainPage::copyFigure() {
    if (!canExport()) return;
    m_loss->copyToClipboard();
    session()->notice(tr("Copied the picture and its numbers."));
}

void TrainPage::exportFigure() {
    if (!canExport()) return;
    const RunEntry* run = session()->currentRun();
    const lw::Recipe recipe = m_training->running() || run == nullptr ? m_training->run().recipe : run->info.recipe;
    exportCurves(*m_loss, {tr("loss"), m_headline->text(), lw::recipe_json(recipe)}, session(), this);
}

}  // namespace lw::ui
