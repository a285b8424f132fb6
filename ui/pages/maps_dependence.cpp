/// How bias + adaptive of the chosen head change with the text: which second texts there are, what is measured, and where a click leads.
#include "ui/pages/maps_heads.h"
#include "ui/pages/maps_page.h"
#include "ui/pages/maps_texts.h"
#include "ui/plot/number_text.h"
#include "ui/session.h"

#include <algorithm>
#include <utility>

namespace lw::ui {

namespace {

constexpr std::size_t kPlaces = 40;
/// Up to this length two texts are compared without being asked; every head costs as much again, and the time grows with the square.
constexpr std::int64_t kUnaskedLength = 2048, kUnaskedAllHeads = 1024;
QString channel() { return QStringLiteral("text dependence"); }

bool readsContent(const lw::MethodInfo& method) {
    if (method.slot == "adaptive") return true;
    return method.slot == "bias" && std::any_of(method.claims.begin(), method.claims.end(), [](const lw::ClaimInfo& claim) { return claim.id == "content-dependent"; });
}

/// Something that the scheme adds to the content looks at the text.
bool readsText(const lw::SchemeSpec& scheme) {
    return std::any_of(lw::methods().begin(), lw::methods().end(), [&](const lw::MethodInfo& method) {
        const auto chosen = scheme.slots.find(method.slot);
        return chosen != scheme.slots.end() && chosen->second.id == method.id && readsContent(method);
    });
}

QString namesIn(const char* slot) {
    QStringList names;
    for (const lw::MethodInfo& method : lw::methods())
        if (method.slot == slot && readsContent(method)) names << QString::fromStdString(method.name);
    return names.join(QStringLiteral(", "));
}

QString noneReadsText(const QString& run) {
    const QString biases = namesIn("bias");
    const QString adaptive = MapsPage::tr("%1 adds nothing to its scores that looks at the text, so any two texts get the same. Schemes with an adaptive term change with it: %2.").arg(run, namesIn("adaptive"));
    return biases.isEmpty() ? adaptive : MapsPage::tr("%1 So do those with the bias %2.").arg(adaptive, biases);
}

/// Whether a document has so many tokens; examples of tasks do not say, as they are made as long as is asked for.
bool reaches(const lw::DocumentInfo& document, std::int64_t tokens) { return document.tokens == 0 || document.tokens >= tokens; }

/// Id of the document that is open: no name means the first test document that is long enough. "" = typed text.
std::string openDocument(const lw::TextRequest& now, const std::vector<lw::DocumentInfo>& documents) {
    if (!now.text.empty() || !now.document.empty()) return now.document;
    const auto first = std::find_if(documents.begin(), documents.end(), [&](const lw::DocumentInfo& d) { return d.split == "test" && reaches(d, now.offset + now.length); });
    return first == documents.end() ? std::string() : first->id;
}

}  // namespace

/// What can be opened beside the text that is: other documents as long, and what follows in this one. Nothing follows an example of a task.
std::vector<OfferedText> MapsPage::offeredTexts() const {
    std::vector<OfferedText> offered;
    const lw::TextRequest& now = session()->textRequest();
    const RunEntry* run = session()->findRun(session()->mapsRun());
    const lw::MapsInfo* info = session()->mapsInfo();
    lw::TextRequest next = now;
    next.offset += now.length;
    if (now.text.empty() && run && !run->isTask() && info && next.offset + next.length <= info->text.document_tokens)
        offered.push_back({tr("The next %1 tokens of this document").arg(integerText(now.length)), next});
    const std::string open = openDocument(now, m_documents);
    for (const lw::DocumentInfo& document : m_documents)
        if (document.id != open && reaches(document, now.length)) offered.push_back({QString::fromStdString(document.id), {{}, document.id, 0, now.length}});
    return offered;
}

void MapsPage::connectTexts() {
    TextsView* view = m_heads->texts();
    connect(m_heads, &HeadsPanel::viewChanged, this, [this] {
        // The terms that the list is about, where something else was looked at.
        const bool positional = m_part == lw::ScorePart::bias || m_part == lw::ScorePart::adaptive || m_part == lw::ScorePart::bias_adaptive;
        const RunEntry* run = session()->findRun(session()->mapsRun());
        if (m_heads->view() == HeadsPanel::kTexts && run && readsText(run->info.recipe.scheme) && !positional) session()->setPart(lw::ScorePart::bias_adaptive);
        showTexts();
    });
    connect(view, &TextsView::textChosen, this, &MapsPage::compareWithText);
    connect(view, &TextsView::orderChosen, this, &MapsPage::showTexts);
    connect(view, &TextsView::scopeChosen, this, &MapsPage::showTexts);
    connect(view, &TextsView::headChosen, this, [this](qint64 layer, qint64 head) { session()->setHead(layer, head); });
    connect(view, &TextsView::comparisonAsked, this, [this] {
        const RunEntry* run = session()->findRun(session()->mapsRun());
        if (run && session()->mapsInfo() && m_other.beside.text && comparing()) measureDependence(*run, true);
    });
    connect(view, &TextsView::placeChosen, this, &MapsPage::choosePlace);
}

/// What the list says for the maps that are open; nothing is computed while it is not seen.
void MapsPage::showTexts() {
    if (!isVisible() || m_heads->view() != HeadsPanel::kTexts || !session()->mapsInfo()) return forgetTexts();
    TextsView* view = m_heads->texts();
    view->setTexts(offeredTexts());
    view->setChosen(m_other.beside.text);
    view->setSelected(session()->layer(), session()->head());
    const RunEntry* run = session()->findRun(session()->mapsRun());
    if (run && !readsText(run->info.recipe.scheme)) {
        forgetTexts();
        return view->setMessage(noneReadsText(run->title()), false);
    }
    if (run && m_other.beside.text && comparing()) return measureDependence(*run);
    forgetTexts();
    view->setMessage(m_other.beside.text ? tr("Reading the second text…") : tr("Choose a second text: both maps then stand beside each other with their difference, and the places where it matters most are listed here."));
}

/// Long texts only when a person asks for it. All heads are measured once for two texts.
void MapsPage::measureDependence(const RunEntry& run, bool asked) {
    TextsView* view = m_heads->texts();
    lw::DependenceRequest request;
    request.run = run.info.folder;
    request.step = session()->mapsInfo()->step;
    request.a = session()->textRequest();
    request.b = *m_other.beside.text;
    request.b.length = secondLength();
    const bool all = view->allHeads();
    request.layer = all ? -1 : session()->layer();
    request.head = all ? -1 : session()->head();
    request.places = kPlaces;
    request.order = all ? lw::DependenceOrder::attention : view->order();
    const Dependence wanted{session()->maps().get(), m_other.maps.get(), {request.layer, request.head}, request.order};
    if (wanted == m_dependence) return;  // there, or on its way
    if (all && m_allHeads) {
        forgetTexts();
        m_dependence = wanted;
        return view->setDependence(*m_allHeads);
    }
    if (const std::int64_t length = session()->mapsInfo()->length; !asked && length > (all ? kUnaskedAllHeads : kUnaskedLength)) {
        forgetTexts();
        return view->offerComparison(tr("Texts of %1 tokens take a while to compare.").arg(integerText(length)));
    }
    m_dependence = wanted;
    view->setMessage(tr("Comparing what the two texts get…"));
    session()->compute().run<lw::TextDependence>(
        channel(), [request](const lw::RunContext& context) { return lw::text_dependence(request, context); }, this,
        [this, view, all](lw::Result<lw::TextDependence> found) {
            if (found.ok()) {
                if (all) m_allHeads = found.value();
                return view->setDependence(found.value());
            }
            m_dependence = {};
            const bool stopped = found.error().kind == lw::ErrorKind::cancelled;
            view->offerComparison(stopped ? tr("The comparison was stopped.") : QString::fromStdString(found.error().message));
        },
        tr("Comparing two texts"));
}

void MapsPage::forgetTexts() {
    session()->compute().cancelChannel(channel());
    m_dependence = {};
}

/// As long as the first one; typed text is seldom as long as the length that was set.
std::int64_t MapsPage::secondLength() const {
    const lw::TextRequest& first = session()->textRequest();
    return first.text.empty() ? first.length : session()->mapsInfo()->length;
}

/// A second text that is shorter has no difference of maps with the first one, until that is as short.
void MapsPage::offerLength(std::int64_t tokens) {
    const std::int64_t length = session()->mapsInfo()->length;
    if (tokens >= length || tokens < 2) return;
    const QString said = tr("The second text has %1 tokens and the first one %2, so only the first %1 are compared, and the maps have no difference.");
    session()->offer({said.arg(integerText(tokens), integerText(length)), tr("Use %1 tokens").arg(integerText(tokens)), [session = session(), tokens] { session->setLength(tokens); }, {}});
}

/// Its row becomes the query; the crosshairs and the arithmetic are those of the cell.
void MapsPage::choosePlace(qint64 query, qint64 key) {
    session()->setQuery(query);
    m_canvas->select({query, key});
    hover(MapsCanvas::kFirst, query, key);
}

}  // namespace lw::ui
