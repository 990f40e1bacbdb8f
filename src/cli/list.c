/* manylink list: what a study can be made of, from the registries and the schema. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "study/schema.h"

enum { COLUMN = 14, WIDE = 24 };

static void print_systems(const struct ml_kernels *k)
{
    for (int i = 0; k->systems[i]; i++)
        printf("  %-*s %s\n", COLUMN, k->systems[i]->name, k->systems[i]->doc);
}

static void print_forces(const struct ml_kernels *k)
{
    for (int i = 0; k->forces[i]; i++)
        printf("  %-*s %s\n", COLUMN, k->forces[i]->name, k->forces[i]->doc);
}

static void print_integrators(const struct ml_kernels *k)
{
    for (int i = 0; k->integrators[i]; i++)
        printf("  %-*s %s (order %d)\n", COLUMN, k->integrators[i]->name, k->integrators[i]->doc,
               k->integrators[i]->order);
}

/* The datasets of /study/summary that each indicator writes, of two segments of the first system.
 */
static void print_indicators(const struct ml_kernels *k)
{
    const struct ml_shape shape = {.n = 2};
    for (int i = 0; k->indicators[i]; i++) {
        const struct ml_indicator *indicator = k->indicators[i];
        double presets[ML_MAX_KEYS];
        for (int p = 0; p < indicator->n_param; p++)
            presets[p] = indicator->params[p].preset;
        struct ml_indicator_use use = {.system = k->systems[0],
                                       .n = shape.n,
                                       .n_x = k->systems[0]->n_x(&shape),
                                       .step = 1.0,
                                       .n_step = 1,
                                       .renormalise_every = 1,
                                       .settings = presets};
        struct ml_output output;
        printf("  %-*s %s%s%s\n", COLUMN, indicator->name, indicator->doc,
               indicator->is_on_request ? "; if asked for by analyse." : "",
               indicator->is_on_request ? indicator->name : "");
        for (int d = 0; indicator->output(&use, d, &output); d++)
            printf("    %-*s %s [%s]\n", WIDE, output.name, output.doc, output.unit);
    }
}

static void print_solvers(const struct ml_kernels *k)
{
    for (int i = 0; i < ML_N_SOLVER; i++)
        printf("  %-*s %s\n", COLUMN, k->solvers[i].name, k->solvers[i].doc);
}

/* What save.trajectory.quantities may name, for the first system. */
static void print_quantities(const struct ml_kernels *k)
{
    const struct ml_system *system = k->systems[0];
    for (int i = 0; i < system->n_record; i++)
        printf("  %-*s %s [%s]\n", COLUMN + 4, system->records[i].name, system->records[i].doc,
               system->records[i].unit);
}

/* Prints keys that belong to `context`, or all for NULL. */
static void print_key(void *context, const struct ml_schema_entry *entry)
{
    const char *owner = context;
    if (owner && strcmp(owner, entry->owner) != 0)
        return;
    bool has_unit = strcmp(entry->unit, "1") != 0 && *entry->unit;
    printf("  %s%s%s%s%s\n      %s%s%s", entry->path, *entry->owner ? "  (" : "", entry->owner,
           *entry->owner ? ")" : "", entry->is_sweepable ? "  [can be swept]" : "", entry->type,
           has_unit ? ", " : "", has_unit ? entry->unit : "");
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
    {"integrators", "integrators (integrator)", print_integrators},
    {"solvers", "solvers (solver)", print_solvers},
    {"indicators", "indicators (datasets of /study/summary)", print_indicators},
    {"quantities", "quantities (save.trajectory.quantities)", print_quantities},
};

enum { N_TOPIC = sizeof topics / sizeof *topics };

/* Keys of one system, force or indicator; false if there is none of that name. */
static bool print_one(const struct ml_kernels *k, const char *name)
{
    const char *doc = NULL;
    for (int i = 0; k->systems[i]; i++)
        if (strcmp(k->systems[i]->name, name) == 0)
            doc = k->systems[i]->doc;
    for (int i = 0; k->forces[i]; i++)
        if (strcmp(k->forces[i]->name, name) == 0)
            doc = k->forces[i]->doc;
    for (int i = 0; k->indicators[i]; i++)
        if (strcmp(k->indicators[i]->name, name) == 0)
            doc = k->indicators[i]->doc;
    if (!doc)
        return false;
    printf("%s: %s\n", name, doc);
    ml_schema_each(print_key, (void *)name);
    return true;
}

static int print_topic(const struct command *self, const char *name)
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
    if (print_one(k, name))
        return EXIT_DONE;
    return fail_usage(self, "nothing is called `%s`", name);
}

static int run(const struct command *self, int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
    for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;)
        return c == 'h' ? show_help(self) : fail_usage(self, "that option is not known");
    if (optind < argc) /* `list forces torque` is `list torque` */
        return print_topic(self, argv[argc - 1]);
    for (int i = 0; i < N_TOPIC; i++) {
        printf("%s%s\n", i > 0 ? "\n" : "", topics[i].title);
        topics[i].print(ml_kernels_at(0));
    }
    printf("\n`manylink list NAME` shows the keys of a system, force or indicator, `manylink list "
           "keys` all\n");
    return EXIT_DONE;
}

const struct command command_list = {
    .name = "list",
    .arguments = "[systems|forces|...|keys|NAME]",
    .doc = "say what a study can be made of",
    .options = "  topics: systems, forces, integrators, solvers, indicators, quantities, keys,\n"
               "  or the name of a system, force or indicator for its keys\n",
    .run = run,
};
