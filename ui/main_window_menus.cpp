/// Menus of the main window. Everything in them has a keyboard shortcut or a mnemonic.
#include "ui/main_window.h"

#include "core/api/doctor.h"
#include "ui/pages/page.h"
#include "ui/theme.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QMenuBar>
#include <QPushButton>
#include <QTabWidget>
#include <QUrl>
#include <QVBoxLayout>

namespace lw::ui {

void MainWindow::buildMenus() {
    buildFileMenu();
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    m_copy = edit->addAction(tr("&Copy plot"), QKeySequence::Copy, this, [this] { page(currentPage())->copyFigure(); });
    buildViewMenu();
    buildRunMenu();
    QMenu* tools = menuBar()->addMenu(tr("&Tools"));
    tools->addAction(tr("&Check the machine…"), this, [this] { showAbout(); });
    m_deviceMenu = tools->addMenu(tr("C&ompute on"));
    m_deviceMenu->setObjectName(QStringLiteral("deviceMenu"));
    m_deviceMenu->setEnabled(false);
    tools->addAction(tr("Open the &data folder"), this, [] { QDesktopServices::openUrl(QUrl::fromLocalFile(QString::fromStdString(lw::data_folder().string()))); });
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    help->addAction(tr("&Methods…"), QKeySequence::HelpContents, this, [this] { showPage(PageId::encodings); });
    help->addAction(tr("&About Lengthwise"), this, [this] { showAbout(); });
}

void MainWindow::buildFileMenu() {
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(tr("&New run…"), QKeySequence::New, this, [this] { showPage(PageId::train); });
    file->addAction(tr("&Open workspace…"), QKeySequence::Open, this, [this] { chooseWorkspace(); });
    QMenu* recent = file->addMenu(tr("Recent &workspaces"));
    connect(recent, &QMenu::aboutToShow, recent, [this, recent] {
        recent->clear();
        recent->addAction(tr("&Default workspace"), this, [this] { m_session->setWorkspace(lw::default_workspace()); });
        for (const QString& path : m_session->recentWorkspaces())
            if (QFileInfo::exists(path)) recent->addAction(path, this, [this, path] { m_session->setWorkspace(path.toStdString()); });
    });
    file->addAction(tr("Open &recipe…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O), this, [this] {
        const QString path = QFileDialog::getOpenFileName(this, tr("Open recipe"), {}, tr("Recipes (*.json);;All files (*)"));
        if (!path.isEmpty()) openPath(path);
    });
    file->addAction(tr("Read runs a&gain"), QKeySequence::Refresh, this, [this] { m_session->reloadRuns(); })->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_R));
    file->addSeparator();
    m_export = file->addAction(tr("&Export figure…"), QKeySequence(Qt::CTRL | Qt::Key_E), this, [this] { page(currentPage())->exportFigure(); });
    file->addSeparator();
    file->addAction(tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), this, &QWidget::close);
}

void MainWindow::buildViewMenu() {
    QMenu* view = menuBar()->addMenu(tr("&View"));
    for (int p = 0; p < m_tabs->count(); ++p)
        view->addAction(m_tabs->tabText(p), QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + p)), this, [this, p] { m_tabs->setCurrentIndex(p); });
    view->addSeparator();
    for (QDockWidget* dock : m_docks) view->addAction(dock->toggleViewAction());
    buildLookMenu(view);
    view->addAction(tr("Reset &layout"), this, [this] { resetLayout(); });
    view->addSeparator();
    QAction* full = view->addAction(tr("&Full screen"), QKeySequence(Qt::Key_F11), this, [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    full->setCheckable(true);
}

void MainWindow::buildLookMenu(QMenu* view) {
    QMenu* look = view->addMenu(tr("&Look"));
    auto* group = new QActionGroup(look);
    const std::pair<QString, QString> looks[] = {{tr("As the &desktop"), QString()}, {tr("&Light"), QStringLiteral("light")}, {tr("&Dark"), QStringLiteral("dark")}};
    const QString now = m_session->settings().value(QStringLiteral("look")).toString();
    for (const auto& [label, name] : looks) {
        QAction* choice = look->addAction(label, this, [this, name = name] {
            m_session->settings().setValue(QStringLiteral("look"), name);
            theme::applyNamed(name);
        });
        choice->setCheckable(true);
        choice->setChecked(name == now);
        group->addAction(choice);
    }
}

void MainWindow::buildRunMenu() {
    QMenu* run = menuBar()->addMenu(tr("&Run"));
    m_evaluate = run->addAction(tr("&Evaluate ticked runs"), QKeySequence(Qt::Key_F5), this, [this] {
        Page* now = page(currentPage());
        if (now->canEvaluate()) return now->evaluate();
        if (const RunEntry* current = m_session->currentRun()) m_session->evaluateRuns({current->key});
    });
    run->addAction(tr("&Open maps of the selected run"), QKeySequence(Qt::CTRL | Qt::Key_M), this, [this] { showPage(PageId::maps); });
    run->addAction(tr("New run from the selected &recipe…"), this, [this] {
        if (const RunEntry* current = m_session->currentRun()) m_session->requestRecipe(current->info.recipe);
    });
    run->addSeparator();
    m_stopAll = run->addAction(tr("&Stop everything"), QKeySequence(Qt::CTRL | Qt::Key_Period), this, [this] { m_session->compute().cancelAll(); });
}

void MainWindow::updateActions() {
    const Page* now = page(currentPage());
    m_export->setEnabled(now->canExport());
    m_copy->setEnabled(now->canExport());
    m_evaluate->setText(now->canEvaluate() ? tr("&Evaluate ticked runs") : tr("&Evaluate the selected run"));
    m_stopAll->setEnabled(!m_session->compute().idle());
}

void MainWindow::chooseWorkspace() {
    const QString path = QFileDialog::getExistingDirectory(this, tr("Open workspace"), QString::fromStdString(m_session->workspace().string()));
    if (!path.isEmpty()) m_session->setWorkspace(path.toStdString());
}

/// The about box is the doctor: versions, devices, what is missing and what to do.
void MainWindow::showAbout() {
    auto* dialog = new QDialog(this);
    dialog->setObjectName(QStringLiteral("aboutDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("About Lengthwise"));
    auto* text = new QLabel(tr("Measuring this machine…"), dialog);
    text->setObjectName(QStringLiteral("aboutText"));
    text->setWordWrap(true);
    text->setMinimumWidth(480);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QPushButton* copy = buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole);
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->addWidget(new QLabel(tr("<b>Lengthwise %1</b><br>A laboratory for positional encodings and length extrapolation in transformers.").arg(QStringLiteral(LW_VERSION)), dialog));
    layout->addWidget(text);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    connect(copy, &QPushButton::clicked, text, [text] { QApplication::clipboard()->setText(text->property("plain").toString()); });
    m_session->compute().run<lw::DoctorReport>(
        QStringLiteral("doctor"), [](const lw::RunContext&) { return lw::doctor(true); }, text,
        [text](lw::Result<lw::DoctorReport> report) {
            if (!report.ok()) return text->setText(QString::fromStdString(report.error().message));
            QString html = QStringLiteral("<table cellpadding='3'>"), plain;
            for (const lw::DoctorLine& line : report.value().lines) {
                const QString topic = QString::fromStdString(line.topic), value = QString::fromStdString(line.value), advice = QString::fromStdString(line.advice);
                html += QStringLiteral("<tr><td>%1</td><td>%2%3</td></tr>").arg(topic.toHtmlEscaped(), value.toHtmlEscaped(), advice.isEmpty() ? QString() : QStringLiteral("<br>") + advice.toHtmlEscaped());
                plain += QStringLiteral("%1: %2 %3\n").arg(topic, value, advice);
            }
            if (report.value().gflops_all_threads > 0)
                html += tr("<tr><td>Speed</td><td>%1 GFLOP/s on one thread, %2 on all</td></tr>").arg(report.value().gflops_one_thread, 0, 'f', 0).arg(report.value().gflops_all_threads, 0, 'f', 0);
            text->setText(html + QStringLiteral("</table>"));
            text->setProperty("plain", plain);
        });
    dialog->open();
}

}  // namespace lw::ui
