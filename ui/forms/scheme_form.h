#pragma once
/// A scheme as a form: a preset, then one combo per slot with the parameters of the method that fills it.

#include "core/api/scheme.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QVBoxLayout;

namespace lw::ui {

class ParamForm;

class SchemeForm : public QWidget {
    Q_OBJECT
public:
    explicit SchemeForm(QWidget* parent = nullptr);

    [[nodiscard]] lw::SchemeSpec scheme() const;
    /// Shows a scheme without telling anybody.
    void setScheme(const lw::SchemeSpec& scheme);
    /// Whether check_scheme accepts it; the sentence stands under the form.
    [[nodiscard]] bool valid() const { return m_error.isEmpty(); }
    [[nodiscard]] const QString& error() const { return m_error; }

Q_SIGNALS:
    void edited();  ///< by a person

private:
    struct Slot {
        lw::SlotInfo info;
        QComboBox* method = nullptr;  ///< item data: method id, "" = none
        ParamForm* params = nullptr;
    };
    void addSlot(const lw::SlotInfo& info, QVBoxLayout* layout);
    void showMethod(Slot& slot, const lw::Params& values);
    void choosePreset(int index);
    [[nodiscard]] std::string ownName() const;
    void changed();
    void check();

    QComboBox* m_preset;
    QLabel* m_message;
    std::vector<Slot> m_slots;
    QString m_error;
};

}  // namespace lw::ui
