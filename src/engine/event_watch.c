/* Finds the events of the runs of a batch. After every step it compares what the events look at
 * with what it was before; where something has happened in between, a search takes the step again.
 */
#include "engine/event_watch.h"

#include <math.h>
#include <string.h>

#include "engine/align.h"
#include "engine/event_watch_deriv.h"

/* Extremes are where the derivative crosses zero. */
static const struct ml_event_numbers extremes = {.level = 0.0};

/* Whether the derivative by time is looked at after every step: of an extreme, and where steps are
 * so long that three values in a row tell little about what is between them. */
static bool has_slope(const struct watched *w)
{
    return w->event->kind == ML_EXTREME ||
           (w->event->kind == ML_CROSSING && w->watch->takes_own_steps);
}

/* Whether the derivatives of the event's time by parameters are wanted. */
static bool has_derivs(const struct watched *w) { return ml_event_deriv_output(w->event) >= 0; }

/* Takes over the derivatives [n_sens] of the time of event `number` of a run. */
static void watch_keep_time_derivs(const struct watched *w, const double *derivs, int64_t number,
                                   double *out, int lane)
{
    const int n = w->event->n_sens;
    for (int p = 0; p < n; p++)
        out[(number * n + p) * ML_LANES + lane] = derivs[p * ML_LANES + lane];
}

/* Keeps what the study wants of an event, of batch->x at `time`.
 *   derivs  [n_sens] of that time; NULL: it does not move */
static void watch_keep(const struct watched *w, const double *time, const double *derivs,
                       unsigned lanes)
{
    const struct ml_event *event = w->event;
    if (event->n_keep > 0)
        ml_event_watch_kept(w, time, w->batch->x, w->watch->kept_value);
    for (int lane = 0; lane < ML_LANES; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        const int64_t number = ml_event_watch_number(w, lane);
        w->out[ML_EVENT_TIMES][number * ML_LANES + lane] = time[lane];
        const double *value = w->watch->kept_value + lane;
        for (int k = 0; k < event->n_keep; k++) {
            const int n_row = event->keep[k].n_row;
            double *to = w->out[ML_EVENT_FIRST_KEPT + k] + number * n_row * ML_LANES + lane;
            for (int r = 0; r < n_row; r++, value += ML_LANES)
                to[r * ML_LANES] = *value;
        }
        if (derivs)
            watch_keep_time_derivs(w, derivs, number, w->out[ml_event_times_deriv_output(event)],
                                   lane);
    }
    if (ml_event_kept_deriv_output(event) >= 0)
        ml_event_watch_kept_derivs(w, time, derivs, lanes);
}

/* Whether they are of some of these lanes, where the event may be the first or be kept. */
static bool wants_derivs(const struct watched *w, unsigned lanes)
{
    const double most = w->event->most > 1 ? (double)w->event->most : 1.0;
    unsigned wanted = 0;
    for (int lane = 0; lane < ML_LANES; lane++)
        wanted |= (unsigned)(w->out[ML_EVENT_COUNT][lane] < most) << lane;
    return has_derivs(w) && wanted & lanes;
}

/* Counts the event at batch->x and `time` in the lanes where it does.
 *   derivs  [n_sens] of that time, where they are wanted */
static void watch_count(const struct watched *w, const double *time, const double *derivs,
                        unsigned lanes)
{
    double *last = ml_event_watch_row(w, WATCH_LAST);
    unsigned kept = 0;
    for (int lane = 0; lane < ML_LANES; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        const bool is_late =
            w->watch->stopped >> lane & 1 && time[lane] > w->watch->stop_time[lane];
        const struct ml_event_numbers *own = &w->numbers[lane];
        if (is_late || time[lane] < own->from || time[lane] - last[lane] < own->least) {
            lanes &= ~(1u << lane);
            continue;
        }
        last[lane] = time[lane];
        if (w->out[ML_EVENT_COUNT][lane] == 0.0) {
            w->out[ML_EVENT_TIME][lane] = time[lane];
            if (has_derivs(w))
                watch_keep_time_derivs(w, derivs, 0, w->out[ml_event_deriv_output(w->event)], lane);
        }
        w->out[ML_EVENT_COUNT][lane] += 1.0;
        kept |= (unsigned)(ml_event_watch_number(w, lane) < w->event->most) << lane;
    }
    if (kept)
        watch_keep(w, time, has_derivs(w) ? derivs : NULL, kept);
}

/* Notes that a run ends at batch->x and `time`, unless it ended earlier in the step. Its end time
 * depends on the parameters, so its tangent vectors along them become derivatives of the state at
 * that moving time. */
static void watch_stop(const struct watched *w, const double *time, unsigned lanes)
{
    struct ml_event_watch *watch = w->watch;
    const struct ml_ensemble *e = w->ensemble;
    const int n_row = ml_rows_x(e->system, &e->dims);
    unsigned moved = 0;
    for (int lane = 0; lane < ML_LANES; lane++) {
        const bool is_later = watch->stopped >> lane & 1 && !(time[lane] < watch->stop_time[lane]);
        if (!(lanes >> lane & 1) || is_later || time[lane] < w->numbers[lane].from)
            continue;
        if (!watch->stopped)
            memcpy(watch->x_stop, watch->x_now, (size_t)n_row * ML_LANES * sizeof *watch->x_stop);
        watch->stopped |= 1u << lane;
        watch->stop_time[lane] = time[lane];
        watch->stop_event[lane] = w->event;
        for (int i = 0; i < n_row; i++)
            watch->x_stop[i * ML_LANES + lane] = w->batch->x[i * ML_LANES + lane];
        for (int p = 0; p < w->event->n_sens && has_derivs(w); p++)
            watch->stop_derivs[p * ML_LANES + lane] = watch->time_derivs[p * ML_LANES + lane];
        moved |= 1u << lane;
    }
    if (has_derivs(w))
        ml_event_watch_move(w, time, moved, watch->x_stop);
}

/* What has been found, s seconds behind the origin. */
static void watch_found(const struct watched *w, const struct origin *origin, const double *s,
                        unsigned lanes)
{
    double time[ML_LANES] __attribute__((aligned(64)));
    if (!lanes)
        return;
    ml_event_watch_go(w, origin, s, lanes, time);
    if (wants_derivs(w, lanes))
        ml_event_watch_time_derivs(w, time);
    if (w->event->stops) {
        watch_stop(w, time, lanes);
        return;
    }
    if (wants_derivs(w, lanes))
        ml_event_watch_move(w, time, lanes, w->batch->x);
    watch_count(w, time, w->watch->time_derivs, lanes);
}

/* Finds the levels between the intervals `before` and `after` that values pass in their stretches,
 * one after the other. is_slope: the values are derivatives. */
static void watch_pass(const struct watched *w, const struct origin *origin, bool is_slope,
                       const struct stretch *stretch, const double *before, const double *after,
                       unsigned lanes)
{
    double s[ML_LANES], level[ML_LANES];
    for (int passed = 0; lanes; passed++) {
        for (int lane = 0; lane < ML_LANES; lane++) {
            const bool is_up = after[lane] > before[lane];
            const bool is_there = before[lane] + (is_up ? passed : -passed) == after[lane];
            const int sign = is_up ? 1 : -1;
            if (is_there || (w->event->direction && w->event->direction != sign))
                lanes &= ~(1u << lane);
            else if (lanes >> lane & 1)
                level[lane] =
                    is_slope ? 0.0
                             : ml_event_level(&w->numbers[lane], is_up ? before[lane] + passed + 1.0
                                                                       : before[lane] - passed);
        }
        if (!lanes)
            return;
        ml_event_watch_search(w, origin, is_slope, stretch, level, lanes, s);
        watch_found(w, origin, s, lanes);
    }
}

/* Finds the extreme of a value within the steps of lanes whose derivative changes its sign there,
 * and the levels that the value passes on the way to it and back.
 *   step   the steps with values; slope  with derivatives */
static void watch_dip(const struct watched *w, const struct origin *origin,
                      const struct stretch *step, const struct stretch *slope,
                      const double *interval, unsigned lanes)
{
    static const double zero[ML_LANES];
    struct stretch there = *step, back = *step;
    double s[ML_LANES], value[ML_LANES], far[ML_LANES];
    ml_event_watch_search(w, origin, true, slope, zero, lanes, s);
    ml_event_watch_look(w, origin, false, s, lanes, value);
    for (int lane = 0; lane < ML_LANES; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        far[lane] = ml_event_interval(&w->numbers[lane], value[lane], interval[lane]);
        there.to[lane] = back.from[lane] = s[lane];
        there.value_to[lane] = back.value_from[lane] = value[lane];
        if (far[lane] == interval[lane])
            lanes &= ~(1u << lane);
    }
    watch_pass(w, origin, false, &there, interval, far, lanes);
    watch_pass(w, origin, false, &back, far, interval, lanes);
}

/* Whether a value that begins and ends a step within the same interval may leave it in between: the
 * tangents at both ends meet beyond its border. */
static bool may_dip(const struct ml_event_numbers *event, double interval, double span,
                    const double value[2], const double slope[2])
{
    if (!(slope[0] * slope[1] < 0.0))
        return false;
    const double s = (value[1] - value[0] - slope[1] * span) / (slope[0] - slope[1]);
    const double top = fma(slope[0], s, value[0]);
    return !(s >= 0.0 && s <= span) || ml_event_interval(event, top, interval) != interval;
}

/* Of lanes with long steps, whose derivatives are known at both ends. */
static void watch_dips_by_slope(const struct watched *w, const struct origin *origin,
                                const struct stretch *step, unsigned lanes)
{
    const double *interval = ml_event_watch_row(w, WATCH_INTERVAL);
    struct stretch slope = *step;
    for (int lane = 0; lane < ML_LANES; lane++) {
        slope.value_from[lane] = ml_event_watch_row(w, WATCH_SLOPE)[lane];
        slope.value_to[lane] = ml_event_watch_row(w, WATCH_NEW_SLOPE)[lane];
        const double values[] = {step->value_from[lane], step->value_to[lane]};
        const double slopes[] = {slope.value_from[lane], slope.value_to[lane]};
        if (lanes >> lane & 1 &&
            !may_dip(&w->numbers[lane], interval[lane], step->to[lane], values, slopes))
            lanes &= ~(1u << lane);
    }
    if (lanes)
        watch_dip(w, origin, step, &slope, interval, lanes);
}

/* Of lanes with short, equal steps: whether the middle one of three values is the largest or the
 * smallest, and the parabola through them may pass a border; if so, the side of the middle its
 * vertex is on: -1 or 1. To be safe its height above the middle is taken four times. */
static int dip_side(const struct watched *w, int lane)
{
    const double older = ml_event_watch_row(w, WATCH_OLDER)[lane],
                 middle = ml_event_watch_row(w, WATCH_VALUE)[lane];
    const double newer = ml_event_watch_row(w, WATCH_NEW)[lane];
    const double interval = ml_event_watch_row(w, WATCH_INTERVAL)[lane];
    const struct ml_event_numbers *own = &w->numbers[lane];
    const double rise = middle - older, fall = newer - middle, bend = fall - rise;
    if (rise == 0.0 || rise * fall > 0.0) /* where rise is 0 the step before has looked */
        return 0;
    const double mean = 0.5 * (newer - older), height = -0.5 * mean * mean / bend;
    const bool is_left = mean * bend > 0.0;
    if (ml_event_interval(own, fma(4.0, height, middle), interval) == interval)
        return 0;
    if (is_left && ml_event_interval(own, older, interval) != interval)
        return 0; /* that step has passed the border */
    return is_left ? -1 : 1;
}

static void watch_dips_of_three(const struct watched *w, const struct origin *origin,
                                const struct stretch *step, unsigned lanes)
{
    const struct ml_event_watch *watch = w->watch;
    const struct origin older = {watch->x_older, watch->older, NULL};
    for (int side = -1; side <= 1; side += 2) {
        const struct origin *from = side < 0 ? &older : origin;
        struct stretch part = *step, slope;
        unsigned found = 0;
        for (int lane = 0; lane < ML_LANES; lane++)
            found |= (unsigned)(lanes & watch->has_older & 1u << lane && dip_side(w, lane) == side)
                     << lane;
        if (!found)
            continue;
        for (int lane = 0; lane < ML_LANES && side < 0; lane++) {
            part.to[lane] = watch->before[lane] - watch->older[lane];
            part.value_from[lane] = ml_event_watch_row(w, WATCH_OLDER)[lane];
            part.value_to[lane] = step->value_from[lane];
        }
        slope = part;
        ml_event_watch_look(w, from, true, part.from, found, slope.value_from);
        ml_event_watch_look(w, from, true, part.to, found, slope.value_to);
        watch_dip(w, from, &part, &slope, ml_event_watch_row(w, WATCH_INTERVAL), found);
    }
}

/* The step of each lane, with the values or the derivatives at its ends. */
static struct stretch watch_step_of(const struct watched *w, bool is_slope)
{
    struct stretch step = {.from = {0.0}};
    for (int lane = 0; lane < ML_LANES; lane++)
        step.to[lane] = w->watch->now[lane] - w->watch->before[lane];
    memcpy(step.value_from, ml_event_watch_row(w, is_slope ? WATCH_SLOPE : WATCH_VALUE),
           sizeof step.value_from);
    memcpy(step.value_to, ml_event_watch_row(w, is_slope ? WATCH_NEW_SLOPE : WATCH_NEW),
           sizeof step.value_to);
    return step;
}

/* Crossings of a value, or of the derivative through zero: extremes. */
static void watch_crossings(const struct watched *w, const struct origin *origin, unsigned stepped)
{
    const bool is_slope = w->event->kind == ML_EXTREME;
    const struct stretch step = watch_step_of(w, is_slope);
    double *interval = ml_event_watch_row(w, WATCH_INTERVAL), after[ML_LANES];
    unsigned passed = 0, same = 0;
    for (int lane = 0; lane < ML_LANES; lane++) {
        const struct ml_event_numbers *borders = is_slope ? &extremes : &w->numbers[lane];
        if (isnan(interval[lane]) && w->watch->now[lane] >= w->numbers[lane].from)
            interval[lane] = ml_event_interval(borders, step.value_from[lane], (double)NAN);
        after[lane] = ml_event_interval(borders, step.value_to[lane], interval[lane]);
        if (!(stepped >> lane & 1) || isnan(interval[lane]) || isnan(after[lane]))
            continue;
        passed |= (unsigned)(after[lane] != interval[lane]) << lane;
        same |= (unsigned)(after[lane] == interval[lane]) << lane;
    }
    if (same && !is_slope && w->watch->takes_own_steps)
        watch_dips_by_slope(w, origin, &step, same);
    else if (same && !is_slope)
        watch_dips_of_three(w, origin, &step, same);
    watch_pass(w, origin, is_slope, &step, interval, after, passed);
    for (int lane = 0; lane < ML_LANES; lane++)
        if (stepped >> lane & 1 && (!w->event->stops || !(w->watch->stopped >> lane & 1)))
            interval[lane] =
                w->watch->now[lane] >= w->numbers[lane].from ? after[lane] : (double)NAN;
}

static void watch_strobes(const struct watched *w, const struct origin *origin, unsigned stepped)
{
    double *next = ml_event_watch_row(w, WATCH_INTERVAL), s[ML_LANES];
    for (unsigned found = stepped; found;) {
        for (int lane = 0; lane < ML_LANES; lane++) {
            const double t = ml_strobe_time(&w->numbers[lane], next[lane]);
            if (!(t <= w->watch->now[lane]))
                found &= ~(1u << lane);
            else if (found >> lane & 1)
                s[lane] = t - w->watch->before[lane];
        }
        watch_found(w, origin, s, found);
        for (int lane = 0; lane < ML_LANES; lane++)
            if (found >> lane & 1)
                next[lane] += 1.0;
    }
}

/* Values and derivatives of all events, of batch->x. */
static void watch_measure(const struct ml_ensemble *e, struct ml_batch *b)
{
    const double *t = b->watch.now, *x = b->x;
    for (int lane = 0; lane < ML_LANES; lane++)
        b->watch.span[lane] = e->is_adaptive
                                  ? b->watch.step_control[ML_STEP_CONTROL_STEP * ML_LANES + lane]
                                  : b->step[lane];
    for (int i = 0; i < e->n_event; i++) {
        const struct watched w = ml_event_watched(e, b, i);
        if (w.event->kind == ML_STROBE)
            continue;
        ml_event_watch_values(&w, t, x, ml_event_watch_row(&w, WATCH_NEW));
        if (has_slope(&w))
            ml_event_watch_slopes(&w, t, x, ml_event_watch_row(&w, WATCH_NEW_SLOPE));
    }
}

/* All results of an event before it is. */
static void begin_outputs(const struct watched *w)
{
    struct ml_output output;
    for (int k = 0; ml_event_output(w->event, k, &output); k++) {
        const int64_t n = ml_output_rows(&output, w->ensemble->dims.n) * ML_LANES;
        for (int64_t i = 0; i < n; i++)
            w->out[k][i] = k == ML_EVENT_COUNT ? 0.0 : (double)NAN;
    }
}

/* The number of the first strobe, which may be at the start. */
static void begin_strobes(const struct watched *w)
{
    const double start = w->ensemble->start;
    double *next = ml_event_watch_row(w, WATCH_INTERVAL);
    unsigned now = 0;
    for (int lane = 0; lane < ML_LANES; lane++) {
        const struct ml_event_numbers *own = &w->numbers[lane];
        next[lane] = ceil((fmax(own->from, start) - own->phase) / own->period);
        now |= (unsigned)(ml_strobe_time(own, next[lane]) <= start) << lane;
    }
    if (now)
        watch_count(w, w->watch->now, NULL, now);
    for (int lane = 0; lane < ML_LANES; lane++)
        next[lane] += now >> lane & 1 ? 1.0 : 0.0;
}

static void begin_event(const struct watched *w)
{
    const bool is_extreme = w->event->kind == ML_EXTREME;
    const double *value = ml_event_watch_row(w, is_extreme ? WATCH_NEW_SLOPE : WATCH_NEW);
    begin_outputs(w);
    for (int lane = 0; lane < ML_LANES; lane++) {
        const struct ml_event_numbers *own = &w->numbers[lane];
        ml_event_watch_row(w, WATCH_LAST)[lane] = (double)-INFINITY;
        if (w->event->kind != ML_STROBE)
            ml_event_watch_row(w, WATCH_INTERVAL)[lane] =
                w->ensemble->start >= own->from
                    ? ml_event_interval(is_extreme ? &extremes : own, value[lane], (double)NAN)
                    : (double)NAN;
    }
    if (w->event->kind == ML_STROBE)
        begin_strobes(w);
}

/* What is new becomes what was before. */
static void watch_shift(const struct ml_ensemble *e, struct ml_batch *b, unsigned lanes)
{
    static const int pairs[][2] = {
        {WATCH_OLDER, WATCH_VALUE}, {WATCH_VALUE, WATCH_NEW}, {WATCH_SLOPE, WATCH_NEW_SLOPE}};
    for (int i = 0; i < e->n_event; i++) {
        const struct watched w = ml_event_watched(e, b, i);
        for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
            for (int lane = 0; lane < ML_LANES; lane++)
                if (lanes >> lane & 1)
                    ml_event_watch_row(&w, pairs[p][0])[lane] =
                        ml_event_watch_row(&w, pairs[p][1])[lane];
    }
}

void ml_event_watch_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch)
{
    struct ml_event_watch *watch = &batch->watch;
    watch->stopped = watch->has_older = 0;
    for (int lane = 0; lane < ML_LANES; lane++)
        watch->now[lane] = ensemble->start;
    if (batch->step_control)
        memcpy(watch->step_control, batch->step_control,
               ML_N_STEP_CONTROL * ML_LANES * sizeof *batch->step_control);
    for (int i = 0; i < ensemble->n_event * ML_LANES; i++)
        watch->numbers[i] = ml_event_of_run(&ensemble->events[i / ML_LANES],
                                            batch->values + i % ML_LANES, ML_LANES);
    watch_measure(ensemble, batch);
    for (int i = 0; i < ensemble->n_event; i++) {
        const struct watched w = ml_event_watched(ensemble, batch, i);
        begin_event(&w);
    }
    watch_shift(ensemble, batch, ML_ALL_LANES);
}

/* The events of a step that end a run, or the others. */
static void watch_events(const struct ml_ensemble *e, struct ml_batch *b, bool stops,
                         unsigned stepped)
{
    const struct origin origin = {b->x_before, b->watch.before,
                                  e->is_adaptive ? b->watch.step_control : NULL};
    for (int i = 0; i < e->n_event; i++) {
        const struct watched w = ml_event_watched(e, b, i);
        if (w.event->stops != stops)
            continue;
        if (w.event->kind == ML_STROBE)
            watch_strobes(&w, &origin, stepped);
        else
            watch_crossings(&w, &origin, stepped);
    }
}

/* Counts the events that ended runs. */
static void watch_count_stops(const struct ml_ensemble *e, struct ml_batch *b)
{
    for (int i = 0; i < e->n_event; i++) {
        const struct watched w = ml_event_watched(e, b, i);
        unsigned lanes = 0;
        for (int lane = 0; lane < ML_LANES; lane++)
            lanes |=
                (unsigned)(b->watch.stopped >> lane & 1 && b->watch.stop_event[lane] == w.event)
                << lane;
        if (lanes)
            watch_count(&w, b->watch.stop_time, b->watch.stop_derivs, lanes);
    }
}

void ml_event_watch_step(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                         unsigned stepped)
{
    struct ml_event_watch *watch = &batch->watch;
    const size_t size =
        (size_t)ml_rows_x(ensemble->system, &ensemble->dims) * ML_LANES * sizeof *batch->x;
    const size_t step_control_size = ML_N_STEP_CONTROL * ML_LANES * sizeof *batch->step_control;
    double step_control[ML_N_STEP_CONTROL * ML_LANES];
    watch->stopped = 0;
    memcpy(watch->x_now, batch->x, size);
    if (batch->step_control)
        memcpy(step_control, batch->step_control, step_control_size);
    watch_measure(ensemble, batch);
    watch_events(ensemble, batch, true, stepped);
    if (watch->stopped) {
        memcpy(batch->x, watch->x_stop, size);
        watch_count_stops(ensemble, batch);
    }
    watch_events(ensemble, batch, false, stepped);
    memcpy(batch->x, watch->x_now, size);
    if (batch->step_control)
        memcpy(batch->step_control, step_control, step_control_size);
    watch_shift(ensemble, batch, stepped);
    if (!ensemble->is_adaptive)
        memcpy(watch->x_older, batch->x_before, size);
    memcpy(watch->older, watch->before, ML_LANES * sizeof *watch->older);
    watch->has_older |= stepped;
}

static double *watch_rows(struct ml_arena *arena, int n)
{
    return ml_arena_take(arena, (size_t)n * ML_LANES, sizeof(double));
}

/* Pointers to rows of the records that events look at, or that they keep. */
static double **watch_records(const struct ml_ensemble *e, struct ml_arena *arena, bool are_kept)
{
    bool is_needed[ML_MAX_RECORDS] = {false};
    double **out = ml_arena_take(arena, (size_t)e->system->n_record, sizeof *out);
    for (int i = 0; i < e->n_event; i++) {
        const struct ml_event *event = &e->events[i];
        if (!are_kept && event->kind != ML_STROBE)
            is_needed[event->record] = true;
        for (int k = 0; are_kept && k < event->n_keep; k++)
            is_needed[event->keep[k].record] = true;
    }
    for (int q = 0; q < e->system->n_record; q++) {
        double *piece = is_needed[q] ? watch_rows(arena, ml_record_rows(e, q)) : NULL;
        if (out)
            out[q] = piece;
    }
    return out;
}

/* What is looked through together. */
static void place_scan(const struct ml_ensemble *e, struct ml_arena *arena,
                       struct ml_event_watch *watch)
{
    const int n_state = 2 + ML_WATCH_STEPS;
    watch->history = watch_rows(arena, n_state * e->system->n_x(&e->dims));
    watch->low = watch_rows(arena, e->n_event);
    watch->high = watch_rows(arena, e->n_event);
    watch->values = ml_arena_take(arena, (size_t)e->n_event, sizeof *watch->values);
    for (int i = 0; i < e->n_event; i++) {
        const bool is_strobe = e->events[i].kind == ML_STROBE;
        const int n_row = is_strobe ? 0 : ml_record_rows(e, e->events[i].record);
        double *piece = watch_rows(arena, n_state * n_row);
        if (watch->values)
            watch->values[i] = piece;
    }
}

/* Rows of all that an event keeps, at most. */
static int watch_most_kept(const struct ml_ensemble *e)
{
    int most = 0;
    for (int i = 0; i < e->n_event; i++)
        if (ml_event_watch_kept_rows(&e->events[i]) > most)
            most = ml_event_watch_kept_rows(&e->events[i]);
    return most;
}

/* For derivatives by parameters. */
static void watch_place_derivs(const struct ml_ensemble *e, struct ml_arena *arena,
                               struct ml_event_watch *watch)
{
    watch->time_derivs = watch_rows(arena, e->dims.n_sens);
    watch->stop_derivs = watch_rows(arena, e->dims.n_sens);
    watch->moved_x = watch_rows(arena, e->system->n_x(&e->dims));
    watch->motion_x = watch_rows(arena, e->system->n_x(&e->dims));
    watch->moved_constants = watch_rows(arena, ml_rows_constants(e->system, &e->dims));
    watch->kept_deriv = watch_rows(arena, watch_most_kept(e));
}

void ml_event_watch_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                           struct ml_event_watch *watch)
{
    const int n_x = ml_rows_x(ensemble->system, &ensemble->dims);
    *watch = (struct ml_event_watch){0};
    if (ensemble->n_event == 0)
        return;
    watch->seen = watch_records(ensemble, arena, false);
    watch->kept = watch_records(ensemble, arena, true);
    watch->kept_value = watch_rows(arena, watch_most_kept(ensemble));
    watch->rows = watch_rows(arena, ensemble->n_event * N_WATCH);
    watch->numbers =
        ml_arena_take(arena, (size_t)ensemble->n_event * ML_LANES, sizeof *watch->numbers);
    watch->older = watch_rows(arena, 1);
    watch->before = watch_rows(arena, 1);
    watch->now = watch_rows(arena, 1);
    watch->stop_time = watch_rows(arena, 1);
    watch->x_older = watch_rows(arena, n_x);
    watch->x_now = watch_rows(arena, n_x);
    watch->x_stop = watch_rows(arena, n_x);
    watch->step_control = watch_rows(arena, ML_N_STEP_CONTROL);
    watch->probe = watch_rows(arena, n_x);
    watch->rate = watch_rows(arena, n_x);
    watch->span = watch_rows(arena, 1);
    if (ensemble->dims.n_sens > 0)
        watch_place_derivs(ensemble, arena, watch);
    watch->takes_own_steps = ensemble->is_adaptive || ml_align_is_needed(ensemble);
    watch->align = ml_align_is_needed(ensemble) ? watch_rows(arena, ML_ALIGN_ROWS) : NULL;
    if (!watch->takes_own_steps && ensemble->dims.n_column == 0)
        place_scan(ensemble, arena, watch);
}
