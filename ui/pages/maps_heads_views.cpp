/// What the left side of the Maps page shows of the heads: pictures, an atlas, or how they depend on the text.
#include "ui/pages/maps_atlas.h"
#include "ui/pages/maps_heads.h"
#include "ui/pages/maps_legend.h"
#include "ui/pages/maps_texts.h"
#include "ui/plot/head_rows.h"
#include "ui/plot/segmented.h"
#include "ui/plot/thumbnail_grid.h"
#include "ui/session.h"

#include <QApplication>
#include <QSettings>

#include <algorithm>

namespace lw::ui {

namespace {
const char* const kViewSetting = "maps/headsView";
}

void HeadsPanel::connectViews() {
    m_view->setObjectName(QStringLiteral("headsView"));
    m_view->add(kPictures, tr("Pictures"), tr("A small map of every head"));
    m_view->add(kAtlas, tr("Atlas"), tr("Every head as a dot: locality λ across, another measure up"));
    m_view->add(kTexts, tr("Texts"), tr("How the terms of the chosen head change with the text: a second text, and where it matters most"));
    connect(m_view, &Segmented::chosen, this, [this](int id) { showView(static_cast<View>(id)); });
    const auto choose = [this](qint64 layer, qint64 head) { Q_EMIT headChosen(layer, head, QApplication::keyboardModifiers() & Qt::ControlModifier); };
    connect(m_grid, &ThumbnailGrid::headClicked, this, choose);
    connect(m_grid, &ThumbnailGrid::headHovered, this, &HeadsPanel::headHovered);
    connect(m_grid, &ThumbnailGrid::hoverLeft, this, &HeadsPanel::hoverLeft);
    connect(m_atlas, &HeadAtlasView::headClicked, this, choose);
    connect(m_atlas, &HeadAtlasView::headHovered, this, &HeadsPanel::headHovered);
    connect(m_atlas, &HeadAtlasView::hoverLeft, this, &HeadsPanel::hoverLeft);
    connect(m_atlas, &HeadAtlasView::contentChanged, this, &HeadsPanel::fillLegend);
    connect(m_atlas, &HeadAtlasView::trailsRequested, this, &HeadsPanel::trailsRequested);
    connect(m_rows, &HeadRows::headClicked, this, [choose, this](qint64 head) { choose(m_selected.first, head); });
    connect(m_legend, &ClassLegend::filterChanged, m_grid, &ThumbnailGrid::setFilter);
    connect(m_legend, &ClassLegend::filterChanged, m_atlas, &HeadAtlasView::setFilter);
    showView(static_cast<View>(std::clamp(m_session->settings().value(QLatin1String(kViewSetting), 0).toInt(), static_cast<int>(kPictures), static_cast<int>(kTexts))));
}

HeadsPanel::View HeadsPanel::view() const { return static_cast<View>(m_view->current()); }

void HeadsPanel::showView(View view) {
    m_view->setCurrent(view);
    m_grid->setVisible(view == kPictures);
    m_atlas->setVisible(view == kAtlas);
    m_texts->setVisible(view == kTexts);
    m_legend->setVisible(view != kTexts);
    m_session->settings().setValue(QLatin1String(kViewSetting), static_cast<int>(view));
    fillLegend();
    Q_EMIT viewChanged();
}

/// Counts what is seen: the dots of an atlas may be means over texts and lengths, of other classes than the query's rows.
void HeadsPanel::fillLegend() {
    if (view() == kAtlas && !m_atlas->classes().isEmpty()) m_legend->setClasses(m_atlas->classes(), tr("number: layer.head"));
    else m_legend->setMeasures(m_measures);
}

}  // namespace lw::ui
