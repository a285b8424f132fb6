/// The heads that attend most like the chosen one, in the details; a click opens one.
#include "ui/pages/maps_heads.h"
#include "ui/pages/maps_page.h"
#include "ui/plot/number_text.h"
#include "ui/session.h"

#include <utility>

namespace lw::ui {

namespace {

constexpr std::size_t kSimilar = 4;
/// Up to this length attention is compared without being asked: it costs as much as opening the maps once more.
constexpr std::int64_t kUnaskedLength = 1024;
QString channel() { return QStringLiteral("similar heads"); }

}  // namespace

/// By their attention where it is measured, until then by their pictures.
void MapsPage::describeSimilar(HeadKey head) {
    const lw::MapsInfo& info = *session()->mapsInfo();
    const bool unasked = info.length <= kUnaskedLength;
    DetailSection section;
    const auto add = [&](HeadKey other, double value) {
        section.facts.push_back({tr("Layer %1, head %2").arg(other.first).arg(other.second), numberText(value, 2), {}, [this, other] { session()->setHead(other.first, other.second); }});
    };
    section.heading = tr("Most similar heads");
    if (m_distances) {
        section.text = tr("Jensen–Shannon divergence of their attention, nats, mean over the last %1 rows of this text: 0 = the same, 0.69 = no key in common.").arg(m_distances->queries);
        for (const lw::SimilarTo& other : lw::most_similar(*m_distances, {head.first, head.second}, kSimilar)) add({other.head.layer, other.head.head}, other.divergence);
    } else {
        section.text = tr("Correlation of their pictures of this part.");
        for (const SimilarHead& other : similarHeads(m_heads->tiles(), head, kSimilar)) add(other.head, other.correlation);
        if (m_distancesFailed || (!m_distancesAsked && !unasked)) section.actions.push_back({tr("Compare their attention"), [this] { askDistances(); }});
    }
    session()->setDetails(QStringLiteral("similar"), section.facts.empty() ? DetailSection() : section);
    const bool drawn = static_cast<std::int64_t>(m_heads->tiles().size()) == info.layers * info.heads;
    if (drawn && unasked) measureDistances();
}

/// The action goes away while it is followed.
void MapsPage::askDistances() {
    m_distancesAsked = m_distancesFailed = false;
    measureDistances();
    describeHead();
}

/// Of the text that is open alone, so that the numbers belong to the maps beside them.
void MapsPage::measureDistances() {
    const RunEntry* run = session()->findRun(session()->mapsRun());
    if (!run || !session()->mapsInfo() || std::exchange(m_distancesAsked, true)) return;
    lw::AtlasRequest request;
    request.run = run->info.folder;
    request.text = session()->textRequest();
    request.lengths = {session()->mapsInfo()->length};
    request.steps = {session()->mapsInfo()->step};
    request.measure.sequences = 1;
    session()->compute().run<lw::HeadDistances>(
        channel(), [request](const lw::RunContext& context) { return lw::head_distances(request, context); }, this,
        [this, maps = std::weak_ptr(session()->maps())](lw::Result<lw::HeadDistances> distances) {
            if (!distances.ok() && distances.error().kind != lw::ErrorKind::cancelled) session()->report(distances.error(), tr("Comparing the heads"));
            if (maps.lock() == nullptr || maps.lock() != session()->maps()) return;
            m_distancesFailed = !distances.ok();
            if (distances.ok()) m_distances = std::move(distances).value();
            describeHead();
        },
        tr("Comparing the heads"));
}

void MapsPage::forgetDistances() {
    session()->compute().cancelChannel(channel());
    m_distances.reset();
    m_distancesAsked = m_distancesFailed = false;
}

}  // namespace lw::ui
