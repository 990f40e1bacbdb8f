/* manylink list: systems, forces, integrators and keys for studies. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "manylink/catalogue.h"

enum { COLUMN = 19, WIDE = 24 };

#define ENTRY ((struct ml_catalogue_entry){.size = sizeof(struct ml_catalogue_entry)})
#define QUANTITY ((struct ml_catalogue_quantity){.size = sizeof(struct ml_catalogue_quantity)})
#define KEY ((struct ml_catalogue_key){.size = sizeof(struct ml_catalogue_key)})

static void print_kind(const struct ml_catalogue *c, enum ml_catalogue_kind kind)
{
    struct ml_catalogue_entry entry = ENTRY;
    for (int i = 0; ml_catalogue_entry(c, kind, i, &entry); i++) {
        printf("  %-*s %s", COLUMN, entry.name, entry.description);
        if (entry.tangents)
            printf(" (tangents: %s)", entry.tangents);
        if (kind == ML_CATALOGUE_INTEGRATOR)
            printf(" (order %d)", entry.order);
        printf("\n");
    }
}

/* An indicator with the datasets of /study/summary that it writes, of two segments if there are
 * any; nothing, and false, if it has none of this system. */
static bool print_indicator(const struct ml_catalogue *c,
                            const struct ml_catalogue_entry *indicator, const char *system)
{
    struct ml_catalogue_quantity output = QUANTITY;
    int d = 0;
    for (; ml_catalogue_output(c, indicator->name, system, d, &output); d++) {
        if (d == 0)
            printf("  %-*s %s%s%s\n", COLUMN, indicator->name, indicator->description,
                   indicator->is_on_request ? "; on request: analyse." : "",
                   indicator->is_on_request ? indicator->name : "");
        printf("    %-*s %s [%s]\n", WIDE, output.name, output.description, output.unit);
    }
    return d > 0;
}

static void print_indicators_of(const struct ml_catalogue *c, const char *system)
{
    struct ml_catalogue_entry indicator = ENTRY;
    for (int i = 0; ml_catalogue_entry(c, ML_CATALOGUE_INDICATOR, i, &indicator); i++)
        (void)print_indicator(c, &indicator, system);
}

static void print_quantities_of(const struct ml_catalogue *c, const char *system)
{
    struct ml_catalogue_quantity record = QUANTITY;
    for (int i = 0; ml_catalogue_quantity(c, system, i, &record); i++)
        printf("  %-*s %s [%s]\n", COLUMN, record.name, record.description, record.unit);
}

static void print_quantities(const struct ml_catalogue *c)
{
    struct ml_catalogue_entry system = ENTRY;
    struct ml_catalogue_quantity record = QUANTITY;
    for (int i = 0; ml_catalogue_entry(c, ML_CATALOGUE_SYSTEM, i, &system); i++) {
        if (!ml_catalogue_quantity(c, system.name, 0, &record))
            continue; /* those of formulas are named by the study */
        printf(" of %s%s\n", system.name, system.is_plugin ? ": those of the plugin" : "");
        print_quantities_of(c, system.name);
    }
}

/* As it is of the first system that has it. */
static void print_of_some(const struct ml_catalogue *c, const struct ml_catalogue_entry *indicator)
{
    struct ml_catalogue_entry system = ENTRY;
    for (int i = 0; ml_catalogue_entry(c, ML_CATALOGUE_SYSTEM, i, &system); i++)
        if (print_indicator(c, indicator, system.name))
            return;
}

static void print_indicators(const struct ml_catalogue *c)
{
    struct ml_catalogue_entry indicator = ENTRY;
    for (int i = 0; ml_catalogue_entry(c, ML_CATALOGUE_INDICATOR, i, &indicator); i++)
        print_of_some(c, &indicator);
}

static void list_print_key(const struct ml_catalogue_key *key)
{
    const char *can = !key->is_sweepable ? ""
                      : key->is_vector   ? "  [.x, .y can be swept]"
                                         : "  [can be swept]";
    bool has_unit = strcmp(key->unit, "1") != 0 && *key->unit;
    printf("  %s%s%s%s%s\n      %s%s%s", key->path, *key->owner ? "  (" : "", key->owner,
           *key->owner ? ")" : "", can, key->type, has_unit ? ", " : "", has_unit ? key->unit : "");
    if (*key->default_text)
        printf("; %s%s", strcmp(key->default_text, "required") == 0 ? "" : "default ",
               key->default_text);
    if (*key->range)
        printf("; %s", key->range);
    printf("\n      %s\n", key->description);
}

/* Keys that belong to `owner`, or all for NULL. */
static void print_keys_of(const struct ml_catalogue *c, const char *owner)
{
    struct ml_catalogue_key key = KEY;
    for (int i = 0; ml_catalogue_key(c, i, &key); i++)
        if (!owner || strcmp(owner, key.owner) == 0)
            list_print_key(&key);
}

static void print_systems(const struct ml_catalogue *c)
{
    print_kind(c, ML_CATALOGUE_SYSTEM);
    printf(" classical systems, as formulas\n");
    print_kind(c, ML_CATALOGUE_CLASSIC);
}

static const struct topic {
    const char *name, *title;
    void (*print)(const struct ml_catalogue *catalogue); /* NULL: the entries of `kind` */
    enum ml_catalogue_kind kind;
} topics[] = {
    {"systems", "systems (system.type)", .print = print_systems},
    {"forces", "forces (forces[].type)", .kind = ML_CATALOGUE_FORCE},
    {"signals", "signals: numbers over time, maps in place of a number of a force (type)",
     .kind = ML_CATALOGUE_SIGNAL},
    {"integrators", "integrators (integrator)", .kind = ML_CATALOGUE_INTEGRATOR},
    {"solvers", "solvers (solver)", .kind = ML_CATALOGUE_SOLVER},
    {"indicators", "indicators, and their datasets in /study/summary of a chain",
     .print = print_indicators},
    {"quantities", "quantities (save.trajectory.quantities)", .print = print_quantities},
};

enum { N_TOPIC = sizeof topics / sizeof *topics };

static void list_print_topic(const struct topic *topic, const struct ml_catalogue *c)
{
    if (topic->print)
        topic->print(c);
    else
        print_kind(c, topic->kind);
}

static void list_print_system(const struct ml_catalogue *c, const struct ml_catalogue_entry *system)
{
    printf("%s: %s\ntangents: %s\nkeys\n", system->name, system->description, system->tangents);
    print_keys_of(c, system->name);
    printf("quantities\n");
    print_quantities_of(c, system->name);
    printf("indicators\n");
    print_indicators_of(c, system->name);
}

static bool list_find_entry(const struct ml_catalogue *c, enum ml_catalogue_kind kind,
                            const char *name, struct ml_catalogue_entry *entry)
{
    *entry = ENTRY;
    for (int i = 0; ml_catalogue_entry(c, kind, i, entry); i++)
        if (strcmp(entry->name, name) == 0)
            return true;
    return false;
}

/* One system, force, signal or indicator; false if nothing has that name. */
static bool print_one(const struct ml_catalogue *c, const char *name)
{
    struct ml_catalogue_entry entry;
    if (list_find_entry(c, ML_CATALOGUE_SYSTEM, name, &entry)) {
        list_print_system(c, &entry);
        return true;
    }
    if (list_find_entry(c, ML_CATALOGUE_CLASSIC, name, &entry)) {
        printf("%s: %s\nA system of formulas; `manylink init %s` shows these, and a study of it\n",
               name, entry.description, name);
        return true;
    }
    if (list_find_entry(c, ML_CATALOGUE_FORCE, name, &entry) ||
        list_find_entry(c, ML_CATALOGUE_SIGNAL, name, &entry))
        printf("%s: %s\n", name, entry.description);
    else if (list_find_entry(c, ML_CATALOGUE_INDICATOR, name, &entry))
        print_of_some(c, &entry);
    else
        return false;
    print_keys_of(c, name);
    return true;
}

/* The system of a shared object. */
static int print_plugin(const struct command_line *line, const char *path)
{
    struct ml_catalogue *catalogue;
    struct ml_catalogue_entry system = ENTRY;
    struct ml_error err = {0};
    if (line->no_native)
        return fail_usage(line->command, "%s: native code is refused (--no-native)", path);
    if (ml_catalogue_open(path, &catalogue, &err) != ML_OK)
        return fail_with(&err);
    if (ml_catalogue_entry(catalogue, ML_CATALOGUE_SYSTEM, 0, &system))
        list_print_system(catalogue, &system);
    ml_catalogue_free(catalogue);
    return EXIT_DONE;
}

/* Whether a key is `name` or below it; with `is_last` whether the last word of its path is. */
static bool list_is_named(const struct ml_catalogue_key *key, const char *name, bool is_last)
{
    const size_t length = strlen(name);
    const char *dot = strrchr(key->path, '.'), *last = dot ? dot + 1 : key->path;
    if (is_last)
        return strcmp(last, name) == 0;
    return strncmp(key->path, name, length) == 0 &&
           (key->path[length] == '\0' || strchr(".[", key->path[length]));
}

static bool print_keys_named(const struct ml_catalogue *c, const char *name, bool is_last)
{
    struct ml_catalogue_key key = KEY;
    bool has_found = false;
    for (int i = 0; ml_catalogue_key(c, i, &key); i++)
        if (list_is_named(&key, name, is_last)) {
            has_found = true;
            list_print_key(&key);
        }
    return has_found;
}

/* A key and those below it, "sweep" or "initial.angle"; or every key of that name, wherever. */
static bool print_keys(const struct ml_catalogue *c, const char *name)
{
    return print_keys_named(c, name, false) || print_keys_named(c, name, true);
}

/* Whether an indicator writes a dataset of that name. */
static bool writes(const struct ml_catalogue *c, const char *indicator, const char *system,
                   const char *name)
{
    struct ml_catalogue_quantity output = QUANTITY;
    for (int d = 0; ml_catalogue_output(c, indicator, system, d, &output); d++)
        if (strcmp(output.name, name) == 0)
            return true;
    return false;
}

/* The indicator that writes a dataset of that name, and its keys. */
static bool print_writer(const struct ml_catalogue *c, const char *name)
{
    struct ml_catalogue_entry indicator = ENTRY, system = ENTRY;
    for (int i = 0; ml_catalogue_entry(c, ML_CATALOGUE_INDICATOR, i, &indicator); i++)
        for (int s = 0; ml_catalogue_entry(c, ML_CATALOGUE_SYSTEM, s, &system); s++)
            if (writes(c, indicator.name, system.name, name)) {
                (void)print_indicator(c, &indicator, system.name);
                print_keys_of(c, indicator.name);
                return true;
            }
    return false;
}

/* A quantity of that name, of every system that has it. */
static bool print_quantity(const struct ml_catalogue *c, const char *name)
{
    struct ml_catalogue_entry system = ENTRY;
    struct ml_catalogue_quantity record = QUANTITY;
    bool has_found = false;
    for (int s = 0; ml_catalogue_entry(c, ML_CATALOGUE_SYSTEM, s, &system); s++)
        for (int i = 0; ml_catalogue_quantity(c, system.name, i, &record); i++)
            if (strcmp(record.name, name) == 0) {
                printf("  %s of %s: %s [%s]\n", name, system.name, record.description, record.unit);
                has_found = true;
            }
    return has_found;
}

static bool print_topic(const struct ml_catalogue *c, const char *name)
{
    for (int i = 0; i < N_TOPIC; i++)
        if (strcmp(topics[i].name, name) == 0) {
            list_print_topic(&topics[i], c);
            return true;
        }
    if (strcmp(name, "keys") == 0)
        print_keys_of(c, NULL);
    return strcmp(name, "keys") == 0;
}

static int print_named(const struct command_line *line, const struct ml_catalogue *c,
                       const char *name)
{
    if (print_topic(c, name))
        return EXIT_DONE;
    const bool has_quantity = print_quantity(c, name);
    if (print_one(c, name) || print_writer(c, name) || print_keys(c, name) || has_quantity)
        return EXIT_DONE;
    return fail_usage(line->command, "nothing is called `%s`", name);
}

static void print_all(const struct ml_catalogue *c)
{
    for (int i = 0; i < N_TOPIC; i++) {
        printf("%s%s\n", i > 0 ? "\n" : "", topics[i].title);
        list_print_topic(&topics[i], c);
    }
    printf("\n`manylink list NAME` shows the keys of a system, force, signal or indicator, "
           "`manylink list "
           "keys` all\n");
}

/* A path, or a plugin in the current folder. */
static bool is_plugin(const char *name)
{
    const size_t length = strlen(name);
    return strchr(name, '/') ||
           (length > 3 && strcmp(name + length - 3, ".so") == 0 && access(name, F_OK) == 0);
}

bool list_topic(int i, struct choice *out)
{
    if (i <= N_TOPIC)
        (void)snprintf(out->word, sizeof out->word, "%s", i < N_TOPIC ? topics[i].name : "keys");
    return i <= N_TOPIC;
}

int command_list(const struct command_line *line)
{
    /* `list forces torque` is `list torque` */
    const char *name = line->n_argument > 0 ? line->arguments[line->n_argument - 1] : NULL;
    struct ml_catalogue *catalogue;
    struct ml_error err = {0};
    int code = EXIT_DONE;
    if (name && is_plugin(name))
        return print_plugin(line, name);
    if (ml_catalogue_open(NULL, &catalogue, &err) != ML_OK)
        return fail_with(&err);
    if (name)
        code = print_named(line, catalogue, name);
    else
        print_all(catalogue);
    ml_catalogue_free(catalogue);
    return code;
}
