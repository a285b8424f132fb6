/// See curves_page.h. Its toolbar and menus are in curves_menus.cpp, the lines around the plot in curves_notes.cpp; what it tells the details panel and writes to files is in curves_details.cpp.
#include "ui/pages/curves_page.h"

#include "ui/pages/curves_evaluate.h"
#include "ui/pages/curves_published.h"
#include "ui/pages/curves_table.h"
#include "ui/panels/empty_state.h"
#include "ui/plot/curve_plot.h"
#include "ui/plot/number_text.h"
#include "ui/plot/segmented.h"
#include "ui/session.h"
#include "ui/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>

#include <algorithm>
#include <cmath>

namespace lw::ui {

namespace {

constexpr int kLeastPlot = 370;  // pixels of the page for toolbar, plot and the table's headings

}  // namespace

CurvesPage::CurvesPage(Session* session, QWidget* parent)
    : Page(session, parent), m_mode(new Segmented(this)), m_scale(new Segmented(this)), m_origin(new Segmented(this)), m_protocolButton(new QPushButton(this)), m_publishedButton(new QPushButton(this)), m_intervalButton(new QPushButton(this)), m_evaluateButton(new QPushButton(tr("Evaluate…"), this)),
      m_exportButton(new QPushButton(tr("Export…"), this)), m_stack(new QStackedWidget(this)), m_plot(new CurvePlot), m_model(new CurvesModel(this)), m_table(new CurvesTable),
      m_banner(new QLabel), m_note(new QLabel), m_empty(new EmptyState), m_anyPublished(!lw::published_sets().empty()) {
    setObjectName(QStringLiteral("curvesPage"));
    m_plot->setObjectName(QStringLiteral("curvePlot"));
    auto* bar = new QHBoxLayout;
    buildToolbar(bar);
    m_note->setFont(theme::caption());
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setWordWrap(true);
    m_note->setObjectName(QStringLiteral("curvesNote"));
    m_table->setModel(m_model);
    auto* content = new QWidget;
    auto* inner = new QVBoxLayout(content);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(theme::kGrid);
    m_banner->setObjectName(QStringLiteral("comparisonBanner"));
    m_banner->setFont(theme::caption());
    m_banner->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_banner->hide();
    inner->addWidget(m_banner);
    inner->addWidget(m_plot, 1);
    inner->addWidget(m_table);
    inner->addWidget(m_note);
    m_stack->addWidget(content);
    m_stack->addWidget(m_empty);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(theme::kGrid);
    layout->addLayout(bar);
    layout->addWidget(m_stack, 1);
    connectPlot();
    connectSession();
    restore();
    showEmpty();
}

void CurvesPage::connectPlot() {
    connect(m_plot, &CurvePlot::lengthClicked, this, [this](int series, double x) {
        if (m_loaded.mode == CurvesMode::perplexity) selectLength(x, series);
    });
    connect(m_plot, &CurvePlot::lengthActivated, this, [this](int series, double x) {
        if (m_loaded.mode == CurvesMode::perplexity) openMaps(x, series);
    });
    connect(m_plot, &CurvePlot::menuAboutToShow, this, [this](QMenu* menu, std::optional<double> x) {
        if (!x || m_loaded.mode != CurvesMode::perplexity) return;
        menu->addSeparator();
        menu->addAction(tr("Open maps at %1").arg(integerText(std::llround(*x))), this, [this, x] { openMaps(*x, -1); });
    });
    connect(m_intervalButton, &QPushButton::clicked, this, &CurvesPage::openIntervalMenu);
    connect(m_plot, &CurvePlot::intervalsChanged, this, [this] { session()->settings().setValue(QStringLiteral("curves/intervals"), static_cast<int>(m_plot->intervals())); });
    connect(m_plot, &CurvePlot::exportRequested, this, &CurvesPage::exportFigure);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QTableView::customContextMenuRequested, this, &CurvesPage::openTableMenu);
    const auto choose = [this](const QModelIndex& index) {
        if (const QString key = keyOf(index.row()); !key.isEmpty()) session()->setCurrentRun(key);
        const int column = index.column() - 1;
        if (column >= 0 && column < static_cast<int>(m_model->lengths().size())) selectLength(m_model->lengths()[static_cast<std::size_t>(column)], index.row());
    };
    connect(m_table, &QTableView::clicked, this, choose);
    connect(m_table, &QTableView::activated, this, choose);  // Enter
}

void CurvesPage::connectSession() {
    connect(session(), &Session::shownRunsChanged, this, &CurvesPage::refresh);
    connect(session(), &Session::runsChanged, this, &CurvesPage::refresh);
    connect(session(), &Session::evaluationChanged, this, &CurvesPage::refresh);
    connect(session(), &Session::currentRunChanged, this, &CurvesPage::markRuns);
    connect(m_publishedButton, &QPushButton::clicked, this, &CurvesPage::openPublishedMenu);
}

void CurvesPage::restore() {
    const QSettings& settings = session()->settings();
    m_logPerplexity = settings.value(QStringLiteral("curves/logPerplexity"), true).toBool();
    m_logOther = settings.value(QStringLiteral("curves/logOther"), false).toBool();
    m_protocol = settings.value(QStringLiteral("curves/protocol"), QStringLiteral("last-k")).toString().toStdString();
    m_referenceLine = settings.value(QStringLiteral("curves/reference")).toString();
    m_groupSeeds = settings.value(QStringLiteral("curves/groupSeeds"), true).toBool();
    m_published = settings.value(QStringLiteral("curves/published")).toString().toStdString();
    m_plot->setIntervals(static_cast<Intervals>(std::clamp(settings.value(QStringLiteral("curves/intervals"), static_cast<int>(Intervals::few)).toInt(), 0, static_cast<int>(Intervals::few))));
    m_mode->setCurrent(std::clamp(settings.value(QStringLiteral("curves/mode"), 0).toInt(), 0, 2));
    m_origin->setCurrent(settings.value(QStringLiteral("curves/beyond"), false).toBool() ? 1 : 0);
    applyMode();
    updateProtocolButton();
}

void CurvesPage::setMode(CurvesMode mode) {
    m_mode->setCurrent(static_cast<int>(mode));
    session()->settings().setValue(QStringLiteral("curves/mode"), static_cast<int>(mode));
    applyMode();
    refresh();
}

void CurvesPage::setBeyond(bool beyond) {
    m_origin->setCurrent(beyond ? 1 : 0);
    session()->settings().setValue(QStringLiteral("curves/beyond"), beyond);
    refresh();
}

void CurvesPage::applyMode() {
    const auto mode = static_cast<CurvesMode>(m_mode->current());
    const bool log = mode == CurvesMode::perplexity ? m_logPerplexity : m_logOther;
    m_scale->setCurrent(log ? 1 : 0);
    m_plot->setLogY(log);
    m_origin->setVisible(mode == CurvesMode::position);
    m_protocolButton->setEnabled(mode != CurvesMode::training);
    arrangeButtons();
}

std::vector<CurveRun> CurvesPage::shownRuns() const {
    std::vector<CurveRun> runs;
    const RunEntry* current = session()->currentRun();
    for (const RunEntry* run : session()->shownRuns())
        runs.push_back({run->key, run->info.folder, run->evaluationFolder, run->info.id, run->title(), run->group, run->style, run->info.recipe.training.length, run->info.recipe.seed, run == current,
                        run->info.demo, QString::fromStdString(run->info.recipe.data.source), tokensText(run->info.recipe.data)});
    return runs;
}

void CurvesPage::refresh() {
    if (!isVisible()) {
        m_stale = true;
        return;
    }
    m_stale = false;
    CurvesRequest request;
    request.mode = static_cast<CurvesMode>(m_mode->current());
    request.beyond = m_origin->current() == 1;
    request.protocol = m_protocol;
    request.groupSeeds = m_groupSeeds;
    request.published = m_published;
    request.runs = shownRuns();
    // Accuracies on tasks are no perplexities; they have a page of their own.
    if (request.mode != CurvesMode::training) std::erase_if(request.runs, [](const CurveRun& run) { return run.source.startsWith(QStringLiteral("task:")); });
    for (const auto& [key, evaluation] : session()->freshEvaluations()) request.fresh.emplace_back(key.first, evaluation);
    if (request.runs.empty()) {
        session()->compute().cancelChannel(QStringLiteral("curves"));
        m_loaded = {};
        return showEmpty();
    }
    session()->compute().run<CurvesLoaded>(
        QStringLiteral("curves"), [request](const lw::RunContext&) { return loadCurves(request); }, this,
        [this](lw::Result<CurvesLoaded> loaded) {
            if (!loaded.ok()) return session()->report(loaded.error(), tr("Reading the curves"));
            show(std::move(loaded).value());
        });
}

void CurvesPage::show(CurvesLoaded loaded) {
    m_loaded = std::move(loaded);
    const bool perplexity = m_loaded.mode == CurvesMode::perplexity;
    if (m_loaded.content.series.empty()) return showEmpty();
    m_stack->setCurrentIndex(0);
    m_plot->setLogY(perplexity ? m_logPerplexity : m_logOther);
    m_plot->setContent(m_loaded.content);
    m_table->setVisible(perplexity);
    if (perplexity) {
        m_model->setContent(m_loaded);
        const auto wanted = m_selected.value_or(static_cast<double>(session()->length()));
        m_selected = nearestLength(wanted);
        loadTest();
    }
    m_plot->setSelected(perplexity ? m_selected : std::nullopt);
    m_table->arrange();
    showNote();
    showBanner();
    m_exportButton->setEnabled(true);
    updateProtocolButton();
    describe();
}

void CurvesPage::markRuns() {
    if (!isVisible() || m_loaded.content.series.empty()) return;
    const RunEntry* current = session()->currentRun();
    for (CurveRun& run : m_loaded.runs) run.current = current != nullptr && run.key == current->key;
    markCurrent(m_loaded);
    m_plot->setContent(m_loaded.content);
    if (m_loaded.mode == CurvesMode::perplexity) {
        m_model->setContent(m_loaded);
        loadTest();
    }
    describe();
}

std::optional<double> CurvesPage::nearestLength(double wanted) const {
    std::optional<double> best;
    for (const CurveSeries& series : m_loaded.content.series)
        for (const double x : series.x)
            if (!best || std::abs(std::log(x / wanted)) < std::abs(std::log(*best / wanted))) best = x;
    return best;
}

QString CurvesPage::keyOf(int series) const {
    const int run = series >= 0 && series < static_cast<int>(m_loaded.lineRun.size()) ? m_loaded.lineRun[static_cast<std::size_t>(series)] : -1;
    return run < 0 ? QString() : m_loaded.runs[static_cast<std::size_t>(run)].key;
}

void CurvesPage::selectLength(double length, int series) {
    m_selected = length;
    m_plot->setSelected(length);
    session()->setLength(std::llround(length));
    if (const QString key = keyOf(series); !key.isEmpty()) session()->setCurrentRun(key);
    if (m_testStopped) loadTest();
    m_model->setReference(m_test, std::llround(length));
    m_table->arrange();
    describe();
}

void CurvesPage::openMaps(double length, int series) {
    selectLength(length, series);
    session()->showPage(PageId::maps);
}

void CurvesPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    // A third of the page, less where the plot would be too low to tell its lines apart.
    m_table->setMostRows(std::max(3, std::min(height() / 3, height() - kLeastPlot) / (fontMetrics().height() + 9)));
    QMetaObject::invokeMethod(this, [this] {
        arrangeButtons();
        layout()->activate();
        updateProtocolButton();
        showBanner();
    }, Qt::QueuedConnection);  // after the layout has given it its width
}

/// The banner's colour is not one of the palette's own.
void CurvesPage::changeEvent(QEvent* event) {
    Page::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) showBanner();
}

void CurvesPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (m_stale) return refresh();
    if (m_testStopped) loadTest();
    describe();
}

void CurvesPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    for (const char* key : {"point", "protocol"}) session()->setDetails(QLatin1String(key), {});
}

}  // namespace lw::ui
