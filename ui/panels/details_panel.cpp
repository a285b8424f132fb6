/// See details_panel.h.
#include "ui/panels/details_panel.h"

#include "ui/models/runs_model.h"
#include "ui/plot/number_text.h"
#include "ui/theme.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace lw::ui {

namespace {

/// What a reader wants first: the run, then the head or point that was chosen, then how it was measured.
constexpr const char* kOrder[] = {"run", "head", "cell", "point", "comparison", "protocol"};

constexpr int kShortFact = 14;  // characters
constexpr int kLabelWidth = 98;

std::size_t rankOf(const QString& key) {
    const auto found = std::find_if(std::begin(kOrder), std::end(kOrder), [&](const char* name) { return key == QLatin1String(name); });
    return static_cast<std::size_t>(found - std::begin(kOrder));
}

QLabel* makeLabel(const QString& text, const QFont& font, bool quiet, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setFont(font);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    if (quiet) {
        QPalette palette = label->palette();
        palette.setColor(QPalette::WindowText, theme::secondaryText(palette));
        label->setPalette(palette);
    }
    return label;
}

/// A label that a click or Enter follows.
QLabel* makeLink(const DetailFact& fact, QObject* receiver, QWidget* parent) {
    QLabel* link = makeLabel({}, theme::body(), false, parent);
    link->setTextFormat(Qt::RichText);
    link->setText(QStringLiteral("<a href='#' style='text-decoration: none;'>%1</a>").arg(fact.label.toHtmlEscaped()));
    link->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    link->setAccessibleName(fact.label);
    QObject::connect(link, &QLabel::linkActivated, receiver, [call = fact.call] { call(); });
    return link;
}

QString dot(const QColor& colour) { return QStringLiteral("<span style='color:%1'>●</span> ").arg(colour.name()); }

}  // namespace

DetailsPanel::DetailsPanel(Session* session, QWidget* parent) : QScrollArea(parent), m_session(session) {
    setObjectName(QStringLiteral("detailsPanel"));
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumWidth(216);
    connect(session, &Session::currentRunChanged, this, [this] { describeRun(); });
    connect(session, &Session::runsChanged, this, [this] { describeRun(); });
    connect(session, &Session::detailsRunChanged, this, [this] { describeRun(); });
    connect(session, &Session::detailsChanged, this, [this] {
        // Several sections change at once when a run is chosen; they are laid out once.
        if (std::exchange(m_pending, true)) return;
        QTimer::singleShot(0, this, [this] { rebuild(); });
    });
    describeRun();
    rebuild();
}

QSize DetailsPanel::sizeHint() const { return {264, 400}; }

void DetailsPanel::describeRun() {
    DetailSection section;
    if (const RunEntry* run = m_session->detailsRun()) {
        const lw::Recipe& recipe = run->info.recipe;
        section.title = run->title();
        section.text = QString::fromStdString(lw::scheme_line(recipe.scheme));
        const auto& m = recipe.model;
        section.facts = {
            {tr("Layers × heads"), tr("%1 × %2").arg(m.layers).arg(m.heads), {}},
            {tr("Width"), integerText(m.width), {}},
            {tr("Parameters"), integerText(run->info.parameters), {}},
            {tr("Trained on"), tr("%1, L %2").arg(QString::fromStdString(recipe.data.source), integerText(recipe.training.length)), {}},
            {tr("Steps"), integerText(run->info.step), {}},
            {tr("Seed"), QString::number(recipe.seed), {}},
        };
        if (!run->isTask()) {  // examples of a task have lengths of their own
            const auto tokens = static_cast<double>(run->info.step * recipe.training.batch * recipe.training.accumulation * recipe.training.length);
            section.facts.push_back({tr("Tokens seen"), tr("%1 M").arg(numberText(tokens / 1e6, 1)), {}});
            section.facts.push_back({tr("Validation perplexity"), perplexityText(*run), {}});
        }
        if (run->info.recipe_edited.value_or(false)) section.facts.push_back({tr("Recipe"), tr("changed after training: its weights are not what it says"), {}});
        if (run->info.status == "failed") section.facts.push_back({tr("Failed"), QString::fromStdString(run->info.message), {}});
    }
    m_session->setDetails(QStringLiteral("run"), section);
}

void DetailsPanel::rebuild() {
    m_pending = false;
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(12, theme::kGrid, 12, 12);
    layout->setSpacing(theme::kGrid * 2);
    std::vector<std::pair<QString, DetailSection>> sections(m_session->details().begin(), m_session->details().end());
    std::stable_sort(sections.begin(), sections.end(), [](const auto& a, const auto& b) { return rankOf(a.first) < rankOf(b.first); });
    for (const auto& [key, section] : sections) layout->addWidget(makeSection(section));
    if (sections.empty()) layout->addWidget(makeLabel(tr("What is chosen is described here: a run, a head, a point of a curve."), theme::caption(), true, content));
    layout->addStretch();
    setWidget(content);
}

QWidget* DetailsPanel::makeSection(const DetailSection& section) {
    auto* block = new QWidget(this);
    auto* grid = new QGridLayout(block);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(5);
    grid->setColumnStretch(1, 1);
    int row = 0;
    const auto wide = [&](QWidget* widget) { grid->addWidget(widget, row++, 0, 1, 2); };
    QFont bold = theme::body();
    bold.setWeight(QFont::DemiBold);
    if (!section.heading.isEmpty()) wide(makeLabel(section.heading, theme::caption(), true, block));
    if (!section.title.isEmpty()) wide(makeLabel(section.title, bold, false, block));
    if (!section.text.isEmpty()) wide(makeLabel(section.text, theme::caption(), true, block));
    for (const DetailFact& fact : section.facts) {
        auto* label = fact.call ? makeLink(fact, m_session, block) : makeLabel(fact.label, theme::body(), true, block);
        label->setFixedWidth(kLabelWidth);
        auto* value = makeLabel(fact.value, theme::tabular(), false, block);
        value->setWordWrap(fact.value.size() > kShortFact);  // a number must not break at its commas
        if (fact.mark.isValid()) {
            value->setTextFormat(Qt::RichText);
            value->setText(dot(fact.mark) + fact.value.toHtmlEscaped());
        }
        grid->addWidget(label, row, 0, Qt::AlignTop);
        grid->addWidget(value, row++, 1, Qt::AlignTop);
    }
    for (const DetailAction& action : section.actions) {
        auto* button = new QPushButton(action.label, block);
        connect(button, &QPushButton::clicked, m_session, [call = action.call] {
            if (call) call();
        });
        grid->addWidget(button, row++, 0, 1, 2, Qt::AlignLeft);
    }
    return block;
}

void DetailsPanel::changeEvent(QEvent* event) {
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !std::exchange(m_pending, true)) QTimer::singleShot(0, this, [this] { rebuild(); });
}

}  // namespace lw::ui
