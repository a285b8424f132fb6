#pragma once
/// A study of 2 schemes x 2 seeds x 2 lengths that is trained in seconds.

#include "core/api/study_report.h"
#include "tests/core/training/tiny_run.h"

namespace lw {

inline StudySpec small_study(const TinyLaboratory& lab) {
    StudySpec spec;
    spec.name = "Small study";
    const Recipe recipe = lab.recipe();
    spec.schemes = {find_scheme("alibi").value(), find_scheme("kerple-log").value()};
    spec.seeds = {1, 2};
    spec.lengths = {16, 32};
    spec.sizes = {{"", recipe.model, recipe.training}};
    spec.corpora = {recipe.data};
    spec.evaluation.lengths = {32, 64};
    spec.evaluation.documents = 8;
    spec.evaluation.bootstrap = 200;
    return spec;
}

/// One scheme, one seed, one length: what a test of one cell needs.
inline StudySpec one_cell(const TinyLaboratory& lab, const std::string& scheme = "alibi") {
    StudySpec spec = small_study(lab);
    spec.name = "One cell";
    spec.schemes = {find_scheme(scheme).value()};
    spec.seeds = {1};
    spec.lengths = {32};
    return spec;
}

/// Added and worked on; the status afterwards.
inline StudyStatus run_whole(const TinyLaboratory& lab, const StudySpec& spec, const RunContext& context = {}, const StudyHooks& hooks = {}) {
    return run_study(lab.workspace, add_study(lab.workspace, spec).value(), context, hooks).value();
}

}  // namespace lw
