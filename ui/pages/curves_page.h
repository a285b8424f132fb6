#pragma once
/// Perplexity against length, loss by position and loss against step of the shown runs, with their numbers in a table.

#include "ui/pages/curves_data.h"
#include "ui/pages/page.h"

#include <optional>

class QHBoxLayout;
class QLabel;
class QMenu;
class QPushButton;
class QStackedWidget;

namespace lw::ui {

class CurvePlot;
class CurvesModel;
class CurvesTable;
class EmptyState;
class Segmented;
struct FigureOptions;

/// The line of a protocol; where runs were scored in several ways, the first of them and how many others there are.
[[nodiscard]] QString scoredText(const QString& protocolLine);

class CurvesPage : public Page {
    Q_OBJECT
public:
    explicit CurvesPage(Session* session, QWidget* parent = nullptr);
    [[nodiscard]] QString title() const override { return tr("Curves"); }
    void copyFigure() override;
    void exportFigure() override;
    void evaluate() override;
    [[nodiscard]] bool canExport() const override { return !m_loaded.content.series.empty(); }
    [[nodiscard]] bool canEvaluate() const override { return true; }

    void setMode(CurvesMode mode);
    /// By position: counted from the training length on instead of from the first token.
    void setBeyond(bool beyond);
    /// Compares the other lines with this one, named by its lineKey or title, in the last column and in the details.
    void setReference(const QString& line);
    void setProtocol(const std::string& protocol);
    /// One line for all seeds of a recipe, or one for each.
    void setGroupSeeds(bool group);
    void setPublished(const std::string& id);
    [[nodiscard]] const CurvesLoaded& loaded() const { return m_loaded; }
    /// Chooses a length: details, test column and maps follow it.
    void selectLength(double length, int series);
    /// What is asked when lines are compared; nothing where there is nothing to compare.
    [[nodiscard]] std::optional<ReferenceRequest> referenceRequest() const;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void buildToolbar(QHBoxLayout* bar);
    void connectPlot();
    void connectSession();
    void restore();
    void applyMode();
    void refresh();
    void show(CurvesLoaded loaded);
    void showNote();
    void showBanner();
    void openIntervalMenu();
    void showEmpty();
    void markRuns();
    void loadTest();
    void describe();
    void describeProtocol();
    void updateProtocolButton();
    void arrangeButtons();
    [[nodiscard]] bool narrow() const;
    void sayWhatLacks();
    void fillPublished(QMenu* menu);
    void openProtocolMenu();
    void openPublishedMenu();
    void openTableMenu(QPoint position);
    void openMaps(double length, int series);
    [[nodiscard]] std::vector<CurveRun> shownRuns() const;
    [[nodiscard]] QString comparisonText(double length) const;
    [[nodiscard]] QStringList withoutProtocol(const std::string& protocol) const;
    [[nodiscard]] QString keyOf(int series) const;
    [[nodiscard]] std::string stateJson() const;
    [[nodiscard]] std::string numbers() const;
    [[nodiscard]] FigureOptions figureOptions() const;
    [[nodiscard]] std::optional<double> nearestLength(double wanted) const;

    Segmented* m_mode;
    Segmented* m_scale;
    Segmented* m_origin;
    QPushButton* m_protocolButton;
    QPushButton* m_publishedButton;
    QPushButton* m_intervalButton;
    QPushButton* m_evaluateButton;
    QPushButton* m_exportButton;
    QStackedWidget* m_stack;
    CurvePlot* m_plot;
    CurvesModel* m_model;
    CurvesTable* m_table;
    QLabel* m_banner;
    QLabel* m_note;
    EmptyState* m_empty;
    CurvesLoaded m_loaded;
    ReferenceTable m_test;
    bool m_testStopped = false;  // before it was there
    QString m_referenceLine;
    std::string m_protocol = "last-k";
    std::string m_published;
    bool m_groupSeeds = true;
    std::optional<double> m_selected;
    bool m_logPerplexity = true;
    bool m_logOther = false;
    bool m_stale = true;
    const bool m_anyPublished;
};

}  // namespace lw::ui
