/// See maps_texts.h.
#include "ui/pages/maps_texts.h"

#include "ui/panels/quiet_headers.h"
#include "ui/plot/number_text.h"
#include "ui/plot/segmented.h"
#include "ui/theme.h"

#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lw::ui {

namespace {

constexpr int kByAttention = 0, kByTerm = 1;
constexpr int kThisHead = 0, kAllHeads = 1;
constexpr int kRowsSeen = 9;

/// A token without the mark of the space before it, which only stands in the way in a narrow column.
QString text(const std::string& piece) {
    const QString whole = QString::fromStdString(piece);
    return whole.size() > 1 && whole.startsWith(QChar(0x2581)) ? whole.mid(1) : whole;
}

/// "the → ship": a query and a key as they stand in one text.
QString words(const std::string& query, const std::string& key) { return QStringLiteral("%1 → %2").arg(text(query), text(key)); }

QString helpOf(const lw::DependencePlace& place) {
    const QString first = TextsView::tr("First text: %1, term %2 nats").arg(words(place.query_a, place.key_a), signedText(place.term_a, 2));
    const QString second = TextsView::tr("Second text: %1, term %2 nats").arg(words(place.query_b, place.key_b), signedText(place.term_b, 2));
    const QString moved = TextsView::tr("Attention of the first text: %1; with the second text's term %2").arg(numberText(place.weight, 3), signedText(place.moved, 3));
    return QStringList{first, second, moved, TextsView::tr("Distance %1").arg(integerText(place.query - place.key))}.join(QLatin1Char('\n'));
}

QString sumsOf(const lw::HeadDependence& head) {
    return TextsView::tr("RMS of the difference of bias + adaptive: %1 nats, of the term itself: %2. With the second text's term %3 % of the first one's attention would go elsewhere.")
        .arg(shortText(head.rms_difference), shortText(head.rms_term), numberText(100 * head.moved, 1));
}

QString percentText(double share) { return std::isnan(share) ? numberText(share, 1) : QStringLiteral("%1\u00a0%").arg(numberText(100 * share, 1)); }

/// Of several heads. Those whose scores are no finite numbers have no share.
QString summaryOf(const std::vector<lw::HeadDependence>& heads) {
    double sum = 0, counted = 0;
    for (const lw::HeadDependence& head : heads) {
        if (std::isnan(head.moved)) continue;
        sum += head.moved;
        ++counted;
    }
    return TextsView::tr("Share of each head's attention that would go elsewhere with the second text's term: %1 on average. "
                         "RMS: of the difference of bias + adaptive, and of the term itself. A click opens a head.")
        .arg(percentText(sum / counted));
}

QString helpOf(const lw::HeadDependence& head) {
    return QStringList{TextsView::tr("Layer %1, head %2").arg(head.layer).arg(head.head),
                       TextsView::tr("RMS of second − first: %1 nats, of the term itself: %2").arg(shortText(head.rms_difference), shortText(head.rms_term)),
                       TextsView::tr("Largest difference: %1 nats").arg(shortText(head.largest)), TextsView::tr("Attention that would go elsewhere: %1").arg(percentText(head.moved))}
        .join(QLatin1Char('\n'));
}

}  // namespace

bool sameText(const lw::TextRequest& a, const lw::TextRequest& b) { return a.text == b.text && a.document == b.document && a.offset == b.offset; }

TextsView::TextsView(QWidget* parent) : QWidget(parent), m_choice(new QComboBox), m_typed(new QLineEdit), m_scope(new Segmented), m_order(new Segmented), m_said(new QLabel), m_compare(new QPushButton(tr("Compare the two texts"))), m_table(new QTableWidget(0, 3)) {
    m_choice->setObjectName(QStringLiteral("secondText"));
    m_choice->setAccessibleName(tr("Second text"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_choice->setMinimumContentsLength(12);
    m_typed->setObjectName(QStringLiteral("secondTypedText"));
    m_typed->setAccessibleName(tr("Second text"));
    m_typed->setPlaceholderText(tr("Type a second text and press Enter"));
    m_typed->hide();
    m_scope->setObjectName(QStringLiteral("textsScope"));
    m_scope->add(kThisHead, tr("This head"), tr("Where the second text matters most in the chosen head"));
    m_scope->add(kAllHeads, tr("All heads"), tr("How much each head depends on the text, the most first"));
    m_scope->setCurrent(kThisHead);
    m_order->setObjectName(QStringLiteral("placesOrder"));
    m_order->add(kByAttention, tr("Attention"), tr("Places where the second text's term would change the attention of the first one most"));
    m_order->add(kByTerm, tr("Term"), tr("Places where bias + adaptive, without the mean of their row, differ most"));
    m_order->setCurrent(kByAttention);
    m_said->setObjectName(QStringLiteral("textsNote"));
    m_said->setFont(theme::caption());
    m_said->setForegroundRole(QPalette::PlaceholderText);
    m_said->setWordWrap(true);
    m_compare->setObjectName(QStringLiteral("compareTexts"));
    m_compare->hide();
    m_table->setObjectName(QStringLiteral("textPlaces"));
    m_table->setAccessibleName(tr("Places where the texts differ most"));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setFont(theme::tabular());
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 7);
    m_table->setFixedHeight((kRowsSeen + 1) * m_table->verticalHeader()->defaultSectionSize() + 8);
    setQuietHeaders(m_table);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(theme::kGrid);
    all->addWidget(m_choice);
    all->addWidget(m_typed);
    all->addWidget(m_scope, 0, Qt::AlignLeft);
    all->addWidget(m_order, 0, Qt::AlignLeft);
    all->addWidget(m_said);
    all->addWidget(m_compare, 0, Qt::AlignLeft);
    all->addWidget(m_table);
    connectParts();
    setTexts({});
}

void TextsView::connectParts() {
    connect(m_choice, &QComboBox::activated, this, &TextsView::chooseText);
    connect(m_typed, &QLineEdit::returnPressed, this, [this] {
        lw::TextRequest typed;
        typed.text = m_typed->text().trimmed().toStdString();
        if (!typed.text.empty()) Q_EMIT textChosen(typed);
    });
    connect(m_scope, &Segmented::chosen, this, &TextsView::scopeChosen);
    connect(m_order, &Segmented::chosen, this, &TextsView::orderChosen);
    connect(m_compare, &QPushButton::clicked, this, &TextsView::comparisonAsked);
    connect(m_table, &QTableWidget::currentCellChanged, this, [this](int row, int, int before, int) {
        if (row != before) choose(row);
    });
    connect(m_table, &QTableWidget::customContextMenuRequested, this, &TextsView::openMenu);
    connect(m_table, &QTableWidget::cellActivated, this, [this](int row, int) { choose(row); });
}

void TextsView::setTexts(const std::vector<OfferedText>& texts) {
    const auto same = [](const OfferedText& a, const OfferedText& b) { return a.label == b.label && sameText(a.text, b.text); };
    if (m_choice->count() > 0 && std::equal(texts.begin(), texts.end(), m_texts.begin(), m_texts.end(), same)) return;
    m_texts = texts;
    const QSignalBlocker quiet(m_choice);
    m_choice->clear();
    m_choice->addItem(tr("Choose a second text…"));
    for (const OfferedText& offered : texts) m_choice->addItem(offered.label);
    m_choice->addItem(tr("Typed text…"));
}

void TextsView::chooseText(int index) {
    setTyping(index == typedIndex());
    if (m_typing) return m_typed->setFocus();
    if (index > 0) Q_EMIT textChosen(lw::TextRequest(m_texts[static_cast<std::size_t>(index - 1)].text));
}

void TextsView::setTyping(bool typing) {
    m_typing = typing;
    m_typed->setVisible(typing && m_choosing);
}

/// A field that a person is typing in stays until another text is chosen.
void TextsView::setChosen(const std::optional<lw::TextRequest>& chosen) {
    const bool same = chosen && m_chosen && sameText(*chosen, *m_chosen), typed = chosen && !chosen->text.empty();
    m_chosen = chosen;
    if (typed && !same) m_typed->setText(QString::fromStdString(chosen->text));
    if (chosen && !same) setTyping(typed);
    const auto found = std::find_if(m_texts.begin(), m_texts.end(), [&](const OfferedText& offered) { return chosen && sameText(offered.text, *chosen); });
    const QSignalBlocker quiet(m_choice);
    m_choice->setCurrentIndex(m_typing ? typedIndex() : found == m_texts.end() ? 0 : static_cast<int>(found - m_texts.begin()) + 1);
}

void TextsView::setMessage(const QString& sentence, bool choosing) {
    m_choosing = choosing;
    for (QWidget* part : {static_cast<QWidget*>(m_choice), static_cast<QWidget*>(m_scope), static_cast<QWidget*>(m_table)}) part->setVisible(choosing);
    m_order->setVisible(choosing && !allHeads());
    m_typed->setVisible(choosing && m_typing);
    m_compare->hide();
    m_said->setText(sentence);
    m_found = {};
    fill();
}

void TextsView::offerComparison(const QString& sentence) {
    setMessage(sentence);
    m_compare->show();
}

void TextsView::setDependence(const lw::TextDependence& dependence) {
    const bool none = dependence.heads.empty();
    const QString sentence = none ? QString() : allHeads() ? summaryOf(dependence.heads) : sumsOf(dependence.heads.front());
    setMessage(dependence.warning.empty() ? sentence : QString::fromStdString(dependence.warning) + QLatin1Char('\n') + sentence);
    m_found = dependence;
    fill();
}

bool TextsView::allHeads() const { return m_scope->current() == kAllHeads; }

void TextsView::setSelected(std::int64_t layer, std::int64_t head) {
    m_layer = layer;
    m_head = head;
    markSelected();
}

lw::DependenceOrder TextsView::order() const { return m_order->current() == kByTerm ? lw::DependenceOrder::term : lw::DependenceOrder::attention; }

std::string TextsView::csv() const { return allHeads() ? lw::dependence_csv(m_found) : lw::places_csv(m_found); }

void TextsView::fill() {
    const QSignalBlocker quiet(m_table);
    m_table->setRowCount(0);
    m_rows.clear();
    if (allHeads()) fillHeads();
    else fillPlaces();
    m_table->horizontalHeaderItem(2)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_table->setCurrentItem(nullptr);
    markSelected();
}

void TextsView::addRow(int row, const QStringList& cells, const QString& help) {
    for (int column = 0; column < m_table->columnCount(); ++column) {
        auto* item = new QTableWidgetItem(cells[column]);
        item->setToolTip(help);
        item->setTextAlignment((column == 2 ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        m_table->setItem(row, column, item);
    }
}

void TextsView::fillPlaces() {
    const bool term = order() == lw::DependenceOrder::term;
    m_table->setAccessibleName(tr("Places where the texts differ most"));
    m_table->setHorizontalHeaderLabels({tr("Query, key"), tr("Words"), term ? tr("Second − first") : tr("Moved")});
    m_table->horizontalHeaderItem(1)->setToolTip(tr("Query → key in the first text · in the second"));
    m_table->setRowCount(static_cast<int>(m_found.places.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const lw::DependencePlace& place = m_found.places[static_cast<std::size_t>(row)];
        addRow(row, {QStringLiteral("%1, %2").arg(integerText(place.query), integerText(place.key)),
                     QStringLiteral("%1 · %2").arg(words(place.query_a, place.key_a), words(place.query_b, place.key_b)),
                     term ? signedText(place.term_b - place.term_a, 2) : signedText(place.moved, 3)}, helpOf(place));
    }
}

void TextsView::fillHeads() {
    m_rows = m_found.heads;
    const auto rank = [](const lw::HeadDependence& head) { return std::isnan(head.moved) ? -1.0 : head.moved; };  // heads without numbers come last
    std::stable_sort(m_rows.begin(), m_rows.end(), [&](const lw::HeadDependence& a, const lw::HeadDependence& b) { return rank(a) > rank(b); });
    m_table->setAccessibleName(tr("How much each head depends on the text"));
    m_table->setHorizontalHeaderLabels({tr("Layer, head"), tr("RMS, nats"), tr("Moved")});
    m_table->horizontalHeaderItem(1)->setToolTip(tr("Of the difference of bias + adaptive, and of the term itself"));
    m_table->setRowCount(static_cast<int>(m_rows.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const lw::HeadDependence& head = m_rows[static_cast<std::size_t>(row)];
        addRow(row, {QStringLiteral("%1, %2").arg(head.layer).arg(head.head), tr("%1 of %2").arg(shortText(head.rms_difference), shortText(head.rms_term)), percentText(head.moved)}, helpOf(head));
    }
}

/// Without taking the row, which would open the head.
void TextsView::markSelected() {
    const QSignalBlocker quiet(m_table);
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        if (m_rows[row].layer == m_layer && m_rows[row].head == m_head) return m_table->setCurrentCell(static_cast<int>(row), 0);
}

void TextsView::choose(int row) {
    if (row < 0) return;
    const auto at = static_cast<std::size_t>(row);
    if (at < m_rows.size()) return Q_EMIT headChosen(m_rows[at].layer, m_rows[at].head);
    if (at >= m_found.places.size() || allHeads()) return;
    const lw::DependencePlace place = m_found.places[at];
    Q_EMIT placeChosen(place.query, place.key);
}

void TextsView::openMenu(QPoint at) {
    if (!hasNumbers()) return;
    QMenu menu(this);
    menu.addAction(tr("Copy numbers"), this, [this] { QGuiApplication::clipboard()->setText(QString::fromStdString(csv())); });
    menu.addAction(tr("Save as CSV…"), this, &TextsView::saveRequested);
    menu.exec(m_table->viewport()->mapToGlobal(at));
}

void TextsView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) setQuietHeaders(m_table);
}

}  // namespace lw::ui
