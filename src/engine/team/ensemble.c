/* Sizes and descriptions that follow from an ensemble. */
#include "engine/team/ensemble.h"

#include <string.h>

#include "model/equations.h"

const char *ml_outcome_name(int outcome)
{
    static const char *const names[ML_N_OUTCOME] = {
#define X(code, value, name, text) [code] = name,
        ML_OUTCOME_LIST(X)
#undef X
    };
    return outcome >= 0 && outcome < ML_N_OUTCOME ? names[outcome] : NULL;
}

int ml_outcome_is_sound(int outcome)
{
    return outcome == ML_FINISHED || outcome == ML_ENDED_BY_EVENT;
}

void ml_tally_add(struct ml_tally *tally, int outcome, int64_t run, double end_time)
{
    struct ml_outcome_count *count = &tally->count[outcome];
    if (count->runs++ == 0 || run < count->first_run) {
        count->first_run = run;
        count->first_time = end_time;
    }
}

int64_t ml_tally_report(const struct ml_tally *tally, int n, struct ml_outcome_count *out)
{
    int64_t n_sound = 0;
    for (int i = 0; i < ML_N_OUTCOME; i++) {
        if (out && i < n)
            out[i] = tally->count[i];
        n_sound += ml_outcome_is_sound(i) ? tally->count[i].runs : 0;
    }
    return n_sound;
}

static bool ensemble_differentiates(const struct ml_ensemble *ensemble, int i)
{
    for (int d = 0; d < ensemble->derivatives.n_differentiated; d++)
        if (ensemble->derivatives.differentiated[d] == i)
            return true;
    return false;
}

/* Without outputs that depend on other indicators. */
static struct ml_indicator_use use_alone(const struct ml_ensemble *ensemble, int i)
{
    struct ml_indicator_use use = {
        .system = ensemble->model.system,
        .n = ensemble->model.n,
        .n_x = ml_n_x(&ensemble->model),
        .n_tangent = ensemble->indicators.n_tangent,
        .n_sens = ensemble->model.n_sens,
        .is_differentiated = ensemble_differentiates(ensemble, i),
        .is_adaptive = ensemble->time.is_adaptive,
        .has_sweeps = ensemble->method->n_sweep_stage > 0,
        .start = ensemble->time.start,
        .has_samples = ensemble->feedback.has_samples,
        .step = ensemble->time.step,
        .n_step = ensemble->time.n_step,
        .renormalise_every = ensemble->indicators.renormalise_every,
        .settings = ensemble->indicators.settings ? ensemble->indicators.settings[i] : NULL,
    };
    if (ml_ensemble_indicator(ensemble, i)->takes_observables) {
        use.observables = ensemble->indicators.observables;
        use.n_observable = ensemble->indicators.n_observable;
    }
    for (int l = 0; l < ensemble->model.n_law; l++) {
        use.has_friction |= ensemble->model.laws[l].is_dry;
        use.has_controller |= ensemble->model.laws[l].delay > 0;
    }
    use.has_controller |= ml_loop_of_formulas(&ensemble->model) != NULL;
    for (int k = 0; k < use.system->switches.n; k++)
        use.has_conditions |= !use.system->switches.conditions[k].is_linear;
    ml_indicator_sees(ml_ensemble_indicator(ensemble, i), &use);
    return use;
}

/* Rows of all outputs of indicator i. */
static int indicator_rows(const struct ml_ensemble *ensemble, int i)
{
    const struct ml_indicator_use use = use_alone(ensemble, i);
    struct ml_output output;
    int rows = 0;
    for (int k = 0; ml_ensemble_indicator(ensemble, i)->output(&use, k, &output); k++)
        rows += (int)ml_output_rows(&output, ensemble->model.n);
    return rows;
}

struct ml_indicator_use ml_ensemble_use(const struct ml_ensemble *ensemble, int i)
{
    struct ml_indicator_use use = use_alone(ensemble, i);
    for (int d = 0; d < ensemble->derivatives.n_differentiated; d++)
        use.n_differentiated += indicator_rows(ensemble, ensemble->derivatives.differentiated[d]);
    return use;
}

bool ml_ensemble_measures(const struct ml_ensemble *ensemble, int i)
{
    const struct ml_indicator *indicator = ml_ensemble_indicator(ensemble, i);
    struct ml_indicator_use use = ml_ensemble_use(ensemble, i);
    struct ml_output output;
    const bool is_left_out = (ensemble->indicators.left_out && ensemble->indicators.left_out[i] &&
                              !indicator->is_never_left_out) ||
                             indicator->is_on_request;
    const bool is_wanted = !is_left_out || use.settings || use.is_differentiated;
    return is_wanted && indicator->output(&use, 0, &output);
}

enum ml_measure ml_ensemble_measure(const struct ml_ensemble *ensemble, int i)
{
    const struct ml_ensemble *e = ensemble;
    const struct ml_indicator_use use = ml_ensemble_use(e, i);
    const enum ml_measure measure = ml_ensemble_indicator(e, i)->measure;
    const bool has_stages = !e->method->splitting && !ml_ensemble_is_watched(e) && !e->model.n_law;
    if (!ml_ensemble_measures(e, i) || !ml_is_measured(&use, measure))
        return ML_NO_MEASURE;
    return measure == ML_ENERGY_DRIFT && !has_stages ? ML_NO_MEASURE : measure;
}

/* Ticks between looks at a run.
 *   with_steps  indicators that look at steps in place of ticks count too */
static int64_t ensemble_every(const struct ml_ensemble *e, bool with_steps)
{
    for (int i = 0; ml_ensemble_indicator(e, i); i++) {
        const struct ml_indicator *indicator = ml_ensemble_indicator(e, i);
        const struct ml_indicator_use use = ml_ensemble_use(e, i);
        if (ml_ensemble_measures(e, i) && indicator->observe &&
            ml_ensemble_measure(e, i) == ML_NO_MEASURE &&
            (with_steps || !ml_looks_at_steps(indicator, &use)))
            return e->indicators.observe_every;
    }
    return INT64_MAX;
}

int64_t ml_ensemble_observe_every(const struct ml_ensemble *ensemble)
{
    return ensemble_every(ensemble, false);
}

int64_t ml_ensemble_meet_every(const struct ml_ensemble *ensemble)
{
    return ensemble_every(ensemble, true);
}

struct ml_ensemble ml_ensemble_bare(const struct ml_ensemble *ensemble)
{
    struct ml_ensemble e = *ensemble;
    e.model.n_column = e.model.n_sens = 0;
    e.indicators.n_tangent = e.derivatives.n_differentiated = 0;
    e.time.least_steps = 0;
    e.derivatives.directions = NULL;
    e.indicators.settings = NULL;
    e.saving = (struct ml_saving){.run_every = 1};
    return e;
}

double ml_ensemble_rounding(const struct ml_ensemble *ensemble, double t)
{
    return 0x1p-48 * fmax(fabs(t), fabs(ensemble->time.start));
}

bool ml_ensemble_is_before(const struct ml_ensemble *ensemble, double t, double limit)
{
    return limit - t > ml_ensemble_rounding(ensemble, limit);
}

double ml_ensemble_step(const struct ml_ensemble *ensemble, const double *values)
{
    const enum ml_clock_kind clock = ensemble->time.clock;
    const double value = clock == ML_CLOCK_COMMON ? 0.0 : values[ensemble->time.slot];
    const double share = clock == ML_CLOCK_STEP ? ensemble->time.share : 1.0;
    return share * ml_clock_tick(clock, ensemble->time.step, value, ensemble->time.start,
                                 ensemble->time.n_step);
}

int ml_rows_state(const struct ml_ensemble *ensemble)
{
    return ml_slot_forces(&ensemble->model) - ml_slot_initial(&ensemble->model, 0, 0);
}

static const struct ml_quantity derivatives = {
    "sensitivity",
    "SI",
    "derivative of a number of the state by a parameter, in the SI unit of the one per that of the "
    "other",
    {ML_DIM_OUTPUT, ML_DIM_PARAMETER}};

int ml_ensemble_records(const struct ml_ensemble *ensemble)
{
    return ensemble->model.system->tables.n_record + (ensemble->model.n_sens > 0);
}

const struct ml_quantity *ml_ensemble_record(const struct ml_ensemble *ensemble, int i_record)
{
    const struct ml_system *system = ensemble->model.system;
    return i_record < system->tables.n_record ? &system->tables.records[i_record] : &derivatives;
}

int ml_record_size(const struct ml_ensemble *ensemble, enum ml_dim dim)
{
    if (dim == ML_DIM_OUTPUT)
        return ml_rows_state(ensemble);
    if (dim == ML_DIM_PARAMETER)
        return ensemble->model.n_sens;
    return ml_instance_dim(&ensemble->model, dim);
}

int ml_record_rows(const struct ml_ensemble *ensemble, int i_record)
{
    const int of = ml_record_of_derivs(ensemble, i_record);
    if (of >= 0)
        return ml_record_rows(ensemble, of) * ensemble->model.n_sens;
    const struct ml_quantity *record = ml_ensemble_record(ensemble, i_record);
    int rows = 1;
    for (int k = 0; k < ML_MAX_DIM; k++)
        rows *= ml_record_size(ensemble, record->dim[k]);
    return rows;
}

int64_t ml_trajectory_rows(const struct ml_ensemble *ensemble)
{
    int64_t rows = 0;
    for (int k = 0; k < ensemble->saving.n_record; k++)
        rows += ml_record_rows(ensemble, ensemble->saving.records[k]);
    return rows;
}

bool ml_outputs_next(struct ml_outputs *outputs)
{
    const struct ml_ensemble *e = outputs->ensemble;
    const struct ml_indicator *indicator;
    for (; (indicator = ml_ensemble_indicator(e, outputs->indicator)); outputs->indicator++) {
        const struct ml_indicator_use use = ml_ensemble_use(e, outputs->indicator);
        if (ml_ensemble_measures(e, outputs->indicator) &&
            indicator->output(&use, outputs->k++, &outputs->output)) {
            outputs->output.indicator = indicator;
            outputs->output.which = outputs->k - 1;
            return true;
        }
        outputs->k = 0;
    }
    for (; outputs->event < e->n_event; outputs->event++) {
        if (ml_event_output(&e->events[outputs->event], outputs->k++, &outputs->output)) {
            outputs->output.which = outputs->k - 1;
            return true;
        }
        outputs->k = 0;
    }
    return false;
}

int ml_ensemble_outputs(const struct ml_ensemble *ensemble)
{
    struct ml_outputs outputs = {.ensemble = ensemble};
    int n = 0;
    while (ml_outputs_next(&outputs))
        n++;
    return n;
}

int64_t ml_ensemble_samples(const struct ml_ensemble *ensemble)
{
    return ensemble->saving.every ? ensemble->time.n_step / ensemble->saving.every + 1 : 0;
}

double ml_ensemble_sample_time(const struct ml_ensemble *ensemble, int64_t i)
{
    return fma((double)(i * ensemble->saving.every), ensemble->time.step, ensemble->time.start);
}

bool ml_results_describe(const struct ml_ensemble *ensemble, struct ml_pool *pool,
                         struct ml_results *out)
{
    struct ml_outputs at = {.ensemble = ensemble};
    const size_t n = (size_t)ml_ensemble_outputs(ensemble);
    *out = (struct ml_results){.outputs = ml_pool_take(pool, n, sizeof *out->outputs),
                               .first = ml_pool_take(pool, n + 1, sizeof *out->first),
                               .first_of_event =
                                   ml_pool_take(pool, (size_t)ensemble->n_event, sizeof(int)),
                               .n_sample = ml_ensemble_samples(ensemble)};
    if (pool->is_short)
        return false;
    for (int o = 0; ml_outputs_next(&at); o++) {
        out->outputs[o] = at.output;
        out->first[o + 1] = out->first[o] + ml_output_rows(&at.output, ensemble->model.n);
        if (!ml_ensemble_indicator(ensemble, at.indicator) && at.k == 1)
            out->first_of_event[at.event] = o;
    }
    out->n_output = (int)n;
    return true;
}

int64_t ml_ensemble_blocks(const struct ml_ensemble *ensemble)
{
    return (ensemble->n_run + ensemble->block_runs - 1) / ensemble->block_runs;
}

int64_t ml_ensemble_runs_of_block(const struct ml_ensemble *ensemble, int64_t index)
{
    int64_t left = ensemble->n_run - index * ensemble->block_runs;
    return left < ensemble->block_runs ? left : ensemble->block_runs;
}

/* Doubles that one trajectory takes. */
static double trajectory_size(const struct ml_ensemble *ensemble)
{
    if (!ensemble->saving.every)
        return 0.0;
    return (double)ml_trajectory_rows(ensemble) * (double)ml_ensemble_samples(ensemble);
}

/* Doubles of a run's summary. */
static double summary_size(const struct ml_ensemble *ensemble)
{
    struct ml_outputs outputs = {.ensemble = ensemble};
    double rows = 0.0;
    while (ml_outputs_next(&outputs))
        rows += (double)ml_output_rows(&outputs.output, ensemble->model.n);
    return rows;
}

static int64_t ensemble_gcd(int64_t a, int64_t b) { return b ? ensemble_gcd(b, a % b) : a; }

const struct ml_kernel *ml_ensemble_general(const struct ml_ensemble *ensemble)
{
    int i = 0;
    while (strcmp(ensemble->kernels->registry->systems[i]->name, ensemble->model.system->name) != 0)
        i++;
    return ensemble->kernels->general[i];
}

/* Whole lines, as many as are integrated side by side. */
static int64_t ensemble_whole_lines(const struct ml_ensemble *ensemble, int64_t runs)
{
    const int64_t n_line = ensemble->n_run / ensemble->continuation.n_run;
    const int64_t side_by_side =
        (n_line < ML_LANES ? n_line : ML_LANES) * ensemble->continuation.n_run;
    return (runs > side_by_side ? runs / side_by_side : 1) * side_by_side;
}

/* A block is long enough for its part file to cost little (some milliseconds for a few tenths of a
 * second of work), short enough to lose and to wait for, and its results fit in memory. There are
 * at least 16, for threads to share and for Ctrl-C not to lose all, and at most a million. */
int64_t ml_ensemble_block_runs(const struct ml_ensemble *ensemble)
{
    const double target_work = 1e7;    /* steps of a double pendulum with four evaluations */
    const double target_doubles = 2e6; /* 16 MB of results, two blocks per thread */
    const double most_runs = 65536.0, least_blocks = 16.0, most_blocks = 1e6;
    double n = ensemble->model.n;
    double stages = ensemble->method->n_step_stage;
    double work_per_run = (double)ensemble->time.n_step * stages / 4.0 * (n * (1.0 + n) / 6.0);
    double runs = fmin(target_work / work_per_run, most_runs);
    runs = fmin(runs, (double)ensemble->n_run / least_blocks);
    runs = fmin(runs, target_doubles / summary_size(ensemble));
    runs = fmax(runs, (double)ensemble->n_run / most_blocks);
    double size = trajectory_size(ensemble) / (double)ensemble->saving.run_every;
    if (size > 0.0)
        runs = fmin(runs, target_doubles / size);
    int64_t batches = (int64_t)(runs / ML_LANES);
    int64_t block = (batches > 0 ? batches : 1) * ML_LANES;
    if (ensemble->continuation.n_run > 0)
        return ensemble_whole_lines(ensemble, block);
    /* Whole periods of saved runs, if that is not many more: then every block keeps the same number
     * of trajectories. */
    int64_t every = ensemble->saving.every ? ensemble->saving.run_every : 1;
    int64_t unit = every <= block ? every / ensemble_gcd(every, ML_LANES) * ML_LANES : block;
    return unit <= block ? block / unit * unit : block;
}
