/* manylink evaluate --check-derivatives: every derivative of a study against differences. */
#include "cli/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/messages.h"
#include "manylink/evaluate.h"

/* Beyond what rounding makes of differences. */
static const double limit = 1e-8;

static int report(const struct ml_study *study, int64_t run, const double *error, bool is_closed)
{
    int worst = 0, n_bad = 0, n = 0;
    for (; ml_study_number(study, n); n++) {
        bool is_good = error[n] <= limit; /* NaN is not */
        printf("%-40s %9.1e%s\n", ml_study_number(study, n), error[n], is_good ? "" : "  wrong");
        n_bad += !is_good;
        worst = !(error[n] <= error[worst]) ? n : worst;
    }
    printf("run %lld: %d derivatives of dx/dt at the start, tangents by %s; worst %.1e: %s\n",
           (long long)run, n, is_closed ? "closed form" : "central differences", error[worst],
           ml_study_number(study, worst));
    if (n_bad > 0)
        fprintf(stderr, "manylink: %d of %d derivatives differ from differences by more than %g\n",
                n_bad, n, limit);
    return n_bad > 0 ? EXIT_FAILED : EXIT_DONE;
}

int check_derivatives(const struct ml_study *study, int64_t run)
{
    struct ml_error err = {0};
    int code, n = 0, is_closed = 0;
    while (ml_study_number(study, n))
        n++;
    double *error = calloc((size_t)n + 1, sizeof *error);
    if (!error)
        code = fail_memory();
    else if (ml_study_check_derivatives(study, run, error, &is_closed, &err) != ML_OK)
        code = fail_with(&err);
    else
        code = report(study, run, error, is_closed);
    free(error);
    return code;
}
