/// Evaluating runs. Runs that come with the program are read-only: a folder of the person's own links to their files and keeps the
/// evaluations, so that every verb reads it like a run, and nothing is lost at the end of the program.
#include "core/api/doctor.h"
#include "ui/jobs/mailbox.h"
#include "ui/session.h"

#include <fstream>
#include <iterator>

namespace lw::ui {

namespace {

namespace fs = std::filesystem;

fs::path ownFolder(const fs::path& demo) { return lw::data_folder() / "evaluations" / demo.filename(); }

std::string contents(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// A newer program may bring other weights under the same name; numbers of the old ones must not stand beside them.
bool belongs(const fs::path& own, const fs::path& demo) {
    std::error_code absent;
    return fs::is_directory(own, absent) && contents(own / "run.json") == contents(demo / "run.json");
}

void linkOrCopy(const fs::directory_entry& entry, const fs::path& target) {
    std::error_code refused;
    if (entry.is_directory() && entry.path().filename() != "evaluations") fs::create_directory_symlink(fs::absolute(entry.path()), target, refused);
    else refused = std::make_error_code(std::errc::not_supported);
    if (refused) fs::copy(entry.path(), target, fs::copy_options::recursive);
}

fs::path makeOwnFolder(const fs::path& demo) {
    const fs::path own = ownFolder(demo);
    const bool there = belongs(own, demo);
    if (!there) fs::remove_all(own);
    fs::create_directories(own);
    std::error_code absent;
    for (const auto& entry : fs::directory_iterator(demo, absent)) {
        const fs::path target = own / entry.path().filename();
        if (entry.path().filename() == "run.json" || fs::exists(target)) continue;
        fs::remove(target);  // a link that leads nowhere since the program was moved
        linkOrCopy(entry, target);
    }
    // Last: it marks the folder as whole.
    if (!there && fs::exists(demo / "run.json")) fs::copy_file(demo / "run.json", own / "run.json");
    return own;
}

}  // namespace

void Session::findEvaluations(RunEntry& run) const {
    run.evaluationFolder = run.info.folder;
    for (const std::string& file : run.info.evaluations) run.protocols << QString::fromStdString(fs::path(file).stem().string());
    if (!run.info.demo || !belongs(ownFolder(run.info.folder), run.info.folder)) return;
    run.evaluationFolder = ownFolder(run.info.folder);
    std::error_code absent;
    for (const auto& entry : fs::directory_iterator(run.evaluationFolder / "evaluations", absent)) {
        const QString protocol = QString::fromStdString(entry.path().stem().string());
        if (!run.protocols.contains(protocol)) run.protocols << protocol;
    }
}

void Session::evaluateRuns(const QStringList& keys, const std::optional<lw::EvaluationSpec>& spec) {
    QStringList tasks;
    for (const QString& key : keys) {
        const RunEntry* run = findRun(key);
        if (run == nullptr) continue;
        if (run->isTask()) tasks << run->title();
        else evaluateFolder(run->info.folder, run->title(), spec.value_or(lw::evaluation_spec(run->info.recipe)));
    }
    if (tasks.size() == 1) notice(tr("%1 was trained on a task and is measured on the Tasks page.").arg(tasks.front()));
    if (tasks.size() > 1) notice(tr("%1 runs were trained on tasks and are measured on the Tasks page.").arg(tasks.size()));
}

namespace {

struct Extended {
    lw::RunInfo run;
    bool measured = false;  // made before, and its evaluation is complete
};

/// What was made before is not made again, as on the command line.
lw::Result<Extended> extendOnce(const fs::path& run, const lw::SchemeSpec& extension, const fs::path& workspace) {
    auto before = lw::find_extended_run(run, extension, workspace);
    if (!before.ok()) return before.error();
    if (before.value()) {
        const auto evaluations = lw::read_evaluations(before.value()->folder);
        const auto& protocol = before.value()->recipe.evaluation.protocol;
        const auto complete = [&](const lw::Evaluation& evaluation) { return evaluation.complete && evaluation.protocol.protocol == protocol; };
        const bool measured = evaluations.ok() && std::any_of(evaluations.value().begin(), evaluations.value().end(), complete);
        return Extended{*std::move(before).value(), measured};
    }
    auto made = lw::extend_run(run, extension, workspace);
    if (!made.ok()) return made.error();
    return Extended{std::move(made).value(), false};
}

}  // namespace

void Session::extendRun(const RunEntry& run, const lw::SchemeSpec& extension) {
    const QString title = tr("Extending %1").arg(run.title());
    m_compute->enqueue<Extended>(
        title, [folder = run.info.folder, extension, workspace = m_workspace](const lw::RunContext&) { return extendOnce(folder, extension, workspace); }, this,
        [this, title, base = run.title(), baseKey = run.key](lw::Result<Extended> extended) {
            if (!extended.ok()) return report(extended.error(), title);
            const lw::RunInfo& made = extended.value().run;
            setShown(baseKey, true);  // the two are looked at side by side
            reloadRuns(QString::fromStdString(made.folder.string()));
            if (extended.value().measured) return notice(tr("%1 was made and evaluated before.").arg(QString::fromStdString(made.title)));
            const JobId evaluation = evaluateFolder(made.folder, QString::fromStdString(made.title), lw::evaluation_spec(made.recipe));
            offerUndo(made, baseKey, base, evaluation);
        });
}

/// Deleting waits in the queue behind the evaluation, which is stopped first: nothing is written into a folder that is gone.
void Session::offerUndo(const lw::RunInfo& made, const QString& baseKey, const QString& baseTitle, JobId evaluation) {
    const QString name = QString::fromStdString(made.title), title = tr("Deleting %1").arg(name);
    const auto undo = [this, title, baseKey, evaluation, folder = made.folder] {
        forgetRun(folder);
        m_compute->cancel(evaluation);
        m_compute->enqueue<lw::Nothing>(title, [folder](const lw::RunContext&) { return lw::delete_run(folder); }, this, [this, title, baseKey](lw::Status status) {
            if (!status.ok()) report(status.error(), title);
            reloadRuns(baseKey);
        });
    };
    offer({tr("%1 uses the weights of %2 and is being evaluated.").arg(name, baseTitle), tr("Undo"), undo, {}});
}

JobId Session::evaluateFolder(const fs::path& folder, const QString& name, const lw::EvaluationSpec& spec) {
    const QString key = QString::fromStdString(folder.string());
    const FreshKey fresh{key, spec.protocol};
    const RunEntry* run = findRun(key);
    const bool demo = run != nullptr && run->info.demo;
    const QString title = tr("Evaluating %1").arg(name);
    auto box = Mailbox<lw::Evaluation>::create(m_compute.get(), this, [this, fresh](const lw::Evaluation& evaluation) {
        m_fresh[fresh] = evaluation;
        Q_EMIT evaluationChanged(fresh.first);
    });
    return m_compute->enqueue<lw::Evaluation>(
        title,
        [folder, demo, spec, box](const lw::RunContext& context) {
            return lw::evaluate(demo ? makeOwnFolder(folder) : folder, spec, -1, context, [&](const lw::Evaluation& soFar) { box->put(soFar); });
        },
        this,
        [this, fresh, title, box](lw::Result<lw::Evaluation> evaluation) {
            box->flush();  // a point that still waits there must not come after the end
            m_fresh.erase(fresh);
            if (!evaluation.ok()) report(evaluation.error(), title);
            reloadRuns();
            Q_EMIT evaluationChanged(fresh.first);
        });
}

}  // namespace lw::ui
