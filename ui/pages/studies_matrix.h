#pragma once
/// The matrix of a study's runs: a tile for each, which says its state in colour, glyph and words.

#include "ui/jobs/study_job.h"
#include "ui/pages/studies_data.h"

#include <QAbstractTableModel>
#include <QTableView>

namespace lw::ui {

class StudyModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    void setStudy(const StudyLoaded& loaded, const StudyLive& live);
    void setLive(const StudyLive& live);
    /// Null where the matrix has no run.
    [[nodiscard]] const lw::StudyCell* cell(const QModelIndex& index) const;
    [[nodiscard]] CellLook look(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(const std::string& cell) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    StudyLoaded m_loaded;
    StudyGrid m_grid;
    StudyLive m_live;
};

class StudyMatrix : public QTableView {
    Q_OBJECT
public:
    explicit StudyMatrix(QWidget* parent = nullptr);
    void setStudy(const StudyLoaded& loaded, const StudyLive& live);
    void setLive(const StudyLive& live) { m_model->setLive(live); }
    [[nodiscard]] const lw::StudyCell* currentCell() const { return m_model->cell(currentIndex()); }
    [[nodiscard]] StudyModel* studyModel() const { return m_model; }

Q_SIGNALS:
    void cellChosen();                          ///< another one, or the same with another state
    void menuRequested(const QPoint& position); ///< of the screen, for the current cell
    void opened();                              ///< Enter or a double-click

protected:
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    void arrange();
    StudyModel* m_model;
};

}  // namespace lw::ui
