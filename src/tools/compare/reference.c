/* Computes the end states that errors of integrators are measured against, twice, and finds the
 * runs in which that determines them. */
#include "tools/compare/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/fail.h"
#include "manylink/outcome.h"

/* Two ways to the same end state. Each is the mean of runs with slightly different tolerances, so
 * with other steps: rounding, the rest of the error, averages out. */
struct reference_pair {
    const char *name, *check;
    double tolerance, check_tolerance;
    int n; /* runs of each */
};

static const struct reference_pair of_smooth = {"baker109", "verner98", 3e-16, 3e-16, 4},
                                   of_stiff = {"rodas4", "rodas4", 1e-13, 1e-12, 1};
static const double next_tolerance = 0.9; /* of that of the run before */

/* Pilots: how many steps the motion needs, and whether it is stiff. */
static const char explicit_pilot[] = "tp86", implicit_pilot[] = "rodas4";
static const double pilot_tolerance = 1e-3;
static const double stiff = 10.0;                           /* ratio of their evaluations */
static const double pilot_patience = 10.0, patience = 60.0; /* s of CPU time */

enum ml_status ml_compare_sample_init(struct ml_compare_sample *sample,
                                      const struct ml_study *study, struct ml_error *err)
{
    const double golden_ratio = 0x1.9e3779b97f4a8p+0;
    const int64_t n = ml_study_runs(study);
    *sample = (struct ml_compare_sample){
        .info.size = sizeof sample->info,
        .n_run = n < ML_COMPARE_RUNS ? (int)n : ML_COMPARE_RUNS,
    };
    /* Run i is at the fractional part of i times the golden ratio of the way through all runs. */
    for (int i = 0; i < sample->n_run; i++) {
        const double way = (double)i * golden_ratio;
        sample->runs[i] = n <= ML_COMPARE_RUNS ? i : (int64_t)((way - floor(way)) * (double)n);
    }
    const enum ml_status status = ml_trial_open(study, &sample->trial, err);
    if (status == ML_OK)
        ml_trial_info(sample->trial, &sample->info);
    return status;
}

void ml_compare_sample_free(struct ml_compare_sample *sample) { ml_trial_free(sample->trial); }

bool ml_compare_outcome_init(struct ml_compare_outcome *outcome,
                             const struct ml_compare_sample *sample)
{
    enum { COLUMNS = 5 };
    const size_t n = (size_t)sample->n_run, n_state = (size_t)sample->info.n_state;
    double *at = calloc(n * (n_state + COLUMNS), sizeof *at);
    *outcome = (struct ml_compare_outcome){.memory = at, .of.size = sizeof outcome->of};
    outcome->of.outcome = calloc(n, sizeof *outcome->of.outcome);
    if (!at || !outcome->of.outcome)
        return false;
    outcome->of.evaluations = at;
    outcome->of.steps = at + n;
    outcome->of.rejected = at + 2 * n;
    outcome->of.residual = at + 3 * n;
    outcome->of.drift = at + 4 * n;
    outcome->of.end = at + COLUMNS * n;
    return true;
}

void ml_compare_outcome_free(struct ml_compare_outcome *outcome)
{
    free(outcome->memory);
    free(outcome->of.outcome);
    *outcome = (struct ml_compare_outcome){0};
}

static const double *reference_end(const struct ml_compare_sample *sample,
                                   const struct ml_compare_outcome *outcome, int i)
{
    return outcome->of.end + (size_t)i * (size_t)sample->info.n_state;
}

double ml_compare_difference(const struct ml_compare_sample *sample,
                             const struct ml_compare_outcome *outcome,
                             const struct ml_compare_outcome *truth, int i, int first, int end)
{
    const double *x = reference_end(sample, outcome, i), *y = reference_end(sample, truth, i);
    double most = 0.0;
    for (int r = first; r < end && !isnan(most); r++) {
        const double d = fabs(x[r] - y[r]);
        most = isfinite(d) ? fmax(most, d) : (double)NAN;
    }
    return most;
}

double ml_compare_distance(const struct ml_compare_sample *sample,
                           const struct ml_compare_outcome *outcome,
                           const struct ml_compare_outcome *truth, int i)
{
    const double *y = reference_end(sample, truth, i);
    double most = 0.0;
    for (int r = 0; r < sample->info.n_state && !isnan(most); r++) {
        const double d = ml_compare_difference(sample, outcome, truth, i, r, r + 1);
        most = isnan(d) ? d : fmax(most, d / (1.0 + fabs(y[r])));
    }
    return most;
}

static enum ml_status reference_integrate(const struct ml_compare_sample *sample, const char *name,
                                          double tolerance, double may_take,
                                          struct ml_compare_outcome *out, struct ml_error *err)
{
    const struct ml_trial_options how = {.size = sizeof how,
                                         .integrator = name,
                                         .tolerance = tolerance,
                                         .runs = sample->runs,
                                         .n_run = sample->n_run,
                                         .is_compensated = 1,
                                         .patience = may_take,
                                         .stop = sample->stop,
                                         .context = sample->context};
    return ml_trial_integrate(sample->trial, &how, &out->of, err);
}

/* Mean per run; infinite if a run failed, or all took too long. */
static double reference_evaluations(const struct ml_compare_sample *sample,
                                    const struct ml_compare_outcome *outcome)
{
    double sum = 0.0;
    for (int i = 0; i < sample->n_run && !outcome->of.is_late; i++)
        sum += ml_outcome_is_sound(outcome->of.outcome[i]) ? outcome->of.evaluations[i]
                                                           : (double)INFINITY;
    return outcome->of.is_late ? (double)INFINITY : sum / sample->n_run;
}

/* Evaluations that the motion takes explicit methods, and whether it is stiff. */
static enum ml_status reference_explore(const struct ml_compare_sample *sample,
                                        struct ml_compare_outcome *scratch, bool *is_stiff,
                                        double *evaluations, struct ml_error *err)
{
    enum ml_status status =
        reference_integrate(sample, explicit_pilot, pilot_tolerance, pilot_patience, scratch, err);
    *is_stiff = false;
    if (status != ML_OK)
        return status;
    *evaluations = reference_evaluations(sample, scratch);
    status =
        reference_integrate(sample, implicit_pilot, pilot_tolerance, pilot_patience, scratch, err);
    if (status != ML_OK)
        return status;
    const double by_implicit = reference_evaluations(sample, scratch);
    *is_stiff = *evaluations > stiff * by_implicit;
    if (!isfinite(*evaluations))
        *evaluations = isfinite(by_implicit) ? stiff * by_implicit : 1000.0;
    return ML_OK;
}

/* The tightest limit within which there are at least half as many runs as within the widest, a
 * hundredth of the coarsest accuracy that is asked for: those beyond it are chaotic. */
static double reference_limit(const double *distance, int n)
{
    const double limits[] = {1e-8, 1e-7, 1e-6, 1e-5}, enough = 0.5;
    enum { N = sizeof limits / sizeof *limits };
    int within[N] = {0}, k = 0;
    for (int i = 0; i < n; i++)
        for (int l = 0; l < N; l++)
            within[l] += distance[i] <= limits[l];
    while (k < N - 1 && within[k] < enough * within[N - 1])
        k++;
    return limits[k];
}

/* Reduces the sample, and the reference's outcome with it, to the runs that it determines. */
static void reference_reduce(struct ml_compare_sample *sample, struct ml_compare_outcome *truth,
                             const struct ml_compare_outcome *check,
                             struct ml_comparison_reference *about)
{
    double distance[ML_COMPARE_RUNS];
    int n = 0;
    for (int i = 0; i < sample->n_run; i++)
        distance[i] = ml_outcome_is_sound(truth->of.outcome[i]) &&
                              truth->of.outcome[i] == check->of.outcome[i]
                          ? ml_compare_distance(sample, check, truth, i)
                          : (double)NAN;
    about->determined = reference_limit(distance, sample->n_run);
    for (int i = 0; i < sample->n_run; i++) {
        about->unfinished += isnan(distance[i]);
        about->undetermined += distance[i] > about->determined;
        if (!(distance[i] <= about->determined))
            continue;
        about->difference = fmax(about->difference, distance[i]);
        const size_t row = (size_t)sample->info.n_state;
        memmove(truth->of.end + (size_t)n * row, truth->of.end + (size_t)i * row,
                row * sizeof(double));
        truth->of.outcome[n] = truth->of.outcome[i];
        truth->of.drift[n] = truth->of.drift[i];
        sample->runs[n++] = sample->runs[i];
    }
    about->compared = n;
    if (n > 0)
        sample->n_run = n;
}

static enum ml_status reference_check(const struct ml_comparison_reference *about,
                                      struct ml_error *err)
{
    if (about->compared > 0)
        return ML_OK;
    return ml_fail(err, ML_E_INPUT,
                   "cannot compare integrators: of %lld runs %lld do not reach the end, and "
                   "%lld have an end state that not even a tolerance of %g determines, as in "
                   "chaos; compare over a shorter time",
                   (long long)about->runs, (long long)about->unfinished,
                   (long long)about->undetermined, about->tolerance);
}

/* Adds a share of the end states; a run that failed once has failed. */
static void reference_add(const struct ml_compare_sample *sample,
                          const struct ml_compare_outcome *one, double share, bool is_first,
                          struct ml_compare_outcome *mean)
{
    for (int i = 0; i < sample->n_run; i++) {
        const size_t at = (size_t)i * (size_t)sample->info.n_state;
        if (is_first || !ml_outcome_is_sound(one->of.outcome[i]))
            mean->of.outcome[i] = one->of.outcome[i];
        mean->of.drift[i] = (is_first ? 0.0 : mean->of.drift[i]) + share * one->of.drift[i];
        for (int r = 0; r < sample->info.n_state; r++)
            mean->of.end[at + (size_t)r] = (is_first ? 0.0 : mean->of.end[at + (size_t)r]) +
                                           share * one->of.end[at + (size_t)r];
    }
}

/* Mean of n runs by one method; *is_late if they take too long. */
static enum ml_status reference_mean(const struct ml_compare_sample *sample, const char *name,
                                     double tolerance, int n, struct ml_compare_outcome *one,
                                     struct ml_compare_outcome *mean, struct ml_error *err)
{
    enum ml_status status = ML_OK;
    for (int k = 0; k < n && status == ML_OK; k++) {
        status = reference_integrate(sample, name, tolerance, patience, one, err);
        mean->of.is_late = one->of.is_late;
        if (status != ML_OK || one->of.is_late)
            break;
        reference_add(sample, one, 1.0 / n, k == 0, mean);
        tolerance *= next_tolerance;
    }
    return status;
}

/* Both references; truth is their mean, if they are equally good. */
static enum ml_status reference_compute(const struct ml_compare_sample *sample,
                                        const struct reference_pair *pair,
                                        struct ml_compare_outcome *one,
                                        struct ml_compare_outcome *truth,
                                        struct ml_compare_outcome *check, struct ml_error *err)
{
    enum ml_status status =
        reference_mean(sample, pair->name, pair->tolerance, pair->n, one, truth, err);
    if (status == ML_OK && !truth->of.is_late)
        status =
            reference_mean(sample, pair->check, pair->check_tolerance, pair->n, one, check, err);
    if (status == ML_OK && (truth->of.is_late || check->of.is_late))
        return ml_fail(err, ML_E_INPUT,
                       "cannot compare integrators: %d runs to tolerance %g take longer "
                       "than %g s; compare over a shorter time, or with fewer runs",
                       sample->n_run, pair->tolerance, patience);
    for (size_t k = 0; pair->tolerance == pair->check_tolerance && status == ML_OK &&
                       k < (size_t)sample->n_run * (size_t)sample->info.n_state;
         k++)
        truth->of.end[k] = 0.5 * truth->of.end[k] + 0.5 * check->of.end[k];
    return status;
}

enum ml_status ml_compare_refer(struct ml_compare_sample *sample, struct ml_compare_outcome *truth,
                                struct ml_comparison_reference *about, double *evaluations,
                                struct ml_error *err)
{
    struct ml_compare_outcome one, check;
    bool is_stiff = false, is_there = ml_compare_outcome_init(&check, sample);
    is_there &= ml_compare_outcome_init(&one, sample);
    enum ml_status status = is_there
                                ? reference_explore(sample, &one, &is_stiff, evaluations, err)
                                : ml_fail(err, ML_E_MEMORY, "no memory to compare integrators");
    const struct reference_pair *pair = is_stiff ? &of_stiff : &of_smooth;
    about->integrator = pair->name;
    about->tolerance = pair->tolerance;
    about->check = pair->check;
    about->check_tolerance = pair->check_tolerance;
    about->means = pair->n;
    about->is_stiff = is_stiff;
    about->runs = sample->n_run;
    if (status == ML_OK)
        status = reference_compute(sample, pair, &one, truth, &check, err);
    if (status == ML_OK) {
        reference_reduce(sample, truth, &check, about);
        status = reference_check(about, err);
    }
    ml_compare_outcome_free(&check);
    ml_compare_outcome_free(&one);
    return status;
}
