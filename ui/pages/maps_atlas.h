#pragma once
/// All heads as dots beside the maps: which measure stands upright, and their ways over lengths or checkpoints on demand.

#include "core/api/heads.h"

#include <QStringList>
#include <QWidget>

#include <map>
#include <set>

class QComboBox;
class QLabel;

namespace lw::ui {

class AtlasPlot;
class Segmented;

class HeadAtlasView : public QWidget {
    Q_OBJECT
public:
    explicit HeadAtlasView(QWidget* parent = nullptr);

    /// What is known of the open map: one dot per head. Ways that were measured stay until it is empty.
    void setMeasures(const std::vector<lw::HeadMeasures>& measures);
    /// Measured over lengths or checkpoints; shown while such ways are chosen.
    void setAtlas(const lw::HeadAtlas& atlas, lw::TrailAxis over);
    /// What was asked for does not come: it may be asked for again.
    void dropRequest(lw::TrailAxis over);
    void setSelected(std::int64_t layer, std::int64_t head);
    void setFilter(const QString& headClass);
    /// Whether there are several checkpoints to go over.
    void setHasSteps(bool several);
    /// Class of every dot.
    [[nodiscard]] QStringList classes() const;
    [[nodiscard]] AtlasPlot* plot() const { return m_plot; }
    /// What the dots are made of: the ways that were measured, else what is known of the query.
    [[nodiscard]] const lw::HeadAtlas& shown() const;
    /// Whether they are ways, over lengths or checkpoints.
    [[nodiscard]] bool showsWays() const;
    [[nodiscard]] QString axis() const;  ///< id of the upright one
    /// The numbers as the command line writes them: of ways those of "figure atlas", of the query's dots those of "heads".
    [[nodiscard]] std::string csv() const;

Q_SIGNALS:
    void headClicked(qint64 layer, qint64 head);
    void headHovered(qint64 layer, qint64 head);
    void hoverLeft();
    void contentChanged();
    void trailsRequested(lw::TrailAxis over);
    void exportRequested();
    void copyRequested();

private:
    void chooseWays(int ways);
    void showWays(int ways);
    [[nodiscard]] QString note() const;
    void listAxes();
    void redraw();

    AtlasPlot* m_plot;
    QComboBox* m_axis;
    Segmented* m_ways;
    QLabel* m_note;
    QString m_wanted;                          ///< axis that was chosen last
    std::vector<lw::HeadMeasures> m_measures;  ///< of the open map's query
    lw::HeadAtlas m_known;                     ///< the same as an atlas
    std::map<int, lw::HeadAtlas> m_measured;   ///< by segment of the ways
    std::set<int> m_waiting;                   ///< segments that were asked for
};

}  // namespace lw::ui
