/* Finds the run whose swept values are nearest to some that are given. */
#include <math.h>
#include <string.h>

#include "base/numeric_env.h"
#include "manylink/fail.h"
#include "plan/study.h"
#include "yaml/nearest.h"

enum { POSITION = -1 };

/* A wanted value of one swept quantity, or position in a sample. */
struct member_target {
    int axis, quantity; /* which one it is; POSITION: of the sample */
    double value;
    double low;   /* an end of the axis */
    double scale; /* divisor of a difference: the range of the axis, not 0 */
    bool is_log;  /* differences are of logarithms */
};

/* The difference of a value from the target, in units of the range. */
static double member_difference(const struct member_target *target, double value)
{
    if (!target->is_log)
        return (value - target->value) / target->scale;
    if (value == 0.0 || target->value == 0.0 || signbit(value) != signbit(target->value))
        return (double)INFINITY;
    return (log(fabs(value)) - log(fabs(target->value))) / target->scale;
}

static struct member_target make_target(const struct ml_study_spec *spec, int axis, int quantity,
                                        double value)
{
    const struct ml_axis *a = &spec->runs.axes[axis];
    const struct ml_swept *swept = &a->swept[quantity];
    const double far = 1e6; /* ranges: from farther off rounding would make all values equal */
    struct member_target target = {.axis = axis,
                                   .quantity = quantity,
                                   .value = value,
                                   .is_log = a->is_log || swept->distribution.is_log};
    double low = swept->weight * swept->low, high = swept->weight * swept->high;
    if (!a->sample && !a->is_range) {
        low = high = ml_axis_value(a, quantity, 0);
        for (int64_t k = 1; k < a->count; k++) {
            low = fmin(low, ml_axis_value(a, quantity, k));
            high = fmax(high, ml_axis_value(a, quantity, k));
        }
    }
    const double range = target.is_log ? fabs(log(fabs(high)) - log(fabs(low))) : fabs(high - low);
    target.scale = range > 0.0 ? range : 1.0;
    target.low = low;
    if (!target.is_log)
        target.value = fmin(fmax(value, fmin(low, high) - far * target.scale),
                            fmax(low, high) + far * target.scale);
    return target;
}

static enum ml_status fail_unknown(const struct ml_study_spec *spec, const char *path,
                                   struct ml_error *err)
{
    struct ml_nearest nearest = ml_nearest_any(path);
    for (int a = 0; a < spec->runs.n_axis; a++) {
        for (int i = 0; i < spec->runs.axes[a].n_swept; i++)
            ml_nearest_offer(&nearest, spec->runs.axes[a].swept[i].path);
        if (spec->runs.axes[a].kind != ML_AXIS_EACH)
            ml_nearest_offer(&nearest, spec->runs.axes[a].name);
    }
    if (!nearest.best)
        return ml_fail(err, ML_E_INPUT, "%s: this study sweeps nothing and has a single run",
                       spec->name);
    return ml_fail(err, ML_E_INPUT,
                   "%s: `%s` is not swept in this study; the nearest swept key is `%s`", spec->name,
                   path, nearest.best);
}

/* Looks up a path: a swept key, or an axis with its own numbers. */
static bool find_target(const struct ml_study_spec *spec, const struct ml_study_point *point,
                        struct member_target *out)
{
    for (int a = 0; a < spec->runs.n_axis; a++) {
        const struct ml_axis *axis = &spec->runs.axes[a];
        for (int i = 0; i < axis->n_swept; i++)
            if (strcmp(axis->swept[i].path, point->path) == 0) {
                *out = make_target(spec, a, i, point->value);
                return true;
            }
        if (axis->sample && strcmp(axis->name, point->path) == 0) {
            *out = (struct member_target){a, POSITION, point->value, .scale = 1.0};
            return true;
        }
        if (axis->kind != ML_AXIS_EACH && strcmp(axis->name, point->path) == 0) {
            *out = make_target(spec, a, 0, axis->swept[0].weight * point->value);
            return true;
        }
    }
    return false;
}

static enum ml_status find_targets(const struct ml_study_spec *spec,
                                   const struct ml_study_point *points, int n_point,
                                   struct member_target *targets, struct ml_error *err)
{
    for (int p = 0; p < n_point; p++) {
        if (!find_target(spec, &points[p], &targets[p]))
            return fail_unknown(spec, points[p].path, err);
        if (!isfinite(points[p].value))
            return ml_fail(err, ML_E_INPUT, "%s: the value of `%s` is %g, not a finite number",
                           spec->name, points[p].path, points[p].value);
        if (targets[p].is_log && !isfinite(member_difference(&targets[p], targets[p].low)))
            return ml_fail(err, ML_E_INPUT, "%s: `%s` is swept on a log scale, which has no %g",
                           spec->name, points[p].path, points[p].value);
    }
    return ML_OK;
}

/* The position on an axis that is nearest to the targets on it; the first of equals. */
static int64_t nearest_on_axis(const struct ml_study_spec *spec, int axis,
                               const struct member_target *targets, int n_target)
{
    int64_t best = 0;
    double least = (double)INFINITY;
    for (int64_t k = 0; k < spec->runs.axes[axis].count; k++) {
        double sum = 0.0;
        for (int t = 0; t < n_target; t++)
            if (targets[t].axis == axis) {
                const int quantity = targets[t].quantity;
                const double value = quantity == POSITION
                                         ? (double)k
                                         : ml_axis_value(&spec->runs.axes[axis], quantity, k);
                sum = hypot(sum, member_difference(&targets[t], value));
            }
        if (sum < least) {
            least = sum;
            best = k;
        }
    }
    return best;
}

/* An axis with several values that no target names; n_axis if every such axis is named.
 */
static int find_open_axis(const struct ml_study_spec *spec, const struct member_target *targets,
                          int n_target)
{
    int axis = 0;
    for (; axis < spec->runs.n_axis; axis++) {
        bool is_named = spec->runs.axes[axis].count == 1;
        for (int t = 0; t < n_target; t++)
            is_named |= targets[t].axis == axis;
        if (!is_named)
            break;
    }
    return axis;
}

static enum ml_status find_nearest(const struct ml_study_spec *spec,
                                   const struct member_target *targets, int n_target, int64_t *run,
                                   struct ml_error *err)
{
    const int open = find_open_axis(spec, targets, n_target);
    if (open < spec->runs.n_axis)
        return ml_fail(err, ML_E_INPUT, "%s: a value of `%s` is missing; that key is swept too",
                       spec->name, spec->runs.axes[open].swept[0].path);
    *run = 0;
    for (int a = 0; a < spec->runs.n_axis; a++)
        *run = *run * spec->runs.axes[a].count + nearest_on_axis(spec, a, targets, n_target);
    return ML_OK;
}

enum ml_status ml_study_find_run(const struct ml_study *study, const struct ml_study_point *points,
                                 int n_point, int64_t *run, struct ml_error *err)
{
    const struct ml_study_spec *spec = &study->spec;
    struct ml_pool pool = {0};
    struct member_target *targets = ml_pool_take(&pool, (size_t)n_point + 1, sizeof *targets);
    *run = 0;
    if (!targets)
        return ML_E_MEMORY;
    const struct ml_numeric_env before = ml_numeric_env_set();
    enum ml_status status = find_targets(spec, points, n_point, targets, err);
    if (status == ML_OK)
        status = find_nearest(spec, targets, n_point, run, err);
    ml_numeric_env_restore(&before);
    ml_pool_free(&pool);
    return status;
}
