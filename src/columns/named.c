/* Columns of a table by their names, for callers of the library. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numeric_env.h"
#include "base/open.h"
#include "columns/table.h"
#include "manylink/fail.h"
#include "manylink/table.h"

/* Has the columns read to where they go; missing columns keep their NaN. */
static void choose(struct ml_table *table, const char *order, int n, const char *const *names,
                   double *to)
{
    table->order = order;
    for (int i = -1; i < n; i++, to += table->n_row) {
        const int c = ml_table_find(table, i < 0 ? order : names[i]);
        if (i < 0 && c < 0)
            ml_table_missing(table, order, "");
        for (int64_t k = 0; k < table->n_row; k++)
            to[k] = (double)NAN;
        if (c < 0)
            continue;
        if (table->columns[c].to)
            ml_problem(&table->problems, table->columns[c].location,
                       "column `%s` is asked for twice", table->columns[c].param.name);
        table->columns[c].to = to;
        table->columns[c].takes_gaps = i >= 0;
    }
}

static enum ml_status read_columns(struct ml_pool *pool, const char *path, const char *order, int n,
                                   const char *const *names, struct ml_table *table,
                                   double **columns, struct ml_error *err)
{
    const bool is_open = ml_table_open(table, pool, path, false, order);
    if (!is_open && !pool->is_short)
        return ml_fail(err, ml_open_status(errno), "%s: %s", path, ml_open_reason(errno));
    if (is_open && table->problems.count == 0 && table->sorted) {
        *columns = malloc((size_t)(n + 1) * (size_t)table->n_row * sizeof **columns);
        if (!*columns)
            return ML_E_MEMORY;
        choose(table, order, n, names, *columns);
        ml_table_read(table);
    }
    return pool->is_short ? ML_E_MEMORY : ml_problems_report(&table->problems, err);
}

enum ml_status ml_table_columns(const char *path, const char *order, int n,
                                const char *const *names, double **columns, int64_t *n_row,
                                struct ml_error *err)
{
    struct ml_pool pool = {0};
    struct ml_table table;
    *columns = NULL;
    const struct ml_numeric_env before = ml_numeric_env_set();
    const enum ml_status status = read_columns(&pool, path, order, n, names, &table, columns, err);
    ml_numeric_env_restore(&before);
    *n_row = table.n_row;
    ml_pool_free(&pool);
    if (status != ML_OK) {
        free(*columns);
        *columns = NULL;
    }
    return status;
}
