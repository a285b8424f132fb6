#pragma once
/// What a study found, as curves, as a table and in sentences; where it has several settings, of the one that is chosen.

#include "core/api/study_report.h"
#include "ui/plot/curve_content.h"

#include <QWidget>

#include <map>
#include <string>

class QComboBox;
class QLabel;
class QMenu;
class QStackedWidget;
class QTableView;
class QTextBrowser;

namespace lw::ui {

class CurvePlot;
class EmptyState;
class Session;
class StudyTableModel;

/// Style of runs by the name that a report gives them.
using RunStyles = std::map<std::string, int>;
[[nodiscard]] RunStyles runStyles(const Session& session);
/// The table's lines; filled markers stand where a scheme is best at its length or not significantly worse. A scheme has the same colour
/// in all tables of the report: that of its runs in the list of runs.
[[nodiscard]] CurveContent studyCurves(const lw::StudyTable& table, const lw::StudyReport& report, const RunStyles& runs);
/// What its markers say; "" = nothing is marked.
[[nodiscard]] QString markerNote(const lw::StudyTable& table);
/// Findings and cautions as HTML.
[[nodiscard]] QString studyHtml(const lw::StudyTable& table, const lw::StudyReport& report);

class StudyResults : public QWidget {
    Q_OBJECT
public:
    enum View { kCurves, kTable, kReport };

    explicit StudyResults(Session* session, QWidget* parent = nullptr);
    void setView(View view);
    void setReport(const lw::StudyReport& report);
    /// Nothing to show: a sentence in its place.
    void setEmpty(const QString& title, const QString& text);
    void setTable(const QString& title);
    [[nodiscard]] bool hasFigure() const;
    [[nodiscard]] bool hasReport() const { return !m_report.tables.empty(); }
    [[nodiscard]] const lw::StudyReport& report() const { return m_report; }
    void copy();
    void exportFigure(const std::string& state);
    /// Copies the report in one of report_formats().
    void copyReport(const std::string& format);
    void saveReport();
    void addCopyChoices(QMenu* menu);

Q_SIGNALS:
    void exportRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] const lw::StudyTable* table() const;
    [[nodiscard]] View shownView() const;
    [[nodiscard]] QWidget* buildCurves();
    [[nodiscard]] QWidget* buildTable();
    void fillTables();
    void showPage();
    void draw();

    Session* m_session;
    lw::StudyReport m_report;
    QString m_html;    ///< of the shown report: set anew only where it differs, as that scrolls to its beginning
    QString m_wanted;  ///< title of the table that was chosen last
    QComboBox* m_tables;
    QStackedWidget* m_stack;
    CurvePlot* m_plot;
    QLabel* m_curveNote;
    QTableView* m_table;
    StudyTableModel* m_model;
    QLabel* m_tableNote;
    QTextBrowser* m_text;
    EmptyState* m_empty;
    View m_view = kCurves;
};

}  // namespace lw::ui
