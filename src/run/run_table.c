/* Columns of the table of a result, and their numbers. The result is read piece by piece: memory
 * does not grow with the runs. */
#include "run/run_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "manylink/fail.h"
#include "manylink/text.h"

enum { WIDE = 100 /* numbers of a run: datasets with more are left out unless asked for */ };

static bool table_is_scale(const struct ml_array_info *info)
{
    return info->rank == 1 && strcmp(info->dim[0], ml_result_name(info)) == 0;
}

/* The datasets of the summary on the grid of the runs. */
static void table_find_grid(struct ml_run_table *table)
{
    struct ml_array_info info = {.size = sizeof info};
    table->n_grid = table->n_run == 1 ? 0 : -1;
    for (int i = 0; table->n_grid <= 0 && ml_result_dataset(table->result, i, &info); i++)
        if (strncmp(info.name, "summary/", 8) == 0 && info.n_run_dim > 0) {
            table->grid = info;
            table->n_grid = info.n_run_dim;
        }
}

static bool table_has_source(const struct ml_run_table *table, const char *name)
{
    for (int i = 0; i < table->n_source; i++)
        if (strcmp(ml_result_name(&table->sources[i].info), name) == 0)
            return true;
    return false;
}

/* The dimension of the grid that a dataset is along, such as an axis' own number; -1: none. */
static int table_axis(const struct ml_run_table *table, const struct ml_array_info *info)
{
    for (int k = 0; info->rank == 1 && k < table->n_grid; k++)
        if (info->shape[0] == table->grid.shape[k] && *info->dim[0] &&
            strcmp(info->dim[0], table->grid.dim[k]) == 0)
            return k;
    return -1;
}

static bool table_is_of(const struct ml_run_table *table, const struct ml_array_info *info,
                        enum ml_source_kind kind)
{
    if (strncmp(info->name, kind == ML_OF_RUNS ? "runs/" : "summary/",
                kind == ML_OF_RUNS ? 5 : 8) != 0)
        return false;
    if (kind == ML_OF_RUNS)
        return info->rank == 1 && info->shape[0] == table->n_run;
    if (kind == ML_OF_AXIS)
        return table_axis(table, info) >= 0 && (table->n_grid > 1 || table_is_scale(info));
    return !table_is_scale(info) && info->n_run_dim == table->n_grid;
}

static struct ml_run_source *table_add_source(struct ml_run_table *table,
                                              const struct ml_run_source *source)
{
    if (table_has_source(table, ml_result_name(&source->info)))
        return NULL;
    table->sources[table->n_source] = *source;
    return &table->sources[table->n_source++];
}

static void table_add_sources(struct ml_run_table *table, enum ml_source_kind kind)
{
    struct ml_array_info info = {.size = sizeof info};
    const int n_run_dim = kind == ML_OF_GRID ? table->n_grid : 1;
    for (int i = 0; ml_result_dataset(table->result, i, &info); i++) {
        if (info.type == ML_ARRAY_TEXT || !table_is_of(table, &info, kind))
            continue;
        const struct ml_run_source *source = table_add_source(
            table,
            &(struct ml_run_source){.info = info,
                                    .kind = kind,
                                    .axis = kind == ML_OF_AXIS ? table_axis(table, &info) : 0,
                                    .n_run_dim = n_run_dim,
                                    .width = ml_result_count(&info, n_run_dim, info.rank)});
        if (source && strcmp(info.name, "runs/outcome") == 0)
            table->has_outcome = true;
    }
}

/* Whether the result is one of joint torques by an older version, which has no group runs. */
static bool table_find_inverse(struct ml_run_table *table)
{
    struct ml_array_info *grid = &table->grid;
    *grid = (struct ml_array_info){.size = sizeof *grid};
    if (!ml_result_find(table->result, "inverse/torque", grid) ||
        !ml_result_find(table->result, "summary/peak_torque", grid))
        return false;
    table->n_grid = grid->n_run_dim;
    table->n_run = ml_result_count(grid, 0, table->n_grid);
    if (table->n_grid != 1 || strcmp(grid->dim[0], "run") != 0)
        (void)table_add_source(table, &(struct ml_run_source){.info = {.name = "run", .unit = ""},
                                                              .kind = ML_OF_NUMBER,
                                                              .width = 1});
    return true;
}

static enum ml_status table_find(struct ml_run_table *table, struct ml_error *err)
{
    struct ml_array_info runs = {.size = sizeof runs};
    int n = 0;
    while (ml_result_dataset(table->result, n, &runs))
        n++;
    table->sources = ml_pool_take(&table->pool, (size_t)n + 1, sizeof *table->sources);
    if (!table->sources)
        return ML_E_MEMORY;
    const bool has_runs = ml_result_find(table->result, "runs/run", &runs) && runs.rank == 1;
    if (has_runs) {
        table->n_run = runs.shape[0];
        table_add_sources(table, ML_OF_RUNS);
        table_find_grid(table);
    } else if (!table_find_inverse(table)) {
        return ml_fail(err, ML_E_INPUT,
                       "the result has no runs: tables are of results of `run` and `inverse`");
    }
    if (table->n_grid >= 0) {
        table_add_sources(table, ML_OF_AXIS);
        table_add_sources(table, ML_OF_GRID);
    }
    return table->has_outcome || !has_runs
               ? ML_OK
               : ml_fail(err, ML_E_FILE, "the result has no outcomes of its runs");
}

enum ml_status ml_run_table_open(struct ml_result *result, struct ml_run_table **out,
                                 struct ml_error *err)
{
    struct ml_run_table *table = calloc(1, sizeof *table);
    *out = NULL;
    if (!table)
        return ML_E_MEMORY;
    table->result = result;
    const enum ml_status status = table_find(table, err);
    if (status == ML_OK)
        *out = table;
    else
        ml_run_table_free(table);
    return status;
}

void ml_run_table_free(struct ml_run_table *table)
{
    for (int i = 0; table && i < table->n_column; i++)
        free(table->columns[i].name);
    if (table) {
        free(table->columns);
        ml_pool_free(&table->pool);
    }
    free(table);
}

int64_t ml_run_table_rows(const struct ml_run_table *table) { return table->n_run; }

/* Adds one component. */
static enum ml_status table_add(struct ml_run_table *table, const struct ml_run_source *source,
                                int64_t i, struct ml_error *err)
{
    const struct ml_array_info *info = &source->info;
    if (table->n_column == table->n_room) {
        const int n = 2 * table->n_room + 16;
        struct ml_run_table_column *more = realloc(table->columns, (size_t)n * sizeof *more);
        if (!more)
            return ML_E_MEMORY;
        table->columns = more;
        table->n_room = n;
    }
    struct ml_run_table_column *column = &table->columns[table->n_column];
    *column = (struct ml_run_table_column){.source = source, .component = i};
    const enum ml_status status = ml_result_component(table->result, info, source->n_run_dim,
                                                      info->rank, i, '.', &column->name, err);
    table->n_column += status == ML_OK;
    return status;
}

static enum ml_status table_add_all(struct ml_run_table *table, const struct ml_run_source *source,
                                    struct ml_error *err)
{
    enum ml_status status = ML_OK;
    for (int64_t i = 0; i < source->width && status == ML_OK; i++)
        status = table_add(table, source, i, err);
    return status;
}

/* Adds the component of this name, if the dataset has it. */
static enum ml_status table_add_named(struct ml_run_table *table,
                                      const struct ml_run_source *source, const char *name,
                                      struct ml_error *err)
{
    enum ml_status status = ML_OK;
    const int before = table->n_column;
    for (int64_t i = 0; i < source->width && status == ML_OK && table->n_column == before; i++) {
        status = table_add(table, source, i, err);
        if (status == ML_OK && strcmp(table->columns[before].name, name) != 0)
            free(table->columns[--table->n_column].name);
    }
    return status;
}

/* Whether a name begins with that of a source; the character behind. */
static bool table_begins(const struct ml_run_source *source, const char *name, char *next)
{
    const char *own = ml_result_name(&source->info);
    const size_t length = strlen(own);
    *next = 'x';
    if (strncmp(own, name, length) == 0)
        *next = name[length];
    return *next == '.' || *next == '\0';
}

bool ml_run_table_has(const struct ml_run_table *table, const char *name)
{
    bool has = false;
    char next;
    for (int i = 0; i < table->n_source; i++)
        has |= table_begins(&table->sources[i], name, &next);
    return has;
}

char *ml_run_table_names(const struct ml_run_table *table)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    for (int i = 0; to && i < table->n_source; i++)
        (void)fprintf(to, "%s %s", i > 0 ? "," : "", ml_result_name(&table->sources[i].info));
    if (to)
        (void)fprintf(to, "\nOne component of several is NAME.COMPONENT");
    return to && fclose(to) == 0 ? text : NULL;
}

static enum ml_status table_refuse(const struct ml_run_table *table, const char *name,
                                   struct ml_error *err)
{
    const char *nearest = NULL, **words = calloc((size_t)table->n_source + 1, sizeof *words);
    char *names = ml_run_table_names(table);
    for (int i = 0; words && i < table->n_source; i++)
        words[i] = ml_result_name(&table->sources[i].info);
    if (words)
        nearest = ml_text_nearest(name, words, table->n_source);
    if (nearest)
        ml_fail(err, ML_E_INPUT, "%s: there is no such column; did you mean `%s`? There are:%s",
                name, nearest, names ? names : "");
    else
        ml_fail(err, ML_E_INPUT, "%s: there is no such column; there are:%s", name,
                names ? names : "");
    free(words);
    free(names);
    return ML_E_INPUT;
}

/* All datasets that are not too wide. */
static enum ml_status table_add_usual(struct ml_run_table *table, struct ml_error *err)
{
    enum ml_status status = ML_OK;
    for (int i = 0; i < table->n_source && status == ML_OK; i++)
        if (table->sources[i].width <= WIDE)
            status = table_add_all(table, &table->sources[i], err);
    return status;
}

enum ml_status ml_run_table_add(struct ml_run_table *table, const char *name, struct ml_error *err)
{
    const int before = table->n_column;
    enum ml_status status = ML_OK;
    char next;
    if (!name)
        return table_add_usual(table, err);
    for (int i = 0; i < table->n_source; i++)
        if (table_begins(&table->sources[i], name, &next) && next == '\0')
            return table_add_all(table, &table->sources[i], err);
    for (int i = 0; i < table->n_source && status == ML_OK && table->n_column == before; i++)
        if (table_begins(&table->sources[i], name, &next))
            status = table_add_named(table, &table->sources[i], name, err);
    return status == ML_OK && table->n_column == before ? table_refuse(table, name, err) : status;
}

enum ml_status ml_run_table_add_inputs(struct ml_run_table *table, struct ml_error *err)
{
    enum ml_status status = ML_OK;
    for (int i = 0; i < table->n_source && status == ML_OK; i++) {
        const struct ml_run_source *source = &table->sources[i];
        const char *name = source->info.name;
        const bool is_of_old_inverse = /* whose numbers in a list are named by paths of keys */
            !table->has_outcome &&
            (source->kind != ML_OF_GRID || strchr(ml_result_name(&source->info), '.'));
        if (is_of_old_inverse ||
            (strncmp(name, "runs/", 5) == 0 && strcmp(name, "runs/outcome") != 0 &&
             strcmp(name, "runs/end_time") != 0 && strcmp(name, "runs/steps") != 0))
            status = table_add_all(table, source, err);
    }
    return status;
}

int ml_run_table_wide(const struct ml_run_table *table, int i, struct ml_array_info *info,
                      int64_t *width)
{
    for (int k = 0; k < table->n_source; k++)
        if (table->sources[k].width > WIDE && i-- == 0) {
            const size_t size = info->size;
            memcpy(info, &table->sources[k].info, size < sizeof *info ? size : sizeof *info);
            info->size = size;
            *width = table->sources[k].width;
            return 1;
        }
    return 0;
}

int ml_run_table_column(const struct ml_run_table *table, int i, struct ml_run_column *column)
{
    if (i < 0 || i >= table->n_column)
        return 0;
    const struct ml_array_info *info = &table->columns[i].source->info;
    struct ml_run_column own = {.size = column->size,
                                .name = table->columns[i].name,
                                .unit = info->unit,
                                .dataset = info->name};
    memcpy(column, &own, own.size < sizeof own ? own.size : sizeof own);
    return 1;
}

/* Runs of a piece that begins with run `first`: a box of the grid, which is a range of runs too.
 * `start` and `count` are those of the grid's dimensions. */
static int64_t table_piece(const struct ml_run_table *table, int64_t first, int64_t most,
                           int64_t *start, int64_t *count)
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
static void table_spread(const struct ml_run_table *table, int axis, int64_t n,
                         const int64_t *count, double *values)
{
    int64_t inner = 1;
    for (int k = axis + 1; k < table->n_grid; k++)
        inner *= count[k];
    for (int64_t row = n - 1; row > 0; row--)
        values[row] = values[row / inner % count[axis]];
}

/* Reads the columns' numbers of runs first .. first + n - 1. */
static enum ml_status table_read(struct ml_run_table *table, int64_t first, int64_t n,
                                 const int64_t *start, const int64_t *count, struct ml_error *err)
{
    enum ml_status status = ML_OK;
    for (int i = 0; i < table->n_source && status == ML_OK; i++) {
        const struct ml_run_source *source = &table->sources[i];
        const int axis = source->axis;
        int64_t from[ML_ARRAY_MAX_RANK] = {first}, size[ML_ARRAY_MAX_RANK] = {n};
        if (!source->values)
            continue;
        for (int64_t row = 0; source->kind == ML_OF_NUMBER && row < n; row++)
            source->values[row] = (double)(first + row);
        for (int k = 0; source->kind == ML_OF_GRID && k < source->info.rank; k++) {
            from[k] = k < table->n_grid ? start[k] : 0;
            size[k] = k < table->n_grid ? count[k] : source->info.shape[k];
        }
        if (source->kind == ML_OF_AXIS) {
            from[0] = start[axis];
            size[0] = count[axis];
        }
        if (source->kind != ML_OF_NUMBER)
            status = ml_result_read(
                table->result, source->info.name, from, size, source->values,
                (size_t)(source->kind == ML_OF_AXIS ? count[axis] : n * source->width), err);
        if (source->kind == ML_OF_AXIS && status == ML_OK)
            table_spread(table, axis, n, count, source->values);
    }
    return status;
}

/* Room for the datasets that columns need; returns the runs of a piece, or 0 without memory. */
static int64_t table_make_room(struct ml_run_table *table, struct ml_pool *pool)
{
    int64_t width = 1;
    bool *is_needed = ml_pool_take(pool, (size_t)table->n_source + 1, sizeof *is_needed);
    for (int i = 0; is_needed && i < table->n_column; i++)
        is_needed[table->columns[i].source - table->sources] = true;
    for (int i = 0; is_needed && i < table->n_source; i++)
        width += is_needed[i] ? table->sources[i].width : 0;
    const int64_t fit = ML_TABLE_PIECE / width + 1;
    const int64_t most = fit < table->n_run ? fit : table->n_run;
    for (int i = 0; is_needed && i < table->n_source; i++)
        table->sources[i].values =
            is_needed[i] ? ml_pool_take(pool, (size_t)(most * table->sources[i].width),
                                        sizeof *table->sources[i].values)
                         : NULL;
    return pool->is_short ? 0 : most;
}

/* A run that is asked for, and its row. */
struct wanted {
    int64_t run, row;
};

static void table_copy_row(const struct ml_run_table *table, int64_t at, double *row)
{
    for (int k = 0; k < table->n_column; k++) {
        const struct ml_run_source *source = table->columns[k].source;
        row[k] = source->values[at * source->width + table->columns[k].component];
    }
}

enum ml_status ml_run_table_read(struct ml_run_table *table, const int64_t *runs, int64_t n_run,
                                 double *values, struct ml_error *err)
{
    struct ml_pool pool = {0};
    const int64_t most = table_make_room(table, &pool);
    struct wanted *all = ml_pool_take(&pool, (size_t)n_run + 1, sizeof *all);
    if (!all || pool.is_short) {
        ml_pool_free(&pool);
        return ML_E_MEMORY;
    }
    enum ml_status status = ML_OK;
    for (int64_t i = 0; status == ML_OK && i < n_run; i++) {
        all[i] = (struct wanted){runs[i], i};
        if (runs[i] < 0 || runs[i] >= table->n_run)
            status = ml_fail(err, ML_E_INPUT, "the result has no run %lld", (long long)runs[i]);
    }
    if (status == ML_OK)
        qsort(all, (size_t)n_run, sizeof *all, ml_compare_int64);
    for (int64_t i = 0; status == ML_OK && i < n_run;) {
        int64_t start[ML_ARRAY_MAX_RANK], count[ML_ARRAY_MAX_RANK];
        const int64_t first = all[i].run;
        int64_t last = i;
        while (last + 1 < n_run && all[last + 1].run - first < most)
            last++;
        int64_t n = all[last].run - first + 1;
        if (table->n_grid > 0)
            n = table_piece(table, first, n, start, count);
        status = table_read(table, first, n, start, count, err);
        for (; status == ML_OK && i < n_run && all[i].run - first < n; i++)
            table_copy_row(table, all[i].run - first, values + all[i].row * table->n_column);
    }
    ml_pool_free(&pool);
    return status;
}
