/* manylink best, worst: the runs with the smallest or largest number, or over an axis at each point
 * of the other axes. */
#include <stdio.h>

#include "cli/command.h"
#include "cli/run_table.h"

/* Over an axis whose runs may lack the number, two columns more: how many do, and of how many. */
struct chosen_runs {
    struct printed_table table;
    struct ml_best best;
    bool counts_without;
};

static void best_end_row(const void *context, int64_t i)
{
    const struct chosen_runs *c = context;
    const long long without = (long long)c->best.without[i], of = (long long)c->best.counted[i];
    if (c->table.is_aligned)
        (void)printf("  %7lld  %7lld", without, of);
    else
        (void)printf("%c%lld%c%lld", c->table.separator, without, c->table.separator, of);
}

static void best_end_names(const struct chosen_runs *c)
{
    if (c->counts_without && c->table.is_aligned)
        (void)printf("  %7s  %7s", "without", "of");
    else if (c->counts_without)
        (void)printf("%cwithout%cof", c->table.separator, c->table.separator);
    (void)fputc('\n', stdout);
}

/* Notes on runs that were left out, or that lack the number. */
static void best_print_notes(const struct chosen_runs *c)
{
    const struct ml_best *best = &c->best;
    const struct command_line *line = c->table.line;
    struct ml_run_column column = {.size = sizeof column};
    (void)ml_run_table_column(c->table.table, best->column, &column);
    const long long wanted = (long long)best->n_point;
    if (best->n < wanted)
        say(stderr,
            "%s: at %lld of %lld points no run ended as the study asks, has the number and meets "
            "all conditions\n",
            line->arguments[0], wanted - (long long)best->n, wanted);
    if (best->n_without > 0 && !best->without)
        say(stderr, "%s: %lld of %lld finished runs have no %s: these count as the worst\n",
            line->arguments[0], (long long)best->n_without, (long long)best->n_counted,
            column.name);
}

static int best_print(struct chosen_runs *c, struct ml_error *err)
{
    const struct ml_best *best = &c->best;
    c->counts_without = best->without && best->has_without;
    c->table.end_row = c->counts_without ? best_end_row : NULL;
    c->table.context = c;
    c->table.n_shown = best->column + !c->table.line->table.columns;
    if (best->n_lacking > 0)
        say(stderr,
            "%s: left out: %lld runs that ended as the study asks but lack a number of the "
            "conditions\n",
            c->table.line->arguments[0], (long long)best->n_lacking);
    table_print_names(&c->table);
    best_end_names(c);
    const int code = table_print_runs(&c->table, best->runs, best->n, err);
    if (code == EXIT_DONE)
        best_print_notes(c);
    return code;
}

static int choose(const struct command_line *line, bool is_worst)
{
    struct ml_error err = {0};
    struct chosen_runs c = {.best = {.size = sizeof c.best}};
    const struct ml_best_options options = {.size = sizeof options,
                                            .output = line->arguments[1],
                                            .where = line->table.where.words,
                                            .n_where = line->table.where.n,
                                            .is_worst = is_worst,
                                            .is_largest = line->table.largest,
                                            .count = line->table.count,
                                            .over = line->table.over};
    int code = table_open(&c.table, line, &err);
    if (code < 0 && line->table.columns)
        code = table_add_columns(&c.table, &err);
    else if (code < 0 && ml_run_table_add_inputs(c.table.table, &err) != ML_OK)
        code = fail_with(&err);
    if (code < 0)
        code = ml_run_table_best(c.table.table, &options, &c.best, &err) == ML_OK
                   ? best_print(&c, &err)
                   : table_fail(&c.table, &err);
    table_close(&c.table);
    return code;
}

int command_best(const struct command_line *line) { return choose(line, false); }

int command_worst(const struct command_line *line) { return choose(line, true); }
