/* A test file is: static void functions whose names are statements, called from main, which
 * returns check_done(). */
#ifndef CHECK_H
#define CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int check_failures;
static char check_case[256];

/* What is being checked, shown with failures: "chain n=3 v3". */
#define CHECK_CASE(...) ((void)snprintf(check_case, sizeof check_case, __VA_ARGS__))

static inline void check_fail_(const char *file, int line, const char *what)
{
    check_failures++;
    fprintf(stderr, "%s:%d: [%s] %s\n", file, line, check_case, what);
}

#define CHECK(condition)                                 \
    do {                                                 \
        if (!(condition))                                \
            check_fail_(__FILE__, __LINE__, #condition); \
    } while (0)

/* error <= bound; a NaN fails. CHECK_SLACK=0 in the environment shows every measured error; a bound
 * stays within about 10 x of what is measured. */
#define CHECK_ERROR(error, bound) check_error_(__FILE__, __LINE__, #error, (error), (bound))

static inline void check_error_(const char *file, int line, const char *what, double error,
                                double bound)
{
    const char *slack = getenv("CHECK_SLACK");
    if (!(error <= bound * (slack ? atof(slack) : 1.0))) {
        char text[256];
        (void)snprintf(text, sizeof text, "%s = %.3e, bound %.1e", what, error, bound);
        check_fail_(file, line, text);
    }
}

/* Whether the build has sanitizers, with which a loop over 200 seeds takes minutes: the same paths
 * are taken with a few, without the share of intervals that cover. */
static inline int check_is_sanitized(void)
{
    const char *sanitizers = getenv("SANITIZE");
    return sanitizers && *sanitizers;
}

static inline int check_done(void)
{
    if (check_failures)
        fprintf(stderr, "%d checks failed\n", check_failures);
    return check_failures ? 1 : 0;
}

#endif
