/// See encodings_page.h. What is drawn and exported is in encodings_views.cpp, pinned schemes in encodings_pins.cpp, the selected run in
/// encodings_run.cpp and its trained values in encodings_values.cpp, presets in encodings_preset.cpp, what it remembers in
/// encodings_state.cpp, the text about a method in encodings_about.cpp.
#include "ui/pages/encodings_page.h"

#include "ui/forms/param_form.h"
#include "ui/forms/scheme_form.h"
#include "ui/pages/encodings_about.h"
#include "ui/pages/encodings_bar.h"
#include "ui/pages/encodings_curves.h"
#include "ui/pages/encodings_maps.h"
#include "ui/panels/empty_state.h"
#include "ui/plot/segmented.h"
#include "ui/session.h"
#include "ui/theme.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>

#include <utility>

namespace lw::ui {

namespace {

constexpr int kScrollBar = 12;
constexpr int kSaveDelay = 1000;
/// Setting a page of rich text takes longer than drawing all plots: while a slider moves it follows some times a second.
constexpr int kTextDelay = 150;

}  // namespace

EncodingsPage::EncodingsPage(Session* session, QWidget* parent)
    : Page(session, parent), m_scheme(new SchemeForm(this)), m_shape(new ParamForm(this)), m_logDistance(new QCheckBox(tr("Logarithmic distance"), this)),
      m_head(new QSpinBox(this)), m_pins(new QHBoxLayout), m_empty(new EmptyState(this)), m_note(new QLabel(this)), m_about(new QLabel(this)), m_view(new Segmented(this)),
      m_beside(new Segmented(this)), m_views(new QStackedWidget(this)), m_curves(new EncodingsCurves(this)), m_maps(new EncodingsMaps(this)),
      m_timer(new QTimer(this)), m_describing(new QTimer(this)), m_saving(new QTimer(this)) {
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
    m_timer->setInterval(0);  // once per turn of the event loop: one preview is under way at a time anyway
    connect(m_timer, &QTimer::timeout, this, [this] { request(); });
    m_describing->setSingleShot(true);
    m_describing->setInterval(kTextDelay);
    connect(m_describing, &QTimer::timeout, this, &EncodingsPage::describe);
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
    m_about->setOpenExternalLinks(true);
    m_about->setAlignment(Qt::AlignTop);
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(16, 12, 4, 16);
    layout->setSpacing(theme::kGrid);
    layout->addWidget(m_scheme);
    layout->addWidget(buildPresetBar());
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

void EncodingsPage::buildChoices() {
    m_view->setObjectName(QStringLiteral("encodingsView"));
    m_view->add(kCurves, tr("Curves"), tr("Against the distance, the pair or the position."));
    m_view->add(kMaps, tr("Maps"), tr("Over all queries and keys, and over positions and pairs."));
    m_beside->setObjectName(QStringLiteral("besideMaps"));
    m_beside->add(static_cast<int>(MapBeside::plain), tr("Plain"), tr("Beside each map: the same without the methods that may be changed on a trained model."));
    m_beside->add(static_cast<int>(MapBeside::change), tr("Change"), tr("Beside each map: what these methods change."));
    m_head->setObjectName(QStringLiteral("comparedHead"));
    m_head->setPrefix(tr("head "));
    m_head->setRange(0, 31);
    m_head->setToolTip(tr("The head drawn of each scheme while several are compared, and in the map of the bias."));
}

QWidget* EncodingsPage::buildBar() {
    buildChoices();
    const auto group = [] {
        auto* widget = new QWidget;
        auto* line = new QHBoxLayout(widget);
        line->setContentsMargins(0, 0, 0, 0);
        line->setSpacing(theme::kGrid);
        return std::pair{widget, line};
    };
    const auto [options, middle] = group();
    for (QWidget* option : {static_cast<QWidget*>(m_beside), static_cast<QWidget*>(m_logDistance), static_cast<QWidget*>(m_head)}) middle->addWidget(option);
    const auto [actions, right] = group();
    auto* pinButton = new QPushButton(tr("Pin"), actions);
    pinButton->setObjectName(QStringLiteral("pinButton"));
    pinButton->setToolTip(tr("Keeps this scheme in the plots, to compare others with it."));
    connect(pinButton, &QPushButton::clicked, this, [this] { pin(); });
    right->addLayout(m_pins);
    right->addWidget(buildLayerBox(actions));
    right->addWidget(buildRunMenu(actions));
    right->addWidget(pinButton);
    m_export = new QPushButton(tr("Export…"), actions);
    m_export->setObjectName(QStringLiteral("exportEncoding"));
    m_export->setToolTip(tr("Writes the first plot or map; the others from their own menus."));
    connect(m_export, &QPushButton::clicked, this, &EncodingsPage::exportFigure);
    right->addWidget(m_export);
    return new EncodingsBar(m_view, options, actions, this);
}

QWidget* EncodingsPage::buildPlots() {
    auto* panel = new QWidget(this);
    buildViews();
    m_note->setObjectName(QStringLiteral("previewNote"));
    m_note->setFont(theme::caption());
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setWordWrap(true);
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(theme::kGrid);
    layout->addWidget(buildBar());
    layout->addWidget(m_views, 1);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_note);
    return panel;
}

void EncodingsPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (m_undrawn) draw();
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

void EncodingsPage::describe() {
    m_scheme->setShape(modelShape(m_shape->values()));
    m_about->setText(aboutScheme(m_scheme->scheme(), modelShape(m_shape->values()), palette()));
}

/// Colours of rich text and of the chips are their own, not the palette's.
void EncodingsPage::changeEvent(QEvent* event) {
    Page::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    describe();
    showPins();
}

}  // namespace lw::ui
