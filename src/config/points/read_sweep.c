/* The axes of a grid of runs. */
#include <math.h>
#include <string.h>

#include "config/schema/given.h"
#include "config/schema/reader.h"
#include "config/sections/sections.h"
#include "yaml/number.h"

static const char way[] = "direction"; /* name of the axis of the ways along a line */

static const int64_t most_runs = (int64_t)1
                                 << ML_INTEGER_BITS; /* a run's number is exact as a double */

struct axis_reader {
    const struct ml_node *node; /* the axis */
    const struct ml_node *from; /* map with the numbers: the axis, or `scale_by` */
    const struct ml_node *set;
    struct ml_axis *axis;
};

static const char *const of_range[] = {"from", "to", "count", "scale"};
enum { N_OF_RANGE = 4, N_NEEDED = 3 };

static void set_name(struct ml_reader *r, struct axis_reader *a, int number)
{
    struct ml_axis *axis = a->axis;
    if (!axis->name && axis->n_swept == 1 && axis->kind == ML_AXIS_SAME)
        axis->name = axis->swept[0].path;
    if (!axis->name)
        axis->name = ml_pool_format(r->spec->pool, "axis%d", number);
}

/* Point k of an axis whose keys have numbers of their own. */
static void read_sweep_point(struct ml_reader *r, struct axis_reader *a, const struct ml_node *node,
                             int64_t k)
{
    struct ml_axis *axis = a->axis;
    int n = axis->n_swept, i = 0;
    if (node->kind != ML_NODE_LIST || node->n_child != n) {
        ml_problem(&r->problems, node->location,
                   "values must be a list of lists of %d numbers, one for each key of `set`", n);
        return;
    }
    for (const struct ml_node *number = node->first; i < n; number = number->next, i++)
        if (axis->swept[i].slot >= 0 && axis->swept[i].values)
            (void)ml_read_number(r, number, &r->slots[axis->swept[i].slot].param,
                                 &axis->swept[i].values[k]);
}

/* Point k of an axis that has numbers: that of its key, or a factor of all of them. */
static void read_sweep_read_one(struct ml_reader *r, struct axis_reader *a,
                                const struct ml_node *node, int64_t k)
{
    static const struct ml_param factor = {"values",         "1", 1.0,      (double)-INFINITY,
                                           (double)INFINITY, 0,   "factors"};
    struct ml_axis *axis = a->axis;
    const bool is_factor = axis->kind == ML_AXIS_FACTOR;
    const bool is_in_list = !is_factor && a->set->kind == ML_NODE_LIST &&
                            node->kind == ML_NODE_LIST && node->n_child == 1;
    struct ml_swept *first = &axis->swept[0];
    if (!first->values || first->slot < 0)
        return;
    if (!ml_read_number(r, is_in_list ? node->first : node,
                        is_factor ? &factor : &r->slots[first->slot].param, &first->values[k]))
        return;
    for (int i = 0; is_factor && i < axis->n_swept; i++)
        if (axis->swept[i].slot >= 0 && !ml_is_fixed(r, axis->swept[i].path))
            (void)ml_read_multiple(r, node->location, &axis->swept[i], first->values[k]);
}

static void read_values(struct ml_reader *r, struct axis_reader *a)
{
    struct ml_axis *axis = a->axis;
    const struct ml_node *values = ml_node_find(a->from, "values");
    axis->count = values->n_child;
    if (axis->count == 0)
        ml_problem(&r->problems, values->location,
                   "values is empty; an axis has one value at least");
    for (int i = 0; i < axis->n_swept; i++)
        axis->swept[i].values =
            i > 0 && axis->kind == ML_AXIS_FACTOR
                ? axis->swept[0].values
                : ml_pool_take(r->spec->pool, (size_t)axis->count, sizeof(double));
    int64_t k = 0;
    for (const struct ml_node *node = values->first; node; node = node->next)
        (axis->kind == ML_AXIS_EACH ? read_sweep_point : read_sweep_read_one)(r, a, node, k++);
}

static bool has_range(struct ml_reader *r, const struct axis_reader *a)
{
    int n_missing = 0;
    for (int i = 0; i < N_NEEDED; i++)
        if (!ml_node_find(a->from, of_range[i])) {
            ml_problem(&r->problems, a->from->location,
                       "key `%s` is missing: an axis has from, to and count, or values%s",
                       of_range[i], a->from == a->node ? ", or scale_by" : "");
            n_missing++;
        }
    return n_missing == 0 && a->axis->count >= 1;
}

static void read_sweep_range(struct ml_reader *r, struct axis_reader *a)
{
    struct ml_axis *axis = a->axis;
    if (!has_range(r, a) || !ml_read_ends(r, a->set, a->from, axis, axis->kind == ML_AXIS_FACTOR,
                                          axis->swept, axis->n_swept))
        return;
    axis->is_range = true;
    if (axis->count == 1 && axis->to != axis->from)
        ml_notice(r, ml_read_location(a->from, "count"),
                  "count is 1, so `to` is not reached: the only value is `from`");
}

/* The numbers of an axis: values or a range. */
static void read_numbers(struct ml_reader *r, struct axis_reader *a, int before)
{
    if (ml_node_find_kind(a->from, "values", ML_NODE_LIST)) {
        ml_read_excluded(r, a->from, "values", of_range, N_OF_RANGE);
        read_values(r, a);
    } else if (r->problems.count == before) {
        read_sweep_range(r, a);
    }
}

/* Time begins again in every run, and so does the phase of a drive. */
static void report_frequency(struct ml_reader *r, const struct axis_reader *a)
{
    static const char *const names[] = {"omega", "frequency"};
    for (int i = 0; i < a->axis->n_swept; i++) /* then a run may be a whole number of periods */
        if (r->clock && a->axis->swept[i].path &&
            strcmp(a->axis->swept[i].path, r->clock->path) == 0)
            return;
    for (int i = 0; i < a->axis->n_swept; i++) {
        const char *path = a->axis->swept[i].path;
        const char *last = path ? strrchr(path, '.') : NULL;
        for (size_t k = 0; last && k < sizeof names / sizeof *names; k++)
            if (strcmp(last + 1, names[k]) == 0)
                ml_notice(r, ml_read_location(a->node, "continue"),
                          "the phase of the drive jumps from run to run along `%s`, because each "
                          "run starts at the same time: a motion can leave its branch early; "
                          "measure time in radians of the drive, so that its frequency stays 1",
                          path);
    }
}

/* Only the last axis can be continued, as its runs follow on each other; and not over where they
 * begin. */
static void check_continuation(struct ml_reader *r, const struct axis_reader *a)
{
    const struct ml_instance *model = &r->spec->model;
    const struct ml_location location = ml_read_location(a->node, "continue");
    if (a->axis->continuation == ML_CONTINUE_NONE || !r->slots || !model->system)
        return;
    if (ml_node_find(r->root, ML_SAMPLE_AXIS))
        ml_problem(&r->problems, location,
                   "cannot continue runs of a study with a sample: the points of a sample have no "
                   "order; leave `continue` out, or make the ranges of the sample axes of `sweep`");
    if (a->node->next)
        ml_problem(&r->problems, location,
                   "`continue` is for the last axis of the sweep, which varies fastest; move this "
                   "axis to the end");
    for (int i = 0; i < a->axis->n_swept; i++) {
        const int slot = a->axis->swept[i].slot;
        if (slot >= 0 && ml_slot_is_of_start(model, slot))
            ml_problem(&r->problems, location,
                       "with `continue` a run begins where another ended, whatever `%s` is; sweep "
                       "that on another axis",
                       a->axis->swept[i].path);
    }
    report_frequency(r, a);
}

static void read_axis(struct ml_reader *r, struct axis_reader *a, int number)
{
    static const char *const others[] = {"from", "to", "count", "scale", "values"};
    struct ml_axis *axis = a->axis;
    int before = r->problems.count;
    if (!ml_read_is_map(r, a->node, "an axis must be a map such as {set: ..., values: [...]}"))
        return;
    ml_read_scope(r, a->node, ML_SCOPE_AXIS, axis);
    const struct ml_node *factor = ml_node_find_kind(a->node, "scale_by", ML_NODE_MAP);
    a->set = ml_node_find(a->node, "set");
    axis->swept = a->set ? ml_read_set(r, a->set, &axis->n_swept) : NULL;
    if (!axis->swept) {
        axis->name = NULL;
        return;
    }
    a->from = factor ? factor : a->node;
    const bool has_values = ml_node_find_kind(a->node, "values", ML_NODE_LIST);
    axis->kind = factor                            ? ML_AXIS_FACTOR
                 : axis->n_swept > 1 && has_values ? ML_AXIS_EACH
                                                   : ML_AXIS_SAME;
    set_name(r, a, number);
    check_continuation(r, a);
    if (factor) {
        ml_read_excluded(r, a->node, "scale_by", others, N_OF_RANGE + 1);
        ml_read_scope(r, factor, ML_SCOPE_AXIS_FACTOR, axis);
        if (!ml_read_weights(r, a->set, axis->swept, axis->n_swept))
            return;
    }
    read_numbers(r, a, before);
}

/* Product of the counts; 0 after telling that it is too large. */
static int64_t count_runs(struct ml_reader *r, const struct ml_node *node)
{
    int64_t n_run = 1;
    for (int i = 0; i < r->spec->runs.n_axis; i++) {
        const struct ml_axis *axis = &r->spec->runs.axes[i];
        const int64_t count = axis->count, ways = axis->continuation == ML_CONTINUE_BOTH ? 2 : 1;
        if (count < 1)
            return 0;
        if (n_run > most_runs / ways / count) {
            ml_problem(&r->problems, node->location, "the grid has more than 2^%d runs",
                       (int)ML_INTEGER_BITS);
            return 0;
        }
        n_run *= count;
    }
    return n_run;
}

/* The axis that `continue: both` adds takes a name and a dimension. */
static void check_way(struct ml_reader *r, const struct ml_node *node)
{
    const struct ml_study_spec *spec = r->spec;
    const int n = spec->runs.n_axis;
    if (n == 0 || spec->runs.axes[n - 1].continuation != ML_CONTINUE_BOTH)
        return;
    if (n == ML_MAX_AXES)
        ml_problem(
            &r->problems, node->location,
            "with the axis of `continue: both` the sweep has %d axes but can have at most %d",
            n + 1, (int)ML_MAX_AXES);
    for (int i = 0; i < n; i++)
        if (spec->runs.axes[i].name && strcmp(spec->runs.axes[i].name, way) == 0)
            ml_problem(&r->problems, node->location,
                       "`continue: both` adds an axis `%s`; rename the other axis of this name",
                       way);
}

/* The axis of a sample takes a name. */
static void check_sample(struct ml_reader *r, const struct ml_node *node)
{
    const struct ml_study_spec *spec = r->spec;
    const struct ml_node *axis = node->first;
    for (int i = 0; ml_node_find(r->root, ML_SAMPLE_AXIS) && axis && i < spec->runs.n_axis;
         i++, axis = axis->next)
        if (spec->runs.axes[i].name && strcmp(spec->runs.axes[i].name, ML_SAMPLE_AXIS) == 0)
            ml_problem(&r->problems, ml_read_location(axis, "name"),
                       "the axis of the sample has the name `%s`; rename this axis",
                       ML_SAMPLE_AXIS);
}

/* Puts an axis before the last one, of the two ways along that. */
static void add_way(struct ml_study_spec *spec)
{
    struct ml_swept *swept = ml_pool_take(spec->pool, 1, sizeof *swept);
    double *ways = ml_pool_take(spec->pool, 2, sizeof *ways);
    char *name = ml_pool_text(spec->pool, way, strlen(way));
    struct ml_axis *axis = &spec->runs.axes[spec->runs.n_axis - 1];
    if (!swept || !ways || !name)
        return;
    ways[0] = 1.0;
    ways[1] = -1.0;
    *swept = (struct ml_swept){.path = name,
                               .unit = "1",
                               .doc = "1 from the first value to the last, -1 back from there",
                               .slot = -1,
                               .values = ways,
                               .weight = 1.0};
    axis[1] = axis[0];
    axis[0] = (struct ml_axis){
        .name = name, .count = 2, .kind = ML_AXIS_SAME, .swept = swept, .n_swept = 1};
    spec->runs.n_axis++;
    spec->runs.n *= 2;
}

void ml_read_continuation(struct ml_study_spec *spec)
{
    if (spec->runs.n_axis == 0)
        return;
    const struct ml_axis *last = &spec->runs.axes[spec->runs.n_axis - 1];
    const enum ml_continuation_order continuation = last->continuation;
    const int64_t n = last->count;
    if (continuation == ML_CONTINUE_NONE)
        return;
    spec->runs.continuation = (struct ml_continuation){
        .n_run = continuation == ML_CONTINUE_BOTH ? 2 * n : n,
        .n_forward = continuation == ML_CONTINUE_BACKWARD ? 0 : n,
    };
    if (continuation == ML_CONTINUE_BOTH)
        add_way(spec);
}

void ml_read_sweep(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_study_spec *spec = r->spec;
    int n = node->n_child, i = 0;
    const char **names = ml_pool_take(r->pool, (size_t)n + 1, sizeof *names);
    if (!names)
        return;
    spec->runs.n_axis = n;
    for (const struct ml_node *child = node->first; child; child = child->next, i++) {
        struct axis_reader a = {.node = child, .axis = &spec->runs.axes[i]};
        read_axis(r, &a, i + 1);
        names[i] = a.axis->name;
    }
    ml_read_unique(r, node, names, n);
    check_way(r, node);
    check_sample(r, node);
}

void ml_read_grid(struct ml_reader *r, const struct ml_node *node)
{
    ml_read_hidden(r);
    r->spec->runs.n = count_runs(r, node);
}
