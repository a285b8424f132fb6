/// See studies_page.h. What is read and shown is in studies_reading.cpp, what a person can do in studies_actions.cpp, menus in studies_menus.cpp.
#include "ui/pages/studies_page.h"

#include "ui/jobs/study_job.h"
#include "ui/pages/studies_matrix.h"
#include "ui/pages/studies_results.h"
#include "ui/panels/empty_state.h"
#include "ui/plot/segmented.h"
#include "ui/session.h"
#include "ui/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace lw::ui {

namespace {

constexpr int kPoll = 2000;  // ms between two looks at a study that is worked on
constexpr int kListWidth = 220;

QLabel* wrapping(const char* name, QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setObjectName(QLatin1String(name));
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

}  // namespace

StudiesPage::StudiesPage(Session* session, QWidget* parent) : Page(session, parent), m_job(new StudyJob(session, this)), m_timer(new QTimer(this)) {
    setObjectName(QStringLiteral("studiesPage"));
    m_splitter = new QSplitter(Qt::Horizontal, this);
    m_splitter->addWidget(buildList());
    m_splitter->addWidget(buildStudy());
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({kListWidth, 780});
    m_splitter->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_splitter);
    m_timer->setInterval(kPoll);
    m_timer->setSingleShot(true);  // begun anew by what was read: a look that takes longer than that is not overtaken by the next
    const QSettings& settings = session->settings();
    m_chosen = settings.value(QStringLiteral("studies/chosen")).toString();
    m_view->setCurrent(std::clamp(settings.value(QStringLiteral("studies/view"), 0).toInt(), 0, static_cast<int>(kReport)));
    connectAll();
    updateButton();
    m_empty->setContent(tr("Reading the studies…"), {});
    m_stack->setCurrentIndex(1);
}

QWidget* StudiesPage::buildList() {
    auto* panel = new QWidget(this);
    m_list = new QListWidget(panel);
    m_list->setObjectName(QStringLiteral("studyList"));
    m_list->setAccessibleName(tr("Studies"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setWordWrap(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    auto* create = new QPushButton(tr("New study…"), panel);
    create->setObjectName(QStringLiteral("newStudy"));
    m_addFile = new QPushButton(tr("Add a file…"), panel);
    m_addFile->setObjectName(QStringLiteral("addStudyFile"));
    m_addFile->setToolTip(tr("A study as a file, described in docs/studies.md, is copied into the workspace."));
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(16, 12, 8, 12);
    layout->setSpacing(theme::kGrid);
    layout->addWidget(m_list, 1);
    layout->addWidget(create);
    layout->addWidget(m_addFile);
    panel->setMinimumWidth(150);
    connect(create, &QPushButton::clicked, this, [this] { newStudy(); });
    connect(m_addFile, &QPushButton::clicked, this, [this] { chooseFile(); });
    return panel;
}

void StudiesPage::buildBar(QHBoxLayout* bar) {
    m_view = new Segmented(this);
    m_view->setObjectName(QStringLiteral("studyView"));
    m_view->add(kMatrix, tr("Matrix"), tr("All runs and how far they are"));
    m_view->add(kCurves, tr("Curves"), tr("Means over seeds against length"));
    m_view->add(kTable, tr("Table"), tr("The same as numbers"));
    m_view->add(kReport, tr("Report"), tr("What differs, how sure that is, and what to be careful about"));
    m_run = new QPushButton(this);
    m_run->setObjectName(QStringLiteral("runStudy"));
    m_more = new QPushButton(tr("More ▾"), this);
    m_more->setObjectName(QStringLiteral("moreStudy"));
    bar->setSpacing(theme::kGrid);
    bar->addWidget(m_view);
    bar->addStretch();
    bar->addWidget(m_run);
    bar->addWidget(m_more);
}

QWidget* StudiesPage::buildStudy() {
    m_stack = new QStackedWidget(this);
    auto* panel = new QWidget;
    m_title = new QLabel(panel);
    m_title->setFont(theme::title());
    m_summary = wrapping("studySummary", panel);
    m_state = wrapping("studyState", panel);
    m_state->setFont(theme::caption());
    m_cell = wrapping("studyCell", panel);
    m_cell->setFont(theme::caption());
    m_matrix = new StudyMatrix(panel);
    m_results = new StudyResults(session(), panel);
    auto* bar = new QHBoxLayout;
    buildBar(bar);
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(8, 12, 16, 12);
    layout->setSpacing(theme::kGrid);
    layout->addWidget(m_title);
    layout->addWidget(m_summary);
    layout->addLayout(bar);
    layout->addWidget(m_state);
    layout->addWidget(m_matrix, 1);
    layout->addWidget(m_cell);
    layout->addWidget(m_results, 1);
    m_empty = new EmptyState;
    m_stack->addWidget(panel);
    m_stack->addWidget(m_empty);
    return m_stack;
}

void StudiesPage::connectAll() {
    connect(session(), &Session::workspaceChanged, this, [this] {
        forget();
        refresh();
    });
    connect(m_list, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item != nullptr) choose(item->data(Qt::UserRole).toString());
    });
    connect(m_list, &QListWidget::customContextMenuRequested, this, &StudiesPage::openListMenu);
    connect(m_view, &Segmented::chosen, this, [this](int view) { setView(static_cast<View>(view)); });
    connect(m_run, &QPushButton::clicked, this, [this] { toggle(); });
    connect(m_more, &QPushButton::clicked, this, [this] { openMoreMenu(); });
    connect(m_matrix, &StudyMatrix::cellChosen, this, [this] { describeCell(); });
    connect(m_matrix, &StudyMatrix::menuRequested, this, &StudiesPage::openCellMenu);
    connect(m_matrix, &StudyMatrix::opened, this, [this] {
        if (const lw::StudyCell* cell = m_matrix->currentCell(); cell != nullptr && cell->state == "finished") openRun(*cell, false);
    });
    connect(m_results, &StudyResults::exportRequested, this, [this] { exportFigure(); });
    connect(m_timer, &QTimer::timeout, this, [this] { readStudy(); });
    connect(m_job, &StudyJob::stepped, this, [this](const QString& study) {
        if (isVisible() && study == m_chosen) showLive();
    });
    connect(m_job, &StudyJob::changed, this, [this](const QString& study) {
        if (!isVisible()) m_stale = true;
        else if (study == m_chosen) readStudy();
        updateButton();
    });
}

void StudiesPage::choose(const QString& id) {
    if (id == m_chosen && m_loaded) return;
    m_chosen = id;
    forget();
    for (int row = 0; row < m_list->count(); ++row) {
        const QSignalBlocker quiet(m_list);
        if (m_list->item(row)->data(Qt::UserRole).toString() == id) m_list->setCurrentRow(row);
    }
    session()->settings().setValue(QStringLiteral("studies/chosen"), id);
    readStudy();
}

void StudiesPage::setView(View view) {
    m_view->setCurrent(static_cast<int>(view));
    session()->settings().setValue(QStringLiteral("studies/view"), static_cast<int>(view));
    updateBar();
    readReport();
}

void StudiesPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (m_stale) refresh();
    else readStudy();
}

void StudiesPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    m_timer->stop();
    session()->setDetails(QStringLiteral("study cell"), {});
}

bool StudiesPage::canExport() const { return m_results->hasReport(); }

/// Of the matrix the report, not the curves that are behind it.
void StudiesPage::copyFigure() {
    if (!canExport()) return;
    if (m_view->current() == kMatrix) m_results->copyReport("text");
    else m_results->copy();
}

void StudiesPage::exportFigure() {
    if (!canExport()) return;
    if (m_view->current() != kMatrix && m_results->hasFigure()) return m_results->exportFigure(stateJson());
    m_results->saveReport();
}

}  // namespace lw::ui
