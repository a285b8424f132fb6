/// Building the Train page, following a run, and what is remembered of the last time.
#include "ui/forms/recipe_form.h"
#include "ui/jobs/training.h"
#include "ui/pages/train_live_map.h"
#include "ui/pages/train_page.h"
#include "ui/panels/job_status.h"
#include "ui/plot/curve_plot.h"
#include "ui/theme.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTimer>

namespace lw::ui {

namespace {

constexpr int kSaveDelay = 1000;
const QString kRecipeSetting = QStringLiteral("train/recipe");

QLabel* caption(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setFont(theme::caption());
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

}  // namespace

/// The form as it was left; at the first start the scheme that adapts its bias.
void TrainPage::restoreRecipe() {
    m_saveTimer->setSingleShot(true);
    m_saveTimer->setInterval(kSaveDelay);
    connect(m_saveTimer, &QTimer::timeout, this, [this] {
        session()->settings().setValue(kRecipeSetting, QString::fromStdString(lw::recipe_json(m_form->recipe())));
    });
    const std::string saved = session()->settings().value(kRecipeSetting).toString().toStdString();
    if (const auto recipe = lw::parse_recipe(saved); !saved.empty() && recipe.ok()) return m_form->setRecipe(recipe.value());
    lw::Recipe recipe;
    if (const auto scheme = lw::find_scheme("dape-kerple"); scheme.ok()) recipe.scheme = scheme.value();
    m_form->setRecipe(recipe);
}

void TrainPage::offerLeftOver() {
    const std::size_t count = m_training->leftOver();
    const QString text = count == 1 ? tr("One recipe was still waiting to be trained when the program was closed.") : tr("%1 recipes were still waiting to be trained when the program was closed.").arg(count);
    session()->offer({text, count == 1 ? tr("Train it now") : tr("Train them now"), [this] { m_training->startLeftOver(); }, [this] { m_training->forgetLeftOver(); }});
}

void TrainPage::connectTraining() {
    connect(m_training, &Training::taken, this, [this] {
        m_live->clear();
        m_pause->setChecked(false);
        refreshButtons();
        drawLoss();
    });
    connect(m_training, &Training::started, this, [this] {
        m_live->setRecipe(m_training->run().recipe);
        m_training->setLiveMap(m_live->request());
        refreshButtons();
        drawLoss();
    });
    connect(m_training, &Training::logGrown, this, [this] { drawLoss(); });
    connect(m_training, &Training::mapChanged, this, [this] {
        if (m_training->liveMap()) m_live->setTile(*m_training->liveMap());
    });
    connect(m_training, &Training::ended, this, [this] {
        m_pause->setChecked(m_training->paused());
        refreshButtons();
        drawLoss();
    });
}

/// Buttons that start and hold a run, in one row.
QLayout* TrainPage::buildButtons(QWidget* monitor) {
    const auto add = [&](QPushButton*& button, const char* name, const QString& text, const QString& help) {
        button = new QPushButton(text, monitor);
        button->setObjectName(QLatin1String(name));
        button->setToolTip(help);
    };
    add(m_start, "trainButton", tr("Train"), {});
    m_start->setProperty("primary", true);
    add(m_pause, "pauseButton", tr("Pause"), tr("Holds the run between two steps; maps can still be looked at."));
    m_pause->setCheckable(true);
    add(m_stop, "stopButton", tr("Stop"), tr("Ends after the current step; a checkpoint is written."));
    add(m_resume, "resumeButton", tr("Resume"), tr("Goes on with the selected run from its last checkpoint."));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(theme::kGrid);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_start, m_pause, m_stop, m_resume}) buttons->addWidget(widget);
    buttons->addStretch();
    connect(m_start, &QPushButton::clicked, this, [this] { start(); });
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_training->stop();
        refreshButtons();
    });
    connect(m_pause, &QPushButton::toggled, this, [this](bool on) {
        m_training->setPaused(on);
        refreshButtons();
    });
    connect(m_resume, &QPushButton::clicked, this, [this] { resume(); });
    return buttons;
}

QWidget* TrainPage::buildMonitor() {
    auto* monitor = new QWidget(this);
    QLayout* buttons = buildButtons(monitor);
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
    m_headline = new QLabel(tr("The loss appears here while a model trains"), monitor);
    m_headline->setFont(theme::title());
    m_loss = new CurvePlot(monitor);
    m_loss->setObjectName(QStringLiteral("lossPlot"));
    m_loss->setMinimumHeight(140);
    QSizePolicy place = m_loss->sizePolicy();
    place.setRetainSizeWhenHidden(true);  // what stands below it does not jump when the first loss comes
    m_loss->setSizePolicy(place);
    m_loss->setVisible(false);
    m_live = new TrainLiveMap(monitor);
    m_live->setMaximumWidth(380);
    m_loss->setLogY(false);
    m_jobs = new JobsPanel(&session()->compute(), monitor);
    m_plots = new QBoxLayout(QBoxLayout::LeftToRight);
    m_plots->setSpacing(theme::kGrid * 2);
    m_plots->addWidget(m_loss, 3);
    m_plots->addWidget(m_live, 2, Qt::AlignLeft);
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
    connect(m_loss, &CurvePlot::exportRequested, this, [this] { exportFigure(); });
    return monitor;
}

}  // namespace lw::ui
