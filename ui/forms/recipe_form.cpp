/// See recipe_form.h.
#include "ui/forms/recipe_form.h"

#include "ui/forms/data_form.h"
#include "ui/forms/elided_combo.h"
#include "ui/forms/param_form.h"
#include "ui/forms/scheme_form.h"
#include "ui/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include <array>

namespace lw::ui {

namespace {

struct Size {
    const char* name;
    std::int64_t layers, heads, width;
};
constexpr std::array<Size, 3> kSizes = {{{QT_TRANSLATE_NOOP("RecipeForm", "Tiny: 2 layers, width 64"), 2, 4, 64},
                                         {QT_TRANSLATE_NOOP("RecipeForm", "Small: 4 layers, width 128"), 4, 8, 128},
                                         {QT_TRANSLATE_NOOP("RecipeForm", "Medium: 6 layers, width 256"), 6, 8, 256}}};

/// How much one run is worth: for a first look, or as the form begins.
struct Effort {
    const char* name;
    Size size;
    std::int64_t batch, steps;
};
const lw::ModelSpec kUsualModel;
const lw::TrainingSpec kUsualTraining;
const std::array<Effort, 2> kEfforts = {{{QT_TRANSLATE_NOOP("RecipeForm", "Small (a minute)"), kSizes[0], 16, 300},
                                         {QT_TRANSLATE_NOOP("RecipeForm", "Usual"), {"", kUsualModel.layers, kUsualModel.heads, kUsualModel.width}, kUsualTraining.batch, kUsualTraining.steps}}};

struct Bounds {
    double min, max, step;
    bool logarithmic;
};

lw::ParamSpec number(const char* id, const QString& label, lw::ParamValue value, Bounds bounds, const QString& help) {
    lw::ParamSpec spec;
    spec.id = id;
    spec.label = label.toStdString();
    spec.help = help.toStdString();
    spec.type = std::holds_alternative<double>(value) ? lw::ParamType::real : lw::ParamType::integer;
    spec.default_value = std::move(value);
    spec.min = bounds.min;
    spec.max = bounds.max;
    spec.step = bounds.step;
    spec.logarithmic = bounds.logarithmic;
    return spec;
}

std::vector<lw::ParamSpec> modelSpecs() {
    const lw::ModelSpec m;
    return {number("layers", RecipeForm::tr("Layers"), m.layers, {1, 24, 1, false}, RecipeForm::tr("Blocks of attention and feed-forward.")),
            number("heads", RecipeForm::tr("Heads"), m.heads, {1, 32, 1, false}, RecipeForm::tr("Attention heads per layer; the width must be a multiple of it.")),
            number("width", RecipeForm::tr("Width"), m.width, {16, 1024, 16, false}, RecipeForm::tr("Channels of the residual stream."))};
}

std::vector<lw::ParamSpec> trainingSpecs() {
    const lw::TrainingSpec t;
    return {number("length", RecipeForm::tr("Training length L"), t.length, {16, 4096, 16, true}, RecipeForm::tr("Tokens per sequence. Everything beyond it is extrapolation.")),
            number("batch", RecipeForm::tr("Batch"), t.batch, {1, 512, 1, true}, RecipeForm::tr("Sequences per step.")),
            number("steps", RecipeForm::tr("Steps"), t.steps, {10, 200000, 10, true}, RecipeForm::tr("Updates of the weights.")),
            number("peak_rate", RecipeForm::tr("Peak rate"), t.peak_rate, {1e-5, 1e-1, 0, true}, RecipeForm::tr("Largest learning rate, after the warm-up; a cosine brings it down again.")),
            number("seed", RecipeForm::tr("Seed"), std::int64_t{1}, {0, 9999, 1, false}, RecipeForm::tr("Of initial weights and the order of the data. Several seeds of one recipe form one curve with a band."))};
}

bool sameSize(const lw::Params& now, const Size& size) { return paramInteger(now, "layers") == size.layers && paramInteger(now, "heads") == size.heads && paramInteger(now, "width") == size.width; }

QLabel* heading(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    QFont font = theme::body();
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    return label;
}

QHBoxLayout* labelled(const QString& text, QWidget* input, QWidget* parent) {
    auto* line = new QHBoxLayout;
    auto* label = new QLabel(text, parent);
    label->setFixedWidth(theme::kLabelWidth);
    line->setSpacing(0);
    line->addWidget(label);
    line->addSpacing(theme::kGrid);
    line->addWidget(input, 1);
    line->addSpacing(theme::kResetWidth);
    return line;
}

}  // namespace

RecipeForm::RecipeForm(Session* session, QWidget* parent)
    : QWidget(parent), m_name(new QLineEdit(this)), m_scheme(new SchemeForm(this)), m_data(new DataForm(session, this)), m_effort(new ElidedCombo(this)), m_size(new ElidedCombo(this)),
      m_model(new ParamForm(this)), m_training(new ParamForm(this)) {
    m_name->setObjectName(QStringLiteral("runName"));
    m_name->setPlaceholderText(tr("the scheme's name"));
    m_size->setObjectName(QStringLiteral("sizeCombo"));
    m_size->setAccessibleName(tr("Size"));
    m_effort->setObjectName(QStringLiteral("effortCombo"));
    m_effort->setAccessibleName(tr("Effort"));
    m_effort->setToolTip(tr("Sets the size of the model, the batch and the steps below."));
    for (const Effort& effort : kEfforts) m_effort->addItem(tr(effort.name));
    m_effort->addItem(tr("Own"));
    for (const Size& size : kSizes) m_size->addItem(tr(size.name));
    m_size->addItem(tr("Own size"));
    m_model->setSpecs(modelSpecs());
    m_training->setSpecs(trainingSpecs());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 4, 16);
    layout->setSpacing(theme::kGrid);
    const auto section = [&](const QString& title) {
        layout->addSpacing(theme::kGrid);
        layout->addWidget(heading(title, this));
    };
    layout->addLayout(labelled(tr("Name"), m_name, this));
    layout->addLayout(labelled(tr("Effort"), m_effort, this));
    section(tr("Position"));
    layout->addWidget(m_scheme);
    section(tr("Data"));
    layout->addWidget(m_data);
    section(tr("Model"));
    layout->addLayout(labelled(tr("Size"), m_size, this));
    layout->addWidget(m_model);
    section(tr("Training"));
    layout->addWidget(m_training);
    layout->addStretch();
    showSize();
    showLengths();

    connect(m_effort, &QComboBox::activated, this, [this](int index) { chooseEffort(index); });
    connect(m_size, &QComboBox::activated, this, [this](int index) { chooseSize(index); });
    connect(m_model, &ParamForm::edited, this, [this] {
        showSize();
        Q_EMIT edited();
    });
    connect(m_name, &QLineEdit::textEdited, this, &RecipeForm::edited);
    m_scheme->follow(session);
    connect(m_scheme, &SchemeForm::edited, this, &RecipeForm::edited);
    connect(m_data, &DataForm::edited, this, &RecipeForm::edited);
    connect(m_training, &ParamForm::edited, this, [this] {
        showSize();
        showLengths();
        Q_EMIT edited();
    });
}

void RecipeForm::chooseSize(int index) {
    if (index < 0 || index >= static_cast<int>(kSizes.size())) return showSize();
    const Size& size = kSizes[static_cast<std::size_t>(index)];
    m_model->setValues({{"layers", size.layers}, {"heads", size.heads}, {"width", size.width}});
    showSize();
    Q_EMIT edited();
}

void RecipeForm::chooseEffort(int index) {
    if (index < 0 || index >= static_cast<int>(kEfforts.size())) return showSize();
    const Effort& effort = kEfforts[static_cast<std::size_t>(index)];
    m_model->setValues({{"layers", effort.size.layers}, {"heads", effort.size.heads}, {"width", effort.size.width}});
    m_training->setValues({{"batch", effort.batch}, {"steps", effort.steps}});
    showSize();
    Q_EMIT edited();
}

void RecipeForm::showSize() {
    const lw::Params& now = m_model->values();
    int index = static_cast<int>(kSizes.size());
    for (std::size_t s = 0; s < kSizes.size(); ++s)
        if (sameSize(now, kSizes[s])) index = static_cast<int>(s);
    m_size->setCurrentIndex(index);
    const lw::Params& training = m_training->values();
    int effort = static_cast<int>(kEfforts.size());
    for (std::size_t e = 0; e < kEfforts.size(); ++e)
        if (sameSize(now, kEfforts[e].size) && paramInteger(training, "batch") == kEfforts[e].batch && paramInteger(training, "steps") == kEfforts[e].steps) effort = static_cast<int>(e);
    m_effort->setCurrentIndex(effort);
}

lw::Recipe RecipeForm::recipe() const {
    lw::Recipe recipe = m_base;
    recipe.name = m_name->text().trimmed().toStdString();
    recipe.scheme = m_scheme->scheme();
    recipe.data = m_data->data();
    const lw::Params& model = m_model->values();
    if (paramInteger(model, "heads") != recipe.model.heads || paramInteger(model, "width") != recipe.model.width) {
        recipe.model.kv_heads = recipe.model.head_width = recipe.model.ffn_width = 0;  // derived from heads and width again
    }
    if (recipe.data.source != m_base.data.source || recipe.data.vocabulary != m_base.data.vocabulary || recipe.data.tokenizer != m_base.data.tokenizer)
        recipe.model.vocabulary = 0;
    recipe.model.layers = paramInteger(model, "layers");
    recipe.model.heads = paramInteger(model, "heads");
    recipe.model.width = paramInteger(model, "width");
    const lw::Params& training = m_training->values();
    if (paramInteger(training, "length") != recipe.training.length) recipe.evaluation.lengths.clear();
    recipe.training.length = paramInteger(training, "length");
    recipe.training.batch = paramInteger(training, "batch");
    recipe.training.steps = paramInteger(training, "steps");
    recipe.training.peak_rate = paramReal(training, "peak_rate");
    recipe.seed = static_cast<std::uint64_t>(paramInteger(training, "seed"));
    return recipe;
}

void RecipeForm::setRecipe(const lw::Recipe& recipe) {
    m_base = recipe;
    m_name->setText(QString::fromStdString(recipe.name == recipe.scheme.name ? std::string() : recipe.name));
    m_scheme->setScheme(recipe.scheme);
    m_data->setData(recipe.data);
    m_model->setValues({{"layers", recipe.model.layers}, {"heads", recipe.model.heads}, {"width", recipe.model.width}});
    m_training->setValues({{"length", recipe.training.length},
                           {"batch", recipe.training.batch},
                           {"steps", recipe.training.steps},
                           {"peak_rate", recipe.training.peak_rate},
                           {"seed", static_cast<std::int64_t>(recipe.seed)}});
    showSize();
    showLengths();
    Q_EMIT edited();
}

/// What follows L is known here; what follows the text's length is not.
void RecipeForm::showLengths() {
    lw::ModelShape shape;
    shape.train_length = paramInteger(m_training->values(), "length");
    shape.length = 0;
    m_scheme->setShape(shape);
}

QString RecipeForm::problem() const {
    if (!m_scheme->valid()) return m_scheme->error();
    return m_data->problem();
}

}  // namespace lw::ui
