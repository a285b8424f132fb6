/// See studies_results.h. What goes to the clipboard and to files is in studies_files.cpp.
#include "ui/pages/studies_results.h"

#include "ui/pages/studies_table.h"
#include "ui/panels/empty_state.h"
#include "ui/panels/quiet_headers.h"
#include "ui/plot/curve_plot.h"
#include "ui/session.h"
#include "ui/theme.h"

#include <QComboBox>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QStackedWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace lw::ui {

namespace {

constexpr int kApart = 12;     // pixels between columns: values have intervals behind them
constexpr int kEmptyPage = 3;  // of the stack, after the views

QLabel* note(const char* name) {
    auto* label = new QLabel;
    label->setObjectName(QLatin1String(name));
    label->setFont(theme::caption());
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setWordWrap(true);
    return label;
}

/// Styles by title over all tables: that of the row's first run which the list of runs has, else the next one that is free.
std::map<std::string, int> styleOfTitles(const lw::StudyReport& report, const RunStyles& runs) {
    std::map<std::string, int> styles;
    std::set<int> taken;
    for (const lw::StudyTable& table : report.tables) {
        for (const lw::StudyRow& row : table.rows) {
            const auto listed = std::find_if(row.runs.begin(), row.runs.end(), [&](const std::string& run) { return runs.contains(run); });
            if (row.published || listed == row.runs.end() || styles.contains(row.title) || !taken.insert(runs.at(*listed)).second) continue;
            styles.emplace(row.title, runs.at(*listed));
        }
    }
    int next = 0;
    for (const lw::StudyTable& table : report.tables) {
        for (const lw::CurveLine& line : table.curves.lines) {
            if (line.band == "chance" || styles.contains(line.title)) continue;
            while (taken.contains(theme::runStyle(next))) ++next;
            taken.insert(theme::runStyle(next));
            styles.emplace(line.title, theme::runStyle(next));
        }
    }
    return styles;
}

const lw::StudyValue* valueAt(const lw::StudyTable& table, const std::string& title, double length) {
    for (const lw::StudyRow& row : table.rows) {
        if (row.title != title || row.published) continue;
        for (const auto& value : row.values)
            if (value && static_cast<double>(value->length) == length) return &*value;
    }
    return nullptr;
}

QString list(const QString& heading, const std::vector<std::string>& sentences) {
    if (sentences.empty()) return {};
    QString html = QStringLiteral("<h4>%1</h4><ul>").arg(heading.toHtmlEscaped());
    for (const std::string& sentence : sentences) {
        QString item = QString::fromStdString(sentence).toHtmlEscaped();
        item.replace(QStringLiteral(" %"), QStringLiteral("&nbsp;%")).replace(QStringLiteral(" = "), QStringLiteral("&nbsp;=&nbsp;"));
        html += QStringLiteral("<li>%1</li>").arg(item);
    }
    return html + QStringLiteral("</ul>");
}

}  // namespace

CurveContent studyCurves(const lw::StudyTable& table, const lw::StudyReport& report, const RunStyles& runs) {
    const std::map<std::string, int> known = styleOfTitles(report, runs);
    std::vector<int> styles;
    for (const lw::CurveLine& line : table.curves.lines) styles.push_back(line.band == "chance" ? 0 : known.at(line.title));
    CurveContent content = curveContent(table.curves, styles);
    if (table.measure == "accuracy") content.yRange = {0, 1};
    for (std::size_t s = 0; s < content.series.size(); ++s) {
        CurveSeries& series = content.series[s];
        bool told = false;
        std::vector<char> filled;
        for (const double x : series.x) {
            const lw::StudyValue* value = valueAt(table, table.curves.lines[s].title, x);
            filled.push_back(value != nullptr && (value->best || value->near_best) ? 1 : 0);
            told = told || filled.back() != 0;
        }
        if (told) series.filled = std::move(filled);
    }
    return content;
}

RunStyles runStyles(const Session& session) {
    RunStyles styles;
    for (const RunEntry& run : session.runs())
        if (!run.info.demo) styles.emplace(run.info.id, run.style);
    // Evaluations name a run that comes with the program by its id alone.
    for (const RunEntry& run : session.runs())
        if (run.info.demo) styles.emplace("demo:" + run.info.id, run.style), styles.emplace(run.info.id, run.style);
    return styles;
}

/// As the cautions of reports have it.
constexpr std::int64_t kEnoughSeeds = 5;

QString markerNote(const lw::StudyTable& table) {
    bool told = false, untold = false, weak = false;
    for (std::size_t column = 0; column < table.lengths.size(); ++column) {
        int values = 0;
        bool best = false;
        for (const lw::StudyRow& row : table.rows) {
            if (row.published || column >= row.values.size() || !row.values[column]) continue;
            ++values;
            weak = weak || row.values[column]->seeds < kEnoughSeeds;
            best = best || row.values[column]->best;
        }
        told = told || best;
        untold = untold || !best;
    }
    if (!told) return {};
    QString note = StudyResults::tr("Filled markers: the best at that length, and those not significantly worse. Hollow: significantly worse.");
    // A line far above the best may be filled then, which reads like a mistake.
    if (weak) note += QLatin1Char(' ') + StudyResults::tr("With so few seeds the test finds little: not worse is not equal.");
    return untold ? note + QLatin1Char(' ') + StudyResults::tr("Where none is filled nothing was tested.") : note;
}

QString studyHtml(const lw::StudyTable& table, const lw::StudyReport& report) {
    std::vector<std::string> cautions = table.cautions;
    cautions.insert(cautions.end(), report.cautions.begin(), report.cautions.end());
    // First, since the findings of many pairs are long.
    QString html = list(StudyResults::tr("To be read with care"), cautions);
    if (!table.protocol_line.empty()) html += list(StudyResults::tr("How it was measured"), {table.protocol_line});
    if (!table.published_source.empty()) html += list(StudyResults::tr("Published values"), {table.published_source});
    if (table.findings.empty()) html += QStringLiteral("<p>%1</p>").arg(StudyResults::tr("There is nothing to compare yet: it takes two schemes that are finished."));
    for (const lw::StudyPair& pair : lw::findings_by_pair(table))
        html += list(pair.title.empty() ? StudyResults::tr("Findings") : QString::fromStdString(pair.title), pair.findings);
    return html;
}

StudyResults::StudyResults(Session* session, QWidget* parent)
    : QWidget(parent), m_session(session), m_tables(new QComboBox(this)), m_stack(new QStackedWidget(this)), m_plot(new CurvePlot), m_curveNote(note("studyCurveNote")), m_table(new QTableView),
      m_model(new StudyTableModel(this)), m_tableNote(note("studyTableNote")), m_text(new QTextBrowser), m_empty(new EmptyState) {
    m_tables->setObjectName(QStringLiteral("studyTables"));
    m_tables->setAccessibleName(tr("Setting"));
    m_text->setObjectName(QStringLiteral("studyText"));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    m_stack->addWidget(buildCurves());
    m_stack->addWidget(buildTable());
    m_stack->addWidget(m_text);
    m_stack->addWidget(m_empty);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGrid);
    layout->addWidget(m_tables, 0, Qt::AlignLeft);
    layout->addWidget(m_stack, 1);
    m_tables->hide();
    connect(m_tables, &QComboBox::activated, this, [this] {
        m_wanted = m_tables->currentText();
        draw();
    });
}

QWidget* StudyResults::buildCurves() {
    auto* panel = new QWidget;
    m_plot->setObjectName(QStringLiteral("studyPlot"));
    m_plot->setIntervals(Intervals::few);
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGrid);
    layout->addWidget(m_plot, 1);
    layout->addWidget(m_curveNote);
    connect(m_plot, &CurvePlot::exportRequested, this, &StudyResults::exportRequested);
    return panel;
}

QWidget* StudyResults::buildTable() {
    auto* panel = new QWidget;
    m_table->setObjectName(QStringLiteral("studyTable"));
    m_table->setModel(m_model);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setFont(theme::tabular());
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->verticalHeader()->hide();
    setQuietHeaders(m_table);
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGrid);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_tableNote);
    connect(m_table, &QTableView::customContextMenuRequested, this, [this](const QPoint& position) {
        QMenu menu(this);
        addCopyChoices(&menu);
        menu.exec(m_table->viewport()->mapToGlobal(position));
    });
    return panel;
}

void StudyResults::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) QMetaObject::invokeMethod(this, [this] { setQuietHeaders(m_table); }, Qt::QueuedConnection);
}

void StudyResults::setView(View view) {
    m_view = view;
    showPage();
}

/// Everything is drawn with the report: another view, or the same once more, leaves what is read and scrolled as it is.
void StudyResults::showPage() { m_stack->setCurrentIndex(table() == nullptr ? kEmptyPage : static_cast<int>(shownView())); }

void StudyResults::setReport(const lw::StudyReport& report) {
    m_report = report;
    fillTables();
    draw();
}

void StudyResults::setEmpty(const QString& title, const QString& text) {
    m_report = {};
    m_tables->hide();
    m_plot->setContent({});
    m_empty->setContent(title, text);
    m_stack->setCurrentIndex(kEmptyPage);
}

/// The chosen setting stays chosen while more of it gets finished.
void StudyResults::fillTables() {
    m_tables->clear();
    for (const lw::StudyTable& one : m_report.tables) m_tables->addItem(QString::fromStdString(one.title));
    if (const int before = m_tables->findText(m_wanted); before >= 0) m_tables->setCurrentIndex(before);
    m_tables->setVisible(m_report.tables.size() > 1);
}

void StudyResults::setTable(const QString& title) {
    m_wanted = title;
    fillTables();
    draw();
}

const lw::StudyTable* StudyResults::table() const {
    const int index = m_tables->currentIndex();
    return index < 0 || index >= static_cast<int>(m_report.tables.size()) ? nullptr : &m_report.tables[static_cast<std::size_t>(index)];
}

void StudyResults::draw() {
    showPage();
    const lw::StudyTable* shown = table();
    if (shown == nullptr) return;
    m_plot->setLogY(shown->measure != "accuracy");
    m_plot->setContent(studyCurves(*shown, m_report, runStyles(*m_session)));
    m_curveNote->setText(QStringList{markerNote(*shown), QString::fromStdString(shown->protocol_line)}.join(QLatin1Char('\n')).trimmed());
    m_model->setTable(*shown);
    m_table->resizeColumnsToContents();
    for (int column = 1; column < m_model->columnCount(); ++column) m_table->setColumnWidth(column, m_table->columnWidth(column) + kApart);
    m_tableNote->setText(tableMarks(*shown, m_report));
    if (const QString html = studyHtml(*shown, m_report); html != std::exchange(m_html, html)) m_text->setHtml(html);
}

/// A table that has no curves is shown in their place.
StudyResults::View StudyResults::shownView() const { return m_view == kCurves && table() != nullptr && table()->curves.lines.empty() ? kTable : m_view; }

bool StudyResults::hasFigure() const { return shownView() == kCurves && table() != nullptr; }

}  // namespace lw::ui
