/* The datasets of events, and the levels of a crossing. */
#include "events/event.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char sensitivity[] = "_sensitivity", attractor[] = "attractor";

static void event_describe(const struct ml_event *event, const char *what, const char *unit,
                           const char *doc, struct ml_output *output)
{
    *output = (struct ml_output){.unit = unit, .doc = doc};
    (void)snprintf(output->name, sizeof output->name, "%s_%s", event->name, what);
    for (char *c = strchr(output->name, '/'); c; c = strchr(c, '/'))
        *c = '|'; /* of a formula: HDF5 takes the text before a slash for a group */
}

size_t ml_event_longest_name(const struct ml_event *event)
{
    const char *const fixed = "times"; /* longer than the others */
    size_t longest = strlen(fixed);
    for (int k = 0; k < event->n_keep; k++)
        longest = strlen(event->keep[k].name) > longest ? strlen(event->keep[k].name) : longest;
    longest += event->n_sens > 0 ? strlen(sensitivity) : 0;
    return strlen(event->name) + 1 + (longest > strlen(attractor) ? longest : strlen(attractor));
}

/* Outputs before the derivatives and the label. */
static int event_counted(const struct ml_event *event)
{
    return event->most > 0 ? ML_EVENT_FIRST_KEPT + event->n_keep : ML_EVENT_TIMES;
}

/* The times of strobes do not depend on parameters. */
int ml_event_deriv_output(const struct ml_event *event)
{
    return event->n_sens > 0 && event->kind != ML_STROBE ? event_counted(event) : -1;
}

int ml_event_times_deriv_output(const struct ml_event *event)
{
    const int first = ml_event_deriv_output(event);
    return first >= 0 && event->most > 0 ? first + 1 : -1;
}

/* Outputs before the derivatives of kept quantities. */
static int event_timed(const struct ml_event *event)
{
    return event_counted(event) + (ml_event_deriv_output(event) >= 0) +
           (ml_event_times_deriv_output(event) >= 0);
}

int ml_event_kept_deriv_output(const struct ml_event *event)
{
    return event->n_sens > 0 && event->most > 0 && event->n_keep > 0 ? event_timed(event) : -1;
}

/* Outputs before the label. */
static int event_measured(const struct ml_event *event)
{
    return event_timed(event) + (ml_event_kept_deriv_output(event) >= 0 ? event->n_keep : 0);
}

int ml_event_label_output(const struct ml_event *event)
{
    return event->attractors > 0.0 ? event_measured(event) : -1;
}

static void event_add_dim(struct ml_output *output, enum ml_dim dim, int size)
{
    int k = 0;
    while (output->dim[k] != ML_DIM_NONE)
        k++;
    output->dim[k] = dim;
    output->size[k] = size;
}

/* The derivatives of kept quantities. */
static void event_kept_deriv(const struct ml_event *event, const struct ml_event_keep *keep,
                             struct ml_output *output)
{
    event_describe(event, keep->name, "SI",
                   "derivative of the kept quantities by a parameter, at the time that moves with "
                   "the parameter, in SI units of the quantity per SI unit of the parameter; NaN "
                   "after the last event",
                   output);
    const size_t length = strlen(output->name);
    (void)snprintf(output->name + length, sizeof output->name - length, "%s", sensitivity);
    event_add_dim(output, ML_DIM_CROSSING, (int)event->room);
    if (keep->dim != ML_DIM_NONE)
        event_add_dim(output, keep->dim, 0);
    event_add_dim(output, ML_DIM_PARAMETER, event->n_sens);
}

/* The derivatives of times, and of kept quantities. */
static void event_deriv(const struct ml_event *event, int i, struct ml_output *output)
{
    if (i >= event_timed(event)) {
        event_kept_deriv(event, &event->keep[i - event_timed(event)], output);
        return;
    }
    if (i == ml_event_deriv_output(event)) {
        event_describe(event, "time_sensitivity", "SI",
                       "derivative of the time of the first event by a parameter, in s per SI unit "
                       "of the parameter",
                       output);
    } else {
        event_describe(event, "times_sensitivity", "SI",
                       "derivatives of the times of events by a parameter, in s per SI unit of the "
                       "parameter; NaN after the last event",
                       output);
        event_add_dim(output, ML_DIM_CROSSING, (int)event->room);
    }
    event_add_dim(output, ML_DIM_PARAMETER, event->n_sens);
}

/* The last outputs: the derivatives and the label. */
static bool event_last_output(const struct ml_event *event, int i, struct ml_output *output)
{
    if (i < event_measured(event)) {
        event_deriv(event, i, output);
        return true;
    }
    if (i != ml_event_label_output(event))
        return false;
    event_describe(event, attractor, "1",
                   "attractor that the run returns to: 1 is the attractor of most runs; 0: the run "
                   "has not settled",
                   output);
    return true;
}

bool ml_event_output(const struct ml_event *event, int i, struct ml_output *output)
{
    if (i >= event_counted(event))
        return event_last_output(event, i, output);
    if (i == ML_EVENT_TIME) {
        event_describe(event, "time", "s", "time of the first event; NaN without an event", output);
        output->better = ML_BETTER_SMALLER;
    } else if (i == ML_EVENT_COUNT) {
        event_describe(event, "count", "1", "number of events", output);
    } else if (i == ML_EVENT_TIMES) {
        event_describe(event, "times", "s", "times of the events; NaN after the last event",
                       output);
    } else {
        const struct ml_event_keep *keep = &event->keep[i - ML_EVENT_FIRST_KEPT];
        event_describe(event, keep->name, keep->unit, keep->doc, output);
        output->dim[1] = keep->dim;
    }
    if (i >= ML_EVENT_TIMES) {
        output->dim[0] = ML_DIM_CROSSING;
        output->size[0] = (int)event->room;
    }
    return true;
}

int ml_events_labelled(int n_event, const struct ml_event *events)
{
    int n = 0;
    for (int i = 0; i < n_event; i++)
        n += events[i].attractors > 0.0;
    return n;
}

bool ml_event_is_label(int n_event, const struct ml_event *events, const char *name)
{
    for (int i = 0; i < n_event; i++) {
        const size_t length = strlen(events[i].name);
        if (events[i].attractors > 0.0 && strncmp(name, events[i].name, length) == 0 &&
            strcmp(name + length, "_attractor") == 0)
            return true;
    }
    return false;
}

/* Forms of events: their kinds, and strobes at one given time or at several. */
enum {
    CROSSINGS = 1 << ML_CROSSING,
    EXTREMES = 1 << ML_EXTREME,
    PERIODIC = 1 << ML_STROBE,
    TIMED = PERIODIC << 1,
    LISTED = PERIODIC << 2
};

#define NUMBER(field) offsetof(struct ml_event_numbers, field)
const struct ml_event_number ml_event_number_rows[ML_EVENT_NUMBERS] = {
    {"crosses", NUMBER(level), CROSSINGS, (double)NAN},
    {"every", NUMBER(every), CROSSINGS, 0.0},
    {"period", NUMBER(period), PERIODIC, (double)NAN},
    {"phase", NUMBER(phase), PERIODIC, 0.0},
    {"from", NUMBER(from), CROSSINGS | EXTREMES | PERIODIC | TIMED | LISTED, (double)-INFINITY},
    {"least", NUMBER(least), CROSSINGS | EXTREMES, 0.0},
    {"at", NUMBER(at), TIMED, (double)NAN},
};
#undef NUMBER

bool ml_event_has_number(const struct ml_event *event, int k)
{
    const unsigned form = event->n_time == 0 ? 1u << event->kind : event->times ? LISTED : TIMED;
    return (ml_event_number_rows[k].forms & form) != 0;
}

struct ml_event_numbers ml_event_of_run(const struct ml_event *event, const double *values,
                                        int stride)
{
    struct ml_event_numbers numbers = {.times = event->times, .n_time = event->n_time};
    for (int i = 0; i < ML_EVENT_NUMBERS; i++) {
        const struct ml_event_number *row = &ml_event_number_rows[i];
        const double given =
            event->slot[i] >= 0 ? values[(size_t)event->slot[i] * stride] : (double)NAN;
        *(double *)((char *)&numbers + row->offset) = isnan(given) ? row->default_value : given;
    }
    return numbers;
}

double ml_event_level(const struct ml_event_numbers *event, double i)
{
    return event->every > 0.0 ? fma(i, event->every, event->level) : event->level;
}

double ml_strobe_time(const struct ml_event_numbers *event, double j)
{
    if (event->n_time == 0)
        return fma(j, event->period, event->phase);
    if (j < 0.0 || j >= event->n_time)
        return j < 0.0 ? (double)-INFINITY : (double)INFINITY;
    return event->times ? event->times[(int)j] : event->at;
}

/* Within rounding of a level, or by no more than `tolerance`. */
static bool is_on(double value, double level, double tolerance)
{
    return fabs(value - level) <= fmax(tolerance, 0x1p-50 * fmax(fabs(value), fabs(level)));
}

/* The interval that a value is in, by the levels themselves: the quotient is rounded. */
static double event_floor(const struct ml_event_numbers *event, double value)
{
    if (!(event->every > 0.0))
        return value >= event->level ? 0.0 : -1.0;
    const double i = floor((value - event->level) / event->every);
    if (value < ml_event_level(event, i))
        return i - 1.0;
    return value >= ml_event_level(event, i + 1.0) ? i + 1.0 : i;
}

double ml_event_start(const struct ml_event_numbers *event, double value, double tolerance)
{
    const double i = event_floor(event, value);
    if (!isfinite(value))
        return (double)NAN;
    if (!(event->every > 0.0))
        return is_on(value, event->level, tolerance) ? -0.5 : i;
    if (is_on(value, ml_event_level(event, i), tolerance))
        return i - 0.5;
    return is_on(value, ml_event_level(event, i + 1.0), tolerance) ? i + 0.5 : i;
}

double ml_event_place(const struct ml_event_numbers *event, double value, double before)
{
    const double i = event_floor(event, value);
    if (i == before && isfinite(value))
        return i;
    if (!isfinite(value))
        return (double)NAN;
    if (before != floor(before) && is_on(value, ml_event_level(event, before + 0.5), 0.0))
        return before;
    return value == ml_event_level(event, i) && before < i ? i - 1.0 : i;
}

void ml_event_bounds(const struct ml_event_numbers *event, double place, double *low, double *high)
{
    const bool is_one = !(event->every > 0.0);
    *low = is_one && place < 0.0 ? (double)-INFINITY : ml_event_level(event, place);
    *high = is_one && place >= 0.0 ? (double)INFINITY : ml_event_level(event, place + 1.0);
    if (!(place == floor(place)))
        *low = (double)INFINITY;
}

struct ml_event_levels ml_event_passed(double before, double after)
{
    struct ml_event_levels passed = {0.0, 0.0, after > before ? 1 : -1};
    if (isnan(before) || isnan(after) || before == after)
        return passed;
    passed.next = after > before ? floor(before + 0.5) + 1.0 : ceil(before - 0.5);
    passed.left = after > before ? after - passed.next + 1.0 : passed.next - after;
    return passed;
}

bool ml_strobe_is_at(const struct ml_event_numbers *event, double j, double time)
{
    const double scale = fmax(fabs(time), fabs(event->phase));
    return fabs(ml_strobe_time(event, j) - time) <= 0x1p-48 * scale;
}

/* Given times before this time, or up to it. */
static double strobe_before(const struct ml_event_numbers *event, double time, bool includes)
{
    double j = 0.0;
    while (j < event->n_time &&
           (ml_strobe_time(event, j) < time || (includes && ml_strobe_time(event, j) == time)))
        j += 1.0;
    return j;
}

double ml_strobe_first(const struct ml_event_numbers *event, double time)
{
    const double j = event->n_time > 0 ? strobe_before(event, time, false)
                                       : ceil((time - event->phase) / event->period);
    return ml_strobe_is_at(event, j - 1.0, time) ? j - 1.0 : j;
}

double ml_strobe_behind(const struct ml_event_numbers *event, double time)
{
    if (event->n_time > 0)
        return strobe_before(event, time, true);
    const double j = floor((time - event->phase) / event->period);
    if (ml_strobe_time(event, j) > time)
        return j;
    return ml_strobe_time(event, j + 1.0) > time ? j + 1.0 : j + 2.0;
}
