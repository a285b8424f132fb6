#pragma once
/// Encodings: what a scheme does to distance when no model is there, with sliders for every parameter, at any length.

#include "ui/pages/encoding_plots.h"
#include "ui/pages/page.h"

class QAction;
class QCheckBox;
class QHBoxLayout;
class QLabel;
class QSpinBox;
class QTimer;
class QToolButton;

namespace lw::ui {

class CurvePlot;
class EmptyState;
class ParamForm;
class SchemeForm;

class EncodingsPage : public Page {
    Q_OBJECT
public:
    explicit EncodingsPage(Session* session, QWidget* parent = nullptr);
    [[nodiscard]] QString title() const override { return tr("Encodings"); }
    void copyFigure() override;
    void exportFigure() override;
    [[nodiscard]] bool canExport() const override;

    [[nodiscard]] SchemeForm* schemeForm() const { return m_scheme; }
    /// The scheme in the form stays in the plots while the form goes on.
    void pin();
    void unpin(int index);
    [[nodiscard]] const std::vector<ShownScheme>& pinned() const { return m_pinned; }
    /// The scheme of the selected run in the form.
    void takeRunScheme();
    /// The scheme in the form on the selected run's weights.
    void applyToRun();

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct PlotBox {
        QWidget* box = nullptr;
        QLabel* heading = nullptr;
        CurvePlot* plot = nullptr;
        CurveContent (*content)(const std::vector<ShownScheme>&, const EncodingView&) = nullptr;
        bool logY = false;
    };
    [[nodiscard]] QWidget* buildForm();
    [[nodiscard]] QWidget* buildPlots();
    [[nodiscard]] QToolButton* buildRunMenu(QWidget* parent);
    void updateRunMenu();
    void addPlot(QLayout* layout, const QString& name, const QString& heading, CurveContent (*content)(const std::vector<ShownScheme>&, const EncodingView&), bool logY);
    void request();
    void draw();
    void describe();
    void showPins();
    void pinsChanged();
    void saveState();
    void restoreState();
    void drawPinned();
    void exportPlot(const CurvePlot* plot);
    /// Of a recipe with this scheme: the one form of a scheme that files and other programs know.
    [[nodiscard]] static QString schemeJson(const lw::SchemeSpec& scheme);
    [[nodiscard]] int styleOf(int before) const;
    [[nodiscard]] lw::PreviewRequest previewRequest() const;
    [[nodiscard]] std::vector<ShownScheme> shown() const;
    [[nodiscard]] CurvePlot* mainPlot() const;

    SchemeForm* m_scheme;
    ParamForm* m_shape;
    QCheckBox* m_logDistance;
    QSpinBox* m_head;
    QHBoxLayout* m_pins;
    QToolButton* m_run = nullptr;
    QAction* m_take = nullptr;
    QAction* m_apply = nullptr;
    EmptyState* m_empty;
    QLabel* m_note;
    QLabel* m_about;
    std::vector<PlotBox> m_plots;
    QTimer* m_timer;
    QTimer* m_saving;
    ShownScheme m_current;
    std::vector<ShownScheme> m_pinned;
};

}  // namespace lw::ui
