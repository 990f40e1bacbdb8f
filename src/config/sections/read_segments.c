/* The segments of a study: written one by one, repeated, or parts of a body. */
#include <math.h>
#include <string.h>

#include "config/formulas/define.h"
#include "config/sections/sections.h"

bool ml_read_make_base(struct ml_reader *r, int n)
{
    struct ml_study_spec *spec = r->spec;
    spec->model.n = n;
    r->base = ml_pool_take(r->pool, (size_t)ml_slot_forces(&spec->model), sizeof *r->base);
    spec->segment_names = ml_system_part(r->system, n)
                              ? ml_pool_take(spec->pool, (size_t)n, sizeof *spec->segment_names)
                              : NULL;
    r->has_segments = r->base && (spec->segment_names || !ml_system_part(r->system, n));
    return r->has_segments;
}

void ml_read_set_name(struct ml_reader *r, int i, const char *name)
{
    struct ml_pool *pool = r->spec->pool;
    r->spec->segment_names[i] =
        name ? ml_pool_text(pool, name, strlen(name)) : ml_pool_format(pool, "%d", i + 1);
    if (!r->spec->segment_names[i])
        r->has_segments = false;
}

/* Keys of a segment that is no part of a body. */
static struct ml_keys find_keys(const struct ml_reader *r, enum ml_scope scope)
{
    const struct ml_keys keys = ml_schema_keys(r->pool, scope, r->system, NULL);
    for (int i = 0; i < keys.n; i++)
        if (keys.row[i].param.flags & ML_OF_BODY)
            keys.row[i].param.flags |= ML_REQUIRED;
    return keys;
}

static void read_segments_read_list(struct ml_reader *r, const struct ml_node *node)
{
    const struct ml_keys keys = find_keys(r, ML_SCOPE_SEGMENT);
    if (node->n_child < 1 || node->n_child > ML_MOST_SEGMENTS) {
        ml_problem(&r->problems, node->location, "segments has %d segments but must have 1 to %d",
                   node->n_child, (int)ML_MOST_SEGMENTS);
        return;
    }
    if (!ml_read_make_base(r, node->n_child))
        return;
    int i = 0;
    for (const struct ml_node *child = node->first; child; child = child->next, i++) {
        struct ml_segment_keys segment = {0};
        if (ml_read_is_map(r, child, "a segment must be a map such as {length: 1, mass: 1}"))
            ml_read_map(r, child, &keys, &segment, r->base + ml_slot_segment(r->system, i, 0));
        ml_read_set_name(r, i, segment.name);
    }
    if (r->has_segments)
        ml_read_unique(r, node, (const char *const *)r->spec->segment_names, node->n_child);
}

static void read_repeat(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_segment_keys segment = {0};
    const struct ml_keys keys = find_keys(r, ML_SCOPE_REPEAT);
    double *numbers =
        ml_pool_take(r->pool, (size_t)r->system->tables.n_segment_param + 1, sizeof *numbers);
    if (!numbers)
        return;
    ml_read_map(r, node, &keys, &segment, numbers);
    if (segment.repeat < 1 || !ml_read_make_base(r, (int)segment.repeat))
        return;
    for (int i = 0; i < (int)segment.repeat; i++) {
        ml_define_copy(r->define, r->base + ml_slot_segment(r->system, i, 0), numbers,
                       r->system->tables.n_segment_param);
        ml_read_set_name(r, i, NULL);
    }
}

/* Index of the part that the i-th segment is; -1 after telling. */
static int read_segments_part(struct ml_reader *r, const struct ml_node *node, const int *part,
                              int i)
{
    const struct ml_key key = ml_key_parts(r->system);
    int own = -1;
    (void)ml_read_one_word(r, node, &key, &own);
    for (int before = 0; own >= 0 && before < i; before++)
        if (part[before] == own) {
            ml_problem(&r->problems, node->location, "part `%s` is named twice", node->text);
            return -1;
        }
    return own;
}

/* Segments of which everything follows from the body. */
static void read_parts(struct ml_reader *r, const struct ml_node *node)
{
    const bool is_list = node->kind == ML_NODE_LIST;
    const int n = is_list ? node->n_child : 1;
    const struct ml_node *child = is_list ? node->first : node;
    struct ml_segment_keys segment;
    int *part = ml_pool_take(r->spec->pool, (size_t)n + 1, sizeof *part);
    if (n == 0)
        ml_problem(&r->problems, node->location, "segments is empty; name one part at least");
    if (n == 0 || !part || !ml_read_make_base(r, n))
        return;
    const struct ml_keys keys = ml_schema_keys(r->pool, ML_SCOPE_SEGMENT, r->system, NULL);
    for (int i = 0; i < n; i++, child = child->next) {
        part[i] = read_segments_part(r, child, part, i);
        ml_read_set_name(r, i, part[i] >= 0 ? r->system->tables.parts[part[i]] : NULL);
        ml_read_map(r, NULL, &keys, &segment, r->base + ml_slot_segment(r->system, i, 0));
        r->has_segments &= part[i] >= 0;
    }
    r->spec->model.part = part;
}

/* Reads the differences of a segment from the body; its name, NULL after a problem. */
static const char *read_own(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_segment_keys segment;
    if (!ml_read_is_map(r, node,
                        "a difference from the body must be a map such as {name: hand, mass: 0.5}"))
        return NULL;
    const struct ml_node *name = ml_node_find(node, "name");
    if (!name)
        ml_problem(&r->problems, node->location,
                   "key `name` is missing: the name of the segment of the body");
    const struct ml_keys keys = ml_schema_keys(r->pool, ML_SCOPE_SEGMENT, r->system, NULL);
    double *numbers =
        ml_pool_take(r->pool, (size_t)r->system->tables.n_segment_param + 1, sizeof *numbers);
    if (!numbers)
        return NULL;
    ml_read_map(r, node, &keys, &segment, numbers);
    int i = name ? ml_read_segment(r, name, "name") : -1;
    if (i < 0)
        return NULL;
    ml_define_copy(r->define, r->base + ml_slot_segment(r->system, i, 0), numbers,
                   r->system->tables.n_segment_param);
    return r->spec->segment_names[i];
}

static void read_differences(struct ml_reader *r, const struct ml_node *node)
{
    const char **names = ml_pool_take(r->pool, (size_t)node->n_child + 1, sizeof *names);
    if (node->kind != ML_NODE_LIST) {
        ml_problem(&r->problems, node->location,
                   "with `" ML_BODY "`, segments must be a list of differences from the body, such "
                   "as [{name: hand, mass: 0.5}], not %s",
                   ml_node_kind_text(node));
        return;
    }
    int i = 0;
    for (const struct ml_node *child = node->first; names && child; child = child->next)
        names[i++] = read_own(r, child);
    if (names)
        ml_read_unique(r, node, names, node->n_child);
}

static void read_body(struct ml_reader *r, const struct ml_node *system)
{
    const struct ml_node *parts = ml_node_find(ml_node_find(system, ML_BODY), "segments");
    const struct ml_node *segments = ml_node_find(system, "segments");
    if (parts)
        read_parts(r, parts);
    if (r->has_segments && segments)
        read_differences(r, segments);
}

/* The first number of segment i that does not follow from the body; NULL: all do. */
static const struct ml_param *find_missing(const struct ml_reader *r, const double *derived, int i)
{
    for (int k = 0; k < r->system->tables.n_segment_param; k++)
        if (isnan(derived[ml_slot_segment(r->system, i, k)]))
            return &r->system->tables.segment_params[k];
    return NULL;
}

/* Reports segments that are no parts of a body and whose length neither the study nor markers give.
 */
static void check_lengths(struct ml_reader *r, const struct ml_node *system)
{
    const struct ml_node *segments = ml_node_find_kind(system, "segments", ML_NODE_LIST);
    const struct ml_keys keys = find_keys(r, ML_SCOPE_SEGMENT);
    const struct ml_key *length = ml_keys_find(&keys, "length");
    const struct ml_node *child = segments ? segments->first : NULL;
    for (int i = 0; length && child; child = child->next, i++)
        if (isnan(r->base[ml_slot_segment(r->system, i, length->slot)]))
            ml_read_missing(r, child, length);
}

void ml_read_check_segments(struct ml_reader *r, const struct ml_node *system)
{
    const struct ml_instance *model = &r->spec->model;
    if (!r->has_segments || !r->system->tables.segment_params || ml_problems_there(&r->problems))
        return;
    if (!model->part) {
        check_lengths(r, system);
        return;
    }
    const size_t n = (size_t)ml_slot_forces(model);
    double *derived = ml_pool_take(r->pool, n, sizeof *derived);
    if (!derived)
        return;
    memcpy(derived, r->base, n * sizeof *derived);
    r->system->parameters.derive(model, derived);
    for (int i = 0; i < model->n; i++) {
        const char *name = r->spec->segment_names[i];
        const struct ml_param *missing = find_missing(r, derived, i);
        if (missing)
            ml_problem(
                &r->problems, ml_read_location(system, ML_BODY),
                "the table has no %s of a `%s`; give `segments: [{name: %s, %s: ...}]` in `system`",
                missing->name, name, name, missing->name);
    }
}

void ml_read_segments(struct ml_reader *r, const struct ml_node *system)
{
    const struct ml_node *node = ml_node_find(system, "segments");
    const int n = r->spec->model.n > 0 ? r->spec->model.n : 1; /* entries of arrays */
    if (!r->system->tables.segment_params) {
        (void)ml_read_make_base(r, n);
        for (int i = 0; r->spec->segment_names && i < n; i++)
            ml_read_set_name(r, i, NULL);
    } else if (r->system->tables.parts && ml_node_find(system, ML_BODY))
        read_body(r, system);
    else if (!node)
        ml_problem(&r->problems, system->location,
                   "key `segments` is missing: a list of segments, {repeat: n, ...}, or parts of a "
                   "`" ML_BODY "`");
    else if (node->kind == ML_NODE_LIST)
        read_segments_read_list(r, node);
    else if (node->kind == ML_NODE_MAP)
        read_repeat(r, node);
    else
        ml_problem(&r->problems, node->location,
                   "segments must be a list of segments or {repeat: n, ...}, not %s",
                   ml_node_kind_text(node));
}
