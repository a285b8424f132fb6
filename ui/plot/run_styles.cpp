/// See run_styles.h.
#include "ui/plot/run_styles.h"

#include "core/api/export.h"
#include "ui/theme.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

#include <optional>

namespace lw::ui {

namespace {

constexpr int kDashes = 4;  // line styles that theme::runPenStyle() goes through
const char* const kFile = "colours.json";
const char* const kStyles = "styles";

/// What runs before had.
struct Taken {
    std::map<std::string, int> byGroup, byScheme;
    std::map<std::filesystem::path, int> byFolder;
    std::set<int> used;

    void add(const lw::RunInfo& run, const std::string& group, int style) {
        byGroup.emplace(group, style);
        byScheme.emplace(lw::scheme_line(run.recipe.scheme), style);
        byFolder.emplace(run.folder, style);
        used.insert(style);
    }
};

template <class Map>
std::optional<int> find(const Map& styles, const typename Map::key_type& key) {
    const auto found = styles.find(key);
    return found == styles.end() ? std::nullopt : std::optional(found->second);
}

/// The same colour with the next dash and marker that is free.
std::optional<int> styleBeside(int base, const std::set<int>& used) {
    const int colours = theme::runColourCount();
    for (int style = base % colours + colours; style < kDashes * colours; style += colours)
        if (!used.contains(style)) return style;
    return std::nullopt;
}

int newStyle(const lw::RunInfo& run, const Taken& taken) {
    std::optional<int> like = run.base.empty() ? std::nullopt : find(taken.byFolder, run.base);
    if (!like) like = find(taken.byScheme, lw::scheme_line(run.recipe.scheme));
    if (like) {
        if (const auto beside = styleBeside(*like, taken.used)) return *beside;
    }
    int free = 0;
    while (taken.used.contains(theme::runStyle(free))) ++free;
    return theme::runStyle(free);
}

std::string methodsOf(const lw::SchemeSpec& scheme) {
    std::string methods;
    for (const auto& [slot, choice] : scheme.slots)
        if (choice.id != "none") methods += slot + "=" + choice.id + ";";
    return methods;
}

}  // namespace

std::string seedGroup(const lw::RunInfo& run) {
    lw::Recipe recipe = run.recipe;
    recipe.seed = 0;
    return lw::recipe_hash(recipe);
}

std::vector<int> stylesOfRuns(const std::vector<lw::RunInfo>& runs, RunStyleMemory& memory) {
    Taken taken;
    std::vector<std::string> groups;
    std::set<std::string> ofDemos;
    for (const lw::RunInfo& run : runs) {
        groups.push_back(seedGroup(run));
        if (run.demo) ofDemos.insert(groups.back());
    }
    // A demo run's style follows from the rule alone, and so does that of its seeds in a workspace: one that is remembered would be taken from both.
    const auto remembers = [&](std::size_t r) { return !ofDemos.contains(groups[r]); };
    const auto rememberedOf = [&](std::size_t r) {
        const auto style = remembers(r) ? find(memory, groups[r]) : std::nullopt;
        return style && *style >= 0 ? style : std::nullopt;
    };
    for (std::size_t r = 0; r < runs.size(); ++r)
        if (const auto style = rememberedOf(r)) taken.used.insert(*style);
    std::set<int> given;
    std::vector<int> styles;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        std::optional<int> style = find(taken.byGroup, groups[r]);
        const auto remembered = rememberedOf(r);
        if (!style && remembered && !given.contains(*remembered)) style = remembered;
        if (!style) style = newStyle(runs[r], taken);
        taken.add(runs[r], groups[r], *style);
        given.insert(*style);
        if (remembers(r)) memory[groups[r]] = *style;
        styles.push_back(*style);
    }
    return styles;
}

RunStyleMemory readRunStyles(const std::filesystem::path& workspace) {
    RunStyleMemory memory;
    QFile file(QString::fromStdString((workspace / kFile).string()));
    if (!file.open(QIODevice::ReadOnly)) return memory;
    const QJsonObject styles = QJsonDocument::fromJson(file.readAll()).object().value(QLatin1String(kStyles)).toObject();
    for (auto style = styles.begin(); style != styles.end(); ++style)
        if (style.value().isDouble()) memory[style.key().toStdString()] = style.value().toInt(-1);
    return memory;
}

lw::Status saveRunStyles(const std::filesystem::path& workspace, const RunStyleMemory& memory) {
    QJsonObject styles;
    for (const auto& [group, style] : memory) styles[QString::fromStdString(group)] = style;
    const QJsonObject document{{QLatin1String(kStyles), styles}};
    return lw::write_text_file(workspace / kFile, QJsonDocument(document).toJson().toStdString());
}

void addSchemeStyle(SchemeStyles& styles, const lw::SchemeSpec& scheme, int style) {
    const auto [known, fresh] = styles.emplace(methodsOf(scheme), style);
    if (!fresh) known->second = std::min(known->second, style);
}

int styleOfScheme(const lw::SchemeSpec& scheme, const SchemeStyles& known, const std::set<int>& taken) {
    auto own = find(known, methodsOf(scheme));
    if (!own) {
        const auto plain = lw::plain_scheme(scheme);
        if (plain.ok()) own = find(known, methodsOf(plain.value()));
    }
    if (own && *own % theme::runColourCount() != 0 && !taken.contains(*own)) return *own;
    int style = 1;
    while (taken.contains(style)) ++style;
    return style;
}

}  // namespace lw::ui
