#pragma once
/// How far positional terms depend on the text: the second text, which may be typed, and of the chosen head sums and the places where it
/// matters most, or of all heads how much each depends on it.

#include "core/api/heads.h"

#include <QTableWidget>

#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace lw::ui {

class Segmented;

struct OfferedText {
    QString label;
    lw::TextRequest text;
};
/// The same part of the same document, or the same typed text; lengths are not looked at.
[[nodiscard]] bool sameText(const lw::TextRequest& a, const lw::TextRequest& b);

class TextsView : public QWidget {
    Q_OBJECT
public:
    explicit TextsView(QWidget* parent = nullptr);

    /// Texts that can stand beside the one that is open.
    void setTexts(const std::vector<OfferedText>& texts);
    /// The one that does; nothing = none is chosen yet.
    void setChosen(const std::optional<lw::TextRequest>& text);
    /// A sentence in the place of numbers: what is awaited, what to do, or why there is nothing. Without `choosing` there is no text to choose.
    void setMessage(const QString& sentence, bool choosing = true);
    /// A sentence, and a button that compares the two texts.
    void offerComparison(const QString& sentence);
    /// Sums and places of one head, or the sums of all, the head that depends most first.
    void setDependence(const lw::TextDependence& dependence);
    /// Whether all heads are asked for, or the chosen one.
    [[nodiscard]] bool allHeads() const;
    /// The chosen head, which is marked among all.
    void setSelected(std::int64_t layer, std::int64_t head);
    /// What "matters most" means.
    [[nodiscard]] lw::DependenceOrder order() const;
    [[nodiscard]] bool hasNumbers() const { return m_table->rowCount() > 0; }
    /// What is listed, as the command line writes it.
    [[nodiscard]] std::string csv() const;

Q_SIGNALS:
    void textChosen(const lw::TextRequest& text);
    void orderChosen();
    void scopeChosen();
    void headChosen(qint64 layer, qint64 head);
    void comparisonAsked();
    void placeChosen(qint64 query, qint64 key);
    void saveRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    void connectParts();
    void chooseText(int index);
    void setTyping(bool typing);
    [[nodiscard]] int typedIndex() const { return static_cast<int>(m_texts.size()) + 1; }
    void fill();
    void fillPlaces();
    void fillHeads();
    void addRow(int row, const QStringList& cells, const QString& help);
    void markSelected();
    void openMenu(QPoint at);
    void choose(int row);

    QComboBox* m_choice;
    QLineEdit* m_typed;
    Segmented* m_scope;
    Segmented* m_order;
    QLabel* m_said;
    QPushButton* m_compare;
    QTableWidget* m_table;
    std::vector<OfferedText> m_texts;
    std::optional<lw::TextRequest> m_chosen;
    bool m_typing = false, m_choosing = true;
    lw::TextDependence m_found;              ///< what is listed
    std::vector<lw::HeadDependence> m_rows;  ///< of all heads, as they are listed
    std::int64_t m_layer = 0, m_head = 0;
};

}  // namespace lw::ui
