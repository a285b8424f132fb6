/// See data_form.h.
#include "ui/forms/data_form.h"

#include "ui/forms/param_form.h"
#include "ui/plot/number_text.h"
#include "ui/session.h"
#include "ui/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lw::ui {

namespace {

std::vector<lw::ParamSpec> tokenizerSpecs() {
    lw::ParamSpec kind;
    kind.id = "tokenizer";
    kind.label = DataForm::tr("Tokenizer").toStdString();
    kind.help = DataForm::tr("bpe: SentencePiece pieces learned from the training split. byte: one token per byte.").toStdString();
    kind.type = lw::ParamType::choice;
    kind.default_value = std::string("bpe");
    kind.choices = {"bpe", "byte"};
    lw::ParamSpec vocabulary;
    vocabulary.id = "vocabulary";
    vocabulary.label = DataForm::tr("Vocabulary").toStdString();
    vocabulary.help = DataForm::tr("Number of pieces of the bpe tokenizer.").toStdString();
    vocabulary.type = lw::ParamType::integer;
    vocabulary.default_value = std::int64_t{1024};
    vocabulary.min = 300;
    vocabulary.max = 32000;
    vocabulary.step = 4;
    vocabulary.logarithmic = true;
    return {kind, vocabulary};
}

QString sizeText(std::int64_t bytes) {
    return bytes < 100000 ? DataForm::tr("%1 kB").arg(numberText(static_cast<double>(bytes) / 1e3, 0))
                          : DataForm::tr("%1 MB").arg(numberText(static_cast<double>(bytes) / 1e6, 1));
}

}  // namespace

DataForm::DataForm(Session* session, QWidget* parent)
    : QWidget(parent), m_session(session), m_kind(new QComboBox(this)), m_textPart(new QWidget(this)), m_tokenizer(new ParamForm(this)),
      m_taskSummary(new QLabel(this)), m_task(new ParamForm(this)), m_ticked{"en-prose"} {
    m_kind->setObjectName(QStringLiteral("dataKind"));
    m_kind->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_kind->setMinimumContentsLength(12);
    m_kind->setAccessibleName(tr("Data"));
    m_kind->addItem(tr("Text"), QString());
    for (const lw::TaskInfo& task : lw::tasks()) m_kind->addItem(tr("Task: %1").arg(QString::fromStdString(task.name)), QString::fromStdString(task.id));
    auto* line = new QHBoxLayout;
    auto* label = new QLabel(tr("Source"), this);
    label->setFixedWidth(theme::kLabelWidth);
    line->addWidget(label);
    line->addWidget(m_kind, 1);
    line->addSpacing(theme::kResetWidth);

    auto* text = new QVBoxLayout(m_textPart);
    text->setContentsMargins(0, 0, 0, 0);
    text->setSpacing(6);
    m_list = new QVBoxLayout;
    m_list->setSpacing(4);
    text->addLayout(m_list);
    auto* own = new QHBoxLayout;
    auto* addFile = new QPushButton(tr("Add file…"), m_textPart);
    auto* addFolder = new QPushButton(tr("Add folder…"), m_textPart);
    own->addSpacing(theme::kGrid * 2);
    own->addWidget(addFile);
    own->addWidget(addFolder);
    own->addStretch();
    text->addLayout(own);
    m_tokenizer->setSpecs(tokenizerSpecs());
    text->addWidget(m_tokenizer);
    m_taskSummary->setWordWrap(true);
    m_taskSummary->setFont(theme::caption());
    m_taskSummary->setForegroundRole(QPalette::PlaceholderText);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGrid);
    layout->addLayout(line);
    layout->addWidget(m_textPart);
    layout->addWidget(m_taskSummary);
    layout->addWidget(m_task);

    connect(m_kind, &QComboBox::activated, this, [this] {
        showKind();
        Q_EMIT edited();
    });
    connect(addFile, &QPushButton::clicked, this, [this] { browse(false); });
    connect(addFolder, &QPushButton::clicked, this, [this] { browse(true); });
    connect(m_tokenizer, &ParamForm::edited, this, &DataForm::edited);
    connect(m_task, &ParamForm::edited, this, &DataForm::edited);
    showKind();
    readCorpora();
}

bool DataForm::isTask() const { return !m_kind->currentData().toString().isEmpty(); }

void DataForm::showKind() {
    m_textPart->setVisible(!isTask());
    m_task->setVisible(isTask());
    m_taskSummary->setVisible(isTask());
    for (const lw::TaskInfo& task : lw::tasks()) {
        if (QString::fromStdString(task.id) != m_kind->currentData().toString()) continue;
        m_taskSummary->setText(QString::fromStdString(task.summary));
        m_task->setSpecs(task.params);
    }
}

void DataForm::readCorpora() {
    m_session->compute().run<std::vector<lw::CorpusInfo>>(
        QStringLiteral("corpora"), [](const lw::RunContext&) -> lw::Result<std::vector<lw::CorpusInfo>> { return lw::corpora(); }, this,
        [this](lw::Result<std::vector<lw::CorpusInfo>> list) {
            if (!list.ok()) return m_session->report(list.error(), tr("Listing corpora"));
            m_corpora = list.value();
            rebuildList();
            Q_EMIT edited();  // what can be trained may have changed
        });
}

void DataForm::rebuildList() {
    while (QLayoutItem* item = m_list->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
    for (const lw::CorpusInfo& corpus : m_corpora) addCorpusRow(corpus);
    for (const std::string& path : m_paths) {
        lw::CorpusInfo own;
        own.id = path;
        own.title = QFileInfo(QString::fromStdString(path)).fileName().toStdString();
        own.origin = path;
        own.fetched = true;
        own.bytes = QFileInfo(QString::fromStdString(path)).isFile() ? QFileInfo(QString::fromStdString(path)).size() : 0;
        addCorpusRow(own);
    }
}

void DataForm::addCorpusRow(const lw::CorpusInfo& corpus) {
    auto* row = new QWidget(m_textPart);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(theme::kGrid * 2, 0, theme::kResetWidth, 0);
    layout->setSpacing(theme::kGrid);
    const QString id = QString::fromStdString(corpus.id);
    const QString title = QString::fromStdString(corpus.title);
    auto* tick = new QCheckBox(title.section(QLatin1Char(':'), 0, 0), row);
    tick->setObjectName(QStringLiteral("corpus-") + id);
    tick->setToolTip(tr("%1\n%2\nFrom %3\nLicence: %4").arg(title, id, QString::fromStdString(corpus.origin), QString::fromStdString(corpus.licence)));
    tick->setChecked(corpus.fetched && m_ticked.contains(corpus.id));
    tick->setEnabled(corpus.fetched);
    tick->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    layout->addWidget(tick, 1);
    auto* size = new QLabel(corpus.bytes > 0 ? sizeText(corpus.bytes) : QString(), row);
    size->setFont(theme::caption());
    size->setForegroundRole(QPalette::PlaceholderText);
    size->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    layout->addWidget(size);
    auto* get = new QPushButton(row);
    get->setObjectName(QStringLiteral("fetch-") + id);
    get->setText(m_fetching.contains(corpus.id) ? tr("Fetching…") : tr("Fetch"));
    get->setEnabled(!m_fetching.contains(corpus.id));
    get->setToolTip(tr("Downloads it from Debian's or Python's package archive."));
    get->setFixedWidth(get->fontMetrics().horizontalAdvance(tr("Fetching…")) + 20);
    get->setProperty("compact", true);
    QSizePolicy policy = get->sizePolicy();
    policy.setRetainSizeWhenHidden(std::any_of(m_corpora.begin(), m_corpora.end(), [](const lw::CorpusInfo& other) { return !other.fetched; }));
    get->setSizePolicy(policy);
    get->setVisible(!corpus.fetched);
    layout->addWidget(get);
    m_list->addWidget(row);
    connect(tick, &QCheckBox::toggled, this, [this, id = corpus.id](bool on) {
        if (on) m_ticked.insert(id);
        else m_ticked.erase(id);
        Q_EMIT edited();
    });
    connect(get, &QPushButton::clicked, this, [this, id = corpus.id] { fetch(id); });
}

void DataForm::fetch(const std::string& id) {
    m_fetching.insert(id);
    rebuildList();
    const QString title = tr("Fetching %1").arg(QString::fromStdString(id));
    m_session->compute().enqueue<lw::Nothing>(
        title, [id](const lw::RunContext& context) { return lw::fetch_corpus(id, context); }, this,
        [this, id, title](lw::Result<lw::Nothing> status) {
            m_fetching.erase(id);
            if (status.ok()) m_ticked.insert(id);
            else m_session->report(status.error(), title);
            readCorpora();
        });
}

void DataForm::browse(bool folder) {
    const QString path = folder ? QFileDialog::getExistingDirectory(this, tr("Folder of text files"))
                                : QFileDialog::getOpenFileName(this, tr("Text file"), {}, tr("All files (*)"));
    if (!path.isEmpty()) addPath(path);
}

void DataForm::addPath(const QString& path) {
    const std::string own = path.toStdString();
    if (std::find(m_paths.begin(), m_paths.end(), own) == m_paths.end()) m_paths.push_back(own);
    m_ticked = {own};
    m_kind->setCurrentIndex(0);
    showKind();
    rebuildList();
    Q_EMIT edited();
}

lw::DataSpec DataForm::data() const {
    lw::DataSpec data;
    if (isTask()) {
        data.source = "task:" + m_kind->currentData().toString().toStdString();
        data.task = m_task->values();
        return data;
    }
    data.tokenizer = paramText(m_tokenizer->values(), "tokenizer", "bpe");
    data.vocabulary = paramInteger(m_tokenizer->values(), "vocabulary", 1024);
    QStringList sources;
    for (const lw::CorpusInfo& corpus : m_corpora)
        if (corpus.fetched && m_ticked.contains(corpus.id)) sources << QString::fromStdString(corpus.id);
    for (const std::string& path : m_paths)
        if (m_ticked.contains(path)) sources << QString::fromStdString(path);
    data.source = sources.join(QLatin1Char('+')).toStdString();
    return data;
}

void DataForm::setData(const lw::DataSpec& data) {
    const QString source = QString::fromStdString(data.source);
    const bool task = source.startsWith(QStringLiteral("task:"));
    m_kind->setCurrentIndex(task ? qMax(0, m_kind->findData(source.mid(5))) : 0);
    showKind();
    if (task) {
        m_task->setValues(data.task);
    } else {
        m_ticked.clear();
        for (const QString& part : source.split(QLatin1Char('+'), Qt::SkipEmptyParts)) {
            m_ticked.insert(part.toStdString());
            if (part.startsWith(QLatin1Char('/')) && std::find(m_paths.begin(), m_paths.end(), part.toStdString()) == m_paths.end())
                m_paths.push_back(part.toStdString());
        }
        m_tokenizer->setValues({{"tokenizer", data.tokenizer}, {"vocabulary", data.vocabulary}});
    }
    rebuildList();
}

QString DataForm::problem() const {
    if (isTask() || !data().source.empty()) return {};
    if (m_corpora.empty()) return {};  // still being listed
    return tr("Tick a corpus to train on, fetch one, or add a text file of your own.");
}

}  // namespace lw::ui
