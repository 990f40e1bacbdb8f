/* Computes some of the runs again that a result tells the step's error by, and compares. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "run/accuracy.h"

enum { VERIFY_COST = 9 }; /* of one such run with all its steps, in runs of the study */

/* NaN is the same whichever it is: of a run that was not computed there is no number. */
static bool verify_same(const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++)
        if (memcmp((const void *)&a[i], (const void *)&b[i], sizeof *a) != 0 &&
            !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

/* Name of what differs between run i and run j there; NULL: nothing. */
static const char *verify_difference(const struct ml_accuracy *a, int i,
                                     const struct ml_accuracy *there, int j)
{
    for (int k = 0; k < 2; k++)
        if (a->outcomes[k][i] != there->outcomes[k][j])
            return "outcome";
    for (int k = 0; k < ML_N_ACCURACY; k++)
        for (int o = 0; o < a->n_output; o++) {
            const enum ml_accuracy_values which = (enum ml_accuracy_values)k;
            if (!there->outputs[o].is_older &&
                !verify_same(ml_accuracy_row(a, which, o, i), ml_accuracy_row(there, which, o, j),
                             ml_accuracy_rows(a, o)))
                return a->outputs[o].name;
        }
    return NULL;
}

enum ml_status ml_verify_accuracy(const char *path, const struct ml_accuracy *there,
                                  const struct ml_ensemble *ensemble, int64_t n_run,
                                  const struct ml_ensemble_options *how, struct ml_error *err)
{
    const int64_t most = (n_run + VERIFY_COST - 1) / VERIFY_COST;
    const int n = most < there->n ? (int)most : there->n;
    struct ml_accuracy own;
    enum ml_status status = ML_OK;
    if (n <= 0)
        return ML_OK;
    if (!ml_accuracy_is_of(there, ensemble))
        return ml_fail(err, ML_E_FILE, "%s: /study/accuracy has other outputs than its study",
                       path);
    if (!ml_accuracy_describe(&own, ensemble) || !ml_accuracy_take(&own, n))
        status = ml_fail(err, ML_E_MEMORY, "out of memory");
    for (int i = 0; i < n && status == ML_OK; i++) {
        const int j = (int)((int64_t)i * there->n / n);
        own.runs[i] = there->runs[j];
        own.is_finest[i] = there->is_finest[j];
        if (own.runs[i] < 0 || own.runs[i] >= ensemble->n_run)
            status = ml_fail(err, ML_E_FILE, "%s: /study/accuracy has a run %lld", path,
                             (long long)own.runs[i]);
    }
    if (status == ML_OK)
        status = ml_accuracy_compute(&own, ensemble, how, NULL, NULL, err);
    for (int i = 0; i < n && status == ML_OK; i++) {
        const char *what = verify_difference(&own, i, there, (int)((int64_t)i * there->n / n));
        if (what)
            status = ml_fail(err, ML_E_FILE,
                             "%s: run %lld computed again with smaller steps: %s differs", path,
                             (long long)own.runs[i], what);
    }
    ml_accuracy_free(&own);
    return status;
}
