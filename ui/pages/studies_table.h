#pragma once
/// The numbers of one table of a study's report: a row for each scheme, a column for each length.

#include "core/api/study_report.h"

#include <QAbstractTableModel>

namespace lw::ui {

class StudyTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    void setTable(const lw::StudyTable& table);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString numbers(const lw::StudyValue& value, bool published) const;
    [[nodiscard]] QString help(const lw::StudyValue& value, bool published) const;
    lw::StudyTable m_table;
};

/// What the marks mean, in one line.
[[nodiscard]] QString tableMarks(const lw::StudyTable& table, const lw::StudyReport& report);

}  // namespace lw::ui
