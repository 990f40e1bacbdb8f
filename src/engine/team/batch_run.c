/* Integrates one batch: takes steps, saves samples and ends with the indicators. */
#include "engine/team/batch_run.h"

#include <string.h>

#include "engine/assess/loop_measures.h"
#include "engine/events/event_watch.h"
#include "engine/events/event_watched.h"
#include "engine/steps/switches.h"

/* Steps at which something happens next. */
struct schedule {
    int64_t observe, renormalise, trace, sample;
};

/* One batch on its way from start to end. */
struct batch_run {
    const struct ml_ensemble *ensemble;
    struct ml_batch *batch;
    struct ml_block *block;
    struct ml_observation observed;
    struct ml_sampler sampler;
    struct schedule next;
    int64_t first;  /* run in lane 0 */
    int n;          /* runs; lanes from n on repeat the last */
    unsigned alive; /* lanes whose run goes on */
};

static int64_t batch_least(int64_t a, int64_t b) { return a < b ? a : b; }

/* A run's index among those of its block. */
static int64_t in_block(const struct batch_run *f, int lane)
{
    return f->first + lane * f->batch->line.stride - f->block->first;
}

/* Gives lanes whose run is over the constants and state of one that goes on: harmless numbers that
 * cost nothing and cannot fail on their own. */
static void freeze(struct batch_run *f)
{
    const struct ml_instance *model = &f->ensemble->model;
    const struct ml_batch *b = f->batch;
    const int donor = __builtin_ctz(f->alive);
    ML_EACH_LANE(lane, ML_ALL_LANES & ~f->alive) {
        ml_lane_copy(ml_rows_constants(model), b->constants, donor, b->constants, lane);
        ml_lane_copy(ml_rows_x(model), b->x, donor, b->x, lane);
        ml_lane_copy(1, b->step, donor, b->step, lane);
    }
}

/* The outcome of one lane's run, of which step k is the last good one. */
static void write_progress(struct batch_run *f, int lane, int64_t k)
{
    const int64_t i = in_block(f, lane);
    const double *step_control = f->batch->step_control;
    f->block->steps[i] =
        step_control ? (int64_t)step_control[ML_STEP_CONTROL_ACCEPTED * ML_LANES + lane] : k;
    f->block->end_time[i] = step_control
                                ? step_control[ML_STEP_CONTROL_TIME * ML_LANES + lane]
                                : ml_batch_times(f->ensemble, f->batch, (double)k).lane[lane];
}

/* s, of step k: that of all runs where something asks for it (config/sections/read_clock.c). */
static double batch_time(const struct batch_run *f, double k)
{
    return ml_batch_times(f->ensemble, f->batch, k).lane[0];
}

/* A number of a result. Which operand's sign a NaN of formulas has is up to the compiler: it gets
 * none. */
static double batch_number(const struct ml_ensemble *e, double value)
{
    return e->model.system->has_formulas && isnan(value) ? (double)NAN : value;
}

/* Writes the results of one lane from output `first` on. */
static void write_outputs(const struct batch_run *f, int lane, int first)
{
    const int64_t run = in_block(f, lane);
    for (int o = first; o < f->batch->outputs.n; o++) {
        const int64_t n_row = f->batch->outputs.rows[o];
        double *own = f->block->summary[o] + run * n_row;
        for (int64_t r = 0; r < n_row; r++) {
            const double value =
                batch_number(f->ensemble, f->batch->outputs.values[o][r * ML_LANES + lane]);
            own[r] = f->batch->n_done > 0
                         ? ml_prolong_join(f->batch->outputs.join[o], own[r], value)
                         : value;
        }
    }
}

/* Ends a run that failed in the step after step k. Where events accumulate theirs are kept. */
static void end_failed(struct batch_run *f, int lane, enum ml_outcome outcome, int64_t k)
{
    if (lane >= f->n)
        return;
    int64_t i = in_block(f, lane);
    const bool has_events = outcome == ML_ZENO;
    const int n_lost = has_events ? f->batch->outputs.first_of_event[0] : f->batch->outputs.n;
    for (int o = 0; o < n_lost; o++) {
        const int64_t n_row = f->batch->outputs.rows[o];
        for (int64_t r = 0; r < n_row; r++)
            f->block->summary[o][i * n_row + r] = (double)NAN;
    }
    write_outputs(f, lane, n_lost);
    f->block->outcome[i] = (int8_t)outcome;
    write_progress(f, lane, k);
    if (has_events)
        f->block->end_time[i] = f->batch->watch.stop_time[lane];
}

static size_t state_bytes(const struct ml_ensemble *e)
{
    return (size_t)ml_rows_x(&e->model) * ML_LANES * sizeof(double);
}

static enum ml_outcome outcome_of(const struct batch_run *f, struct ml_lane_faults faults, int lane)
{
    if ((f->batch->impossible | f->batch->line.lost) >> lane & 1)
        return ML_IMPOSSIBLE_START;
    if (faults.singular >> lane & 1)
        return ML_SINGULAR_MASS;
    if (faults.too_short >> lane & 1)
        return f->batch->watch.ended >> lane & 1 ? ML_ZENO : ML_STEP_TOO_SHORT;
    return faults.too_many >> lane & 1 ? ML_TOO_MANY_STEPS : ML_DIVERGED;
}

/* Takes lanes whose runs are over out of `alive`; the rest of their trajectories is NaN. */
static void drop_lanes(struct batch_run *f, unsigned over)
{
    if (f->sampler.saved && over)
        ml_sampler_fail(&f->sampler, f->alive, over);
    f->alive &= ~over;
}

/* Ends the runs of the lanes that failed in the step after step k. */
static void end_lanes(struct batch_run *f, struct ml_lane_faults faults, int64_t k)
{
    const unsigned failed = faults.nonfinite | faults.singular | faults.too_short | faults.too_many;
    for (int lane = 0; lane < ML_LANES; lane++)
        if (failed >> lane & 1)
            end_failed(f, lane, outcome_of(f, faults, lane), k);
    drop_lanes(f, failed);
}

/* Derivatives of observed records, as far as some indicator asks for them. */
static void measure_derivs(struct batch_run *f, double k)
{
    const struct ml_times times = ml_batch_times(f->ensemble, f->batch, k);
    const struct ml_ensemble *e = f->ensemble;
    const struct ml_batch *b = f->batch;
    for (int q = 0; q < e->model.system->tables.n_record; q++)
        if (b->by_parameters.records[q])
            ml_derivs_of_record(e, b, times.lane, q, b->by_parameters.records[q]);
    if (b->by_parameters.kinetic)
        ml_derivs_of_energy(e, b, b->by_parameters.kinetic, b->by_parameters.potential,
                            k == 0.0 ? b->by_parameters.scale : NULL);
}

/* Measures the batch at step k. */
static void batch_measure_state(struct batch_run *f, double k)
{
    const struct ml_ensemble *e = f->ensemble;
    struct ml_batch *b = f->batch;
    const struct ml_times times = ml_batch_times(e, b, k);
    e->model.system->dynamics.record(&e->model, times.lane, b->constants, b->x, b->work,
                                     b->records.observed);
    if (e->model.system->energy.measure)
        e->model.system->energy.measure(&e->model, b->constants, b->x, b->work, b->energy.kinetic,
                                        b->energy.potential, k == 0.0 ? b->energy.scale : NULL);
    measure_derivs(f, k);
    f->observed.step = k;
    f->observed.time = times.lane[0];
}

static void batch_observe(struct batch_run *f, double k)
{
    batch_measure_state(f, k);
    for (int i = 0; ml_ensemble_indicator(f->ensemble, i); i++) {
        const struct ml_indicator *indicator = ml_ensemble_indicator(f->ensemble, i);
        const bool is_seen =
            k == 0.0 || !ml_looks_at_steps(indicator, &f->batch->indicators.use[i]);
        if (f->batch->indicators.active[i] && indicator->observe && is_seen)
            (k == 0.0 ? indicator->begin : indicator->observe)(
                &f->batch->indicators.use[i], &f->observed, f->batch->indicators.keep[i]);
    }
}

/* Looks at the states of the window up to step k. */
static void observe_until(struct batch_run *f, int64_t k)
{
    double *x = f->batch->x;
    for (; f->next.observe <= k; f->next.observe += f->batch->indicators.observe_every) {
        f->batch->x = ml_window_row(f->ensemble, &f->batch->window, f->next.observe);
        batch_observe(f, (double)f->next.observe);
    }
    f->batch->x = x;
}

/* Takes the rates behind steps from .. to - 1 of the window into the largest so far; where no event
 * may end runs kernels have done so. */
static void measure_rates(struct batch_run *f, int64_t from, int64_t to)
{
    const struct ml_ensemble *e = f->ensemble;
    const struct ml_window *window = &f->batch->window;
    if (!f->batch->indicators.rates || !ml_ensemble_is_watched(e))
        return;
    const int64_t n = e->indicators.rates_mask == 0 ? to - from : 1;
    for (int64_t k = (from | e->indicators.rates_mask) + 1; k <= to;
         k += e->indicators.rates_mask + n) {
        const double *x = window->states ? ml_window_row(e, window, k) : f->batch->x;
        f->batch->kernels.general->largest(&e->model, n, x, f->batch->indicators.rates);
    }
}

static void begin_indicators(struct batch_run *f)
{
    const struct ml_batch *b = f->batch;
    for (int i = 0; ml_ensemble_indicator(f->ensemble, i); i++) {
        const struct ml_indicator *indicator = ml_ensemble_indicator(f->ensemble, i);
        if (b->indicators.active[i] && indicator->keep_rows)
            memset(b->indicators.keep[i], 0,
                   (size_t)indicator->keep_rows(&b->indicators.use[i]) * ML_LANES *
                       sizeof *b->indicators.keep[i]);
    }
    batch_observe(f, 0.0);
    ml_looks_begin(f->ensemble, f->batch);
    if (f->ensemble->indicators.n_tangent > 0)
        ml_renormalise_begin(f->ensemble, f->batch);
}

/* Writes the results of some lanes, whose run ends at step k. */
static void batch_finish(struct batch_run *f, unsigned lanes, double k, enum ml_outcome outcome)
{
    const struct ml_ensemble *e = f->ensemble;
    f->observed.step = k;
    f->observed.time = batch_time(f, k);
    ml_finalise(e, f->batch, &f->observed);
    if (e->continuation.n_run > 0)
        ml_line_state_keep_end(e, f->batch, lanes);
    ml_event_watch_doubt(e, f->batch, lanes);
    for (int lane = 0; lane < f->n; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        write_outputs(f, lane, 0);
        f->block->outcome[in_block(f, lane)] = (int8_t)outcome;
        write_progress(f, lane, (int64_t)ceil(k));
    }
}

/* Ends runs whose indicators know enough; all that happens at step k has happened. */
static void finish_early(struct batch_run *f, int64_t k)
{
    unsigned done = ml_renormalise_done(f->ensemble, f->batch) & f->alive;
    if (!done)
        return;
    batch_finish(f, done, (double)k, ML_FINISHED);
    drop_lanes(f, done);
}

/* Ends the run of a lane at the event that stopped it: what is looked at there is looked at in all
 * lanes, and then forgotten in the others. */
static void finish_at_event(struct batch_run *f, int lane)
{
    const struct ml_ensemble *e = f->ensemble;
    struct ml_batch *b = f->batch;
    const double time = b->watch.stop_time[lane], step = (time - e->time.start) / b->step[lane];
    const double traced = (double)(f->next.trace - ml_trace_every(e));
    const double renormalised = (double)(f->next.renormalise - e->indicators.renormalise_every);
    const size_t course = (size_t)b->n_course * ML_LANES * sizeof *b->course;
    memcpy(b->saved, b->course, course);
    memcpy(b->x, b->watch.x_stop, state_bytes(e));
    if (b->tangents.own && b->tangents.trace) {
        ml_trace_step(e, b, b->window.before, b->watch.stop_time);
        ml_trace_take_step(e, b, b->watch.stop_time);
    } else if (b->tangents.trace) {
        ml_trace_add(e, b, step, fmax(step - traced, 0.0));
    }
    if (b->tangents.own)
        ml_renormalise_chosen(e, b, renormalised, b->watch.stop_time, 1u << lane);
    if (e->indicators.n_tangent > 0 && step > renormalised)
        ml_renormalise(e, b, renormalised, step);
    batch_observe(f, step);
    batch_finish(f, 1u << lane, step, ML_ENDED_BY_EVENT);
    if (lane < f->n)
        f->block->end_time[in_block(f, lane)] = time;
    memcpy(b->course, b->saved, course);
}

/* Ends the runs that an event stopped in the last step. */
static void finish_at_events(struct batch_run *f)
{
    const unsigned done = f->batch->watch.stopped & f->alive;
    for (int lane = 0; lane < f->n; lane++)
        if (done >> lane & 1)
            finish_at_event(f, lane);
    drop_lanes(f, done);
}

/* Tells controllers again the past that they see in the window's last step: where steps were taken
 * again, the rows have the past that they saw in those. */
static void report_again(struct batch_run *f)
{
    struct ml_batch *b = f->batch;
    for (int lane = 0; lane < ML_LANES; lane++)
        if (f->alive >> lane & 1)
            (void)ml_feedback_report(f->ensemble, &b->feedback, lane, b->window.before[lane],
                                     b->window.now[lane]);
}

/* Makes tangent vectors orthonormal behind a window of steps that lanes have chosen. */
static void renormalise_chosen(struct batch_run *f)
{
    const struct ml_ensemble *e = f->ensemble;
    const struct ml_window *window = &f->batch->window;
    ml_renormalise_chosen(e, f->batch,
                          (double)(f->next.renormalise - e->indicators.renormalise_every),
                          window->now, window->stepped & f->alive);
}

/* Looks for events in the window, and observes indicators and measures rates up to the step of each
 * before it may end a run. Observations behind the last step are left to process_due. */
static void look_back(struct batch_run *f)
{
    const struct ml_ensemble *e = f->ensemble;
    struct ml_batch *b = f->batch;
    const unsigned stepped = b->window.stepped;
    int64_t measured = b->window.first;
    if (e->n_event > 0)
        ml_event_watch_scan(e, b);
    if (!ml_ensemble_is_watched(e))
        ml_looks_take(e, b, stepped & f->alive, 0);
    for (int j = 0; ml_ensemble_is_watched(e) && f->alive & stepped; j++) {
        j = ml_event_watch_scan_next(e, b, j, f->alive);
        if (j >= b->window.n_state)
            break;
        observe_until(f, b->window.first + j);
        measure_rates(f, measured, b->window.first + j);
        measured = b->window.first + j;
        ml_event_watch_step(e, b, j, stepped & f->alive);
        if (ml_reset_is_needed(e))
            ml_reset_stop(e, b, stepped & f->alive);
        ml_looks_take(e, b, stepped & f->alive, b->watch.stopped & f->alive);
        finish_at_events(f);
        if (b->tangents.growth_x && (ml_reset_is_needed(e) || e->model.system->switches.n > 0))
            renormalise_chosen(f); /* apart from the jump, which has no length in time */
        if (ml_reset_is_needed(e)) {
            ml_reset_apply(e, b, f->alive);
            end_lanes(f, (struct ml_lane_faults){.too_short = b->watch.ended & f->alive},
                      b->window.first);
        }
        if (e->model.system->switches.n > 0)
            ml_switches_apply(e, b, f->alive);
        report_again(f);
    }
    if (f->alive)
        observe_until(f, b->window.end - 1);
    if (f->alive && !b->window.underway)
        measure_rates(f, measured, b->window.end);
}

/* The first multiple of an interval behind step k. */
static int64_t next_multiple(int64_t every, int64_t k) { return (k / every + 1) * every; }

/* Whether the trace of the Jacobian is added up here every few given steps. */
static bool traces_steps(const struct batch_run *f)
{
    return f->batch->tangents.trace && !f->ensemble->time.is_adaptive &&
           f->batch->window.device_run < 0;
}

static struct schedule first_schedule(const struct batch_run *f)
{
    const struct ml_ensemble *e = f->ensemble;
    /* Lanes that choose their steps meet the samples of their neighbours in other batches too. */
    const bool is_sampled = e->saving.every > 0 && (f->sampler.saved || e->time.is_adaptive);
    const int64_t done = f->batch->n_done;
    return (struct schedule){
        .observe = next_multiple(f->batch->indicators.observe_every, done),
        .renormalise = e->indicators.n_tangent > 0 ? e->indicators.renormalise_every : INT64_MAX,
        .trace = traces_steps(f) ? ml_trace_every(e) : INT64_MAX,
        .sample = is_sampled ? next_multiple(e->saving.every, done) : INT64_MAX,
    };
}

/* What happens at step k, and when it does again. Wherever a run may end all are observed, so that
 * what is measured on one does not depend on when its neighbours end. */
static void process_due(struct batch_run *f, int64_t k)
{
    const struct ml_ensemble *e = f->ensemble;
    struct schedule *next = &f->next;
    const bool is_last = k == e->time.n_step, is_renormalised = k == next->renormalise;
    const bool may_end = is_renormalised && e->time.least_steps > 0 && k >= e->time.least_steps;
    if (traces_steps(f) && (k == next->trace || is_last)) {
        ml_trace_add(e, f->batch, (double)k, (double)(k - next->trace + ml_trace_every(e)));
        next->trace += ml_trace_every(e);
    }
    if (e->indicators.n_tangent > 0 && (is_renormalised || is_last)) {
        ml_renormalise(e, f->batch, (double)(next->renormalise - e->indicators.renormalise_every),
                       (double)k);
        next->renormalise += e->indicators.renormalise_every;
    }
    if (k == next->observe || may_end || is_last)
        batch_observe(f, (double)k);
    if (k == next->observe)
        next->observe += f->batch->indicators.observe_every;
    if (k == next->sample) {
        if (f->sampler.saved)
            ml_sampler_take(&f->sampler, f->alive);
        next->sample += e->saving.every;
    }
    if (may_end && !is_last)
        finish_early(f, k);
}

/* Where the window from step k on is to end. */
static int64_t window_end(const struct batch_run *f, int64_t k)
{
    const struct ml_window *window = &f->batch->window;
    const struct schedule *next = &f->next;
    const int64_t most = window->device_run >= 0    ? f->ensemble->time.n_step
                         : k < window->singly_until ? 1
                                                    : window->most;
    int64_t end = batch_least(f->ensemble->time.n_step, k + most);
    end = batch_least(batch_least(end, next->renormalise), batch_least(next->sample, next->trace));
    return window->states ? end : batch_least(end, next->observe);
}

static void batch_run_begin(struct batch_run *f)
{
    const struct ml_ensemble *e = f->ensemble;
    ml_window_begin(e, f->batch, f->first);
    f->next = first_schedule(f);
    begin_indicators(f);
    if (ml_ensemble_is_watched(e))
        ml_event_watch_begin(e, f->batch);
    if (f->batch->n_done > 0)
        ml_prolong_begin(e, f->batch, f->block, in_block(f, 0), f->n);
    else if (f->sampler.saved)
        ml_sampler_take(&f->sampler, f->alive);
}

/* From start to end; false if it was told to drop the batch. */
static bool batch_run_integrate(struct batch_run *f)
{
    const struct ml_ensemble *e = f->ensemble;
    struct ml_window *window = &f->batch->window;
    batch_run_begin(f);
    while ((window->underway || window->end < e->time.n_step) && f->alive) {
        const unsigned alive = f->alive;
        if (ml_stop_level(f->batch->stop) > 1)
            return false;
        ml_batch_take_kernel(e, f->batch);
        if (!window->underway) {
            window->first = window->end;
            window->end = window_end(f, window->first);
        }
        end_lanes(f, ml_window_take(e, f->batch, alive), window->first);
        if (f->batch->tangents.own && f->batch->tangents.trace)
            ml_trace_step(e, f->batch, window->before, window->now);
        look_back(f);
        if (f->batch->tangents.own && f->batch->tangents.trace && f->alive)
            ml_trace_take_step(e, f->batch, window->now);
        if (f->batch->tangents.own && f->alive)
            renormalise_chosen(f);
        window->underway &= f->alive;
        if (f->alive && !window->underway)
            process_due(f, window->end);
        if (f->alive && (f->alive != alive || window->run >= 0))
            freeze(f);
    }
    batch_finish(f, f->alive, (double)e->time.n_step, ML_FINISHED);
    return true;
}

/* A batch that is loaded. */
static struct batch_run batch_run_load(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                                       int64_t first, int n, struct ml_block *block)
{
    const struct ml_system *system = ensemble->model.system;
    struct batch_run f = {
        .ensemble = ensemble,
        .batch = batch,
        .block = block,
        .observed = {.state = batch->records.state[0],
                     .records = (const double *const *)batch->records.observed,
                     .state_deriv = batch->by_parameters.state,
                     .record_derivs = (const double *const *)batch->by_parameters.records,
                     .kinetic_deriv = batch->by_parameters.kinetic,
                     .potential_deriv = batch->by_parameters.potential,
                     .energy_scale_deriv = batch->by_parameters.scale,
                     .parameters = batch->by_parameters.parameters,
                     .differentiated = batch->by_parameters.differentiated,
                     .derivs = batch->by_parameters.differentiated_deriv},
        .first = first,
        .n = n,
        .alive = ML_ALL_LANES,
    };
    if (batch->step_control)
        f.observed.rejected_steps = batch->step_control + ML_STEP_CONTROL_REJECTED * ML_LANES;
    f.observed.sweep_residual = batch->residual;
    f.observed.doubt = batch->switches.doubt;
    if (system->energy.measure) {
        f.observed.kinetic = batch->energy.kinetic;
        f.observed.potential = batch->energy.potential;
        f.observed.energy_scale = batch->energy.scale;
    }
    ml_sampler_begin(&f.sampler, ensemble, batch, block, first, n);
    ml_batch_load(ensemble, batch, first, n);
    ml_start_refuse(ensemble, batch);
    return f;
}

void ml_batch_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch, int64_t first,
                    int n, struct ml_block *block)
{
    struct batch_run f = batch_run_load(ensemble, batch, first, n, block);
    batch_run_begin(&f);
}

int64_t ml_batch_run(const struct ml_ensemble *ensemble, struct ml_batch *batch, int64_t first,
                     int n, struct ml_block *block)
{
    struct batch_run f = batch_run_load(ensemble, batch, first, n, block);
    ml_loops_measure(ensemble, batch, n, f.observed.loops);
    if (!batch_run_integrate(&f))
        return -1;

    int64_t steps = 0;
    for (int lane = 0; lane < n; lane++)
        steps += block->steps[in_block(&f, lane)] - batch->n_done;
    return steps;
}

/* The state at the end, time t, its derivatives, and the parameters of these. */
static void finalise_measure_state(const struct ml_ensemble *e, struct ml_batch *b, double t)
{
    e->model.system->dynamics.record(&e->model, ml_times(t).lane, b->constants, b->x, b->work,
                                     b->records.state);
    ml_derivs_of_state(e, b, 0, e->model.system->tables.n_state, b->by_parameters.state);
    for (int p = 0; p < e->model.n_sens; p++)
        memcpy(b->by_parameters.parameters + (size_t)p * ML_LANES,
               b->values + (size_t)e->derivatives.directions[p].slot[0] * ML_LANES,
               ML_LANES * sizeof *b->by_parameters.parameters);
}

/* Outputs of an indicator of loops, from the rows of its measure. */
static void finish_loop(const struct ml_indicator *indicator, const struct ml_indicator_use *use,
                        const struct ml_observation *observed, double *const *out)
{
    const double *from = observed->loops[indicator->loop];
    struct ml_output output;
    for (int i = 0; indicator->output(use, i, &output); i++) {
        const size_t size = (size_t)ml_output_rows(&output, use->n) * ML_LANES;
        memcpy(out[i], from, size * sizeof *from);
        from += size;
    }
}

/* Outputs of the indicators that take parameters, or of the others. */
static void finalise_finish(const struct ml_ensemble *e, struct ml_batch *b,
                            const struct ml_observation *observed, bool takes_parameters)
{
    for (int i = 0; ml_ensemble_indicator(e, i); i++) {
        const struct ml_indicator *indicator = ml_ensemble_indicator(e, i);
        double *const *out = b->outputs.values + b->outputs.first[i];
        if (!b->indicators.active[i] || indicator->takes_parameters != takes_parameters)
            continue;
        if (indicator->loop != ML_NO_LOOP)
            finish_loop(indicator, &b->indicators.use[i], observed, out);
        else
            indicator->finish(&b->indicators.use[i], observed, b->indicators.keep[i], out);
    }
}

/* Outputs that are differentiated, and their derivatives. */
static void collect_derivs(const struct ml_ensemble *e, struct ml_batch *b,
                           const struct ml_observation *observed)
{
    double *value = b->by_parameters.differentiated, *deriv = b->by_parameters.differentiated_deriv;
    for (int at = 0; at < e->derivatives.n_differentiated; at++) {
        const int i = e->derivatives.differentiated[at];
        const struct ml_indicator *indicator = ml_ensemble_indicator(e, i);
        struct ml_output output;
        indicator->derivs(&b->indicators.use[i], observed, b->indicators.keep[i], deriv);
        for (int d = 0; indicator->output(&b->indicators.use[i], d, &output); d++) {
            const int64_t size = ml_output_rows(&output, e->model.n) * ML_LANES;
            memcpy(value, b->outputs.values[b->outputs.first[i] + d], (size_t)size * sizeof *value);
            value += size;
            deriv += size * e->model.n_sens;
        }
    }
}

void ml_finalise(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                 const struct ml_observation *observed)
{
    finalise_measure_state(ensemble, batch, observed->time);
    finalise_finish(ensemble, batch, observed, false);
    collect_derivs(ensemble, batch, observed);
    finalise_finish(ensemble, batch, observed, true);
}
