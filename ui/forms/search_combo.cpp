/// See search_combo.h. The list is a completer's, also when it is opened as a whole: unlike that of a combo box it leaves the keyboard to the
/// field, so that one can go on typing.
#include "ui/forms/search_combo.h"

#include "ui/theme.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QLineEdit>
#include <QMouseEvent>
#include <QStandardItemModel>

#include <algorithm>

namespace lw::ui {

namespace {

constexpr int kSearched = Qt::UserRole + 20;  // headings have none, so that no search finds them
constexpr int kMostLines = 24;

}  // namespace

SearchCombo::SearchCombo(QWidget* parent) : QComboBox(parent), m_completer(new QCompleter(model(), this)) {
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(12);
    setMaxVisibleItems(kMostLines);
    setEditable(true);
    setInsertPolicy(QComboBox::NoInsert);
    m_completer->setCompletionMode(QCompleter::PopupCompletion);
    m_completer->setFilterMode(Qt::MatchContains);
    m_completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_completer->setCompletionRole(kSearched);
    m_completer->setMaxVisibleItems(kMostLines);
    m_completer->popup()->setObjectName(QStringLiteral("searchList"));
    setCompleter(m_completer);
    lineEdit()->installEventFilter(this);
    connect(this, &QComboBox::currentIndexChanged, this, [this] { showCurrent(); });
    connect(this, &QComboBox::activated, this, [this] { showCurrent(); });
    // What was typed and is no entry does not stay: the field says what is in the form.
    connect(lineEdit(), &QLineEdit::editingFinished, this, [this] { showCurrent(); });
}

void SearchCombo::addHeading(const QString& text) {
    auto* item = new QStandardItem(text);
    QFont font = theme::caption();
    font.setWeight(QFont::DemiBold);
    item->setFont(font);
    item->setFlags(Qt::NoItemFlags);
    static_cast<QStandardItemModel*>(model())->appendRow(item);
}

void SearchCombo::addEntry(const QString& text, const QVariant& value, const QString& help) {
    addItem(text, value);
    setItemData(count() - 1, text, kSearched);
    setItemData(count() - 1, help, Qt::ToolTipRole);
}

/// From its beginning where it is longer than the field.
void SearchCombo::showCurrent() {
    if (lineEdit()->text() != currentText() || currentText() != itemText(currentIndex())) setEditText(itemText(currentIndex()));
    lineEdit()->setCursorPosition(0);
    const QString help = itemData(currentIndex(), Qt::ToolTipRole).toString();
    lineEdit()->setToolTip(QStringLiteral("%1\n%2\n%3").arg(itemText(currentIndex()), help, tr("Type to search.")).replace(QStringLiteral("\n\n"), QStringLiteral("\n")));
}

void SearchCombo::showPopup() { search(); }

void SearchCombo::search() {
    lineEdit()->setFocus();
    lineEdit()->selectAll();
    m_completer->setCompletionPrefix(QString());
    QRect place = rect();
    place.setWidth(std::max(width(), m_completer->popup()->sizeHintForColumn(0) + 32));
    m_completer->complete(place);
    const auto* matches = m_completer->completionModel();
    const auto found = matches->match(matches->index(0, 0), kSearched, itemText(currentIndex()), 1, Qt::MatchExactly);
    if (!found.isEmpty()) m_completer->popup()->scrollTo(found.front(), QAbstractItemView::PositionAtCenter);
}

bool SearchCombo::eventFilter(QObject* watched, QEvent* event) {
    if (watched == lineEdit() && event->type() == QEvent::MouseButtonRelease && !lineEdit()->hasSelectedText()) search();
    return QComboBox::eventFilter(watched, event);
}

}  // namespace lw::ui
