/* How much memory a batch and a block need, and where each array lies in it. */
#include "engine/events/event_watch.h"
#include "engine/kernels/spec.h"
#include "engine/steps/switches.h"
#include "engine/team/batch_run.h"
#include "engine/team/block_writer.h"

static int count_indicators(const struct ml_kernels *kernels)
{
    int n = 0;
    while (kernels->registry->indicators[n])
        n++;
    return n;
}

/* A step of the state and its tangent vectors, or the rates of unit vectors. */
static int work_rows(const struct ml_ensemble *ensemble)
{
    const struct ml_method *method = ensemble->method;
    return ml_rows_x(&ensemble->model) +
           (method->implicit ? ml_rows_implicit(&ensemble->model, method->n_stage)
                             : ml_rows_step(&ensemble->model, ml_method_kept(method)));
}

/* Whether the trace of the Jacobian is added up along the way. */
static bool needs_trace(const struct ml_ensemble *ensemble)
{
    for (int i = 0; ml_ensemble_indicator(ensemble, i); i++)
        if (ml_ensemble_indicator(ensemble, i)->needs_trace && ml_ensemble_measures(ensemble, i))
            return ensemble->indicators.n_tangent == ml_n_x(&ensemble->model);
    return false;
}

/* Whether the rate at which the first tangent vector grows is looked at along the way. */
static bool needs_rate(const struct ml_ensemble *ensemble)
{
    for (int i = 0; ml_ensemble_indicator(ensemble, i); i++)
        if (ml_ensemble_indicator(ensemble, i)->needs_rate && ml_ensemble_measures(ensemble, i))
            return true;
    return false;
}

/* Rows that indicator i keeps. */
static int kept_rows(const struct ml_ensemble *ensemble, int i)
{
    const struct ml_indicator_use use = ml_ensemble_use(ensemble, i);
    const struct ml_indicator *indicator = ml_ensemble_indicator(ensemble, i);
    return ml_ensemble_measures(ensemble, i) && indicator->keep_rows ? indicator->keep_rows(&use)
                                                                     : 0;
}

/* The next n rows of a piece. */
static double *next_rows(double **piece, int n)
{
    double *rows = *piece;
    if (rows)
        *piece += (size_t)n * ML_LANES;
    return rows;
}

static bool has_stops(const struct ml_ensemble *ensemble)
{
    bool stops = false;
    for (int i = 0; i < ensemble->n_event; i++)
        stops |= ensemble->events[i].stops;
    return stops;
}

/* `course` and the arrays that point into it. */
static void place_course(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                         struct ml_batch *batch)
{
    const int n_x = ml_rows_x(&ensemble->model);
    const int n_indicator = count_indicators(ensemble->kernels);
    const int n_trace = needs_trace(ensemble) ? 1 : 0;
    const int n_own = !ensemble->time.is_adaptive || ensemble->indicators.n_tangent == 0
                          ? 0
                          : ML_N_OWN + 2 * n_trace * ml_n_x(&ensemble->model);
    batch->n_course = n_x + 2 * n_trace + n_own;
    for (int i = 0; i < n_indicator; i++)
        batch->n_course += kept_rows(ensemble, i);
    batch->course = ml_rows_take(arena, batch->n_course);
    batch->saved = has_stops(ensemble) ? ml_rows_take(arena, batch->n_course) : NULL;
    batch->indicators.keep =
        ml_arena_take(arena, (size_t)n_indicator, sizeof *batch->indicators.keep);
    double *piece = batch->course;
    batch->x = next_rows(&piece, n_x);
    batch->tangents.trace = n_trace > 0 ? next_rows(&piece, 1) : NULL;
    batch->tangents.trace_sum = n_trace > 0 ? next_rows(&piece, 1) : NULL;
    batch->tangents.own = n_own > 0 ? next_rows(&piece, n_own) : NULL;
    batch->indicators.rates = batch->indicators.drift = NULL;
    for (int i = 0; batch->indicators.keep && i < n_indicator; i++) {
        const enum ml_measure measure = ml_ensemble_measure(ensemble, i);
        batch->indicators.keep[i] = next_rows(&piece, kept_rows(ensemble, i));
        if (measure == ML_LARGEST_RATES)
            batch->indicators.rates = batch->indicators.keep[i];
        if (measure == ML_ENERGY_DRIFT)
            batch->indicators.drift = batch->indicators.keep[i];
    }
}

/* Rows of the orthonormal vectors' bookkeeping. */
static void place_vectors(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                          struct ml_batch *batch)
{
    const int n_x = ml_n_x(&ensemble->model);
    const int n_unit = needs_trace(ensemble) ? n_x * (1 + n_x) : 0;
    const bool is_map = n_unit > 0 && ensemble->method->is_map;
    const int n_r =
        is_map && n_x > ensemble->indicators.n_tangent ? n_x : ensemble->indicators.n_tangent;
    batch->tangents.r = ml_rows_take(arena, ml_tri(n_r, 0));
    batch->tangents.log_r = ml_rows_take(arena, ensemble->indicators.n_tangent);
    batch->tangents.unit_x = ml_rows_take(arena, n_unit);
    batch->tangents.unit_rate = ml_rows_take(arena, n_unit);
    const bool has_rate = ensemble->time.is_adaptive && needs_rate(ensemble);
    batch->tangents.growth_x = has_rate ? ml_rows_take(arena, 2 * n_x) : NULL;
    batch->tangents.growth_rate = has_rate ? ml_rows_take(arena, 2 * n_x) : NULL;
}

/* Whether an indicator that is differentiated looks at the derivatives of a record on the way. */
static bool is_seen_with_derivs(const struct ml_ensemble *ensemble, int i_record)
{
    bool is_seen = false;
    for (int d = 0; d < ensemble->derivatives.n_differentiated; d++) {
        const int i = ensemble->derivatives.differentiated[d];
        const struct ml_indicator_use use = ml_ensemble_use(ensemble, i);
        for (int k = 0; k < ML_MAX_SEES; k++)
            is_seen |=
                use.sees[k] == i_record && ml_ensemble_indicator(ensemble, i)->sees_derivs >> k & 1;
        for (int k = 0; k < use.n_observable; k++)
            is_seen |= use.observables[k].record == i_record;
    }
    return is_seen;
}

/* Derivatives of records, and room for a record at one side of a difference. */
static void place_record_derivs(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                                struct ml_batch *batch)
{
    const int n_record = ensemble->model.system->tables.n_record;
    int most = 0;
    batch->by_parameters.records =
        ml_arena_take(arena, (size_t)n_record, sizeof *batch->by_parameters.records);
    for (int q = 0; q < n_record; q++) {
        const bool is_seen = is_seen_with_derivs(ensemble, q);
        const int n_row = ml_record_rows(ensemble, q);
        double *piece = is_seen ? ml_rows_take(arena, n_row * ensemble->model.n_sens) : NULL;
        if (is_seen || ml_saving_has(&ensemble->saving, ml_record_derivs(ensemble, q)))
            most = n_row > most ? n_row : most;
        if (batch->by_parameters.records)
            batch->by_parameters.records[q] = piece;
    }
    for (int side = 0; side < 2; side++)
        batch->by_parameters.sides[side] = ml_rows_take(arena, most);
}

/* Derivatives for indicators: those that some of them needs on the way, and everything that
 * is known at the end. */
static void batch_layout_place_derivs(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                                      struct ml_batch *batch)
{
    const int n = ensemble->model.n_sens;
    bool needs_energy = false;
    int n_differentiated = 0;
    for (int d = 0; d < ensemble->derivatives.n_differentiated; d++) {
        const int i = ensemble->derivatives.differentiated[d];
        needs_energy |= ml_ensemble_indicator(ensemble, i)->sees_derivs & ML_SEES_ENERGY;
        n_differentiated = ml_ensemble_use(ensemble, i).n_differentiated;
    }
    batch->by_parameters.parameters = ml_rows_take(arena, n);
    batch->by_parameters.state = ml_rows_take(arena, n * ml_rows_state(ensemble));
    place_record_derivs(ensemble, arena, batch);
    batch->by_parameters.kinetic = needs_energy ? ml_rows_take(arena, n) : NULL;
    batch->by_parameters.potential = needs_energy ? ml_rows_take(arena, n) : NULL;
    batch->by_parameters.scale = needs_energy ? ml_rows_take(arena, n) : NULL;
    batch->by_parameters.differentiated = ml_rows_take(arena, n_differentiated);
    batch->by_parameters.differentiated_deriv = ml_rows_take(arena, n_differentiated * n);
}

/* Pointers to the rows of the state quantities, cut from one piece; NULL for the other records. */
static double **state_rows(const struct ml_ensemble *ensemble, struct ml_arena *arena)
{
    const struct ml_system *system = ensemble->model.system;
    int total = ml_rows_state(ensemble);
    double **out = ml_arena_take(arena, (size_t)system->tables.n_record, sizeof *out);
    double *piece = ml_rows_take(arena, total);
    for (int q = 0; out && q < system->tables.n_record; q++) {
        out[q] = q < system->tables.n_state ? piece : NULL;
        if (q < system->tables.n_state)
            piece +=
                (size_t)ml_quantity_rows(&system->tables.state[q], ensemble->model.n) * ML_LANES;
    }
    return out;
}

/* Whether an indicator looks at a record on the way. */
static bool is_seen(const struct ml_ensemble *ensemble, int i_record)
{
    bool is_seen = false;
    for (int i = 0; ml_ensemble_indicator(ensemble, i); i++) {
        const struct ml_indicator_use use = ml_ensemble_use(ensemble, i);
        is_seen |= ml_indicator_sees_record(&use, i_record) && ml_ensemble_measures(ensemble, i);
    }
    return is_seen;
}

/* Rows of the records that some indicator looks at; state quantities are those of `state`. */
static double **seen_rows(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                          double *const *state)
{
    const struct ml_system *system = ensemble->model.system;
    double **out = ml_arena_take(arena, (size_t)system->tables.n_record, sizeof *out);
    for (int q = 0; q < system->tables.n_record; q++) {
        const bool is_needed = is_seen(ensemble, q),
                   is_own = is_needed && q >= system->tables.n_state;
        double *own = is_own ? ml_rows_take(arena, ml_record_rows(ensemble, q)) : NULL;
        if (out)
            out[q] = is_needed && !is_own ? state[q] : own;
    }
    return out;
}

static double **null_rows(struct ml_arena *arena, int n)
{
    double **out = ml_arena_take(arena, (size_t)n, sizeof *out);
    for (int q = 0; out && q < n; q++)
        out[q] = NULL;
    return out;
}

/* Pointers to some samples of each record that is kept. */
static double **tiles(const struct ml_ensemble *ensemble, struct ml_arena *arena)
{
    const int n_record = ml_saving_records(&ensemble->saving);
    double **out = ml_arena_take(arena, (size_t)n_record, sizeof *out);
    for (int k = 0; k < n_record; k++) {
        const int n_row = ml_record_rows(ensemble, ensemble->saving.records[k]);
        double *piece = ml_rows_take(arena, ML_TILE * n_row);
        if (out)
            out[k] = piece;
    }
    return out;
}

/* Uses of the indicators. */
static void place_indicators(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                             struct ml_batch *batch)
{
    const int n_indicator = count_indicators(ensemble->kernels);
    batch->indicators.use =
        ml_arena_take(arena, (size_t)n_indicator, sizeof *batch->indicators.use);
    batch->outputs.first = ml_arena_take(arena, (size_t)n_indicator, sizeof *batch->outputs.first);
    batch->indicators.active =
        ml_arena_take(arena, (size_t)n_indicator, sizeof *batch->indicators.active);
    for (int i = 0; batch->indicators.use && i < n_indicator; i++) {
        batch->indicators.use[i] = ml_ensemble_use(ensemble, i);
        batch->indicators.active[i] = ml_ensemble_measures(ensemble, i);
    }
}

/* Outputs of indicators, then of events. */
static void place_outputs(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                          struct ml_batch *batch)
{
    struct ml_outputs at = {.ensemble = ensemble};
    batch->outputs.n = ml_ensemble_outputs(ensemble);
    batch->outputs.values =
        ml_arena_take(arena, (size_t)batch->outputs.n, sizeof *batch->outputs.values);
    batch->outputs.rows =
        ml_arena_take(arena, (size_t)batch->outputs.n, sizeof *batch->outputs.rows);
    batch->outputs.join =
        ml_arena_take(arena, (size_t)batch->outputs.n, sizeof *batch->outputs.join);
    batch->outputs.first_of_event =
        ml_arena_take(arena, (size_t)ensemble->n_event, sizeof *batch->outputs.first_of_event);
    for (int o = 0; ml_outputs_next(&at); o++) {
        const int n_row = (int)ml_output_rows(&at.output, ensemble->model.n);
        double *piece = ml_rows_take(arena, n_row);
        if (!batch->outputs.values)
            continue;
        batch->outputs.values[o] = piece;
        batch->outputs.rows[o] = n_row;
        batch->outputs.join[o] = at.output.join;
        if (at.k == 1)
            *(ml_ensemble_indicator(ensemble, at.indicator)
                  ? &batch->outputs.first[at.indicator]
                  : &batch->outputs.first_of_event[at.event]) = o;
    }
}

void ml_batch_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                     struct ml_batch *batch)
{
    const struct ml_system *system = ensemble->model.system;
    const int n_x = ml_rows_x(&ensemble->model);

    batch->kernels.general = ml_ensemble_general(ensemble);
    batch->kernels.fastest = ml_kernel_for(ensemble);
    batch->kernels.made = NULL;
    batch->indicators.observe_every = ml_ensemble_observe_every(ensemble);
    batch->stop = (struct ml_stop){0};
    batch->device = (struct ml_device_runs){0};
    batch->n_done = 0;
    batch->run_values = ml_arena_take(arena, (size_t)ensemble->numbers.n, sizeof(double));
    batch->values = ml_rows_take(arena, ensemble->numbers.n);
    batch->step = ml_rows_take(arena, 1);
    batch->constants = ml_rows_take(arena, ml_rows_constants(&ensemble->model));
    ml_derivs_layout(ensemble, arena, &batch->derivs);
    place_course(ensemble, arena, batch);
    batch->x_before = ml_rows_take(arena, n_x);
    batch->step_control =
        ensemble->time.is_adaptive
            ? ml_rows_take(arena,
                           ML_N_STEP_CONTROL + ML_STEP_CONTROL_STATES * ml_n_x(&ensemble->model))
            : NULL;
    batch->residual = ensemble->method->n_sweep_stage > 0 ? ml_rows_take(arena, 1) : NULL;
    batch->work = ml_rows_take(arena, work_rows(ensemble));
    batch->records.tile = tiles(ensemble, arena);
    batch->records.slot = null_rows(arena, system->tables.n_record);
    batch->records.rows = null_rows(arena, system->tables.n_record);
    batch->records.state = state_rows(ensemble, arena);
    batch->records.observed = seen_rows(ensemble, arena, batch->records.state);
    batch->energy.kinetic = ml_rows_take(arena, 1);
    batch->energy.potential = ml_rows_take(arena, 1);
    batch->energy.scale = ml_rows_take(arena, 1);
    place_vectors(ensemble, arena, batch);
    batch_layout_place_derivs(ensemble, arena, batch);
    place_indicators(ensemble, arena, batch);
    place_outputs(ensemble, arena, batch);
    ml_window_layout(ensemble, arena, batch->indicators.observe_every, &batch->window);
    ml_event_watch_layout(ensemble, arena, &batch->window, &batch->watch);
    ml_switches_layout(ensemble, arena, &batch->switches);
    ml_refill_layout(ensemble, arena, batch->indicators.observe_every, &batch->refill);
    ml_line_state_layout(ensemble, arena, &batch->line);
    ml_feedback_layout(ensemble, arena, &batch->feedback);
    ml_looks_layout(ensemble, arena, &batch->looks);
    ml_loop_layout(ensemble, arena, &batch->loop);
}

/* Most trajectories that one block keeps. */
static int64_t most_saved(const struct ml_ensemble *ensemble)
{
    const struct ml_saving *saving = &ensemble->saving;
    return saving->every ? (ensemble->block_runs + saving->run_every - 1) / saving->run_every : 0;
}

void ml_block_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                     struct ml_block *block)
{
    const size_t n_run = (size_t)ensemble->block_runs, n_saved = (size_t)most_saved(ensemble);
    struct ml_outputs at = {.ensemble = ensemble};
    *block = (struct ml_block){0};
    block->outcome = ml_arena_take(arena, n_run, sizeof *block->outcome);
    block->steps = ml_arena_take(arena, n_run, sizeof *block->steps);
    block->end_time = ml_arena_take(arena, n_run, sizeof *block->end_time);
    block->summary =
        ml_arena_take(arena, (size_t)ml_ensemble_outputs(ensemble), sizeof *block->summary);
    for (int i = 0; ml_outputs_next(&at); i++) {
        const size_t n_row = (size_t)ml_output_rows(&at.output, ensemble->model.n);
        double *piece = ml_arena_take(arena, n_run, n_row * sizeof(double));
        if (block->summary)
            block->summary[i] = piece;
    }
    const int n_record = ml_saving_records(&ensemble->saving);
    block->records = ml_arena_take(arena, (size_t)n_record, sizeof *block->records);
    for (int k = 0; k < n_record; k++) {
        const size_t n_row = (size_t)ml_record_rows(ensemble, ensemble->saving.records[k]);
        double *piece = ml_arena_take(
            arena, n_saved,
            ml_product(n_row * sizeof(double), (size_t)ml_ensemble_samples(ensemble)));
        if (block->records)
            block->records[k] = piece;
    }
}

size_t ml_ensemble_thread_bytes(const struct ml_ensemble *ensemble)
{
    struct ml_arena arena = {0};
    struct ml_batch batch;
    struct ml_block block;
    struct ml_ensemble used = *ensemble; /* memory that no run touches is not taken */
    if (used.n_run < used.block_runs)
        used.block_runs = used.n_run;
    ml_batch_layout(&used, &arena, &batch);
    for (int i = 0; i < ML_BUFFERS; i++)
        ml_block_layout(&used, &arena, &block);
    used.saving.every = 0;
    ml_block_layout(&used, &arena, &block); /* the part that a block is written as */
    return arena.used;
}
