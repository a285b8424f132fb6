#pragma once
/// A map of one score part: a picture of cells with axes, colour bar and crosshair. It asks for tiles of what is seen and meanwhile
/// shows the coarse ones it has, in their place, so that panning draws one image and nothing else.

#include "ui/plot/map_painter.h"
#include "ui/plot/map_picture.h"

#include <QPointer>
#include <QWidget>

class QMenu;
class QRubberBand;

namespace lw::ui {

class ReadOut;
struct ReadOutRow;

class HeatMap : public QWidget {
    Q_OBJECT
public:
    explicit HeatMap(QWidget* parent = nullptr);

    /// Sizes of the whole map; another size shows everything again.
    void setCells(std::int64_t queries, std::int64_t keys);
    /// The whole map, coarse; stays below the detail.
    void setOverview(lw::MapTile tile);
    /// What is seen, as fine as the screen.
    void setDetail(lw::MapTile tile);
    void clearTiles();
    void setScale(const ColourScale& scale);
    [[nodiscard]] const ColourScale& scale() const { return m_scale; }
    void setUnit(const QString& unit);
    void setTitle(const QString& title, const QString& note = {});
    /// Beside and below the numbers of the axes; "" = none.
    void setAxisTitles(const QString& queries, const QString& keys);
    /// Square while everything is seen (usual), or as wide and high as there is room: axes that count different things.
    void setSquareCells(bool square);
    /// Shown in place of the map: what is being waited for, or what to do.
    void setMessage(const QString& message);
    void setCrosshair(std::optional<MapCell> cell);
    [[nodiscard]] std::optional<MapCell> crosshair() const { return m_crosshair; }
    /// A mark at the row whose profile is shown.
    void setMarkedQuery(std::int64_t query);
    void setWindow(const MapWindow& window);
    void fit();
    /// Room left of and right of the axes, for plots that share the key axis; 0 = as needed.
    void setSideRoom(int left, int right);

    /// Height at which the axes are as wide as `width` allows.
    [[nodiscard]] int fittingHeight(int width) const;
    [[nodiscard]] const MapGeometry& geometryOfCells() const { return m_geometry; }
    [[nodiscard]] QString caption() const;  ///< size, reducer, sampled or exact
    /// The value of the shown tile at a cell; NaN = masked or not there yet.
    [[nodiscard]] float valueAt(MapCell cell) const;
    [[nodiscard]] const lw::MapTile& overviewTile() const { return m_overview; }
    [[nodiscard]] const lw::MapTile& shownTile() const { return m_detail.values.empty() ? m_overview : m_detail; }
    void showReadOut(const QString& heading, const std::vector<ReadOutRow>& rows);
    void hideReadOut();
    [[nodiscard]] QImage image(double factor = 2);
    void copyToClipboard();

Q_SIGNALS:
    /// What is seen now, and how many device pixels it covers. Sent for every change; ask for tiles as fast as they come.
    void viewChanged(lw::CellRange queries, lw::CellRange keys, QSize pixels);
    void windowChanged(const lw::ui::MapWindow& window);
    void areaChanged(const QRectF& area);
    void hovered(qint64 query, qint64 key);
    void hoverLeft();
    void cellClicked(qint64 query, qint64 key);
    void captionChanged(const QString& caption);
    void exportRequested();
    void menuAboutToShow(QMenu* menu);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    [[nodiscard]] QMargins room() const;  ///< around the axes
    void place();
    void valuesChanged(MapPicture::Level level, const lw::MapTile& before);
    void announce();
    void updateMap();  ///< repaints the map alone
    /// All but crosshair and marks, for any painter: cells as large as they come out.
    void paintWhole(QPainter& painter);
    void paintHeader(QPainter& painter);
    void paintMap(QPainter& painter);
    void paintMessage(QPainter& painter);
    void paintBar(QPainter& painter);
    void paintMarks(QPainter& painter);
    [[nodiscard]] QRect barPlace() const;
    [[nodiscard]] QRegion axesPlace() const;
    void hoverAt(QPointF position);
    bool arrowKey(QKeyEvent* event);
    [[nodiscard]] ColourBarText barText() const;

    MapGeometry m_geometry;
    MapWindow m_announced;
    PlotTheme m_theme;
    ColourScale m_scale;
    QString m_unit, m_title, m_note, m_message, m_queryTitle, m_keyTitle;
    bool m_squareCells = true;
    lw::MapTile m_overview, m_detail;
    MapPicture m_picture;
    FiniteRange m_range{1, 0};  ///< of what is shown
    std::optional<MapCell> m_crosshair;
    std::int64_t m_markedQuery = -1;
    int m_leftRoom = 0, m_rightRoom = 0;
    QPointF m_pressed, m_lastMouse;
    bool m_dragging = false;
    QRubberBand* m_band = nullptr;
    ReadOut* m_readOut;
};

}  // namespace lw::ui
