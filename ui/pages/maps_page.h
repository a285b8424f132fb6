#pragma once
/// Attention score parts of every head: thumbnails, the large map with its row profile, the arithmetic of a cell, and comparison of two
/// heads or two runs.

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
struct FigureOptions;
struct ReadOutRow;

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
    enum class Figure { thisMap, partsOfHead, headsOfLayer, rowOfHead, rowsOfLayer };
    void exportAs(Figure figure);

    void compareWithHead(std::int64_t layer, std::int64_t head);
    void compareWithRun(const QString& key);
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

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void buildToolbar(QHBoxLayout* bar);
    void connectSession();
    void connectCanvas();
    void refresh();
    void showState();
    void showMaps();
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

    // Comparison (maps_compare.cpp)
    void openOther(const QString& key);
    void closeOther();
    void showDifference();
    void requestOtherRows();
    [[nodiscard]] MapTarget secondTarget() const;
    [[nodiscard]] QString secondName() const;

    // Read-outs, details, files (maps_read.cpp, maps_export.cpp)
    void hover(int place, std::int64_t query, std::int64_t key);
    void showCell(int place, const lw::CellArithmetic& cell);
    void describeHead();
    void measureOverTexts();
    void runExport(const std::vector<lw::MapTile>& tiles, const std::vector<lw::RowProfile>& rows, const QString& name, const FigureOptions& start);
    [[nodiscard]] FigureOptions figureOptions(const QString& name) const;
    [[nodiscard]] std::string stateJson() const;
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
    double m_keptLimit = 1;
    ColourMapId m_signedMap = ColourMapId::blueRed, m_probabilityMap = ColourMapId::night;
    lw::Reducer m_reducer = lw::Reducer::signed_max_abs;
    bool m_logProbability = true;

    struct Other {
        QString key;                          ///< run, "" = the same run
        HeadKey head{-1, -1};                 ///< the other head; with another run, heads go together
        std::shared_ptr<lw::MapSession> maps;
        lw::MapsInfo info;
        std::vector<lw::RowProfile> rows;
    } m_other;
};

}  // namespace lw::ui
