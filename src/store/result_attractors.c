/* The labels of runs by where they have settled, in the summary, and /study/attractors: what is at
 * the end of each label. They follow from the kept events of all runs, in the order of the runs, so
 * that shards, threads and resumed runs do not matter. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "basins/boundary.h"
#include "basins/cycle.h"
#include "store/result.h"

#define TURN 0x1.921fb54442d18p+2 /* 2 pi, rad */

enum { AT_ONCE = 256 }; /* runs that are read together */

/* Labels of one event of the study. */
struct attractors_writing {
    struct ml_result_file *result;
    const struct ml_event *event;
    int first;       /* of the event's outputs */
    int n_row;       /* numbers of a point */
    int n_point;     /* room for points of a run */
    double *numbers; /* memory of the next four */
    double *counts;  /* [AT_ONCE] */
    double *kept;    /* [AT_ONCE][n_point][rows of one output] */
    double *points;  /* [AT_ONCE][n_point][n_row] */
    double *modulus; /* [n_row] as of ml_cycle_metric */
    struct ml_attractors found;
    int *index; /* [n_run] of the attractor in `found`; -1 */
    int *label; /* [found.n] */
};

/* Sets the modulus of every number of a point; returns how many there are. */
static int attractors_measure(const struct ml_event *event, double *modulus)
{
    int n_row = 0;
    for (int k = 0; k < event->n_keep; k++)
        for (int r = 0; r < event->keep[k].n_row; r++, n_row++)
            if (modulus)
                modulus[n_row] = strcmp(event->keep[k].unit, "rad") == 0 ? TURN : 0.0;
    return n_row;
}

static bool attractors_take(struct attractors_writing *w)
{
    const size_t n_run = (size_t)w->result->layout->n_run;
    w->n_row = attractors_measure(w->event, NULL);
    w->n_point = (int)w->event->room;
    const size_t size = (size_t)AT_ONCE * (size_t)w->n_point * (size_t)w->n_row;
    w->numbers = malloc((AT_ONCE + 2 * size + (size_t)w->n_row) * sizeof *w->numbers);
    w->index = malloc((n_run + 1) * sizeof *w->index);
    if (!w->numbers || !w->index)
        return false;
    w->counts = w->numbers;
    w->kept = w->counts + AT_ONCE;
    w->points = w->kept + size;
    w->modulus = w->points + size;
    (void)attractors_measure(w->event, w->modulus);
    w->found = (struct ml_attractors){.metric = {w->n_row, w->modulus, w->event->attractors},
                                      .most = (w->n_point + 1) / 2};
    return true;
}

static void attractors_free(struct attractors_writing *w)
{
    free(w->numbers);
    free(w->index);
    free(w->label);
    ml_attractors_free(&w->found);
}

/* Numbers of an output of `n` runs from row `first` on. */
static void attractors_read(const struct attractors_writing *w, int output, int64_t first,
                            int64_t n, double *values)
{
    const struct ml_layout *layout = w->result->layout;
    const struct ml_extent extent = ml_layout_output(layout, output);
    const unsigned long long rows = (unsigned long long)ml_layout_output_rows(layout, output);
    ml_h5_read_range(&w->result->h5, w->result->summary[output], &extent, H5T_NATIVE_DOUBLE,
                     (unsigned long long)first * rows, (unsigned long long)n * rows, values);
}

/* Points of the runs from `first` on, all that is kept of an event side by side. */
static void attractors_read_points(const struct attractors_writing *w, int64_t first, int64_t n)
{
    attractors_read(w, w->first + ML_EVENT_COUNT, first, n, w->counts);
    for (int k = 0, at = 0; k < w->event->n_keep; at += w->event->keep[k++].n_row) {
        const int own = w->event->keep[k].n_row;
        attractors_read(w, w->first + ML_EVENT_FIRST_KEPT + k, first, n, w->kept);
        for (int64_t i = 0; i < n * w->n_point; i++)
            memcpy(w->points + i * w->n_row + at, w->kept + i * own, (size_t)own * sizeof(double));
    }
}

/* Finds where each run of the file has settled. */
static void attractors_find(struct attractors_writing *w)
{
    struct ml_h5 *h5 = &w->result->h5;
    const int64_t n_run = w->result->layout->n_run;
    for (int64_t first = 0; first < n_run && h5->status == ML_OK; first += AT_ONCE) {
        const int64_t n = n_run - first < AT_ONCE ? n_run - first : AT_ONCE;
        attractors_read_points(w, first, n);
        for (int64_t i = 0; i < n && h5->status == ML_OK; i++) {
            const double count = fmin(w->counts[i], (double)w->event->most);
            const int found = ml_attractors_add(&w->found, first + i, count > 0.0 ? (int)count : 0,
                                                w->points + i * w->n_point * w->n_row);
            if (found == -2)
                ml_h5_fail(h5, ML_E_MEMORY, "out of memory");
            w->index[first + i] = found;
        }
    }
}

static void attractors_write_labels(const struct attractors_writing *w)
{
    const struct ml_layout *layout = w->result->layout;
    const int output = w->first + ml_event_label_output(w->event);
    const struct ml_extent extent = ml_layout_output(layout, output);
    double values[AT_ONCE];
    for (int64_t first = 0; first < layout->n_run; first += AT_ONCE) {
        const int64_t n = layout->n_run - first < AT_ONCE ? layout->n_run - first : AT_ONCE;
        for (int64_t i = 0; i < n; i++)
            values[i] = w->index[first + i] < 0 ? 0.0 : w->label[w->index[first + i]];
        ml_h5_write_range(&w->result->h5, w->result->summary[output], &extent, H5T_NATIVE_DOUBLE,
                          (unsigned long long)first, (unsigned long long)n, values);
    }
}

/* What the labels mean, for those who draw them in as many colours: "unsettled", then each
 * attractor with its period. */
static void attractors_name(const struct attractors_writing *w, hid_t dataset)
{
    enum { MOST = 32 }; /* colours that can be told apart, with patience */
    struct ml_pool pool = {0};
    const char *all = "unsettled";
    double values[MOST + 1] = {0.0};
    if (w->found.n > MOST)
        return;
    for (int label = 1; label <= w->found.n; label++) {
        int i = 0;
        while (w->label[i] != label)
            i++;
        values[label] = label;
        all =
            all ? ml_pool_format(&pool, "%s %d:_period_%d", all, label, w->found.period[i]) : NULL;
    }
    if (!all)
        ml_h5_fail(&w->result->h5, ML_E_MEMORY, "out of memory");
    ml_h5_numbers_attribute(&w->result->h5, dataset, "flag_values", H5T_NATIVE_DOUBLE,
                            w->found.n + 1, values);
    ml_h5_text_attribute(&w->result->h5, dataset, "flag_meanings", all);
    ml_pool_free(&pool);
}

/* A dataset along the attractors. */
static void attractors_column(const struct attractors_writing *w, hid_t group, const char *name,
                              const char *unit, const char *doc, bool is_scale,
                              const double *values)
{
    const struct ml_h5_field field = {.name = name,
                                      .type = H5T_NATIVE_DOUBLE,
                                      .unit = unit,
                                      .doc = doc,
                                      .is_scale = is_scale,
                                      .tells_one = is_scale,
                                      .scales = {is_scale ? NULL : "attractor"}};
    ml_result_vector(w->result, group, field, w->found.n, values);
}

/* The last point of each attractor, one dataset for each number that is kept. */
static void attractors_write_points(const struct attractors_writing *w, hid_t group,
                                    const int *order, double *values)
{
    const struct ml_attractors *a = &w->found;
    const struct ml_study *study = w->result->layout->study;
    struct ml_pool pool = {0};
    for (int k = 0, at = 0; k < w->event->n_keep; k++) {
        const struct ml_event_keep *keep = &w->event->keep[k];
        const char *const *labels = ml_result_labels(study, keep->dim, true, keep->n_row, &pool);
        for (int r = 0; r < keep->n_row; r++, at++) {
            const char *name =
                keep->n_row == 1 || !labels
                    ? ml_pool_format(&pool, keep->n_row == 1 ? "%s" : "%s_%d", keep->name, r + 1)
                    : ml_pool_format(&pool, "%s_%s", keep->name, labels[r]);
            for (int i = 0; i < a->n; i++)
                values[i] = a->points[((size_t)order[i] * (size_t)a->most +
                                       (size_t)a->period[order[i]] - 1) *
                                          (size_t)w->n_row +
                                      (size_t)at];
            if (name)
                attractors_column(w, group, name, keep->unit, "at the last event of `first_run`",
                                  false, values);
        }
    }
    if (pool.is_short)
        ml_h5_fail(&w->result->h5, ML_E_MEMORY, "out of memory");
    ml_pool_free(&pool);
}

/* What is known of each attractor. */
static void attractors_write_table(const struct attractors_writing *w, hid_t group)
{
    const struct ml_attractors *a = &w->found;
    const double n_run = (double)w->result->layout->n_run;
    int *order = malloc((size_t)(a->n + 1) * sizeof *order);
    double *values = malloc((size_t)(a->n + 1) * sizeof *values);
    if (!order || !values) {
        ml_h5_fail(&w->result->h5, ML_E_MEMORY, "out of memory");
    } else {
        for (int i = 0; i < a->n; i++)
            order[w->label[i] - 1] = i;
        for (int i = 0; i < a->n; i++)
            values[i] = i + 1.0;
        attractors_column(w, group, "attractor", "1", "the label of its runs", true, values);
        for (int i = 0; i < a->n; i++)
            values[i] = a->period[order[i]];
        attractors_column(w, group, "period", "1", "events after which it repeats", false, values);
        for (int i = 0; i < a->n; i++)
            values[i] = (double)a->first[order[i]];
        attractors_column(w, group, "first_run", "1", "first run that settles there", false,
                          values);
        for (int i = 0; i < a->n; i++)
            values[i] = (double)a->count[order[i]] / n_run;
        attractors_column(w, group, "fraction", "1", "of all runs", false, values);
        for (int i = 0; i < a->n; i++)
            values[i] = sqrt(values[i] * (1.0 - values[i]) / n_run);
        attractors_column(w, group, "fraction_errors", "1",
                          "standard error of the fraction, of runs that are drawn by chance", false,
                          values);
        attractors_write_points(w, group, order, values);
    }
    free(order);
    free(values);
}

static void attractors_number(const struct attractors_writing *w, hid_t group, const char *name,
                              const char *doc, double value)
{
    const struct ml_h5_field field = {
        .name = name, .type = H5T_NATIVE_DOUBLE, .unit = "1", .doc = doc};
    hid_t id = ml_h5_field(&w->result->h5, group, &field);
    ml_h5_write_range(&w->result->h5, id, &field.extent, H5T_NATIVE_DOUBLE, 0, 1, &value);
    ml_h5_close_dataset(&w->result->h5, id);
}

/* How entangled the basins are, on a grid. */
static void attractors_write_boundary(const struct attractors_writing *w, hid_t group)
{
    const struct ml_layout *layout = w->result->layout;
    struct ml_basin_grid grid = {.rank = layout->runs.rank, .n_label = w->found.n + 1};
    if (ml_layout_is_list(layout) || grid.rank == 0 || grid.rank > ML_BASINS_MAX_RANK)
        return;
    for (int k = 0; k < grid.rank; k++)
        grid.size[k] = (int64_t)layout->runs.size[k];
    for (int64_t i = 0; i < layout->n_run; i++) /* the indices are not needed any more */
        w->index[i] = w->index[i] < 0 ? 0 : w->label[w->index[i]];
    grid.label = w->index;
    double error, boundary;
    const double exponent = ml_basins_exponent(&grid, &error);
    const double entropy = ml_basins_entropy(&grid, &boundary);
    attractors_number(w, group, "uncertain_fraction",
                      "runs with another label beside them along an axis",
                      ml_basins_uncertain(&grid, 1));
    attractors_number(
        w, group, "uncertainty_exponent",
        "power of the distance that this grows with, 1, 2, 4, .. cells: dimensions of "
        "the grid less that of the boundary, 1 of a smooth one",
        exponent);
    attractors_number(w, group, "uncertainty_exponent_error", "its standard error", error);
    attractors_number(w, group, "basin_entropy",
                      "mean entropy of the labels in boxes of 5 cells along each axis", entropy);
    attractors_number(w, group, "boundary_basin_entropy",
                      "the same of boxes with several labels; above ln 2 = 0.69 the boundary is "
                      "fractal",
                      boundary);
}

/* Labels and table of one event. */
static void attractors_write(struct attractors_writing *w, hid_t group)
{
    struct ml_h5 *h5 = &w->result->h5;
    if (!attractors_take(w)) {
        ml_h5_fail(h5, ML_E_MEMORY, "out of memory");
        return;
    }
    attractors_find(w);
    if (h5->status != ML_OK)
        return;
    w->label = malloc((size_t)(w->found.n + 1) * sizeof *w->label);
    if (!w->label) {
        ml_h5_fail(h5, ML_E_MEMORY, "out of memory");
        return;
    }
    ml_attractors_rank(&w->found, w->label);
    attractors_write_labels(w);
    attractors_name(w, w->result->summary[w->first + ml_event_label_output(w->event)]);
    hid_t own = ml_h5_group(h5, group, w->event->name, "NXcollection");
    if (w->found.n > 0)
        attractors_write_table(w, own);
    attractors_write_boundary(w, own);
}

void ml_result_write_attractors(struct ml_result_file *result)
{
    const struct ml_layout *layout = result->layout;
    const struct ml_ensemble *e = &layout->study->ensemble;
    hid_t group = -1;
    for (int i = 0; i < e->n_event && result->h5.status == ML_OK; i++) {
        if (e->events[i].attractors > 0.0) {
            struct attractors_writing w = {.result = result,
                                           .event = &e->events[i],
                                           .first = layout->results.first_of_event[i]};
            if (group < 0)
                group = ml_h5_group(&result->h5, result->entry, "attractors", "NXcollection");
            attractors_write(&w, group);
            attractors_free(&w);
        }
    }
}
