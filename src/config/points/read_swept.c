/* The numbers that a sweep or sample names, and the ranges it gives them. */
#include <math.h>
#include <string.h>

#include "config/schema/given.h"
#include "config/schema/slots.h"
#include "config/sections/sections.h"
#include "design/spacing.h"

/* False after telling that a number stands for another one that is given (ml_force.either). */
static bool is_instead(struct ml_reader *r, const struct ml_node *node, const struct ml_slot *slot)
{
    const int i = (int)(slot - r->slots);
    for (int f = 0; f < r->spec->n_force; f++) {
        const struct ml_force_use *use = &r->spec->forces[f];
        if (!use->type) /* reported already */
            continue;
        const char *const *either = use->type->either;
        const char *own = i >= use->slot && i < use->slot + use->n_number
                              ? use->numbers[i - use->slot].name
                              : NULL;
        for (int k = 0; own && either[k] && k < 2; k++)
            if (strcmp(own, either[k]) == 0 && !ml_slot_has_own(r, i)) {
                ml_problem(&r->problems, node->location,
                           "%s has `%s`; to sweep `%s`, give that key instead", use->name,
                           either[1 - k], own);
                return false;
            }
    }
    return true;
}

const struct ml_slot *ml_read_swept(struct ml_reader *r, const struct ml_node *node)
{
    const struct ml_slot *slot = ml_read_clock(r, node) ? ml_read_slot(r, node, "set") : NULL;
    if (!slot || !is_instead(r, node, slot))
        return NULL;
    const struct ml_node **by = &r->swept_by[slot - r->slots];
    if (*by) {
        ml_problem(&r->problems, node->location, "`%s` is already swept, in %s", slot->path,
                   ml_location_text(&r->problems, (*by)->location));
        return NULL;
    }
    *by = node;
    return slot;
}

static void report_hidden(struct ml_reader *r, int i, const struct ml_slot *component,
                          const char *const names[2])
{
    int j = (int)(component - r->slots);
    const char *path = r->slots[i].path;
    if (r->swept_by[j])
        ml_problem(&r->problems, r->swept_by[i]->location,
                   "`%s` and `%s` cannot both be swept; sweep `%s.%s` and `%s.%s`", path,
                   component->path, path, names[0], path, names[1]);
    else if (ml_slot_has_own(r, j))
        ml_problem(&r->problems, r->swept_by[i]->location,
                   "`%s` is given as %s; sweep `%s.%s` or `%s.%s`", path,
                   *names[0] == 'x' ? "a vector" : "[low, high]", path, names[0], path, names[1]);
}

void ml_read_hidden(struct ml_reader *r)
{
    static const char *const parts[] = {"x", "y", "low", "high"};
    for (int i = 0; r->slots && i < r->spec->numbers.n; i++) {
        if (!r->swept_by[i])
            continue;
        int before = r->problems.count;
        for (int k = 0; k < 4; k++) {
            const char *path = ml_pool_format(r->pool, "%s.%s", r->slots[i].path, parts[k]);
            const struct ml_slot *component = path ? ml_slot_find(r, path) : NULL;
            if (component && r->problems.count == before)
                report_hidden(r, i, component, &parts[k & ~1]);
        }
    }
}

struct ml_swept *ml_read_set(struct ml_reader *r, const struct ml_node *set, int *n)
{
    struct ml_pool *pool = r->spec->pool;
    const bool is_list = set->kind == ML_NODE_LIST;
    *n = is_list ? set->n_child : 1;
    if (*n == 0)
        ml_problem(&r->problems, set->location, "set is empty; it must name one key at least");
    struct ml_swept *swept = *n > 0 ? ml_pool_take(pool, (size_t)*n, sizeof *swept) : NULL;
    const struct ml_node *node = is_list ? set->first : set;
    for (int i = 0; swept && i < *n; node = node->next, i++) {
        const struct ml_slot *slot = ml_read_swept(r, node);
        swept[i] = (struct ml_swept){.slot = -1, .weight = 1.0};
        if (!slot)
            continue;
        swept[i].path = ml_pool_text(pool, slot->path, strlen(slot->path));
        swept[i].unit = slot->param.unit;
        swept[i].doc = slot->param.doc;
        swept[i].slot = (int)(slot - r->slots);
    }
    return swept;
}

void ml_read_excluded(struct ml_reader *r, const struct ml_node *map, const char *by,
                      const char *const *keys, int n)
{
    for (int i = 0; i < n; i++)
        if (ml_node_find(map, keys[i]))
            ml_problem(&r->problems, ml_read_location(map, keys[i]), "key `%s` excludes `%s`",
                       keys[i], by);
}

/* The node that names key i of a set. */
static const struct ml_node *named_by(const struct ml_node *set, int i)
{
    const struct ml_node *node = set->kind == ML_NODE_LIST ? set->first : set;
    while (i-- > 0)
        node = node->next;
    return node;
}

/* Whether the system derives a number in this slot that a study leaves out. */
static bool is_derived(const struct ml_reader *r, int slot)
{
    return !ml_slot_has_own(r, slot) && r->system->parameters.derive &&
           slot < ml_slot_forces(&r->spec->model);
}

/* Room for the numbers of the system in a run; NULL without a system that could be read, without
 * memory. */
static double *take_values(struct ml_reader *r)
{
    return r->spec->model.system
               ? ml_pool_take(r->pool, (size_t)ml_slot_forces(&r->spec->model), sizeof(double))
               : NULL;
}

/* The derived number in a slot of a run with [slot_other] = value and all other numbers of the
 * study; NaN after a problem, which may be one of these numbers. slot_other < 0: none.
 *   values  room, as of take_values */
static double derive(struct ml_reader *r, double *values, int slot, int slot_other, double value)
{
    const struct ml_study_spec *spec = r->spec;
    const size_t n = (size_t)ml_slot_forces(&spec->model);
    if (ml_problems_there(&r->problems) || !values)
        return (double)NAN;
    memcpy(values, spec->numbers.base, n * sizeof *values);
    if (slot_other >= 0)
        values[slot_other] = value;
    r->system->parameters.derive(&spec->model, values);
    return values[slot];
}

bool ml_read_weights(struct ml_reader *r, const struct ml_node *set, struct ml_swept *swept, int n)
{
    bool has_all = true;
    double *values = take_values(r);
    for (int i = 0; i < n; i++) {
        swept[i].weight = 1.0;
        if (swept[i].slot < 0 || ml_is_fixed(r, swept[i].path))
            continue;
        const bool follows = is_derived(r, swept[i].slot);
        const double own = follows ? derive(r, values, swept[i].slot, -1, 0.0)
                                   : r->spec->numbers.base[swept[i].slot];
        swept[i].weight = own;
        if (isnan(own) && !(follows && ml_problems_there(&r->problems)))
            ml_problem(&r->problems, named_by(set, i)->location,
                       "cannot scale `%s`: the study does not give that number; give a value, or "
                       "scale the numbers that it follows from",
                       swept[i].path);
        else if (own == 0.0)
            ml_problem(&r->problems, named_by(set, i)->location,
                       "cannot scale `%s`: all multiples of 0 are 0", swept[i].path);
        has_all &= !isnan(own) && own != 0.0;
    }
    return has_all;
}

/* The first given number of the system that runs change and that a derived number would follow; -1:
 * none. */
static int find_leading(struct ml_reader *r, int slot)
{
    double *values = take_values(r);
    const double own = derive(r, values, slot, -1, 0.0);
    for (int other = 0; other < ml_slot_forces(&r->spec->model); other++) {
        if (!ml_slot_has_own(r, other) ||
            !(r->swept_by[other] || ml_defined_moves(r->spec->numbers.defined, other)))
            continue;
        const struct ml_given given = ml_given_find(r, other);
        if (derive(r, values, slot, other, given.low) != own ||
            derive(r, values, slot, other, given.high) != own)
            return other;
    }
    return -1;
}

/* Notices the first multiple of a derived number of an axis that would follow a number that runs
 * change. */
static bool report_leading(struct ml_reader *r, const struct ml_axis *axis)
{
    for (int i = 0; i < axis->n_swept; i++) {
        const struct ml_swept *s = &axis->swept[i];
        const bool is_multiple = axis->kind == ML_AXIS_FACTOR || s->is_factor;
        const int other =
            is_multiple && s->slot >= 0 && is_derived(r, s->slot) ? find_leading(r, s->slot) : -1;
        if (other < 0)
            continue;
        ml_notice(
            r, r->swept_by[s->slot]->location,
            "factors of `%s` multiply %.6g %s, which follows from `%s` outside the sweep; runs "
            "with another `%s` have the same product",
            s->path, s->weight, s->unit, r->slots[other].path, r->slots[other].path);
        return true;
    }
    return false;
}

void ml_read_multiples(struct ml_reader *r)
{
    for (int a = 0; r->problems.count == 0 && a < r->spec->runs.n_axis; a++)
        if (report_leading(r, &r->spec->runs.axes[a]))
            return; /* once: others of a study are alike */
}

bool ml_read_one_unit(struct ml_reader *r, const struct ml_node *set, const struct ml_swept *swept,
                      int n)
{
    for (int i = 1; i < n; i++)
        if (swept[0].unit && swept[i].unit && strcmp(swept[0].unit, swept[i].unit) != 0) {
            ml_problem(&r->problems, named_by(set, i)->location,
                       "`%s` is in %s and `%s` in %s, so a common number has no meaning; give "
                       "each a range, or scale their values with `scale_by`",
                       swept[0].path, swept[0].unit, swept[i].path, swept[i].unit);
            return false;
        }
    return true;
}

static bool is_log_possible(double from, double to)
{
    return (from > 0.0 && to > 0.0) || (from < 0.0 && to < 0.0);
}

bool ml_read_multiple(struct ml_reader *r, struct ml_location location,
                      const struct ml_swept *swept, double factor)
{
    const struct ml_param *param = &r->slots[swept->slot].param;
    const double value = swept->weight * factor;
    if (!(param->flags & ML_WHOLE) || value == nearbyint(value))
        return ml_read_range(r, location, param, value);
    ml_problem(&r->problems, location,
               "`%s` takes integers, but %.10g would be a value; give a `count` that makes whole "
               "steps, or `values`",
               swept->path, value);
    return false;
}

/* The ends of a range, and where a key takes integers all numbers between them.
 *   from, to  where the ends are given */
static bool read_along(struct ml_reader *r, struct ml_location from, struct ml_location to,
                       const struct ml_axis *range, const struct ml_swept *swept)
{
    const bool is_whole = r->slots[swept->slot].param.flags & ML_WHOLE;
    const int64_t last = is_whole ? range->count - 1 : 0;
    const bool is_spaced = !range->is_log || is_log_possible(range->from, range->to);
    bool is_allowed = ml_read_multiple(r, from, swept, range->from);
    is_allowed &= ml_read_multiple(r, to, swept, range->to);
    if (is_allowed && last < 0)
        ml_problem(&r->problems, from,
                   "`%s` takes integers, but a sample draws fractions; sweep its `values`",
                   swept->path);
    for (int64_t k = 1; is_allowed && is_spaced && k < last; k++)
        is_allowed = ml_read_multiple(
            r, from, swept, ml_spaced(range->from, range->to, range->count, k, range->is_log));
    return is_allowed && last >= 0;
}

bool ml_read_ends(struct ml_reader *r, const struct ml_node *set, const struct ml_node *map,
                  const struct ml_axis *range, bool is_factor, struct ml_swept *swept, int n)
{
    static const char *const of_unit[] = {"from", "to", "mode", "mean", "sd"};
    const struct ml_location from = ml_read_location(map, "from"), to = ml_read_location(map, "to");
    bool is_allowed = is_factor || ml_read_one_unit(r, set, swept, n);
    if (!is_factor && is_allowed && swept[0].slot >= 0) {
        const struct ml_param *param = &r->slots[swept[0].slot].param;
        for (size_t i = 0; i < sizeof of_unit / sizeof *of_unit; i++)
            is_allowed &= ml_read_unit(r, ml_node_find(map, of_unit[i]), param);
    }
    for (int i = 0; i < n; i++) {
        swept[i].low = range->from;
        swept[i].high = range->to;
        if (swept[i].slot < 0 || (is_factor && ml_is_fixed(r, swept[i].path)))
            continue;
        is_allowed &= read_along(r, from, to, range, &swept[i]);
    }
    if (is_allowed && range->is_log && !is_log_possible(range->from, range->to)) {
        ml_problem(&r->problems, from,
                   "a log scale needs `from` and `to` of the same sign and not zero");
        return false;
    }
    return is_allowed;
}
