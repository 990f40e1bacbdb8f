/* Systems, forces, integrators and keys that studies can name, from the registries and the schema.
 */
#include "manylink/catalogue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numeric_env.h"
#include "base/sized.h"
#include "config/formulas/makers.h"
#include "config/schema/schema.h"
#include "engine/kernels/kernels.h"
#include "integrators/method.h"
#include "manylink/fail.h"
#include "manylink/version.h"
#include "model/classics.h"
#include "model/forces/signal.h"
#include "yaml/pool.h"

struct ml_catalogue {
    const struct ml_kernels *kernels;
    const struct ml_system *const *systems; /* NULL-terminated */
    const struct ml_system *own[2];         /* the system of the source, NULL */
    struct ml_system_source source;
    struct ml_catalogue_key *keys; /* [n_key] in the pool, like their texts */
    int n_key, n_room;
    struct ml_pool pool;
};

_Static_assert((int)ML_CATALOGUE_NAME >= (int)ML_MAX_OUTPUT_NAME, "names of outputs fit");

static const char *catalogue_text(struct ml_catalogue *catalogue, const char *text)
{
    return ml_pool_text(&catalogue->pool, text, strlen(text));
}

/* Room for one more key; false without memory. */
static bool catalogue_make_room(struct ml_catalogue *catalogue)
{
    enum { FIRST_ROOM = 512 };
    if (catalogue->n_key < catalogue->n_room)
        return true;
    const int n_room = catalogue->n_room > 0 ? 2 * catalogue->n_room : FIRST_ROOM;
    struct ml_catalogue_key *keys = ml_pool_take(&catalogue->pool, (size_t)n_room, sizeof *keys);
    if (!keys)
        return false;
    if (catalogue->n_key > 0)
        memcpy(keys, catalogue->keys, (size_t)catalogue->n_key * sizeof *keys);
    catalogue->keys = keys;
    catalogue->n_room = n_room;
    return true;
}

static void catalogue_add_key(void *context, const struct ml_schema_entry *entry)
{
    struct ml_catalogue *catalogue = context;
    if (!catalogue_make_room(catalogue))
        return;
    catalogue->keys[catalogue->n_key++] = (struct ml_catalogue_key){
        .path = catalogue_text(catalogue, entry->path),
        .owner =
            catalogue_text(catalogue, catalogue->own[0] ? catalogue->source.name : entry->owner),
        .type = catalogue_text(catalogue, entry->type),
        .unit = catalogue_text(catalogue, entry->unit),
        .default_text = catalogue_text(catalogue, entry->default_value),
        .range = catalogue_text(catalogue, entry->range),
        .description = catalogue_text(catalogue, entry->doc),
        .is_sweepable = entry->is_sweepable,
        .is_vector = entry->is_vector,
    };
}

/* False without memory. */
static bool catalogue_read_keys(struct ml_catalogue *catalogue)
{
    if (catalogue->own[0])
        ml_schema_each_of(&catalogue->pool, catalogue->own[0], catalogue_add_key, catalogue);
    else
        ml_schema_each(&catalogue->pool, catalogue_add_key, catalogue);
    return !catalogue->pool.is_short;
}

/* Makes the system of the shared object at `path`. */
static enum ml_status catalogue_load(struct ml_catalogue *catalogue, const char *path,
                                     struct ml_error *err)
{
    struct ml_system_fault fault;
    int i = 0;
    if (!strchr(path, '/')) { /* not to be looked for on the path of libraries */
        path = ml_pool_format(&catalogue->pool, "./%s", path);
        if (!path)
            return ML_E_MEMORY;
    }
    while (!catalogue->systems[i]->file_key)
        i++;
    if (!ml_system_source_open(path, NULL, &catalogue->source, &fault))
        return ml_fail(err, ML_E_INPUT, "%s: %s", path, fault.what);
    catalogue->own[0] =
        ml_system_of_source(&catalogue->pool, &catalogue->source, catalogue->systems[i]);
    catalogue->systems = catalogue->own;
    return catalogue->own[0] ? ML_OK : ML_E_MEMORY;
}

static enum ml_status catalogue_fill(struct ml_catalogue *catalogue, const char *plugin,
                                     struct ml_error *err)
{
    const struct ml_numeric_env env = ml_numeric_env_set();
    enum ml_status status = plugin ? catalogue_load(catalogue, plugin, err) : ML_OK;
    if (status == ML_OK && !catalogue_read_keys(catalogue))
        status = ML_E_MEMORY;
    ml_numeric_env_restore(&env);
    return status;
}

enum ml_status ml_catalogue_open(const char *plugin, struct ml_catalogue **out,
                                 struct ml_error *err)
{
    struct ml_catalogue *catalogue = calloc(1, sizeof *catalogue);
    *out = NULL;
    if (!catalogue)
        return ML_E_MEMORY;
    catalogue->kernels = ml_kernels_at(0);
    catalogue->systems = catalogue->kernels->registry->systems;
    const enum ml_status status = catalogue_fill(catalogue, plugin, err);
    if (status == ML_OK)
        *out = catalogue;
    else
        ml_catalogue_free(catalogue);
    return status;
}

void ml_catalogue_free(struct ml_catalogue *catalogue)
{
    if (!catalogue)
        return;
    ml_pool_free(&catalogue->pool);
    ml_system_source_close(&catalogue->source);
    free(catalogue);
}

/* The name of system i; a shared object gives its own. */
static const char *catalogue_system_name(const struct ml_catalogue *catalogue, int i)
{
    return catalogue->own[0] ? catalogue->source.name : catalogue->systems[i]->name;
}

static const struct ml_system *catalogue_find_system(const struct ml_catalogue *catalogue,
                                                     const char *name)
{
    for (int i = 0; catalogue->systems[i]; i++)
        if (strcmp(catalogue_system_name(catalogue, i), name) == 0)
            return catalogue->systems[i];
    return NULL;
}

/* How tangent vectors, the small differences of states, are advanced. */
static const char *catalogue_tangents(const struct ml_catalogue *catalogue,
                                      const struct ml_system *system)
{
    if (system->file_key && !catalogue->own[0])
        return "by the plugin";
    return system->dynamics.has_tangents ? "closed form" : "central differences";
}

/* One of an array that ends with NULL; NULL past it. */
#define CATALOGUE_AT(array, i) catalogue_at((const void *const *)(array), i)
static const void *catalogue_at(const void *const *array, int i)
{
    for (int k = 0; k < i; k++)
        if (!array[k])
            return NULL;
    return i >= 0 ? array[i] : NULL;
}

static void catalogue_find_named(const struct ml_catalogue *catalogue, enum ml_catalogue_kind kind,
                                 int i, struct ml_catalogue_entry *out)
{
    const struct ml_force *force;
    const struct ml_method *method;
    const struct ml_indicator *indicator;
    if (kind == ML_CATALOGUE_FORCE &&
        (force = CATALOGUE_AT(catalogue->kernels->registry->forces, i)))
        *out = (struct ml_catalogue_entry){.name = force->name, .description = force->doc};
    if (kind == ML_CATALOGUE_INTEGRATOR && (method = CATALOGUE_AT(ml_methods, i)))
        *out = (struct ml_catalogue_entry){
            .name = method->name, .description = method->doc, .order = method->order};
    if (kind == ML_CATALOGUE_INDICATOR &&
        (indicator = CATALOGUE_AT(catalogue->kernels->registry->indicators, i)))
        *out = (struct ml_catalogue_entry){.name = indicator->name,
                                           .description = indicator->doc,
                                           .is_on_request = indicator->is_on_request};
    if (kind == ML_CATALOGUE_SIGNAL && i >= 0 && i < ML_N_SIGNAL_TYPE - ML_RAMP_SIGNAL)
        out->name = ml_signal_word(ML_RAMP_SIGNAL + i, &out->description);
    for (int k = 0; kind == ML_CATALOGUE_CLASSIC && k <= i && ml_classics[k].name; k++)
        if (k == i)
            *out = (struct ml_catalogue_entry){.name = ml_classics[i].name,
                                               .description = ml_classics[i].lines[0] + 2,
                                               .study = ml_classics[i].lines};
    if (kind == ML_CATALOGUE_SOLVER && i >= 0 && i < ML_N_SOLVER) {
        const struct ml_solver *solver = &catalogue->kernels->solvers[i];
        *out = (struct ml_catalogue_entry){.name = solver->name, .description = solver->doc};
    }
}

int ml_catalogue_entry(const struct ml_catalogue *catalogue, enum ml_catalogue_kind kind, int i,
                       struct ml_catalogue_entry *out)
{
    struct ml_catalogue_entry own = {0};
    const struct ml_system *system;
    if (kind == ML_CATALOGUE_SYSTEM && (system = CATALOGUE_AT(catalogue->systems, i)))
        own = (struct ml_catalogue_entry){.name = catalogue_system_name(catalogue, i),
                                          .description = system->doc,
                                          .tangents = catalogue_tangents(catalogue, system),
                                          .is_plugin = system->file_key != NULL};
    else
        catalogue_find_named(catalogue, kind, i, &own);
    if (own.name)
        ml_sized_write(out, &own, sizeof own);
    return own.name != NULL;
}

int ml_catalogue_quantity(const struct ml_catalogue *catalogue, const char *system_name, int i,
                          struct ml_catalogue_quantity *out)
{
    const struct ml_system *system = catalogue_find_system(catalogue, system_name);
    if (!system || i < 0 || i >= system->tables.n_record)
        return 0;
    const struct ml_quantity *record = &system->tables.records[i];
    struct ml_catalogue_quantity own = {.unit = record->unit, .description = record->doc};
    (void)snprintf(own.name, sizeof own.name, "%s", record->name);
    ml_sized_write(out, &own, sizeof own);
    return 1;
}

/* Describes the i-th dataset of an indicator, which a study of two segments, if there are any, uses
 * as it is by default. */
static bool catalogue_describe(const struct ml_indicator *indicator, const struct ml_system *system,
                               int i, struct ml_output *output)
{
    static const struct ml_observable named = {
        .name = "NAME",
        .unit = "1",
        .doc = "a number that the study gives this name, such as {max: FORMULA}"};
    double *default_values = calloc((size_t)indicator->n_param + 1, sizeof *default_values);
    const struct ml_instance model = {.system = system, .n = 2};
    if (!default_values)
        return false;
    for (int p = 0; p < indicator->n_param; p++)
        default_values[p] = indicator->params[p].default_value;
    struct ml_indicator_use use = {.system = system,
                                   .n = model.n,
                                   .n_x = ml_n_x(&model),
                                   .is_adaptive = true,
                                   .has_friction = true,
                                   .has_controller = true,
                                   .has_sweeps = true,
                                   .has_conditions = system->has_formulas,
                                   .step = 1.0,
                                   .n_step = 1,
                                   .renormalise_every = 1,
                                   .n_differentiated = 1,
                                   .settings = default_values,
                                   .observables = &named,
                                   .n_observable = indicator->takes_observables};
    ml_indicator_sees(indicator, &use);
    if (system->has_formulas) /* which may have them */
        use.n_constraint = indicator->sees_constraints;
    const bool is_there = indicator->output(&use, i, output);
    free(default_values);
    return is_there;
}

int ml_catalogue_output(const struct ml_catalogue *catalogue, const char *indicator,
                        const char *system_name, int i, struct ml_catalogue_quantity *out)
{
    const struct ml_system *system = catalogue_find_system(catalogue, system_name);
    const struct ml_indicator *const *indicators = catalogue->kernels->registry->indicators;
    struct ml_output output;
    int k = 0;
    while (indicators[k] && strcmp(indicators[k]->name, indicator) != 0)
        k++;
    if (i < 0 || !system || !indicators[k] ||
        !catalogue_describe(indicators[k], system, i, &output))
        return 0;
    struct ml_catalogue_quantity own = {.unit = output.unit, .description = output.doc};
    (void)snprintf(own.name, sizeof own.name, "%s", output.name);
    ml_sized_write(out, &own, sizeof own);
    return 1;
}

int ml_catalogue_key(const struct ml_catalogue *catalogue, int i, struct ml_catalogue_key *out)
{
    if (i < 0 || i >= catalogue->n_key)
        return 0;
    ml_sized_write(out, &catalogue->keys[i], sizeof catalogue->keys[i]);
    return 1;
}

const char *ml_version(void) { return ML_VERSION; }

const char *ml_isa(int i)
{
    const struct ml_kernels *kernels = i >= 0 ? ml_kernels_at(i) : NULL;
    return kernels ? kernels->isa : NULL;
}
