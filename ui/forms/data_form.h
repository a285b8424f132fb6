#pragma once
/// What a run reads: corpora by tick (those not here yet have a Fetch button), own files and folders, or a synthetic task.

#include "core/api/text.h"

#include <QWidget>

#include <functional>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace lw::ui {

class Fetcher;
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
    /// How a corpus is called in the list. A name in letters that the font has not got would be a row of boxes: then its language and id.
    [[nodiscard]] static QString titleOf(const lw::CorpusInfo& corpus, const std::function<bool(uint)>& canDraw);
    /// A file or folder of the person becomes a corpus, alone ticked.
    void addPath(const QString& path);

Q_SIGNALS:
    void edited();

private:
    void readCorpora();
    void rebuildList();
    void addCorpusRow(const lw::CorpusInfo& corpus);
    void addFetchButton(const lw::CorpusInfo& corpus, QHBoxLayout* layout);
    [[nodiscard]] QHBoxLayout* rowLayout();
    void fetched(const std::string& id, const lw::Status& status);
    void readSources(const QString& source);
    [[nodiscard]] bool listed(const std::string& part) const;
    [[nodiscard]] bool ticked(const std::string& part) const;
    void tick(const std::string& part, bool on);
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
    Fetcher* m_fetcher;
    std::vector<std::string> m_paths;    ///< own files and folders
    std::vector<std::string> m_sources;  ///< ticked parts, in the order they were ticked or read
};

}  // namespace lw::ui
