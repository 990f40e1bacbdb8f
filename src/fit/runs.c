/* The ensemble of the starts underway. */
#include "fit/runs.h"

#include <string.h>

#include "fit/coordinate.h"

/* As `values` of an ensemble. Noise of controllers is that of the first run in every start: the
 * sum of squares is a function of the numbers alone. */
static void runs_values(const void *context, int64_t run, double *values)
{
    const struct ml_starts *s = context;
    const double *z = s->descents[s->underway[run / s->n_experiment]].trial;
    double numbers[ML_FIT_MOST];
    for (int i = 0; i < s->n; i++)
        numbers[i] = ml_fit_number(&s->study->spec.fit.ranges[i], z[i]);
    ml_starts_set(s, (int)(run % s->n_experiment), numbers, values);
}

/* Index of a record among those that are kept. */
static int kept_at(const struct ml_ensemble *e, int record)
{
    int k = 0;
    while (e->saving.records[k] != record)
        k++;
    return k;
}

struct ml_fit_curve ml_fit_curve_of(const struct ml_ensemble *e, const struct ml_block *block,
                                    int64_t j, int record, int row)
{
    const int64_t n_sample = ml_ensemble_samples(e), at = j * ml_record_rows(e, record) + row;
    struct ml_fit_curve curve = {.values = block->records[kept_at(e, record)] + at * n_sample};
    if (e->model.n_sens > 0)
        curve.derivs = block->records[kept_at(e, ml_record_derivs(e, record))] +
                       at * e->model.n_sens * n_sample;
    return curve;
}

static enum ml_status runs_write(void *context, const struct ml_block *block, struct ml_error *err)
{
    struct ml_starts *s = context;
    const struct ml_fit_spec *fit = &s->study->spec.fit;
    double scales[ML_FIT_MOST];
    struct ml_comparison comparison = {.fit = fit,
                                       .measured = s->measured,
                                       .n_sample = ml_ensemble_samples(&s->ensemble),
                                       .n_number = fit->n_direction,
                                       .n_direction = s->n_direction,
                                       .scales = scales,
                                       .detail = s->detail,
                                       .scale = s->scale};
    struct ml_fit_curve curves[ML_FIT_COLUMNS];
    (void)err;
    for (int64_t j = 0; j < block->n_run; j++) {
        const int64_t start = s->underway[(block->first + j) / s->n_experiment],
                      e = (block->first + j) % s->n_experiment;
        comparison.experiment = &fit->experiments[e];
        comparison.rows = fit->experiments[e].ranges;
        for (int c = 0; c < comparison.experiment->n_column; c++) {
            const struct ml_fit_column *of = &fit->columns[comparison.experiment->first + c];
            curves[c] = ml_fit_curve_of(&s->ensemble, block, j, of->record, of->row);
        }
        ml_fit_scales(fit, comparison.experiment, s->descents[start].trial, scales);
        ml_normal_sums(&comparison, block->outcome[j] == ML_FINISHED ? curves : NULL,
                       &s->parts[start * s->n_experiment + e]);
    }
    return ML_OK;
}

/* Runs the trials of the starts underway. */
static enum ml_status runs_evaluate(struct ml_starts *s, const struct ml_ensemble_options *how,
                                    struct ml_error *err)
{
    const struct ml_sink sink = {.context = s, .put = runs_write};
    s->ensemble.block_runs = ml_ensemble_block_runs(&s->ensemble);
    return ml_ensemble_run(&s->ensemble, how, &sink, err);
}

const int *ml_fit_choose_records(struct ml_starts *s, int n_state, int *n)
{
    const struct ml_fit_spec *fit = &s->study->spec.fit;
    const struct ml_system *system = s->study->ensemble.model.system;
    const size_t n_record = (size_t)system->tables.n_record;
    int *records = ml_pool_take(&s->pool, 2 * n_record, sizeof *records);
    *n = 0;
    for (int q = 0; records && q < system->tables.n_record; q++) {
        bool is_seen = q < n_state;
        for (int c = 0; c < fit->n_column; c++)
            is_seen |= fit->columns[c].record == q;
        if (is_seen)
            records[(*n)++] = q;
    }
    const int n_value = *n;
    for (int k = 0; records && s->n_direction > 0 && k < n_value; k++)
        records[(*n)++] = ml_record_derivs(&s->ensemble, records[k]);
    return records;
}

/* Events that move the run: those that stop or set. */
static const struct ml_event *choose_events(struct ml_starts *s, int *n)
{
    const struct ml_study_spec *spec = &s->study->spec;
    struct ml_event *events = ml_pool_take(&s->pool, (size_t)spec->n_event + 1, sizeof *events);
    *n = 0;
    for (int i = 0; events && i < spec->n_event; i++)
        if (spec->events[i].stops || spec->events[i].n_set > 0) {
            events[*n] = spec->events[i];
            events[(*n)++].n_sens = s->n_direction;
        }
    return events;
}

bool ml_fit_runs_prepare(struct ml_starts *s)
{
    const struct ml_fit_spec *fit = &s->study->spec.fit;
    struct ml_ensemble *e = &s->ensemble;
    int n_indicator = 0;
    *e = ml_ensemble_bare(&s->study->ensemble);
    while (ml_ensemble_indicator(e, n_indicator))
        n_indicator++;
    const int n = s->n_direction;
    struct ml_direction *directions = ml_pool_take(&s->pool, (size_t)n + 1, sizeof *directions);
    bool *left_out = ml_pool_take(&s->pool, (size_t)n_indicator + 1, sizeof *left_out);
    if (!directions || !left_out)
        return false;
    for (int i = 0; i < n; i++)
        directions[i] = fit->ranges[fit->experiments[0].ranges[i]].direction;
    memset(left_out, true, (size_t)n_indicator * sizeof *left_out);
    e->model.n_column = e->model.n_sens = n;
    e->n_run = s->n_start * s->n_experiment;
    e->derivatives.directions = directions;
    e->indicators.left_out = left_out;
    e->indicators.n_observable = 0;
    e->events = choose_events(s, &e->n_event);
    e->time.step /= s->measured->n_part;
    e->time.n_step = s->measured->n_step;
    e->indicators.observe_every = e->time.n_step;
    e->numbers.values = runs_values;
    e->numbers.context = s;
    s->evaluate = runs_evaluate;
    e->saving =
        (struct ml_saving){.every = s->measured->every, .run_every = 1, .run_first = e->n_run};
    e->saving.records = ml_fit_choose_records(s, 0, &e->saving.n_record);
    return e->events && e->saving.records;
}
