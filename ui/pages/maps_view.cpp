/// See maps_view.h.
#include "ui/pages/maps_view.h"

#include "ui/jobs/compute_thread.h"
#include "ui/jobs/mailbox.h"
#include "ui/plot/heat_map.h"

#include <utility>

namespace lw::ui {

namespace {
constexpr int kOverdue = 250;  // ms
}

MapView::MapView(HeatMap* map, ComputeThread* compute, const QString& channel, QObject* parent) : QObject(parent), m_map(map), m_compute(compute), m_channel(channel) {
    m_overdue.setSingleShot(true);
    m_overdue.setInterval(kOverdue);
    connect(&m_overdue, &QTimer::timeout, this, [this] {
        if (m_wanted && !m_coarse) requestDetail();
    });
    connect(map, &HeatMap::viewChanged, this, &MapView::viewChanged);
}

MapView::~MapView() { m_compute->release(std::exchange(m_target.session, nullptr)); }

void MapView::setTarget(const MapTarget& target) {
    if (m_target.same(target)) return;
    const bool sameHead = m_target.sameHead(target);
    m_compute->release(std::exchange(m_target.session, nullptr));  // its tensors go where they were made
    m_target = target;
    if (!sameHead) m_spreads.clear();
    m_compute->cancelChannel(m_channel);
    m_busy = m_coarse = true;  // the coarse picture comes first, whatever setting the size asks for
    m_map->setCells(target.length, target.length);
    m_queries = m_map->geometryOfCells().visibleQueries();
    m_keys = m_map->geometryOfCells().visibleKeys();
    m_pixels = (m_map->geometryOfCells().area.size() * m_map->devicePixelRatioF()).toSize();
    requestOverview();
}

void MapView::clear() {
    m_compute->release(std::exchange(m_target.session, nullptr));
    m_target = {};
    m_spreads.clear();
    m_wanted = m_busy = m_coarse = false;
    ++m_request;
    m_compute->cancelChannel(m_channel);
    m_detail = {};
    m_suspended = false;
    m_map->clearTiles();
}

void MapView::showAgain() {
    if (!std::exchange(m_suspended, false)) return;
    m_map->setDetail(m_detail);
}

void MapView::viewChanged(lw::CellRange queries, lw::CellRange keys, QSize pixels) {
    m_queries = queries;
    m_keys = keys;
    m_pixels = pixels;
    if (!m_target.session) return;
    if (!m_coarse && showKept()) return;
    m_wanted = true;
    if (!m_busy || (m_pictured && !m_coarse)) requestDetail();
    else if (!m_coarse && !m_overdue.isActive()) m_overdue.start();
}

lw::TileRequest MapView::wish() const { return detailRequest(m_target, m_queries, m_keys, m_pixels.height(), m_pixels.width()); }

void MapView::show(lw::MapTile tile) {
    m_detail = std::move(tile);
    if (!m_suspended) m_map->setDetail(m_detail);
    Q_EMIT detailChanged();
}

/// Panning back costs nothing: no job, no wait.
bool MapView::showKept() {
    if (m_pixels.isEmpty()) return false;
    auto kept = finishedDetail(m_target, wish());
    if (!kept) return false;
    m_compute->cancelChannel(m_channel);
    m_busy = m_wanted = false;
    m_overdue.stop();
    ++m_request;
    show(std::move(*kept));
    return true;
}

void MapView::requestOverview() {
    m_busy = m_coarse = true;
    m_wanted = false;
    ++m_request;  // pictures of the old target are late
    m_overdue.stop();
    const bool withSpreads = m_spreads.empty();
    m_compute->run<MapOverview>(
        m_channel, [target = m_target, withSpreads](const lw::RunContext& context) { return loadOverview(target, withSpreads, context); }, this,
        [this, withSpreads](lw::Result<MapOverview> overview) {
            m_busy = m_coarse = false;
            if (!overview.ok()) {
                if (overview.error().kind != lw::ErrorKind::cancelled) Q_EMIT failed(overview.error());
                return;
            }
            if (withSpreads) {
                m_spreads = std::move(overview.value().spreads);
                Q_EMIT spreadsChanged();
            }
            m_detail = {};
            m_suspended = false;
            m_map->setDetail({});
            m_map->setOverview(std::move(overview.value().tile));
            Q_EMIT detailChanged();
            requestDetail();
        });
}

void MapView::requestDetail() {
    m_wanted = m_pictured = false;
    m_overdue.stop();
    if (!m_target.session || m_pixels.isEmpty()) return;
    m_busy = true;
    const auto number = ++m_request;
    const auto box = Mailbox<lw::MapTile>::create(m_compute, this, [this, number](lw::MapTile tile) {
        if (number != m_request || !m_busy) return;  // the exact one, or a newer one, overtook it
        m_pictured = true;
        show(std::move(tile));
        if (m_wanted) requestDetail();
    });
    m_compute->run<lw::MapTile>(
        m_channel,
        [target = m_target, request = wish(), box](const lw::RunContext& context) {
            return loadDetail(target, request, [&](lw::MapTile tile) { box->put(std::move(tile)); }, context);
        },
        this,
        [this](lw::Result<lw::MapTile> tile) {
            m_busy = false;
            if (tile.ok()) show(std::move(tile).value());
            else if (tile.error().kind != lw::ErrorKind::cancelled) Q_EMIT failed(tile.error());
            if (m_wanted) requestDetail();
        });
}

}  // namespace lw::ui
