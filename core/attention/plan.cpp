/// Choosing an attention path: the first of the list that does not refuse.
#include "core/attention/attention.h"
#include "core/attention/poll.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace lw {

const std::vector<AttentionPath>& attention_paths() {
    static const std::vector<AttentionPath> paths{kFusedCpuPath,  kFusedCpuTrainingPath, kStockPath, kCudaPath,
                                                  kStockBiasPath, kFusedDapePath,        kPlainPath, kRowBlockPath};
    return paths;
}

namespace {

/// Paths that refuse for one reason are named together.
struct Refusal {
    std::string paths, reason;
};

void note(std::vector<Refusal>& refusals, const std::string& path, const std::string& reason) {
    const auto same = std::find_if(refusals.begin(), refusals.end(), [&](const Refusal& refusal) { return refusal.reason == reason; });
    if (same == refusals.end()) refusals.push_back({path, reason});
    else same->paths += " or " + path;
}

std::string refusals_line(const std::vector<Refusal>& refusals) {
    std::string line;
    for (const Refusal& refusal : refusals) line += (line.empty() ? "not " : "; not ") + refusal.paths + ": " + refusal.reason;
    return line;
}

}  // namespace

AttentionPlan plan(const LayerScheme& layer, const AttentionQuestion& question) {
    AttentionPlan result;
    std::vector<Refusal> refusals;
    for (const auto& path : attention_paths()) {
        const auto why_not = path.refusal(layer, question);
        if (why_not.empty()) {
            result.path = &path;
            result.why = std::string(path.id) + (refusals.empty() ? "" : " (" + refusals_line(refusals) + ")");
            return result;
        }
        note(refusals, path.id, why_not);
    }
    TORCH_CHECK(false, "no attention path serves this case");
    return result;
}

bool wants_gradient(const LayerScheme& layer, const AttentionInputs& inputs) {
    if (!at::GradMode::is_enabled()) return false;
    if (inputs.q.requires_grad() || inputs.k.requires_grad() || inputs.v.requires_grad()) return true;
    const auto learns = [](const std::shared_ptr<SlotModule>& slot) {
        const auto parameters = slot ? slot->parameters() : std::vector<at::Tensor>();
        return std::any_of(parameters.begin(), parameters.end(), [](const at::Tensor& parameter) { return parameter.requires_grad(); });
    };
    return learns(layer.bias) || learns(layer.adaptive);
}

AttentionResult attend(const LayerScheme& layer, const AttentionInputs& inputs, bool wants_normaliser) {
    poll();
    AttentionQuestion question;
    question.batch = inputs.q.size(0);
    question.heads = inputs.q.size(1);
    question.queries = inputs.q.size(2);
    question.keys = inputs.k.size(2);
    question.head_width = inputs.q.size(3);
    question.gradient = wants_gradient(layer, inputs);
    question.wants_normaliser = wants_normaliser;
    question.on_gpu = inputs.q.is_cuda();
    question.double_precision = inputs.q.scalar_type() == at::kDouble;
    return plan(layer, question).path->run(layer, inputs, wants_normaliser);
}

}  // namespace lw
