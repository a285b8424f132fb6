/// See curves_evaluate.h.
#include "ui/pages/curves_evaluate.h"

#include "core/api/evaluation.h"
#include "ui/plot/number_text.h"
#include "ui/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace lw::ui {

namespace {

/// Of an id that is not known, one that reads nothing.
lw::ProtocolInfo protocolInfo(const QString& id) {
    for (const lw::ProtocolInfo& known : lw::evaluation_protocols())
        if (known.id == id.toStdString()) return known;
    return {};
}

}  // namespace

QStringList protocolIds() {
    QStringList ids;
    for (const lw::ProtocolInfo& protocol : lw::evaluation_protocols()) ids << QString::fromStdString(protocol.id);
    return ids;
}

bool countsKeyTokens(const QString& protocol) { return protocolInfo(protocol).marks_keys; }

QString protocolName(const QString& id) {
    const std::string name = protocolInfo(id).name;
    return name.empty() ? id : QString::fromStdString(name);
}

QString protocolHelp(const QString& id) { return QString::fromStdString(protocolInfo(id).summary); }

EvaluateDialog::EvaluateDialog(const lw::EvaluationSpec& start, const std::vector<Named>& runs, Missing missing, QWidget* parent)
    : QDialog(parent),
      m_missing(std::move(missing)),
      m_protocol(new QComboBox(this)),
      m_scored(new QSpinBox(this)),
      m_stride(new QSpinBox(this)),
      m_documents(new QSpinBox(this)),
      m_short(new QSpinBox(this)),
      m_evaluator(new QComboBox(this)),
      m_split(new QComboBox(this)),
      m_onlyMissing(new QCheckBox(this)),
      m_help(new QLabel(this)),
      m_runs(runs),
      m_start(start) {
    setWindowTitle(tr("Evaluate"));
    setObjectName(QStringLiteral("evaluateDialog"));
    m_onlyMissing->setObjectName(QStringLiteral("onlyMissing"));
    m_protocol->setObjectName(QStringLiteral("evaluateProtocol"));
    m_evaluator->setObjectName(QStringLiteral("evaluateEvaluator"));
    m_short->setObjectName(QStringLiteral("evaluateShort"));
    m_scored->setObjectName(QStringLiteral("evaluateScored"));
    m_stride->setObjectName(QStringLiteral("evaluateStride"));
    fill(start);
    QStringList titles;
    for (const Named& run : runs) titles << run.first;
    build(titles);
    connect(m_protocol, &QComboBox::currentIndexChanged, this, &EvaluateDialog::fillNumbers);
    connect(m_protocol, &QComboBox::currentIndexChanged, this, &EvaluateDialog::describe);
    connect(m_evaluator, &QComboBox::currentIndexChanged, this, &EvaluateDialog::describe);
    describe();
}

void EvaluateDialog::fill(const lw::EvaluationSpec& start) {
    for (const QString& id : protocolIds()) m_protocol->addItem(protocolName(id), id);
    m_protocol->setCurrentIndex(std::max(0, m_protocol->findData(QString::fromStdString(start.protocol))));
    for (const auto& [id, text] : {std::pair{"test", tr("Test documents")}, {"validation", tr("Validation documents")}, {"train", tr("Training documents")}})
        m_split->addItem(text, QLatin1String(id));
    m_split->setCurrentIndex(std::max(0, m_split->findData(QString::fromStdString(start.split))));
    m_scored->setRange(0, 4096);
    m_scored->setSpecialValueText(tr("automatic"));
    m_scored->setToolTip(tr("Automatic: half of the training length, 256 at most; 256 by the DAPE paper's protocol."));
    m_stride->setRange(0, 16384);
    m_stride->setSpecialValueText(tr("automatic"));
    m_stride->setToolTip(tr("Automatic: half of the window; 1 for the short windows of LongPPL."));
    m_short->setRange(0, 16384);
    m_short->setSpecialValueText(tr("L / 4"));
    m_short->setToolTip(tr("Tokens of the short context K that the long one is compared with"));
    m_evaluator->addItem(tr("Each run its own"));
    for (const Named& run : m_runs) m_evaluator->addItem(run.first);
    m_evaluator->setToolTip(tr("The run whose losses say which tokens are key tokens"));
    fillNumbers();
    m_documents->setRange(1, 4096);
    m_documents->setValue(static_cast<int>(start.documents));
    m_help->setWordWrap(true);
    m_help->setFont(theme::caption());
    m_help->setForegroundRole(QPalette::PlaceholderText);
    m_help->setMinimumHeight(3 * QFontMetrics(theme::caption()).height());
    m_help->setAlignment(Qt::AlignTop);
}

/// A number belongs to the protocol it was set for; another one takes its own.
void EvaluateDialog::fillNumbers() {
    const bool own = m_protocol->currentData().toString().toStdString() == m_start.protocol;
    m_scored->setValue(own ? static_cast<int>(m_start.scored) : 0);
    m_stride->setValue(own ? static_cast<int>(m_start.stride) : 0);
}

QGridLayout* EvaluateDialog::buildLengths(const lw::EvaluationSpec& start) {
    auto* lengths = new QGridLayout;
    for (int i = 0, length = 64; length <= 32768; length *= 2, ++i) {
        auto* box = new QCheckBox(integerText(length), this);
        box->setProperty("length", length);
        box->setObjectName(QStringLiteral("length%1").arg(length));
        box->setChecked(std::find(start.lengths.begin(), start.lengths.end(), length) != start.lengths.end());
        lengths->addWidget(box, i / 4, i % 4);
        m_lengths.push_back(box);
    }
    auto* note = new QLabel(tr("None ticked: L, 2 L, 4 L … 16,384 as the documents allow."), this);
    note->setFont(theme::caption());
    note->setForegroundRole(QPalette::PlaceholderText);
    lengths->addWidget(note, 3, 0, 1, 4);
    return lengths;
}

void EvaluateDialog::build(const QStringList& titles) {
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("Protocol"), m_protocol);
    form->addRow(QString(), m_help);
    form->addRow(tr("Lengths"), buildLengths(m_start));
    form->addRow(tr("Scored tokens"), m_scored);
    form->addRow(tr("Stride"), m_stride);
    form->addRow(tr("Short context"), m_short);
    form->addRow(tr("Key tokens by"), m_evaluator);
    form->addRow(tr("Places at most"), m_documents);
    form->addRow(tr("Of"), m_split);
    form->addRow(tr("Runs"), new QLabel(titles.size() <= 4 ? titles.join(QStringLiteral(", ")) : tr("%1 shown runs").arg(titles.size()), this));
    form->addRow(QString(), m_onlyMissing);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    buttons->addButton(tr("Evaluate"), QDialogButtonBox::AcceptRole)->setDefault(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->addLayout(form);
    layout->addWidget(buttons);
    setMinimumWidth(460);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

/// Which runs have no numbers yet depends on the protocol. Numbers whose key tokens another run marked are new for all of them.
void EvaluateDialog::describe() {
    const QString id = m_protocol->currentData().toString();
    m_help->setText(protocolHelp(id));
    const lw::ProtocolInfo protocol = protocolInfo(id);
    const bool keys = protocol.marks_keys;
    m_scored->setEnabled(protocol.uses_scored);
    m_stride->setEnabled(protocol.uses_stride);
    m_short->setEnabled(keys);
    m_evaluator->setEnabled(keys);
    const QStringList missing = m_missing ? m_missing(id.toStdString()) : QStringList();
    if (missing.isEmpty()) m_onlyMissing->setText(tr("Only runs without such numbers (all have them)"));
    else if (missing.size() == 1) m_onlyMissing->setText(tr("Only %1, which has no such numbers").arg(missing.front()));
    else m_onlyMissing->setText(tr("Only the %1 runs without such numbers").arg(missing.size()));
    const bool some = !missing.isEmpty() && (!keys || m_evaluator->currentIndex() <= 0);
    m_onlyMissing->setChecked(some);
    m_onlyMissing->setEnabled(some);
}

EvaluateChoice EvaluateDialog::choice() const {
    EvaluateChoice choice;
    choice.spec = m_start;
    choice.spec.protocol = m_protocol->currentData().toString().toStdString();
    choice.spec.split = m_split->currentData().toString().toStdString();
    const lw::ProtocolInfo protocol = protocolInfo(m_protocol->currentData().toString());
    const bool keys = protocol.marks_keys;
    choice.spec.scored = protocol.uses_scored ? m_scored->value() : 0;
    choice.spec.stride = protocol.uses_stride ? m_stride->value() : 0;
    if (keys) choice.spec.keys.short_context = m_short->value();
    if (keys && m_evaluator->currentIndex() > 0)
        choice.spec.keys.evaluator = m_runs[static_cast<std::size_t>(m_evaluator->currentIndex() - 1)].second;
    choice.spec.documents = m_documents->value();
    choice.spec.lengths.clear();
    for (const QCheckBox* box : m_lengths)
        if (box->isChecked()) choice.spec.lengths.push_back(box->property("length").toLongLong());
    choice.onlyMissing = m_onlyMissing->isChecked();
    return choice;
}

}  // namespace lw::ui
