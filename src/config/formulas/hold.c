/* Measured loads below a threshold. */
#include "config/formulas/hold.h"

#include <string.h>

#include "columns/butterworth.h"
#include "model/forces/numbers.h"
#include "model/forces/pchip.h"

bool ml_hold_is_of(const struct ml_hold *hold, int s, const char *vector)
{
    return strncmp(hold->row[s]->name, vector, strlen(vector)) == 0;
}

bool ml_hold_find(struct ml_hold *hold, const struct ml_force_use *use, int n, const double *values,
                  const struct ml_signal *signals)
{
    bool is_measured = false, is_known = true;
    *hold = (struct ml_hold){.signal = signals, .filter = use->filter};
    for (int p = 0; p < use->type->n_param; p++) {
        const struct ml_param *row = &use->type->params[p];
        if (row->name && strcmp(row->name, "scale") == 0)
            hold->scale = values[ml_force_first_number(use->type, n, p)];
        if (!row->name || !(row->flags & ML_SIGNAL) || hold->n_signal == ML_MOST_HELD)
            continue;
        const int s = hold->n_signal++;
        const struct ml_breakpoints *table = signals[s].breakpoints;
        hold->row[s] = row;
        hold->values[s] = values + ml_force_first_number(use->type, n, p);
        is_known &= table || signals[s].type == ML_CONSTANT_SIGNAL;
        if (!table)
            continue;
        is_measured |= ml_hold_is_of(hold, s, "force.");
        hold->times = hold->times ? hold->times : table;
        is_known &= table->n == hold->times->n &&
                    memcmp(table->time, hold->times->time, (size_t)table->n * sizeof(double)) == 0;
    }
    return is_measured && is_known;
}

double ml_hold_sample(const struct ml_hold *hold, int s, int64_t k)
{
    const struct ml_breakpoints *table = hold->signal[s].breakpoints;
    return table ? hold->values[s][ML_SIGNAL_SCALE] * table->value[k]
                 : hold->values[s][ML_SIGNAL_VALUE];
}

/* N, size of the force at sample k. */
static double size_of(const struct ml_hold *h, int64_t k)
{
    double square = 0.0;
    for (int s = 0; s < h->n_signal; s++)
        if (ml_hold_is_of(h, s, "force."))
            square += ml_hold_sample(h, s, k) * ml_hold_sample(h, s, k);
    return fabs(h->scale) * sqrt(square);
}

int64_t ml_hold_press(const struct ml_hold *hold, double threshold, bool *is_pressed)
{
    int64_t n_pressed = 0;
    for (int64_t k = 0; k < hold->times->n; k++) {
        is_pressed[k] = !(threshold > 0.0) || size_of(hold, k) >= threshold;
        n_pressed += is_pressed[k];
    }
    return n_pressed;
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
static void fill_held(const struct ml_hold *h, int s, const bool *is_pressed, double *value)
{
    const struct ml_breakpoints *table = h->signal[s].breakpoints;
    for (int64_t k = 0, end; k < table->n; k = end) {
        for (end = k; end < table->n && is_pressed[end] == is_pressed[k];)
            end++;
        if (is_pressed[k])
            memcpy(value + k, table->value + k, (size_t)(end - k) * sizeof *value);
        else if (ml_hold_is_of(h, s, "point."))
            bridge(table, k, end, value);
    }
}

static void filter(const struct ml_hold *h, const struct ml_breakpoints *table, double *value,
                   struct ml_pool *pool)
{
    const size_t ends = 2 * (size_t)ml_butterworth_least(ML_HOLD_ORDER);
    double *work = ml_pool_take(pool, (size_t)table->n + ends, sizeof *work);
    const double interval = (table->time[table->n - 1] - table->time[0]) / (double)(table->n - 1);
    if (work)
        ml_butterworth(ML_HOLD_ORDER, h->filter * interval, table->n, value, work);
}

/* The curve through the samples that count. */
static void hold_signal(const struct ml_hold *h, int s, const bool *is_pressed,
                        struct ml_pool *pool, struct ml_signal *signal)
{
    const struct ml_breakpoints *table = h->signal[s].breakpoints;
    const size_t n = (size_t)table->n;
    struct ml_breakpoints *held = ml_pool_take(pool, 1, sizeof *held);
    double *value = ml_pool_take(pool, n, sizeof *value); /* 0 */
    double(*cubic)[4] = ml_pool_take(pool, n, sizeof *cubic);
    if (!held || !value || !cubic)
        return;
    fill_held(h, s, is_pressed, value);
    if (h->filter > 0.0 && !ml_hold_is_of(h, s, "point."))
        filter(h, table, value, pool);
    ml_pchip(table->n, table->time, value, cubic);
    *held = *table;
    held->value = value;
    held->cubic = (const double(*)[4])cubic;
    signal->breakpoints = held;
}

void ml_hold_signals(const struct ml_hold *hold, const bool *is_pressed, struct ml_pool *pool,
                     struct ml_signal *signals)
{
    for (int s = 0; s < hold->n_signal; s++)
        if (hold->signal[s].breakpoints)
            hold_signal(hold, s, is_pressed, pool, &signals[s]);
}
