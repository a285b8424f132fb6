#pragma once
/// The numbers under the curves: one row per line, one column per length, and the test against a reference.

#include "ui/pages/curves_data.h"

#include <QAbstractTableModel>
#include <QTableView>

#include <optional>

namespace lw::ui {

class CurvesModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    void setContent(const CurvesLoaded& loaded);
    /// p at this length against the reference goes into the last column; nothing = no such column.
    void setReference(const ReferenceTable& table, std::optional<std::int64_t> length);
    [[nodiscard]] const std::vector<double>& lengths() const { return m_lengths; }
    /// Tab-separated, with intervals in columns of their own.
    [[nodiscard]] QString text() const;
    /// The last column's heading names the length alone: there is little room, and its tip says the rest.
    void setBrief(bool brief);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QVariant cell(const CurveSeries& series, std::size_t row, double length, int role) const;
    [[nodiscard]] QVariant test(std::size_t row, int role) const;
    [[nodiscard]] std::size_t rows() const { return m_loaded.set.lines.size(); }  ///< published values are no rows
    [[nodiscard]] bool sortedBy(std::size_t column) const;  ///< the longest length
    [[nodiscard]] bool lowest(std::size_t row, double value, double length) const;  ///< among the rows it can be compared with
    [[nodiscard]] bool tested() const;      ///< whether any row has a p: it takes two seeds on both sides

    CurvesLoaded m_loaded;
    std::vector<double> m_lengths;
    ReferenceTable m_reference;
    std::optional<std::int64_t> m_referenceLength;
    bool m_brief = false;
};

class CurvesTable : public QTableView {
    Q_OBJECT
public:
    explicit CurvesTable(QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    /// Columns as wide as their numbers, with a short heading of the last one where they do not fit, rows as many as fit.
    void arrange();
    /// Further rows are scrolled to.
    void setMostRows(int rows);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    int fitColumns();

    int m_mostRows = 6;
};

}  // namespace lw::ui
