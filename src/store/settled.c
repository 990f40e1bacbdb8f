/* Finds the attractor that each run ends on, and follows attractors over the parameters of a grid.
 */
#include "store/settled.h"

#include <stdlib.h>
#include <string.h>

#define TURN 0x1.921fb54442d18p+2 /* 2 pi, rad */

enum {
    MOST_GROUPS = 1 << 18,
    MOST_RUNS = 256,  /* that are read together */
    NUMBERS = 1 << 20 /* of their points, unless a single run has more */
};

bool ml_settled_is_start(const struct ml_axis *axis)
{
    bool is = !ml_axis_is_way(axis);
    for (int i = 0; i < axis->n_swept && is; i++)
        is = strncmp(axis->swept[i].path, "initial.", strlen("initial.")) == 0;
    return is;
}

/* Number of sets of parameters of a grid, and that of a run. */
static int64_t settled_sets(const struct ml_layout *layout, int64_t run, int64_t *group)
{
    const struct ml_study_spec *spec = &layout->study->spec;
    int64_t n = 1;
    *group = 0;
    if (ml_layout_is_list(layout))
        return 1;
    for (int k = spec->runs.n_axis - 1; k >= 0; run /= spec->runs.axes[k--].count)
        if (!ml_settled_is_start(&spec->runs.axes[k])) {
            *group += n * (run % spec->runs.axes[k].count);
            n *= spec->runs.axes[k].count;
        }
    return n;
}

int64_t ml_settled_group(const struct ml_layout *layout, int64_t run)
{
    int64_t group;
    return settled_sets(layout, run, &group) <= MOST_GROUPS ? group : 0;
}

/* The group before along the last parameter that it is not the first of; -1: it is the first. */
static int64_t settled_before(const struct ml_layout *layout, int64_t group)
{
    const struct ml_study_spec *spec = &layout->study->spec;
    int64_t stride = 1;
    for (int k = spec->runs.n_axis - 1; k >= 0; k--) {
        if (ml_settled_is_start(&spec->runs.axes[k]))
            continue;
        if (group / stride % spec->runs.axes[k].count > 0)
            return group - stride;
        stride *= spec->runs.axes[k].count;
    }
    return -1;
}

/* Sets the modulus of every number of a point; returns how many there are. */
static int settled_measure(const struct ml_event *event, double *modulus)
{
    int n_row = 0;
    for (int k = 0; k < event->n_keep; k++)
        for (int r = 0; r < event->keep[k].n_row; r++, n_row++)
            if (modulus)
                modulus[n_row] = strcmp(event->keep[k].unit, "rad") == 0 ? TURN : 0.0;
    return n_row;
}

/* Zeroed; the error of h5 is set without memory. */
static void *settled_room(struct ml_settled *s, int64_t n, size_t size)
{
    void *room = ml_pool_take(&s->pool, (size_t)n + 1, size);
    ml_h5_need(s->h5, room);
    return room;
}

static void settled_take(struct ml_settled *s)
{
    const struct ml_layout *layout = s->layout;
    int64_t unused;
    const int64_t n_set = settled_sets(layout, 0, &unused);
    s->n_row = settled_measure(s->event, NULL);
    s->n_point = (int)s->event->room;
    s->n_group = n_set <= MOST_GROUPS ? (int)n_set : 1;
    const int64_t own = (int64_t)s->n_point * s->n_row, batch = 1 + NUMBERS / (own + 1);
    s->batch = batch < MOST_RUNS ? batch : MOST_RUNS;
    s->index = settled_room(s, layout->n_run, sizeof *s->index);
    s->found = settled_room(s, s->n_group, sizeof *s->found);
    s->counts = settled_room(s, s->batch, sizeof *s->counts);
    s->kept = settled_room(s, s->batch * own, sizeof *s->kept);
    s->points = settled_room(s, s->batch * own, sizeof *s->points);
    s->modulus = settled_room(s, s->n_row, sizeof *s->modulus);
    if (s->h5->status != ML_OK)
        return;
    (void)settled_measure(s->event, s->modulus);
    for (int g = 0; g < s->n_group; g++)
        s->found[g] = (struct ml_attractors){.metric = {s->n_row, s->modulus, s->event->attractors},
                                             .most = (s->n_point + 1) / 2};
}

void ml_settled_free(struct ml_settled *settled)
{
    for (int g = 0; settled->found && g < settled->n_group; g++)
        ml_attractors_free(&settled->found[g]);
    ml_pool_free(&settled->pool);
}

/* Numbers of an output of `n` runs from row `first` on. */
static void settled_read(const struct ml_settled *s, int output, int64_t first, int64_t n,
                         double *values)
{
    const struct ml_layout *layout = s->layout;
    const struct ml_extent extent = ml_layout_output(layout, output);
    const unsigned long long rows = (unsigned long long)ml_layout_output_rows(layout, output);
    ml_h5_read_range(s->h5, s->summary[output], &extent, H5T_NATIVE_DOUBLE,
                     (unsigned long long)first * rows, (unsigned long long)n * rows, values);
}

/* Points of the runs from `first` on, all that is kept of an event side by side. */
static void settled_read_points(const struct ml_settled *s, int64_t first, int64_t n)
{
    settled_read(s, s->first_output + ML_EVENT_COUNT, first, n, s->counts);
    for (int k = 0, at = 0; k < s->event->n_keep; at += s->event->keep[k++].n_row) {
        const int own = s->event->keep[k].n_row;
        settled_read(s, s->first_output + ML_EVENT_FIRST_KEPT + k, first, n, s->kept);
        for (int64_t i = 0; i < n * s->n_point; i++)
            memcpy(s->points + i * s->n_row + at, s->kept + i * own, (size_t)own * sizeof(double));
    }
}

typedef bool settled_visit_fn(struct ml_settled *s, int64_t run, int n_point, const double *points);

/* Shows a function every run in its order. */
static void settled_each(struct ml_settled *s, settled_visit_fn *visit)
{
    struct ml_h5 *h5 = s->h5;
    const int64_t n_run = s->layout->n_run;
    for (int64_t first = 0; first < n_run && h5->status == ML_OK; first += s->batch) {
        const int64_t n = n_run - first < s->batch ? n_run - first : s->batch;
        settled_read_points(s, first, n);
        for (int64_t i = 0; i < n && h5->status == ML_OK; i++) {
            const double count = s->counts[i]; /* NaN of a run that has failed */
            const int n_point = count > 0.0 ? (int)fmin(count, (double)s->event->most) : 0;
            ml_h5_need(h5, visit(s, first + i, n_point, s->points + i * s->n_point * s->n_row));
        }
    }
}

static struct ml_attractors *settled_of_run(const struct ml_settled *s, int64_t run)
{
    return &s->found[ml_settled_group(s->layout, run)];
}

static bool settled_add(struct ml_settled *s, int64_t run, int n_point, const double *points)
{
    struct ml_attractors *found = settled_of_run(s, run);
    const struct ml_cycle cycle = ml_cycle_of(&found->metric, n_point, points);
    return cycle.end != ML_CYCLE_SETTLED || ml_attractors_add(found, run, &cycle, n_point, points);
}

static bool settled_label(struct ml_settled *s, int64_t run, int n_point, const double *points)
{
    struct ml_attractors *found = settled_of_run(s, run);
    const struct ml_cycle cycle = ml_cycle_of(&found->metric, n_point, points);
    const int i = ml_attractors_label(found, &cycle, n_point, points);
    s->index[run] = i >= 0                            ? i
                    : cycle.end == ML_CYCLE_APERIODIC ? ML_SETTLED_APERIODIC
                    : n_point >= 2                    ? ML_SETTLED_UNDERWAY
                                                      : ML_SETTLED_NOWHERE;
    return true;
}

/* The attractor of a group that is nearest to one of another; -1: none. */
static int settled_nearest(const struct ml_attractors *a, int i, const struct ml_attractors *b)
{
    int nearest = -1;
    double distance = (double)INFINITY;
    for (int j = 0; j < b->n; j++) {
        const double own = ml_attractors_distance(a, i, b, j, distance);
        if (own < distance) {
            distance = own;
            nearest = j;
        }
    }
    return nearest;
}

/* The attractor of the group before that continues as attractor i of a group: of the same period,
 * and each the nearest to the other; -1: none. */
static int settled_match(const struct ml_attractors *now, int i, const struct ml_attractors *before)
{
    const int j = settled_nearest(now, i, before);
    return j >= 0 && settled_nearest(before, j, now) == i ? j : -1;
}

/* Gathers the attractors of all groups, those that are followed from one to the next as one.
 *   map  [n_group] where those of a group begin in `to`; to: which one of the study each is */
static void settled_follow(struct ml_settled *s, const int64_t *map, int *to)
{
    for (int g = 0; g < s->n_group; g++) {
        const int64_t before = settled_before(s->layout, g);
        for (int i = 0; i < s->found[g].n; i++) {
            const struct ml_attractor *own = &s->found[g].found[i];
            const int j = before < 0 || s->n_group == 1
                              ? -1
                              : settled_match(&s->found[g], i, &s->found[before]);
            const int at = j < 0 ? s->n++ : to[map[before] + j];
            struct ml_settled_attractor *all = &s->all[at];
            to[map[g] + i] = at;
            if (j < 0)
                *all = (struct ml_settled_attractor){.group = g, .at = i, .first = own->first};
            all->first = own->first < all->first ? own->first : all->first;
            all->count += own->count;
            all->late += own->late;
        }
    }
}

static void settled_gather(struct ml_settled *s)
{
    const struct ml_layout *layout = s->layout;
    int64_t *map = settled_room(s, s->n_group, sizeof *map);
    int64_t total = 0;
    for (int g = 0; map && g < s->n_group; g++) {
        map[g] = total;
        total += s->found[g].n;
    }
    int *to = settled_room(s, total, sizeof *to);
    s->all = settled_room(s, total, sizeof *s->all);
    if (s->h5->status != ML_OK)
        return;
    settled_follow(s, map, to);
    for (int64_t run = 0; run < layout->n_run; run++)
        if (s->index[run] >= 0)
            s->index[run] = to[map[ml_settled_group(layout, run)] + s->index[run]];
}

/* The output of a name; -1: none. */
static int settled_output(const struct ml_layout *layout, const char *name)
{
    for (int i = 0; i < layout->results.n_output; i++)
        if (strcmp(layout->results.outputs[i].name, name) == 0)
            return i;
    return -1;
}

/* Judges a run by its Lyapunov exponent: chaos, or that a cycle is left. */
static void settled_judge_run(struct ml_settled *s, int64_t run, double exponent, double error)
{
    const bool grows = exponent > 2.0 * error, shrinks = exponent < -2.0 * error;
    int *index = &s->index[run];
    if (*index >= 0) {
        s->all[*index].is_left |= grows;
        s->all[*index].is_kept |= shrinks;
    } else if (*index == ML_SETTLED_APERIODIC && grows) {
        *index = ML_SETTLED_CHAOTIC;
    } else if (*index == ML_SETTLED_APERIODIC && shrinks) {
        *index = ML_SETTLED_UNDERWAY; /* to a cycle, perhaps of a longer period */
    }
}

static void settled_judge(struct ml_settled *s)
{
    const struct ml_layout *layout = s->layout;
    const int largest = settled_output(layout, "lyapunov_max");
    const int error = settled_output(layout, "lyapunov_error");
    if (largest < 0 || error < 0)
        return;
    const int64_t rows = ml_layout_output_rows(layout, error);
    double *values = settled_room(s, (1 + rows) * MOST_RUNS, sizeof *values);
    for (int64_t first = 0; values && first < layout->n_run; first += MOST_RUNS) {
        const int64_t n = layout->n_run - first < MOST_RUNS ? layout->n_run - first : MOST_RUNS;
        settled_read(s, largest, first, n, values);
        settled_read(s, error, first, n, values + MOST_RUNS);
        for (int64_t i = 0; i < n && s->h5->status == ML_OK; i++)
            settled_judge_run(s, first + i, values[i], values[MOST_RUNS + i * rows]);
    }
    s->has_exponents = true;
}

/* Which attractors have no two runs side by side, on a grid of starts. */
static void settled_isolate(struct ml_settled *s)
{
    const struct ml_layout *layout = s->layout;
    const struct ml_study_spec *spec = &layout->study->spec;
    int64_t stride = 1, n_start = 1;
    for (int k = 0; k < spec->runs.n_axis; k++)
        n_start *= ml_settled_is_start(&spec->runs.axes[k]) ? spec->runs.axes[k].count : 1;
    for (int i = 0; i < s->n; i++)
        s->all[i].is_apart = !ml_layout_is_list(layout) && n_start > 1;
    for (int k = spec->runs.n_axis - 1; k >= 0 && !ml_layout_is_list(layout); k--) {
        for (int64_t run = 0; run < layout->n_run && ml_settled_is_start(&spec->runs.axes[k]);
             run++)
            if (s->index[run] >= 0 && run / stride % spec->runs.axes[k].count > 0 &&
                s->index[run - stride] == s->index[run])
                s->all[s->index[run]].is_apart = false;
        stride *= spec->runs.axes[k].count;
    }
}

/* By the number of runs, then in the order of finding. */
static int settled_compare(const void *a, const void *b)
{
    const struct ml_settled_attractor *one = *(struct ml_settled_attractor *const *)a;
    const struct ml_settled_attractor *other = *(struct ml_settled_attractor *const *)b;
    if (one->count != other->count)
        return one->count > other->count ? -1 : 1;
    if (one->first != other->first)
        return one->first < other->first ? -1 : 1;
    return (one > other) - (one < other);
}

static void settled_rank(struct ml_settled *s)
{
    s->order = settled_room(s, s->n, sizeof *s->order);
    if (!s->order)
        return;
    for (int i = 0; i < s->n; i++)
        s->order[i] = &s->all[i];
    qsort(s->order, (size_t)s->n, sizeof *s->order, settled_compare);
    for (int i = 0; i < s->n; i++)
        s->order[i]->label = i + 1;
}

int ml_settled_label(const struct ml_settled *settled, int index)
{
    switch (index) {
    case ML_SETTLED_NOWHERE:
    case ML_SETTLED_UNDERWAY:
        return 0;
    case ML_SETTLED_APERIODIC:
        return settled->n + 1;
    case ML_SETTLED_CHAOTIC:
        return settled->n + 2;
    default:
        return settled->all[index].label;
    }
}

bool ml_settled_find(struct ml_settled *settled, struct ml_h5 *h5, const struct ml_layout *layout,
                     const hid_t *summary, int i_event)
{
    *settled = (struct ml_settled){.h5 = h5,
                                   .layout = layout,
                                   .summary = summary,
                                   .event = &layout->study->ensemble.events[i_event],
                                   .first_output = layout->results.first_of_event[i_event]};
    settled_take(settled);
    settled_each(settled, settled_add);
    for (int g = 0; g < settled->n_group && h5->status == ML_OK; g++)
        ml_h5_need(h5, ml_attractors_merge(&settled->found[g]));
    settled_each(settled, settled_label);
    if (h5->status == ML_OK)
        settled_gather(settled);
    if (h5->status == ML_OK)
        settled_judge(settled);
    if (h5->status != ML_OK)
        return false;
    settled_isolate(settled);
    settled_rank(settled);
    return h5->status == ML_OK;
}
