#pragma once
/// What a run reads: corpora by tick (those not here yet have a Fetch button), own files and folders, or a synthetic task.

#include "core/api/text.h"

#include <QWidget>

#include <set>

class QComboBox;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace lw::ui {

class ParamForm;
class Session;

class DataForm : public QWidget {
    Q_OBJECT
public:
    explicit DataForm(Session* session, QWidget* parent = nullptr);
    [[nodiscard]] lw::DataSpec data() const;
    void setData(const lw::DataSpec& data);
    /// Why nothing can be trained yet; "" = it can.
    [[nodiscard]] QString problem() const;
    /// A file or folder of the person becomes a corpus, alone ticked.
    void addPath(const QString& path);

Q_SIGNALS:
    void edited();

private:
    void readCorpora();
    void rebuildList();
    void addCorpusRow(const lw::CorpusInfo& corpus);
    void fetch(const std::string& id);
    void browse(bool folder);
    void showKind();
    [[nodiscard]] bool isTask() const;

    Session* m_session;
    QComboBox* m_kind;           ///< "Text", then the tasks
    QWidget* m_textPart;
    QVBoxLayout* m_list;
    ParamForm* m_tokenizer;
    QLabel* m_taskSummary;
    ParamForm* m_task;
    std::vector<lw::CorpusInfo> m_corpora;
    std::vector<std::string> m_paths;   ///< own files and folders
    std::set<std::string> m_ticked;
    std::set<std::string> m_fetching;
};

}  // namespace lw::ui
