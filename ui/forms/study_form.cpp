/// See study_form.h.
#include "ui/forms/study_form.h"

#include "ui/forms/amount_text.h"
#include "ui/forms/data_form.h"
#include "ui/forms/number_list.h"
#include "ui/forms/scheme_ticks.h"
#include "ui/plot/number_text.h"
#include "ui/session.h"
#include "ui/theme.h"

#include <QAbstractButton>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lw::ui {

namespace {

constexpr int kPreviewDelay = 200;  // ms after the last key
constexpr int kRemarkLines = 4;
constexpr int kScrollBar = 16;

struct Preview {
    lw::StudyStatus status;
    std::optional<lw::StudyEstimate> estimate;
};

template <class To>
std::vector<To> listFrom(const QLineEdit* line) {
    const auto numbers = numbersFrom(line->text()).value_or(std::vector<std::int64_t>{});
    return {numbers.begin(), numbers.end()};
}

QString sentences(const std::vector<std::string>& list) {
    QStringList lines;
    for (const std::string& sentence : list) lines << QString::fromStdString(sentence);
    if (lines.size() > kRemarkLines) {
        const qsizetype more = lines.size() - (kRemarkLines - 1);
        lines = lines.mid(0, kRemarkLines - 1) << StudyDialog::tr("and %1 more").arg(more);
    }
    return lines.join(QLatin1Char('\n'));
}

QString folderOf(const QString& name) { return QString::fromStdString(lw::study_folder_name(name.toStdString())); }

}  // namespace

lw::StudySpec usualStudy() {
    lw::StudySpec spec;
    spec.seeds = {1, 2, 3};
    spec.lengths = {128};
    spec.sizes.emplace_back();
    spec.corpora.emplace_back();
    spec.evaluation.lengths = {128, 256, 512, 1024, 2048};
    return spec;
}

StudyDialog::StudyDialog(Session* session, const lw::StudySpec& start, const TakenStudies& taken, QWidget* parent)
    : QDialog(parent), m_session(session), m_start(start), m_taken(taken), m_timer(new QTimer(this)) {
    setObjectName(QStringLiteral("studyDialog"));
    setWindowTitle(tr("New study"));
    if (m_start.sizes.empty()) m_start.sizes.emplace_back();
    if (m_start.corpora.empty()) m_start.corpora.emplace_back();
    m_timer->setSingleShot(true);
    m_timer->setInterval(kPreviewDelay);
    connect(m_timer, &QTimer::timeout, this, [this] { preview(); });
    fill();
    build();
    preview();
}

QLineEdit* StudyDialog::line(const char* name, const QString& text, const QString& help) {
    auto* made = new QLineEdit(text, this);
    made->setObjectName(QLatin1String(name));
    made->setToolTip(help);
    connect(made, &QLineEdit::textChanged, this, &StudyDialog::edited);
    return made;
}

QSpinBox* StudyDialog::number(const char* name, int low, int high, std::int64_t value) {
    auto* made = new QSpinBox(this);
    made->setObjectName(QLatin1String(name));
    made->setRange(low, high);
    made->setGroupSeparatorShown(true);
    made->setValue(static_cast<int>(std::clamp<std::int64_t>(value, low, high)));
    connect(made, &QSpinBox::valueChanged, this, &StudyDialog::edited);
    return made;
}

void StudyDialog::fill() {
    const lw::StudySize& size = m_start.sizes.front();
    QString name = QString::fromStdString(m_start.name);
    for (int n = 1; name.isEmpty() || m_taken.contains(folderOf(name)); ++n) name = tr("Study %1").arg(n);
    const QString lists = tr("Numbers with commas; 1-3 stands for 1, 2, 3.");
    m_name = line("studyName", name, tr("Its folder is called after it."));
    m_seeds = line("studySeeds", numbersText({m_start.seeds.begin(), m_start.seeds.end()}), tr("Of weights and batches. %1").arg(lists));
    m_lengths = line("studyLengths", numbersText(m_start.lengths), tr("Training lengths L, in tokens. %1").arg(lists));
    m_measured = line("studyMeasured", numbersText(m_start.evaluation.lengths), tr("Lengths at which all runs are measured. Empty: L, 2 L, 4 L … 16,384 as the documents allow."));
    m_measured->setPlaceholderText(tr("L, 2 L, 4 L … 16,384"));
    m_steps = number("studySteps", 1, 10'000'000, size.training.steps);
    m_batch = number("studyBatch", 1, 65536, size.training.batch);
    m_width = number("studyWidth", 8, 16384, size.model.width);
    m_layers = number("studyLayers", 1, 256, size.model.layers);
    m_heads = number("studyHeads", 1, 256, size.model.heads);
    m_documents = number("studyDocuments", 1, 4096, m_start.evaluation.documents);
    m_schemes = new SchemeTicks(m_session->presets(), this);
    m_schemes->setTicked(m_start.schemes);
    m_data = new DataForm(m_session, this);
    m_data->setData(m_start.corpora.front());
    connect(m_schemes, &SchemeTicks::edited, this, &StudyDialog::edited);
    connect(m_data, &DataForm::edited, this, &StudyDialog::edited);
}

QFormLayout* StudyDialog::buildNumbers() {
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("Name"), m_name);
    form->addRow(tr("Seeds"), m_seeds);
    form->addRow(tr("Training lengths"), m_lengths);
    form->addRow(tr("Steps"), m_steps);
    form->addRow(tr("Batch"), m_batch);
    form->addRow(tr("Width"), m_width);
    form->addRow(tr("Layers"), m_layers);
    form->addRow(tr("Heads"), m_heads);
    form->addRow(tr("Measured at"), m_measured);
    form->addRow(tr("Documents at most"), m_documents);
    return form;
}

void StudyDialog::build() {
    auto* scroll = new QScrollArea(this);
    auto* right = new QWidget;
    auto* rightLayout = new QVBoxLayout(right);
    rightLayout->setContentsMargins(0, 0, theme::kGrid, 0);
    rightLayout->addLayout(buildNumbers());
    rightLayout->addWidget(m_data);
    rightLayout->addStretch();
    scroll->setWidget(right);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumWidth(right->minimumSizeHint().width() + kScrollBar);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(2 * theme::kGrid);
    columns->addWidget(m_schemes, 2);
    columns->addWidget(scroll, 3);
    m_takes = new QLabel(this);
    m_takes->setObjectName(QStringLiteral("studyTakes"));
    m_remarks = new QLabel(this);
    m_remarks->setObjectName(QStringLiteral("studyRemarks"));
    m_remarks->setFont(theme::caption());
    m_remarks->setWordWrap(true);
    m_remarks->setAlignment(Qt::AlignTop);
    m_remarks->setMinimumHeight(kRemarkLines * QFontMetrics(theme::caption()).height());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_add = buttons->addButton(tr("Add"), QDialogButtonBox::AcceptRole);
    m_add->setObjectName(QStringLiteral("addStudy"));
    m_run = buttons->addButton(tr("Add and run"), QDialogButtonBox::AcceptRole);
    m_run->setObjectName(QStringLiteral("addAndRun"));
    m_run->setDefault(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(theme::kGrid);
    layout->addLayout(columns, 1);
    layout->addWidget(m_takes);
    layout->addWidget(m_remarks);
    layout->addWidget(buttons);
    // Told before accepted(), and by the button that Enter presses.
    connect(buttons, &QDialogButtonBox::clicked, this, [this](const QAbstractButton* button) { m_runAfter = button == m_run; });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(760, 620);
}

/// What the form does not show stays as it was given.
lw::StudySpec StudyDialog::spec() const {
    lw::StudySpec spec = m_start;
    spec.name = m_name->text().trimmed().toStdString();
    spec.schemes = m_schemes->ticked();
    spec.seeds = listFrom<std::uint64_t>(m_seeds);
    spec.lengths = listFrom<std::int64_t>(m_lengths);
    spec.evaluation.lengths = listFrom<std::int64_t>(m_measured);
    spec.evaluation.documents = m_documents->value();
    spec.corpora = {m_data->data()};
    lw::StudySize& size = spec.sizes.front();
    size.training.steps = m_steps->value();
    size.training.batch = m_batch->value();
    size.model.width = m_width->value();
    size.model.layers = m_layers->value();
    size.model.heads = m_heads->value();
    return spec;
}

QString StudyDialog::problem() const {
    for (const auto& [field, what] : {std::pair{m_seeds, tr("seeds")}, {m_lengths, tr("training lengths")}, {m_measured, tr("lengths that are measured")}}) {
        if (!numbersFrom(field->text())) return tr("The list of %1 is “%2”; write whole numbers with commas, such as 1, 2, 3 or 1-3.").arg(what, field->text());
    }
    const QString name = m_name->text().trimmed(), folder = folderOf(name);
    if (folder.isEmpty()) return tr("Give the study a name with at least one letter or digit; its folder is called after it.");
    if (const QString other = m_taken.value(folder, name); other != name) return tr("The folder of this name, %1, is that of the study “%2”; give this one another name.").arg(folder, other);
    if (m_schemes->ticked().empty()) return tr("Tick the schemes to compare.");
    return m_data->problem();
}

/// What was checked is not what the form says any more.
void StudyDialog::edited() {
    m_checked = false;
    m_acceptWhenChecked = false;
    m_timer->start();
}

/// Enter may come before the check of what was typed last: then it is checked first, and the dialog stays where it is refused.
void StudyDialog::accept() {
    if (!m_checked || !problem().isEmpty()) {
        m_acceptWhenChecked = true;
        return preview();
    }
    if ((m_runAfter ? m_run : m_add)->isEnabled()) QDialog::accept();
}

void StudyDialog::preview() {
    m_timer->stop();
    if (const QString wrong = problem(); !wrong.isEmpty()) return refuse(wrong);
    m_session->compute().run<Preview>(
        QStringLiteral("study preview"),
        [spec = spec(), workspace = m_session->workspace()](const lw::RunContext& context) -> lw::Result<Preview> {
            auto status = lw::preview_study(workspace, spec);
            if (!status.ok()) return status.error();
            Preview made{std::move(status).value(), std::nullopt};
            if (auto estimate = lw::estimate_study(made.status, context.device); estimate.ok()) made.estimate = std::move(estimate).value();
            return made;
        },
        this,
        [this](lw::Result<Preview> made) {
            if (!made.ok()) return refuse(QString::fromStdString(made.error().message));
            // Of what the form said when it was asked for: a newer check follows where that has changed.
            if (!m_timer->isActive()) showPreview(made.value().status, made.value().estimate);
        });
}

void StudyDialog::refuse(const QString& sentence) {
    m_session->compute().cancelChannel(QStringLiteral("study preview"));
    m_checked = false;
    m_acceptWhenChecked = false;
    m_takes->setText(tr("There is nothing to run yet."));
    m_remarks->setText(sentence);
    m_remarks->setForegroundRole(QPalette::WindowText);
    m_add->setEnabled(false);
    m_run->setEnabled(false);
}

void StudyDialog::showPreview(const lw::StudyStatus& status, const std::optional<lw::StudyEstimate>& estimate) {
    QStringList parts{status.cells.size() == 1 ? tr("1 run") : tr("%1 runs").arg(integerText(static_cast<qint64>(status.cells.size())))};
    if (const auto there = status.count("finished"); there > 0) parts << tr("%1 of them finished already").arg(there);
    if (estimate && estimate->seconds > 0) parts << tr("about %1").arg(roughTime(estimate->seconds));
    if (estimate && estimate->bytes > 0) parts << tr("needs %1 of %2").arg(bytesText(estimate->bytes), bytesText(estimate->bytes_available));
    m_takes->setText(parts.join(QStringLiteral(", ")));
    std::vector<std::string> remarks = status.problems;
    if (m_taken.contains(folderOf(m_name->text()))) remarks.push_back(tr("A study of this name is there already. It is replaced; its runs stay.").toStdString());
    remarks.insert(remarks.end(), status.notes.begin(), status.notes.end());
    m_remarks->setText(sentences(remarks));
    m_remarks->setForegroundRole(status.problems.empty() ? QPalette::PlaceholderText : QPalette::WindowText);
    m_add->setEnabled(!status.cells.empty());
    m_run->setEnabled(!status.cells.empty() && status.problems.empty());
    m_checked = true;
    if (std::exchange(m_acceptWhenChecked, false)) accept();
}

}  // namespace lw::ui
