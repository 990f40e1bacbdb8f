/* manylink list: what a study can be made of, from the registries and the schema. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/messages.h"
#include "config/plugin.h"
#include "config/schema.h"
#include "config/study.h"

enum { COLUMN = 19, WIDE = 24 };

/* How tangent vectors, which tell what small differences become, are advanced. */
static const char *tangents_text(const struct ml_system *system)
{
    if (system->is_from_file && !system->like)
        return "as the file has them";
    return system->has_tangents ? "closed form" : "central differences";
}

static void print_systems(const struct ml_kernels *k)
{
    for (int i = 0; k->systems[i]; i++)
        printf("  %-*s %s (tangents: %s)\n", COLUMN, k->systems[i]->name, k->systems[i]->doc,
               tangents_text(k->systems[i]));
}

static void print_forces(const struct ml_kernels *k)
{
    for (int i = 0; k->forces[i]; i++)
        printf("  %-*s %s\n", COLUMN, k->forces[i]->name, k->forces[i]->doc);
}

static void print_signals(const struct ml_kernels *k)
{
    const char *doc = NULL, *word = NULL;
    (void)k;
    for (int type = ML_RAMP_SIGNAL; (word = ml_signal_word(type, &doc)); type++)
        printf("  %-*s %s\n", COLUMN, word, doc);
}

static void print_integrators(const struct ml_kernels *k)
{
    (void)k;
    for (int i = 0; ml_methods[i]; i++)
        printf("  %-*s %s (order %d)\n", COLUMN, ml_methods[i]->name, ml_methods[i]->doc,
               ml_methods[i]->order);
}

/* An indicator as a study of two segments, if there are any, uses it unless it says more.
 *   presets  [ML_MAX_KEYS] */
static struct ml_indicator_use make_use(const struct ml_indicator *indicator,
                                        const struct ml_system *system, double *presets)
{
    const struct ml_shape shape = {.n = 2};
    for (int p = 0; p < indicator->n_param; p++)
        presets[p] = indicator->params[p].preset;
    struct ml_indicator_use use = {.system = system,
                                   .n = shape.n,
                                   .n_x = system->n_x(&shape),
                                   .is_adaptive = true,
                                   .step = 1.0,
                                   .n_step = 1,
                                   .renormalise_every = 1,
                                   .n_differentiated = 1,
                                   .settings = presets};
    ml_indicator_sees(indicator, &use);
    return use;
}

/* An indicator with the datasets of /study/summary that it writes, of two segments if there are
 * any; nothing, and false, if it has none of this system. */
static bool print_indicator(const struct ml_indicator *indicator, const struct ml_system *system)
{
    double presets[ML_MAX_KEYS];
    const struct ml_indicator_use use = make_use(indicator, system, presets);
    struct ml_output output;
    int d = 0;
    for (; indicator->output(&use, d, &output); d++) {
        if (d == 0)
            printf("  %-*s %s%s%s\n", COLUMN, indicator->name, indicator->doc,
                   indicator->is_on_request ? "; on request: analyse." : "",
                   indicator->is_on_request ? indicator->name : "");
        printf("    %-*s %s [%s]\n", WIDE, output.name, output.doc, output.unit);
    }
    return d > 0;
}

static void print_indicators_of(const struct ml_kernels *k, const struct ml_system *system)
{
    for (int i = 0; k->indicators[i]; i++)
        (void)print_indicator(k->indicators[i], system);
}

static void print_records(const struct ml_kernels *k, const struct ml_system *system)
{
    (void)k;
    for (int i = 0; i < system->n_record; i++)
        printf("  %-*s %s [%s]\n", COLUMN, system->records[i].name, system->records[i].doc,
               system->records[i].unit);
}

static void print_by_system(const struct ml_kernels *k,
                            void (*print)(const struct ml_kernels *, const struct ml_system *))
{
    for (int i = 0; k->systems[i]; i++) {
        printf(" of %s%s\n", k->systems[i]->name,
               k->systems[i]->is_from_file ? ": those of its file" : "");
        print(k, k->systems[i]);
    }
}

/* As it is of the first system that has it. */
static void print_of_some(const struct ml_kernels *k, const struct ml_indicator *indicator)
{
    for (int i = 0; k->systems[i]; i++)
        if (print_indicator(indicator, k->systems[i]))
            return;
}

static void print_indicators(const struct ml_kernels *k)
{
    for (int i = 0; k->indicators[i]; i++)
        print_of_some(k, k->indicators[i]);
}

static void print_quantities(const struct ml_kernels *k) { print_by_system(k, print_records); }

static void print_solvers(const struct ml_kernels *k)
{
    for (int i = 0; i < ML_N_SOLVER; i++)
        printf("  %-*s %s\n", COLUMN, k->solvers[i].name, k->solvers[i].doc);
}

/* Prints keys that belong to `context`, or all for NULL. */
static void print_key(void *context, const struct ml_schema_entry *entry)
{
    const char *owner = context;
    if (owner && strcmp(owner, entry->owner) != 0)
        return;
    const char *can = !entry->is_sweepable ? ""
                      : entry->is_vector   ? "  [.x, .y can be swept]"
                                           : "  [can be swept]";
    bool has_unit = strcmp(entry->unit, "1") != 0 && *entry->unit;
    printf("  %s%s%s%s%s\n      %s%s%s", entry->path, *entry->owner ? "  (" : "", entry->owner,
           *entry->owner ? ")" : "", can, entry->type, has_unit ? ", " : "",
           has_unit ? entry->unit : "");
    if (*entry->preset)
        printf("; %s%s", strcmp(entry->preset, "required") == 0 ? "" : "default ", entry->preset);
    if (*entry->range)
        printf("; %s", entry->range);
    printf("\n      %s\n", entry->doc);
}

static const struct topic {
    const char *name, *title;
    void (*print)(const struct ml_kernels *kernels);
} topics[] = {
    {"systems", "systems (system.type)", print_systems},
    {"forces", "forces (forces[].type)", print_forces},
    {"courses", "signals: numbers over time, maps in place of a number of a force (type)",
     print_signals},
    {"integrators", "integrators (integrator)", print_integrators},
    {"solvers", "solvers (solver)", print_solvers},
    {"indicators", "indicators, and their datasets in /study/summary of a chain", print_indicators},
    {"quantities", "quantities (save.trajectory.quantities)", print_quantities},
};

enum { N_TOPIC = sizeof topics / sizeof *topics };

static void print_system(const struct ml_kernels *k, const struct ml_system *system,
                         const char *name)
{
    printf("%s: %s\ntangents: %s\nkeys\n", name, system->doc, tangents_text(system));
    ml_schema_each_of(system, print_key, NULL);
    printf("quantities\n");
    print_records(k, system);
    printf("indicators\n");
    print_indicators_of(k, system);
}

/* A signal; false if no signal has that name. */
static bool print_signal(const char *name)
{
    const char *doc = NULL, *word = NULL;
    for (int type = ML_RAMP_SIGNAL; (word = ml_signal_word(type, &doc)); type++)
        if (strcmp(word, name) == 0) {
            printf("%s: %s\n", name, doc);
            ml_schema_each(print_key, (void *)name);
            return true;
        }
    return false;
}

/* One system, force, signal or indicator; false if nothing has that name. */
static bool print_one(const struct ml_kernels *k, const char *name)
{
    for (int i = 0; k->systems[i]; i++)
        if (strcmp(k->systems[i]->name, name) == 0) {
            print_system(k, k->systems[i], name);
            return true;
        }
    for (int i = 0; k->forces[i]; i++)
        if (strcmp(k->forces[i]->name, name) == 0) {
            printf("%s: %s\n", name, k->forces[i]->doc);
            ml_schema_each(print_key, (void *)name);
            return true;
        }
    for (int i = 0; k->indicators[i]; i++)
        if (strcmp(k->indicators[i]->name, name) == 0) {
            print_of_some(k, k->indicators[i]);
            ml_schema_each(print_key, (void *)name);
            return true;
        }
    return print_signal(name);
}

/* The system of a shared object. */
static int print_plugin(const struct command_line *line, const struct ml_kernels *k,
                        const char *path)
{
    struct ml_pool pool = {0};
    struct ml_plugin_file file;
    struct ml_plugin_fault fault;
    int i = 0;
    while (!k->systems[i]->is_from_file)
        i++;
    if (line->no_native)
        return fail_usage(line->command, "%s: native code is refused (--no-native)", path);
    if (!ml_plugin_open(path, NULL, &file, &fault))
        return fail_usage(line->command, "%s: %s", path, fault.what);
    const struct ml_system *system = ml_plugin_system(&pool, file.plugin, k->systems[i]);
    if (system)
        print_system(k, system, file.plugin->name);
    else
        fprintf(stderr, "manylink: out of memory\n");
    ml_pool_free(&pool);
    ml_plugin_close(&file);
    return system ? EXIT_DONE : EXIT_FAILED;
}

/* Keys that a name finds; and whether it has found some. */
struct key_search {
    const char *name;
    bool is_last; /* the last word of the path is enough */
    bool has_found;
};

static void print_found(void *context, const struct ml_schema_entry *entry)
{
    struct key_search *search = context;
    const size_t length = strlen(search->name);
    const char *dot = strrchr(entry->path, '.'), *last = dot ? dot + 1 : entry->path;
    const bool is_below = strncmp(entry->path, search->name, length) == 0 &&
                          (entry->path[length] == '\0' || strchr(".[", entry->path[length]));
    if (search->is_last ? strcmp(last, search->name) != 0 : !is_below)
        return;
    search->has_found = true;
    print_key(NULL, entry);
}

/* A key and those below it, "sweep" or "initial.angle"; or every key of that name, wherever. */
static bool print_keys(const char *name)
{
    struct key_search search = {.name = name};
    ml_schema_each(print_found, &search);
    search.is_last = !search.has_found;
    if (search.is_last)
        ml_schema_each(print_found, &search);
    return search.has_found;
}

/* Whether an indicator writes a dataset of that name. */
static bool writes(const struct ml_indicator *indicator, const struct ml_system *system,
                   const char *name)
{
    struct ml_output output;
    double presets[ML_MAX_KEYS];
    const struct ml_indicator_use use = make_use(indicator, system, presets);
    for (int d = 0; indicator->output(&use, d, &output); d++)
        if (strcmp(output.name, name) == 0)
            return true;
    return false;
}

/* The indicator that writes a dataset of that name, and its keys. */
static bool print_writer(const struct ml_kernels *k, const char *name)
{
    for (int i = 0; k->indicators[i]; i++)
        for (int s = 0; k->systems[s]; s++)
            if (writes(k->indicators[i], k->systems[s], name)) {
                (void)print_indicator(k->indicators[i], k->systems[s]);
                ml_schema_each(print_key, (void *)k->indicators[i]->name);
                return true;
            }
    return false;
}

/* A quantity of that name, of every system that has it. */
static bool print_quantity(const struct ml_kernels *k, const char *name)
{
    bool has_found = false;
    for (int s = 0; k->systems[s]; s++) {
        const int i = ml_record(k->systems[s], name);
        if (i >= 0)
            printf("  %s of %s: %s [%s]\n", name, k->systems[s]->name,
                   k->systems[s]->records[i].doc, k->systems[s]->records[i].unit);
        has_found |= i >= 0;
    }
    return has_found;
}

/* A plugin in the current folder. */
static bool is_plugin(const char *name)
{
    const size_t length = strlen(name);
    return length > 3 && strcmp(name + length - 3, ".so") == 0 && access(name, F_OK) == 0;
}

static int print_topic(const struct command_line *line, const char *name)
{
    const struct ml_kernels *k = ml_kernels_at(0);
    if (strcmp(name, "keys") == 0) {
        ml_schema_each(print_key, NULL);
        return EXIT_DONE;
    }
    for (int i = 0; i < N_TOPIC; i++)
        if (strcmp(topics[i].name, name) == 0) {
            topics[i].print(k);
            return EXIT_DONE;
        }
    char here[PATH_MAX];
    (void)snprintf(here, sizeof here, "./%s", name);
    if (strchr(name, '/') || is_plugin(name))
        return print_plugin(line, k, strchr(name, '/') ? name : here);
    const bool has_quantity = print_quantity(k, name);
    if (print_one(k, name) || print_writer(k, name) || print_keys(name) || has_quantity)
        return EXIT_DONE;
    return fail_usage(line->command, "nothing is called `%s`", name);
}

bool list_topic(int i, struct choice *out)
{
    if (i <= N_TOPIC)
        (void)snprintf(out->word, sizeof out->word, "%s", i < N_TOPIC ? topics[i].name : "keys");
    return i <= N_TOPIC;
}

int command_list(const struct command_line *line)
{
    if (line->n_argument > 0) /* `list forces torque` is `list torque` */
        return print_topic(line, line->arguments[line->n_argument - 1]);
    for (int i = 0; i < N_TOPIC; i++) {
        printf("%s%s\n", i > 0 ? "\n" : "", topics[i].title);
        topics[i].print(ml_kernels_at(0));
    }
    printf("\n`manylink list NAME` shows the keys of a system, force, signal or indicator, "
           "`manylink list "
           "keys` all\n");
    return EXIT_DONE;
}
