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

namespace lw::ui {

/// Paints one tile as large as fits, square cells, nothing smoothed.
class TileView : public QWidget {
public:
    explicit TileView(QWidget* parent) : QWidget(parent) {
        setMinimumSize(120, 120);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    }
    void setTile(const lw::MapTile& tile) {
        m_tile = tile;
        repaintImage();
    }
    void clear() {
        m_tile = {};
        m_image = {};
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const int side = qMin(width(), height());
        const QRect square(0, 0, side, side);
        painter.fillRect(square, m_image.isNull() ? theme::raised(palette()) : theme::masked(palette()));
        if (m_image.isNull()) {
            painter.setPen(theme::secondaryText(palette()));
            painter.setFont(theme::caption());
            painter.drawText(square, Qt::AlignCenter | Qt::TextWordWrap, TrainLiveMap::tr("The map of this head\nappears while training."));
            return;
        }
        painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
        painter.drawImage(square, m_image);
    }
    void changeEvent(QEvent* event) override {
        QWidget::changeEvent(event);
        if (event->type() == QEvent::PaletteChange) repaintImage();
    }

private:
    void repaintImage() {
        if (m_tile.values.empty()) return;
        const ColourScale scale = scaleFor(m_tile.part, {valueSpread(m_tile.values)}, false);
        m_image = colourImage(m_tile.values, m_tile.rows, m_tile.columns, scale, theme::masked(palette()).rgb());
        update();
    }
    lw::MapTile m_tile;
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
    for (const auto part : {lw::ScorePart::probability, lw::ScorePart::logit, lw::ScorePart::content, lw::ScorePart::bias, lw::ScorePart::adaptive})
        m_part->addItem(partText(part), static_cast<int>(part));
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
    setShape(4, 8);
    connect(m_layer, &QSpinBox::valueChanged, this, &TrainLiveMap::requestChanged);
    connect(m_head, &QSpinBox::valueChanged, this, &TrainLiveMap::requestChanged);
    connect(m_part, &QComboBox::activated, this, &TrainLiveMap::requestChanged);
}

void TrainLiveMap::setShape(std::int64_t layers, std::int64_t heads) {
    m_layer->setRange(0, static_cast<int>(layers - 1));
    m_head->setRange(0, static_cast<int>(heads - 1));
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
