/// See maps_atlas.h.
#include "ui/pages/maps_atlas.h"

#include "ui/plot/atlas_plot.h"
#include "ui/theme.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace lw::ui {

HeadAtlasView::HeadAtlasView(QWidget* parent)
    : QWidget(parent), m_plot(new AtlasPlot), m_axis(new QComboBox), m_overLength(new QPushButton(tr("Over length"))), m_overSteps(new QPushButton(tr("Over training"))), m_note(new QLabel) {
    m_axis->setObjectName(QStringLiteral("atlasAxis"));
    m_axis->setToolTip(tr("What stands upright; across is the locality λ"));
    m_axis->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_axis->setMinimumContentsLength(12);
    m_overLength->setObjectName(QStringLiteral("atlasOverLength"));
    m_overLength->setToolTip(tr("Measure every head at lengths from half of L to eight times L, each the end of the same texts, and draw its way"));
    m_overSteps->setObjectName(QStringLiteral("atlasOverSteps"));
    m_overSteps->setToolTip(tr("Measure every head at each checkpoint of the run and draw its way"));
    m_overSteps->hide();
    m_note->setFont(theme::caption());
    m_note->setWordWrap(true);
    auto* bar = new QHBoxLayout;
    bar->addWidget(m_axis, 1);
    bar->addWidget(m_overLength);
    bar->addWidget(m_overSteps);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addLayout(bar);
    all->addWidget(m_plot, 1);
    all->addWidget(m_note);
    connect(m_axis, &QComboBox::currentIndexChanged, this, &HeadAtlasView::redraw);
    connect(m_overLength, &QPushButton::clicked, this, [this] { Q_EMIT trailsRequested(lw::TrailAxis::length); });
    connect(m_overSteps, &QPushButton::clicked, this, [this] { Q_EMIT trailsRequested(lw::TrailAxis::step); });
    connect(m_plot, &AtlasPlot::headClicked, this, &HeadAtlasView::headClicked);
}

void HeadAtlasView::setMeasures(const std::vector<lw::HeadMeasures>& measures) {
    // Ways do not depend on the query that these are measured at.
    if (!measures.empty() && !m_plot->content().wayLabel.isEmpty()) return;
    setAtlas(atlasOf(measures), lw::TrailAxis::length);
}

void HeadAtlasView::setAtlas(const lw::HeadAtlas& atlas, lw::TrailAxis over) {
    m_atlas = atlas;
    m_over = over;
    listAxes();
    redraw();
}

/// The measures that are known, the one that was looked at kept where it is among them.
void HeadAtlasView::listAxes() {
    const QSignalBlocker quiet(m_axis);
    const QVariant chosen = m_axis->currentData();
    m_axis->clear();
    for (const AtlasAxis* axis : knownAxes(m_atlas)) m_axis->addItem(QCoreApplication::translate("Atlas", axis->label), QLatin1String(axis->id));
    m_axis->setCurrentIndex(std::max(0, m_axis->findData(chosen)));
}

void HeadAtlasView::redraw() {
    const AtlasAxis* axis = findAtlasAxis(m_axis->currentData().toString().toStdString());
    m_plot->setContent(axis ? atlasContent(m_atlas, *axis, m_over) : AtlasContent{});
    const QString ways = m_plot->content().wayLabel;
    m_note->setText(ways.isEmpty() ? QString() : tr("%1; %2").arg(ways, QString::fromStdString(m_atlas.text)));
    m_note->setVisible(!m_note->text().isEmpty());
}

void HeadAtlasView::setSelected(std::int64_t layer, std::int64_t head) { m_plot->setSelected(layer, head); }

void HeadAtlasView::setFilter(const QString& headClass) { m_plot->setFilter(headClass); }

void HeadAtlasView::setHasSteps(bool several) { m_overSteps->setVisible(several); }

}  // namespace lw::ui
