#pragma once
/// A head's map while it is being trained: which layer, head and part, and the newest tile.

#include "core/api/runs.h"

#include <QImage>
#include <QWidget>

class QComboBox;
class QLabel;
class QSpinBox;

namespace lw::ui {

class TileView;

class TrainLiveMap : public QWidget {
    Q_OBJECT
public:
    explicit TrainLiveMap(QWidget* parent = nullptr);
    void setTile(const lw::MapTile& tile);
    void clear();
    /// Layers, heads and the parts that the scheme has.
    void setRecipe(const lw::Recipe& recipe);
    [[nodiscard]] lw::LiveMapRequest request() const;

Q_SIGNALS:
    void requestChanged();

private:
    QSpinBox* m_layer;
    QSpinBox* m_head;
    QComboBox* m_part;
    TileView* m_view;
    QLabel* m_caption;
};

}  // namespace lw::ui
