#pragma once
/// Tasks: the synthetic tasks with an example of each, a way to train on them, and accuracy against length of the runs that were.

#include "core/api/evaluation.h"
#include "core/api/text.h"
#include "ui/pages/page.h"

#include <map>
#include <vector>

class QLabel;
class QListWidget;
class QPlainTextEdit;
class QPushButton;

namespace lw::ui {

class CurvePlot;
class EmptyState;
class DepthMap;
class ParamForm;
class Segmented;
struct MeasuredTask;

class TasksPage : public Page {
    Q_OBJECT
public:
    explicit TasksPage(Session* session, QWidget* parent = nullptr);
    [[nodiscard]] QString title() const override { return tr("Tasks"); }
    void evaluate() override;
    [[nodiscard]] bool canEvaluate() const override { return true; }
    void copyFigure() override;
    void exportFigure() override;
    [[nodiscard]] bool canExport() const override;
    [[nodiscard]] const std::map<QString, lw::TaskEvaluation>& results() const { return m_results; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    [[nodiscard]] QWidget* buildList();
    [[nodiscard]] QWidget* buildPlot();
    void choose();
    void showTask(int row);
    void rememberTask();
    void restoreTask();
    void openOnRun();
    void showExample();
    void describeTask();
    [[nodiscard]] const lw::TaskInfo* task() const;
    void trainOnTask();
    void evaluateRun(const QString& key);
    void readResults();
    void draw();
    void showEmpty(bool measurable);
    void exportDepths(const std::string& state);
    [[nodiscard]] bool showsDepths() const;
    [[nodiscard]] std::vector<MeasuredTask> measuredRuns(const QStringList& keys) const;
    [[nodiscard]] QStringList runsOf(const lw::TaskInfo& task, bool shownOnly) const;
    [[nodiscard]] QStringList runsOfTask(bool shownOnly) const;

    QListWidget* m_list = nullptr;
    bool m_settled = false;                 ///< a person chose the task, now or when the program last ran, or it has a run
    QLabel* m_summary = nullptr;
    QLabel* m_shares = nullptr;             ///< training, validation and longer lengths of the shown runs
    QPlainTextEdit* m_example = nullptr;
    ParamForm* m_params = nullptr;
    QPushButton* m_evaluate = nullptr;
    CurvePlot* m_plot = nullptr;
    DepthMap* m_depths = nullptr;
    Segmented* m_view = nullptr;            ///< where the task hides something in a text
    QLabel* m_heading = nullptr;
    EmptyState* m_empty = nullptr;
    std::map<QString, lw::TaskEvaluation> m_results;  ///< by run key
};

}  // namespace lw::ui
