/// See encodings_page.h. Pinned schemes are in encodings_pins.cpp, the selected run in encodings_run.cpp, what it remembers in
/// encodings_state.cpp, the text about a method in encodings_about.cpp.
#include "ui/pages/encodings_page.h"

#include "ui/pages/encodings_about.h"
#include "ui/forms/param_form.h"
#include "ui/forms/save_figure.h"
#include "ui/forms/scheme_form.h"
#include "ui/panels/empty_state.h"
#include "ui/plot/curve_plot.h"
#include "ui/plot/number_text.h"
#include "ui/session.h"
#include "ui/theme.h"

#include <QCheckBox>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QSplitter>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace lw::ui {

namespace {

constexpr int kScrollBar = 12;
constexpr int kSaveDelay = 1000;

}  // namespace

EncodingsPage::EncodingsPage(Session* session, QWidget* parent)
    : Page(session, parent), m_scheme(new SchemeForm(this)), m_shape(new ParamForm(this)), m_logDistance(new QCheckBox(tr("Logarithmic distance"), this)),
      m_head(new QSpinBox(this)), m_pins(new QHBoxLayout), m_empty(new EmptyState(this)), m_note(new QLabel(this)), m_about(new QLabel(this)), m_timer(new QTimer(this)), m_saving(new QTimer(this)) {
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(buildForm());
    splitter->addWidget(buildPlots());
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({400, 700});
    splitter->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(splitter);
    m_timer->setSingleShot(true);
    m_timer->setInterval(0);  // once per turn of the event loop: latest wins anyway
    connect(m_timer, &QTimer::timeout, this, [this] { request(); });
    connect(m_scheme, &SchemeForm::edited, m_timer, qOverload<>(&QTimer::start));
    connect(m_shape, &ParamForm::edited, m_timer, qOverload<>(&QTimer::start));
    restoreState();
    m_saving->setSingleShot(true);
    m_saving->setInterval(kSaveDelay);
    connect(m_saving, &QTimer::timeout, this, &EncodingsPage::saveState);
    connect(m_scheme, &SchemeForm::edited, m_saving, qOverload<>(&QTimer::start));
    connect(m_shape, &ParamForm::edited, m_saving, qOverload<>(&QTimer::start));
    connect(m_logDistance, &QCheckBox::toggled, this, [this] {
        m_saving->start();
        draw();
    });
    connect(m_head, &QSpinBox::valueChanged, this, [this] { draw(); });
    describe();
}

QWidget* EncodingsPage::buildForm() {
    m_shape->setSpecs(shapeSpecs());
    m_logDistance->setChecked(true);
    m_logDistance->setObjectName(QStringLiteral("logDistance"));
    m_about->setObjectName(QStringLiteral("aboutScheme"));
    m_about->setWordWrap(true);
    m_about->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_about->setAlignment(Qt::AlignTop);
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(16, 12, 4, 16);
    layout->setSpacing(theme::kGrid);
    layout->addWidget(m_scheme);
    layout->addSpacing(theme::kGrid);
    layout->addWidget(m_shape);
    layout->addSpacing(theme::kGrid);
    layout->addWidget(m_about);
    layout->addStretch();
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumWidth(content->minimumSizeHint().width() + kScrollBar);
    return scroll;
}

QWidget* EncodingsPage::buildPlots() {
    auto* panel = new QWidget(this);
    auto* pinButton = new QPushButton(tr("Pin"), panel);
    pinButton->setObjectName(QStringLiteral("pinButton"));
    pinButton->setToolTip(tr("Keeps this scheme in the plots, to compare others with it."));
    connect(pinButton, &QPushButton::clicked, this, [this] { pin(); });
    m_head->setObjectName(QStringLiteral("comparedHead"));
    m_head->setPrefix(tr("head "));
    m_head->setRange(0, 31);
    m_head->setToolTip(tr("The head drawn of each scheme while several are compared."));
    auto* bar = new QHBoxLayout;
    bar->setSpacing(theme::kGrid);
    bar->addWidget(m_logDistance);
    bar->addStretch();
    bar->addLayout(m_pins);
    bar->addWidget(m_head);
    bar->addWidget(buildRunMenu(panel));
    bar->addWidget(pinButton);
    m_note->setObjectName(QStringLiteral("previewNote"));
    m_note->setFont(theme::caption());
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setWordWrap(true);
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(theme::kGrid);
    layout->addLayout(bar);
    auto* plots = new QVBoxLayout;
    plots->setSpacing(theme::kGrid);
    addPlot(plots, QStringLiteral("biasPlot"), tr("Bias against distance"), &biasContent, false);
    addPlot(plots, QStringLiteral("similarityPlot"), tr("Mean similarity of rotated queries and keys against distance"), &similarityContent, false);
    addPlot(plots, QStringLiteral("mappedPlot"), tr("Distance that is used against distance"), &mappedContent, false);
    addPlot(plots, QStringLiteral("temperaturePlot"), tr("Factor on a row's scores against its position"), &temperatureContent, false);
    addPlot(plots, QStringLiteral("wavelengthPlot"), tr("Wavelength of each rotated pair"), &wavelengthContent, true);
    addPlot(plots, QStringLiteral("inputPlot"), tr("Similarity of position vectors against distance"), &inputContent, false);
    layout->addLayout(plots, 1);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_note);
    return panel;
}

void EncodingsPage::addPlot(QLayout* layout, const QString& name, const QString& heading,
                            CurveContent (*content)(const std::vector<ShownScheme>&, const EncodingView&), bool logY) {
    PlotBox box;
    box.box = new QWidget(this);
    box.heading = new QLabel(heading, box.box);
    box.plot = new CurvePlot(box.box);
    box.plot->setObjectName(name);
    box.plot->setMinimumHeight(120);
    box.content = content;
    box.logY = logY;
    auto* inner = new QVBoxLayout(box.box);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(4);
    inner->addWidget(box.heading);
    inner->addWidget(box.plot, 1);
    layout->addWidget(box.box);
    box.box->hide();
    connect(box.plot, &CurvePlot::exportRequested, this, [this, plot = box.plot] { exportPlot(plot); });
    m_plots.push_back(box);
}

void EncodingsPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    drawPinned();
    request();
}

lw::PreviewRequest EncodingsPage::previewRequest() const {
    lw::PreviewRequest request;
    request.scheme = m_scheme->scheme();
    const lw::Params& shape = m_shape->values();
    request.length = paramInteger(shape, "length");
    request.train_length = paramInteger(shape, "train_length");
    request.heads = paramInteger(shape, "heads");
    request.head_width = paramInteger(shape, "head_width");
    return request;
}

void EncodingsPage::request() {
    describe();
    if (!m_scheme->valid()) return;  // the sentence stands under the form, the last picture stays
    const lw::PreviewRequest request = previewRequest();
    session()->compute().run<lw::EncodingPreview>(
        QStringLiteral("preview"), [request](const lw::RunContext&) { return lw::preview_scheme(request); }, this,
        [this, scheme = request.scheme, name = QString::fromStdString(request.scheme.name)](lw::Result<lw::EncodingPreview> preview) {
            if (!preview.ok()) {
                m_note->setText(QString::fromStdString(preview.error().message));
                return;
            }
            m_current = {name, styleOf(m_current.style), std::move(preview).value()};
            m_current.scheme = scheme;
            draw();
        });
}

std::vector<ShownScheme> EncodingsPage::shown() const {
    std::vector<ShownScheme> list = m_pinned;
    list.push_back(m_current);
    return list;
}

void EncodingsPage::draw() {
    const std::vector<ShownScheme> schemes = shown();
    const EncodingView view{m_head->value(), paramInteger(m_shape->values(), "train_length"), m_logDistance->isChecked()};
    bool any = false;
    for (PlotBox& box : m_plots) {
        const CurveContent content = box.content(schemes, view);
        box.box->setVisible(!content.series.empty());
        if (content.series.empty()) continue;
        any = true;
        box.plot->setContent(content);
        box.plot->setLogY(box.logY);
    }
    m_empty->setVisible(!any);
    m_empty->setContent(tr("Nothing to draw"), tr("This scheme adds nothing that depends on distance alone. Fill the bias, rotation, input, distance, temperature or visibility slot."));
    m_head->setVisible(!m_pinned.empty());
    QStringList notes;
    if (m_current.preview.shows_initial_values) notes << tr("Initial values: training changes them.");
    if (!m_current.preview.note.empty()) notes << QString::fromStdString(m_current.preview.note);
    if (m_current.preview.attention_factor != 1) notes << tr("Scores are multiplied by %1².").arg(numberText(m_current.preview.attention_factor, 3));
    m_note->setText(notes.join(QLatin1Char(' ')));
}

void EncodingsPage::describe() {
    QString html;
    for (const auto& [slot, choice] : m_scheme->scheme().slots)
        if (const auto info = lw::describe_method(slot, choice.id); info.ok()) html += aboutMethod(info.value(), palette());
    m_about->setText(html);
}

CurvePlot* EncodingsPage::mainPlot() const {
    for (const PlotBox& box : m_plots)
        if (!box.box->isHidden()) return box.plot;
    return m_plots.front().plot;
}

bool EncodingsPage::canExport() const {
    return std::any_of(m_plots.begin(), m_plots.end(), [](const PlotBox& box) { return !box.box->isHidden(); });
}

void EncodingsPage::copyFigure() {
    if (!canExport()) return;
    mainPlot()->copyToClipboard();
    session()->notice(tr("Copied the picture and its numbers."));
}

void EncodingsPage::exportFigure() { exportPlot(mainPlot()); }

/// With the schemes that are drawn, each as the recipe that would train it.
void EncodingsPage::exportPlot(const CurvePlot* plot) {
    if (plot->content().series.empty()) return;
    QJsonArray schemes;
    for (const ShownScheme& scheme : shown()) schemes.append(QJsonDocument::fromJson(schemeJson(scheme.scheme).toUtf8()).object());
    const QJsonObject state{{QStringLiteral("figure"), QStringLiteral("encodings")}, {QStringLiteral("recipes"), schemes}};
    QString title;
    for (const PlotBox& box : m_plots)
        if (box.plot == plot) title = box.heading->text();
    exportCurves(*plot, {tr("encodings"), title, QJsonDocument(state).toJson().toStdString()}, session(), this);
}

/// Colours of rich text and of the chips are their own, not the palette's.
void EncodingsPage::changeEvent(QEvent* event) {
    Page::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    describe();
    showPins();
}

}  // namespace lw::ui
