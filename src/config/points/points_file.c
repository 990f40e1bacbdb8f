/* Reads files of points: columns are chosen by name, numbers converted to the unit of their keys
 * and compared with the range of each key. */
#include "config/points/points_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/open.h"
#include "columns/cells.h"
#include "columns/table.h"

/* A column that keys take. */
struct points_column {
    const char *name;
    struct ml_location location;
    double *numbers; /* [n_row] */
};

struct ml_points_file {
    struct ml_reader *r;
    const char *path;
    struct ml_location location; /* of the file's name in the study */
    struct ml_table *table;      /* NULL: the file is one of HDF5 */
    const char **names;          /* [n_name] columns of a file of HDF5 */
    int n_name;
    int64_t n_row;
    struct points_column *columns; /* [n_column] that are chosen */
    int n_column;
};

/* A visit of the datasets of a file of HDF5. */
struct points_visit {
    struct ml_points_file *points;
    struct ml_h5 *h5;
};

/* Datasets of numbers in one dimension are columns. */
static void points_add_name(void *context, hid_t group, const char *name, hid_t dataset)
{
    struct points_visit *visit = context;
    struct ml_points_file *p = visit->points;
    const struct ml_extent extent = ml_h5_extent(visit->h5, dataset);
    (void)group;
    if (extent.rank != 1 || !ml_h5_is_number(dataset))
        return;
    const char **names = ml_pool_take(p->r->pool, (size_t)p->n_name + 1, sizeof *names);
    if (!names)
        return;
    if (p->n_name > 0)
        memcpy(names, p->names, (size_t)p->n_name * sizeof *names);
    names[p->n_name++] = ml_pool_text(p->r->pool, name, strlen(name));
    p->names = names;
}

bool ml_points_end_h5(struct ml_reader *r, struct ml_location location, const char *thing,
                      struct ml_h5 *h5, hid_t file)
{
    if (file >= 0)
        ml_h5_close(h5, file);
    struct ml_error *err = h5->err;
    if (ml_h5_end(h5) == ML_OK)
        return true;
    const char *text = err->text ? err->text : "out of memory";
    ml_problem(&r->problems, location, "cannot read %s: %.*s", thing, (int)strcspn(text, "\n"),
               text);
    ml_error_clear(err);
    return false;
}

static bool points_open_h5(struct ml_points_file *p)
{
    struct ml_error err = {0};
    struct ml_h5 h5;
    struct points_visit visit = {p, &h5};
    ml_h5_begin(&h5, p->path, &err);
    const hid_t file = ml_h5_open(&h5);
    if (h5.status == ML_OK)
        ml_h5_each_dataset(&h5, file, points_add_name, &visit);
    return ml_points_end_h5(p->r, p->location, "the points", &h5, file);
}

static bool points_open_text(struct ml_points_file *p)
{
    p->table = ml_pool_take(p->r->pool, 1, sizeof *p->table);
    if (!p->table)
        return false;
    if (!ml_table_open_long(p->table, p->r->pool, p->path,
                            "initial.angle.upper,initial.rate.upper")) {
        ml_problem(&p->r->problems, p->location, "cannot read the points: %s",
                   ml_open_reason(errno));
        return false;
    }
    p->table->order = ""; /* no column has to increase */
    p->n_row = p->table->n_row;
    ml_problems_join(&p->r->problems, &p->table->problems);
    return p->table->problems.count == 0;
}

struct ml_points_file *ml_points_file_open(struct ml_reader *r, const struct ml_node *map,
                                           const char *path)
{
    struct ml_points_file *p = ml_pool_take(r->pool, 1, sizeof *p);
    if (!p || !path)
        return NULL;
    *p = (struct ml_points_file){.r = r, .path = path, .location = ml_read_location(map, "file")};
    return (ml_h5_is_hdf5(path) ? points_open_h5 : points_open_text)(p) ? p : NULL;
}

/* Where " (kg m^2)", a unit that tables do not know, begins at the end of a name; else the end. */
static size_t points_unit_at(const char *name)
{
    const size_t length = strlen(name);
    const int last = length > 0 ? name[length - 1] : 0;
    const char *open = last == ')' ? strrchr(name, '(') : last == ']' ? strrchr(name, '[') : NULL;
    size_t at = open ? (size_t)(open - name) : length;
    if (at == length || at == 0 || name[at - 1] != ' ')
        return length;
    while (at > 0 && name[at - 1] == ' ')
        at--;
    return at;
}

const char *ml_points_file_name(const struct ml_points_file *p, int i)
{
    const int n = p->table ? p->table->n_cell : p->n_name;
    const char *name = i >= n ? NULL : p->table ? p->table->columns[i].param.name : p->names[i];
    return name && p->table ? ml_pool_text(p->r->pool, name, points_unit_at(name)) : name;
}

/* The column of a name, or of a name and a unit that tables do not know, which becomes the unit of
 * the column; -1: not found. */
static int points_find(struct ml_points_file *p, const char *name)
{
    struct ml_table *table = p->table;
    int c = ml_table_find(table, name);
    for (int i = 0; c < 0 && i < table->n_cell; i++) {
        const char *own = table->columns[i].param.name;
        const size_t at = points_unit_at(own), length = strlen(own);
        const size_t open = at + strcspn(own + at, "([") + 1;
        if (at == length || strlen(name) != at || strncmp(own, name, at) != 0)
            continue;
        table->columns[i].param.unit = ml_pool_text(p->r->pool, own + open, length - open - 1);
        c = table->columns[i].param.unit ? i : -1;
    }
    return c;
}

/* The scale of a column to the unit of a key; NaN after a problem.
 *   unit   of the column; NULL: the file says no unit */
static double points_scale(struct ml_points_file *p, const char *name, const struct ml_unit *unit,
                           struct ml_location location, const char *wanted)
{
    if (!unit || strcmp(unit->si, wanted) == 0)
        return unit ? unit->scale : 1.0;
    ml_problem(
        &p->r->problems, location,
        "column `%s` of %s is in %s, but the key is in %s; choose another column, or correct "
        "the unit in the file",
        name, p->path, unit->text, strcmp(wanted, "1") == 0 ? "no unit" : wanted);
    return (double)NAN;
}

static bool points_choose_text(struct ml_points_file *p, struct points_column *column,
                               const char *wanted)
{
    struct ml_table *table = p->table;
    const int c = points_find(p, column->name);
    if (c < 0)
        ml_table_missing(table, column->name, "");
    if (table->problems.count > 0)
        return false;
    struct ml_table_column *found = &table->columns[c];
    const char *own = found->param.unit;
    const struct ml_unit said = {own, own, found->scale};
    const bool is_said = strcmp(own, "1") != 0;
    if (isnan(points_scale(p, column->name, is_said ? &said : NULL, column->location, wanted)))
        return false;
    if (table->degrees == ML_DEGREES_YES && !is_said && strncmp(wanted, "rad", 3) == 0)
        found->scale = ML_DEGREE;
    found->param.low = -(double)INFINITY;
    found->param.high = (double)INFINITY;
    found->to = found->to ? found->to : column->numbers;
    column->numbers = found->to;
    return true;
}

/* Reads a dataset; its attribute `units` is that of the key, or one of those that tables have. */
static void points_read_h5(struct ml_points_file *p, struct ml_h5 *h5, hid_t file,
                           struct points_column *column, const char *wanted)
{
    const hid_t id = ml_h5_find_dataset(h5, file, column->name);
    const struct ml_extent extent = id >= 0 ? ml_h5_extent(h5, id) : (struct ml_extent){0};
    const bool is_column = extent.rank == 1 && ml_h5_is_number(id);
    const int64_t n = is_column ? (int64_t)extent.size[0] : 0;
    if (h5->status == ML_OK && !is_column)
        ml_problem(&p->r->problems, column->location,
                   "%s has no dataset `%s` of numbers in one dimension", p->path, column->name);
    else if (h5->status == ML_OK && (n < 1 || (p->n_row > 0 && n != p->n_row)))
        ml_problem(
            &p->r->problems, column->location,
            "dataset `%s` of %s has %lld numbers, but the column before %lld; a row is a run",
            column->name, p->path, (long long)n, (long long)p->n_row);
    else if (h5->status == ML_OK) {
        char *text = ml_h5_find_text(h5, id, "units");
        const bool is_said = text && *text && strcmp(text, "1") != 0;
        const struct ml_unit own = {text, text, 1.0}, /* may be that of the key, such as kg m^2 */
            *unit = is_said ? ml_unit_find((struct ml_span){text, text + strlen(text)}) : NULL;
        const double scale =
            points_scale(p, column->name, is_said && !unit ? &own : unit, column->location, wanted);
        free(text);
        p->n_row = n;
        column->numbers = ml_pool_take(p->r->spec->pool, (size_t)n, sizeof(double));
        if (column->numbers)
            ml_h5_read_range(h5, id, &extent, H5T_NATIVE_DOUBLE, 0, (unsigned long long)n,
                             column->numbers);
        for (int64_t k = 0; column->numbers && h5->status == ML_OK && scale != 1.0 && k < n; k++)
            column->numbers[k] *= scale;
    }
}

static bool points_choose_h5(struct ml_points_file *p, struct points_column *column,
                             const char *wanted)
{
    struct ml_error err = {0};
    struct ml_h5 h5;
    const int before = p->r->problems.count;
    ml_h5_begin(&h5, p->path, &err);
    const hid_t file = ml_h5_open(&h5);
    points_read_h5(p, &h5, file, column, wanted);
    return ml_points_end_h5(p->r, p->location, "the points", &h5, file) &&
           p->r->problems.count == before;
}

bool ml_points_file_choose(struct ml_points_file *p, struct ml_location location, const char *name,
                           const char *unit)
{
    struct points_column *all =
        ml_pool_take(p->r->pool, (size_t)p->n_column + 1, sizeof *p->columns);
    struct points_column *column = all ? &all[p->n_column] : NULL;
    if (!column)
        return false;
    if (p->n_column > 0)
        memcpy(all, p->columns, (size_t)p->n_column * sizeof *all);
    *column = (struct points_column){.name = name, .location = location};
    if (p->table)
        column->numbers = ml_pool_take(p->r->spec->pool, (size_t)p->n_row, sizeof(double));
    if ((p->table && !column->numbers) ||
        !(p->table ? points_choose_text : points_choose_h5)(p, column, unit))
        return false;
    p->columns = all;
    p->n_column++;
    return true;
}

/* Reports number k of a column, which a key does not take. */
static void points_refuse(struct ml_points_file *p, const struct points_column *column,
                          const struct ml_swept *swept, int64_t k)
{
    char range[ML_RANGE_TEXT];
    const struct ml_param *param = &p->r->slots[swept->slot].param;
    const double number = column->numbers[k];
    const char *times = swept->weight != 1.0 ? ", times its own value," : "";
    struct ml_problems *problems = p->table ? &p->table->problems : &p->r->problems;
    ml_problem(problems, p->table ? ml_table_location(p->table, k) : column->location,
               "column `%s`%s%s has %g in row %lld; `%s`%s must be %s%s", column->name,
               p->table ? "" : " of ", p->table ? "" : p->path, number, (long long)k + 1,
               swept->path, times, ml_range_text(param, range),
               isnan(number) ? ": leave rows without a number out" : "");
}

/* Gives a key the numbers of a column, and finds their ends; false after a problem with the range
 * of the key. */
static bool points_give(struct ml_points_file *p, const struct points_column *column,
                        struct ml_swept *swept)
{
    swept->values = column->numbers;
    swept->low = swept->high = column->numbers[0];
    for (int64_t k = 0; k < p->n_row; k++) {
        const double number = column->numbers[k];
        if (swept->slot >= 0 &&
            !ml_param_allows(&p->r->slots[swept->slot].param, swept->weight * number)) {
            points_refuse(p, column, swept, k);
            return false;
        }
        swept->low = fmin(swept->low, number);
        swept->high = fmax(swept->high, number);
    }
    return true;
}

bool ml_points_file_read(struct ml_points_file *p, struct ml_axis *axis, uint64_t *checksum)
{
    *checksum = 0;
    axis->count = p->n_row;
    if (p->table)
        ml_table_read(p->table);
    if (p->table && p->table->problems.count > 0)
        return false;
    for (int i = 0; i < axis->n_swept; i++)
        if (!points_give(p, &p->columns[axis->swept[i].dimension], &axis->swept[i]))
            return false;
    for (int i = 0; i < p->n_column; i++)
        *checksum = XXH3_64bits_withSeed(p->columns[i].numbers, (size_t)p->n_row * sizeof(double),
                                         *checksum);
    return true;
}
