/* Loads the shared object of a plugin, checks its table and makes a system of it. */
#include "config/formulas/makers.h"

#include <dlfcn.h>
#include <fenv.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/open.h"
#include "manylink/plugin.h"

static const char symbol[] = "manylink_plugin";

/* Copies a descriptor, which may have more members than are known here, or fewer: all versions have
 * those up to `tangent`. */
static bool plugin_copy(const struct ml_plugin *plugin, struct ml_plugin *own,
                        struct ml_system_fault *fault)
{
    const size_t least = offsetof(struct ml_plugin, tangent) + sizeof plugin->tangent, most = 4096;
    const size_t shared = plugin->size < sizeof *own ? plugin->size : sizeof *own;
    if (plugin->version != ML_PLUGIN_VERSION)
        return ml_plugin_refuse(fault,
                                "its version is %u but must be %d: set it to ML_PLUGIN_VERSION and "
                                "build the plugin with the plugin.h of this manylink",
                                plugin->version, ML_PLUGIN_VERSION);
    if (plugin->size < least || plugin->size > most)
        return ml_plugin_refuse(
            fault, "its size is %u but must be %zu: set it to sizeof(struct ml_plugin)",
            plugin->size, sizeof *plugin);
    for (size_t i = sizeof *own; i < plugin->size; i++)
        if (((const unsigned char *)plugin)[i] != 0)
            return ml_plugin_refuse(fault, "it has fields that this version of manylink does not "
                                           "know: build it with the plugin.h of this manylink");
    memcpy(own, plugin, shared);
    return true;
}

/* dlopen, with the floating-point mode restored: an object built with -ffast-math would round
 * subnormal numbers to 0 in the whole process.
 */
static void *open_object(const char *path)
{
    fenv_t before;
    (void)fegetenv(&before);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    (void)fesetenv(&before);
    return handle;
}

static bool plugin_load(const char *path, const uint64_t *checksum, struct ml_system_source *out,
                        struct ml_system_fault *fault)
{
    if (!ml_object_file_check(path, &out->checksum, fault->what, sizeof fault->what))
        return false;
    if (checksum && *checksum != out->checksum)
        return ml_plugin_refuse(
            fault,
            "it is not the file that the result was made with: XXH3 (64 bits) %016llx, not %016llx",
            (unsigned long long)out->checksum, (unsigned long long)*checksum);
    out->handle = open_object(path);
    if (!out->handle) {
        const char *why = dlerror();
        return ml_plugin_refuse(fault, "it cannot be loaded: %s", why ? why : path);
    }
    const struct ml_plugin *plugin = dlsym(out->handle, symbol);
    struct ml_plugin *own = out->own = calloc(1, sizeof *own);
    if (!own)
        return ml_plugin_refuse(fault, "out of memory");
    if (!plugin)
        return ml_plugin_refuse(fault,
                                "it has no symbol `%s`: a plugin defines const struct "
                                "ml_plugin %s",
                                symbol, symbol);
    if (!plugin_copy(plugin, own, fault) || !ml_plugin_is_sound(own, fault))
        return false;
    out->name = own->name;
    return true;
}

bool ml_system_source_open(const char *path, const uint64_t *checksum, struct ml_system_source *out,
                           struct ml_system_fault *fault)
{
    *out = (struct ml_system_source){0};
    if (plugin_load(path, checksum, out, fault))
        return true;
    ml_system_source_close(out);
    return false;
}

void ml_system_source_close(struct ml_system_source *source)
{
    if (source->handle) {
        free(source->own);
        (void)dlclose(source->handle);
    }
    *source = (struct ml_system_source){0};
}

const struct ml_quantity ml_energy_records[] = {
    {"energy", "J", "kinetic plus potential energy", {ML_DIM_NONE}},
    {"kinetic_energy", "J", "kinetic energy", {ML_DIM_NONE}},
    {"potential_energy", "J", "potential energy", {ML_DIM_NONE}},
};

const struct ml_param ml_energy_at_start = {
    "energy",
    "J",
    (double)NAN,
    -1e30,
    1e30,
    ML_DERIVED | ML_OF_START,
    "kinetic plus potential energy at the start: one common factor scales the rates to it; where "
    "none can (the potential energy is larger, or all rates are 0) the run ends as "
    "impossible_start"};

enum { N_ENERGY = sizeof ml_energy_records / sizeof *ml_energy_records };

const struct ml_system *ml_system_of_source(struct ml_pool *pool,
                                            const struct ml_system_source *source,
                                            const struct ml_system *like)
{
    const struct ml_plugin *plugin = source->own;
    const int n_energy = plugin->energy ? N_ENERGY : 0, n_record = plugin->n_state + n_energy;
    const bool has_rates = plugin->energy && plugin->terms; /* the second half of the state */
    const int n_param = plugin->n_param + has_rates;
    struct ml_system *system = ml_pool_take(pool, 1, sizeof *system);
    struct ml_param *params = ml_pool_take(pool, (size_t)n_param, sizeof *params);
    struct ml_quantity *records = ml_pool_take(pool, (size_t)n_record, sizeof *records);
    if (!system || !params || !records)
        return NULL;
    for (int i = 0; i < plugin->n_param; i++) {
        const struct ml_plugin_param *own = &plugin->params[i];
        params[i] = (struct ml_param){own->name, own->unit, own->default_value, own->low, own->high,
                                      0,         own->doc};
    }
    if (has_rates)
        params[plugin->n_param] = ml_energy_at_start;
    for (int i = 0; i < plugin->n_state; i++) {
        const struct ml_plugin_quantity *own = &plugin->state[i];
        records[i] = (struct ml_quantity){own->name, own->unit, own->doc, {ML_DIM_NONE}};
    }
    for (int i = 0; i < n_energy; i++)
        records[plugin->n_state + i] = ml_energy_records[i];
    *system = *like;
    system->doc = plugin->doc;
    system->tables.params = params;
    system->tables.n_param = n_param;
    system->tables.records = system->tables.state = records;
    system->tables.n_record = n_record;
    system->tables.n_state = plugin->n_state;
    system->start.first_rate = plugin->n_state / 2;
    system->start.n_rate = has_rates ? plugin->n_state / 2 : 0;
    system->dynamics.has_tangents = plugin->tangent != NULL;
    system->energy.measure = plugin->energy ? like->energy.measure : NULL;
    return system;
}
