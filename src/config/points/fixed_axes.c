/* Options --set that give numbers of a run: those that the tree of the file has no place for, and
 * those that are swept. */
#include "config/schema/given.h"

#include <string.h>

#include "config/schema/reader.h"
#include "config/schema/slots.h"
#include "design/groups.h"
#include "design/trajectories.h"

void ml_fixed_axes_numbers(struct ml_reader *r)
{
    for (int i = 0; i < r->n_override; i++) {
        const struct ml_override *own = &r->overrides[i];
        const struct ml_location location = {i + 1, 1, 1};
        if (!own->path || !own->fault || own->value->kind != ML_NODE_SCALAR)
            continue;
        const struct ml_slot *slot = r->slots ? ml_slot_find(r, own->path) : NULL;
        if (!slot && (r->slots || r->problems.count == 0))
            ml_problem(&r->problems, location, "%s", own->fault);
        if (!slot)
            continue;
        const struct ml_node named = {
            .kind = ML_NODE_SCALAR, .location = location, .text = own->path};
        slot = ml_read_slot(r, &named, "the path");
        if (slot)
            (void)ml_read_number(r, own->value, &slot->param,
                                 &r->spec->numbers.base[slot - r->slots]);
    }
}

bool ml_is_fixed(const struct ml_reader *r, const char *path)
{
    for (int i = 0; path && i < r->n_override; i++) {
        const struct ml_override *own = &r->overrides[i];
        if (own->path && own->value->kind == ML_NODE_SCALAR && strcmp(own->path, path) == 0)
            return true;
    }
    return false;
}

/* Reports a component of a vector whose other component is neither given nor swept.
 *   place  where it is given or swept */
static void check_vector(struct ml_reader *r, const struct ml_slot *slot,
                         struct ml_location location)
{
    const size_t length = strlen(slot->path);
    char *path = ml_pool_text(r->pool, slot->path, length);
    if (!path || length < 3 || path[length - 2] != '.' || !strchr("xy", path[length - 1]))
        return;
    path[length - 1] = path[length - 1] == 'x' ? 'y' : 'x';
    const struct ml_slot *other = ml_slot_find(r, path);
    const char *whole = ml_pool_text(r->pool, path, length - 2);
    const struct ml_slot *vector = other && whole ? ml_slot_find(r, whole) : NULL;
    if (vector && vector->param.flags & ML_VECTOR && !(other->param.flags & ML_SIGNAL) &&
        !ml_slot_is_given(r, other - r->slots))
        ml_problem(&r->problems, location, "`%s` takes `%s` too; give `%s` as a list [x, y]",
                   slot->path, path, whole);
}

static void check_vectors(struct ml_reader *r)
{
    for (int i = 0; r->slots && i < r->spec->numbers.n; i++)
        if (r->swept_by[i])
            check_vector(r, &r->slots[i], r->swept_by[i]->location);
    for (int i = 0; r->slots && i < r->n_override; i++) {
        const char *path = r->overrides[i].path;
        const struct ml_slot *slot = path ? ml_slot_find(r, path) : NULL;
        if (slot && !r->swept_by[slot - r->slots])
            check_vector(r, slot, (struct ml_location){i + 1, 1, 1});
    }
}

static void remove_axis(struct ml_study_spec *spec, int i)
{
    memmove(&spec->runs.axes[i], &spec->runs.axes[i + 1],
            (size_t)(spec->runs.n_axis - i - 1) * sizeof *spec->runs.axes);
    spec->runs.sample =
        i == spec->runs.n_axis - 1 ? NULL : spec->runs.sample; /* of the last axis */
    spec->runs.n_axis--;
}

/* Numbers the ranges of a sample again, whose key i is gone. */
static void close_gap(struct ml_study_spec *spec, int i, int dimension)
{
    struct ml_axis *axis = ml_study_spec_sample(spec);
    const bool is_shared = (i > 0 && axis->swept[i - 1].dimension == dimension) ||
                           (i < axis->n_swept && axis->swept[i].dimension == dimension);
    if (!is_shared)
        ml_correlation_remove(&spec->runs.sample->correlation, dimension);
    for (; !is_shared && i < axis->n_swept; i++)
        axis->swept[i].dimension--;
    spec->runs.sample->n_input -= !is_shared;
    if (spec->runs.sample->file && !is_shared) { /* the rows have no meaning without the input */
        spec->runs.sample->design = ML_DESIGN_POINTS;
        spec->runs.sample->has_second = false;
    }
    ml_groups_find(spec->runs.sample, axis, spec->pool);
    if (spec->runs.sample->file)
        return;
    axis->count = ml_sample_runs(spec->runs.sample);
    ml_trajectories_choose(spec->runs.sample, spec->pool);
}

/* In all runs the number has the value of spec->numbers.base then. An axis that moves nothing else
 * goes, and with the last key of a sample the sample; keys that remain move as before in a grid,
 * and are drawn as if the range had not been written in a sample. */
static void remove_key(struct ml_study_spec *spec, int i_axis, int i)
{
    struct ml_axis *axis = &spec->runs.axes[i_axis];
    const int dimension = axis->swept[i].dimension;
    memmove(&axis->swept[i], &axis->swept[i + 1],
            (size_t)(axis->n_swept - i - 1) * sizeof *axis->swept);
    axis->n_swept--;
    if (axis->n_swept == 0)
        remove_axis(spec, i_axis);
    else if (axis->sample)
        close_gap(spec, i, dimension);
    else if (axis->n_swept == 1 && axis->kind == ML_AXIS_EACH)
        axis->kind = ML_AXIS_SAME;
    spec->runs.n = 1;
    for (int k = 0; k < spec->runs.n_axis; k++)
        spec->runs.n *= spec->runs.axes[k].count;
}

/* The axis that moves a number, and which of its keys that is; -1: none does. */
static int find_swept(const struct ml_study_spec *spec, int slot, int *key)
{
    for (int a = 0; a < spec->runs.n_axis; a++)
        for (int i = 0; i < spec->runs.axes[a].n_swept; i++)
            if (spec->runs.axes[a].swept[i].slot == slot) {
                *key = i;
                return a;
            }
    return -1;
}

static const char *run_or_runs(int64_t n) { return n == 1 ? "run" : "runs"; }

static void keep_fixed(struct ml_reader *r, const char *name, struct ml_location location)
{
    struct ml_fixed_axis *fixed = ml_pool_take(r->pool, 1, sizeof *fixed);
    if (fixed)
        *fixed = (struct ml_fixed_axis){name, location, r->fixed};
    r->fixed = fixed ? fixed : r->fixed;
}

/* Fixes one number that an axis sweeps, with a notice of the remaining runs. */
static void fix(struct ml_reader *r, const struct ml_slot *slot, int axis, int key,
                struct ml_location location)
{
    struct ml_study_spec *spec = r->spec;
    const char *name = spec->runs.axes[axis].name;
    const bool is_grid = !spec->runs.axes[axis].sample,
               is_only = spec->runs.axes[axis].n_swept == 1;
    const long long before = (long long)spec->runs.n;
    remove_key(spec, axis, key);
    r->swept_by[slot - r->slots] = NULL;
    const long long now = (long long)spec->runs.n;
    if (is_grid && is_only) {
        keep_fixed(r, name, location);
        ml_notice(r, location, "fixes this axis of the sweep: %lld %s instead of %lld", now,
                  run_or_runs(now), before);
    } else if (is_grid) {
        ml_notice(
            r, location,
            "removes this key from axis `%s`: it has this value in all %lld %s, and the other "
            "keys of the axis move as before",
            name, now, run_or_runs(now));
    } else if (is_only) {
        ml_notice(r, location, "fixes the last key of the sample: %lld %s instead of %lld", now,
                  run_or_runs(now), before);
    } else {
        ml_notice(
            r, location,
            "removes this key from the sample: it has this value in all %lld %s, and the other "
            "ranges are drawn without it",
            now, run_or_runs(now));
    }
}

/* Says that keys below a path are swept whatever it gives them. */
static void notice_below(struct ml_reader *r, const char *path, struct ml_location location)
{
    const struct ml_study_spec *spec = r->spec;
    const size_t length = strlen(path);
    for (int a = 0; a < spec->runs.n_axis; a++)
        for (int i = 0; i < spec->runs.axes[a].n_swept; i++) {
            const char *swept = spec->runs.axes[a].swept[i].path;
            if (!swept || strncmp(swept, path, length) != 0 || swept[length] != '.')
                continue;
            ml_notice(r, location, "`%s` is still swept; set that key to fix it", swept);
            return;
        }
}

/* Whether a later option sets the same path. */
static bool is_overruled(const struct ml_reader *r, int option)
{
    for (int i = option + 1; i < r->n_override; i++)
        if (r->overrides[i].path && strcmp(r->overrides[i].path, r->overrides[option].path) == 0)
            return true;
    return false;
}

void ml_fixed_axes_swept(struct ml_reader *r)
{
    check_vectors(r);
    for (int i = 0; i < r->n_override && r->slots && r->problems.count == 0; i++) {
        const char *path = r->overrides[i].path;
        const struct ml_location location = {i + 1, 1, 1};
        const struct ml_slot *slot = path ? ml_slot_find(r, path) : NULL;
        int key = 0;
        if (path && is_overruled(r, i))
            continue;
        const int axis = slot ? find_swept(r->spec, (int)(slot - r->slots), &key) : -1;
        if (axis >= 0 && r->spec->runs.axes[axis].sample &&
            !isnan(r->spec->runs.axes[axis].sample->energy_shell))
            ml_problem(
                &r->problems, location,
                "cannot fix `%s`: all coordinates and rates on an energy shell are drawn; leave "
                "the option or `sample` out",
                path);
        else if (axis >= 0 && r->overrides[i].value->kind == ML_NODE_SCALAR)
            fix(r, slot, axis, key, location);
        else if (path)
            notice_below(r, path, location);
    }
}
