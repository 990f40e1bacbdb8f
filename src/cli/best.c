/* manylink best, worst: the runs with the smallest or largest number, or over an axis at each point
 * of the other axes. The result is read once, piece by piece, and then the pieces with chosen runs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/run_table.h"
#include "manylink/formula.h"
#include "manylink/outcome.h"

enum { AT_ONCE = 1 << 18 /* chosen runs that are read and printed together */ };

struct chosen {
    double value;
    int64_t run;                /* -1: none */
    int64_t n_finished, n_none; /* over an axis: runs there that count, and those of them without
                                   the number */
};

struct best {
    struct table table;
    const struct command_line *line;
    bool is_largest;                /* the largest number comes first */
    double none;                    /* that a finished run without the number counts as; NaN: it
                                       does not count */
    int ranked;                     /* column; behind it are those of the conditions */
    struct ml_formula **conditions; /* [n_condition] of the numbers of all columns */
    int n_condition;
    double *numbers;       /* [n_column] of a run */
    int code;              /* of the name of a condition that was refused, or -1 */
    struct chosen *chosen; /* [n_chosen] the first in order; over an axis one for each point of the
                              other axes */
    int64_t n_chosen, room;
    int64_t size, inner;        /* of the axis, and of the axes behind; without an axis 0 */
    int64_t n_finished, n_none; /* of all runs, as of struct chosen */
    int64_t n_lacking;          /* runs without a number of the conditions */
};

/* Adds the column of a single number; -1, or an exit code after a message. */
static int best_add_number(struct best *b, const char *name, int *column)
{
    struct table *table = &b->table;
    *column = table->n_column;
    const int code = table_take_one(table, name);
    if (code < 0 && table->n_column > *column + 1)
        return fail_usage(b->line->command, "%s has %d numbers of a run: name one, such as %s",
                          name, table->n_column - *column, table->columns[*column].name);
    return code;
}

/* As ml_formula_name_fn: the column of a name, which is added once; a name of `define` stands for
 * its number, as in a study. */
static int best_name(void *context, const char *name, const char **unit)
{
    struct best *b = context;
    struct table *table = &b->table;
    int column = b->ranked;
    char defined[256];
    (void)snprintf(defined, sizeof defined, "define.%s", name);
    if (!table_has(table, name) && table_has(table, defined))
        name = defined;
    while (column < table->n_column && strcmp(table->columns[column].name, name) != 0)
        column++;
    if (column == table->n_column && b->code < 0 && table_has(table, name))
        b->code = best_add_number(b, name, &column);
    if (b->code >= 0 || column == table->n_column)
        return -1;
    *unit = table->columns[column].source->info.unit;
    return column;
}

static int best_add_conditions(struct best *b)
{
    const struct word_list *where = &b->line->where;
    b->conditions = calloc((size_t)where->n + 1, sizeof *b->conditions);
    if (!b->conditions)
        return fail_memory();
    for (int i = 0; i < where->n; i++) {
        struct ml_error *err = b->table.err;
        const enum ml_status status =
            ml_formula_read(where->words[i], best_name, b, &b->conditions[i], err);
        if (b->code >= 0) { /* told already */
            ml_error_clear(err);
        } else if (status != ML_OK) {
            b->code = fail_with(err);
            say(stderr, "names are:");
            table_list_columns(&b->table);
        }
        if (status != ML_OK)
            return b->code;
        b->n_condition++;
        if (!ml_formula_is_condition(b->conditions[i]))
            return fail_usage(b->line->command,
                              "--where %s: this is a number; a condition compares, as in "
                              "\"overshoot < 0.05 and abs(end_angle.upper) < 3 deg\"",
                              where->words[i]);
    }
    b->numbers = calloc((size_t)b->table.n_column + 1, sizeof *b->numbers);
    return b->numbers ? -1 : fail_memory();
}

/* Columns that are printed: those of --columns, or the run, the swept and drawn numbers and the
 * ranked number. */
static int best_take(struct best *b, const char *output)
{
    struct table *table = &b->table;
    int code = b->line->columns ? table_take(table) : -1;
    for (int i = 0; !b->line->columns && i < table->n_source && code < 0; i++) {
        const struct source *source = &table->sources[i];
        const char *name = source->info.name;
        const bool is_of_inverse = /* whose numbers in a list are named by paths of keys */
            !table->outcome &&
            (source->kind != OF_GRID || strchr(ml_result_name(&source->info), '.'));
        if (is_of_inverse ||
            (strncmp(name, "runs/", 5) == 0 && strcmp(name, "runs/outcome") != 0 &&
             strcmp(name, "runs/end_time") != 0 && strcmp(name, "runs/steps") != 0))
            code = table_take_one(table, ml_result_name(&source->info));
    }
    if (code < 0)
        code = best_add_number(b, output, &b->ranked);
    table->n_shown = b->line->columns ? b->ranked : table->n_column;
    return code < 0 ? best_add_conditions(b) : code;
}

/* Finds the axis of --over and makes room; -1, or an exit code after a message. */
static int best_make_room(struct best *b)
{
    const struct table *table = &b->table;
    const char *over = b->line->over;
    b->room = b->line->count;
    if (over) {
        int at = 0;
        while (at < table->n_grid && strcmp(table->grid.dim[at], over) != 0)
            at++;
        if (at >= table->n_grid)
            return fail_usage(b->line->command,
                              "--over %s: the runs have no such axis; the last axis is %s", over,
                              table->n_grid > 0 ? table->grid.dim[table->n_grid - 1]
                                                : "none, of a single run");
        b->size = table->grid.shape[at];
        b->inner = ml_result_count(&table->grid, at + 1, table->n_grid);
        b->room = b->n_chosen = table->n_run / b->size;
    }
    b->chosen = calloc((size_t)b->room + 1, sizeof *b->chosen);
    for (int64_t i = 0; b->chosen && i < b->n_chosen; i++)
        b->chosen[i].run = -1;
    return b->chosen ? -1 : fail_memory();
}

/* Whether a larger or smaller number is the better one, and where a finished run without the number
 * stands, by the attribute of the output; -1, or an exit code after a message. */
static int best_find_order(struct best *b)
{
    const char *better = NULL;
    const struct source *ranked = b->table.columns[b->ranked].source;
    b->none = (double)NAN;
    if (b->table.n_grid < 0 || strncmp(ranked->info.name, "summary/", 8) != 0)
        return -1;
    if (ml_result_attribute(b->table.result, ranked->info.name, "better", 0, &better,
                            b->table.err) != ML_OK)
        return fail_with(b->table.err);
    if (!better)
        return -1;
    const bool is_larger = strcmp(better, "larger") == 0;
    b->none = is_larger ? -(double)INFINITY : (double)INFINITY;
    if (is_larger && !b->line->largest)
        b->is_largest = !b->is_largest;
    return -1;
}

/* The ranked number of a run, or that in its place. */
static double best_value(const struct best *b, int64_t row)
{
    const double value = table_number(&b->table, b->ranked, row);
    return isnan(value) ? b->none : value;
}

/* Whether a run has the numbers of all conditions and the ranked number, and meets the conditions.
 */
static bool best_has_row(struct best *b, int64_t row)
{
    const struct source *outcome = b->table.outcome;
    const double value = best_value(b, row);
    if ((outcome && !ml_outcome_is_sound((int)outcome->values[row])) ||
        !(isnan(b->none) ? isfinite(value) : true))
        return false;
    if (b->n_condition > 0)
        b->numbers[b->ranked] = table_number(&b->table, b->ranked, row);
    for (int i = b->ranked + 1; i < b->table.n_column; i++)
        if (isnan(b->numbers[i] = table_number(&b->table, i, row))) {
            b->n_lacking++;
            return false;
        }
    for (int i = 0; i < b->n_condition; i++)
        if (!(ml_formula_value(b->conditions[i], b->numbers) > 0.0))
            return false;
    return true;
}

static bool best_is_before(const struct best *b, double value, const struct chosen *than)
{
    return than->run < 0 || (b->is_largest ? value > than->value : value < than->value);
}

/* Puts a run into the order, behind runs with the same number. */
static void best_insert(struct best *b, double value, int64_t run)
{
    int64_t low = 0, high = b->n_chosen;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (best_is_before(b, value, &b->chosen[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    if (low == b->room)
        return;
    const int64_t kept = b->n_chosen < b->room ? b->n_chosen++ : b->room - 1;
    memmove(b->chosen + low + 1, b->chosen + low, (size_t)(kept - low) * sizeof *b->chosen);
    b->chosen[low] = (struct chosen){.value = value, .run = run};
}

static void best_visit(void *context, int64_t run, int64_t row)
{
    struct best *b = context;
    if (!best_has_row(b, row))
        return;
    const double value = best_value(b, row);
    b->n_finished++;
    b->n_none += isnan(table_number(&b->table, b->ranked, row));
    if (b->size == 0) {
        best_insert(b, value, run);
        return;
    }
    struct chosen *chosen = &b->chosen[run / (b->size * b->inner) * b->inner + run % b->inner];
    chosen->n_finished++;
    chosen->n_none += isnan(table_number(&b->table, b->ranked, row));
    if (best_is_before(b, value, chosen)) {
        chosen->value = value;
        chosen->run = run;
    }
}

/* The chosen runs from `first` in order on, while they are read and printed. */
struct printing {
    struct best *b;
    int64_t n;
    int64_t *runs;   /* [n] ascending */
    int64_t *places; /* [n] in order, of each of these runs */
    double *numbers; /* [n] in order [n_shown] */
};

static int compare_runs(const void *a, const void *b)
{
    const int64_t x = (*(const struct chosen *const *)a)->run;
    const int64_t y = (*(const struct chosen *const *)b)->run;
    return (x > y) - (x < y);
}

/* Sorts the runs by their number. */
static bool printing_sort(struct printing *p, const struct chosen *chosen)
{
    const struct chosen **by_run = malloc((size_t)p->n * sizeof *by_run);
    for (int64_t i = 0; by_run && i < p->n; i++)
        by_run[i] = &chosen[i];
    if (!by_run)
        return false;
    qsort(by_run, (size_t)p->n, sizeof *by_run, compare_runs);
    for (int64_t i = 0; i < p->n; i++) {
        p->runs[i] = by_run[i]->run;
        p->places[i] = by_run[i] - chosen;
    }
    free(by_run);
    return true;
}

static void printing_visit(void *context, int64_t i, int64_t row)
{
    const struct printing *p = context;
    const struct table *table = &p->b->table;
    for (int k = 0; k < table->n_shown; k++)
        p->numbers[p->places[i] * table->n_shown + k] = table_number(table, k, row);
}

/* Over an axis whose runs may lack the number, two columns more: how many do, and of how many. */
static bool best_counts_none(const struct best *b) { return b->size > 0 && !isnan(b->none); }

static void best_end_row(const struct best *b, const struct chosen *chosen)
{
    if (best_counts_none(b) && b->table.is_aligned)
        (void)printf("  %7lld  %7lld", (long long)chosen->n_none, (long long)chosen->n_finished);
    else if (best_counts_none(b))
        (void)printf("%c%lld%c%lld", b->table.separator, (long long)chosen->n_none,
                     b->table.separator, (long long)chosen->n_finished);
    (void)fputc('\n', stdout);
}

/* Reads and prints n chosen runs. */
static int best_print_some(struct best *b, const struct chosen *chosen, int64_t n)
{
    const size_t n_shown = (size_t)b->table.n_shown;
    struct printing p = {.b = b,
                         .n = n,
                         .runs = malloc((size_t)n * sizeof *p.runs),
                         .places = malloc((size_t)n * sizeof *p.places),
                         .numbers = malloc((size_t)n * n_shown * sizeof *p.numbers)};
    int code = p.runs && p.places && p.numbers && printing_sort(&p, chosen) ? -1 : fail_memory();
    if (code < 0)
        code = table_each_of(&b->table, p.runs, n, printing_visit, &p);
    for (int64_t i = 0; code == EXIT_DONE && i < n; i++) {
        table_put_numbers(&b->table, p.numbers + (size_t)i * n_shown);
        best_end_row(b, &chosen[i]);
    }
    free(p.runs);
    free(p.places);
    free(p.numbers);
    return code;
}

static int best_print(struct best *b)
{
    int64_t n = 0;
    int code = EXIT_DONE;
    for (int64_t i = 0; i < b->n_chosen; i++)
        if (b->chosen[i].run >= 0)
            b->chosen[n++] = b->chosen[i];
    if (b->n_lacking > 0 && code == EXIT_DONE)
        say(stderr,
            "%s: left out: %lld runs that ended as the study asks but lack a number of the "
            "conditions\n",
            b->line->arguments[0], (long long)b->n_lacking);
    table_put_header(&b->table);
    if (best_counts_none(b) && b->table.is_aligned)
        (void)printf("  %7s  %7s", "without", "of");
    else if (best_counts_none(b))
        (void)printf("%cwithout%cof", b->table.separator, b->table.separator);
    (void)fputc('\n', stdout);
    for (int64_t i = 0; i < n && code == EXIT_DONE; i += AT_ONCE)
        code = best_print_some(b, b->chosen + i, n - i < AT_ONCE ? n - i : AT_ONCE);
    const int64_t wanted = b->size > 0 ? b->n_chosen : 1;
    if (n < wanted && code == EXIT_DONE)
        say(stderr,
            "%s: at %lld of %lld points no run ended as the study asks, has the number and meets "
            "all conditions\n",
            b->line->arguments[0], (long long)(wanted - n), (long long)wanted);
    if (b->n_none > 0 && b->size == 0 && code == EXIT_DONE)
        say(stderr, "%s: %lld of %lld finished runs have no %s: these count as the worst\n",
            b->line->arguments[0], (long long)b->n_none, (long long)b->n_finished,
            b->table.columns[b->ranked].name);
    return code;
}

static int choose(const struct command_line *line, bool is_largest)
{
    struct ml_error err = {0};
    struct best b = {.line = line, .is_largest = is_largest, .code = -1};
    int code = table_open(&b.table, line, &err);
    if (code < 0)
        code = best_take(&b, line->arguments[1]);
    if (code < 0)
        code = best_find_order(&b);
    if (code < 0)
        code = best_make_room(&b);
    if (code < 0)
        code = table_each(&b.table, best_visit, &b);
    if (code == EXIT_DONE && b.chosen)
        code = best_print(&b);
    table_close(&b.table);
    for (int i = 0; i < b.n_condition; i++)
        ml_formula_free(b.conditions[i]);
    free(b.conditions);
    free(b.numbers);
    free(b.chosen);
    return code;
}

int command_best(const struct command_line *line) { return choose(line, line->largest); }

int command_worst(const struct command_line *line) { return choose(line, !line->largest); }
