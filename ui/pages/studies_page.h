#pragma once
/// Studies: many runs from one file, as a matrix that is worked on, and what they say together.

#include "ui/pages/page.h"
#include "ui/pages/studies_data.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

class QHBoxLayout;
class QLabel;
class QListWidget;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTimer;

namespace lw::ui {

class EmptyState;
class Segmented;
class StudyJob;
class StudyMatrix;
class StudyResults;

class StudiesPage : public Page {
    Q_OBJECT
public:
    enum View { kMatrix, kCurves, kTable, kReport };

    explicit StudiesPage(Session* session, QWidget* parent = nullptr);
    [[nodiscard]] QString title() const override { return tr("Studies"); }
    void copyFigure() override;
    void exportFigure() override;
    [[nodiscard]] bool canExport() const override;

    void setView(View view);
    /// Shows a study of the workspace by its id.
    void choose(const QString& id);
    [[nodiscard]] const QString& chosen() const { return m_chosen; }
    /// What is known of the chosen one; nothing until it was read.
    [[nodiscard]] const StudyLoaded* loaded() const { return m_loaded ? &*m_loaded : nullptr; }
    void addSpec(const lw::StudySpec& spec, bool run);
    void addFile(const QString& path);
    /// Runs it, goes on with it, or pauses it.
    void toggle();
    void retry(const std::vector<std::string>& cells);
    void prioritise(const std::string& cell);
    /// Its line in Curves beside those that are shown.
    void openRun(const lw::StudyCell& cell, bool maps);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    [[nodiscard]] QWidget* buildList();
    [[nodiscard]] QWidget* buildStudy();
    void buildBar(QHBoxLayout* bar);
    void connectAll();
    void refresh();
    void forget();
    void readList();
    void showList(const std::vector<StudyItem>& items);
    void readStudy();
    void readAgain();
    void showStudy(lw::Result<StudyLoaded> loaded);
    void readReport();
    void showReport();
    void updateBar();
    void updateButton();
    void showEmpty();
    void describeCell();
    void showLive();
    [[nodiscard]] QString cellSentence(const lw::StudyCell& cell) const;
    [[nodiscard]] QString stateSentence() const;
    [[nodiscard]] bool runsElsewhere() const;
    [[nodiscard]] std::string stateJson() const;
    void newStudy();
    void chooseFile();
    void addStudy(const QString& name, std::function<lw::Result<std::string>()> add, bool run);
    void studyAdded(const QString& id, const QString& name, bool run);
    void pauseElsewhere();
    void changeCell(const std::string& cell, std::function<lw::Status()> change, const QString& what);
    void showRuns();
    void openListMenu(const QPoint& position);
    void openCellMenu(const QPoint& position);
    void openMoreMenu();
    void fillStudyMenu(class QMenu* menu, const QString& id);

    StudyJob* m_job;
    QTimer* m_timer;
    QSplitter* m_splitter = nullptr;
    QListWidget* m_list = nullptr;
    QStackedWidget* m_stack = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_summary = nullptr;
    QLabel* m_state = nullptr;
    QLabel* m_cell = nullptr;
    QPushButton* m_run = nullptr;
    QPushButton* m_more = nullptr;
    Segmented* m_view = nullptr;
    StudyMatrix* m_matrix = nullptr;
    StudyResults* m_results = nullptr;
    EmptyState* m_empty = nullptr;
    QPushButton* m_addFile = nullptr;
    QString m_chosen;
    std::optional<StudyLoaded> m_loaded;
    std::string m_reported;  ///< what the shown report was made of; "" = none is shown
    std::string m_asked;     ///< what the report that is being made is made of; "" = none is
    bool m_stale = true;
};

}  // namespace lw::ui
