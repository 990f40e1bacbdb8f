/* The system of a study: its numbers, its segments by name, and its initial state. */
#include <errno.h>
#include <string.h>

#include "config/formulas/define.h"
#include "config/formulas/formulas.h"
#include "config/sections/sections.h"
#include "yaml/pool.h"

const char *ml_read_path(struct ml_reader *r, const char *file)
{
    const char *study = r->spec->name, *slash = strrchr(study, '/');
    if (file[0] == '/')
        return file;
    return slash ? ml_pool_format(r->pool, "%.*s/%s", (int)(slash - study), study, file)
                 : ml_pool_format(r->pool, "./%s", file);
}

/* The system that its source makes of `like`; NULL after telling, or without memory. */
static const struct ml_system *read_source(struct ml_reader *r, const struct ml_node *node,
                                           const struct ml_system *like)
{
    struct ml_system_fault fault;
    struct ml_study_spec *spec = r->spec;
    const char *key = like->file_key, *why;
    const struct ml_node *given = ml_node_find(node, key);
    const struct ml_keys keys = ml_schema_keys(r->pool, ML_SCOPE_SYSTEM, like, NULL);
    if (!given)
        ml_read_missing(r, node, ml_keys_find(&keys, key));
    const char *text = given ? ml_read_text(r, given, key, "the path of a shared object") : NULL;
    const char *named = text ? ml_read_path(r, text) : NULL;
    if (!named)
        return NULL;
    const char *path = ml_native_choose(&r->native, text, named, &why);
    if (!path || !ml_system_source_open(path, r->native.is_of_result ? &r->native.checksum : NULL,
                                        &spec->source, &fault)) {
        ml_problem(&r->problems, given->location, "%s is %s: %s", key, ml_quote(r->pool, text),
                   path ? fault.what : why);
        return NULL;
    }
    spec->source.text = ml_pool_text(spec->pool, text, strlen(text));
    spec->model.own = spec->source.own;
    return ml_system_of_source(spec->pool, &spec->source, like);
}

/* The C text that the key `source` names; without for a result, which is only looked at. */
static void read_code(struct ml_reader *r, const struct ml_node *node)
{
    enum { MOST_BYTES = 1 << 20 };
    struct ml_system_source *source = &r->spec->source;
    size_t length = 0;
    if (!source->code_file || r->native.is_of_result)
        return;
    const char *path = ml_read_path(r, source->code_file);
    source->code = path ? ml_file_read(r->spec->pool, path, MOST_BYTES, &length) : NULL;
    if (!source->code)
        ml_problem(&r->problems, ml_read_location(node, "source"), "source is %s: %s",
                   ml_quote(r->pool, source->code_file), strerror(errno));
}

void ml_read_system(struct ml_reader *r, const struct ml_node *node)
{
    int type = ml_read_word(r, node, ML_SCOPE_SYSTEM, "type");
    if (type < 0)
        return;
    r->system = r->spec->registry->systems[type];
    if (r->system->file_key)
        r->system = read_source(r, node, r->system);
    else if (r->system->has_formulas)
        r->system = ml_read_equations(r, node, r->system);
    if (!r->system)
        return;
    r->spec->model.system = r->system;
    if (r->system->tables.arrays) {
        ml_read_arrays(r, node);
        return;
    }
    const struct ml_keys keys = ml_schema_keys(r->pool, ML_SCOPE_SYSTEM, r->system, NULL);
    double *numbers = ml_pool_take(r->pool, (size_t)r->system->tables.n_param + 1, sizeof *numbers);
    if (!numbers)
        return;
    ml_read_map(r, node, &keys, r->spec, numbers);
    ml_read_groups(r, node, &keys, r->spec, numbers);
    read_code(r, node);
    ml_read_segments(r, node);
    if (!r->has_segments)
        return;
    ml_define_copy(r->define, r->base, numbers, r->system->tables.n_param);
    for (int i = 0; r->system->has_formulas && i < r->system->tables.n_param; i++)
        if (!ml_node_find(node, r->system->tables.params[i].name)) /* given below `parameters` */
            ml_define_copy(r->define, &r->base[i], &r->system->tables.params[i].default_value, 1);
}

static void read_quantity(struct ml_reader *r, const struct ml_node *node,
                          const struct ml_quantity *quantity, double *values)
{
    struct ml_param param = ml_quantity_param(quantity);
    if (ml_dim_is_named(quantity->dim[0]))
        ml_read_by_segment(r, node, &param, values);
    else
        (void)ml_read_number(r, node, &param, &values[0]);
}

void ml_read_initial(struct ml_reader *r, const struct ml_node *node)
{
    if (!r->has_segments)
        return;
    const struct ml_keys keys = ml_schema_keys(r->pool, ML_SCOPE_INITIAL, r->system, NULL);
    ml_read_map(r, node, &keys, NULL, r->base + ml_slot_param(0));
    for (int i = 0; i < r->system->tables.n_state; i++) {
        const struct ml_quantity *quantity = &r->system->tables.state[i];
        const struct ml_node *given = ml_node_find(node, quantity->name);
        double *values = r->base + ml_slot_initial(&r->spec->model, i, 0);
        if (quantity->defaults)
            ml_define_copy(r->define, values, quantity->defaults, r->spec->model.n);
        if (given)
            read_quantity(r, given, quantity, values);
        else if (!ml_dim_is_named(quantity->dim[0]))
            ml_define_copy(r->define, values, &quantity->default_value, 1);
    }
}
