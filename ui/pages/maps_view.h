#pragma once
/// Feeds a heat map with tiles of one head: coarse first, then exact for what is seen, better and better. What is kept already is shown at
/// once. While the view moves, each request is let live until its first picture, so that pictures keep coming, and then gives way to the
/// newest wish; what it finished is kept.

#include "ui/pages/maps_data.h"

#include <QObject>
#include <QTimer>

namespace lw::ui {

class ComputeThread;
class HeatMap;

class MapView : public QObject {
    Q_OBJECT
public:
    /// `channel` must differ between views.
    MapView(HeatMap* map, ComputeThread* compute, const QString& channel, QObject* parent);
    ~MapView() override;

    void setTarget(const MapTarget& target);
    [[nodiscard]] const MapTarget& target() const { return m_target; }
    void clear();
    /// No tile of one's own is shown until showAgain(): something else uses the map for a moment.
    void suspend() { m_suspended = true; }
    void showAgain();
    /// Everything of the present target is there in full detail.
    [[nodiscard]] bool settled() const { return !m_busy && !m_wanted; }
    /// How large the signed parts of the head are; empty until the overview came.
    [[nodiscard]] const std::vector<ValueSpread>& spreads() const { return m_spreads; }

Q_SIGNALS:
    void spreadsChanged();
    void detailChanged();
    void failed(const lw::Error& error);

private:
    void viewChanged(lw::CellRange queries, lw::CellRange keys, QSize pixels);
    void requestOverview();
    void requestDetail();
    [[nodiscard]] lw::TileRequest wish() const;
    void show(lw::MapTile tile);
    bool showKept();

    HeatMap* m_map;
    ComputeThread* m_compute;
    QString m_channel;
    MapTarget m_target;
    std::vector<ValueSpread> m_spreads;
    lw::CellRange m_queries, m_keys;
    QSize m_pixels;
    bool m_wanted = false;  ///< the view moved since the last request
    bool m_busy = false;
    bool m_coarse = false;  ///< the overview is under way, which no detail may overtake
    bool m_pictured = false;  ///< the request under way has brought a picture
    bool m_suspended = false;
    quint64 m_request = 0;    ///< number of the newest request: pictures of older ones are late
    lw::MapTile m_detail;   ///< the last picture, to come back to
    QTimer m_overdue;       ///< a picture of a place that was left long ago is given up
};

}  // namespace lw::ui
