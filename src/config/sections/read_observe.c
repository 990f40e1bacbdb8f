/* Observations of a study: statistics over time of recorded numbers, or of formulas. */
#include <string.h>

#include "config/sections/sections.h"

enum { MOST_OBSERVABLES = 64 };

/* Names of the keys, and how the documentation of a dataset begins. */
static const char *const statistics[ML_N_STATISTIC][2] = {
    [ML_MAX] = {"max", "largest"},
    [ML_MIN] = {"min", "smallest"},
    [ML_MEAN] = {"mean", "mean over time of"},
    [ML_RMS] = {"rms", "root mean square over time of"},
    [ML_INTEGRAL] = {"integral", "integral over time of"},
    [ML_AT_END] = {"at_end", "value at the end of"},
};

/* The statistic that a map names; ML_N_STATISTIC after telling that it names none or several. */
static enum ml_statistic find_statistic(struct ml_reader *r, const struct ml_node *node,
                                        const struct ml_observable_keys *keys)
{
    enum ml_statistic found = ML_N_STATISTIC;
    int n = 0;
    for (int s = 0; s < ML_N_STATISTIC; s++)
        if (keys->of[s]) {
            found = (enum ml_statistic)s;
            n++;
        }
    if (n == 1)
        return found;
    ml_problem(&r->problems, node->location,
               "%s must have one of the keys max, min, mean, rms, integral and at_end, such as "
               "{max: abs(angle.upper)}; it has %d",
               node->key, n);
    return ML_N_STATISTIC;
}

static const char *observed_unit(struct ml_reader *r, const char *given, const char *own,
                                 enum ml_statistic statistic)
{
    if (given)
        return given;
    if (statistic != ML_INTEGRAL)
        return own;
    return strcmp(own, "1") == 0 ? "s" : ml_pool_format(r->spec->pool, "%s s", own);
}

static void read_one(struct ml_reader *r, const struct ml_node *node,
                     struct ml_observable_keys *keys, struct ml_observable *out)
{
    struct ml_pool *pool = r->spec->pool;
    struct ml_event_keep found;
    if (!ml_read_is_map(r, node, "an observation must be a map such as {max: abs(angle.upper)}"))
        return;
    ml_read_scope(r, node, ML_SCOPE_OBSERVABLE, keys);
    const enum ml_statistic s = find_statistic(r, node, keys);
    if (!r->system || s == ML_N_STATISTIC)
        return;
    const struct ml_node *of = ml_node_find(node, statistics[s][0]);
    if (!ml_read_chosen(r, of, statistics[s][0], &found))
        return;
    if (found.n_row > 1)
        ml_problem(&r->problems, of->location,
                   "an observation is of a single number, not of all of %s: %s", found.name,
                   ml_record_rows_text(r, &r->system->tables.records[found.record]));
    if (keys->from >= r->spec->time.end - r->spec->time.start)
        ml_problem(&r->problems, ml_read_location(node, "from"),
                   "from is %g s but a run lasts only %g s", keys->from,
                   r->spec->time.end - r->spec->time.start);
    keys->of[s] = found.name;
    *out = (struct ml_observable){
        .name = ml_pool_text(pool, node->key, strlen(node->key)),
        .unit = observed_unit(r, keys->unit, found.unit, s),
        .doc = keys->doc ? keys->doc : ml_pool_format(pool, "%s %s", statistics[s][1], found.name),
        .statistic = s,
        .record = found.record,
        .row = found.first,
        .from = keys->from};
}

void ml_read_observe(struct ml_reader *r, const struct ml_node *node)
{
    const size_t n = (size_t)node->n_child;
    struct ml_observable *out = ml_pool_take(r->spec->pool, n + 1, sizeof *out);
    struct ml_observable_keys *keys = ml_pool_take(r->spec->pool, n + 1, sizeof *keys);
    const int before = r->problems.count;
    if (n == 0 || n > MOST_OBSERVABLES)
        ml_problem(&r->problems, node->location, "observe has %d names but may have 1 to %d",
                   (int)n, (int)MOST_OBSERVABLES);
    if (!out || !keys || n == 0 || n > MOST_OBSERVABLES)
        return;
    int i = 0;
    for (const struct ml_node *child = node->first; child; child = child->next, i++) {
        const struct ml_node named = {
            .kind = ML_NODE_SCALAR, .location = child->key_location, .text = child->key};
        if (ml_read_name(r, &named, "the name of an observation"))
            read_one(r, child, &keys[i], &out[i]);
    }
    if (r->problems.count > before)
        return;
    r->spec->indicators.observables = out;
    r->spec->indicators.observable_keys = keys;
    r->spec->indicators.n_observable = i;
}
