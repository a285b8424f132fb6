/// See text_panel.h.
#include "ui/panels/text_panel.h"

#include "ui/panels/token_strip.h"
#include "ui/plot/number_text.h"
#include "ui/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

namespace lw::ui {

namespace {

constexpr std::int64_t kShortest = 128, kLongest = 65536;

QLabel* quietLabel(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setFont(theme::caption());
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

}  // namespace

TextPanel::TextPanel(Session* session, QWidget* parent)
    : QWidget(parent), m_session(session), m_strip(new TokenStrip(this)), m_caption(quietLabel(this)) {
    m_caption->setObjectName(QStringLiteral("textCaption"));
    m_caption->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    buildControls();
    auto* top = new QHBoxLayout;
    top->setSpacing(theme::kGrid);
    top->addWidget(m_caption, 1);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_document, m_offset, m_length, m_typing}) top->addWidget(widget);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 6, 12, 6);
    layout->setSpacing(4);
    layout->addLayout(top);
    layout->addWidget(m_typed);
    layout->addWidget(m_strip, 1);

    connect(m_strip, &TokenStrip::tokenClicked, m_session, &Session::setQuery);
    connect(m_session, &Session::currentRunChanged, this, [this] {
        readDocuments();
        readTokens();
    });
    connect(m_session, &Session::textRequestChanged, this, [this] {
        showRequest();
        readTokens();
    });
    connect(m_session, &Session::queryChanged, this, [this](qint64 query) {
        m_strip->setQuery(query);
        showCaption();
    });
    connect(m_session, &Session::tokenShadeChanged, this, [this] {
        m_strip->setShade(m_session->tokenShade().values);
        showCaption();
    });
    showRequest();
    if (m_session->currentRun() != nullptr) {
        readDocuments();
        readTokens();
    }
}

void TextPanel::buildControls() {
    m_document = new QComboBox(this);
    m_document->setObjectName(QStringLiteral("documentCombo"));
    m_document->setAccessibleName(tr("Document"));
    m_document->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_document->setMinimumContentsLength(16);
    m_offset = new QSpinBox(this);
    m_offset->setObjectName(QStringLiteral("offsetSpin"));
    m_offset->setAccessibleName(tr("First token"));
    m_offset->setPrefix(tr("from "));
    m_offset->setRange(0, 100000000);
    m_offset->setSingleStep(128);
    m_offset->setGroupSeparatorShown(true);
    m_offset->setKeyboardTracking(false);
    m_length = new QComboBox(this);
    m_length->setObjectName(QStringLiteral("lengthCombo"));
    m_length->setAccessibleName(tr("Length in tokens"));
    for (std::int64_t length = kShortest; length <= kLongest; length *= 2)
        m_length->addItem(tr("%1 tokens").arg(integerText(length)), static_cast<qint64>(length));
    m_typing = new QToolButton(this);
    m_typing->setObjectName(QStringLiteral("typeTextButton"));
    m_typing->setText(tr("Type text"));
    m_typing->setCheckable(true);
    m_typing->setAutoRaise(true);
    m_typed = new QLineEdit(this);
    m_typed->setObjectName(QStringLiteral("typedText"));
    m_typed->setPlaceholderText(tr("Type or paste a text and press Enter to see its maps"));
    m_typed->setVisible(false);

    connect(m_document, &QComboBox::activated, this, [this] {
        {
            const QSignalBlocker quiet(m_offset);  // one change, not two
            m_offset->setValue(0);
        }
        applyRequest();
    });
    connect(m_offset, &QSpinBox::valueChanged, this, [this] { applyRequest(); });
    connect(m_length, &QComboBox::activated, this, [this] { applyRequest(); });
    connect(m_typing, &QToolButton::toggled, this, [this](bool on) { setTyping(on); });
    connect(m_typed, &QLineEdit::returnPressed, this, [this] { applyRequest(); });
}

void TextPanel::setTyping(bool typing) {
    m_typed->setVisible(typing);
    m_document->setEnabled(!typing);
    m_offset->setEnabled(!typing);
    if (m_filling) return;
    if (typing) {
        m_typed->setFocus();
    } else if (!m_session->textRequest().text.empty()) {
        m_typed->clear();
        applyRequest();
    }
}

/// The widgets say what the session says.
void TextPanel::showRequest() {
    m_filling = true;
    const lw::TextRequest& request = m_session->textRequest();
    m_offset->setValue(static_cast<int>(request.offset));
    int index = m_length->findData(static_cast<qint64>(request.length));
    if (index < 0) {
        m_length->addItem(tr("%1 tokens").arg(integerText(request.length)), static_cast<qint64>(request.length));
        index = m_length->count() - 1;
    }
    m_length->setCurrentIndex(index);
    const int document = m_document->findData(QString::fromStdString(request.document));
    if (document >= 0) m_document->setCurrentIndex(document);
    m_typing->setChecked(!request.text.empty());
    if (!request.text.empty()) m_typed->setText(QString::fromStdString(request.text));
    m_filling = false;
}

void TextPanel::applyRequest() {
    if (m_filling) return;
    lw::TextRequest request = m_session->textRequest();
    request.text = m_typing->isChecked() ? m_typed->text().toStdString() : std::string();
    request.document = m_document->currentData().toString().toStdString();
    request.offset = m_offset->value();
    request.length = m_length->currentData().toLongLong();
    if (m_typing->isChecked() && request.text.empty()) return;  // nothing typed yet: the old text stays
    m_session->setTextRequest(request);
}

void TextPanel::readDocuments() {
    const RunEntry* run = m_session->currentRun();
    if (run == nullptr) return;
    m_session->compute().run<std::vector<lw::DocumentInfo>>(
        QStringLiteral("documents"), [folder = run->info.folder](const lw::RunContext&) { return lw::run_documents(folder); }, this,
        [this](lw::Result<std::vector<lw::DocumentInfo>> documents) {
            if (!documents.ok()) return;  // reading the text says what is wrong
            m_document->clear();
            m_document->addItem(tr("First test document"), QString());
            for (const lw::DocumentInfo& document : documents.value()) {
                const QString id = QString::fromStdString(document.id);
                m_document->addItem(id.section(QLatin1Char('/'), -1), id);
                m_document->setItemData(m_document->count() - 1, tr("%1 · %2").arg(id, QString::fromStdString(document.split)), Qt::ToolTipRole);
            }
            showRequest();
        });
}

void TextPanel::readTokens() {
    const RunEntry* run = m_session->currentRun();
    if (run == nullptr) return;
    m_session->compute().run<lw::TokenText>(
        QStringLiteral("text"),
        [folder = run->info.folder, request = m_session->textRequest()](const lw::RunContext&) { return lw::read_text(folder, request); }, this,
        [this](lw::Result<lw::TokenText> text) {
            if (text.ok()) return showTokens(text.value());
            m_strip->setTokens({}, 0);
            m_title = QString::fromStdString(text.error().message);
            showCaption();
        });
}

void TextPanel::showTokens(const lw::TokenText& text) {
    QStringList pieces;
    for (const std::string& piece : text.pieces) pieces << QString::fromStdString(piece);
    m_title = QString::fromStdString(text.title);
    m_strip->setTokens(pieces, text.offset);
    m_strip->setQuery(m_session->query());
    m_strip->setShade(m_session->tokenShade().values);
    showCaption();
}

void TextPanel::showCaption() {
    const std::int64_t query = m_session->query();
    const QString& shade = m_session->tokenShade().caption;
    const QString place = m_title.section(QStringLiteral(", "), 0, 0), what = shade.section(QStringLiteral(": "), 1);
    QString caption = m_title.isEmpty() ? tr("Text of the maps: choose a run to read it") : tr("Text · %1").arg(m_title);
    if (query >= 0) caption += tr(" · query %1").arg(integerText(query));
    QStringList texts{shade.isEmpty() ? caption : QStringLiteral("%1 · %2").arg(caption, shade)};
    if (!what.isEmpty()) texts << QStringLiteral("%1 · %2").arg(m_title, what) << QStringLiteral("%1 · %2").arg(place, what) << what;
    m_caption->setText(theme::fittingText(texts, m_caption->fontMetrics(), m_caption->width()));
    m_caption->setToolTip(texts.front());
}

void TextPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layout()->activate();  // the caption has its new width before it is cut to it
    showCaption();
}

}  // namespace lw::ui
