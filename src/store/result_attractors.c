/* The labels of runs by where they have settled, in the summary, and /study/attractors: the
 * attractor of each label, and how entangled the basins are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "basins/boundary.h"
#include "plan/drawn.h"
#include "plan/labels.h"
#include "store/result.h"
#include "store/settled.h"

enum {
    AT_ONCE = 256, /* labels that are written together */
    MOST_BANDS = 1 << 24
};

/* Part of all runs that is without an attractor in one way. */
static double attractors_without(const struct ml_settled *s, enum ml_settled_without way)
{
    const int64_t n_run = s->layout->n_run;
    int64_t count = 0;
    for (int64_t i = 0; i < n_run; i++)
        count += s->index[i] == (int)way;
    return (double)count / (double)n_run;
}

static void attractors_write_labels(const struct ml_settled *s, hid_t dataset)
{
    const struct ml_layout *layout = s->layout;
    const struct ml_extent extent =
        ml_layout_output(layout, s->first_output + ml_event_label_output(s->event));
    double values[AT_ONCE];
    for (int64_t first = 0; first < layout->n_run; first += AT_ONCE) {
        const int64_t n = layout->n_run - first < AT_ONCE ? layout->n_run - first : AT_ONCE;
        for (int64_t i = 0; i < n; i++)
            values[i] = ml_settled_label(s, s->index[first + i]);
        ml_h5_write_range(s->h5, dataset, &extent, H5T_NATIVE_DOUBLE, (unsigned long long)first,
                          (unsigned long long)n, values);
    }
}

static int attractors_period(const struct ml_settled *s, int i)
{
    return s->found[s->order[i]->group].found[s->order[i]->at].period;
}

/* The meaning of the labels, for viewers that draw them in as many colours: "unsettled", each
 * attractor with its period, and motions without a period. */
static void attractors_name(const struct ml_settled *s, hid_t dataset, double aperiodic,
                            double chaotic)
{
    enum { MOST = 32 }; /* colours that can be told apart, with patience */
    struct ml_pool pool = {0};
    const char *all = "unsettled";
    double values[MOST + 3];
    int n = s->n;
    if (n > MOST)
        return;
    for (int i = 0; i < s->n && all; i++)
        all = ml_pool_format(&pool, "%s %d:_period_%d", all, i + 1, attractors_period(s, i));
    if (all && aperiodic + chaotic > 0.0)
        all = ml_pool_format(&pool, "%s %d:_%s", all, ++n,
                             s->has_exponents ? "quasi-periodic" : "no_period");
    if (all && chaotic > 0.0)
        all = ml_pool_format(&pool, "%s %d:_chaotic", all, ++n);
    ml_h5_need(s->h5, all);
    for (int label = 0; label <= n; label++)
        values[label] = label;
    ml_h5_numbers_attribute(s->h5, dataset, "flag_values", H5T_NATIVE_DOUBLE, n + 1, values);
    ml_h5_text_attribute(s->h5, dataset, "flag_meanings", all);
    ml_pool_free(&pool);
}

enum { N_COLUMN = ML_DATA_EXACT_STARTS - ML_DATA_ATTRACTOR + 1 };

/* The number of attractor i in a column, in the order of the rows from ATTRACTOR on. */
static double attractors_entry(const struct ml_settled *s, int i, int column)
{
    const struct ml_settled_attractor *own = s->order[i];
    const double n_run = (double)s->layout->n_run, fraction = (double)own->count / n_run;
    const bool is_exact = !own->is_kept && (own->is_left || own->is_apart);
    const double numbers[N_COLUMN] = {own->label,
                                      attractors_period(s, i),
                                      (double)own->first,
                                      fraction,
                                      sqrt(fraction * (1.0 - fraction) / n_run),
                                      (double)own->late / n_run,
                                      is_exact};
    return numbers[column];
}

/* A point of each attractor, one dataset for each number that is kept. */
static void attractors_write_points(const struct ml_result_group *group, const struct ml_settled *s,
                                    double *values)
{
    const struct ml_study *study = s->layout->study;
    struct ml_pool pool = {0};
    for (int k = 0, at = 0; k < s->event->n_keep; k++) {
        const struct ml_event_keep *keep = &s->event->keep[k];
        const char *const *labels = ml_dim_labels(study, keep->dim, true, keep->n_row, &pool);
        for (int r = 0; r < keep->n_row; r++, at++) {
            const char *name =
                keep->n_row == 1 || !labels
                    ? ml_pool_format(&pool, keep->n_row == 1 ? "%s" : "%s_%d", keep->name, r + 1)
                    : ml_pool_format(&pool, "%s_%s", keep->name, labels[r]);
            for (int i = 0; i < s->n; i++)
                values[i] = ml_attractor_points(
                    &s->found[s->order[i]->group],
                    s->order[i]->at)[(attractors_period(s, i) - 1) * s->n_row + at];
            const struct ml_result_item item = {.name = name, .unit = keep->unit};
            if (name)
                ml_result_write_dataset(group, ML_DATA_ATTRACTOR_NAME, &item, values);
        }
    }
    ml_h5_need(s->h5, !pool.is_short);
    ml_pool_free(&pool);
}

/* The table of the attractors. */
static void attractors_write_table(const struct ml_result_group *group, const struct ml_settled *s)
{
    double *values = malloc((size_t)(s->n + 1) * sizeof *values);
    if (!ml_h5_need(s->h5, values))
        return;
    for (int c = 0; c < N_COLUMN; c++) {
        for (int i = 0; i < s->n; i++)
            values[i] = attractors_entry(s, i, c);
        ml_result_write_dataset(group, (enum ml_dataset)(ML_DATA_ATTRACTOR + c), NULL, values);
    }
    attractors_write_points(group, s, values);
    free(values);
}

/* A scale with the numbers of an axis. */
static void attractors_scale(struct ml_result_file *result, hid_t group, const struct ml_axis *axis)
{
    const struct ml_h5_field field = {.name = axis->name,
                                      .type = H5T_NATIVE_DOUBLE,
                                      .unit = ml_drawn_unit(axis, ML_DRAWN_MEMBER),
                                      .is_scale = true,
                                      .tells_one = true};
    double *values = malloc((size_t)axis->count * sizeof *values);
    if (!ml_h5_need(&result->h5, values))
        return;
    for (int64_t i = 0; i < axis->count; i++)
        values[i] = ml_drawn_number(axis, i);
    ml_result_vector(result, group, field, axis->count, values);
    free(values);
}

/* The fractions of the attractors over the parameters of the grid. */
static void attractors_write_bands(const struct ml_result_group *group, const struct ml_settled *s)
{
    struct ml_result_file *result = group->result;
    const struct ml_layout *layout = s->layout;
    const struct ml_study_spec *spec = &layout->study->spec;
    const double part = (double)s->n_group / (double)layout->n_run;
    struct ml_h5_field field = ml_result_field(layout, group->dims, ML_DATA_FRACTIONS, NULL);
    const int64_t n = (int64_t)s->n_group * s->n;
    double *values = n <= MOST_BANDS ? calloc((size_t)n, sizeof *values) : NULL;
    if (n > MOST_BANDS || !ml_h5_need(&result->h5, values))
        return;
    for (int k = 0; k < spec->runs.n_axis; k++)
        if (!ml_settled_is_start(&spec->runs.axes[k]))
            attractors_scale(result, group->id, &spec->runs.axes[k]);
    for (int64_t run = 0; run < layout->n_run; run++)
        if (s->index[run] >= 0)
            values[ml_settled_group(layout, run) * s->n + s->all[s->index[run]].label - 1]++;
    for (int64_t i = 0; i < n; i++)
        values[i] *= part;
    field.is_whole = true;
    ml_h5_dataset(&result->h5, group->id, &field, H5T_NATIVE_DOUBLE, values);
    free(values);
}

/* Whether the grid is one of starts alone, evenly spaced along every axis. */
static bool attractors_has_basins(const struct ml_layout *layout)
{
    bool has = !ml_layout_is_list(layout) && layout->runs.rank > 0 &&
               layout->runs.rank <= ML_BASINS_MAX_RANK;
    for (int k = 0; k < layout->study->spec.runs.n_axis && has; k++) {
        const struct ml_axis *axis = &layout->study->spec.runs.axes[k];
        has = axis->count == 1 ||
              (ml_settled_is_start(axis) && axis->kind != ML_AXIS_EACH && ml_drawn_is_even(axis));
    }
    return has;
}

/* How entangled the basins are. The indices become labels: they are not needed any more. */
static void attractors_write_boundary(const struct ml_result_group *group,
                                      const struct ml_settled *s)
{
    const struct ml_layout *layout = s->layout;
    struct ml_basin_grid grid = {.rank = layout->runs.rank, .label = s->index, .n_label = s->n + 3};
    struct ml_basin_scaling scaling;
    double boundary, uncertain;
    if (s->n == 0 || !attractors_has_basins(layout))
        return;
    for (int k = 0; k < grid.rank; k++)
        grid.size[k] = (int64_t)layout->runs.size[k];
    for (int64_t i = 0; i < layout->n_run; i++)
        s->index[i] = ml_settled_label(s, s->index[i]);
    ml_basins_exponent(&grid, &scaling);
    const double entropy = ml_basins_entropy(&grid, &boundary);
    (void)ml_basins_uncertain(&grid, 1, 1, &uncertain);
    const struct ml_result_dim dims[] = {{ML_DATA_DISTANCE, scaling.n}, {ML_DATA_NONE}};
    const struct ml_result_group to = {group->result, group->id, dims};
    ml_result_write_dataset(&to, ML_DATA_UNCERTAIN_FRACTION, NULL, &uncertain);
    ml_result_write_dataset(&to, ML_DATA_UNCERTAINTY_EXPONENT, NULL, &scaling.exponent);
    ml_result_write_dataset(&to, ML_DATA_UNCERTAINTY_EXPONENT_ERROR, NULL, &scaling.error);
    if (scaling.n > 0) {
        ml_result_write_dataset(&to, ML_DATA_DISTANCE, NULL, scaling.distance);
        ml_result_write_dataset(&to, ML_DATA_UNCERTAIN_FRACTIONS, NULL, scaling.uncertain);
        ml_result_write_dataset(&to, ML_DATA_UNCERTAINTY_SLOPES, NULL, scaling.slope);
    }
    ml_result_write_dataset(&to, ML_DATA_BASIN_ENTROPY, NULL, &entropy);
    ml_result_write_dataset(&to, ML_DATA_BOUNDARY_BASIN_ENTROPY, NULL, &boundary);
}

/* Labels and table of one event. */
static void attractors_write(struct ml_result_file *result, const struct ml_settled *s, hid_t above)
{
    const hid_t dataset = s->summary[s->first_output + ml_event_label_output(s->event)];
    const double aperiodic = attractors_without(s, ML_SETTLED_APERIODIC);
    const double chaotic = attractors_without(s, ML_SETTLED_CHAOTIC);
    const double failed = attractors_without(s, ML_SETTLED_NOWHERE);
    const double underway = attractors_without(s, ML_SETTLED_UNDERWAY);
    attractors_write_labels(s, dataset);
    attractors_name(s, dataset, aperiodic, chaotic);
    const struct ml_result_dim dims[] = {{ML_DATA_ATTRACTOR, s->n}, {ML_DATA_NONE}};
    const struct ml_result_group group = {
        result, ml_h5_group(s->h5, above, s->event->name, "NXcollection"), dims};
    if (s->n > 0)
        attractors_write_table(&group, s);
    if (s->n > 0 && s->n_group > 1)
        attractors_write_bands(&group, s);
    ml_result_write_dataset(&group, ML_DATA_FAILED_FRACTION, NULL, &failed);
    ml_result_write_dataset(&group, ML_DATA_UNDERWAY_FRACTION, NULL, &underway);
    ml_result_write_dataset(
        &group, s->has_exponents ? ML_DATA_QUASIPERIODIC_FRACTION : ML_DATA_APERIODIC_FRACTION,
        NULL, &aperiodic);
    ml_result_write_dataset(&group, ML_DATA_CHAOTIC_FRACTION, NULL, &chaotic);
    attractors_write_boundary(&group, s);
}

void ml_result_write_attractors(struct ml_result_file *result)
{
    const struct ml_ensemble *e = &result->layout->study->ensemble;
    hid_t group = -1;
    for (int i = 0; i < e->n_event && result->h5.status == ML_OK; i++) {
        struct ml_settled settled;
        if (e->events[i].attractors <= 0.0)
            continue;
        if (group < 0)
            group = ml_h5_group(&result->h5, result->entry, "attractors", "NXcollection");
        if (ml_settled_find(&settled, &result->h5, result->layout, result->summary, i))
            attractors_write(result, &settled, group);
        ml_settled_free(&settled);
    }
}
