/// Opening the maps of the current run and text.
#include "ui/session.h"
#include "ui/tile_memory.h"

#include <algorithm>

namespace lw::ui {

namespace {

struct Opened {
    std::shared_ptr<lw::MapSession> maps;
    lw::MapsInfo info;  // copied on the compute thread: the session itself is never called from the window
};

}  // namespace

void Session::markMapsStale() {
    m_mapsStale = true;
    Q_EMIT mapsStale();
}

void Session::ensureMaps() {
    if (m_mapsStale && currentRun() != nullptr) openMaps();
}

void Session::openMaps() {
    const RunEntry* run = currentRun();
    m_mapsStale = false;
    m_mapsOpening = true;
    m_mapsError.clear();
    lw::MapsRequest request;
    request.run = run->info.folder;
    request.text = m_text;
    request.tile_bytes = tileBytes(settings());
    for (const lw::CheckpointInfo& checkpoint : run->info.checkpoints)
        if (checkpoint.step == m_step) request.step = m_step;
    const QString key = run->key;
    const QString title = tr("Opening maps of %1 at %L2").arg(run->title()).arg(m_text.length);
    Q_EMIT mapsChanged();
    m_compute->run<Opened>(
        QStringLiteral("maps"),
        [request](const lw::RunContext& context) -> lw::Result<Opened> {
            auto maps = lw::open_maps(request, context);
            if (!maps.ok()) return maps.error();
            Opened opened{maps.value(), maps.value()->info()};
            return opened;
        },
        this,
        [this, key](lw::Result<Opened> opened) {
            m_mapsOpening = false;
            m_compute->release(std::exchange(m_maps, nullptr));
            if (opened.ok()) {
                m_maps = opened.value().maps;
                m_mapsInfo = opened.value().info;
                m_mapsRun = key;
                m_layer = std::clamp<std::int64_t>(m_layer, 0, m_mapsInfo.layers - 1);
                m_head = std::clamp<std::int64_t>(m_head, 0, m_mapsInfo.heads - 1);
            } else {
                m_mapsError = QString::fromStdString(opened.error().message);
            }
            setTokenShade({});
            Q_EMIT mapsChanged();
        },
        title);
}

std::int64_t Session::effectiveQuery() const {
    if (!m_maps) return -1;
    const std::int64_t last = m_mapsInfo.length - 1;
    return m_query < 0 ? last : std::min(m_query, last);
}

void Session::setTokenShade(const TokenShade& shade) {
    m_shade = shade;
    Q_EMIT tokenShadeChanged();
}

}  // namespace lw::ui
