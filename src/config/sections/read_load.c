/* Measured loads with a threshold, see hold.h. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "columns/butterworth.h"
#include "config/formulas/hold.h"
#include "config/sections/sections.h"

/* Reports a point farther away than any laboratory reaches. */
static void check_point(struct ml_reader *r, const struct ml_node *node, const struct ml_hold *h,
                        int s, const bool *is_pressed)
{
    const double far = 100.0; /* m */
    for (int64_t k = 0; k < h->times->n; k++)
        if (is_pressed[k] && fabs(ml_hold_sample(h, s, k)) > far) {
            ml_problem(&r->problems, node->location,
                       "%s is %g m at %g s: is column %s of %s in mm? then write `length: mm`",
                       h->row[s]->name, ml_hold_sample(h, s, k), h->times->time[k],
                       h->signal[s].breakpoints->column, h->signal[s].breakpoints->file);
            return;
        }
}

/* Notes times that are too far apart for those of a plate, or not those of the header. */
static void check_interval(struct ml_reader *r, const struct ml_node *node,
                           const struct ml_force_use *use)
{
    for (int s = 0; s < use->n_signal; s++) {
        const struct ml_breakpoints *table = use->signals[s].breakpoints;
        if (!use->file || !table)
            continue;
        const double interval =
            (table->time[table->n - 1] - table->time[0]) / (double)(table->n - 1);
        if (interval >= ML_SLOW_TABLE)
            ml_notice(r, ml_read_location(node, "file"),
                      "samples of %s are %.3g s apart: in ms? times are in s; if so, name their "
                      "column `time [ms]`",
                      table->file, interval);
        if (table->header_rate > 0.0)
            ml_notice(r, ml_read_location(node, "file"),
                      "the header of %s says %.6g Hz, but the times have %.6g: times are taken as "
                      "they are",
                      table->file, table->header_rate, 1.0 / interval);
        return;
    }
}

/* Reports numbers that are missing where a force is. */
static void check_gaps(struct ml_reader *r, const struct ml_node *node, const struct ml_hold *h,
                       const bool *is_pressed)
{
    for (int s = 0; s < h->n_signal; s++)
        for (int64_t k = 0; h->signal[s].breakpoints && k < h->times->n; k++)
            if (is_pressed[k] && isnan(ml_hold_sample(h, s, k))) {
                ml_problem(&r->problems, node->location,
                           "%s is missing in column %s of %s at %g s, where the force is not below "
                           "the threshold",
                           h->row[s]->name, h->signal[s].breakpoints->column,
                           h->signal[s].breakpoints->file, h->times->time[k]);
                return;
            }
}

/* The signals as they are measured, which other thresholds apply to. */
static const struct ml_signal *keep_measured(struct ml_reader *r, const struct ml_force_use *use)
{
    struct ml_signal *copy = ml_pool_take(r->spec->pool, (size_t)use->n_signal + 1, sizeof *copy);
    if (copy)
        memcpy(copy, use->signals, (size_t)use->n_signal * sizeof *copy);
    if (copy && r->spec->inverse.measured)
        r->spec->inverse.measured[use - r->spec->forces] = copy;
    return copy;
}

/* Reports times that no filter can take, or a cutoff that is too high for them. */
static void check_filter(struct ml_reader *r, const struct ml_node *node, const struct ml_hold *h)
{
    const struct ml_breakpoints *table = h->times;
    const struct ml_location place = ml_read_location(node, "filter");
    const double interval = (table->time[table->n - 1] - table->time[0]) / (double)(table->n - 1);
    const int64_t least = ml_butterworth_least(ML_HOLD_ORDER);
    if (table->n < least)
        ml_problem(&r->problems, place, "filter needs %lld samples at least; %s has %lld",
                   (long long)least, table->file, (long long)table->n);
    else if (!(h->filter * interval < 0.5))
        ml_problem(&r->problems, place,
                   "filter is %g but must be less than %g Hz, half of the sampling rate of %s%s",
                   h->filter, 0.5 / interval, table->file,
                   interval < ML_SLOW_TABLE ? ""
                                            : "; are its times in ms? they are in s; if so, name "
                                              "their column `time [ms]`");
    for (int64_t k = 1; k < table->n; k++)
        if (fabs(table->time[k] - table->time[k - 1] - interval) > 0.05 * interval) {
            ml_problem(&r->problems, place,
                       "filter needs equal intervals between samples, but in %s the samples at %g "
                       "and %g s differ from the mean interval of %g s",
                       table->file, table->time[k - 1], table->time[k], interval);
            return;
        }
}

/* Reports a table whose force is below the threshold everywhere. */
static void report_unpressed(struct ml_reader *r, struct ml_location place, const struct ml_hold *h,
                             double threshold, bool *is_pressed)
{
    if (ml_hold_press(h, DBL_MIN, is_pressed) == 0)
        ml_problem(&r->problems, place, "the force is 0 in all samples of %s: another column?",
                   h->times->file);
    else
        ml_problem(&r->problems, place,
                   "threshold is %g N, more than the largest force in the table: is the table in "
                   "kN, or body weights? then `scale` converts to N",
                   threshold);
}

void ml_read_load(struct ml_reader *r, const struct ml_node *node, const struct ml_force_use *use,
                  const double *values, struct ml_signal *signals)
{
    struct ml_hold h;
    const bool has_threshold = use->threshold > 0.0;
    const struct ml_location place = ml_read_location(node, has_threshold ? "threshold" : "filter");
    if (!ml_problems_there(&r->problems))
        check_interval(r, node, use);
    if (!(has_threshold || use->filter > 0.0) || ml_problems_there(&r->problems))
        return;
    const struct ml_signal *measured = keep_measured(r, use);
    if (!measured)
        return;
    if (!ml_hold_find(&h, use, r->spec->model.n, values, measured)) {
        ml_problem(&r->problems, place,
                   "%s is for a force from a table: columns of force, moment and point must "
                   "have the same times, or be numbers",
                   has_threshold ? "threshold" : "filter");
        return;
    }
    if (use->filter > 0.0)
        check_filter(r, node, &h);
    bool *is_pressed = ml_pool_take(r->pool, (size_t)h.times->n, sizeof *is_pressed);
    if (!is_pressed || ml_problems_there(&r->problems))
        return;
    if (ml_hold_press(&h, use->threshold, is_pressed) == 0)
        report_unpressed(r, place, &h, use->threshold, is_pressed);
    check_gaps(r, node, &h, is_pressed);
    for (int s = 0; has_threshold && s < h.n_signal; s++)
        if (h.signal[s].breakpoints && ml_hold_is_of(&h, s, "point."))
            check_point(r, node, &h, s, is_pressed);
    ml_hold_signals(&h, is_pressed, r->spec->pool, signals);
}
