#pragma once
/// A combo box with its entries under headings, which shows those that contain what is typed into it.

#include <QComboBox>

class QCompleter;

namespace lw::ui {

class SearchCombo : public QComboBox {
    Q_OBJECT
public:
    explicit SearchCombo(QWidget* parent = nullptr);
    /// A line that cannot be chosen; entries added from now on stand below it.
    void addHeading(const QString& text);
    void addEntry(const QString& text, const QVariant& value, const QString& help);
    void showPopup() override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showCurrent();
    void search();

    QCompleter* m_completer;
};

}  // namespace lw::ui
