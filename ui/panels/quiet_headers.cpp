/// See quiet_headers.h.
#include "ui/panels/quiet_headers.h"

#include "ui/theme.h"

#include <QApplication>
#include <QHeaderView>
#include <QTableView>

namespace lw::ui {

void setQuietHeaders(QTableView* view) {
    // The program's palette: a sheet's own background would come back as this widget's, and a changed look never be seen.
    const QPalette colours = QApplication::palette();
    const QString line = theme::line(colours).name(), quiet = theme::secondaryText(colours).name(), ground = theme::surface(colours).name();
    const QString sheet = QStringLiteral("QTableView { background: %3; } QHeaderView { background: %3; } QTableCornerButton::section { background: %3; border: 0; } "
                                         "QHeaderView::section { background: %3; color: %2; border: 0; padding: 3px 6px; } QHeaderView::section:horizontal { border-bottom: 1px solid %1; }")
                              .arg(line, quiet, ground);
    if (sheet != view->styleSheet()) view->setStyleSheet(sheet);  // setting one changes the palette again
    for (QHeaderView* header : {view->horizontalHeader(), view->verticalHeader()}) {
        header->setSectionsClickable(false);
        header->setHighlightSections(false);
        header->setFont(theme::caption());
    }
}

}  // namespace lw::ui
