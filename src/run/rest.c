/* Lyapunov exponents of runs that have come to rest, against the eigenvalues of the Jacobian there:
 * the exponents of steps that are too long for tangent vectors are those of the method's map. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/assess/evaluate.h"
#include "linalg/eigenvalues.h"
#include "run/job.h"
#include "store/opened.h"

/* Runs that are looked at, and sizes of states whose eigenvalues take no time to speak of. */
enum { REST_RUNS = 64, REST_STATES = 32 };

/* One run at its end. */
struct rest {
    const struct ml_ensemble *ensemble;
    double state[REST_STATES], time; /* s */
    double rates[(1 + REST_STATES) * REST_STATES];
    double real[REST_STATES]; /* 1/s, of the eigenvalues, descending */
};

static int rest_by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Rates and their derivatives by the state, at some time; false without numbers. */
static bool rest_rates(struct rest *r, int64_t run, double time)
{
    static const double one = 1.0;
    const int n = ml_rows_state(r->ensemble), first = ml_slot_initial(&r->ensemble->model, 0, 0);
    const struct ml_rates_at at = {r->ensemble, run, r->state, time};
    struct ml_direction directions[REST_STATES];
    struct ml_error unread = {0};
    int slots[REST_STATES];
    for (int i = 0; i < n; i++) {
        slots[i] = first + i;
        directions[i] = (struct ml_direction){1, &slots[i], &one};
    }
    const bool are = ml_rates_find(&at, directions, n, NULL, r->rates, NULL, &unread) == ML_OK;
    ml_error_clear(&unread);
    return are;
}

/* Largest of the rates of the state, 1/s of 1 + its size. */
static double rest_speed(const struct rest *r)
{
    double speed = 0.0;
    for (int i = 0; i < ml_rows_state(r->ensemble); i++)
        speed = fmax(speed, fabs(r->rates[i]) / (1.0 + fabs(r->state[i])));
    return speed;
}

/* Whether the run has come to rest, at any time; then its eigenvalues are found. */
static bool rest_find(struct rest *r, int64_t run)
{
    const double still = 1e-6, other_time = 0.318; /* of the time */
    const int n = ml_rows_state(r->ensemble);
    double complex matrix[REST_STATES * REST_STATES], spectrum[REST_STATES];
    double largest = 0.0;
    bool is_driven = false;
    if (!rest_rates(r, run, other_time * r->time))
        return false;
    for (int i = 0; i < n; i++)
        for (int c = 0; c < n; c++)
            matrix[i * n + c] = r->rates[(1 + c) * n + i];
    double before[REST_STATES];
    memcpy(before, r->rates, sizeof before);
    if (!rest_rates(r, run, r->time))
        return false;
    for (int i = 0; i < n; i++) {
        is_driven |= before[i] != r->rates[i];
        for (int c = 0; c < n; c++)
            is_driven |= creal(matrix[i * n + c]) != r->rates[(1 + c) * n + i];
    }
    if (is_driven || !ml_eigenvalues(n, matrix, spectrum))
        return false;
    for (int i = 0; i < n; i++) {
        r->real[i] = creal(spectrum[i]);
        largest = fmax(largest, cabs(spectrum[i]));
    }
    qsort(r->real, (size_t)n, sizeof *r->real, rest_by_size);
    return rest_speed(r) <= still * largest;
}

/* The end of a run in the datasets of the summary; false: they are not there.
 *   row  of the run in the result, of n_run */
static bool rest_read(struct rest *r, struct ml_result *result, size_t row, size_t n_run)
{
    const struct ml_system *system = r->ensemble->model.system;
    int at = 0;
    for (int q = 0; q < system->tables.n_state; q++) {
        const size_t rows =
            (size_t)ml_quantity_rows(&system->tables.state[q], r->ensemble->model.n);
        char path[160];
        size_t n;
        (void)snprintf(path, sizeof path, "summary/end_%s", system->tables.state[q].name);
        double *values = ml_opened_numbers(result, path, &n);
        const bool is_there = values && n == n_run * rows;
        if (is_there)
            memcpy(r->state + at, values + row * rows, rows * sizeof *values);
        at += (int)rows;
        free(values);
        if (!is_there)
            return false;
    }
    return true;
}

/* The exponent, of n with their errors, that is the farthest from its eigenvalue, beyond the error
 * of a finite time; -1: all are near. */
static int rest_compare(const struct rest *r, int n, const double *exponent, const double *error)
{
    const double errors = 3.0, part = 0.02,
                 turn = 10.0; /* ln of the growth of turning vectors, at most */
    const double time = r->time - r->ensemble->time.start;
    double largest = 0.0, most = 0.0;
    int worst = -1;
    for (int i = 0; i < ml_rows_state(r->ensemble); i++)
        largest = fmax(largest, fabs(r->real[i]));
    for (int c = 0; c < n; c++) {
        const double own = isfinite(error[c]) ? error[c] : largest;
        const double off =
            fabs(exponent[c] - r->real[c]) - (errors * own + part * fabs(r->real[c]) + turn / time);
        worst = off > most ? c : worst;
        most = fmax(most, off);
    }
    return worst;
}

static void rest_say(const struct ml_run_job *job, size_t n_wrong, size_t n, double exponent,
                     double real)
{
    const char *remedy = !job->ensemble.time.is_adaptive            ? "take a smaller step"
                         : job->ensemble.chosen.control.is_of_state ? "leave `error_of` out"
                                                                    : "take a smaller tolerance";
    char text[400];
    (void)snprintf(text, sizeof text,
                   "warning: exponents of %zu of %zu runs that have come to rest are not the "
                   "eigenvalues there (%.3g instead of %.3g 1/s): steps are too long for tangent "
                   "vectors; %s",
                   n_wrong, n, exponent, real, remedy);
    if (n_wrong > 0)
        ml_run_job_find(job, text);
}

void ml_run_job_report_rest(const struct ml_run_job *job, struct ml_result *result)
{
    const struct ml_ensemble *e = &job->ensemble;
    const size_t n_run = (size_t)e->n_run, n_looked = n_run < REST_RUNS ? n_run : REST_RUNS;
    size_t n_all, n_error, n_time, n_rest = 0, n_wrong = 0;
    double worst[2] = {0.0};
    struct rest r = {.ensemble = e};
    if (ml_rows_state(e) > REST_STATES || job->options->shards > 0 || e->continuation.n_run > 0 ||
        e->feedback.n_break > 0 || e->method->is_map)
        return;
    double *all = ml_opened_numbers(result, "summary/" ML_LYAPUNOV_SPECTRUM, &n_all);
    double *error = ml_opened_numbers(result, "summary/lyapunov_error", &n_error);
    double *time = ml_opened_numbers(result, "runs/end_time", &n_time);
    const bool are = all && error && time && n_error == n_all && n_time == n_run;
    const size_t n = are ? n_all / n_run : 0;
    for (size_t i = 0; are && i < n_looked; i++) {
        const size_t run = i * n_run / n_looked;
        r.time = time[run];
        if (isnan(all[run * n]) || !rest_read(&r, result, run, n_run) ||
            !rest_find(&r, (int64_t)run))
            continue;
        const int c = rest_compare(&r, (int)n, all + run * n, error + run * n);
        n_rest++;
        n_wrong += c >= 0;
        if (c >= 0 && n_wrong == 1) {
            worst[0] = all[run * n + (size_t)c];
            worst[1] = r.real[c];
        }
    }
    rest_say(job, n_wrong, n_rest, worst[0], worst[1]);
    free(all);
    free(error);
    free(time);
}
