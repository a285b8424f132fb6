#pragma once
/// The left side of the Maps page: all heads as thumbnails with their classes, and the rows of the chosen layer's heads.

#include "core/api/heads.h"
#include "ui/pages/maps_data.h"

#include <QWidget>

class QLabel;
class QTimer;

namespace lw::ui {

class ClassLegend;
class HeadAtlasView;
class HeadRows;
class Segmented;
class Session;
class TextsView;
class ThumbnailGrid;

class HeadsPanel : public QWidget {
    Q_OBJECT
public:
    explicit HeadsPanel(Session* session, QWidget* parent = nullptr);
    ~HeadsPanel() override;

    /// Whose heads, and which part of them is shown.
    void setMaps(std::shared_ptr<lw::MapSession> maps, const lw::MapsInfo& info, lw::ScorePart part, bool logarithmic);
    void clear();
    void setSelected(std::int64_t layer, std::int64_t head);
    void setRows(const std::vector<lw::RowProfile>& rows, lw::ScorePart part);
    void setOwnLimits(bool own);
    [[nodiscard]] bool ownLimits() const { return m_ownLimits; }
    void setSortedByLocality(bool sorted);
    [[nodiscard]] bool sortedByLocality() const { return m_sorted; }
    /// Measures averaged over several texts replace those of the one that is open.
    void setMeasures(const std::vector<lw::HeadMeasures>& measures);
    [[nodiscard]] const std::vector<lw::HeadMeasures>& measures() const { return m_measures; }
    [[nodiscard]] const lw::HeadMeasures* measuresOf(HeadKey head) const;
    [[nodiscard]] const std::map<HeadKey, lw::MapTile>& tiles() const { return m_tiles; }
    [[nodiscard]] ThumbnailGrid* grid() const { return m_grid; }
    [[nodiscard]] HeadAtlasView* atlas() const { return m_atlas; }
    [[nodiscard]] TextsView* texts() const { return m_texts; }
    /// Small maps of all heads, all heads as dots, or how the chosen one depends on the text.
    enum View { kPictures, kAtlas, kTexts };
    void showView(View view);
    [[nodiscard]] View view() const;
    void setQuery(std::int64_t query);

Q_SIGNALS:
    void headChosen(qint64 layer, qint64 head, bool toCompare);
    void headHovered(qint64 layer, qint64 head);
    void hoverLeft();
    void measuresChanged();
    void tilesChanged();
    void trailsRequested(lw::TrailAxis over);
    void viewChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    /// One request of pictures: rows of pixels of all heads of a layer.
    struct Piece {
        std::int64_t layer = 0;
        bool sampled = false;
        std::int64_t firstRow = 0, rows = 0;
    };
    void planPieces();
    void loadPiece(std::size_t place);
    void takePiece(const Piece& piece, std::vector<lw::MapTile> tiles);
    [[nodiscard]] std::int64_t cellsPerPixel() const;
    void loadMeasures();
    void recolour();
    void heading();
    void connectViews();
    void fillLegend();

    Session* m_session;
    Segmented* m_view;
    ThumbnailGrid* m_grid;
    HeadAtlasView* m_atlas;
    TextsView* m_texts;
    ClassLegend* m_legend;
    QLabel* m_heading;
    HeadRows* m_rows;
    std::shared_ptr<lw::MapSession> m_maps;
    std::int64_t m_length = 0, m_layers = 0, m_heads = 0, m_query = -1, m_measuredQuery = -1;
    HeadKey m_selected{0, 0};
    lw::ScorePart m_part = lw::ScorePart::probability;
    bool m_logarithmic = true, m_ownLimits = false, m_sorted = false;
    std::vector<Piece> m_pieces;        ///< in the order they are fetched
    std::size_t m_nextPiece = 0;
    QTimer* m_exact;                    ///< exact pictures are made when nothing else is wanted
    std::map<HeadKey, lw::MapTile> m_growing;  ///< exact pictures that are not whole yet
    std::map<HeadKey, lw::MapTile> m_tiles;
    std::vector<lw::HeadMeasures> m_measures;
};

}  // namespace lw::ui
