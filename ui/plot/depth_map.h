#pragma once
/// Depth grids of several runs beside each other, on the screen.

#include "ui/plot/depth_grid.h"

#include <QWidget>

#include <vector>

namespace lw::ui {

class DepthMap : public QWidget {
    Q_OBJECT
public:
    explicit DepthMap(QWidget* parent = nullptr);
    void setGrids(std::vector<DepthGrid> grids);
    [[nodiscard]] const std::vector<DepthGrid>& grids() const { return m_grids; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 160}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<DepthGrid> m_grids;
};

}  // namespace lw::ui
