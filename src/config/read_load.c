/* Measured loads: where they act, and their samples below a threshold: there the force counts as 0,
 * and its point has no meaning. Curves go through the points that replace them, so that they stay
 * smooth. */
#include <math.h>
#include <string.h>

#include "config/sections.h"
#include "model/forces/numbers.h"
#include "model/forces/pchip.h"

/* Components of a force and of its point. */
enum { MOST_SIGNALS = 8 };

struct held {
    struct ml_reader *r;
    const struct ml_node *node;
    int n_signal;
    struct ml_signal *signal;
    const struct ml_param *row[MOST_SIGNALS];
    const double *values[MOST_SIGNALS]; /* [ML_SIGNAL_ROWS] */
    double scale;                       /* of all of them */
    const struct ml_breakpoints
        *times; /* a table whose times all tables have; NULL: there is no table */
};

static bool is_of(const struct held *h, int s, const char *vector)
{
    return strncmp(h->row[s]->name, vector, strlen(vector)) == 0;
}

/* Finds the signals; false after telling that a threshold has no samples to apply to. */
static bool find_signals(struct held *h, const struct ml_force_use *use, const double *values)
{
    bool is_measured = false, is_known = true;
    for (int p = 0; p < use->type->n_param; p++) {
        const struct ml_param *row = &use->type->params[p];
        if (row->name && strcmp(row->name, "scale") == 0)
            h->scale = values[ml_force_first_number(use->type, h->r->spec->model.n, p)];
        if (!row->name || !(row->flags & ML_SIGNAL) || h->n_signal == MOST_SIGNALS)
            continue;
        const int s = h->n_signal++;
        const struct ml_breakpoints *table = h->signal[s].breakpoints;
        h->row[s] = row;
        h->values[s] = values + ml_force_first_number(use->type, h->r->spec->model.n, p);
        is_known &= table || h->signal[s].type == ML_CONSTANT_SIGNAL;
        if (!table)
            continue;
        is_measured |= is_of(h, s, "force.");
        h->times = h->times ? h->times : table;
        is_known &= table->n == h->times->n &&
                    memcmp(table->time, h->times->time, (size_t)table->n * sizeof(double)) == 0;
    }
    if (!is_measured || !is_known)
        ml_problem(&h->r->problems, ml_read_location(h->node, "threshold"),
                   "threshold is for a force of a table: columns of force, moment and point must "
                   "have the same times, or be numbers");
    return is_measured && is_known;
}

static double sample(const struct held *h, int s, int64_t k)
{
    const struct ml_breakpoints *table = h->signal[s].breakpoints;
    return table ? h->values[s][ML_SIGNAL_SCALE] * table->value[k] : h->values[s][ML_SIGNAL_VALUE];
}

/* N, size of the force at sample k. */
static double size_of(const struct held *h, int64_t k)
{
    double square = 0.0;
    for (int s = 0; s < h->n_signal; s++)
        if (is_of(h, s, "force."))
            square += sample(h, s, k) * sample(h, s, k);
    return fabs(h->scale) * sqrt(square);
}

/* Replaces samples `first` to `end` - 1, which mean nothing, by points of the line between the
 * samples on either side; at an end of the table by the sample on the one side. */
static void bridge(const struct ml_breakpoints *table, int64_t first, int64_t end, double *value)
{
    const bool has_before = first > 0, has_after = end < table->n;
    const double before = has_before  ? table->value[first - 1]
                          : has_after ? table->value[end]
                                      : 0.0;
    const double after = has_after ? table->value[end] : before;
    const double from = table->time[has_before ? first - 1 : first];
    const double span = table->time[has_after ? end : end - 1] - from;
    for (int64_t k = first; k < end; k++)
        value[k] = before + (after - before) * (span > 0.0 ? (table->time[k] - from) / span : 0.0);
}

/* The samples, those below the threshold replaced. */
static void fill_held(const struct held *h, int s, const bool *is_pressed, double *value)
{
    const struct ml_breakpoints *table = h->signal[s].breakpoints;
    for (int64_t k = 0, end; k < table->n; k = end) {
        for (end = k; end < table->n && is_pressed[end] == is_pressed[k];)
            end++;
        if (is_pressed[k])
            memcpy(value + k, table->value + k, (size_t)(end - k) * sizeof *value);
        else if (is_of(h, s, "point."))
            bridge(table, k, end, value);
    }
}

/* The curve through the samples that count. */
static void hold(struct held *h, int s, const bool *is_pressed)
{
    struct ml_pool *pool = h->r->spec->pool;
    const struct ml_breakpoints *table = h->signal[s].breakpoints;
    const size_t n = (size_t)table->n;
    struct ml_breakpoints *held = ml_pool_take(pool, 1, sizeof *held);
    double *value = ml_pool_take(pool, n, sizeof *value); /* 0 */
    double(*cubic)[4] = ml_pool_take(pool, n, sizeof *cubic);
    if (!held || !value || !cubic)
        return;
    fill_held(h, s, is_pressed, value);
    ml_pchip(table->n, table->time, value, cubic);
    *held = *table;
    held->value = value;
    held->cubic = (const double(*)[4])cubic;
    h->signal[s].breakpoints = held;
}

/* Tells of a point farther away than any laboratory reaches. */
static void check_point(const struct held *h, int s, const bool *is_pressed)
{
    const double far = 100.0; /* m */
    for (int64_t k = 0; k < h->times->n; k++)
        if (is_pressed[k] && fabs(sample(h, s, k)) > far) {
            ml_problem(&h->r->problems, h->node->location,
                       "%s is %g m at %g s: is column %s of %s in mm? then write `length: mm`",
                       h->row[s]->name, sample(h, s, k), h->times->time[k],
                       h->signal[s].breakpoints->column, h->signal[s].breakpoints->file);
            return;
        }
}

void ml_read_load(struct ml_reader *r, const struct ml_node *node, const struct ml_force_use *use,
                  const double *values, struct ml_signal *signals)
{
    struct held h = {.r = r, .node = node, .signal = signals};
    if (!(use->threshold > 0.0) || ml_problems_there(&r->problems) ||
        !find_signals(&h, use, values))
        return;
    bool *is_pressed = ml_pool_take(r->pool, (size_t)h.times->n, sizeof *is_pressed);
    int64_t n_pressed = 0;
    for (int64_t k = 0; is_pressed && k < h.times->n; k++) {
        is_pressed[k] = size_of(&h, k) >= use->threshold;
        n_pressed += is_pressed[k];
    }
    if (is_pressed && n_pressed == 0)
        ml_problem(&r->problems, ml_read_location(node, "threshold"),
                   "threshold is %g N, and no sample has so large a force: is the table in "
                   "body weights? then `scale` brings it to N",
                   use->threshold);
    for (int s = 0; is_pressed && s < h.n_signal; s++) {
        if (!h.signal[s].breakpoints)
            continue;
        if (is_of(&h, s, "point."))
            check_point(&h, s, is_pressed);
        hold(&h, s, is_pressed);
    }
}
