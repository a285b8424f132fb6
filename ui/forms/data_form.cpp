/// See data_form.h.
#include "ui/forms/data_form.h"

#include "ui/forms/elided_check.h"
#include "ui/forms/elided_combo.h"
#include "ui/forms/param_form.h"
#include "ui/jobs/fetcher.h"
#include "ui/plot/number_text.h"
#include "ui/session.h"
#include "ui/theme.h"

#include <QCheckBox>
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

/// A file or folder of the person as a row of the list.
lw::CorpusInfo ownCorpus(const std::string& path) {
    const QFileInfo info(QString::fromStdString(path));
    lw::CorpusInfo own;
    own.id = path;
    own.title = info.fileName().toStdString();
    own.origin = path;
    own.fetched = true;
    own.bytes = info.isFile() ? info.size() : 0;
    return own;
}

QString sizeText(std::int64_t bytes) {
    return bytes < 100000 ? DataForm::tr("%1 kB").arg(numberText(static_cast<double>(bytes) / 1e3, 0))
                          : DataForm::tr("%1 MB").arg(numberText(static_cast<double>(bytes) / 1e6, 1));
}

}  // namespace

DataForm::DataForm(Session* session, QWidget* parent)
    : QWidget(parent), m_session(session), m_kind(new ElidedCombo(this)), m_textPart(new QWidget(this)), m_tokenizer(new ParamForm(this)),
      m_taskSummary(new QLabel(this)), m_task(new ParamForm(this)), m_fetcher(new Fetcher(this)), m_sources{"en-prose"} {
    m_kind->setObjectName(QStringLiteral("dataKind"));
    m_kind->setAccessibleName(tr("Data"));
    m_kind->addItem(tr("Text"), QString());
    for (const lw::TaskInfo& task : lw::tasks()) m_kind->addItem(tr("Task: %1").arg(QString::fromStdString(task.name)), QString::fromStdString(task.id));
    auto* line = new QHBoxLayout;
    auto* label = new QLabel(tr("Source"), this);
    label->setFixedWidth(theme::kLabelWidth);
    line->setSpacing(0);
    line->addWidget(label);
    line->addSpacing(theme::kGrid);
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
    connect(m_fetcher, &Fetcher::progressed, this, [this] { rebuildList(); });
    connect(m_fetcher, &Fetcher::ended, this, &DataForm::fetched);
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
            widget->setParent(nullptr);  // rows of two times must not be found by one name
            widget->deleteLater();
        }
        delete item;
    }
    for (const lw::CorpusInfo& corpus : m_corpora) addCorpusRow(corpus);
    for (const std::string& path : m_paths) addCorpusRow(ownCorpus(path));
    // A recipe may name what nobody knows here: it has a row, so that it can be unticked.
    for (const std::string& part : std::vector<std::string>(m_sources))
        if (!m_corpora.empty() && !listed(part) && std::find(m_paths.begin(), m_paths.end(), part) == m_paths.end()) addCorpusRow(ownCorpus(part));
}

bool DataForm::listed(const std::string& part) const {
    return std::any_of(m_corpora.begin(), m_corpora.end(), [&](const lw::CorpusInfo& corpus) { return corpus.id == part; });
}

bool DataForm::ticked(const std::string& part) const { return std::find(m_sources.begin(), m_sources.end(), part) != m_sources.end(); }

void DataForm::tick(const std::string& part, bool on) {
    std::erase(m_sources, part);
    if (on) m_sources.push_back(part);
    Q_EMIT edited();
}

QHBoxLayout* DataForm::rowLayout() {
    auto* row = new QWidget(m_textPart);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(theme::kGrid * 2, 0, theme::kResetWidth, 0);
    layout->setSpacing(theme::kGrid);
    m_list->addWidget(row);
    return layout;
}

QString DataForm::titleOf(const lw::CorpusInfo& corpus, const std::function<bool(uint)>& canDraw) {
    const QString title = QString::fromStdString(corpus.title).replace(QChar(0xff1a), QLatin1Char(':')).section(QLatin1Char(':'), 0, 0);
    const QList<uint> letters = title.toUcs4();
    if (std::any_of(letters.begin(), letters.end(), [](uint letter) { return letter < 0x250 && QChar::isLetter(letter); })) return title;
    const bool drawn = std::all_of(letters.begin(), letters.end(), canDraw);
    return tr("%1 text (%2)").arg(QString::fromStdString(corpus.language), drawn ? title : QString::fromStdString(corpus.id).section(QLatin1Char(':'), -1));
}

/// What is ticked may be unticked even when it is not here: a recipe may name a corpus that has to be fetched first.
void DataForm::addCorpusRow(const lw::CorpusInfo& corpus) {
    QHBoxLayout* layout = rowLayout();
    QWidget* row = layout->parentWidget();
    const QString id = QString::fromStdString(corpus.id);
    const QString title = QString::fromStdString(corpus.title);
    auto* box = new ElidedCheck(row);
    box->setText(titleOf(corpus, [metrics = box->fontMetrics()](uint letter) { return metrics.inFontUcs4(letter); }));
    box->setObjectName(QStringLiteral("corpus-") + id);
    box->setToolTip(tr("%1\n%2\nFrom %3\nLicence: %4").arg(title, id, QString::fromStdString(corpus.origin), QString::fromStdString(corpus.licence)));
    box->setChecked(ticked(corpus.id));
    box->setEnabled(corpus.fetched || ticked(corpus.id));
    layout->addWidget(box, 1);
    const QString progress = m_fetcher->progress(corpus.id);
    auto* size = new QLabel(!progress.isEmpty() ? progress : corpus.bytes > 0 ? sizeText(corpus.bytes) : QString(), row);
    size->setFont(theme::caption());
    size->setForegroundRole(QPalette::PlaceholderText);
    size->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    layout->addWidget(size);
    addFetchButton(corpus, layout);
    connect(box, &QCheckBox::toggled, this, [this, id = corpus.id](bool on) { tick(id, on); });
}

void DataForm::addFetchButton(const lw::CorpusInfo& corpus, QHBoxLayout* layout) {
    const bool running = m_fetcher->fetching(corpus.id);
    auto* get = new QPushButton(running ? tr("Cancel") : tr("Fetch"), layout->parentWidget());
    get->setObjectName(QStringLiteral("fetch-") + QString::fromStdString(corpus.id));
    get->setToolTip(running ? tr("Stops the download; nothing of it is kept.") : tr("Downloads it from Debian's or Python's package archive."));
    get->setFixedWidth(get->fontMetrics().horizontalAdvance(tr("Cancel")) + 20);
    get->setProperty("compact", true);
    QSizePolicy policy = get->sizePolicy();
    policy.setRetainSizeWhenHidden(std::any_of(m_corpora.begin(), m_corpora.end(), [](const lw::CorpusInfo& other) { return !other.fetched; }));
    get->setSizePolicy(policy);
    get->setVisible(!corpus.fetched);
    layout->addWidget(get);
    connect(get, &QPushButton::clicked, this, [this, running, id = corpus.id] {
        if (running) return m_fetcher->cancel(id);
        m_fetcher->start(id);
        rebuildList();
    });
}

void DataForm::fetched(const std::string& id, const lw::Status& status) {
    if (!status.ok()) m_session->report(status.error(), tr("Fetching %1").arg(QString::fromStdString(id)));
    else if (!ticked(id)) m_sources.push_back(id);
    readCorpora();
}

void DataForm::browse(bool folder) {
    const QString path = folder ? QFileDialog::getExistingDirectory(this, tr("Folder of text files"))
                                : QFileDialog::getOpenFileName(this, tr("Text file"), {}, tr("All files (*)"));
    if (!path.isEmpty()) addPath(path);
}

void DataForm::addPath(const QString& path) {
    const std::string own = path.toStdString();
    if (std::find(m_paths.begin(), m_paths.end(), own) == m_paths.end()) m_paths.push_back(own);
    m_sources = {own};
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
    data.source.clear();  // a fresh DataSpec names the usual corpus
    for (const std::string& part : m_sources) data.source += (data.source.empty() ? "" : "+") + part;
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
        readSources(source);
        m_tokenizer->setValues({{"tokenizer", data.tokenizer}, {"vocabulary", data.vocabulary}});
    }
    rebuildList();
}

/// The parts in their order, so that a recipe comes out of the form as it went in. A path may contain "+" itself.
void DataForm::readSources(const QString& source) {
    m_sources.clear();
    const bool onePath = source.startsWith(QLatin1Char('/')) && QFileInfo::exists(source);
    for (const QString& part : onePath ? QStringList{source} : source.split(QLatin1Char('+'), Qt::SkipEmptyParts)) {
        m_sources.push_back(part.toStdString());
        const bool path = part.contains(QLatin1Char('/')) || QFileInfo::exists(part);
        if (path && std::find(m_paths.begin(), m_paths.end(), part.toStdString()) == m_paths.end()) m_paths.push_back(part.toStdString());
    }
}

QString DataForm::problem() const {
    if (isTask() || m_corpora.empty()) return {};  // still being listed
    for (const std::string& part : m_sources) {
        const QString name = QString::fromStdString(part);
        for (const lw::CorpusInfo& corpus : m_corpora)
            if (corpus.id == part && !corpus.fetched) return tr("%1 is not here yet: fetch it or untick it.").arg(QString::fromStdString(corpus.title));
        if (!listed(part) && !QFileInfo::exists(name)) return tr("There is no corpus and no file %1: untick it, or bring it back.").arg(name);
    }
    return m_sources.empty() ? tr("Tick a corpus to train on, fetch one, or add a text file of your own.") : QString();
}

}  // namespace lw::ui
