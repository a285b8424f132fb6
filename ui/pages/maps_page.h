#pragma once
/// Attention score parts of every head: thumbnails, the large map with its row profile, the arithmetic of a cell, and comparison of two
/// heads, runs, checkpoints or texts.

#include "core/api/heads.h"
#include "ui/pages/maps_canvas.h"
#include "ui/pages/maps_data.h"
#include "ui/pages/page.h"

#include <optional>

class QHBoxLayout;
class QLabel;
class QMenu;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTimer;

namespace lw::ui {

class EmptyState;
class HeadsPanel;
class MapView;
class Segmented;
struct DetailSection;
struct FigureOptions;
struct OfferedText;
struct ReadOutRow;
struct RunEntry;

class MapsPage : public Page {
    Q_OBJECT
public:
    explicit MapsPage(Session* session, QWidget* parent = nullptr);
    ~MapsPage() override;
    [[nodiscard]] QString title() const override { return tr("Maps"); }
    void copyFigure() override;
    void exportFigure() override;
    [[nodiscard]] bool canExport() const override;

    /// What an export can draw.
    enum class Figure { thisMap, comparison, partsOfHead, headsOfLayer, rowOfHead, rowsOfLayer, atlas, texts };
    /// `place` says which map is "this one" and whose head and run the others are of.
    void exportAs(Figure figure, MapsCanvas::Place place = MapsCanvas::kFirst);
    /// The options that exportAs() begins with.
    [[nodiscard]] FigureOptions mapOptions(Figure figure, MapsCanvas::Place place) const;
    /// Those of the atlas of heads.
    [[nodiscard]] FigureOptions atlasOptions() const;
    /// The tiles that a figure of maps draws; on the compute thread.
    struct TileOrder {
        std::vector<MapTarget> targets;
        std::vector<lw::ScorePart> parts;   ///< empty = each target's own
        lw::CellRange queries, keys;
        bool allHeads = false;
        bool difference = false;            ///< of the two targets, after them
        bool targetsToo = true;
    };
    [[nodiscard]] TileOrder tileOrder(Figure figure, MapsCanvas::Place place) const;

    /// What stands beside the first map; what is not said is as there.
    struct Beside {
        HeadKey head{-1, -1};
        QString run;
        std::int64_t step = -1;
        std::optional<lw::TextRequest> text;
    };
    void compare(const Beside& beside);
    void compareWithHead(std::int64_t layer, std::int64_t head) { compare({{layer, head}, {}, -1, {}}); }
    void compareWithRun(const QString& key) { compare({{-1, -1}, key, -1, {}}); }
    void compareWithStep(std::int64_t step) { compare({{-1, -1}, {}, step, {}}); }
    /// The same head on another text of the same length.
    void compareWithText(const lw::TextRequest& text) { compare({{-1, -1}, {}, -1, text}); }
    void stopComparing();
    [[nodiscard]] bool comparing() const { return m_canvas->comparing(); }

    /// How colour limits follow the data.
    enum class Limits { head, seen, kept };
    void setLimits(Limits limits);
    [[nodiscard]] Limits limits() const { return m_limits; }
    void setReducer(lw::Reducer reducer);

    /// Everything that was asked for has been drawn exactly.
    [[nodiscard]] bool settled() const;
    [[nodiscard]] MapsCanvas* canvas() const { return m_canvas; }
    [[nodiscard]] HeadsPanel* heads() const { return m_heads; }
    [[nodiscard]] QString secondName() const;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildToolbar(QHBoxLayout* bar);
    void connectSession();
    void connectCanvas();
    void connectHeads();
    void restore();
    void mapsChanged();
    void refresh();
    void showState();
    void showMaps();
    void showParts();
    void clearMaps();
    void setTargets();
    void requestRows();
    void showRows();
    void shadeTokens();
    void applyScale();
    void updateTitles();
    void updateCaption();
    void preview(std::int64_t layer, std::int64_t head);
    void openViewMenu();
    void fillViewMenu(QMenu* menu);
    void openCompareMenu();
    void fillHeadMenu(QMenu* menu);
    void fillRunMenu(QMenu* menu);
    void fillStepMenu(QMenu* menu);
    void fillTextMenu(QMenu* menu);
    void fillCheckpointMenu(QMenu* menu);
    void readDocuments();

    // Comparison (maps_compare.cpp)
    void openOther(const Beside& beside);
    void beginComparing();
    void closeOther();
    void showDifference();
    void requestOtherRows();
    [[nodiscard]] MapTarget secondTarget() const;

    // Read-outs, details, files (maps_read.cpp, maps_export.cpp)
    void hover(int place, std::int64_t query, std::int64_t key);
    void hoverDifference(std::int64_t query, std::int64_t key);
    void showCell(int place, const lw::CellArithmetic& cell);
    void endHover();
    [[nodiscard]] const lw::MapsInfo* infoOf(int place) const;
    [[nodiscard]] DetailSection headSection(const lw::HeadMeasures& measures);
    void describeHead();
    // Heads that attend alike, and what depends on the text (maps_similar.cpp, maps_dependence.cpp)
    void describeSimilar(HeadKey head);
    void askDistances();
    void measureDistances();
    void forgetDistances();
    void connectTexts();
    [[nodiscard]] std::vector<OfferedText> offeredTexts() const;
    void showTexts();
    void measureDependence(const RunEntry& run, bool asked = false);
    void forgetTexts();
    void choosePlace(qint64 query, qint64 key);
    void offerLength(std::int64_t tokens);
    [[nodiscard]] std::int64_t secondLength() const;

    void measureOverTexts();
    void measureTrails(lw::TrailAxis over);
    void exportFrom(MapsCanvas::Place place);
    void exportRows(Figure figure, MapsCanvas::Place place);
    // Atlas and lists of the left side (maps_heads_export.cpp)
    void connectExports();
    void addHeadsChoices(QMenu* menu, MapsCanvas::Place place);
    void exportAtlas();
    void copyAtlas();
    void saveTexts();
    [[nodiscard]] QString atlasSubtitle() const;
    void setColours(FigureOptions& options, Figure figure) const;
    [[nodiscard]] std::string stateJson(MapsCanvas::Place place) const;
    [[nodiscard]] MapTarget targetOf(MapsCanvas::Place place) const;
    [[nodiscard]] QString nameOf(MapsCanvas::Place place) const;
    [[nodiscard]] MapsCanvas::Place focusedPlace() const;
    [[nodiscard]] MapTarget firstTarget() const;
    [[nodiscard]] const lw::RowProfile* rowOf(std::int64_t head) const;
    [[nodiscard]] QString runName() const;

    Segmented* m_parts;
    Segmented* m_scaleKind;
    QPushButton* m_compareButton;
    QPushButton* m_viewButton;
    QPushButton* m_exportButton;
    QLabel* m_caption;
    QStackedWidget* m_stack;
    QSplitter* m_splitter;
    HeadsPanel* m_heads;
    MapsCanvas* m_canvas;
    EmptyState* m_empty;
    MapView* m_firstView;
    MapView* m_secondView;
    QTimer* m_previewTimer;
    HeadKey m_previewed{-1, -1};

    std::vector<lw::RowProfile> m_rows;       ///< of the layer at the query
    lw::ScorePart m_part = lw::ScorePart::probability;  ///< the session's part as far as this scheme has it
    Limits m_limits = Limits::head;
    std::optional<double> m_keptSigned, m_keptProbability;  ///< highest values of the scales that are kept
    ColourMapId m_signedMap = ColourMapId::blueRed, m_probabilityMap = ColourMapId::night;
    lw::Reducer m_reducer = lw::Reducer::signed_max_abs;
    bool m_logProbability = true;
    int m_hoverPlace = -1;                    ///< the map under the mouse, -1 = none
    std::vector<lw::DocumentInfo> m_documents;
    QString m_documentsRun;

    struct Other {
        Beside beside;
        std::shared_ptr<lw::MapSession> maps; ///< null = another head of the first map's
        lw::MapsInfo info;
        std::vector<lw::RowProfile> rows;
    } m_other;
    std::optional<lw::HeadDistances> m_distances;  ///< of the open maps; nothing until they are measured
    bool m_distancesAsked = false;
    bool m_distancesFailed = false;                ///< or stopped: they begin again only when a person asks for them
    /// Whose places are listed, or on their way: a value to compare with, which owns nothing.
    struct Dependence {
        const lw::MapSession* first = nullptr;
        const lw::MapSession* second = nullptr;
        HeadKey head{-1, -1};
        lw::DependenceOrder order = lw::DependenceOrder::attention;
        friend bool operator==(const Dependence&, const Dependence&) = default;
    } m_dependence;
    std::optional<lw::TextDependence> m_allHeads;  ///< of the two texts that stand beside each other; nothing until it was asked for
    std::optional<Beside> m_wish;             ///< opened again when text or length changes under it
    QString m_wishRun;                        ///< run of the first map when it was asked for
};

}  // namespace lw::ui
