#pragma once
/// Several schemes by tick: presets under headings, and a field that leaves those with the typed words.

#include "core/api/scheme.h"

#include <QWidget>

#include <vector>

class QLineEdit;
class QListWidget;
class QListWidgetItem;

namespace lw::ui {

class SchemeTicks : public QWidget {
    Q_OBJECT
public:
    explicit SchemeTicks(const std::vector<lw::SchemePreset>& presets, QWidget* parent = nullptr);
    /// Those of the list with the names of these.
    void setTicked(const std::vector<lw::SchemeSpec>& schemes);
    /// In the order of the list; also those that a search hides.
    [[nodiscard]] std::vector<lw::SchemeSpec> ticked() const;

Q_SIGNALS:
    void edited();

private:
    void add(const lw::SchemePreset& preset);
    void search(const QString& words);

    QLineEdit* m_search;
    QListWidget* m_list;
    std::vector<lw::SchemeSpec> m_schemes;  ///< of the items, by the number they carry
};

}  // namespace lw::ui
