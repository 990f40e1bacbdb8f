/* The numbers that a sweep or sample names, and the ranges it gives them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/nearest.h"
#include "study/reader.h"

/* A key that exists, but is the same for all runs. */
static bool is_common_key(const struct ml_reader *r, const char *path)
{
    char known[256];
    struct ml_keys keys;
    for (int scope = 0; scope < ML_N_SCOPE; scope++) {
        ml_schema_keys((enum ml_scope)scope, r->system, NULL, &keys);
        const char *in = ml_scope_name((enum ml_scope)scope);
        for (int i = 0; i < keys.n; i++) {
            (void)snprintf(known, sizeof known, "%s%s%s", in, *in ? "." : "",
                           keys.row[i].param.name);
            if (keys.row[i].slot < 0 && !ml_key_is_array(&keys.row[i]) && strcmp(known, path) == 0)
                return true;
        }
    }
    return false;
}

static void tell_unknown(struct ml_reader *r, const struct ml_node *node)
{
    const char *quoted = ml_quote(r->pool, node->text);
    if (is_common_key(r, node->text)) {
        ml_problem(&r->problems, node->place,
                   "%s is the same for all runs; what can be swept are the numbers of system, its "
                   "segments, forces and initial",
                   quoted);
        return;
    }
    struct ml_nearest nearest = ml_nearest_any(node->text);
    for (int i = 0; i < r->study->ensemble.n_value && r->problems.count < ML_PROBLEMS_SHOWN; i++)
        ml_nearest_offer(&nearest, r->slots[i].path);
    ml_problem(&r->problems, node->place,
               "%s is no number of this study; the nearest that can be swept is `%s`", quoted,
               nearest.best ? nearest.best : r->slots[0].path);
}

/* A number that a group must have, of a group that is not there. */
static bool is_without_group(const struct ml_reader *r, const struct ml_slot *slot)
{
    return slot->param.group && slot->param.flags & ML_REQUIRED &&
           isnan(r->study->base[slot - r->slots]);
}

/* A number of a course of another type, or the constant that it stands for. */
static bool is_off_course(const struct ml_reader *r, const struct ml_slot *slot)
{
    return slot->param.flags & (ML_COURSE | ML_OF_COURSE) && isnan(r->study->base[slot - r->slots]);
}

const struct ml_slot *ml_read_slot(struct ml_reader *r, const struct ml_node *node, const char *key)
{
    const char *path = ml_read_text(r, node, key, "a key such as initial.angle.upper");
    if (!path || !r->slots)
        return NULL;
    const struct ml_slot *slot = ml_slot_find(r, path);
    if (!slot)
        tell_unknown(r, node);
    if (slot && slot->param.flags & ML_VECTOR)
        ml_problem(&r->problems, node->place, "`%s` is a vector: its numbers are `%s.x` and `%s.y`",
                   path, path, path);
    else if (slot && is_without_group(r, slot))
        ml_problem(&r->problems, node->place, "`%s` is of `%s`, which the system has not", path,
                   slot->param.group);
    else if (slot && is_off_course(r, slot))
        ml_problem(&r->problems, node->place,
                   "`%s` is no number of the course that this study gives there", path);
    else
        return slot;
    return NULL;
}

const struct ml_slot *ml_read_swept(struct ml_reader *r, const struct ml_node *node)
{
    const struct ml_slot *slot = ml_read_slot(r, node, "set");
    if (!slot)
        return NULL;
    const struct ml_node **by = &r->swept_by[slot - r->slots];
    if (*by) {
        ml_problem(&r->problems, node->place, "`%s` is swept already, in line %d, column %d",
                   slot->path, (*by)->place.line, (*by)->place.column);
        return NULL;
    }
    *by = node;
    return slot;
}

static void tell_hidden(struct ml_reader *r, int i, const struct ml_slot *component)
{
    int j = (int)(component - r->slots);
    const char *path = r->slots[i].path;
    if (r->swept_by[j])
        ml_problem(&r->problems, r->swept_by[i]->place,
                   "`%s` and `%s` cannot both be swept; sweep `%s.x` and `%s.y`", path,
                   component->path, path, path);
    else if (!isnan(r->study->base[j]))
        ml_problem(&r->problems, r->swept_by[i]->place,
                   "`%s` is given as a vector; sweep `%s.x` or `%s.y`", path, path, path);
}

void ml_read_hidden(struct ml_reader *r)
{
    for (int i = 0; r->slots && i < r->study->ensemble.n_value; i++) {
        if (!r->swept_by[i])
            continue;
        int before = r->problems.count;
        for (int axis = 0; axis < 2; axis++) {
            const char *path = ml_pool_format(r->pool, "%s.%c", r->slots[i].path, "xy"[axis]);
            const struct ml_slot *component = path ? ml_slot_find(r, path) : NULL;
            if (component && r->problems.count == before)
                tell_hidden(r, i, component);
        }
    }
}

bool ml_read_ends(struct ml_reader *r, const struct ml_node *map, const struct ml_param *param,
                  const struct ml_axis_keys *keys)
{
    bool is_log = keys->scale == 1;
    struct ml_place from = ml_read_place(map, "from"), to = ml_read_place(map, "to");
    bool is_allowed = ml_read_range(r, from, param, keys->from);
    is_allowed &= ml_read_range(r, to, param, keys->to);
    if (!is_allowed)
        return false;
    if (is_log && !((keys->from > 0.0 && keys->to > 0.0) || (keys->from < 0.0 && keys->to < 0.0))) {
        ml_problem(&r->problems, from,
                   "a log scale needs `from` and `to` of the same sign and not zero");
        return false;
    }
    return true;
}
