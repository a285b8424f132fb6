/// What the Encodings page draws: the previews it asks for, its two views, and their figures.
#include "ui/forms/param_form.h"
#include "ui/forms/save_figure.h"
#include "ui/forms/scheme_form.h"
#include "ui/pages/encodings_curves.h"
#include "ui/pages/encodings_maps.h"
#include "ui/pages/encodings_page.h"
#include "ui/panels/empty_state.h"
#include "ui/plot/curve_plot.h"
#include "ui/plot/heat_map.h"
#include "ui/plot/number_text.h"
#include "ui/plot/segmented.h"
#include "ui/session.h"

#include <QCheckBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTimer>

namespace lw::ui {

namespace {

/// Measured with the fake laboratory on one busy core of a release build: filling all five maps takes 8 ms and painting them 3 ms, so that a
/// moving slider keeps 60 pictures a second without coarser maps on the way.
constexpr std::int64_t kMapCells = 128;
/// The map of the bias is interpolated between them.
constexpr std::int64_t kMapPoints = 1024;

/// What the laboratory says of a preview, without what the caption of trained values says already.
QString noteOf(const ShownScheme& scheme) {
    const QString note = QString::fromStdString(scheme.preview.note);
    const bool said = !scheme.caption.isEmpty() && note.section(QStringLiteral(". "), 0, 0).contains(QStringLiteral("values of layer"), Qt::CaseInsensitive);
    return said ? note.section(QStringLiteral(". "), 1) : note;
}

}  // namespace

void EncodingsPage::buildViews() {
    m_views->addWidget(m_curves);
    m_views->addWidget(m_maps);
    connect(m_view, &Segmented::chosen, this, [this](int id) {
        setView(static_cast<View>(id));
        m_saving->start();
    });
    connect(m_beside, &Segmented::chosen, this, [this] {
        m_saving->start();
        draw();
    });
    connect(m_curves, &EncodingsCurves::exportRequested, this, [this](const CurvePlot* plot) { exportPlot(plot); });
    connect(m_maps, &EncodingsMaps::exportRequested, this, &EncodingsPage::exportMap);
}

EncodingsPage::View EncodingsPage::view() const { return static_cast<View>(m_views->currentIndex()); }

void EncodingsPage::setView(View view) {
    m_view->setCurrent(view);
    if (view == this->view()) return;
    m_views->setCurrentIndex(view);
    draw();
    if (isVisible()) request();  // curves are made without maps
}

/// One preview is under way at a time and the newest wish waits for it: pictures keep coming while a slider moves, and none piles up.
void EncodingsPage::request() {
    if (!isVisible()) return;  // asked again when it is shown
    if (!m_describing->isActive()) m_describing->start();
    if (!m_scheme->valid()) return;  // the sentence stands under the form, the last picture stays
    m_wanted = m_busy;
    if (m_busy) return;
    m_busy = true;
    lw::PreviewRequest request = previewRequest();
    if (view() == kMaps) {
        request.map_cells = kMapCells;
        request.points = kMapPoints;
    }
    session()->compute().run<SchemePreviews>(
        QStringLiteral("preview"), [job = previewJob(request)](const lw::RunContext&) { return job(); }, this,
        [this, scheme = request.scheme, title = previewTitle(request)](lw::Result<SchemePreviews> previews) {
            m_busy = false;
            take(std::move(previews), scheme, title);
            if (m_wanted) m_timer->start();
        });
}

void EncodingsPage::take(lw::Result<SchemePreviews> previews, const lw::SchemeSpec& scheme, const QString& title) {
    if (!previews.ok()) return m_note->setText(QString::fromStdString(previews.error().message));
    SchemePreviews both = std::move(previews).value();
    m_current = {title, styleOf(scheme), std::move(both.own), scheme, std::move(both.plain), both.without, both.caption};
    draw();
}

std::vector<ShownScheme> EncodingsPage::shown() const {
    std::vector<ShownScheme> list = m_pinned;
    list.push_back(m_current);
    return list;
}

EncodingMapsView EncodingsPage::mapsView() const { return {m_head->value(), m_logDistance->isChecked(), static_cast<MapBeside>(m_beside->current())}; }

void EncodingsPage::draw() {
    m_undrawn = !isVisible();
    if (m_undrawn) return;
    const bool maps = view() == kMaps;
    // Maps stay as they are until those of a preview that has them come.
    bool any = maps;
    if (maps && !m_current.preview.map_index.empty()) m_maps->setContent(m_current, mapsView());
    if (!maps) any = m_curves->setContent(shown(), {m_head->value(), paramInteger(m_shape->values(), "train_length"), m_logDistance->isChecked()});
    m_views->setVisible(any);
    m_empty->setVisible(!any);
    m_empty->setContent(tr("Nothing to draw"),
                        tr("This scheme adds nothing that depends on distance alone. Fill the bias, rotation, input, distance, temperature or visibility slot."));
    updateBar();
    showNote();
}

void EncodingsPage::updateBar() {
    const bool maps = view() == kMaps;
    m_beside->setVisible(maps && m_current.plain.has_value());
    m_head->setVisible(maps ? m_maps->hasBias() : !m_pinned.empty());
    m_export->setEnabled(canExport());
    m_logDistance->setToolTip(maps ? tr("Colours of distances by their logarithm.") : tr("The axis of distances."));
}

void EncodingsPage::showNote() {
    const lw::EncodingPreview& preview = m_current.preview;
    QStringList notes;
    if (preview.shows_initial_values) notes << tr("Initial values: training changes them.");
    if (!m_current.caption.isEmpty()) notes << m_current.caption + QLatin1Char('.');
    if (const QString more = noteOf(m_current); !more.isEmpty()) notes << more;
    if (preview.attention_factor != 1) notes << tr("Scores are multiplied by the square of %1.").arg(numberText(preview.attention_factor, 3));
    if (view() == kMaps && m_current.plain) notes << tr("Plain: without %1.").arg(m_current.without);
    else if (const QString plain = plainNote(shown()); !plain.isEmpty()) notes << plain;
    m_note->setText(notes.join(QLatin1Char(' ')));
}

bool EncodingsPage::canExport() const { return view() == kMaps ? !m_maps->empty() : m_curves->mainPlot() != nullptr; }

void EncodingsPage::copyFigure() {
    if (!canExport()) return;
    if (view() == kMaps) m_maps->map(m_maps->mainPlace())->copyToClipboard();
    else m_curves->mainPlot()->copyToClipboard();
    session()->notice(tr("Copied the picture and its numbers."));
}

void EncodingsPage::exportFigure() {
    if (!canExport()) return;
    if (view() == kMaps) exportMap(m_maps->mainPlace());
    else exportPlot(m_curves->mainPlot());
}

std::string EncodingsPage::figureState(const std::vector<ShownScheme>& schemes) const {
    QJsonArray recipes;
    for (const ShownScheme& scheme : schemes) recipes.append(QJsonDocument::fromJson(schemeJson(scheme.scheme).toUtf8()).object());
    const QJsonObject state{{QStringLiteral("figure"), QStringLiteral("encodings")}, {QStringLiteral("recipes"), recipes}};
    return QJsonDocument(state).toJson().toStdString();
}

void EncodingsPage::exportPlot(const CurvePlot* plot) {
    if (plot->content().series.empty()) return;
    exportCurves(*plot, {tr("encodings"), m_curves->headingOf(plot), figureState(shown()), m_current.caption}, session(), this);
}

void EncodingsPage::exportMap(int place) {
    const QuantityMap map = m_maps->quantity(static_cast<EncodingsMaps::Place>(place));
    if (map.empty()) return;
    FigureOptions options = exportOptions(session()->settings(), QString::fromStdString(map.name));
    if (map.squareCells) options.height_mm = 0;  // as high as its cells ask for
    options.title = tr("%1: %2").arg(m_current.title, map.title).toStdString();
    options.state = figureState({m_current});
    exportWith(options, [map](const FigureOptions& wanted) { return render_quantity_figure(map, wanted); }, session(), this);
}

}  // namespace lw::ui
