#pragma once
/// Asks by which protocol runs are evaluated, and which of them.

#include "core/api/recipe.h"

#include <QDialog>
#include <QStringList>

#include <filesystem>
#include <functional>
#include <utility>
#include <vector>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QSpinBox;

namespace lw::ui {

struct EvaluateChoice {
    lw::EvaluationSpec spec;
    bool onlyMissing = false;
};

class EvaluateDialog : public QDialog {
    Q_OBJECT
public:
    /// Titles of those runs that have no numbers by a protocol.
    using Missing = std::function<QStringList(const std::string& protocol)>;
    /// Title and folder of a run.
    using Named = std::pair<QString, std::filesystem::path>;
    /// `runs` are the shown ones: each may be the one that marks key tokens for all.
    EvaluateDialog(const lw::EvaluationSpec& start, const std::vector<Named>& runs, Missing missing, QWidget* parent = nullptr);
    [[nodiscard]] EvaluateChoice choice() const;

private:
    void fill(const lw::EvaluationSpec& start);
    void fillNumbers();
    void build(const QStringList& titles);
    [[nodiscard]] QGridLayout* buildLengths(const lw::EvaluationSpec& start);
    void describe();

    Missing m_missing;
    QComboBox* m_protocol;
    QSpinBox* m_scored;
    QSpinBox* m_stride;
    QSpinBox* m_documents;
    QSpinBox* m_short;
    QComboBox* m_evaluator;
    QComboBox* m_split;
    QCheckBox* m_onlyMissing;
    QLabel* m_help;
    std::vector<QCheckBox*> m_lengths;
    std::vector<Named> m_runs;
    lw::EvaluationSpec m_start;
};

/// As evaluation_protocols() has it; the id where it does not know it.
[[nodiscard]] QString protocolName(const QString& id);
/// One sentence on what a protocol scores.
[[nodiscard]] QString protocolHelp(const QString& id);
[[nodiscard]] QStringList protocolIds();
/// Whether a protocol counts key tokens alone: such numbers have no losses by position and do not stand beside published perplexities.
[[nodiscard]] bool countsKeyTokens(const QString& protocol);

}  // namespace lw::ui
