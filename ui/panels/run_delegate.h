#pragma once
/// Draws a run: tick box, colour, title over subtitle, number at the right. A click on the tick box toggles it. Headings of seeds have an arrow
/// before it that opens them; the seeds below them have one line.

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
    /// The arrow of a heading, and what of the row opens it.
    [[nodiscard]] static QRect arrowRect(const QRect& row);
    /// Of the name, which has a line of its own; subtitle and number share the line below.
    [[nodiscard]] static QRect titleRect(const QRect& row);
    /// Of a row whose second line is as long as most are: "L 128 · 3 seeds" and a perplexity below 100.
    [[nodiscard]] static int usualWidth();

private:
    /// Of a run by itself or a heading: title over subtitle. The number's right edge is that of all rows.
    static void paintTwoLines(QPainter* painter, const QRect& row, const QModelIndex& index, const QPalette& palette);
    static void paintSeed(QPainter* painter, const QRect& row, const QModelIndex& index, const QPalette& palette);
};

}  // namespace lw::ui
