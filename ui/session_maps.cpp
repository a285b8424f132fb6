/// The verbs of the session that compute: opening maps and evaluating runs.
#include "ui/jobs/mailbox.h"
#include "ui/session.h"

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

void Session::evaluateRuns(const QStringList& keys, const lw::EvaluationSpec& spec) {
    for (const QString& key : keys)
        if (const RunEntry* run = findRun(key)) evaluateFolder(run->info.folder, run->title(), spec);
}

void Session::evaluateFolder(const std::filesystem::path& folder, const QString& name, const lw::EvaluationSpec& spec) {
    const QString key = QString::fromStdString(folder.string());
    const QString title = tr("Evaluating %1").arg(name);
    auto box = Mailbox<lw::Evaluation>::create(m_compute.get(), this, [this, key](const lw::Evaluation& evaluation) {
        m_fresh[key] = evaluation;
        Q_EMIT evaluationChanged(key);
    });
    m_compute->enqueue<lw::Evaluation>(
        title,
        [folder, spec, box](const lw::RunContext& context) {
            return lw::evaluate(folder, spec, -1, context, [&](const lw::Evaluation& soFar) { box->put(soFar); });
        },
        this,
        [this, key, title](lw::Result<lw::Evaluation> evaluation) {
            if (!evaluation.ok()) return report(evaluation.error(), title);
            m_fresh[key] = evaluation.value();
            reloadRuns();
            Q_EMIT evaluationChanged(key);
        });
}

}  // namespace lw::ui
