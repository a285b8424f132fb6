/// See encodings_page.h.
#include "ui/pages/encodings_page.h"

#include "ui/forms/param_form.h"
#include "ui/forms/save_figure.h"
#include "ui/forms/scheme_form.h"
#include "ui/panels/empty_state.h"
#include "ui/plot/curve_plot.h"
#include "ui/plot/number_text.h"
#include "ui/session.h"
#include "ui/theme.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QSplitter>
#include <QTimer>
#include <QToolButton>

namespace lw::ui {

namespace {

constexpr int kScrollBar = 12;

lw::ParamSpec whole(const char* id, const QString& label, std::int64_t value, double low, double high, const QString& help) {
    lw::ParamSpec spec;
    spec.id = id;
    spec.label = label.toStdString();
    spec.help = help.toStdString();
    spec.type = lw::ParamType::integer;
    spec.default_value = value;
    spec.min = low;
    spec.max = high;
    spec.step = 1;
    spec.logarithmic = true;
    return spec;
}

std::vector<lw::ParamSpec> shapeSpecs() {
    return {whole("length", EncodingsPage::tr("Length T"), 8192, 16, 131072, EncodingsPage::tr("Of the sequence the scheme is applied to; distances go up to it.")),
            whole("train_length", EncodingsPage::tr("Training length L"), 128, 16, 8192, EncodingsPage::tr("Schemes that scale need it.")),
            whole("heads", EncodingsPage::tr("Heads"), 8, 1, 32, EncodingsPage::tr("Slopes and initial values differ by head.")),
            whole("head_width", EncodingsPage::tr("Head width"), 32, 2, 256, EncodingsPage::tr("Channels of a head; a rotation turns them in pairs, so it must be even."))};
}

QString escaped(const std::string& text) { return QString::fromStdString(text).toHtmlEscaped(); }

/// Name, formula, paper, claims and outlook of one method, as rich text.
QString aboutMethod(const lw::MethodInfo& info, const QPalette& palette) {
    const QString quiet = theme::secondaryText(palette).name();
    QString html = QStringLiteral("<p style='margin-bottom:2px'><b>%1</b> <span style='color:%2'>%3</span></p>").arg(escaped(info.name), quiet, escaped(info.summary));
    html += QStringLiteral("<p style='margin:2px 0; font-family:monospace'>%1</p>").arg(escaped(info.formula));
    QStringList claims;
    for (const lw::ClaimInfo& claim : info.claims) claims << escaped(claim.id);
    if (info.learned && !claims.contains(QStringLiteral("learned"))) claims << EncodingsPage::tr("learned");
    if (info.plug_in) claims << EncodingsPage::tr("may be put on a trained model");
    if (!claims.isEmpty()) html += QStringLiteral("<p style='margin:2px 0'>%1</p>").arg(claims.join(QStringLiteral(" · ")));
    if (!info.beyond_training.empty()) html += EncodingsPage::tr("<p style='margin:2px 0'>Beyond L: %1</p>").arg(escaped(info.beyond_training));
    html += QStringLiteral("<p style='margin:2px 0; color:%1'>%2</p>").arg(quiet, escaped(info.paper));
    return html;
}

}  // namespace

EncodingsPage::EncodingsPage(Session* session, QWidget* parent)
    : Page(session, parent), m_scheme(new SchemeForm(this)), m_shape(new ParamForm(this)), m_logDistance(new QCheckBox(tr("Logarithmic distance"), this)),
      m_head(new QSpinBox(this)), m_pins(new QHBoxLayout), m_empty(new EmptyState(this)), m_note(new QLabel(this)), m_about(new QLabel(this)), m_timer(new QTimer(this)) {
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
    connect(m_logDistance, &QCheckBox::toggled, this, [this] { draw(); });
    connect(m_head, &QSpinBox::valueChanged, this, [this] { draw(); });
    if (const auto scheme = lw::find_scheme("kerple"); scheme.ok()) m_scheme->setScheme(scheme.value());
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
    connect(box.plot, &CurvePlot::exportRequested, this, [this, plot = box.plot] {
        saveCurveFigure(*plot, tr("encodings"), {}, session(), this);
    });
    m_plots.push_back(box);
}

void EncodingsPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
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
        [this, name = QString::fromStdString(request.scheme.name)](lw::Result<lw::EncodingPreview> preview) {
            if (!preview.ok()) {
                m_note->setText(QString::fromStdString(preview.error().message));
                return;
            }
            m_current = {name, static_cast<int>(m_pinned.size()) + 5, std::move(preview).value()};
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
    m_empty->setContent(tr("Nothing to draw"), tr("This scheme adds nothing that depends on distance alone. Fill the bias, rotation or input slot."));
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

void EncodingsPage::pin() {
    if (m_current.preview.distance.empty()) return;
    ShownScheme pinned = m_current;
    pinned.style = static_cast<int>(m_pinned.size()) + 1;
    m_pinned.push_back(std::move(pinned));
    showPins();
    draw();
}

void EncodingsPage::unpin(int index) {
    if (index < 0 || index >= static_cast<int>(m_pinned.size())) return;
    m_pinned.erase(m_pinned.begin() + index);
    showPins();
    draw();
}

void EncodingsPage::showPins() {
    while (QLayoutItem* item = m_pins->takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
    for (int p = 0; p < static_cast<int>(m_pinned.size()); ++p) {
        auto* chip = new QToolButton(this);
        chip->setText(tr("%1  ×").arg(m_pinned[static_cast<std::size_t>(p)].title));
        chip->setAutoRaise(true);
        chip->setObjectName(QStringLiteral("pin-%1").arg(p));
        chip->setToolTip(tr("Remove from the plots"));
        QPalette colours = chip->palette();
        colours.setColor(QPalette::ButtonText, theme::runColour(m_pinned[static_cast<std::size_t>(p)].style, theme::isDark(colours)));
        chip->setPalette(colours);
        connect(chip, &QToolButton::clicked, this, [this, p] { unpin(p); });
        m_pins->addWidget(chip);
    }
}

CurvePlot* EncodingsPage::mainPlot() const {
    for (const PlotBox& box : m_plots)
        if (!box.box->isHidden()) return box.plot;
    return m_plots.front().plot;
}

void EncodingsPage::copyFigure() { mainPlot()->copyToClipboard(); }
void EncodingsPage::exportFigure() { saveCurveFigure(*mainPlot(), tr("encodings"), {}, session(), this); }

}  // namespace lw::ui
