#pragma once
/// The runs of the session as a list: title, subtitle, colour, best perplexity, tick.

#include "ui/session.h"

#include <QAbstractListModel>

namespace lw::ui {

class RunsModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { KeyRole = Qt::UserRole, SubtitleRole, StyleRole, ValueRole, StatusRole };

    explicit RunsModel(Session* session, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QModelIndex indexOf(const QString& key) const;

private:
    [[nodiscard]] const RunEntry* entry(const QModelIndex& index) const;
    void rebuild();

    Session* m_session;
    QStringList m_keys;  ///< seeds of a group stand together
};

/// "L 128 · seed 1", "L 128 · seed 1 · stopped at step 400".
[[nodiscard]] QString runSubtitle(const RunEntry& run);
/// "23.2", a dash while there is none, nothing for a run on a task.
[[nodiscard]] QString perplexityText(const RunEntry& run);
/// What that number is, in one sentence.
[[nodiscard]] QString perplexityHelp(const RunEntry& run);

}  // namespace lw::ui
