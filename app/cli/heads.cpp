/// heads: locality measures and the class of every head; over lengths and checkpoints, heads that attend alike, dependence on the text.

#include "app/cli/checks.h"
#include "app/cli/curve_runs.h"
#include "app/cli/heads_views.h"
#include "app/cli/idle_options.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "core/api/export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace lw::cli {
namespace {

struct Options {
    AtlasSelection atlas;
    DependenceSelection dependence;
    std::string out;
    std::int64_t query = -1;
    bool similar = false, text_dependence = false;
};

std::string table_text(const std::vector<HeadMeasures>& measures) {
    Table table({"layer", "head", "class", "C", "rho", "lambda", "A", "entropy", "beyond L", "first key"});
    const auto fixed = [](double value) { return std::isnan(value) ? std::string("–") : fmt::format("{:.2f}", value); };
    for (const auto& m : measures) {
        table.add({std::to_string(m.layer), std::to_string(m.head), m.head_class, fixed(m.contrast), fixed(m.rank), fixed(m.locality),
                   fixed(m.adaptivity), fixed(m.entropy), fixed(m.beyond_training), fixed(m.first_key)});
    }
    return table.text();
}

void show_classes(Shell& shell, const Options& options) {
    const auto& atlas = options.atlas;
    auto request = atlas.measure;
    request.of = need(parse_score_part(atlas.of));
    request.query = options.query;
    const auto maps = maps_request(shell, atlas.text);
    const auto measures = need(measure_heads(maps, request, shell.context()));
    const auto run = need(read_run(maps.run));
    // A scheme without bias and adaptive term is measured on its content: the class then says something else.
    const std::string of = score_part_name(measures.front().of);
    const auto texts = measures.front().texts;
    const std::string other = of == atlas.of ? "" : fmt::format(" (this scheme has no {})", atlas.of);
    const auto& documents = measures.front().documents;
    shell.print(fmt::format("Run: {} ({}), L = {}\nMeasured: {}{}, mean over {} text{}\nRead: {}\n\n", run.title, name_of(run), grouped(run.recipe.training.length), of, other, texts,
                            texts == 1 ? "; A needs several" : "s", fmt::join(documents, ", ")));
    shell.print(table_text(measures));
    shell.print("C: far minus near, nats. rho: rank correlation with distance. lambda: locality in [-1, 1]. A: change from text to text.\n"
                "Of the query's attention: entropy in nats, share on keys farther than L, share on the first key.\n");
    save_table(shell, options.out, measures_csv(measures));
    shell.emit({{"of", of}, {"texts", texts}, {"documents", documents}, {"heads", list_json(measures)}});
}

[[noreturn]] void refuse(const std::string& sentence) { throw Failure(ErrorKind::invalid_argument, sentence); }

/// What would else be ignored, or fail deep inside.
void check(const Options& options) {
    if (options.similar && options.text_dependence) refuse("Choose --similar or --text-dependence, not both.");
    if ((options.similar || options.text_dependence) && options.atlas.has_trails()) {
        refuse(fmt::format("{} looks at one length and one checkpoint: give --length and --step in the place of --lengths and --steps.",
                           options.similar ? "--similar" : "--text-dependence"));
    }
    if (options.atlas.text.length.value_or(2) < 2)
        refuse(fmt::format("Heads are measured at 2 tokens or more, not at {}.", *options.atlas.text.length));
}

void run(Shell& shell, const Options& options) {
    check(options);
    if (options.text_dependence) return show_dependence(shell, options.atlas, options.dependence, options.out);
    if (options.similar) return show_similar(shell, options.atlas, options.out);
    if (options.atlas.has_trails()) return show_trails(shell, options.atlas, options.out);
    show_classes(shell, options);
}

/// Which options mean nothing beside which.
void exclude_idle(CLI::App& command) {
    needs(command, {"--layer", "--head", "--places", "--order", "--other-text", "--other-document", "--other-offset", "--heads-out"}, "--text-dependence");
    excludes(command, "--text-dependence", {"--of", "--query", "--queries", "--sequences", "--rank-threshold", "--contrast-threshold", "--peak-threshold"});
    excludes(command, "--similar", {"--of", "--query", "--rank-threshold", "--contrast-threshold", "--peak-threshold"});
    excludes(command, "--query", {"--lengths", "--steps"});
    excludes(command, "--other-text", {"--other-document"});
}

}  // namespace

void add_heads(CLI::App& app, Shell& shell) {
    auto options = std::make_shared<Options>();
    auto* command = shell.command(app, "heads", "Measure each head: local, anti-local, U-shape, hump, sink, spike or flat",
                                  "lengthwise-cli heads dape-kerple --length 512 --out heads.csv");
    add_atlas_options(command, options->atlas);
    command->add_option("--query", options->query, "Query of the table of classes; -1 = the last one")->check(whole_number_check(-1, std::int64_t{1} << 30))->capture_default_str();
    command->add_flag("--similar", options->similar, "Instead: which heads attend alike");
    command->add_flag("--text-dependence", options->text_dependence, "Instead: how far bias + adaptive depend on the text, by a second text");
    add_dependence_options(command, options->dependence);
    command->add_option("-o,--out", options->out, "CSV file")->check(output_check());
    exclude_idle(*command);
    shell.on_run(command, [&shell, options, command] {
        if (!options->similar && !options->atlas.has_trails()) refuse_without(*command, "--lengths, --steps or --similar", {"--queries"});
        // A document is asked for to be looked at, not to be one of sixteen.
        if (!options->atlas.text.text.document.empty() && command->count("--sequences") == 0) options->atlas.measure.sequences = 1;
        run(shell, *options);
    });
}

}  // namespace lw::cli
