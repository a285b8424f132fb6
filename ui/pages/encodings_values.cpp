/// The trained values of a run in the plots of the Encodings page, layer by layer.
#include "ui/forms/param_form.h"
#include "ui/forms/scheme_form.h"
#include "ui/pages/encodings_page.h"
#include "ui/plot/number_text.h"
#include "ui/session.h"

#include <QSignalBlocker>
#include <QSpinBox>
#include <QTimer>

#include <algorithm>

namespace lw::ui {

QSpinBox* EncodingsPage::buildLayerBox(QWidget* parent) {
    m_layer = new QSpinBox(parent);
    m_layer->setObjectName(QStringLiteral("trainedLayer"));
    m_layer->setPrefix(tr("layer "));
    m_layer->setToolTip(tr("The layer whose trained values are drawn. Editing the scheme goes back to initial values."));
    m_layer->hide();
    connect(m_layer, &QSpinBox::valueChanged, m_timer, qOverload<>(&QTimer::start));
    connect(m_scheme, &SchemeForm::edited, this, &EncodingsPage::leaveTrained);
    return m_layer;
}

void EncodingsPage::showTrained() {
    const RunEntry* run = session()->currentRun();
    if (run == nullptr || run->info.checkpoints.empty()) return;
    const lw::ModelSpec& model = run->info.recipe.model;
    m_trained = TrainedRun{run->info.folder, session()->step(), run->title(), run->info.recipe.seed};
    m_scheme->setScheme(run->info.recipe.scheme);
    m_shape->setValue("train_length", run->info.recipe.training.length);
    m_shape->setValue("heads", model.heads);
    m_shape->setValue("head_width", model.head_width > 0 ? model.head_width : model.width / std::max<std::int64_t>(1, model.heads));
    const QSignalBlocker quiet(m_layer);
    m_layer->setRange(0, static_cast<int>(model.layers) - 1);
    m_layer->setSuffix(tr(" of 0 – %1").arg(model.layers - 1));
    m_layer->setValue(0);
    m_layer->setVisible(model.layers > 1);
    m_timer->start();
    m_saving->start();
}

void EncodingsPage::leaveTrained() {
    m_trained.reset();
    m_layer->hide();
}

std::function<lw::Result<SchemePreviews>()> EncodingsPage::previewJob(const lw::PreviewRequest& request) const {
    if (!m_trained) return [request] { return previewWithPlain(request); };
    return [request, run = *m_trained, layer = m_layer->value()]() -> lw::Result<SchemePreviews> {
        auto shown = lw::preview_run(run.folder, run.step, layer, request);
        if (!shown.ok()) return shown.error();
        const lw::RunPreview& of = shown.value();
        const QString caption = tr("%1, seed %2, step %3, layer %4 of %5: values").arg(run.title).arg(run.seed).arg(integerText(of.step)).arg(of.layer).arg(of.layers);
        return SchemePreviews{of.preview, std::nullopt, {}, caption};
    };
}

QString EncodingsPage::previewTitle(const lw::PreviewRequest& request) const {
    if (!m_trained) return QString::fromStdString(request.scheme.name);
    return m_layer->isHidden() ? tr("%1, trained").arg(m_trained->title) : tr("%1, layer %2").arg(m_trained->title).arg(m_layer->value());
}

}  // namespace lw::ui
