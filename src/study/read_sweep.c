/* The axes of a grid of runs. */
#include <string.h>

#include "study/number.h"
#include "study/reader.h"

static const int64_t most_runs = (int64_t)1
                                 << ML_INTEGER_BITS; /* a run's number is exact as a double */

struct axis_reader {
    const struct ml_node *node;
    struct ml_axis_keys keys;
    struct ml_axis *axis;
    const struct ml_slot **slots; /* [axis->n_swept], NULL where it is not known */
};

static const struct ml_node *child_or_self(const struct ml_node *node)
{
    return node->kind == ML_NODE_LIST ? node->first : node;
}

static bool read_set(struct ml_reader *r, struct axis_reader *a)
{
    struct ml_axis *axis = a->axis;
    int n = a->keys.set->kind == ML_NODE_LIST ? a->keys.set->n_child : 1, i = 0;
    if (n == 0)
        ml_problem(&r->problems, a->keys.set->place, "set is empty; it must name one key at least");
    axis->swept = ml_pool_take(&r->study->pool, (size_t)n, sizeof *axis->swept);
    a->slots = ml_pool_take(r->pool, (size_t)n, sizeof(struct ml_slot *));
    if (n == 0 || !axis->swept || !a->slots)
        return false;
    axis->n_swept = n;
    for (const struct ml_node *node = child_or_self(a->keys.set); i < n; node = node->next, i++) {
        const struct ml_slot *slot = a->slots[i] = ml_read_swept(r, node);
        if (slot)
            axis->swept[i] = (struct ml_swept){
                .path = ml_pool_text(&r->study->pool, slot->path, strlen(slot->path)),
                .unit = slot->param.unit,
                .doc = slot->param.doc,
                .slot = (int)(slot - r->slots),
            };
    }
    return true;
}

static void set_name(struct ml_reader *r, struct axis_reader *a, int number)
{
    struct ml_pool *pool = &r->study->pool;
    const char *name = a->keys.name;
    if (!name && a->axis->n_swept == 1)
        name = a->axis->swept[0].path;
    a->axis->name =
        name ? ml_pool_text(pool, name, strlen(name)) : ml_pool_format(pool, "axis%d", number);
}

/* Numbers of one point of the axis, from a scalar or a list of n_swept scalars. */
static void read_point(struct ml_reader *r, struct axis_reader *a, const struct ml_node *node,
                       int64_t k)
{
    struct ml_axis *axis = a->axis;
    int n = axis->n_swept, i = 0;
    bool is_list = a->keys.set->kind == ML_NODE_LIST && node->kind == ML_NODE_LIST;
    if ((n > 1 && !is_list) || (is_list && node->n_child != n)) {
        ml_problem(&r->problems, node->place,
                   "values must be a list of lists of %d numbers, one for each key of `set`", n);
        return;
    }
    for (const struct ml_node *number = is_list ? node->first : node; i < n;
         number = number->next, i++)
        if (a->slots[i] && axis->swept[i].values)
            (void)ml_read_number(r, number, &a->slots[i]->param, &axis->swept[i].values[k]);
}

static void read_values(struct ml_reader *r, struct axis_reader *a)
{
    struct ml_axis *axis = a->axis;
    axis->count = a->keys.values->n_child;
    if (axis->count == 0)
        ml_problem(&r->problems, a->keys.values->place,
                   "values is empty; an axis has one value at least");
    for (int i = 0; i < axis->n_swept; i++)
        axis->swept[i].values = ml_pool_take(&r->study->pool, (size_t)axis->count, sizeof(double));
    int64_t k = 0;
    for (const struct ml_node *node = a->keys.values->first; node; node = node->next)
        read_point(r, a, node, k++);
}

static void read_range(struct ml_reader *r, struct axis_reader *a)
{
    static const char *const needed[] = {"from", "to", "count"};
    struct ml_axis *axis = a->axis;
    bool is_complete = true;
    for (int i = 0; i < 3; i++) {
        if (ml_node_find(a->node, needed[i]))
            continue;
        ml_problem(&r->problems, a->node->place,
                   "key `%s` is missing: an axis has from, to and count, or values", needed[i]);
        is_complete = false;
    }
    if (axis->n_swept > 1)
        ml_problem(&r->problems, a->keys.set->place,
                   "an axis of several keys needs `values`, a list of lists of %d numbers",
                   axis->n_swept);
    if (!is_complete || axis->n_swept != 1 || !a->slots[0] || a->keys.count < 1)
        return;
    if (!ml_read_ends(r, a->node, &a->slots[0]->param, &a->keys))
        return;
    axis->count = a->keys.count;
    axis->is_range = true;
    axis->is_log = a->keys.scale == 1;
    axis->swept[0].low = a->keys.from;
    axis->swept[0].high = a->keys.to;
}

static void read_axis(struct ml_reader *r, struct axis_reader *a, int number)
{
    static const char *const of_range[] = {"from", "to", "count", "scale"};
    int before = r->problems.count;
    if (!ml_read_is_map(r, a->node, "an axis must be a map such as {set: ..., values: [...]}"))
        return;
    ml_read_scope(r, a->node, ML_SCOPE_AXIS, &a->keys);
    if (!a->keys.set || !read_set(r, a))
        return;
    set_name(r, a, number);
    for (int i = 0; a->keys.values && i < 4; i++)
        if (ml_node_find(a->node, of_range[i]))
            ml_problem(&r->problems, ml_read_place(a->node, of_range[i]),
                       "key `%s` excludes `values`", of_range[i]);
    if (a->keys.values)
        read_values(r, a);
    else if (r->problems.count == before || !ml_node_find(a->node, "values"))
        read_range(r, a);
}

/* Product of the counts; 0 after telling that it is too large. */
static int64_t count_runs(struct ml_reader *r, const struct ml_node *node)
{
    int64_t n_run = 1;
    for (int i = 0; i < r->study->n_axis; i++) {
        int64_t count = r->study->axes[i].count;
        if (count < 1)
            return 0;
        if (n_run > most_runs / count) {
            ml_problem(&r->problems, node->place, "the grid has more than 2^%d runs",
                       (int)ML_INTEGER_BITS);
            return 0;
        }
        n_run *= count;
    }
    return n_run;
}

void ml_read_sweep(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_study *study = r->study;
    int n = node->n_child, i = 0;
    if (n > ML_MAX_AXES) {
        ml_problem(&r->problems, node->place, "sweep has %d axes but can have at most %d", n,
                   (int)ML_MAX_AXES);
        return;
    }
    const char **names = ml_pool_take(r->pool, (size_t)n + 1, sizeof *names);
    study->axes = ml_pool_take(&study->pool, (size_t)n + 1, sizeof *study->axes);
    if (!names || !study->axes)
        return;
    study->n_axis = n;
    for (const struct ml_node *child = node->first; child; child = child->next, i++) {
        struct axis_reader a = {.node = child, .axis = &study->axes[i]};
        read_axis(r, &a, i + 1);
        names[i] = a.axis->name;
    }
    ml_read_unique(r, node, names, n);
    ml_read_hidden(r);
    study->ensemble.n_run = count_runs(r, node);
}
