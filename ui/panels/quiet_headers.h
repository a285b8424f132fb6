#pragma once
/// Headers of a table as captions over a hairline, without boxes.

class QTableView;

namespace lw::ui {

/// Again when the palette changed: the sheet has colours of the program's palette in it.
void setQuietHeaders(QTableView* view);

}  // namespace lw::ui
