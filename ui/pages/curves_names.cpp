/// Which run is which: by folder, since ids and titles repeat. See curves_data.h.
#include "ui/pages/curves_data.h"

#include "ui/plot/number_text.h"

#include <QCoreApplication>
#include <QSet>

#include <algorithm>
#include <set>

namespace lw::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("CurvesPage", text); }

bool isRun(const CurveRun& run, const std::string& name) { return run.evaluations.string() == name || run.folder.string() == name; }

/// The group under which the laboratory puts a run whose id occurs twice: "" = it has no numbers, nothing = the id says enough.
std::vector<std::optional<std::string>> groupsOfTwins(const CurvesRequest& request) {
    std::vector<std::optional<std::string>> groups(request.runs.size());
    for (std::size_t i = 0; i < request.runs.size(); ++i) {
        const auto same = [&](const CurveRun& other) { return other.id == request.runs[i].id; };
        if (std::count_if(request.runs.begin(), request.runs.end(), same) < 2) continue;
        const auto alone = lw::perplexity_curves({request.runs[i].evaluations}, request.protocol, true);
        groups[i] = alone.ok() && !alone.value().lines.empty() ? alone.value().lines.front().group : std::string();
    }
    return groups;
}

/// What can tell a run from another of its title, in the order of what says most.
QStringList marksOf(const CurveRun& run) {
    return {tr("L = %1").arg(integerText(run.trainLength)), run.source.section(QLatin1Char('/'), -1), run.demo ? tr("demo") : QString(), run.seed > 0 ? tr("seed %1").arg(run.seed) : QString(),
            QString::fromStdString(run.id)};
}

/// Adds the marks that differ within the runs of one title until all names do.
QStringList markedTitles(const std::vector<CurveRun>& runs) {
    std::vector<QStringList> marks;
    QStringList names;
    for (const CurveRun& run : runs) {
        marks.push_back(marksOf(run));
        names << run.title;
    }
    const auto distinct = [](const QStringList& list) { return QSet<QString>(list.begin(), list.end()).size(); };
    for (int m = 0; m < marks.front().size() && distinct(names) < names.size(); ++m) {
        QStringList values;
        for (const QStringList& own : marks) values << own[m];
        for (int i = 0; distinct(values) > 1 && i < names.size(); ++i)
            if (!values[i].isEmpty()) names[i] += QStringLiteral(", ") + values[i];
    }
    return names;
}

}  // namespace

std::vector<std::size_t> runsOfLine(const lw::CurveLine& line, const std::vector<CurveRun>& runs) {
    std::vector<std::size_t> found;
    for (const std::string& name : line.runs) {
        const auto run = std::find_if(runs.begin(), runs.end(), [&](const CurveRun& r) { return isRun(r, name); });
        if (run != runs.end()) found.push_back(static_cast<std::size_t>(run - runs.begin()));
    }
    return found;
}

void nameByFolder(lw::CurveSet& set, const CurvesRequest& request) {
    const auto groups = groupsOfTwins(request);
    std::set<std::size_t> taken;
    for (lw::CurveLine& line : set.lines)
        for (std::string& name : line.runs)
            for (std::size_t i = 0; i < request.runs.size(); ++i) {
                if (request.runs[i].id != name || taken.contains(i) || (groups[i] && *groups[i] != line.group)) continue;
                name = request.runs[i].evaluations.string();
                taken.insert(i);
                break;
            }
}

lw::CurveSet namedById(lw::CurveSet set, const std::vector<CurveRun>& runs) {
    for (lw::CurveLine& line : set.lines)
        for (std::string& name : line.runs) {
            const auto run = std::find_if(runs.begin(), runs.end(), [&](const CurveRun& r) { return isRun(r, name); });
            if (run != runs.end()) name = run->id;
        }
    return set;
}

QStringList distinctTitles(const std::vector<CurveRun>& runs) {
    QStringList titles;
    for (const CurveRun& run : runs) {
        std::vector<CurveRun> same;
        qsizetype own = 0;
        for (const CurveRun& other : runs) {
            if (other.title != run.title) continue;
            if (&other == &run) own = static_cast<qsizetype>(same.size());
            same.push_back(other);
        }
        titles << markedTitles(same)[own];
    }
    return titles;
}

}  // namespace lw::ui
