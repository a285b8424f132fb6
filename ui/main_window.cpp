/// See main_window.h: pages, docks, status bar. Menus are in main_window_menus.cpp, opening of files in main_window_open.cpp, devices in
/// main_window_device.cpp.
#include "ui/main_window.h"

#include "ui/pages/curves_page.h"
#include "ui/pages/encodings_page.h"
#include "ui/pages/maps_page.h"
#include "ui/pages/studies_page.h"
#include "ui/pages/tasks_page.h"
#include "ui/pages/train_page.h"
#include "ui/panels/details_panel.h"
#include "ui/panels/job_status.h"
#include "ui/panels/message_bar.h"
#include "ui/panels/runs_panel.h"
#include "ui/panels/text_panel.h"
#include "ui/theme.h"

#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QLabel>
#include <QMenuBar>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

namespace lw::ui {

namespace {
constexpr int kNarrow = 1180;
constexpr int kLayoutVersion = 1;  // raised when docks change, so that an old layout is not forced on new ones
}

MainWindow::MainWindow(Session* session, QWidget* parent)
    : QMainWindow(parent), m_session(session), m_messages(new MessageBar(this)), m_tabs(new QTabWidget(this)), m_workspaceLabel(new QLabel(this)),
      m_deviceLabel(new QLabel(this)) {
    setObjectName(QStringLiteral("mainWindow"));
    m_session->setClosing(false);
    setWindowTitle(tr("Lengthwise"));
    setAcceptDrops(true);
    setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks);
    m_workspaceLabel->setContentsMargins(12, 4, 12, 4);
    m_workspaceLabel->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    buildPages();
    buildDocks();
    buildStatusBar();
    buildMenus();
    resize(1400, 900);
    m_defaultLayout = saveState(kLayoutVersion);
    restoreLayout();

    connect(m_session, &Session::pageRequested, this, &MainWindow::showPage);
    connect(m_session, &Session::errorReported, this, [this](const lw::Error& error, const QString& context) {
        m_messages->showMessage(MessageBar::Kind::error, context, QString::fromStdString(error.message));
    });
    connect(m_session, &Session::noticeGiven, this, [this](const QString& text) { m_messages->showMessage(MessageBar::Kind::notice, {}, text); });
    connect(m_session, &Session::offerMade, this, [this](const Offer& offer) { m_messages->showOffer(offer); });
    connect(m_session, &Session::workspaceChanged, this, [this] { showWorkspace(); });
    connect(&m_session->compute(), &ComputeThread::jobsChanged, this, [this] { updateActions(); });
    connect(m_tabs, &QTabWidget::currentChanged, this, [this](int index) {
        m_session->settings().setValue(QStringLiteral("window/page"), index);
        updateActions();
    });
    showWorkspace();
    showDevice();
    updateActions();
    m_session->reloadRuns();
    findDevices();
}

MainWindow::~MainWindow() {
    // Pages and panels are children of the window and hear from the session until they are gone.
    disconnect(m_session, nullptr, this, nullptr);
    disconnect(&m_session->compute(), nullptr, this, nullptr);
}

void MainWindow::buildPages() {
    m_train = new TrainPage(m_session, this);
    m_pages = {new CurvesPage(m_session, this), new MapsPage(m_session, this), new EncodingsPage(m_session, this), m_train, new TasksPage(m_session, this), new StudiesPage(m_session, this)};
    m_tabs->setObjectName(QStringLiteral("pages"));
    m_tabs->setDocumentMode(true);
    m_tabs->tabBar()->setExpanding(false);
    m_tabs->tabBar()->setDrawBase(false);
    for (Page* page : m_pages) {
        page->setMinimumSize(480, 320);  // a page may want more; a small screen must still hold the window
        m_tabs->addTab(page, page->title());
    }
    auto* centre = new QWidget(this);
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_messages);
    layout->addWidget(m_tabs, 1);
    setCentralWidget(centre);
}

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, Qt::DockWidgetArea area, QWidget* content) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(content);
    dock->setFont(theme::caption());
    content->setFont(theme::body());
    addDockWidget(area, dock);
    m_docks.push_back(dock);
    return dock;
}

void MainWindow::buildDocks() {
    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    QDockWidget* runs = addDock(QStringLiteral("runsDock"), tr("Runs"), Qt::LeftDockWidgetArea, new RunsPanel(m_session));
    QDockWidget* text = addDock(QStringLiteral("textDock"), tr("Text"), Qt::BottomDockWidgetArea, new TextPanel(m_session));
    m_detailsDock = addDock(QStringLiteral("detailsDock"), tr("Details"), Qt::RightDockWidgetArea, new DetailsPanel(m_session));
    auto* jobs = new JobsPanel(&m_session->compute());
    jobs->setContentsMargins(12, theme::kGrid, 12, 12);
    m_jobsDock = addDock(QStringLiteral("jobsDock"), tr("Jobs"), Qt::RightDockWidgetArea, jobs);
    m_jobsDock->hide();
    // The strip of tokens names itself in its caption; a title bar above it would take a line of it.
    text->setTitleBarWidget(new QWidget(text));
    resizeDocks({runs, m_detailsDock}, {228, 264}, Qt::Horizontal);
    resizeDocks({text}, {112}, Qt::Vertical);
}

void MainWindow::buildStatusBar() {
    m_jobStatus = new JobStatus(&m_session->compute(), this);
    m_deviceLabel->setFont(theme::caption());
    m_deviceLabel->setContentsMargins(8, 0, 12, 0);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(m_deviceLabel);
    statusBar()->addWidget(m_jobStatus, 1);
    connect(m_jobStatus, &JobStatus::panelRequested, m_jobsDock, [this] { m_jobsDock->setVisible(!m_jobsDock->isVisible()); });
}

void MainWindow::restoreLayout() {
    QSettings& settings = m_session->settings();
    restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
    restoreState(settings.value(QStringLiteral("window/layout")).toByteArray(), kLayoutVersion);
    m_tabs->setCurrentIndex(qBound(0, settings.value(QStringLiteral("window/page"), 0).toInt(), m_tabs->count() - 1));
}

void MainWindow::resetLayout() {
    restoreState(m_defaultLayout, kLayoutVersion);
    for (QDockWidget* dock : m_docks) dock->setVisible(dock != m_jobsDock);
    m_detailsGaveWay = false;
    fitDocks();
}

/// In a narrow window the pages need the room: the details give way, and come back with it.
void MainWindow::fitDocks() {
    const bool narrow = width() < kNarrow;
    if (narrow) resizeDocks({m_docks.front()}, {1}, Qt::Horizontal);  // as narrow as the list of runs can be
    if (narrow && m_detailsDock->isVisible() && !m_detailsDock->isFloating()) {
        m_detailsGaveWay = true;
        m_detailsDock->hide();
    } else if (!narrow && m_detailsGaveWay) {
        m_detailsGaveWay = false;
        m_detailsDock->show();
    }
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) fitDocks();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (m_detailsGaveWay) m_detailsDock->show();  // saved as a person left it
    QSettings& settings = m_session->settings();
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/layout"), saveState(kLayoutVersion));
    settings.sync();
    if (!m_session->compute().idle()) {
        // A training run ends its step and writes a checkpoint: that it is being waited for must be seen.
        m_session->setClosing(true);
        m_messages->hide();
        m_messages->showMessage(MessageBar::Kind::notice, {}, tr("Stopping what runs and saving it…"));
        m_messages->repaint();
        m_session->compute().cancelAll();
    }
    event->accept();
}

void MainWindow::showPage(PageId page) { m_tabs->setCurrentIndex(static_cast<int>(page)); }
Page* MainWindow::page(PageId page) const { return m_pages[static_cast<std::size_t>(page)]; }
PageId MainWindow::currentPage() const { return static_cast<PageId>(m_tabs->currentIndex()); }

void MainWindow::showWorkspace() {
    QString path = QString::fromStdString(m_session->workspace().string());
    if (path.startsWith(QDir::homePath())) path.replace(0, QDir::homePath().size(), QStringLiteral("~"));
    m_workspaceLabel->setText(tr("Workspace: %1").arg(m_workspaceLabel->fontMetrics().elidedText(path, Qt::ElideMiddle, 280)));
    m_workspaceLabel->setToolTip(path);
    menuBar()->setCornerWidget(m_workspaceLabel);
    m_workspaceLabel->setVisible(true);
}

}  // namespace lw::ui
