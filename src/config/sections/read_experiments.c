/* The keys `experiments` and `own` of a fit: measured runs of one system, with numbers that are
 * common to all, that an experiment sets, or that are fitted for each. */
#include <math.h>
#include <string.h>

#include "config/schema/slots.h"
#include "config/sections/sections.h"

enum { MOST_EXPERIMENTS = 256 };

/* The texts of a list, [*n]; NULL after a problem. */
static const char **read_list_of_texts(struct ml_reader *r, const struct ml_node *list, int *n)
{
    const char **texts = ml_pool_take(r->spec->pool, (size_t)list->n_child + 1, sizeof *texts);
    *n = 0;
    for (const struct ml_node *node = list->first; texts && node; node = node->next) {
        const char *text = ml_read_text(r, node, list->key, "a text");
        if (!text)
            return NULL;
        texts[(*n)++] = ml_pool_text(r->spec->pool, text, strlen(text));
    }
    return texts;
}

static bool is_among(const char *text, int n, const char *const *texts)
{
    for (int i = 0; i < n; i++)
        if (strcmp(texts[i], text) == 0)
            return true;
    return false;
}

/* The range that the sample has of the number; NULL: it has none. */
static const struct ml_swept *drawn(const struct ml_study_spec *spec, int slot)
{
    const struct ml_axis *sample = ml_study_spec_sample(spec);
    for (int i = 0; sample && i < sample->n_swept; i++)
        if (sample->swept[i].slot == slot)
            return &sample->swept[i];
    return NULL;
}

/* Whether the number of an experiment is in the range of a key that each has a number of. */
static bool is_within(struct ml_reader *r, const struct ml_node *node, const struct ml_swept *range,
                      double value)
{
    const double from = range->weight * range->distribution.from,
                 to = range->weight * range->distribution.to;
    if (!(value < fmin(from, to) || value > fmax(from, to)))
        return true;
    ml_problem(&r->problems, node->location,
               "%s is %g, but the first start has it and its range is from %g to %g, in %s",
               node->key, value, from, to,
               ml_location_text(&r->problems, r->swept_by[range->slot]->location));
    return false;
}

/* A number of an experiment: of a common range of the sample it has none. */
static void read_set_number(struct ml_reader *r, const struct ml_node *node,
                            struct ml_experiment *to)
{
    const struct ml_node named = {
        .kind = ML_NODE_SCALAR, .location = node->key_location, .text = node->key};
    const struct ml_slot *slot = ml_read_slot(r, &named, "set");
    if (!slot)
        return;
    const int at = (int)(slot - r->slots);
    const struct ml_node **by = &r->swept_by[at];
    const struct ml_swept *range = drawn(r->spec, at);
    if (range && !is_among(node->key, r->spec->fit.n_own, r->spec->fit.own)) {
        ml_problem(&r->problems, node->key_location,
                   "`%s` is a common number of the fit, in %s, and set by an experiment; leave out "
                   "either, or name the key in `own`, so that each experiment has one",
                   node->key, ml_location_text(&r->problems, (*by)->location));
        return;
    }
    if (!*by) { /* runs differ in it, as in a swept number */
        struct ml_node *kept = ml_pool_take(r->pool, 1, sizeof *kept);
        if (!kept)
            return;
        *kept = named;
        *by = kept;
    }
    if (!ml_read_number(r, node, &slot->param, &to->values[to->n_set]) ||
        (range && !is_within(r, node, range, to->values[to->n_set])))
        return;
    to->slots[to->n_set] = at;
    to->keys[to->n_set++] = ml_pool_text(r->spec->pool, slot->path, strlen(slot->path));
}

static void read_set_numbers(struct ml_reader *r, const struct ml_node *map,
                             struct ml_experiment *to)
{
    const size_t n = (size_t)map->n_child + 1;
    to->keys = ml_pool_take(r->spec->pool, n, sizeof *to->keys);
    to->slots = ml_pool_take(r->spec->pool, n, sizeof *to->slots);
    to->values = ml_pool_take(r->spec->pool, n, sizeof *to->values);
    if (!to->keys || !to->slots || !to->values || !r->slots)
        return;
    for (const struct ml_node *node = map->first; node; node = node->next)
        read_set_number(r, node, to);
}

static void read_experiment(struct ml_reader *r, const struct ml_node *node, int i,
                            struct ml_experiment *to)
{
    const struct ml_node *set = ml_node_find_kind(node, "set", ML_NODE_MAP);
    const struct ml_node *left_out = ml_node_find_kind(node, "leave_out", ML_NODE_LIST);
    *to = (struct ml_experiment){0};
    if (!ml_read_is_map(r, node, "an experiment must be a map such as {to: FILE, set: {...}}"))
        return;
    ml_read_scope(r, node, ML_SCOPE_EXPERIMENT, to);
    to->name = to->name ? to->name : ml_pool_format(r->spec->pool, "%d", i + 1);
    if (set)
        read_set_numbers(r, set, to);
    if (left_out && (to->left_out = read_list_of_texts(r, left_out, &to->n_left_out)))
        ml_read_unique(r, left_out, to->left_out, to->n_left_out);
}

/* Reports keys of `own` that the sample does not draw. */
static void check_own(struct ml_reader *r, const struct ml_node *own)
{
    const struct ml_axis *sample = ml_study_spec_sample(r->spec);
    for (const struct ml_node *node = own->first; sample && node; node = node->next) {
        bool is_there = false;
        for (int i = 0; i < sample->n_swept; i++)
            is_there |= sample->swept[i].path && strcmp(sample->swept[i].path, node->text) == 0;
        if (!is_there)
            ml_problem(&r->problems, node->location,
                       "own has %s, of which `sample` has no range; add {set: %s, from: ..., to: "
                       "...} to `over`, or leave the key out",
                       ml_quote(r->pool, node->text), node->text);
    }
}

void ml_read_experiments(struct ml_reader *r, const struct ml_node *fit)
{
    const struct ml_node *list = ml_node_find_kind(fit, "experiments", ML_NODE_LIST);
    const struct ml_node *own = ml_node_find_kind(fit, "own", ML_NODE_LIST);
    const struct ml_keys keys = ml_schema_keys(r->pool, ML_SCOPE_FIT, NULL, NULL);
    struct ml_fit_spec *to = &r->spec->fit;
    if (own && !ml_node_find(fit, "experiments"))
        ml_problem(
            &r->problems, own->location,
            "own names numbers of which each experiment has one; add `experiments`, or leave "
            "`own` out");
    if (fit && !ml_node_find(fit, "experiments") && !ml_node_find(fit, "to"))
        ml_read_missing(r, fit, ml_keys_find(&keys, "to"));
    if (!list)
        return;
    if (own && (to->own = read_list_of_texts(r, own, &to->n_own)))
        check_own(r, own);
    ml_read_excluded(r, fit, "experiments", (const char *const[]){"to"}, 1);
    const size_t n = (size_t)list->n_child;
    if (n == 0 || n > MOST_EXPERIMENTS) {
        ml_problem(&r->problems, list->location, "experiments has %d entries but may have 1 to %d",
                   (int)n, (int)MOST_EXPERIMENTS);
        return;
    }
    to->experiments = ml_pool_take(r->spec->pool, n, sizeof *to->experiments);
    const char **names = ml_pool_take(r->pool, n, sizeof *names);
    if (!to->experiments || !names)
        return;
    to->is_joint = true;
    for (const struct ml_node *node = list->first; node; node = node->next) {
        read_experiment(r, node, to->n_experiment, &to->experiments[to->n_experiment]);
        names[to->n_experiment] = to->experiments[to->n_experiment].name;
        to->n_experiment++;
    }
    if (r->problems.count == 0)
        ml_read_unique(r, list, names, to->n_experiment);
}

/* The columns of one experiment behind those before it; false after a problem. */
static bool place_columns(struct ml_reader *r, const struct ml_node *node, struct ml_experiment *e)
{
    struct ml_fit_spec *to = &r->spec->fit;
    int n_left_out = 0;
    e->first = to->n_column;
    for (int i = 0; i < to->n_listed; i++) {
        if (is_among(to->listed[i].name, e->n_left_out, e->left_out)) {
            n_left_out++;
            continue;
        }
        struct ml_fit_column *column = &to->columns[to->n_column++];
        *column = to->listed[i];
        if (to->is_joint)
            column->name = ml_pool_format(r->spec->pool, "%s: %s", e->name, to->listed[i].name);
    }
    e->n_column = to->n_column - e->first;
    if (n_left_out < e->n_left_out)
        ml_problem(&r->problems, ml_read_location(node, "leave_out"),
                   "leave_out of experiment `%s` has a name that is no key of `columns`; give "
                   "names as `columns` has them",
                   e->name);
    if (e->n_column == 0)
        ml_problem(&r->problems, ml_read_location(node, "leave_out"),
                   "experiment `%s` leaves out all `columns`; leave out the experiment", e->name);
    return n_left_out == e->n_left_out && e->n_column > 0;
}

/* The only experiment of a fit without `experiments`. */
static void make_only(struct ml_reader *r)
{
    struct ml_fit_spec *to = &r->spec->fit;
    to->experiments = ml_pool_take(r->spec->pool, 1, sizeof *to->experiments);
    if (!to->file || !to->experiments)
        return;
    *to->experiments = (struct ml_experiment){.file = to->file};
    to->n_experiment = 1;
}

void ml_experiments_place_columns(struct ml_reader *r, const struct ml_node *fit)
{
    struct ml_fit_spec *to = &r->spec->fit;
    if (!to->is_joint)
        make_only(r);
    if (to->is_joint && to->of == ML_FIT_TORQUES)
        ml_problem(&r->problems, ml_node_find(fit, "experiments")->key_location,
                   "cannot fit torques of several motions: of: inverse compares with one table; "
                   "give `to` in place of `experiments`");
    int n = to->n_listed * to->n_experiment;
    for (int e = 0; e < to->n_experiment; e++)
        n -= to->experiments[e].n_left_out;
    if (n > ML_FIT_COLUMNS)
        ml_problem(&r->problems, fit->key_location,
                   "%d experiments have %d columns, but a fit may have %d; leave some out",
                   to->n_experiment, n, (int)ML_FIT_COLUMNS);
    to->columns = ml_pool_take(r->spec->pool, (size_t)(to->n_listed * to->n_experiment) + 1,
                               sizeof *to->columns);
    if (r->problems.count > 0 || !to->columns)
        return;
    const struct ml_node *node = to->is_joint ? ml_node_find(fit, "experiments")->first : fit;
    for (int e = 0; e < to->n_experiment; e++, node = node->next) {
        struct ml_experiment *experiment = &to->experiments[e];
        const char *path = ml_read_path(r, experiment->file);
        experiment->path = path ? ml_pool_text(r->spec->pool, path, strlen(path)) : NULL;
        if (!path || !place_columns(r, node, experiment))
            return;
    }
}

/* The range of a number that an experiment has, with the number that it sets as that of the first
 * start. */
static struct ml_fit_range own_range(const struct ml_reader *r, const struct ml_fit_range *common,
                                     const struct ml_experiment *e)
{
    struct ml_fit_range range = *common;
    range.is_own = true;
    range.keys = "";
    range.name = ml_pool_format(r->spec->pool, "%s: %s", e->name, common->name);
    for (int i = 0; i < e->n_set; i++)
        for (int k = 0; k < common->direction.n; k++)
            if (e->slots[i] == common->direction.slot[k])
                range.own = e->values[i] / common->direction.weight[k];
    return range;
}

/* Whether `own` names a key of range i of the sample. */
static bool is_own_range(const struct ml_study_spec *spec, int i)
{
    const struct ml_axis *sample = ml_study_spec_sample(spec);
    for (int k = 0; k < sample->n_swept; k++)
        if (sample->swept[k].dimension == i &&
            is_among(sample->swept[k].path, spec->fit.n_own, spec->fit.own))
            return true;
    return false;
}

void ml_experiments_place_ranges(struct ml_reader *r, int n, const struct ml_fit_range *ranges)
{
    struct ml_fit_spec *to = &r->spec->fit;
    const size_t most = (size_t)(n * to->n_experiment) + 1;
    to->ranges = ml_pool_take(r->spec->pool, most, sizeof *to->ranges);
    int *of = ml_pool_take(r->spec->pool, most, sizeof *of); /* [n_experiment][n] */
    if (!to->ranges || !of)
        return;
    for (int e = 0; e < to->n_experiment; e++)
        to->experiments[e].ranges = of + e * n;
    for (int i = 0; i < n; i++) {
        const bool is_own = is_own_range(r->spec, i);
        for (int e = 0; e < to->n_experiment; e++) {
            if (is_own || e == 0)
                to->ranges[to->n_range++] =
                    is_own ? own_range(r, &ranges[i], &to->experiments[e]) : ranges[i];
            to->experiments[e].ranges[i] = to->n_range - 1;
        }
    }
    to->n_direction = n;
}
