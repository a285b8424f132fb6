#pragma once
/// All heads as dots beside the maps: which measure stands upright, and their ways over lengths or checkpoints on demand.

#include "core/api/heads.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;

namespace lw::ui {

class AtlasPlot;

class HeadAtlasView : public QWidget {
    Q_OBJECT
public:
    explicit HeadAtlasView(QWidget* parent = nullptr);

    /// What is known of the open map: one dot per head. Where there are ways, they stay until it is empty.
    void setMeasures(const std::vector<lw::HeadMeasures>& measures);
    /// Measured over lengths or checkpoints.
    void setAtlas(const lw::HeadAtlas& atlas, lw::TrailAxis over);
    void setSelected(std::int64_t layer, std::int64_t head);
    void setFilter(const QString& headClass);
    /// Whether there are several checkpoints to go over.
    void setHasSteps(bool several);
    [[nodiscard]] AtlasPlot* plot() const { return m_plot; }

Q_SIGNALS:
    void headClicked(qint64 layer, qint64 head);
    void trailsRequested(lw::TrailAxis over);

private:
    void listAxes();
    void redraw();

    AtlasPlot* m_plot;
    QComboBox* m_axis;
    QPushButton* m_overLength;
    QPushButton* m_overSteps;
    QLabel* m_note;
    lw::HeadAtlas m_atlas;
    lw::TrailAxis m_over = lw::TrailAxis::length;
};

}  // namespace lw::ui
