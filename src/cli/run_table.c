/* Rows of numbers of a result. The result is read piece by piece: memory does not grow with the
 * runs. */
#include "cli/run_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "manylink/run.h"
#include "manylink/text.h"

enum {
    WIDE = 100,      /* numbers of a run: datasets with more are left out unless asked for */
    PIECE = 1 << 18, /* numbers that are read at once */
};

static bool table_is_scale(const struct ml_array_info *info)
{
    return info->rank == 1 && strcmp(info->dim[0], ml_result_name(info)) == 0;
}

/* The datasets of the summary on the grid of the runs. */
static void table_find_grid(struct table *table)
{
    struct ml_array_info info = {.size = sizeof info};
    table->n_grid = table->n_run == 1 ? 0 : -1;
    for (int i = 0; table->n_grid <= 0 && ml_result_dataset(table->result, i, &info); i++)
        if (strncmp(info.name, "summary/", 8) == 0 && info.n_run_dim > 0) {
            table->grid = info;
            table->n_grid = info.n_run_dim;
        }
}

static bool table_has_source(const struct table *table, const char *name)
{
    for (int i = 0; i < table->n_source; i++)
        if (strcmp(ml_result_name(&table->sources[i].info), name) == 0)
            return true;
    return false;
}

/* The dimension of the grid that a dataset is along, such as an axis' own number; -1: none. */
static int table_axis(const struct table *table, const struct ml_array_info *info)
{
    for (int k = 0; info->rank == 1 && k < table->n_grid; k++)
        if (info->shape[0] == table->grid.shape[k] && *info->dim[0] &&
            strcmp(info->dim[0], table->grid.dim[k]) == 0)
            return k;
    return -1;
}

static bool table_is_of(const struct table *table, const struct ml_array_info *info,
                        enum source_kind kind)
{
    if (strncmp(info->name, kind == OF_RUNS ? "runs/" : "summary/", kind == OF_RUNS ? 5 : 8) != 0)
        return false;
    if (kind == OF_RUNS)
        return info->rank == 1 && info->shape[0] == table->n_run;
    if (kind == OF_AXIS)
        return table_axis(table, info) >= 0 && (table->n_grid > 1 || table_is_scale(info));
    return !table_is_scale(info) && info->n_run_dim == table->n_grid;
}

static struct source *table_add_source(struct table *table, const struct source *source)
{
    if (table_has_source(table, ml_result_name(&source->info)))
        return NULL;
    table->sources[table->n_source] = *source;
    return &table->sources[table->n_source++];
}

static void table_add_sources(struct table *table, enum source_kind kind)
{
    struct ml_array_info info = {.size = sizeof info};
    const int n_run_dim = kind == OF_GRID ? table->n_grid : 1;
    for (int i = 0; ml_result_dataset(table->result, i, &info); i++) {
        if (info.type == ML_ARRAY_TEXT || !table_is_of(table, &info, kind))
            continue;
        struct source *source = table_add_source(
            table, &(struct source){.info = info,
                                    .kind = kind,
                                    .axis = kind == OF_AXIS ? table_axis(table, &info) : 0,
                                    .n_run_dim = n_run_dim,
                                    .width = ml_result_count(&info, n_run_dim, info.rank)});
        if (source && strcmp(info.name, "runs/outcome") == 0)
            table->outcome = source;
    }
}

/* An exit code, -1 if all is well. */
static int table_fail(struct table *table, enum ml_status status)
{
    table->err->status = status;
    return fail_with(table->err);
}

/* Whether the result is one of joint torques, which has a summary only. */
static bool table_find_inverse(struct table *table)
{
    struct ml_array_info *grid = &table->grid;
    *grid = (struct ml_array_info){.size = sizeof *grid};
    if (!ml_result_find(table->result, "inverse/torque", grid) ||
        !ml_result_find(table->result, "summary/peak_torque", grid))
        return false;
    table->n_grid = grid->n_run_dim;
    table->n_run = ml_result_count(grid, 0, table->n_grid);
    if (table->n_grid != 1 || strcmp(grid->dim[0], "run") != 0)
        (void)table_add_source(
            table,
            &(struct source){.info = {.name = "run", .unit = ""}, .kind = OF_NUMBER, .width = 1});
    return true;
}

/* Room for the sources: -1, or an exit code. */
static int table_take_sources(struct table *table)
{
    struct ml_array_info info = {.size = sizeof info};
    int n = 0;
    while (ml_result_dataset(table->result, n, &info))
        n++;
    table->sources = calloc((size_t)n + 1, sizeof *table->sources);
    return table->sources ? -1 : table_fail(table, ML_E_MEMORY);
}

static int table_find(struct table *table)
{
    struct ml_array_info runs = {.size = sizeof runs};
    if (ml_result_find(table->result, "runs/run", &runs) && runs.rank == 1) {
        table->n_run = runs.shape[0];
        table_add_sources(table, OF_RUNS);
        table_find_grid(table);
    } else if (!table_find_inverse(table)) {
        return fail_without_runs(table->result, table->line->arguments[0],
                                 "tables are of results of `run` and `inverse`");
    }
    if (table->n_grid >= 0) {
        table_add_sources(table, OF_AXIS);
        table_add_sources(table, OF_GRID);
    }
    if (table->outcome || (table->n_source > 0 && !runs.name && !table->line->outcome))
        return -1;
    say(stderr, "%s: has no outcomes of its runs\n", table->line->arguments[0]);
    return runs.name ? EXIT_FAILED : EXIT_BAD_INPUT;
}

/* Adds one component; -1, or an exit code. */
static int table_add(struct table *table, struct source *source, int64_t i)
{
    const struct ml_array_info *info = &source->info;
    if (table->n_column == table->n_room) {
        const int n = 2 * table->n_room + 16;
        struct table_column *more = realloc(table->columns, (size_t)n * sizeof *more);
        if (!more)
            return table_fail(table, ML_E_MEMORY);
        table->columns = more;
        table->n_room = n;
    }
    struct table_column *column = &table->columns[table->n_column];
    *column = (struct table_column){.source = source, .component = i};
    const enum ml_status status = ml_result_component(
        table->result, info, source->n_run_dim, info->rank, i, '.', &column->name, table->err);
    if (status != ML_OK)
        return table_fail(table, status);
    table->n_column++;
    return -1;
}

static int table_add_all(struct table *table, struct source *source)
{
    int code = -1;
    for (int64_t i = 0; i < source->width && code < 0; i++)
        code = table_add(table, source, i);
    return code;
}

static int table_take_all(struct table *table)
{
    int code = -1;
    for (int i = 0; i < table->n_source && code < 0; i++) {
        struct source *source = &table->sources[i];
        if (source->width <= WIDE)
            code = table_add_all(table, source);
        else
            say(stderr, "left out: %s, %lld numbers of a run; --columns %s has them\n",
                ml_result_name(&source->info), (long long)source->width,
                ml_result_name(&source->info));
    }
    return code;
}

/* Adds the component of this name, if the dataset has it. */
static int table_add_named(struct table *table, struct source *source, const char *name)
{
    int code = -1;
    const int before = table->n_column;
    for (int64_t i = 0; i < source->width && code < 0 && table->n_column == before; i++) {
        code = table_add(table, source, i);
        if (code < 0 && strcmp(table->columns[before].name, name) != 0)
            free(table->columns[--table->n_column].name);
    }
    return code;
}

void table_list_columns(const struct table *table)
{
    for (int i = 0; i < table->n_source; i++)
        say(stderr, "%s %s", i > 0 ? "," : "", ml_result_name(&table->sources[i].info));
    say(stderr, "\nOne component of several is NAME.COMPONENT\n");
}

static int table_refuse(const struct table *table, const char *name)
{
    const char *nearest = NULL, **names = calloc((size_t)table->n_source + 1, sizeof *names);
    for (int i = 0; names && i < table->n_source; i++)
        names[i] = ml_result_name(&table->sources[i].info);
    if (names)
        nearest = ml_text_nearest(name, names, table->n_source);
    say(stderr,
        nearest ? "manylink %s: %s: there is no such column; did you mean `%s`? There are:"
                : "manylink %s: %s: there is no such column; there are:",
        table->line->command->name, name, nearest);
    free(names);
    table_list_columns(table);
    return EXIT_BAD_INPUT;
}

bool table_has(const struct table *table, const char *name)
{
    bool has = false;
    for (int i = 0; i < table->n_source; i++) {
        const char *own = ml_result_name(&table->sources[i].info);
        const size_t length = strlen(own);
        has |= strncmp(own, name, length) == 0 && (name[length] == '.' || name[length] == '\0');
    }
    return has;
}

/* A dataset by its name, or one of its components. */
int table_take_one(struct table *table, const char *name)
{
    const int before = table->n_column;
    int code = -1;
    for (int i = 0; i < table->n_source; i++)
        if (strcmp(ml_result_name(&table->sources[i].info), name) == 0)
            return table_add_all(table, &table->sources[i]);
    for (int i = 0; i < table->n_source && code < 0 && table->n_column == before; i++) {
        const char *own = ml_result_name(&table->sources[i].info);
        if (strncmp(own, name, strlen(own)) == 0 && name[strlen(own)] == '.')
            code = table_add_named(table, &table->sources[i], name);
    }
    return code < 0 && table->n_column == before ? table_refuse(table, name) : code;
}

int table_take(struct table *table)
{
    const char *names = table->line->columns;
    int code = -1;
    if (!names)
        return table_take_all(table);
    while (code < 0) {
        const size_t length = strcspn(names, ",");
        char *name = strndup(names, length);
        code = name ? table_take_one(table, name) : table_fail(table, ML_E_MEMORY);
        free(name);
        if (!names[length])
            break;
        names += length + 1;
    }
    return code;
}

/* Runs of a piece that begins with run `first`: a box of the grid, which is a range of runs too.
 * `start` and `count` are those of the grid's dimensions. */
static int64_t table_piece(const struct table *table, int64_t first, int64_t most, int64_t *start,
                           int64_t *count)
{
    int64_t inner = 1, n = 1;
    int k = table->n_grid;
    for (int i = 0, j = 0; i < table->n_grid; i++, j++) {
        start[j] =
            first / ml_result_count(&table->grid, i + 1, table->n_grid) % table->grid.shape[i];
        count[j] = 1;
    }
    for (; k > 0 && start[k - 1] == 0 && inner * table->grid.shape[k - 1] <= most; k--) {
        count[k - 1] = table->grid.shape[k - 1];
        inner *= count[k - 1];
    }
    if (k > 0) {
        const int64_t left = table->grid.shape[k - 1] - start[k - 1];
        const int64_t fit = most / inner > 1 ? most / inner : 1;
        count[k - 1] = left < fit ? left : fit;
        n = count[k - 1];
    }
    return n * inner;
}

/* Gives each run of a piece the number of its place along an axis; the numbers of the places are
 * the first of `values`. */
static void table_spread(const struct table *table, int axis, int64_t n, const int64_t *count,
                         double *values)
{
    int64_t inner = 1;
    for (int k = axis + 1; k < table->n_grid; k++)
        inner *= count[k];
    for (int64_t row = n - 1; row > 0; row--)
        values[row] = values[row / inner % count[axis]];
}

/* Reads the columns' numbers of runs first .. first + n - 1. */
static enum ml_status table_read(struct table *table, int64_t first, int64_t n,
                                 const int64_t *start, const int64_t *count)
{
    enum ml_status status = ML_OK;
    for (int i = 0; i < table->n_source && status == ML_OK; i++) {
        const struct source *source = &table->sources[i];
        const int axis = source->axis;
        int64_t from[ML_ARRAY_MAX_RANK] = {first}, size[ML_ARRAY_MAX_RANK] = {n};
        if (!source->values)
            continue;
        for (int64_t row = 0; source->kind == OF_NUMBER && row < n; row++)
            source->values[row] = (double)(first + row);
        for (int k = 0; source->kind == OF_GRID && k < source->info.rank; k++) {
            from[k] = k < table->n_grid ? start[k] : 0;
            size[k] = k < table->n_grid ? count[k] : source->info.shape[k];
        }
        if (source->kind == OF_AXIS) {
            from[0] = start[axis];
            size[0] = count[axis];
        }
        if (source->kind != OF_NUMBER)
            status = ml_result_read(
                table->result, source->info.name, from, size, source->values,
                (size_t)(source->kind == OF_AXIS ? count[axis] : n * source->width), table->err);
        if (source->kind == OF_AXIS && status == ML_OK)
            table_spread(table, axis, n, count, source->values);
    }
    return status;
}

/* Begins a cell; on a terminal text is on the left, numbers on the right of a column as wide as its
 * title. */
static void table_begin_cell(const struct table *table, int i)
{
    if (i > 0 && table->is_aligned)
        (void)fputs("  ", stdout);
    else if (i > 0)
        (void)fputc(table->separator, stdout);
}

/* "name (unit)" */
void table_put_header(struct table *table)
{
    const int number = 12; /* characters of -1.23457e-05 */
    for (int i = 0; i < table->n_shown; i++) {
        struct table_column *own = &table->columns[i];
        const struct table_column *column = &table->columns[i];
        const char *unit = column->source->info.unit;
        const bool has_unit = *unit && strcmp(unit, "1") != 0;
        char *text = NULL;
        size_t size;
        FILE *name = open_memstream(&text, &size);
        if (name) {
            (void)fprintf(name, has_unit ? "%s (%s)" : "%s", column->name, unit);
            (void)fclose(name);
        }
        const char *title = text ? text : column->name;
        own->width = (int)strlen(title) > number ? (int)strlen(title) : number;
        table_begin_cell(table, i);
        if (table->is_aligned)
            say(stdout, "%*s", own->width, title);
        else
            ml_text_word(stdout, title, table->separator);
        free(text);
    }
}

static void table_put_cell(const struct table *table, int i, double value)
{
    const int width = table->is_aligned ? table->columns[i].width : 0;
    table_begin_cell(table, i);
    if (table->columns[i].source == table->outcome && ml_outcome_name((int)value))
        (void)printf("%*s", width, ml_outcome_name((int)value));
    else if (table->is_aligned && isnan(value))
        (void)printf("%*s", width, "-");
    else if (table->is_aligned)
        (void)printf("%*.6g", width, value);
    else
        ml_text_number(stdout, value, "");
}

void table_put_numbers(const struct table *table, const double *numbers)
{
    for (int i = 0; i < table->n_shown; i++)
        table_put_cell(table, i, numbers[i]);
}

void table_put_row(const struct table *table, int64_t row)
{
    for (int i = 0; i < table->n_shown; i++)
        table_put_cell(table, i, table_number(table, i, row));
    (void)fputc('\n', stdout);
}

/* Room for the datasets that columns, or the choice of rows, need; sets the runs of a piece. */
static int table_make_room(struct table *table)
{
    int64_t width = 0;
    if (table->outcome)
        table->outcome->is_needed = true;
    for (int i = 0; i < table->n_column; i++)
        table->columns[i].source->is_needed = true;
    for (int i = 0; i < table->n_source; i++)
        width += table->sources[i].is_needed ? table->sources[i].width : 0;
    table->most = width > 0 && width < PIECE ? PIECE / width : 1;
    table->most = table->most < table->n_run ? table->most : table->n_run;
    for (int i = 0; i < table->n_source; i++) {
        struct source *source = &table->sources[i];
        const size_t n = (size_t)table->most * (size_t)source->width;
        source->values = source->is_needed ? malloc(n * sizeof *source->values) : NULL;
        if (source->is_needed && !source->values)
            return table_fail(table, ML_E_MEMORY);
    }
    return -1;
}

/* Reads runs from `first` on, at most `wanted`: *n of them, or an exit code. */
static int table_read_piece(struct table *table, int64_t first, int64_t wanted, int64_t *n)
{
    int64_t start[ML_ARRAY_MAX_RANK], count[ML_ARRAY_MAX_RANK];
    *n = wanted < table->most ? wanted : table->most;
    if (table->n_grid > 0)
        *n = table_piece(table, first, *n, start, count);
    const enum ml_status status = table_read(table, first, *n, start, count);
    return status == ML_OK ? -1 : table_fail(table, status);
}

int table_each(struct table *table, void (*visit)(void *context, int64_t run, int64_t row),
               void *context)
{
    int code = table_make_room(table);
    for (int64_t first = 0, n = 0; code < 0 && first < table->n_run && !ferror(stdout);
         first += n) {
        code = table_read_piece(table, first, table->n_run - first, &n);
        for (int64_t row = 0; code < 0 && row < n; row++)
            visit(context, first + row, row);
    }
    return code < 0 ? EXIT_DONE : code;
}

int table_each_of(struct table *table, const int64_t *runs, int64_t n_run,
                  void (*visit)(void *context, int64_t i, int64_t row), void *context)
{
    int code = -1;
    for (int64_t i = 0; code < 0 && i < n_run;) {
        const int64_t first = runs[i];
        int64_t last = i, n = 0;
        while (last + 1 < n_run && runs[last + 1] - first < table->most)
            last++;
        code = table_read_piece(table, first, runs[last] - first + 1, &n);
        for (; code < 0 && i < n_run && runs[i] - first < n; i++)
            visit(context, i, runs[i] - first);
    }
    return code < 0 ? EXIT_DONE : code;
}

void table_close(struct table *table)
{
    for (int i = 0; i < table->n_column; i++)
        free(table->columns[i].name);
    for (int i = 0; i < table->n_source; i++)
        free(table->sources[i].values);
    free(table->columns);
    free(table->sources);
    ml_result_free(table->result);
}

int table_open(struct table *table, const struct command_line *line, struct ml_error *err)
{
    *table = (struct table){.err = err,
                            .line = line,
                            .separator = line->tsv ? '\t' : ',',
                            .is_aligned = !line->tsv && isatty(STDOUT_FILENO)};
    const enum ml_status status = ml_result_open(line->arguments[0], &table->result, err);
    const int code = status == ML_OK ? table_take_sources(table) : fail_with(err);
    return code < 0 ? table_find(table) : code;
}
