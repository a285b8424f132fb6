#pragma once
/// A form made from parameter specs: slider and spin box, combo box or check box, a reset button, help as tooltip.
/// Every input is found by the object name "param-<id>".

#include "core/api/params.h"

#include <QStringList>
#include <QWidget>

#include <functional>
#include <vector>

class QGridLayout;
class QToolButton;

namespace lw::ui {

class NumberSpin;

class ParamForm : public QWidget {
    Q_OBJECT
public:
    explicit ParamForm(QWidget* parent = nullptr);

    /// Builds the rows; values that are missing take their defaults.
    void setSpecs(const std::vector<lw::ParamSpec>& specs, const lw::Params& values = {});
    /// All parameters with their present values.
    [[nodiscard]] const lw::Params& values() const { return m_values; }
    /// Only those that differ from their defaults.
    [[nodiscard]] lw::Params changedValues() const;
    /// Sets without telling anybody.
    void setValues(const lw::Params& values);
    void setValue(const std::string& id, const lw::ParamValue& value);
    /// What the reset buttons go back to where it is not the default: the values of a preset.
    void setBaseline(const lw::Params& values);
    /// What fields show at 0 where that stands for something else; asked again with each call.
    void setAutomatic(const std::function<QStringList(const lw::ParamSpec&)>& texts);
    [[nodiscard]] bool empty() const { return m_rows.empty(); }

Q_SIGNALS:
    void edited();  ///< by a person

private:
    struct Row {
        lw::ParamSpec spec;
        std::function<void(const lw::ParamValue&)> show;
        QToolButton* reset = nullptr;
        NumberSpin* spin = nullptr;  ///< numbers only
    };
    void addRow(const lw::ParamSpec& spec);
    QWidget* makeNumber(Row& row);
    QWidget* makeChoice(Row& row);
    QWidget* makeCheck(Row& row);
    QWidget* makeList(Row& row);
    QWidget* makeInput(Row& row);
    void change(const std::string& id, const lw::ParamValue& value);
    void refresh(const Row& row);
    void showReset(const Row& row);
    [[nodiscard]] lw::ParamValue usual(const lw::ParamSpec& spec) const;

    QGridLayout* m_grid;
    std::vector<Row> m_rows;
    lw::Params m_values;
    lw::Params m_baseline;
    std::function<QStringList(const lw::ParamSpec&)> m_automatic;
    bool m_showing = false;
};

/// The number in a parameter value, whatever its type; 0 for text.
[[nodiscard]] double paramNumber(const lw::ParamValue& value);
[[nodiscard]] std::int64_t paramInteger(const lw::Params& values, const std::string& id, std::int64_t fallback = 0);
[[nodiscard]] double paramReal(const lw::Params& values, const std::string& id, double fallback = 0);
[[nodiscard]] std::string paramText(const lw::Params& values, const std::string& id, const std::string& fallback = {});

}  // namespace lw::ui
