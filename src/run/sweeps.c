/* Tells at the end of a run where the sweeps of an implicit integrator have not converged. */
#include "run/sweeps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "store/accuracy.h"

/* Numbers of the output in row order, to be freed; NULL if the dataset is absent. */
static double *sweeps_read(struct ml_result *result, size_t *n)
{
    const char *path = "summary/" ML_SWEEP_RESIDUAL;
    struct ml_array_info info = {.size = sizeof info};
    struct ml_error err = {0};
    *n = 1;
    if (!ml_result_find(result, path, &info))
        return NULL;
    for (int k = 0; k < info.rank; k++)
        *n *= (size_t)info.shape[k];
    double *values = calloc(*n, sizeof *values);
    if (values && ml_result_read(result, path, NULL, NULL, values, *n, &err) != ML_OK) {
        free(values);
        values = NULL;
    }
    ml_error_clear(&err);
    return values;
}

/* How many times as many steps there must be: every sweep gains a power of the step. */
static double sweeps_times(const struct ml_method *method, double largest)
{
    const int n_sweep = method->n_step_stage / method->n_sweep_stage;
    return ceil(10.0 * pow(largest / ML_SWEEPS_CONVERGED, 1.0 / n_sweep)) / 10.0;
}

static void sweeps_tell(const struct ml_run_job *job, struct ml_result *result)
{
    const struct ml_method *method = ml_ensemble_method(&job->ensemble);
    size_t n;
    double *residual = sweeps_read(result, &n), largest;
    char found[200], text[400];
    if (residual && ml_sweeps_say(residual, n, &largest, sizeof found, found)) {
        (void)snprintf(text, sizeof text,
                       "warning: %s: %s; about %.2g times as many steps would do", method->name,
                       found, sweeps_times(method, largest));
        ml_run_job_notice(job, text);
    }
    free(residual);
}

void ml_run_job_tell_sweeps(const struct ml_run_job *job, struct ml_result *result,
                            const char *path)
{
    struct ml_result *opened = NULL;
    struct ml_error err = {0};
    if (ml_ensemble_method(&job->ensemble)->n_sweep_stage == 0)
        return;
    if (!result && ml_result_open(path, &opened, &err) == ML_OK)
        result = opened;
    if (result)
        sweeps_tell(job, result);
    ml_error_clear(&err);
    ml_result_free(opened);
}
