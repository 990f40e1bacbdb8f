/* Tables of indices: of Saltelli's design first order, total and second order; of any sample first
 * order, PAWN, regression and correlation of ranks. */
#include "cli/indices.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

#include "manylink/text.h"

enum { N_RESAMPLE = 200, FEW = 32 /* points: below, the bootstrap misses much of the spread */ };

const char *const estimator_words[] = {"auto", "saltelli", "jansen",   "janon",
                                       "bins", "rank",     "rbd_fast", NULL};

static bool is_designed(const struct points *p) { return p->n_row > 1; }

int indices_kinds(const struct points *p) { return is_designed(p) ? 2 : MOST_KINDS; }

const char *indices_kind(const struct points *p, int k)
{
    static const char *const of_design[] = {"first order", "total"};
    static const char *const of_sample[] = {"first order", "PAWN", "regression",
                                            "rank correlation"};
    return is_designed(p) ? of_design[k] : of_sample[k];
}

static void find_designed(struct indices *to, double *y)
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

struct indices indices_find(const struct points *points, int64_t n,
                            const struct ml_given_inputs *given, const char *name, double *y,
                            struct ml_index *room)
{
    struct indices found = {.points = points, .name = name, .n = n};
    for (int k = 0; k < indices_kinds(points); k++)
        found.kinds[k] = room + k * points->n_input;
    if (points->has_second)
        found.second = room + MOST_KINDS * points->n_input;
    if (given)
        find_given(&found, given, y);
    else
        find_designed(&found, y);
    return found;
}

static void print_index(const struct ml_index *index)
{
    if (isnan(index->value))
        printf("  %-19s", "       -");
    else
        printf("  %8.4f +- %-7.2g", index->value, index->half);
}

/* Prints what the number of points resolves: the widest interval of the last Sobol' index, or of
 * first order. */
static void print_resolution(const struct indices *found)
{
    const bool has_total = is_designed(found->points);
    const char *points = has_total ? "points" : "runs";
    const long long n = found->n_complete;
    double widest = 0.0;
    for (int i = 0; i < found->points->n_input; i++)
        widest = fmax(widest, found->kinds[has_total][i].half);
    if (n < FEW)
        printf("  intervals of fewer than %d %s are too narrow\n", (int)FEW, points);
    else
        printf("  %lld %s resolve %s indices to +-%.2g; %lld would halve that\n", n, points,
               has_total ? "total" : "first-order", widest, 4 * n);
}

static void print_rows(const struct indices *found)
{
    const struct points *p = found->points;
    printf("  %-40s", "input");
    for (int k = 0; k < indices_kinds(p); k++)
        printf(k < indices_kinds(p) - 1 ? "  %-19s" : "  %s", indices_kind(p, k));
    printf("\n");
    for (int i = 0; i < p->n_input; i++) {
        printf("  %-40s", p->inputs[i]);
        for (int k = 0; k < indices_kinds(p); k++)
            print_index(&found->kinds[k][i]);
        printf("\n");
    }
    for (int i = 0; found->second && i < p->n_input; i++)
        for (int j = i + 1; j < p->n_input; j++) {
            printf("  %s, %s:", p->inputs[i], p->inputs[j]);
            print_index(&found->second[i * p->n_input + j]);
            printf("\n");
        }
}

void indices_print(const struct indices *found)
{
    const bool has_design = is_designed(found->points);
    printf("%s: %lld of %lld %s are complete; first order by %s\n", found->name,
           (long long)found->n_complete, (long long)found->n, has_design ? "points" : "runs",
           estimator_words[found->points->estimator]);
    if (!found->is_found) {
        printf("  no indices: the number is the same in all of these, or they are too few\n");
        return;
    }
    print_rows(found);
    if (!has_design && isnan(found->r_squared.value))
        printf("  no regression: inputs depend on each other linearly, or are too many\n");
    else if (!has_design)
        printf("  the regression explains %.4f +- %.2g of the variance\n", found->r_squared.value,
               found->r_squared.half);
    print_resolution(found);
}

static void print_cell(const struct ml_index *index)
{
    printf(",");
    if (index)
        ml_text_number(stdout, index->value, "");
    printf(",");
    if (index)
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
            print_cell(found->is_found ? &found->kinds[k][i] : NULL);
        if (p->has_second)
            print_cell(NULL);
        printf("\n");
    }
    for (int i = 0; p->has_second && i < n; i++)
        for (int j = i + 1; j < n; j++) {
            print_begin(found, before, p->inputs[i], p->inputs[j]);
            for (int k = 0; k < indices_kinds(p); k++)
                print_cell(NULL);
            print_cell(found->is_found ? &found->second[i * n + j] : NULL);
            printf("\n");
        }
}

/* The name of a column: "rank_correlation". */
static void print_column(const char *kind)
{
    for (int half = 0; half < 2; half++) {
        printf(",");
        for (const char *c = kind; *c; c++)
            printf("%c", *c == ' ' ? '_' : tolower((unsigned char)*c));
        printf("%s", half ? "_half" : "");
    }
}

void indices_print_head(const struct points *p)
{
    printf("output,complete,input");
    for (int k = 0; k < indices_kinds(p); k++)
        print_column(indices_kind(p, k));
    if (p->has_second)
        print_column("second order");
    printf("\n");
}
