#pragma once
/// Train: the recipe as a form, what it will take, start, stop, resume; live loss and a live map; what runs and waits.

#include "ui/pages/page.h"

#include "core/api/recipe.h"

class QBoxLayout;
class QCheckBox;
class QLabel;
class QPushButton;
class QScrollArea;
class QSplitter;
class QTimer;

namespace lw::ui {

class CurvePlot;
class JobsPanel;
class RecipeForm;
class TrainLiveMap;
class Training;

class TrainPage : public Page {
    Q_OBJECT
public:
    explicit TrainPage(Session* session, QWidget* parent = nullptr);
    [[nodiscard]] QString title() const override { return tr("Train"); }
    void copyFigure() override;
    [[nodiscard]] bool canExport() const override;
    void exportFigure() override;

    [[nodiscard]] RecipeForm* form() const { return m_form; }
    [[nodiscard]] Training* training() const { return m_training; }
    /// A dropped text file or folder becomes the corpus.
    void useText(const QString& path);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QWidget* buildMonitor();
    [[nodiscard]] QLayout* buildButtons(QWidget* monitor);
    void connectTraining();
    void restoreRecipe();
    void offerLeftOver();
    void estimate();
    void showEstimate(const lw::TrainingEstimate& estimate, std::int64_t steps);
    void showProblem(const QString& problem);
    void start();
    void resume();
    void refreshButtons();
    void drawLoss();
    void showCurrentLog();

    RecipeForm* m_form;
    Training* m_training;
    QTimer* m_estimateTimer;
    QTimer* m_saveTimer;
    QPushButton* m_start = nullptr;
    QPushButton* m_pause = nullptr;
    QPushButton* m_stop = nullptr;
    QPushButton* m_resume = nullptr;
    QCheckBox* m_evaluate = nullptr;
    QLabel* m_estimate = nullptr;
    QLabel* m_advice = nullptr;
    QLabel* m_headline = nullptr;
    QSplitter* m_splitter = nullptr;
    QBoxLayout* m_plots = nullptr;
    CurvePlot* m_loss = nullptr;
    TrainLiveMap* m_live = nullptr;
    JobsPanel* m_jobs = nullptr;
    bool m_lossDirty = true;
};

}  // namespace lw::ui
