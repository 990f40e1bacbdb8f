/* Paths of recorded numbers: angle, angle.lower, end.hand.x. */
#include <string.h>

#include "config/sections/sections.h"
#include "yaml/nearest.h"

/* Name of entry i of a dimension; NULL if it has none. */
static const char *entry_name(const struct ml_reader *r, enum ml_dim dim, int i)
{
    static const char *const coordinates[] = {"x", "y"};
    if (dim == ML_DIM_COORDINATE)
        return i < 2 ? coordinates[i] : NULL;
    if (dim == ML_DIM_CONTACT)
        return ml_study_spec_contact(r->spec, i);
    return ml_dim_is_named(dim) && r->spec->segment_names ? r->spec->segment_names[i] : NULL;
}

/* Index of the name of `length` bytes in a dimension; -1 if not found. */
static int find_entry(const struct ml_reader *r, enum ml_dim dim, const char *name, size_t length)
{
    const int n = ml_instance_dim(&r->spec->model, dim);
    for (int i = 0; i < n; i++) {
        const char *own = entry_name(r, dim, i);
        if (own && strlen(own) == length && strncmp(own, name, length) == 0)
            return i;
    }
    return -1;
}

/* Path of a row of a record; NULL if the row has none of its own, or without memory. */
static const char *row_path(struct ml_reader *r, const struct ml_quantity *record, int i, int j)
{
    const char *first = entry_name(r, record->dim[0], i);
    const char *second = entry_name(r, record->dim[1], j);
    return first ? ml_pool_format(r->pool, "%s.%s%s%s", record->name, first, second ? "." : "",
                                  second ? second : "")
                 : NULL;
}

const char *ml_record_rows_text(struct ml_reader *r, const struct ml_quantity *record)
{
    enum { SHOWN = 12 };
    const char *list = "";
    int n_shown = 0;
    const struct ml_instance *model = &r->spec->model;
    for (int i = 0; i < ml_instance_dim(model, record->dim[0]) && list; i++)
        for (int j = 0; j < ml_instance_dim(model, record->dim[1]) && list; j++) {
            const char *path = n_shown < SHOWN ? row_path(r, record, i, j) : "";
            if (!path || n_shown++ >= SHOWN)
                continue;
            list = ml_pool_format(r->pool, "%s%s%s", list, *list ? ", " : "", path);
        }
    if (list && n_shown > SHOWN)
        list = ml_pool_format(r->pool, "%s, ...", list);
    return list ? list : "";
}

void ml_record_path_offer(struct ml_reader *r, struct ml_nearest *nearest)
{
    enum { MOST = 64 }; /* entries of a dimension */
    const struct ml_instance *model = &r->spec->model;
    for (int q = 0; q < r->system->tables.n_record; q++) {
        const struct ml_quantity *record = &r->system->tables.records[q];
        if (!ml_is_record_path(record->name))
            continue;
        ml_nearest_offer(nearest, record->name);
        for (int i = 0; i < ml_instance_dim(model, record->dim[0]) && i < MOST; i++)
            for (int j = 0; j < ml_instance_dim(model, record->dim[1]); j++) {
                const char *path = row_path(r, record, i, j);
                ml_nearest_offer(nearest, path ? path : "");
            }
    }
}

int ml_find_record(const struct ml_reader *r, const char *name, const char **near)
{
    struct ml_nearest nearest = ml_nearest_any(name);
    for (int i = 0; i < r->system->tables.n_record; i++) {
        if (strcmp(r->system->tables.records[i].name, name) == 0)
            return i;
        if (ml_is_record_path(r->system->tables.records[i].name))
            ml_nearest_offer(&nearest, r->system->tables.records[i].name);
    }
    *near = nearest.best ? nearest.best : "";
    return -1;
}

/* Narrows the rows down to those that the steps of a path name; why these do not, or NULL. */
static const char *take_steps(struct ml_reader *r, const char *text, const char *at,
                              struct ml_event_keep *out)
{
    const struct ml_quantity *record = &r->system->tables.records[out->record];
    const struct ml_instance *model = &r->spec->model;
    size_t length = 0;
    int dim = 0;
    for (; *at; at += length, dim++) {
        length = strcspn(++at, ".");
        const int i = dim < ML_MAX_DIM ? find_entry(r, record->dim[dim], at, length) : -1;
        if (i < 0)
            return ml_pool_format(r->pool, "`%s` has no %s; it has %s", record->name,
                                  ml_quote(r->pool, text), ml_record_rows_text(r, record));
        out->n_row /= ml_instance_dim(model, record->dim[dim]);
        out->first += i * out->n_row;
    }
    out->dim = dim < ML_MAX_DIM ? record->dim[dim] : ML_DIM_NONE;
    if (out->n_row > 1 && dim + 1 < ML_MAX_DIM && record->dim[dim + 1] != ML_DIM_NONE)
        return ml_pool_format(r->pool,
                              "%s has more than one number for each of its parts; name them one "
                              "by one: %s",
                              record->name, ml_record_rows_text(r, record));
    return NULL;
}

static bool is_force(const struct ml_study_spec *spec, const char *name)
{
    for (int i = 0; i < spec->n_force; i++)
        if (spec->forces[i].name && strcmp(spec->forces[i].name, name) == 0)
            return true;
    return false;
}

const char *ml_record_path(struct ml_reader *r, const char *text, struct ml_event_keep *out)
{
    const char *name = ml_pool_text(r->pool, text, strcspn(text, ".")), *near = "", *why;
    if (!name)
        return "out of memory";
    *out = (struct ml_event_keep){.record = ml_find_record(r, name, &near)};
    if (out->record < 0) {
        why = is_force(r->spec, name)
                  ? ml_pool_format(r->pool,
                                   "`%s` is a force, no quantity: formulas read its numbers as "
                                   "forces.%s.KEY, and events set numbers of `registers`",
                                   name, name)
                  : ml_pool_format(r->pool, "system `%s` has no quantity %s; the nearest is `%s`",
                                   r->system->name, ml_quote(r->pool, name), near);
        return why ? why : "out of memory";
    }
    const struct ml_quantity *record = &r->system->tables.records[out->record];
    out->n_row = ml_instance_rows(&r->spec->model, record);
    if (out->n_row == 0)
        return ml_pool_format(
            r->pool, "`%s` has no numbers: the study has no contact among its forces", name);
    out->name = ml_pool_text(r->spec->pool, text, strlen(text));
    out->unit = record->unit;
    out->doc = record->doc;
    why = take_steps(r, text, text + strlen(name), out);
    return why;
}

int ml_state_row(const struct ml_system *system, int n, const struct ml_event_keep *rows)
{
    int row = rows->first;
    for (int q = 0; q < rows->record; q++)
        row += ml_quantity_rows(&system->tables.state[q], n);
    return row;
}

bool ml_is_record_path(const char *text)
{
    const char *bytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";
    return text[strspn(text, bytes)] == '\0';
}
