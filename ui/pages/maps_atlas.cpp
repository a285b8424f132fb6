/// See maps_atlas.h.
#include "ui/pages/maps_atlas.h"

#include "core/api/export.h"
#include "ui/plot/atlas_plot.h"
#include "ui/plot/segmented.h"
#include "ui/theme.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace lw::ui {

namespace {

/// Segments of the ways.
constexpr int kNone = 0, kLength = 1, kSteps = 2;

int segmentOf(lw::TrailAxis over) { return over == lw::TrailAxis::length ? kLength : kSteps; }

}  // namespace

HeadAtlasView::HeadAtlasView(QWidget* parent) : QWidget(parent), m_plot(new AtlasPlot), m_axis(new QComboBox), m_ways(new Segmented), m_note(new QLabel) {
    m_axis->setObjectName(QStringLiteral("atlasAxis"));
    m_axis->setAccessibleName(tr("Upright axis"));
    m_axis->setToolTip(tr("What stands upright; across is the locality λ.\nasinh scale: linear near 0, logarithmic beyond. atanh scale: values near ±1 stand apart."));
    m_axis->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_axis->setMinimumContentsLength(12);
    m_ways->setObjectName(QStringLiteral("atlasWays"));
    m_ways->add(kNone, tr("Dots"), tr("Every head at the query that is shown"));
    m_ways->add(kLength, tr("Length"), tr("Measure every head at lengths from half of L to eight times L, each the end of the same texts, and draw its way"));
    m_ways->add(kSteps, tr("Training"), tr("Measure every head at each checkpoint of the run and draw its way"));
    m_ways->setSegmentVisible(kSteps, false);
    m_ways->setEnabled(false);
    m_ways->setCurrent(kNone);
    m_note->setObjectName(QStringLiteral("atlasNote"));
    m_note->setFont(theme::caption());
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setWordWrap(true);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(m_axis);
    all->addWidget(m_ways, 0, Qt::AlignLeft);
    all->addWidget(m_plot, 1);
    all->addWidget(m_note);
    connect(m_axis, &QComboBox::currentIndexChanged, this, [this] {
        m_wanted = m_axis->currentData().toString();
        redraw();
    });
    connect(m_ways, &Segmented::chosen, this, &HeadAtlasView::chooseWays);
    connect(m_plot, &AtlasPlot::headClicked, this, &HeadAtlasView::headClicked);
    connect(m_plot, &AtlasPlot::headHovered, this, &HeadAtlasView::headHovered);
    connect(m_plot, &AtlasPlot::hoverLeft, this, &HeadAtlasView::hoverLeft);
    connect(m_plot, &AtlasPlot::exportRequested, this, &HeadAtlasView::exportRequested);
    connect(m_plot, &AtlasPlot::copyRequested, this, &HeadAtlasView::copyRequested);
    showWays(kNone);
}

/// Ways that were measured are shown again at once; others are asked for, once.
void HeadAtlasView::chooseWays(int ways) {
    showWays(ways);
    if (ways == kNone || m_measured.contains(ways) || !m_waiting.insert(ways).second) return;
    redraw();
    Q_EMIT trailsRequested(ways == kLength ? lw::TrailAxis::length : lw::TrailAxis::step);
}

void HeadAtlasView::setMeasures(const std::vector<lw::HeadMeasures>& measures) {
    m_measures = measures;
    m_known = atlasOf(measures);
    if (measures.empty()) {  // another run or text: its ways are others
        m_measured.clear();
        m_waiting.clear();
        m_ways->setCurrent(kNone);
    }
    m_ways->setEnabled(!measures.empty());
    showWays(m_ways->current());
}

void HeadAtlasView::setAtlas(const lw::HeadAtlas& atlas, lw::TrailAxis over) {
    m_waiting.erase(segmentOf(over));
    m_measured[segmentOf(over)] = atlas;
    showWays(m_ways->current());
}

void HeadAtlasView::dropRequest(lw::TrailAxis over) {
    m_waiting.erase(segmentOf(over));
    if (m_ways->current() == segmentOf(over)) m_ways->setCurrent(kNone);
    showWays(m_ways->current());
}

void HeadAtlasView::setHasSteps(bool several) {
    m_ways->setSegmentVisible(kSteps, several);
    if (several || m_ways->current() != kSteps) return;
    m_ways->setCurrent(kNone);
    showWays(kNone);
}

/// Dots are those of the query until the ways are there.
const lw::HeadAtlas& HeadAtlasView::shown() const {
    const auto found = m_measured.find(m_ways->current());
    return found == m_measured.end() ? m_known : found->second;
}

bool HeadAtlasView::showsWays() const { return m_measured.contains(m_ways->current()); }

QString HeadAtlasView::axis() const { return m_axis->currentData().toString(); }

std::string HeadAtlasView::csv() const { return showsWays() ? lw::atlas_csv(shown()) : lw::measures_csv(m_measures); }

void HeadAtlasView::showWays(int ways) {
    m_ways->setCurrent(ways);
    listAxes();
    redraw();
}

/// The measures that are known; the one that was looked at last stays chosen wherever it is among them.
void HeadAtlasView::listAxes() {
    const QSignalBlocker quiet(m_axis);
    m_axis->clear();
    for (const AtlasAxis* axis : knownAxes(shown())) m_axis->addItem(QCoreApplication::translate("Atlas", axis->label), QLatin1String(axis->id));
    m_axis->setCurrentIndex(m_axis->count() == 0 ? -1 : std::max(0, m_axis->findData(m_wanted)));
    m_axis->setEnabled(m_axis->count() > 1);
}

void HeadAtlasView::redraw() {
    const AtlasAxis* axis = findAtlasAxis(this->axis().toStdString());
    const auto over = m_ways->current() == kSteps ? lw::TrailAxis::step : lw::TrailAxis::length;
    m_plot->setMessage(tr("Heads appear here as soon as they are measured."));
    m_plot->setContent(axis ? atlasContent(shown(), *axis, over) : AtlasContent{});
    m_note->setText(note());
    m_note->setVisible(!m_note->text().isEmpty());
    Q_EMIT contentChanged();
}

QString HeadAtlasView::note() const {
    if (m_waiting.contains(m_ways->current())) return tr("The heads are being measured; until then the dots are those of the query.");
    if (m_plot->content().empty()) return {};
    const QString text = QString::fromStdString(shown().text), ways = m_plot->content().wayLabel;
    if (ways.isEmpty()) return text;
    return text.isEmpty() ? ways : tr("%1; %2").arg(ways, text);
}

void HeadAtlasView::setSelected(std::int64_t layer, std::int64_t head) { m_plot->setSelected(layer, head); }

void HeadAtlasView::setFilter(const QString& headClass) { m_plot->setFilter(headClass); }

QStringList HeadAtlasView::classes() const {
    QStringList names;
    for (const AtlasDot& dot : m_plot->content().dots) names << dot.way.back().headClass;
    return names;
}

}  // namespace lw::ui
