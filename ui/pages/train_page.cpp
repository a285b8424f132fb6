/// See train_page.h.
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
constexpr int kFormWidth = 420;
constexpr int kScrollBar = 12;
constexpr std::size_t kManyPoints = 40;
constexpr int kEstimateDelay = 120;  // a slider moves many times a second; the estimate follows when it rests

QLabel* caption(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setFont(theme::caption());
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

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
    for (const lw::LogPoint& point : log) {
        training.x.push_back(static_cast<double>(point.step));
        training.y.push_back(point.loss);
        if (!point.validation_loss) continue;
        validation.x.push_back(static_cast<double>(point.step));
        validation.y.push_back(*point.validation_loss);
    }
    validation.markers = validation.x.size() <= kManyPoints;
    content.series.push_back(std::move(training));
    if (!validation.x.empty()) content.series.push_back(std::move(validation));
    return content;
}

}  // namespace

TrainPage::TrainPage(Session* session, QWidget* parent)
    : Page(session, parent), m_form(new RecipeForm(session)), m_training(new Training(session, this)), m_estimateTimer(new QTimer(this)) {
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
    connect(this->session(), &Session::currentRunChanged, this, [this] {
        refreshButtons();
        showCurrentLog();
    });
    connect(this->session(), &Session::runsChanged, this, [this] { refreshButtons(); });
    connect(m_training, &Training::started, this, [this] {
        m_live->clear();
        m_live->setShape(m_training->run().recipe.model.layers, m_training->run().recipe.model.heads);
        m_training->setLiveMap(m_live->request());
        refreshButtons();
        drawLoss();
    });
    connect(m_training, &Training::logGrown, this, [this] { drawLoss(); });
    connect(m_training, &Training::mapChanged, this, [this] {
        if (m_training->liveMap()) m_live->setTile(*m_training->liveMap());
    });
    connect(m_training, &Training::ended, this, [this] {
        refreshButtons();
        drawLoss();
    });
    connect(m_live, &TrainLiveMap::requestChanged, this, [this] { m_training->setLiveMap(m_live->request()); });
    m_training->setLiveMap(m_live->request());
    if (const auto scheme = lw::find_scheme("dape-kerple"); scheme.ok()) {
        lw::Recipe recipe;
        recipe.scheme = scheme.value();
        m_form->setRecipe(recipe);
    }
    refreshButtons();
}

QWidget* TrainPage::buildMonitor() {
    auto* monitor = new QWidget(this);
    m_start = new QPushButton(tr("Train"), monitor);
    m_start->setObjectName(QStringLiteral("trainButton"));
    m_start->setProperty("primary", true);
    m_stop = new QPushButton(tr("Stop"), monitor);
    m_stop->setObjectName(QStringLiteral("stopButton"));
    m_stop->setToolTip(tr("Ends after the current step; a checkpoint is written."));
    m_resume = new QPushButton(tr("Resume"), monitor);
    m_resume->setObjectName(QStringLiteral("resumeButton"));
    m_resume->setToolTip(tr("Goes on with the selected run from its last checkpoint."));
    m_evaluate = new QCheckBox(tr("Evaluate when finished"), monitor);
    m_evaluate->setObjectName(QStringLiteral("evaluateAfter"));
    m_evaluate->setChecked(true);
    m_estimate = new QLabel(monitor);
    m_estimate->setObjectName(QStringLiteral("estimate"));
    m_estimate->setWordWrap(true);
    m_advice = caption({}, monitor);
    m_advice->setObjectName(QStringLiteral("advice"));
    m_advice->setWordWrap(true);
    m_advice->setMinimumHeight(2 * m_advice->fontMetrics().lineSpacing());
    m_advice->setAlignment(Qt::AlignTop);
    m_headline = new QLabel(monitor);
    m_headline->setFont(theme::title());
    m_loss = new CurvePlot(monitor);
    m_loss->setObjectName(QStringLiteral("lossPlot"));
    m_loss->setMinimumHeight(140);
    m_live = new TrainLiveMap(monitor);
    m_live->setMaximumWidth(380);
    m_loss->setLogY(false);
    m_jobs = new JobsPanel(&session()->compute(), monitor);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(theme::kGrid);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_start, m_stop, m_resume}) buttons->addWidget(widget);
    buttons->addStretch();
    m_plots = new QBoxLayout(QBoxLayout::LeftToRight);
    m_plots->setSpacing(theme::kGrid * 2);
    m_plots->addWidget(m_loss, 3);
    m_plots->addWidget(m_live, 2);
    auto* layout = new QVBoxLayout(monitor);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(theme::kGrid);
    layout->addLayout(buttons);
    layout->addWidget(m_evaluate);
    layout->addWidget(m_estimate);
    layout->addWidget(m_advice);
    layout->addWidget(m_headline);
    layout->addLayout(m_plots, 1);
    layout->addWidget(caption(tr("Running and waiting"), monitor));
    layout->addWidget(m_jobs);
    connect(m_start, &QPushButton::clicked, this, [this] { start(); });
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_training->stop();
        refreshButtons();
    });
    connect(m_resume, &QPushButton::clicked, this, [this] { resume(); });
    connect(m_loss, &CurvePlot::exportRequested, this, [this] { exportFigure(); });
    return monitor;
}

void TrainPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    estimate();
    if (m_lossDirty) showCurrentLog();
}

/// In a narrow window the live map goes under the loss.
void TrainPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    const bool narrow = width() < kNarrow;
    m_plots->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    const int form = narrow ? m_splitter->widget(0)->minimumWidth() : kFormWidth;
    if ((event->oldSize().width() < kNarrow) != narrow || event->oldSize().width() <= 0) m_splitter->setSizes({form, width() - form});
}

void TrainPage::estimate() {
    if (!isVisible()) return;  // asked again when the page is seen
    const QString problem = m_form->problem();
    if (!problem.isEmpty()) return showProblem(problem);
    const lw::Recipe recipe = m_form->recipe();
    session()->compute().run<lw::TrainingEstimate>(
        QStringLiteral("estimate"), [recipe](const lw::RunContext&) { return lw::estimate_training(recipe); }, this,
        [this, steps = recipe.training.steps](lw::Result<lw::TrainingEstimate> estimate) {
            if (estimate.ok()) return showEstimate(estimate.value(), steps);
            showProblem(QString::fromStdString(estimate.error().message));
        });
}

void TrainPage::showEstimate(const lw::TrainingEstimate& estimate, std::int64_t steps) {
    QString text = tr("%1 parameters · %2 of %3 free memory").arg(integerText(estimate.parameters), gigabytes(estimate.bytes), gigabytes(estimate.bytes_available));
    if (estimate.seconds_per_step > 0)
        text += tr(" · about %1 (%2 s per step)").arg(durationText(estimate.seconds_per_step * static_cast<double>(steps)), numberText(estimate.seconds_per_step, 2));
    m_estimate->setText(text);
    QStringList lines;
    const QString path = QString::fromStdString(estimate.attention_path);
    if (!path.isEmpty()) lines << tr("Attention: %1").arg(path.section(QStringLiteral(" ("), 0, 0));
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
    const QString headline = tr("Loss of %1, seed %2").arg(run->title()).arg(run->info.recipe.seed);
    session()->compute().run<std::vector<lw::LogPoint>>(
        QStringLiteral("log"), [folder = run->info.folder](const lw::RunContext&) { return lw::read_log(folder); }, this,
        [this, headline, style = run->style](lw::Result<std::vector<lw::LogPoint>> log) {
            if (m_training->running()) return;
            m_headline->setText(headline);
            m_loss->setContent(lossContent(log.ok() ? log.value() : std::vector<lw::LogPoint>{}, style));
        });
}

void TrainPage::drawLoss() {
    m_lossDirty = !isVisible();
    if (m_lossDirty) return;
    const QString key = QString::fromStdString(m_training->run().folder.string());
    const RunEntry* run = session()->findRun(key);
    m_headline->setText(tr("Loss of %1, step %2 of %3").arg(QString::fromStdString(m_training->run().title), integerText(m_training->log().empty() ? 0 : m_training->log().back().step), integerText(m_training->run().recipe.training.steps)));
    m_loss->setContent(lossContent(m_training->log(), run != nullptr ? run->style : 0));
}

void TrainPage::useText(const QString& path) {
    m_form->dataForm()->addPath(path);
    session()->showPage(PageId::train);
}

void TrainPage::copyFigure() { m_loss->copyToClipboard(); }
void TrainPage::exportFigure() { saveCurveFigure(*m_loss, tr("loss"), {}, session(), this); }

}  // namespace lw::ui
