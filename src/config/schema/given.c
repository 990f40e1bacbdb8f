/* Where a number of a run is given, and which values it takes. */
#include "config/schema/given.h"

#include <string.h>

#include "config/schema/path.h"

const struct ml_node *ml_given_node(struct ml_reader *r, const char *path)
{
    struct ml_path walk = {
        .pool = r->pool, .root = r->root, .text = path, .end = path + strlen(path)};
    const struct ml_node *node = ml_path_walk(&walk);
    return node ? node : walk.parent;
}

/* The smallest and the largest number that a swept key takes. */
static void given_find_ends(const struct ml_axis *axis, int i, struct ml_given *out)
{
    const struct ml_swept *swept = &axis->swept[i];
    const bool is_list = swept->values != NULL;
    const int64_t n = is_list ? axis->count : 2;
    for (int64_t k = 0; k < n; k++) {
        const double at = is_list ? swept->values[k] : k == 0 ? swept->low : swept->high;
        const double value = swept->weight * at;
        out->low = k == 0 ? value : fmin(out->low, value);
        out->high = k == 0 ? value : fmax(out->high, value);
    }
}

struct ml_given ml_given_find(struct ml_reader *r, int slot)
{
    const struct ml_study_spec *spec = r->spec;
    const double base = spec->numbers.base[slot];
    struct ml_given out = {.path = r->slots[slot].path, .low = base, .high = base};
    if (r->is_seen)
        r->is_seen[slot] = true;
    for (int a = 0; a < spec->runs.n_axis; a++)
        for (int i = 0; i < spec->runs.axes[a].n_swept; i++)
            if (spec->runs.axes[a].swept[i].slot == slot) {
                given_find_ends(&spec->runs.axes[a], i, &out);
                out.is_swept = true;
            }
    for (int i = 0; spec->numbers.defined && i < spec->numbers.defined->n; i++) {
        const struct ml_defined_number *number = &spec->numbers.defined->numbers[i];
        if (number->slot != slot || !number->is_moved)
            continue;
        out.low = number->least;
        out.high = number->most;
        out.is_swept = true;
    }
    const struct ml_node *node =
        out.is_swept && r->swept_by[slot] ? r->swept_by[slot] : ml_given_node(r, out.path);
    out.location = node->location;
    return out;
}

double ml_given_longest_step(struct ml_reader *r)
{
    const struct ml_study_spec *spec = r->spec;
    const double most =
        spec->time.clock == ML_CLOCK_COMMON ? 0.0 : ml_given_find(r, spec->time.slot).high;
    return ml_clock_tick(spec->time.clock, spec->time.step, most, spec->time.start,
                         spec->time.n_step);
}
