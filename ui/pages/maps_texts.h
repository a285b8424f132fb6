#pragma once
/// How far the chosen head's positional term depends on the text: the second text, sums, and the places where it matters most.

#include "core/api/heads.h"

#include <QTableWidget>

#include <optional>
#include <vector>

class QComboBox;
class QLabel;
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
    /// Sums and places of one head.
    void setDependence(const lw::TextDependence& dependence);
    /// What "matters most" means.
    [[nodiscard]] lw::DependenceOrder order() const;
    [[nodiscard]] bool hasNumbers() const { return m_table->rowCount() > 0; }
    /// What is listed, as the command line writes it.
    [[nodiscard]] std::string csv() const;

Q_SIGNALS:
    void textChosen(const lw::TextRequest& text);
    void orderChosen();
    void comparisonAsked();
    void placeChosen(qint64 query, qint64 key);
    void saveRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    void connectParts();
    void fill();
    void openMenu(QPoint at);
    void choose(int row);

    QComboBox* m_choice;
    Segmented* m_order;
    QLabel* m_said;
    QPushButton* m_compare;
    QTableWidget* m_table;
    std::vector<OfferedText> m_texts;
    lw::TextDependence m_found;              ///< what is listed
};

}  // namespace lw::ui
