/* manylink best, worst: the runs with the smallest or largest number, or over an axis at each point
 * of the other axes. The result is read once, piece by piece, and then the chosen runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/run_table.h"
#include "manylink/outcome.h"
#include "manylink/text.h"

enum comparison { BELOW, AT_MOST, ABOVE, AT_LEAST, EQUAL, UNEQUAL };
static const char *const comparison_signs[] = {
    [BELOW] = "<",     [AT_MOST] = "<=", [ABOVE] = ">",
    [AT_LEAST] = ">=", [EQUAL] = "==",   [UNEQUAL] = "!="};

/* A comparison that a run meets. */
struct condition {
    int column;
    enum comparison comparison;
    double number;
};

struct chosen {
    double value;
    int64_t run; /* -1: none */
};

struct best {
    struct table table;
    const struct command_line *line;
    bool is_largest; /* the largest number comes first */
    int ranked;      /* column */
    struct condition *conditions;
    int n_condition;
    struct chosen *chosen; /* [n_chosen] the first in order; over an axis one for each point of the
                              other axes */
    int64_t n_chosen, room;
    int64_t size, inner; /* of the axis, and of the axes behind; without an axis 0 */
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

/* Splits "NAME < NUMBER" and adds the condition. */
static int best_add_condition(struct best *b, char *text)
{
    struct condition *condition = &b->conditions[b->n_condition++];
    char *name = text + strspn(text, " "), *sign = name + strcspn(name, "<>=!"), why[200] = "";
    const size_t length = strspn(sign, "<>=!");
    int found = -1;
    for (int k = BELOW; k <= UNEQUAL; k++)
        if (strlen(comparison_signs[k]) == length &&
            strncmp(sign, comparison_signs[k], length) == 0)
            found = k;
    if (found < 0 || sign == name ||
        !ml_number_parse(sign + length, &condition->number, why, sizeof why))
        return fail_usage(
            b->line->command,
            "--where %s: a condition is NAME < NUMBER, with one of < <= > >= == !=%s%s", text,
            *why ? "; " : "", why);
    condition->comparison = (enum comparison)found;
    while (sign > name && sign[-1] == ' ')
        sign--;
    *sign = '\0';
    return best_add_number(b, name, &condition->column);
}

/* Conditions of an option are joined by "and". */
static int best_add_conditions(struct best *b)
{
    int code = -1;
    size_t most = 0;
    for (int i = 0; i < b->line->where.n; i++)
        most += strlen(b->line->where.words[i]);
    b->conditions = calloc(most + 1, sizeof *b->conditions); /* each has a character or more */
    if (!b->conditions)
        return fail_memory();
    for (int i = 0; i < b->line->where.n && code < 0; i++) {
        char *text = strdup(b->line->where.words[i]);
        if (!text)
            return fail_memory();
        for (char *at = text, *end; at && code < 0; at = end) {
            end = strstr(at, " and ");
            if (end) {
                *end = '\0';
                end += strlen(" and ");
            }
            code = best_add_condition(b, at);
        }
        free(text);
    }
    return code;
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

static bool condition_holds(const struct condition *condition, double value)
{
    switch (condition->comparison) {
    case BELOW:
        return value < condition->number;
    case AT_MOST:
        return value <= condition->number;
    case ABOVE:
        return value > condition->number;
    case AT_LEAST:
        return value >= condition->number;
    case EQUAL:
        return value == condition->number;
    default:
        return value < condition->number || value > condition->number;
    }
}

/* Whether a run has the ranked number and meets all conditions. */
static bool best_has_row(const struct best *b, int64_t row)
{
    const struct source *outcome = b->table.outcome;
    if ((outcome && !ml_outcome_is_sound((int)outcome->values[row])) ||
        !isfinite(table_number(&b->table, b->ranked, row)))
        return false;
    for (int i = 0; i < b->n_condition; i++)
        if (!condition_holds(&b->conditions[i],
                             table_number(&b->table, b->conditions[i].column, row)))
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
    b->chosen[low] = (struct chosen){value, run};
}

static void best_visit(void *context, int64_t run, int64_t row)
{
    struct best *b = context;
    if (!best_has_row(b, row))
        return;
    const double value = table_number(&b->table, b->ranked, row);
    if (b->size == 0) {
        best_insert(b, value, run);
        return;
    }
    struct chosen *chosen = &b->chosen[run / (b->size * b->inner) * b->inner + run % b->inner];
    if (best_is_before(b, value, chosen))
        *chosen = (struct chosen){value, run};
}

static int best_print(struct best *b)
{
    int64_t n = 0;
    table_put_header(&b->table);
    for (int64_t i = 0; i < b->n_chosen; i++) {
        if (b->chosen[i].run < 0)
            continue;
        if (table_read_run(&b->table, b->chosen[i].run) != ML_OK)
            return fail_with(b->table.err);
        table_put_row(&b->table, 0);
        n++;
    }
    const int64_t wanted = b->size > 0 ? b->n_chosen : 1;
    if (n < wanted)
        say(stderr,
            "%s: at %lld of %lld points no run ended as the study asks, has the number and meets "
            "all conditions\n",
            b->line->arguments[0], (long long)(wanted - n), (long long)wanted);
    return EXIT_DONE;
}

static int choose(const struct command_line *line, bool is_largest)
{
    struct ml_error err = {0};
    struct best b = {.line = line, .is_largest = is_largest};
    int code = table_open(&b.table, line, &err);
    if (code < 0)
        code = best_take(&b, line->arguments[1]);
    if (code < 0)
        code = best_make_room(&b);
    if (code < 0)
        code = table_each(&b.table, best_visit, &b);
    if (code == EXIT_DONE && b.chosen)
        code = best_print(&b);
    table_close(&b.table);
    free(b.conditions);
    free(b.chosen);
    return code;
}

int command_best(const struct command_line *line) { return choose(line, line->largest); }

int command_worst(const struct command_line *line) { return choose(line, !line->largest); }
