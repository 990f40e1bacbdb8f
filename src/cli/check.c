/* manylink evaluate --check-derivatives: every derivative of a study against differences. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/check.h"
#include "engine/check_derivatives.h"
#include "study/study.h"

/* Beyond what rounding makes of differences. */
static const double limit = 1e-8;

static int report(const struct ml_study *study, int64_t run, const double *error)
{
    int worst = 0, n_bad = 0;
    for (int v = 0; v < study->ensemble.n_value; v++) {
        bool is_good = error[v] <= limit; /* NaN is not */
        printf("%-40s %9.1e%s\n", study->value_names[v], error[v], is_good ? "" : "  wrong");
        n_bad += !is_good;
        worst = !(error[v] <= error[worst]) ? v : worst;
    }
    printf("run %lld: %d derivatives of dx/dt at the start, tangents by %s; worst %.1e: %s\n",
           (long long)run, study->ensemble.n_value,
           study->ensemble.system->has_tangents ? "closed form" : "central differences",
           error[worst], study->value_names[worst]);
    if (n_bad > 0)
        fprintf(stderr, "manylink: %d of %d derivatives differ from differences by more than %g\n",
                n_bad, study->ensemble.n_value, limit);
    return n_bad > 0 ? EXIT_FAILED : EXIT_DONE;
}

int check_derivatives(const struct ml_study *study, int64_t run)
{
    struct ml_error err = {0};
    double *error = calloc((size_t)study->ensemble.n_value, sizeof *error);
    int code = EXIT_FAILED;
    if (!error)
        fprintf(stderr, "manylink: out of memory\n");
    else if (ml_ensemble_check_derivatives(&study->ensemble, run, error, &err) != ML_OK)
        code = fail_with(&err);
    else
        code = report(study, run, error);
    free(error);
    return code;
}
