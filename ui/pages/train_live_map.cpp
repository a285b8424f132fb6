/// See train_live_map.h.
#include "ui/pages/train_live_map.h"

#include "ui/plot/colour_map.h"
#include "ui/plot/map_painter.h"
#include "ui/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace lw::ui {

/// Paints one tile as large as fits with its colour bar: square cells, nothing smoothed.
class TileView : public QWidget {
public:
    explicit TileView(QWidget* parent) : QWidget(parent) {
        setMinimumSize(120, 120);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    }
    void setTile(const lw::MapTile& tile) {
        m_tile = tile;
        recolour();
    }
    void clear() {
        m_tile = {};
        m_image = {};
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const PlotTheme theme = PlotTheme::fromPalette(palette());
        const int bar = kGap + kBar + colourBarTextWidth(m_scale, theme);
        const QRectF square(0, 0, qMin(width() - bar, height()), qMin(width() - bar, height()));
        painter.fillRect(square, m_image.isNull() ? theme::raised(palette()) : theme.masked);
        if (m_image.isNull()) {
            painter.setPen(theme.secondary);
            painter.setFont(theme.caption);
            painter.drawText(square, Qt::AlignCenter | Qt::TextWordWrap, TrainLiveMap::tr("The map of this head\nappears while training."));
            return;
        }
        MapGeometry geometry{square, m_tile.queries.end, m_tile.keys.end, {}};
        geometry.fit();
        paintCells(painter, geometry, mapLayer(m_tile, m_image));
        paintColourBar(painter, QRectF(square.right() + kGap, 4, kBar, square.height() - 8), m_scale, theme, {partUnit(m_tile.part), false, false});
    }
    void changeEvent(QEvent* event) override {
        QWidget::changeEvent(event);
        if (event->type() == QEvent::PaletteChange) recolour();
    }

private:
    static constexpr int kGap = 8, kBar = 12;

    void recolour() {
        if (m_tile.values.empty()) return;
        m_scale = scaleFor(m_tile.part, {valueSpread(m_tile.values)}, false);
        m_image = colourImage(m_tile.values, m_tile.rows, m_tile.columns, m_scale, theme::masked(palette()).rgb());
        update();
    }
    lw::MapTile m_tile;
    ColourScale m_scale;
    QImage m_image;
};

TrainLiveMap::TrainLiveMap(QWidget* parent)
    : QWidget(parent), m_layer(new QSpinBox(this)), m_head(new QSpinBox(this)), m_part(new QComboBox(this)), m_view(new TileView(this)), m_caption(new QLabel(this)) {
    m_layer->setPrefix(tr("layer "));
    m_layer->setObjectName(QStringLiteral("liveLayer"));
    m_layer->setAccessibleName(tr("Layer of the live map"));
    m_head->setPrefix(tr("head "));
    m_head->setObjectName(QStringLiteral("liveHead"));
    m_head->setAccessibleName(tr("Head of the live map"));
    m_part->setAccessibleName(tr("Part of the live map"));
    m_caption->setFont(theme::caption());
    m_caption->setForegroundRole(QPalette::PlaceholderText);
    auto* choices = new QHBoxLayout;
    choices->setSpacing(theme::kGrid);
    choices->addWidget(m_part, 1);
    choices->addWidget(m_layer);
    choices->addWidget(m_head);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGrid);
    layout->addLayout(choices);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_caption);
    setRecipe({});
    connect(m_layer, &QSpinBox::valueChanged, this, &TrainLiveMap::requestChanged);
    connect(m_head, &QSpinBox::valueChanged, this, &TrainLiveMap::requestChanged);
    connect(m_part, &QComboBox::activated, this, &TrainLiveMap::requestChanged);
}

void TrainLiveMap::setRecipe(const lw::Recipe& recipe) {
    m_layer->setRange(0, static_cast<int>(recipe.model.layers - 1));
    m_head->setRange(0, static_cast<int>(recipe.model.heads - 1));
    const bool bias = recipe.scheme.slots.contains("bias"), adaptive = recipe.scheme.slots.contains("adaptive");
    std::vector<lw::ScorePart> parts{lw::ScorePart::probability, lw::ScorePart::logit, lw::ScorePart::content};
    if (bias) parts.push_back(lw::ScorePart::bias);
    if (adaptive) parts.insert(parts.end(), {lw::ScorePart::adaptive, lw::ScorePart::bias_adaptive});
    const QVariant chosen = m_part->currentData();
    m_part->clear();
    for (const lw::ScorePart part : parts) m_part->addItem(partText(part), static_cast<int>(part));
    m_part->setCurrentIndex(std::max(0, m_part->findData(chosen)));
}

void TrainLiveMap::setTile(const lw::MapTile& tile) {
    m_view->setTile(tile);
    m_caption->setText(tr("%1 of layer %2, head %3 · queries down, keys across").arg(partText(tile.part)).arg(tile.layer).arg(tile.head));
}

void TrainLiveMap::clear() {
    m_view->clear();
    m_caption->clear();
}

lw::LiveMapRequest TrainLiveMap::request() const {
    lw::LiveMapRequest request;
    request.layer = m_layer->value();
    request.head = m_head->value();
    request.part = static_cast<lw::ScorePart>(m_part->currentData().toInt());
    return request;
}

}  // namespace lw::ui
