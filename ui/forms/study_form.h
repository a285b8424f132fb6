#pragma once
/// Asks for a new study: which schemes, with which seeds and lengths, on what; and says what it will take before it begins.

#include "core/api/study.h"

#include <QDialog>
#include <QMap>

#include <optional>

class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QTimer;

namespace lw::ui {

class DataForm;
class SchemeTicks;
class Session;

/// Names of the studies that are there already, by the name of their folder.
using TakenStudies = QMap<QString, QString>;

class StudyDialog : public QDialog {
    Q_OBJECT
public:
    /// `start` fills the form.
    StudyDialog(Session* session, const lw::StudySpec& start, const TakenStudies& taken, QWidget* parent = nullptr);
    /// Lists that cannot be read are empty in it; the dialog is not accepted with one.
    [[nodiscard]] lw::StudySpec spec() const;
    /// It is to be worked on at once.
    [[nodiscard]] bool runAfter() const { return m_runAfter; }
    /// Why the form makes no study; "" = it does.
    [[nodiscard]] QString problem() const;
    /// At once where what the form says was checked, else after the check; not at all where it is refused.
    void accept() override;

private:
    void fill();
    [[nodiscard]] QFormLayout* buildNumbers();
    void build();
    void edited();
    void preview();
    void showPreview(const lw::StudyStatus& status, const std::optional<lw::StudyEstimate>& estimate);
    void refuse(const QString& sentence);
    QLineEdit* line(const char* name, const QString& text, const QString& help);
    QSpinBox* number(const char* name, int low, int high, std::int64_t value);

    Session* m_session;
    lw::StudySpec m_start;
    TakenStudies m_taken;
    QTimer* m_timer;
    QLineEdit* m_name = nullptr;
    SchemeTicks* m_schemes = nullptr;
    QLineEdit* m_seeds = nullptr;
    QLineEdit* m_lengths = nullptr;
    QLineEdit* m_measured = nullptr;
    QSpinBox* m_steps = nullptr;
    QSpinBox* m_batch = nullptr;
    QSpinBox* m_width = nullptr;
    QSpinBox* m_layers = nullptr;
    QSpinBox* m_heads = nullptr;
    QSpinBox* m_documents = nullptr;
    DataForm* m_data = nullptr;
    QLabel* m_takes = nullptr;
    QLabel* m_remarks = nullptr;
    QPushButton* m_add = nullptr;
    QPushButton* m_run = nullptr;
    bool m_runAfter = false;
    bool m_checked = false;            ///< what the buttons say holds for what the form says
    bool m_acceptWhenChecked = false;
};

/// What the form begins with: three seeds, one training length, a small model.
[[nodiscard]] lw::StudySpec usualStudy();

}  // namespace lw::ui
