#pragma once
/// Encodings: what a scheme does to distance when no model is there, with sliders for every parameter, at any length.

#include "ui/plot/encoding_maps.h"
#include "ui/plot/encoding_previews.h"
#include "ui/pages/page.h"

#include <filesystem>
#include <functional>
#include <optional>

class QAction;
class QCheckBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QTimer;
class QToolButton;

namespace lw::ui {

class CurvePlot;
class EmptyState;
class EncodingsCurves;
class EncodingsMaps;
class ParamForm;
class SchemeForm;
struct RunEntry;
class Segmented;

class EncodingsPage : public Page {
    Q_OBJECT
public:
    explicit EncodingsPage(Session* session, QWidget* parent = nullptr);
    [[nodiscard]] QString title() const override { return tr("Encodings"); }
    void copyFigure() override;
    void exportFigure() override;
    [[nodiscard]] bool canExport() const override;

    enum View { kCurves = 0, kMaps = 1 };

    [[nodiscard]] SchemeForm* schemeForm() const { return m_scheme; }
    /// Curves against distance, or maps over queries and keys; remembered.
    void setView(View view);
    [[nodiscard]] View view() const;
    [[nodiscard]] EncodingsMaps* maps() const { return m_maps; }
    /// The scheme in the form stays in the plots while the form goes on.
    void pin();
    void unpin(int index);
    [[nodiscard]] const std::vector<ShownScheme>& pinned() const { return m_pinned; }
    /// The scheme of the selected run in the form.
    void takeRunScheme();
    /// The scheme in the form on the selected run's weights.
    void applyToRun();
    /// What training made of the selected run's scheme in the plots, until the scheme is edited.
    void showTrained();
    /// The scheme in the form among the person's own presets.
    void savePreset(const QString& name);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// The run whose trained values are shown.
    struct TrainedRun {
        std::filesystem::path folder;
        std::int64_t step = -1;
        QString title;
        std::uint64_t seed = 1;
    };
    [[nodiscard]] QWidget* buildForm();
    [[nodiscard]] QWidget* buildPlots();
    [[nodiscard]] QToolButton* buildRunMenu(QWidget* parent);
    void updateRunMenu();
    void listFitting(const RunEntry* run);
    void extendWith(const std::vector<lw::SchemeSpec>& extensions);
    void buildChoices();
    [[nodiscard]] QWidget* buildBar();
    void buildViews();
    [[nodiscard]] QWidget* buildPresetBar();
    [[nodiscard]] QSpinBox* buildLayerBox(QWidget* parent);
    void leaveTrained();
    /// What is drawn of the request: the scheme's own values, or those of the run that is shown.
    [[nodiscard]] std::function<lw::Result<SchemePreviews>()> previewJob(const lw::PreviewRequest& request) const;
    [[nodiscard]] QString previewTitle(const lw::PreviewRequest& request) const;
    void request();
    void take(lw::Result<SchemePreviews> previews, const lw::SchemeSpec& scheme, const QString& title);
    void draw();
    void showNote();
    void updateBar();
    void describe();
    void showPins();
    void pinsChanged();
    void saveState();
    void restoreState();
    void drawPinned();
    void exportPlot(const CurvePlot* plot);
    void exportMap(int place);
    /// The schemes in the plots, each as the recipe that would train it.
    [[nodiscard]] std::string figureState(const std::vector<ShownScheme>& schemes) const;
    [[nodiscard]] EncodingMapsView mapsView() const;
    /// Of a recipe with this scheme: the one form of a scheme that files and other programs know.
    [[nodiscard]] static QString schemeJson(const lw::SchemeSpec& scheme);
    [[nodiscard]] int styleOf(const lw::SchemeSpec& scheme) const;
    [[nodiscard]] lw::PreviewRequest previewRequest() const;
    [[nodiscard]] std::vector<ShownScheme> shown() const;

    SchemeForm* m_scheme;
    ParamForm* m_shape;
    QCheckBox* m_logDistance;
    QSpinBox* m_head;
    QHBoxLayout* m_pins;
    QToolButton* m_run = nullptr;
    QAction* m_take = nullptr;
    QAction* m_apply = nullptr;
    QAction* m_applyWhy = nullptr;  ///< below it: why it cannot be chosen
    QAction* m_showTrained = nullptr;
    QMenu* m_fitting = nullptr;
    QSpinBox* m_layer = nullptr;
    QPushButton* m_export = nullptr;
    QLineEdit* m_presetName = nullptr;
    QLabel* m_saved = nullptr;  ///< below the buttons for a while: under which name the preset was kept
    std::optional<TrainedRun> m_trained;
    EmptyState* m_empty;
    QLabel* m_note;
    QLabel* m_about;
    Segmented* m_view;
    Segmented* m_beside;
    QStackedWidget* m_views;
    EncodingsCurves* m_curves;
    EncodingsMaps* m_maps;
    QTimer* m_timer;
    QTimer* m_describing;
    QTimer* m_saving;
    ShownScheme m_current;
    std::vector<ShownScheme> m_pinned;
    bool m_busy = false;    ///< a preview is under way
    bool m_wanted = false;  ///< and something changed since it was asked for
    bool m_undrawn = false; ///< something changed while the page was hidden
};

}  // namespace lw::ui
