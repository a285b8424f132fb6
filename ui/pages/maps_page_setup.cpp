/// Building the Maps page and connecting its parts.
#include "ui/pages/maps_heads.h"
#include "ui/pages/maps_page.h"
#include "ui/pages/maps_view.h"
#include "ui/panels/empty_state.h"
#include "ui/plot/heat_map.h"
#include "ui/plot/segmented.h"
#include "ui/session.h"
#include "ui/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace lw::ui {

MapsPage::MapsPage(Session* session, QWidget* parent)
    : Page(session, parent), m_parts(new Segmented(this)), m_scaleKind(new Segmented(this)), m_compareButton(new QPushButton(tr("Compare with…"), this)), m_viewButton(new QPushButton(tr("View ▾"), this)),
      m_exportButton(new QPushButton(tr("Export…"), this)), m_caption(new QLabel(this)), m_stack(new QStackedWidget(this)), m_splitter(new QSplitter(Qt::Horizontal)), m_heads(new HeadsPanel(session)),
      m_canvas(new MapsCanvas), m_empty(new EmptyState), m_firstView(new MapView(m_canvas->map(), &session->compute(), QStringLiteral("map"), this)),
      m_secondView(new MapView(m_canvas->map(MapsCanvas::kSecond), &session->compute(), QStringLiteral("second map"), this)), m_previewTimer(new QTimer(this)) {
    setObjectName(QStringLiteral("mapsPage"));
    setFocusPolicy(Qt::StrongFocus);
    auto* bar = new QHBoxLayout;
    buildToolbar(bar);
    m_splitter->addWidget(m_heads);
    m_splitter->addWidget(m_canvas);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(2 * theme::kGrid);
    m_splitter->setStretchFactor(0, 2);
    m_splitter->setStretchFactor(1, 3);
    m_splitter->setSizes({430, 560});
    m_heads->setMinimumWidth(220);
    m_stack->addWidget(m_splitter);
    m_stack->addWidget(m_empty);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(theme::kGrid);
    layout->addLayout(bar);
    layout->addWidget(m_stack, 1);
    m_previewTimer->setSingleShot(true);
    m_previewTimer->setInterval(150);
    restore();
    connectSession();
    connectCanvas();
    connectHeads();
    connectTexts();
    connectExports();
    showState();
}

/// Choices of last time; what a file edited by hand says wrongly is left at its default.
void MapsPage::restore() {
    const QSettings& settings = session()->settings();
    const auto value = [&](const char* key, const QVariant& usual) { return settings.value(QStringLiteral("maps/") + QLatin1String(key), usual); };
    m_logProbability = value("logProbability", true).toBool();
    m_scaleKind->setCurrent(m_logProbability ? 1 : 0);
    m_splitter->restoreState(value("splitter", {}).toByteArray());
    m_heads->setOwnLimits(value("ownLimits", false).toBool());
    m_heads->setSortedByLocality(value("sorted", false).toBool());
    m_limits = static_cast<Limits>(std::clamp(value("limits", 0).toInt(), 0, 2));
    if (const double kept = value("keptSigned", 0).toDouble(); kept > 0) m_keptSigned = kept;
    if (const double kept = value("keptProbability", 0).toDouble(); kept > 0) m_keptProbability = kept;
    if (const auto reducer = lw::parse_reducer(value("reducer", {}).toString().toStdString()); reducer.ok()) m_reducer = reducer.value();
    if (const auto map = colourMapOf(value("signedColours", {}).toString().toStdString()); map && isDiverging(*map)) m_signedMap = *map;
    if (const auto map = colourMapOf(value("probabilityColours", {}).toString().toStdString()); map && !isDiverging(*map)) m_probabilityMap = *map;
}

MapsPage::~MapsPage() {
    session()->compute().release(std::exchange(m_other.maps, nullptr));
}

void MapsPage::buildToolbar(QHBoxLayout* bar) {
    m_parts->setObjectName(QStringLiteral("mapParts"));
    const auto add = [&](lw::ScorePart part, const QString& text) { m_parts->add(static_cast<int>(part), text); };
    add(lw::ScorePart::content, tr("Content"));
    add(lw::ScorePart::bias, tr("Bias"));
    add(lw::ScorePart::adaptive, tr("Adaptive"));
    add(lw::ScorePart::bias_adaptive, tr("Bias + adaptive"));
    add(lw::ScorePart::logit, tr("Logit"));
    add(lw::ScorePart::probability, tr("Probability"));
    m_scaleKind->setObjectName(QStringLiteral("probabilityScale"));
    m_scaleKind->add(0, tr("Linear"));
    m_scaleKind->add(1, tr("Log"));
    m_caption->setObjectName(QStringLiteral("mapCaption"));
    m_caption->setFont(theme::caption());
    m_caption->setForegroundRole(QPalette::PlaceholderText);
    m_caption->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_caption->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_compareButton->setObjectName(QStringLiteral("compareButton"));
    m_viewButton->setObjectName(QStringLiteral("viewButton"));
    m_exportButton->setObjectName(QStringLiteral("exportButton"));
    bar->setSpacing(theme::kGrid);
    bar->addWidget(m_parts);
    bar->addWidget(m_scaleKind);
    bar->addWidget(m_compareButton);
    bar->addWidget(m_viewButton);
    bar->addWidget(m_caption, 1);
    bar->addWidget(m_exportButton);
    connect(m_parts, &Segmented::chosen, this, [this](int id) { session()->setPart(static_cast<lw::ScorePart>(id)); });
    connect(m_scaleKind, &Segmented::chosen, this, [this](int id) {
        m_logProbability = id == 1;
        session()->settings().setValue(QStringLiteral("maps/logProbability"), m_logProbability);
        if (session()->mapsInfo()) m_heads->setMaps(session()->maps(), *session()->mapsInfo(), m_part, m_logProbability);
        applyScale();
    });
    connect(m_compareButton, &QPushButton::clicked, this, &MapsPage::openCompareMenu);
    connect(m_viewButton, &QPushButton::clicked, this, &MapsPage::openViewMenu);
    connect(m_exportButton, &QPushButton::clicked, this, &MapsPage::exportFigure);
}

void MapsPage::connectSession() {
    connect(session(), &Session::mapsStale, this, [this] {
        if (isVisible()) session()->ensureMaps();
    });
    connect(session(), &Session::mapsChanged, this, &MapsPage::mapsChanged);
    connect(session(), &Session::partChanged, this, &MapsPage::refresh);
    connect(session(), &Session::headChanged, this, &MapsPage::refresh);
    connect(session(), &Session::currentRunChanged, this, &MapsPage::showState);
    connect(session(), &Session::queryChanged, this, [this] {
        if (isVisible() && session()->mapsInfo()) requestRows();
    });
}

void MapsPage::connectCanvas() {
    connect(m_canvas, &MapsCanvas::hovered, this, &MapsPage::hover);
    connect(m_canvas, &MapsCanvas::hoverLeft, this, &MapsPage::endHover);
    connect(m_canvas, &MapsCanvas::cellClicked, this, [this](qint64 query, qint64) { session()->setQuery(query); });
    connect(m_canvas->map(), &HeatMap::captionChanged, this, &MapsPage::updateCaption);
    for (const MapsCanvas::Place place : {MapsCanvas::kFirst, MapsCanvas::kSecond, MapsCanvas::kDifference}) {
        connect(m_canvas->map(place), &HeatMap::exportRequested, this, [this, place] { exportFrom(place); });
        connect(m_canvas->map(place), &HeatMap::menuAboutToShow, this, &MapsPage::fillViewMenu);
    }
    for (MapView* view : {m_firstView, m_secondView}) {
        connect(view, &MapView::spreadsChanged, this, &MapsPage::applyScale);
        connect(view, &MapView::detailChanged, this, [this] {
            if (m_limits == Limits::seen || m_part == lw::ScorePart::probability) applyScale();
            showDifference();
        });
        connect(view, &MapView::failed, this, [this](const lw::Error& error) { session()->report(error, tr("Drawing the map")); });
    }
}

void MapsPage::connectHeads() {
    connect(m_heads, &HeadsPanel::headChosen, this, [this](qint64 layer, qint64 head, bool toCompare) {
        m_previewTimer->stop();
        m_previewed = {-1, -1};
        if (toCompare) compareWithHead(layer, head);
        else session()->setHead(layer, head);
    });
    connect(m_heads, &HeadsPanel::headHovered, this, [this](qint64 layer, qint64 head) {
        m_previewed = {layer, head};
        m_previewTimer->start();
    });
    connect(m_heads, &HeadsPanel::hoverLeft, this, [this] {
        m_previewTimer->stop();
        if (std::exchange(m_previewed, HeadKey{-1, -1}).first >= 0) preview(-1, -1);
    });
    connect(m_previewTimer, &QTimer::timeout, this, [this] { preview(m_previewed.first, m_previewed.second); });
    connect(m_heads, &HeadsPanel::trailsRequested, this, &MapsPage::measureTrails);
    connect(m_heads, &HeadsPanel::measuresChanged, this, &MapsPage::describeHead);
    connect(m_heads, &HeadsPanel::tilesChanged, this, &MapsPage::describeHead);
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { session()->settings().setValue(QStringLiteral("maps/splitter"), m_splitter->saveState()); });
}

}  // namespace lw::ui
