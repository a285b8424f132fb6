#pragma once
/// Draws a run: tick box, colour, title over subtitle, number at the right. A click on the tick box toggles it.

#include <QStyledItemDelegate>

namespace lw::ui {

class RunDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option, const QModelIndex& index) override;

    /// Where the tick box of a row lies; tests click there.
    [[nodiscard]] static QRect tickRect(const QRect& row);
    /// Of the name, which has a line of its own; subtitle and number share the line below.
    [[nodiscard]] static QRect titleRect(const QRect& row);
    /// Of a row whose second line is as long as most are: "L 128 · seed 1" and a perplexity below 100.
    [[nodiscard]] static int usualWidth();
};

}  // namespace lw::ui
