/* Tables of indices: of Saltelli's design first order, total and second order; of FAST first order
 * and total; of Morris' design and of one input at a time effects; of any sample first order, PAWN,
 * regression and correlation of ranks. */
#include "cli/indices.h"

#include <math.h>
#include <stdio.h>

#include "manylink/text.h"

enum { FEW = 32 /* points: below, the bootstrap misses much of the spread */ };

#define X(code, word) word,
const char *const estimator_words[] = {ML_ESTIMATOR_LIST(X) NULL};
#undef X

int indices_kinds(enum ml_index_design design)
{
    int n = 0;
    while (n < ML_INDEX_KINDS && ml_index_table_kinds(design)->kinds[n].word)
        n++;
    return n;
}

static const struct ml_index_table_kinds *kinds_of(const struct indices *found)
{
    return ml_index_table_kinds(found->points->design);
}

/* Whether row i comes before row j. */
static bool is_before(const struct indices *found, int i, int j)
{
    const struct ml_index *swing = found->table.kinds[kinds_of(found)->resolved];
    if (found->points->design != ML_INDEX_OAT || swing[i].value == swing[j].value)
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

/* Indices are parts of 1, effects and derivatives have units. */
static void print_index(const struct ml_index_points *p, const struct ml_index *index)
{
    const bool is_part = p->design != ML_INDEX_MORRIS && p->design != ML_INDEX_DERIVATIVES;
    if (isnan(index->value))
        printf("  %-19s", "       -");
    else if (p->design == ML_INDEX_OAT)
        printf("  %8.4g%-11s", index->value, "");
    else if (isnan(index->half))
        printf(is_part ? "  %8.4f   %-8s" : "  %8.4g   %-8s", index->value, "");
    else
        printf(is_part ? "  %8.4f +- %-7.2g" : "  %8.4g +- %-7.2g", index->value, index->half);
}

/* "0.9263 +- 0.0034": a part of the variance. */
static void print_part(const struct ml_index *part)
{
    printf(isnan(part->half) ? "%.4f" : "%.4f +- %.2g", part->value, part->half);
}

/* Whether every index of a kind has an interval. */
static bool has_intervals(const struct indices *found, int kind)
{
    for (int i = 0; i < found->points->n_input; i++)
        if (isnan(found->table.kinds[kind][i].half) && !isnan(found->table.kinds[kind][i].value))
            return false;
    return true;
}

/* Prints the error of the indices of FAST that no interval has. */
static void print_interference(const struct ml_index_points *p)
{
    const long long least = (long long)ml_fast_indices_points(p->n_input);
    printf("  intervals leave out interference of the frequencies of a curve");
    if (least == 0)
        printf(", up to 0.07: inputs are too many for frequencies that do not interfere\n");
    else if (p->n_run / p->n_input < least)
        printf(", up to 0.07; with `count: %lld` up to 0.02\n", least);
    else
        printf(", up to 0.02\n");
}

/* Prints the widest interval, and how many points would halve the interval. */
static void print_resolution(const struct indices *found)
{
    const enum ml_index_design design = found->points->design;
    const struct ml_index_table_kinds *of = kinds_of(found);
    const int kind = of->resolved;
    const long long n = found->table.n_complete;
    double widest = 0.0;
    for (int i = 0; i < found->points->n_input; i++)
        widest = fmax(widest, found->table.kinds[kind][i].half);
    if (!has_intervals(found, kind))
        printf("  no intervals: too few %s differ in this number\n", of->points);
    else if (design == ML_INDEX_FAST)
        print_interference(found->points);
    else if (design == ML_INDEX_SHAPLEY && found->table.n_used < n)
        printf("  the first %lld runs are used, which resolve %s to +-%.2g\n",
               (long long)found->table.n_used, of->kinds[kind].word, widest);
    else if (n < FEW && design != ML_INDEX_MORRIS)
        printf("  intervals of fewer than %d %s are too narrow\n", (int)FEW, of->points);
    else
        printf("  %lld %s resolve %s to +-%.2g; %lld would halve that\n", n, of->points,
               of->kinds[kind].word, widest, 4 * n);
}

static void print_rows(const struct indices *found)
{
    const struct ml_index_points *p = found->points;
    const int n_kind = p->design == ML_INDEX_DERIVATIVES ? 3 : indices_kinds(p->design);
    printf("  %-40s", "input");
    for (int k = 0; k < n_kind; k++)
        printf(k < n_kind - 1 ? "  %-19s" : "  %s", kinds_of(found)->kinds[k].word);
    printf("\n");
    for (int i = indices_next(found, -1); i >= 0; i = indices_next(found, i)) {
        printf("  %-40s", found->inputs[i]);
        for (int k = 0; k < n_kind; k++)
            print_index(p, &found->table.kinds[k][i]);
        printf("\n");
    }
    for (int i = 0; found->table.second && i < p->n_input; i++)
        for (int j = i + 1; j < p->n_input; j++) {
            printf("  %s, %s:", found->inputs[i], found->inputs[j]);
            print_index(p, &found->table.second[i * p->n_input + j]);
            printf("\n");
        }
}

/* The sum over the inputs, and the half of its interval as if its parts were independent. */
static struct ml_index sum_of(const struct indices *found, int kind)
{
    struct ml_index sum = {0.0, 0.0};
    for (int i = 0; i < found->points->n_input; i++) {
        const struct ml_index *part = &found->table.kinds[kind][i];
        sum.value += part->value;
        sum.half = hypot(sum.half, part->half);
    }
    return sum;
}

/* Prints the sums of first-order and total indices, which are at most and at least 1 of independent
 * inputs. */
static void print_sums(const struct indices *found)
{
    const double most = 0.3; /* half of an interval that orders no inputs */
    const struct ml_index first = sum_of(found, 0), total = sum_of(found, 1);
    const double off = fmax(first.value - 1.0 - first.half, 1.0 - total.value - total.half);
    if (isnan(first.value) || isnan(total.value))
        return;
    printf("  sum of first order %.3g (at most 1), of total %.3g (at least 1)%s\n", first.value,
           total.value,
           off > 0.0 || fmax(first.half, total.half) > most
               ? ": too few points, or the number has rare values"
               : "");
}

/* Prints why a number has no indices. */
static void print_reason(const struct indices *found)
{
    const struct ml_index_points *p = found->points;
    const struct ml_index_table_kinds *of = kinds_of(found);
    const int of_terms = p->design == ML_INDEX_CHAOS ? 2 * p->n_input + 2 : 0;
    const int least = of_terms > of->least ? of_terms : of->least;
    if (found->table.n_complete < least)
        printf("  no indices: fewer than %d %s are complete\n", least, of->points);
    else if (p->design == ML_INDEX_CHAOS)
        printf(
            "  no indices: the number is the same in all complete runs, inputs are too many, or "
            "no polynomial explains half of the variance of runs that are left out of its fit\n");
    else if (p->design == ML_INDEX_OAT)
        printf("  no effects: the number is not finite where all inputs are at their middle, or is "
               "the "
               "same in all complete runs\n");
    else if (p->design == ML_INDEX_MORRIS)
        printf("  no indices: runs are no trajectories, in which each run differs from the run "
               "before in one input\n");
    else
        printf("  no indices: the number is the same in all complete runs\n");
}

void indices_print(const struct indices *found)
{
    const struct ml_index_points *p = found->points;
    const struct ml_index_table_kinds *of = kinds_of(found);
    printf("%s: %lld of %lld %s are complete; %s by %s\n", found->name,
           (long long)found->table.n_complete, (long long)found->table.n, of->points, of->measures,
           ml_estimator_word(p->estimator));
    if (!found->table.is_found) {
        print_reason(found);
        return;
    }
    print_rows(found);
    if (p->design == ML_INDEX_SALTELLI || p->design == ML_INDEX_FAST || p->design == ML_INDEX_CHAOS)
        print_sums(found);
    else if (p->design == ML_INDEX_POINTS)
        printf("  sum of first order %.3g\n", sum_of(found, 0).value);
    if (p->design == ML_INDEX_POINTS && isnan(found->table.whole.value))
        printf("  no regression: an input is the same in all runs, inputs depend on each other "
               "linearly, or inputs are too many\n");
    else if (p->design == ML_INDEX_POINTS) {
        printf("  the regression explains ");
        print_part(&found->table.whole);
        printf(" of the variance\n");
    }
    if (p->design == ML_INDEX_CHAOS)
        printf(
            "  a polynomial of degree %d with %d terms explains %.4f of the variance of runs that "
            "are left out of its fit%s\n",
            found->table.chaos.degree, found->table.chaos.n_term, found->table.chaos.explained,
            found->table.chaos.explained < 0.95 ? ": too little for these indices, run more" : "");
    else if (p->design == ML_INDEX_SHAPLEY) {
        printf("  all inputs together leave ");
        print_part(&found->table.whole);
        printf(" of the variance unexplained, which is the error of neighbours%s\n",
               found->table.whole.value > 0.05 ? ": too much for these effects, run more" : "");
    }
    if (p->design == ML_INDEX_CHAOS && found->table.n_used < found->table.n_complete)
        printf("  the first %lld runs are used\n", (long long)found->table.n_used);
    if (p->design == ML_INDEX_CHAOS)
        return;
    if (p->design == ML_INDEX_OAT)
        printf("  changes from %.6g, where all inputs are at their middle\n",
               found->table.whole.value);
    else
        print_resolution(found);
}

static void print_cell(const struct indices *found, const struct ml_index *index)
{
    const bool has_half = kinds_of(found)->has_halves != 0;
    printf(",");
    if (index)
        ml_text_number(stdout, index->value, "");
    if (has_half)
        printf(",");
    if (index && has_half)
        ml_text_number(stdout, index->half, "");
}

/* Begins a row: of an input, or of a pair. */
static void print_begin(const struct indices *found, const char *before, const char *input,
                        const char *other)
{
    printf("%s", before);
    ml_text_word(stdout, found->name, ',');
    printf(",%lld,", (long long)found->table.n_complete);
    ml_text_word(stdout, input, ',');
    if (other) {
        printf(" * ");
        ml_text_word(stdout, other, ',');
    }
}

void indices_print_cells(const struct indices *found, const char *before)
{
    const struct ml_index_points *p = found->points;
    const int n = p->n_input, n_kind = indices_kinds(p->design);
    for (int i = 0; i < n; i++) {
        print_begin(found, before, found->inputs[i], NULL);
        for (int k = 0; k < n_kind; k++)
            print_cell(found, found->table.is_found ? &found->table.kinds[k][i] : NULL);
        if (p->has_second)
            print_cell(found, NULL);
        printf("\n");
    }
    for (int i = 0; p->has_second && i < n; i++)
        for (int j = i + 1; j < n; j++) {
            print_begin(found, before, found->inputs[i], found->inputs[j]);
            for (int k = 0; k < n_kind; k++)
                print_cell(found, NULL);
            print_cell(found, found->table.is_found ? &found->table.second[i * n + j] : NULL);
            printf("\n");
        }
}

static void print_column(const struct ml_index_table_kinds *of, const struct ml_index_kind *kind)
{
    printf(",%s", kind->name);
    if (of->has_halves)
        printf(",%s_half", kind->name);
}

void indices_print_head(const struct ml_index_points *p)
{
    const struct ml_index_table_kinds *of = ml_index_table_kinds(p->design);
    printf("output,complete,input");
    for (int k = 0; k < indices_kinds(p->design); k++)
        print_column(of, &of->kinds[k]);
    if (p->has_second)
        print_column(of, &of->second);
    printf("\n");
}
