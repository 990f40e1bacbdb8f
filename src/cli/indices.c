/* Tables of indices: of Saltelli's design first order, total and second order; of any sample first
 * order, PAWN, regression and correlation of ranks. */
#include "cli/indices.h"

#include <math.h>
#include <stdio.h>

enum { N_RESAMPLE = 200, FEW = 32 /* points: below, the bootstrap misses much of the spread */ };

const char *const estimator_words[] = {"auto", "saltelli", "jansen",   "janon",
                                       "bins", "rank",     "rbd_fast", NULL};

static void print_index(const struct ml_index *index)
{
    if (isnan(index->value))
        printf("  %-19s", "       -");
    else
        printf("  %8.4f +- %-7.2g", index->value, index->half);
}

static void print_heading(const struct points *p, const char *name, int64_t n_complete, int64_t n,
                          const char *columns)
{
    printf("%s: %lld of %lld %s are complete; first order by %s\n", name, (long long)n_complete,
           (long long)n, p->n_row > 1 ? "points" : "runs", estimator_words[p->estimator]);
    if (columns)
        printf("  %-40s%s\n", "input", columns);
}

/* What the number of points resolves.
 *   indices  [n_input] whose widest interval counts */
static void print_resolution(const struct points *p, int64_t n, const char *kind,
                             const struct ml_index *indices)
{
    const char *points = p->n_row > 1 ? "points" : "runs";
    double widest = 0.0;
    for (int i = 0; i < p->n_input; i++)
        widest = fmax(widest, indices[i].half);
    if (n < FEW)
        printf("  intervals of fewer than %d %s are too narrow\n", (int)FEW, points);
    else
        printf("  %lld %s resolve %s indices to +-%.2g; %lld would halve that\n", (long long)n,
               points, kind, widest, 4 * (long long)n);
}

static void print_saltelli(const struct points *p, int64_t n_point, const char *name, double *y,
                           struct ml_index *room)
{
    const int n = p->n_input;
    struct ml_sobol_indices found = {.size = sizeof found,
                                     .estimator = p->estimator == ESTIMATOR_JANSEN ? ML_FIRST_JANSEN
                                                  : p->estimator == ESTIMATOR_JANON
                                                      ? ML_FIRST_JANON
                                                      : ML_FIRST_SALTELLI,
                                     .first = room,
                                     .total = room + n,
                                     .second = p->has_second ? room + 2 * n : NULL};
    const int is_found = ml_sobol_indices_find(y, n_point, n, N_RESAMPLE, &found);
    print_heading(p, name, found.n_complete, n_point,
                  is_found ? "  first order          total" : NULL);
    if (!is_found) {
        printf("  no indices: %s\n",
               found.n_complete > 1 ? "the number is the same in all runs"
                                    : "fewer than two points have a finite number in all runs");
        return;
    }
    for (int i = 0; i < n; i++) {
        printf("  %-40s", p->inputs[i]);
        print_index(&found.first[i]);
        print_index(&found.total[i]);
        printf("\n");
    }
    for (int i = 0; p->has_second && i < n; i++)
        for (int j = i + 1; j < n; j++) {
            printf("  %s, %s:", p->inputs[i], p->inputs[j]);
            print_index(&found.second[i * n + j]);
            printf("\n");
        }
    print_resolution(p, found.n_complete, "total", found.total);
}

static void print_given(const struct points *p, int64_t n_run, const struct ml_given_inputs *given,
                        const char *name, const double *y, struct ml_index *room)
{
    const int n = p->n_input;
    struct ml_given_indices found = {.size = sizeof found,
                                     .estimator = p->estimator == ESTIMATOR_RANK ? ML_GIVEN_RANK
                                                  : p->estimator == ESTIMATOR_RBD_FAST
                                                      ? ML_GIVEN_RBD_FAST
                                                      : ML_GIVEN_BINS,
                                     .is_even = p->is_even,
                                     .first = room,
                                     .pawn = room + n,
                                     .regression = room + 2 * n,
                                     .spearman = room + 3 * n};
    const int is_found = ml_given_indices_find(given, y, N_RESAMPLE, &found);
    print_heading(p, name, found.n_complete, n_run,
                  is_found ? "  first order          PAWN                 regression           "
                             "rank correlation"
                           : NULL);
    if (!is_found) {
        printf("  no indices: %s\n", found.n_complete >= FEW
                                         ? "the number is the same in all runs"
                                         : "too few runs have different finite numbers");
        return;
    }
    for (int i = 0; i < n; i++) {
        printf("  %-40s", p->inputs[i]);
        for (int k = 0; k < 4; k++)
            print_index(&room[k * n + i]);
        printf("\n");
    }
    if (isnan(found.r_squared.value))
        printf("  no regression: inputs depend on each other linearly, or are too many\n");
    else
        printf("  the regression explains %.4f +- %.2g of the variance\n", found.r_squared.value,
               found.r_squared.half);
    print_resolution(p, found.n_complete, "first-order", found.first);
}

void print_indices(const struct points *points, int64_t n, const struct ml_given_inputs *given,
                   const char *name, double *y, struct ml_index *room)
{
    if (given)
        print_given(points, n, given, name, y, room);
    else
        print_saltelli(points, n, name, y, room);
}
