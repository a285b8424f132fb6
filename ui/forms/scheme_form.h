#pragma once
/// A scheme as a form: a preset, then one combo per slot with the parameters of the method that fills it.

#include "core/api/scheme.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace lw::ui {

class ParamForm;
class SearchCombo;
class Session;

class SchemeForm : public QWidget {
    Q_OBJECT
public:
    explicit SchemeForm(QWidget* parent = nullptr);

    [[nodiscard]] lw::SchemeSpec scheme() const;
    /// The model it is for: what parameters stand for that follow its lengths. Lengths of 0 are not known.
    void setShape(const lw::ModelShape& shape);
    /// Shows a scheme without telling anybody.
    void setScheme(const lw::SchemeSpec& scheme);
    /// Offers these presets, a person's own in a group at the end; the scheme in the form stays.
    void setPresets(std::vector<lw::SchemePreset> presets);
    /// Offers the session's presets, whenever they change, and lets it delete those that are a person's own.
    void follow(Session* session);
    /// Whether check_scheme accepts it; the sentence stands under the form.
    [[nodiscard]] bool valid() const { return m_error.isEmpty(); }
    [[nodiscard]] const QString& error() const { return m_error; }

Q_SIGNALS:
    void edited();  ///< by a person
    void deleteRequested(const QString& preset);  ///< id of a preset of the person's own

private:
    struct Slot {
        lw::SlotInfo info;
        QComboBox* method = nullptr;  ///< item data: method id, "" = none
        ParamForm* params = nullptr;
    };
    void addSlot(const lw::SlotInfo& info, QVBoxLayout* layout);
    void showMethod(Slot& slot, const lw::Params& values);
    void choosePreset(int index);
    /// The preset with the same slots, methods and parameters once everything is filled in; null for none.
    [[nodiscard]] lw::SchemeSpec keptEncoder(const lw::SchemeSpec& preset) const;
    [[nodiscard]] const lw::SchemePreset* presetOf(const lw::SchemeSpec& scheme) const;
    [[nodiscard]] std::string ownName() const;
    void changed();
    void check();

    void addPresets();
    void setBaselines();

    SearchCombo* m_preset;
    QToolButton* m_delete;
    QLabel* m_message;
    std::vector<Slot> m_slots;
    std::vector<lw::SchemePreset> m_presets;
    lw::ModelShape m_shape;
    std::vector<std::optional<lw::SchemeSpec>> m_checked;  ///< each preset with everything filled in; nothing where it is refused
    QString m_error;
};

}  // namespace lw::ui
