#pragma once
/// The runs of the session as a list: title, subtitle, colour, best perplexity, tick. Several seeds of one recipe stand under a heading of
/// their own, which is closed until a person opens it.

#include "ui/session.h"

#include <QAbstractListModel>
#include <QSet>

namespace lw::ui {

class RunsModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { KeyRole = Qt::UserRole, SubtitleRole, StyleRole, ValueRole, StatusRole, KindRole, OpenRole, KeysRole };
    /// A run by itself, the heading of several seeds, or one of them below it.
    enum class Kind { run, heading, seed };

    explicit RunsModel(Session* session, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    /// The tick (of a heading: of all its seeds), or with OpenRole whether a heading is open.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Of a run, or of the closed heading it is under.
    [[nodiscard]] QModelIndex indexOf(const QString& key) const;

Q_SIGNALS:
    /// A heading was opened or closed: the rows are new, the runs are not.
    void openChanged();

private:
    struct Row {
        Kind kind = Kind::run;
        QStringList keys;   ///< of a heading all seeds, the first being its own
        QString group;
    };
    [[nodiscard]] const Row* rowAt(const QModelIndex& index) const;
    /// The run a row stands for: of a heading the current one where that is among its seeds.
    [[nodiscard]] const RunEntry* entry(const Row& row) const;
    [[nodiscard]] std::vector<const RunEntry*> entries(const Row& row) const;
    [[nodiscard]] QString title(const Row& row) const;
    [[nodiscard]] QString help(const Row& row) const;
    [[nodiscard]] Qt::CheckState tick(const Row& row) const;
    void setOpen(const QString& group, bool open);
    void fill();
    void rebuild();

    Session* m_session;
    std::vector<Row> m_rows;
    QSet<QString> m_open;  ///< groups
};

/// "L 128 · seed 1", "L 128 · seed 1 · stopped at step 400".
[[nodiscard]] QString runSubtitle(const RunEntry& run);
/// "L 128 · 3 seeds", "L 128 · 3 seeds · 1 running".
[[nodiscard]] QString seedsSubtitle(const std::vector<const RunEntry*>& runs);
/// "23.2", a dash while there is none, nothing for a run on a task.
[[nodiscard]] QString perplexityText(const RunEntry& run);
/// Of several seeds their mean.
[[nodiscard]] QString perplexityText(const std::vector<const RunEntry*>& runs);
/// What that number is, in one sentence.
[[nodiscard]] QString perplexityHelp(const RunEntry& run);
[[nodiscard]] QString perplexityHelp(const std::vector<const RunEntry*>& runs);

}  // namespace lw::ui
