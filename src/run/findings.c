/* Doubts at the end of a run: sweeps of an implicit integrator that have not converged, energies
 * and constraints that drift but should be constant, joints that stick, runs that have not come to
 * an attractor, events and changes of conditions that may be missed. */
#include "run/job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/events/event_watch.h"
#include "engine/steps/loop.h"
#include "store/accuracy.h"
#include "store/opened.h"
#include "store/result_h5.h"

/* How many times as many steps there must be: every sweep gains a power of the step. */
static double sweeps_times(const struct ml_method *method, double largest)
{
    const int n_sweep = method->n_step_stage / method->n_sweep_stage;
    return ceil(10.0 * pow(largest / ML_SWEEPS_CONVERGED, 1.0 / n_sweep)) / 10.0;
}

static void sweeps_report(const struct ml_run_job *job, struct ml_result *result)
{
    const struct ml_method *method = job->ensemble.method;
    size_t n;
    double *residual = ml_opened_numbers(result, "summary/" ML_SWEEP_RESIDUAL, &n), largest;
    char found[200], text[400];
    if (residual && ml_sweeps_say(residual, n, &largest, sizeof found, found)) {
        (void)snprintf(text, sizeof text,
                       "warning: %s: %s; about %.2g times as many steps would do", method->name,
                       found, sweeps_times(method, largest));
        ml_run_job_find(job, text);
    }
    free(residual);
}

/* A number that nothing but the integrator changes: the output with its largest change, a share. */
struct drift {
    const char *path, *what, *drifts, *though;
};

static const struct drift energy_drift = {"summary/energy_drift", "energy", "drifts",
                                          ", though nothing takes or adds any"};
static const struct drift constraint_drift = {"summary/constraint_drift", "constraints", "drift",
                                              " of the sizes of their terms"};

static void drift_report(const struct ml_run_job *job, struct ml_result *result,
                         const struct drift *of)
{
    const double much = 0.01;
    const bool is_adaptive = job->ensemble.time.is_adaptive;
    size_t n, n_large = 0, worst = 0;
    char text[400], which[80] = "";
    double *drift = ml_opened_numbers(result, of->path, &n);
    for (size_t i = 0; drift && i < n; i++) {
        n_large += drift[i] > much;
        worst = drift[i] > much && !(drift[i] <= drift[worst]) ? i : worst;
    }
    if (n > 1)
        (void)snprintf(which, sizeof which, " of %zu of %zu runs", n_large, n);
    if (n_large > 0) {
        (void)snprintf(
            text, sizeof text, "warning: the %s%s %s%s, by %.3g %%%s%s: take a smaller %s%s",
            of->what, which, of->drifts, n > 1 ? " by more than 1 %" : "", 100.0 * drift[worst],
            n > 1 ? " at most" : "", of->though, is_adaptive ? "tolerance" : "step, or steps by ",
            is_adaptive ? "" : "`integrator: {type: tp86, tolerance: 1e-9}`");
        ml_run_job_find(job, text);
    }
    free(drift);
}

/* All exponents of a motion between events add up to the mean trace, whatever the motion is. Where
 * steps are chosen by a tolerance of the state alone, long ones at rest among them, tangent vectors
 * turn too far within a step. Whether anything was told. */
static bool trace_report(const struct ml_run_job *job, struct ml_result *result)
{
    const double much = 0.02; /* of the largest exponent */
    size_t n, n_trace, n_all, n_large = 0, worst = 0;
    double *sum = ml_opened_numbers(result, "summary/" ML_LYAPUNOV_SUM, &n);
    double *trace = ml_opened_numbers(result, "summary/" ML_MEAN_TRACE, &n_trace);
    double *all = ml_opened_numbers(result, "summary/" ML_LYAPUNOV_SPECTRUM, &n_all);
    double largest_share = much;
    char text[400];
    for (size_t i = 0; sum && trace && all && i < n; i++) {
        const size_t n_own = n_all / n;
        double size = fabs(trace[i]);
        for (size_t k = 0; k < n_own; k++)
            size = fmax(size, fabs(all[i * n_own + k]));
        const double share = fabs(sum[i] - trace[i]) / size;
        n_large += share > much;
        worst = share > largest_share ? i : worst;
        largest_share = fmax(largest_share, share);
    }
    if (n_large > 0) {
        (void)snprintf(text, sizeof text,
                       "warning: exponents of %zu of %zu runs do not add up to the mean trace "
                       "(%.3g instead of %.3g 1/s): "
                       "steps are too long for tangent vectors; %s",
                       n_large, n, sum[worst], trace[worst],
                       !job->ensemble.time.is_adaptive            ? "take a smaller step"
                       : job->ensemble.chosen.control.is_of_state ? "leave `error_of` out"
                                                                  : "take a smaller tolerance");
        ml_run_job_find(job, text);
    }
    free(sum);
    free(trace);
    free(all);
    return n_large > 0;
}

/* Parts of the runs: so few are not worth a word; so many without a period look like a limit cycle
 * that nothing drives; and of those without a period such a part may seem to come nearer to
 * something by chance. */
static const double few = 1e-3, most = 0.5, chance = 0.1;

/* A number of an event's group; 0 without it. */
static double attractors_number(struct ml_result *result, const char *event, const char *name)
{
    double value = 0.0;
    struct ml_error *outer = result->h5.err, err = {0};
    ml_h5_enter(&result->h5);
    result->h5.err = &err;
    (void)ml_result_h5_attractors(&result->h5, result->file, event, name, 1, &value);
    result->h5.err = outer;
    ml_h5_leave(&result->h5);
    ml_error_clear(&err);
    return value;
}

static void attractors_report(const struct ml_run_job *job, struct ml_result *result,
                              const struct ml_event *event)
{
    const double underway = attractors_number(result, event->name, "underway_fraction");
    const double aperiodic = attractors_number(result, event->name, "aperiodic_fraction");
    const double chaotic = attractors_number(result, event->name, "chaotic_fraction");
    char text[600];
    if (underway > few && underway > chance * (aperiodic + chaotic)) {
        (void)snprintf(text, sizeof text,
                       "events.%s begins too early: %.4f of the runs still come nearer to "
                       "something and have label 0; take a later `from` and `time.end`",
                       event->name, underway);
        ml_run_job_find(job, text);
    }
    if (aperiodic > most && event->kind == ML_STROBE) {
        (void)snprintf(
            text, sizeof text,
            "events.%s: %.4f of the runs come back to no point of the strobe. If nothing "
            "drives the system, they may be on a limit cycle: label by a section (`when`, "
            "`crosses`, `direction`) in place of `period`. If something does, they are "
            "quasi-periodic, chaotic, or of a period above half of `max`",
            event->name, aperiodic);
        ml_run_job_find(job, text);
    }
}

/* A warning of events whose number could not be followed: the count of such a run is NaN. */
static void events_report(const struct ml_run_job *job, struct ml_result *result,
                          const struct ml_event *event)
{
    char path[300], text[600];
    size_t n, n_outcome, n_unsure = 0;
    (void)snprintf(path, sizeof path, "summary/%s_count", event->name);
    double *count = ml_opened_numbers(result, path, &n);
    double *outcome = ml_opened_numbers(result, "runs/outcome", &n_outcome);
    for (size_t run = 0; count && outcome && run < n; run++)
        n_unsure += isnan(count[run]) && ml_outcome_is_sound((int)outcome[run]);
    if (n_unsure > 0) {
        (void)snprintf(text, sizeof text,
                       "warning: events.%s: in %zu of %zu runs the number turns thousands of times "
                       "within a step, and events may be missed: %s_count is NaN there; take a "
                       "smaller `integrator.step_max` or `time.step`",
                       event->name, n_unsure, n, event->name);
        ml_run_job_find(job, text);
    }
    free(count);
    free(outcome);
}

/* A warning of the condition that could not be followed in the first such run. */
static void conditions_report(const struct ml_run_job *job, struct ml_result *result)
{
    const struct ml_system *system = job->ensemble.model.system;
    size_t n, n_doubtful = 0, first = 0;
    char text[600];
    double *number = ml_opened_numbers(result, "summary/" ML_DOUBTFUL_CONDITION, &n);
    for (size_t run = n; number && run-- > 0;)
        first = number[run] > 0.0 ? (size_t)number[run] : first;
    for (size_t run = 0; number && run < n; run++)
        n_doubtful += first > 0 && number[run] == (double)first;
    if (n_doubtful > 0 && first <= (size_t)system->switches.n) {
        (void)snprintf(
            text, sizeof text,
            "warning: condition `%.200s`: in %zu of %zu runs the compared numbers turn "
            "thousands of times within a step, and changes may be missed (" ML_DOUBTFUL_CONDITION
            " is the number of the condition in these runs); take a smaller `integrator.step_max` "
            "or `time.step`",
            system->switches.conditions[first - 1].text, n_doubtful, n);
        ml_run_job_find(job, text);
    }
    free(number);
}

/* Whether the event is a crossing or an extreme of a number that is no plain state. */
static bool events_may_turn(const struct ml_run_job *job, const struct ml_event *event)
{
    return event->kind != ML_STROBE && event->record >= job->ensemble.model.system->tables.n_state;
}

/* A notice of a joint that dry friction holds: as the friction is smooth at rest, the joint creeps.
 *   share  [n_run] of the time, `stride` apart; NaN without friction */
static void sticking_report_joint(const struct ml_run_job *job, const char *joint, size_t n_run,
                                  size_t stride, const double *share)
{
    const double much = 0.05;
    size_t n_stuck = 0;
    double largest = 0.0;
    char text[400];
    for (size_t run = 0; run < n_run; run++) {
        n_stuck += share[run * stride] > much;
        largest = share[run * stride] > largest ? share[run * stride] : largest;
    }
    (void)snprintf(text, sizeof text,
                   "joint `%.60s` sticks in %zu of %zu runs, for up to %.0f %% of the time: there "
                   "it creeps, slower than the velocity_scale of its friction; a smaller one "
                   "creeps less, and takes smaller steps",
                   joint, n_stuck, n_run, 100.0 * largest);
    if (n_stuck > 0)
        ml_run_job_find(job, text);
}

static void sticking_report(const struct ml_run_job *job, struct ml_result *result)
{
    const struct ml_study_spec *spec = &job->study->spec;
    const size_t n_joint = (size_t)spec->model.n;
    size_t n;
    double *share = ml_opened_numbers(result, "summary/stick_share", &n);
    for (size_t i = 0; share && i < n_joint; i++)
        sticking_report_joint(job, spec->segment_names[i], n / n_joint, n_joint, share + i);
    free(share);
}

/* A notice of runs without margins, and of the reason. */
static void margins_report(const struct ml_run_job *job, struct ml_result *result)
{
    size_t n, n_lost = 0, n_unstable = 0;
    double *roots = ml_opened_numbers(result, "summary/unstable_roots", &n);
    char text[400];
    for (size_t run = 0; roots && run < n; run++) {
        n_lost += isnan(roots[run]);
        n_unstable += roots[run] > 0.0;
    }
    if (roots && n_unstable > 0) {
        (void)snprintf(text, sizeof text,
                       "margins: the closed loop is unstable about its equilibrium in %zu of %zu "
                       "runs, which have none (NaN)",
                       n_unstable, n);
        ml_run_job_find(job, text);
    }
    if (roots && n_lost > 0) {
        (void)snprintf(text, sizeof text,
                       "margins: %zu of %zu runs have none (NaN): no equilibrium was found from "
                       "the targets, a root is on the limit of stability, sample times differ, or "
                       "the run failed",
                       n_lost, n);
        ml_run_job_find(job, text);
    }
    free(roots);
}

/* A notice of runs without a number of a measure of loops.
 *   lacking  "numbers", and behind them the causes besides a run that failed */
static void loops_report(const struct ml_run_job *job, struct ml_result *result,
                         enum ml_loop_measure measure, const char *lacking)
{
    const struct ml_ensemble *e = &job->ensemble;
    const int i = ml_loop_indicator(e, measure);
    if (i < 0)
        return;
    const struct ml_indicator_use use = ml_ensemble_use(e, i);
    struct ml_output output;
    char text[400];
    size_t n, n_lost = 0;
    (void)ml_ensemble_indicator(e, i)->output(&use, 0, &output);
    const size_t rows = (size_t)ml_output_rows(&output, e->model.n);
    (void)snprintf(text, sizeof text, "summary/%s", output.name);
    double *values = ml_opened_numbers(result, text, &n);
    for (size_t run = 0; values && run < n / rows; run++) {
        bool is_lost = true;
        for (size_t k = 0; k < rows; k++)
            is_lost &= isnan(values[run * rows + k]);
        n_lost += is_lost;
    }
    (void)snprintf(text, sizeof text, "%s: %zu of %zu runs have no %s, or the run failed",
                   ml_ensemble_indicator(e, i)->name, n_lost, values ? n / rows : 0, lacking);
    if (n_lost > 0)
        ml_run_job_find(job, text);
    free(values);
}

/* A warning of runs whose poles are not those that were chosen. */
static void placement_report(const struct ml_run_job *job, struct ml_result *result)
{
    const double much = 0.01;
    char text[400];
    size_t n, n_large = 0, worst = 0;
    if (ml_loop_indicator(&job->ensemble, ML_LOOP_PLACEMENT) < 0)
        return;
    double *error = ml_opened_numbers(result, "summary/place_error", &n);
    for (size_t run = 0; error && run < n; run++) {
        n_large += error[run] > much;
        worst = error[run] > much && !(error[run] <= error[worst]) ? run : worst;
    }
    if (n_large > 0) {
        (void)snprintf(text, sizeof text,
                       "warning: place: the poles of %zu of %zu runs are off by more than 1 %% of "
                       "the largest, by %.3g %% at most: the torque hardly controls some motion; "
                       "choose poles that are apart and nearer to those of the chain",
                       n_large, n, 100.0 * error[worst]);
        ml_run_job_find(job, text);
    }
    free(error);
}

void ml_run_job_report_doubts(struct ml_run_job *job, const struct ml_accuracy *accuracy,
                              struct ml_result *result, const char *path)
{
    const struct ml_ensemble *e = &job->ensemble;
    const bool has_sweeps = e->method->n_sweep_stage > 0;
    const bool keeps_energy = ml_keeps_energy(job->study) && !ml_reset_is_needed(e);
    const bool has_constraints = e->model.system->constraints.n > 0;
    const bool has_labels = ml_events_labelled(e->n_event, e->events) > 0;
    const bool has_loops = ml_loop_is_needed(e);
    const bool has_exponents =
        e->indicators.n_tangent > 0 && !ml_reset_is_needed(e) && e->model.system->switches.n == 0;
    bool has_friction = false, has_turns = false;
    struct ml_result *opened = NULL;
    struct ml_error err = {0};
    for (int l = 0; l < e->model.n_law; l++)
        has_friction |= e->model.laws[l].is_dry;
    for (int i = 0; i < e->n_event; i++)
        has_turns |= events_may_turn(job, &e->events[i]);
    ml_run_job_report_accuracy(job, accuracy);
    if (!has_sweeps && !keeps_energy && !has_constraints && !has_labels && !has_friction &&
        !has_loops && !has_exponents && !has_turns && e->model.system->switches.n == 0)
        return;
    if (!result && ml_result_open(path, &opened, &err) == ML_OK)
        result = opened;
    if (result && has_sweeps)
        sweeps_report(job, result);
    if (result && keeps_energy)
        drift_report(job, result, &energy_drift);
    if (result && has_constraints)
        drift_report(job, result, &constraint_drift);
    if (result && has_friction)
        sticking_report(job, result);
    if (result && has_exponents && !trace_report(job, result))
        ml_run_job_report_rest(job, result);
    if (result && has_loops) {
        margins_report(job, result);
        const char *open = "numbers (NaN): no equilibrium was found from the targets, sample times "
                           "differ";
        loops_report(job, result, ML_LOOP_POLES, open);
        loops_report(job, result, ML_LOOP_RESPONSE, open);
        loops_report(
            job, result, ML_LOOP_REGULATOR,
            "gains (NaN): no equilibrium was found from the start and the targets, torques "
            "at the joints that have controllers cannot bring the chain back to the "
            "equilibrium, or `q` leaves out a motion that does not decay by itself");
        loops_report(job, result, ML_LOOP_PLACEMENT,
                     "gains (NaN): no equilibrium was found from the start and the targets, or the "
                     "torque at its joint does not control every motion of the chain");
        placement_report(job, result);
    }
    if (result && e->model.system->switches.n > 0)
        conditions_report(job, result);
    for (int i = 0; result && i < e->n_event; i++)
        if (e->events[i].attractors > 0.0)
            attractors_report(job, result, &e->events[i]);
    for (int i = 0; result && i < e->n_event; i++)
        if (events_may_turn(job, &e->events[i]))
            events_report(job, result, &e->events[i]);
    ml_error_clear(&err);
    ml_result_free(opened);
}
