#pragma once
/// The window: docks around pages, menus, message bar, status bar. What the pages do is theirs.

#include "ui/session.h"

#include <QMainWindow>

#include <array>

class QLabel;
class QTabWidget;

namespace lw::ui {

class JobsPanel;
class JobStatus;
class MessageBar;
class Page;
class TrainPage;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(Session* session, QWidget* parent = nullptr);
    ~MainWindow() override;

    void showPage(PageId page);
    [[nodiscard]] Page* page(PageId page) const;
    [[nodiscard]] PageId currentPage() const;
    /// A text, a folder of texts, a recipe, a run folder or a workspace: dropped, or named on the command line.
    void openPath(const QString& path);
    void resetLayout();

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildPages();
    void buildDocks();
    void buildStatusBar();
    void buildMenus();
    void buildFileMenu();
    void buildViewMenu();
    void buildLookMenu(QMenu* view);
    void buildRunMenu();
    QDockWidget* addDock(const QString& name, const QString& title, Qt::DockWidgetArea area, QWidget* content);
    void restoreLayout();
    void fitDocks();
    void showWorkspace();
    void showDevice();
    void findDevices();
    void offerDevices(const std::vector<std::string>& devices);
    void chooseDevice(const std::string& device);
    void updateActions();
    void chooseWorkspace();
    void openRecipe(const QString& path);
    void importRun(const QString& path);
    void showAbout();

    Session* m_session;
    MessageBar* m_messages;
    QTabWidget* m_tabs;
    std::array<Page*, 6> m_pages{};
    TrainPage* m_train = nullptr;
    QLabel* m_workspaceLabel;
    QLabel* m_deviceLabel;
    JobStatus* m_jobStatus = nullptr;
    std::vector<QDockWidget*> m_docks;
    QDockWidget* m_jobsDock = nullptr;
    QDockWidget* m_detailsDock = nullptr;
    bool m_detailsGaveWay = false;  ///< hidden because the window is narrow, not by a person
    QMenu* m_deviceMenu = nullptr;
    QAction* m_export = nullptr;
    QAction* m_copy = nullptr;
    QAction* m_evaluate = nullptr;
    QAction* m_stopAll = nullptr;
    QByteArray m_defaultLayout;
};

}  // namespace lw::ui
