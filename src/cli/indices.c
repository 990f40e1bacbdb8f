/* Tables of indices: of Saltelli's design first order, total and second order; of FAST first order
 * and total; of Morris' design and of one input at a time effects; of any sample first order, PAWN,
 * regression and correlation of ranks. */
#include "cli/indices.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "manylink/text.h"

enum {
    N_RESAMPLE = 200,
    SWING = 2, /* kind of oat */
    FEW = 32   /* points: below, the bootstrap misses much of the spread */
};

const char *const estimator_words[] = {"auto", "saltelli", "jansen", "janon",    "morris", "fast",
                                       "oat",  "bins",     "rank",   "rbd_fast", "chaos",  NULL};

static const struct {
    const char *points;   /* noun of the heading */
    const char *measures; /* which have the estimator */
    const char *kinds[MOST_KINDS];
    int i_resolved; /* the kind whose widest interval is printed */
    int least;      /* complete points that the indices need */
} designs[] = {
    [DESIGN_POINTS] =
        {"runs", "first order", {"first order", "PAWN", "regression", "rank correlation"}, 0, 8},
    [DESIGN_SALTELLI] = {"points", "first order", {"first order", "total"}, 1, 2},
    [DESIGN_MORRIS] = {"trajectories", "effects", {"mu star", "mu", "sigma"}, 0, 2},
    [DESIGN_FAST] = {"curves", "indices", {"first order", "total"}, 1, 1},
    [DESIGN_OAT] =
        {"runs", "effects", {"at lowest", "at highest", "swing", "elasticity"}, SWING, 3},
    [DESIGN_CHAOS] = {"runs", "indices", {"first order", "total"}, 1, 8},
};

int indices_kinds(const struct points *p)
{
    int n = 0;
    while (n < MOST_KINDS && designs[p->design].kinds[n])
        n++;
    return n;
}

const char *indices_kind(const struct points *p, int k) { return designs[p->design].kinds[k]; }

static void find_sobol(struct indices *to, double *y)
{
    const struct points *p = to->points;
    struct ml_sobol_indices found = {.size = sizeof found,
                                     .estimator = p->estimator == ESTIMATOR_JANSEN ? ML_FIRST_JANSEN
                                                  : p->estimator == ESTIMATOR_JANON
                                                      ? ML_FIRST_JANON
                                                      : ML_FIRST_SALTELLI,
                                     .first = to->kinds[0],
                                     .total = to->kinds[1],
                                     .second = to->second};
    to->is_found = ml_sobol_indices_find(y, to->n, p->n_input, N_RESAMPLE, &found) != 0;
    to->n_complete = found.n_complete;
}

static void find_given(struct indices *to, const struct ml_given_inputs *given, const double *y)
{
    const struct points *p = to->points;
    struct ml_given_indices found = {.size = sizeof found,
                                     .estimator = p->estimator == ESTIMATOR_RANK ? ML_GIVEN_RANK
                                                  : p->estimator == ESTIMATOR_RBD_FAST
                                                      ? ML_GIVEN_RBD_FAST
                                                      : ML_GIVEN_BINS,
                                     .is_even = p->is_even,
                                     .first = to->kinds[0],
                                     .pawn = to->kinds[1],
                                     .regression = to->kinds[2],
                                     .spearman = to->kinds[3]};
    to->is_found = ml_given_indices_find(given, y, N_RESAMPLE, &found) != 0;
    to->n_complete = found.n_complete;
    to->r_squared = found.r_squared;
}

static void find_effects(struct indices *to, const double *x, const double *y)
{
    const struct points *p = to->points;
    struct ml_morris_indices found = {
        .size = sizeof found, .mu_star = to->kinds[0], .mu = to->kinds[1], .sigma = to->kinds[2]};
    to->is_found =
        ml_morris_indices_find(x, y, to->n, p->n_input, p->step, N_RESAMPLE, &found) != 0;
    to->n_complete = found.n_complete;
}

static void find_fast(struct indices *to, const double *y)
{
    const struct points *p = to->points;
    struct ml_fast_indices found = {
        .size = sizeof found, .first = to->kinds[0], .total = to->kinds[1]};
    to->is_found = ml_fast_indices_find(y, to->n, p->n_input, N_RESAMPLE, &found) != 0;
    to->n_complete = found.n_complete;
    to->n = p->n_input;
}

/* Effects that have no interval. */
static void find_alone(struct indices *to, const double *x, const double *y)
{
    const struct points *p = to->points;
    const int64_t n_point = (p->n_row - 1) / p->n_input;
    struct ml_oat_effect *effects = malloc((size_t)p->n_input * sizeof *effects + 1);
    to->n = p->n_row;
    to->n_complete = effects ? ml_oat_effects_find(x, y, n_point, p->n_input, effects) : 0;
    to->is_found = to->n_complete > 1;
    to->middle = y[0];
    for (int i = 0; to->is_found && i < p->n_input; i++) {
        const double numbers[MOST_KINDS] = {effects[i].at_lowest, effects[i].at_highest,
                                            effects[i].swing, effects[i].elasticity};
        for (int k = 0; k < MOST_KINDS && to->kinds[k]; k++)
            to->kinds[k][i] = (struct ml_index){numbers[k], (double)NAN};
    }
    free(effects);
}

static void find_chaos(struct indices *to, const struct ml_given_inputs *given, const double *y)
{
    to->chaos = (struct ml_chaos_indices){.size = sizeof to->chaos,
                                          .is_even = to->points->is_even,
                                          .first = to->kinds[0],
                                          .total = to->kinds[1]};
    to->is_found = ml_chaos_indices_find(given, y, N_RESAMPLE, &to->chaos) != 0;
    to->n_complete = to->chaos.n_complete;
}

struct indices indices_find(const struct points *points, const struct part *part, const char *name,
                            double *y, struct ml_index *room)
{
    struct indices found = {.points = points, .name = name, .n = part->n};
    for (int k = 0; k < indices_kinds(points); k++)
        found.kinds[k] = room + k * points->n_input;
    if (points->has_second)
        found.second = room + MOST_KINDS * points->n_input;
    switch (points->design) {
    case DESIGN_POINTS:
        find_given(&found, part->given, y);
        break;
    case DESIGN_SALTELLI:
        find_sobol(&found, y);
        break;
    case DESIGN_MORRIS:
        find_effects(&found, part->x, y);
        break;
    case DESIGN_FAST:
        find_fast(&found, y);
        break;
    case DESIGN_OAT:
        find_alone(&found, part->x, y);
        break;
    case DESIGN_CHAOS:
        find_chaos(&found, part->given, y);
        break;
    }
    return found;
}

/* Whether row i comes before row j. */
static bool is_before(const struct indices *found, int i, int j)
{
    const struct ml_index *swing = found->kinds[SWING];
    if (found->points->design != DESIGN_OAT || swing[i].value == swing[j].value)
        return i < j;
    return swing[i].value > swing[j].value;
}

int indices_next(const struct indices *found, int row)
{
    int next = -1;
    for (int i = 0; i < found->points->n_input; i++)
        if ((row < 0 || is_before(found, row, i)) && (next < 0 || is_before(found, i, next)))
            next = i;
    return next;
}

/* Indices are parts of 1, effects have the unit of the output. */
static void print_index(const struct points *p, const struct ml_index *index)
{
    if (isnan(index->value))
        printf("  %-19s", "       -");
    else if (p->design == DESIGN_OAT)
        printf("  %8.4g%-11s", index->value, "");
    else if (isnan(index->half))
        printf(p->design == DESIGN_MORRIS ? "  %8.4g   %-8s" : "  %8.4f   %-8s", index->value, "");
    else
        printf(p->design == DESIGN_MORRIS ? "  %8.4g +- %-7.2g" : "  %8.4f +- %-7.2g", index->value,
               index->half);
}

/* Whether every index of a kind has an interval. */
static bool has_intervals(const struct indices *found, int kind)
{
    for (int i = 0; i < found->points->n_input; i++)
        if (isnan(found->kinds[kind][i].half) && !isnan(found->kinds[kind][i].value))
            return false;
    return true;
}

/* Prints the widest interval, and how many points would halve the interval. */
static void print_resolution(const struct indices *found)
{
    const enum design design = found->points->design;
    const char *points = designs[design].points;
    const int kind = designs[design].i_resolved;
    const long long n = found->n_complete;
    double widest = 0.0;
    for (int i = 0; i < found->points->n_input; i++)
        widest = fmax(widest, found->kinds[kind][i].half);
    if (!has_intervals(found, kind))
        printf("  no intervals: too few %s differ in this number\n", points);
    else if (design == DESIGN_FAST)
        printf(
            "  intervals leave out interference of the frequencies of a curve, which other seeds "
            "move\n");
    else if (n < FEW && design != DESIGN_MORRIS)
        printf("  intervals of fewer than %d %s are too narrow\n", (int)FEW, points);
    else
        printf("  %lld %s resolve %s to +-%.2g; %lld would halve that\n", n, points,
               designs[design].kinds[kind], widest, 4 * n);
}

static void print_rows(const struct indices *found)
{
    const struct points *p = found->points;
    printf("  %-40s", "input");
    for (int k = 0; k < indices_kinds(p); k++)
        printf(k < indices_kinds(p) - 1 ? "  %-19s" : "  %s", indices_kind(p, k));
    printf("\n");
    for (int i = indices_next(found, -1); i >= 0; i = indices_next(found, i)) {
        printf("  %-40s", p->inputs[i]);
        for (int k = 0; k < indices_kinds(p); k++)
            print_index(p, &found->kinds[k][i]);
        printf("\n");
    }
    for (int i = 0; found->second && i < p->n_input; i++)
        for (int j = i + 1; j < p->n_input; j++) {
            printf("  %s, %s:", p->inputs[i], p->inputs[j]);
            print_index(p, &found->second[i * p->n_input + j]);
            printf("\n");
        }
}

/* Prints why a number has no indices. */
static void print_reason(const struct indices *found)
{
    const struct points *p = found->points;
    const int of_terms = p->design == DESIGN_CHAOS ? 2 * p->n_input + 2 : 0;
    const int least = of_terms > designs[p->design].least ? of_terms : designs[p->design].least;
    if (found->n_complete < least)
        printf("  no indices: fewer than %d %s are complete\n", least, designs[p->design].points);
    else if (p->design == DESIGN_CHAOS)
        printf(
            "  no indices: the number is the same in all complete runs, inputs are too many, or "
            "no polynomial explains half of the variance of runs that are left out of its fit\n");
    else if (p->design == DESIGN_OAT)
        printf("  no effects: the number is not finite where all inputs are at their middle, or is "
               "the "
               "same in all complete runs\n");
    else if (p->design == DESIGN_MORRIS)
        printf("  no indices: runs are no trajectories, in which each run differs from the run "
               "before in one input\n");
    else
        printf("  no indices: the number is the same in all complete runs\n");
}

void indices_print(const struct indices *found)
{
    const struct points *p = found->points;
    printf("%s: %lld of %lld %s are complete; %s by %s\n", found->name,
           (long long)found->n_complete, (long long)found->n, designs[p->design].points,
           designs[p->design].measures, estimator_words[p->estimator]);
    if (!found->is_found) {
        print_reason(found);
        return;
    }
    print_rows(found);
    if (p->design == DESIGN_POINTS && isnan(found->r_squared.value))
        printf("  no regression: an input is the same in all runs, inputs depend on each other "
               "linearly, or inputs are too many\n");
    else if (p->design == DESIGN_POINTS)
        printf("  the regression explains %.4f +- %.2g of the variance\n", found->r_squared.value,
               found->r_squared.half);
    if (p->design == DESIGN_CHAOS)
        printf(
            "  a polynomial of degree %d with %d terms explains %.4f of the variance of runs that "
            "are left out of its fit%s\n",
            found->chaos.degree, found->chaos.n_term, found->chaos.explained,
            found->chaos.explained < 0.95 ? ": too little for these indices, run more" : "");
    else if (p->design == DESIGN_OAT)
        printf("  changes from %.6g, where all inputs are at their middle\n", found->middle);
    else
        print_resolution(found);
}

static void print_cell(const struct points *p, const struct ml_index *index)
{
    printf(",");
    if (index)
        ml_text_number(stdout, index->value, "");
    if (p->design != DESIGN_OAT)
        printf(",");
    if (index && p->design != DESIGN_OAT)
        ml_text_number(stdout, index->half, "");
}

/* Begins a row: of an input, or of a pair. */
static void print_begin(const struct indices *found, const char *before, const char *input,
                        const char *other)
{
    printf("%s", before);
    ml_text_word(stdout, found->name, ',');
    printf(",%lld,", (long long)found->n_complete);
    ml_text_word(stdout, input, ',');
    if (other) {
        printf(" * ");
        ml_text_word(stdout, other, ',');
    }
}

void indices_print_cells(const struct indices *found, const char *before)
{
    const struct points *p = found->points;
    const int n = p->n_input;
    for (int i = 0; i < n; i++) {
        print_begin(found, before, p->inputs[i], NULL);
        for (int k = 0; k < indices_kinds(p); k++)
            print_cell(p, found->is_found ? &found->kinds[k][i] : NULL);
        if (p->has_second)
            print_cell(p, NULL);
        printf("\n");
    }
    for (int i = 0; p->has_second && i < n; i++)
        for (int j = i + 1; j < n; j++) {
            print_begin(found, before, p->inputs[i], p->inputs[j]);
            for (int k = 0; k < indices_kinds(p); k++)
                print_cell(p, NULL);
            print_cell(p, found->is_found ? &found->second[i * n + j] : NULL);
            printf("\n");
        }
}

/* Prints the name of a column: "rank_correlation". */
static void print_column(const char *kind, const char *end)
{
    printf(",");
    for (const char *c = kind; *c; c++)
        (void)putchar(*c == ' ' ? '_' : tolower((unsigned char)*c));
    printf("%s", end);
}

void indices_print_head(const struct points *p)
{
    printf("output,complete,input");
    for (int k = 0; k < indices_kinds(p) + p->has_second; k++) {
        const char *kind = k < indices_kinds(p) ? indices_kind(p, k) : "second order";
        print_column(kind, "");
        if (p->design != DESIGN_OAT)
            print_column(kind, "_half");
    }
    printf("\n");
}
