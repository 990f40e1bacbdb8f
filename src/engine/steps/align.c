/* Cuts steps at events and grades given ones behind them. */
#include "engine/events/event_watch.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/events/event_watched.h"
#include "engine/steps/switches.h"

/* Rows of a batch whose steps are cut. */
enum {
    ALIGN_FROM,   /* s: time of the last event that cut a step */
    ALIGN_SPAN,   /* s: how long steps are graded from there; 0: they are not */
    ALIGN_NEXT,   /* number of the next node of the grading */
    ALIGN_TARGET, /* s: time of an event that is approached */
    ALIGN_COMING, /* s: how long steps will be graded from there */
    ALIGN_END
};
_Static_assert((int)ALIGN_END == (int)ML_ALIGN_ROWS, "they have their room");

/* Nodes are at span (j / n)^3: a force that sets in like the square root of the depth, or faster,
 * leaves an error of fourth order then, as the steps between the nodes near 0 are short. */
static const double grading = 3.0;

/* Where a force has a kink its derivative jumps, and so does the right-hand side of tangent
 * vectors. A stage at the event itself may be on either side, so with tangent vectors the step to
 * the event and the one behind it are this part of the given one, and those around are half as
 * long, and twice as long, as the one before. */
static const double nearest = 0x1p-30;

bool ml_align_is_needed(const struct ml_ensemble *ensemble)
{
    for (int i = 0; i < ensemble->n_event; i++)
        if (ml_event_ends_steps(&ensemble->events[i]))
            return true;
    return ensemble->model.system->switches.n > 0;
}

static double *align_row(const struct ml_batch *batch, int which)
{
    return batch->watch.align + (size_t)which * ML_LANES;
}

/* Grades the steps of a lane over `span` seconds from `time` on. */
static void align_grade(struct ml_batch *batch, double span, double time, int lane)
{
    align_row(batch, ALIGN_FROM)[lane] = time;
    align_row(batch, ALIGN_SPAN)[lane] = span;
    align_row(batch, ALIGN_NEXT)[lane] = 1.0;
    align_row(batch, ALIGN_TARGET)[lane] = (double)-INFINITY;
}

/* Whether a run begins on a level of the event. */
static bool align_begins_on(const struct watched *w, int lane)
{
    const double place = ml_event_watch_start(w, ml_event_watch_row(w, WATCH_VALUE)[lane],
                                              ml_event_watch_row(w, WATCH_SLOPE)[lane],
                                              w->batch->step[lane], 0.0, lane);
    return place != floor(place);
}

void ml_align_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch)
{
    for (int lane = 0; lane < ML_LANES; lane++) {
        align_row(batch, ALIGN_FROM)[lane] = align_row(batch, ALIGN_TARGET)[lane] =
            (double)-INFINITY;
        align_row(batch, ALIGN_SPAN)[lane] = align_row(batch, ALIGN_COMING)[lane] = 0.0;
        align_row(batch, ALIGN_NEXT)[lane] = 1.0;
    }
    for (int i = 0; i < ensemble->n_event; i++) {
        const struct watched w = ml_event_watched(ensemble, batch, i);
        for (int lane = 0; lane < ML_LANES; lane++)
            if (w.event->aligns && ensemble->time.start >= w.numbers[lane].from &&
                align_begins_on(&w, lane))
                align_grade(batch, w.event->graded, ensemble->time.start, lane);
    }
}

/* The next node of the grading; INFINITY behind the last. */
static double align_node(struct ml_batch *b, int lane)
{
    const double span = align_row(b, ALIGN_SPAN)[lane], from = align_row(b, ALIGN_FROM)[lane];
    const double n = ceil(grading * span / b->step[lane]);
    double *next = &align_row(b, ALIGN_NEXT)[lane];
    while (*next <= n) {
        const double part = *next / n, node = fma(span, part * part * part, from);
        if (node > b->window.now[lane])
            return node;
        *next += 1.0;
    }
    return (double)INFINITY;
}

/* Where the step of a lane from window->now is to end. */
static double align_end(const struct ml_ensemble *e, struct ml_batch *b, double end, int lane)
{
    const double now = b->window.now[lane], least = nearest * b->step[lane];
    const double left = align_row(b, ALIGN_TARGET)[lane] - now;
    const double passed = now - align_row(b, ALIGN_FROM)[lane];
    end = fmin(end, align_node(b, lane));
    if (e->model.n_column == 0)
        return end;
    if (left > 0.0)
        end = fmin(end, left > least ? now + 0.5 * left : now + left);
    return fmin(end, now + fmax(passed, least));
}

/* Takes the step without a look for events. */
static struct ml_lane_faults align_advance(const struct ml_ensemble *e, struct ml_batch *b,
                                           const double *end, unsigned active)
{
    double step[ML_LANES] __attribute__((aligned(64)));
    struct ml_window *w = &b->window;
    memcpy(b->x_before, b->x, (size_t)ml_rows_x(&e->model) * ML_LANES * sizeof *b->x_before);
    memcpy(w->before, w->now, ML_LANES * sizeof *w->before);
    double nearer[ML_LANES];
    memcpy(nearer, end, sizeof nearer);
    if (e->model.system->switches.n > 0)
        ml_switches_limit(e, b, active, nearer);
    for (int lane = 0; lane < ML_LANES; lane++) {
        if (active >> lane & 1)
            w->now[lane] = align_end(e, b, nearer[lane], lane);
        step[lane] = w->now[lane] - w->before[lane];
    }
    const struct ml_jumps_lanes lanes = ml_batch_lanes(e, b);
    struct ml_lane_faults faults = ml_jumps_step(&lanes, w->before, step, active, b->residual);
    faults.nonfinite &= active;
    faults.singular &= active;
    return faults;
}

/* Whether the last step of a lane ended at this event, which set the state. */
static bool align_is_behind(const struct watched *w, int lane)
{
    return w->event->n_set > 0 &&
           ml_event_watch_row(w, WATCH_LAST)[lane] == w->batch->window.before[lane];
}

/* Whether the event of a lane was counted so shortly before that the slope behind the event may be
 * rounding. */
static bool align_repeats(const struct watched *w, int lane)
{
    const double last = ml_event_watch_row(w, WATCH_LAST)[lane];
    return last - ml_event_watch_row(w, WATCH_EARLIER)[lane] < 0x1p-20 * w->watch->span[lane];
}

/* Whether a value that is at its level behind the event comes back within the step, to pass the
 * level again. It does so if it sets out to the other side than that on which the step ends, and
 * has not gone at all where the event took its slope. A value that continues does not pass the
 * level again. The step's first value is that of the derivative, as that at the level is rounding.
 */
static bool align_returns(const struct watched *w, struct stretch *step, double before, int lane,
                          struct ml_event_levels *passed)
{
    const double slope = ml_event_watch_row(w, WATCH_SLOPE)[lane], to = step->value_to[lane];
    const double number = before + 0.5, level = ml_event_level(&w->numbers[lane], number);
    const double origin = slope == 0.0 ? step->value_from[lane] : level;
    const int end = (to > origin) - (to < origin);
    const bool goes_on = slope * end >= 0.0, is_rest = slope == 0.0 || align_repeats(w, lane);
    if (end == 0 || (goes_on && !(is_rest && w->event->direction == end)))
        return false;
    *passed = (struct ml_event_levels){number, 1.0, end};
    step->from[lane] = goes_on ? 0.0 : ml_event_watch_least(w->batch, lane);
    step->value_from[lane] = fma(slope, step->from[lane], level);
    return true;
}

/* The level that a lane's step passes first, by number, if its ends are on both sides of one.
 *   returns  out: as of align_returns */
static bool align_level(const struct watched *w, struct stretch *step, int lane, double *number,
                        bool *returns)
{
    const struct ml_event_numbers *own = &w->numbers[lane];
    const double from = step->value_from[lane], to = step->value_to[lane];
    double before = ml_event_watch_row(w, WATCH_PLACE)[lane];
    struct ml_event_levels passed;
    if (isnan(before) && w->batch->window.now[lane] >= own->from)
        before = ml_event_watch_start(w, from, ml_event_watch_row(w, WATCH_SLOPE)[lane],
                                      step->to[lane], to - from, lane);
    *returns = align_is_behind(w, lane) && before != floor(before) &&
               align_returns(w, step, before, lane, &passed);
    if (!*returns)
        passed = ml_event_passed(before, ml_event_place(own, to, before));
    *number = passed.next;
    return passed.left > 0.0 && (!w->event->direction || w->event->direction == passed.sign);
}

/* As align_find, of a strobe. */
static void align_find_strobe(const struct watched *w, unsigned active, double *s)
{
    const double *next = ml_event_watch_row(w, WATCH_NEXT);
    for (int lane = 0; lane < ML_LANES; lane++)
        s[lane] = active >> lane & 1 && next[lane] <= w->batch->window.now[lane]
                      ? next[lane] - w->batch->window.before[lane]
                      : (double)INFINITY;
}

/* How far rounding of the state at the beginning of the step moves the value: out [1]. */
static void align_rounding(const struct watched *w, double *out)
{
    const double small = 0x1p-40;
    const double *x = w->batch->x_before, *time = w->batch->window.before;
    double *moved = w->watch->probe, value[ML_LANES];
    const size_t size = ml_event_watch_states(w->ensemble);
    memset(out, 0, ML_LANES * sizeof *out);
    memcpy(moved, x, size * sizeof *moved);
    for (size_t row = 0; row < size; row += ML_LANES) {
        for (size_t i = row; i < row + ML_LANES; i++)
            moved[i] = x[i] + small * x[i];
        ml_event_watch_values(w, time, moved, value);
        memcpy(moved + row, x + row, ML_LANES * sizeof *moved);
        for (int lane = 0; lane < ML_LANES; lane++)
            out[lane] += fabs(value[lane] - ml_event_watch_row(w, WATCH_VALUE)[lane]);
    }
    for (int lane = 0; lane < ML_LANES; lane++)
        out[lane] *= DBL_EPSILON / small;
}

/* Halves the steps of lanes whose value has left its level and come back, to a point at which the
 * value is on the side that it set out to, by more than rounding: the step then has the point and
 * twice its time. The lanes that have such a point. */
static unsigned align_halve(const struct watched *w, struct stretch *step, const double *level,
                            unsigned lanes)
{
    double s[ML_LANES], value[ML_LANES], rounding[ML_LANES];
    unsigned found = 0;
    align_rounding(w, rounding);
    for (unsigned open = lanes; open;) {
        for (int lane = 0; lane < ML_LANES; lane++)
            s[lane] = 0.5 * step->to[lane];
        ml_event_watch_look(w, false, s, open, value);
        ML_EACH_LANE(lane, open) {
            const double sign = ml_event_watch_row(w, WATCH_SLOPE)[lane] > 0.0 ? 1.0 : -1.0;
            const bool is_back = !(sign * (value[lane] - level[lane]) > 4.0 * rounding[lane]);
            (is_back ? step->to : step->from)[lane] = s[lane];
            (is_back ? step->value_to : step->value_from)[lane] = value[lane];
            found |= (unsigned)!is_back << lane;
            if (!is_back || !(s[lane] > ml_event_watch_least(w->batch, lane)))
                open &= ~(1u << lane);
        }
    }
    return found;
}

/* Repeats the search in lanes whose value has left its level and come back, where the search ended
 * so near to the beginning of the step that the value there may be rounding. A value that does not
 * leave its level by more than that passes it at once. */
static void align_search_back(const struct watched *w, struct stretch *step, const double *level,
                              unsigned lanes, double *at)
{
    unsigned near = 0;
    for (int lane = 0; lane < ML_LANES; lane++)
        near |= (unsigned)(lanes >> lane & 1 && step->from[lane] > 0.0 &&
                           at[lane] < 0x1p-10 * step->to[lane])
                << lane;
    if (!near)
        return;
    const unsigned found = align_halve(w, step, level, near);
    ML_EACH_LANE(lane, near & ~found)
        at[lane] = 0.0;
    if (found)
        ml_event_watch_search(w, false, step, level, found, at);
}

/* Finds where the steps of lanes pass an event first: s [1], seconds behind their beginning, and
 * the numbers of the levels there; INFINITY where they do not.
 */
static void align_find(const struct watched *w, unsigned active, double *s, double *number)
{
    struct stretch step = {.from = {0.0}};
    struct event_first first;
    double level[ML_LANES] = {0.0};
    unsigned passed = 0, returning = 0;
    memcpy(step.value_from, ml_event_watch_row(w, WATCH_VALUE), sizeof step.value_from);
    memcpy(step.value_to, ml_event_watch_row(w, WATCH_NEW), sizeof step.value_to);
    for (int lane = 0; lane < ML_LANES; lane++) {
        bool returns;
        s[lane] = (double)INFINITY;
        step.to[lane] = w->batch->window.now[lane] - w->batch->window.before[lane];
        if (!(active >> lane & 1))
            continue;
        passed |= (unsigned)align_level(w, &step, lane, &number[lane], &returns) << lane;
        returning |= (unsigned)returns << lane;
    }
    ml_event_watch_sags(w, active);
    const unsigned turned = ml_event_watch_first(w, active & ~returning, &first);
    for (int lane = 0; lane < ML_LANES; lane++)
        if (first.lanes >> lane & 1) {
            ml_event_take_piece(&first, lane, &step);
            number[lane] = first.number[lane];
        }
    passed = (passed & ~turned) | first.lanes;
    if (!passed)
        return;
    ML_EACH_LANE(lane, passed)
        level[lane] = ml_event_level(&w->numbers[lane], number[lane]);
    double at[ML_LANES];
    ml_event_watch_search(w, false, &step, level, passed, at);
    align_search_back(w, &step, level, passed & returning, at);
    ml_lanes_copy(1, at, passed, s);
}

/* Where the steps of a batch pass events. */
struct align_events {
    double s[ML_MAX_EVENTS][ML_LANES], number[ML_MAX_EVENTS][ML_LANES]; /* as of align_find */
    double first[ML_LANES];                  /* the least of these times */
    const struct ml_event *cut_by[ML_LANES]; /* the event there; NULL: there is none */
};

static void align_find_all(const struct ml_ensemble *e, struct ml_batch *b, unsigned active,
                           struct align_events *found)
{
    for (int lane = 0; lane < ML_LANES; lane++) {
        found->first[lane] = b->window.now[lane] - b->window.before[lane];
        found->cut_by[lane] = NULL;
    }
    for (int i = 0; i < e->n_event; i++) {
        const struct watched w = ml_event_watched(e, b, i);
        if (!ml_event_ends_steps(w.event))
            continue;
        if (w.event->kind == ML_STROBE)
            align_find_strobe(&w, active, found->s[i]);
        else
            align_find(&w, active, found->s[i], found->number[i]);
        for (int lane = 0; lane < ML_LANES; lane++) {
            const double s = found->s[i][lane];
            if (!(s <= found->first[lane]))
                continue;
            found->first[lane] = s;
            found->cut_by[lane] = w.event;
        }
    }
}

/* Notes the events that set the state at the end of a lane's step: all that are as early as the
 * first, up to rounding. Where one of them did so at the beginning of the step too, no step between
 * them is short enough: the lane takes none if the event has a state at rest, which it does not
 * have yet. False if it has none. */
static bool align_reset(const struct ml_ensemble *e, struct ml_batch *b, struct align_events *found,
                        int lane)
{
    struct ml_reset *reset = &b->watch.reset;
    const double least = ml_event_watch_least(b, lane);
    for (int i = 0; i < e->n_event; i++) {
        const struct watched w = ml_event_watched(e, b, i);
        if (w.event->n_set == 0 || !(found->s[i][lane] <= found->first[lane] + least))
            continue;
        const bool is_at_once = align_is_behind(&w, lane) && !(found->s[i][lane] > least);
        const bool has_rested = ml_event_watch_row(&w, WATCH_REST)[lane] == b->window.before[lane];
        if (is_at_once && (w.event->n_then == 0 || has_rested)) {
            b->watch.ended |= 1u << lane;
            b->watch.stop_time[lane] = ml_event_watch_limit(&w, 0x1p-16, lane);
            return false;
        }
        if (is_at_once)
            found->first[lane] = 0.0;
        (is_at_once ? reset->rests : reset->lanes)[i] |= 1u << lane;
        reset->level[i][lane] = found->number[i][lane];
    }
    return true;
}

/* Finds where conditions of formulas change; the lanes in which that is before any event. */
static unsigned align_find_changes(const struct ml_ensemble *e, struct ml_batch *b, unsigned active,
                                   struct align_events *found)
{
    double s[ML_LANES];
    unsigned first = 0;
    if (e->model.system->switches.n == 0)
        return 0;
    ml_switches_find(e, b, active, s);
    for (int lane = 0; lane < ML_LANES; lane++) {
        const double least = found->cut_by[lane] ? ml_event_watch_least(b, lane) : 0.0;
        if (!(active >> lane & 1) || !(s[lane] <= found->first[lane] - least))
            continue;
        first |= 1u << lane;
        found->first[lane] = s[lane];
        found->cut_by[lane] = NULL;
    }
    return first;
}

/* With tangent vectors an event is approached. Whether it is not reached yet; s: half of the way.
 */
static bool align_approaches(const struct ml_ensemble *e, struct ml_batch *b,
                             const struct ml_event *event, int lane, double *s)
{
    if (e->model.n_column == 0 || !(*s > nearest * b->step[lane]))
        return false;
    align_row(b, ALIGN_TARGET)[lane] = b->window.before[lane] + *s;
    align_row(b, ALIGN_COMING)[lane] = event->graded;
    *s *= 0.5;
    return true;
}

/* Takes back the steps of these lanes. */
static void align_take_back(const struct ml_ensemble *e, struct ml_batch *b, unsigned lanes)
{
    ml_lanes_copy(ml_rows_x(&e->model), b->x_before, lanes, b->watch.x_now);
    if (e->time.is_adaptive)
        ml_lanes_copy(ML_N_STEP_CONTROL, b->window.step_control, lanes, b->step_control);
    ml_lanes_copy(1, b->window.before, lanes, b->window.now);
}

/* Ends the steps of these lanes s [1] seconds behind their beginning. */
static void align_cut(const struct ml_ensemble *e, struct ml_batch *b, const double *s,
                      unsigned lanes)
{
    const struct watched w = ml_event_watch_origin(e, b);
    double time[ML_LANES];
    unsigned moved = lanes;
    for (int lane = 0; lane < ML_LANES; lane++)
        moved &= ~((unsigned)(s[lane] == 0.0) << lane);
    if (moved)
        ml_event_watch_go(&w, s, moved, time);
    ml_lanes_copy(ml_rows_x(&e->model), b->x, moved, b->watch.x_now);
    ml_lanes_copy(1, time, moved, b->window.now);
    align_take_back(e, b, lanes & ~moved);
}

/* Grades the steps behind events that these lanes have reached. */
static void align_grade_behind(struct ml_batch *b, const struct align_events *found, unsigned cut,
                               unsigned active)
{
    for (int lane = 0; lane < ML_LANES; lane++) {
        const double target = align_row(b, ALIGN_TARGET)[lane];
        if (cut >> lane & 1 && !(found->cut_by[lane] && found->cut_by[lane]->aligns))
            continue; /* the next step begins from another state: no stage is on both sides */
        if (cut >> lane & 1)
            align_grade(b, found->cut_by[lane]->graded, b->window.now[lane], lane);
        else if (active >> lane & 1 && target > b->window.before[lane] &&
                 target <= b->window.now[lane])
            align_grade(b, align_row(b, ALIGN_COMING)[lane], target, lane);
    }
}

unsigned ml_align_to_events(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                            unsigned active)
{
    const struct ml_ensemble *e = ensemble;
    struct ml_batch *b = batch;
    struct ml_event_watch *watch = &b->watch;
    const size_t size = (size_t)ml_rows_x(&e->model) * ML_LANES * sizeof *b->x;
    struct align_events found;
    unsigned cut = 0, at_end = 0, approached = 0, too_short = 0;
    memcpy(watch->x_now, b->x, size);
    ml_event_watch_measure(e, b);
    align_find_all(e, b, active, &found);
    const unsigned changed = align_find_changes(e, b, active, &found);
    for (int lane = 0; lane < ML_LANES; lane++) {
        const struct ml_event *by = found.cut_by[lane];
        if (!(changed >> lane & 1) &&
            (!by || (by->n_set == 0 && !(found.first[lane] > ml_event_watch_least(b, lane)))))
            continue; /* the event at its very beginning has cut the step before */
        if (by && by->aligns && align_approaches(e, b, by, lane, &found.first[lane]))
            approached |= 1u << lane;
        else if (by && !align_reset(e, b, &found, lane))
            too_short |= 1u << lane;
        cut |= 1u << lane;
        const double left = b->window.now[lane] - b->window.before[lane] - found.first[lane];
        at_end |= (unsigned)(left <= ml_event_watch_least(b, lane)) << lane;
    }
    for (int lane = 0; lane < ML_LANES; lane++)
        if (active >> lane & 1 && e->model.system->switches.n > 0)
            ml_switches_note(e, b, lane, found.first[lane] + ml_event_watch_least(b, lane));
    cut &= ~too_short;
    const unsigned inside = cut & ~at_end;
    if (inside)
        align_cut(e, b, found.first, inside);
    memcpy(b->x, watch->x_now, size);
    if (inside)
        ml_event_watch_measure(e, b);
    if (inside)
        ml_feedback_look(e, &b->feedback, b->window.now, b->x, b->work);
    ML_EACH_LANE(lane, inside)
        ml_feedback_keep(e, &b->feedback, lane, b->window.now[lane], true);
    align_grade_behind(b, &found, cut & ~approached, active);
    return too_short;
}

struct ml_lane_faults ml_align_step(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                                    const double *end, unsigned active)
{
    struct ml_lane_faults faults = align_advance(ensemble, batch, end, active);
    const unsigned sound = active & ~(faults.nonfinite | faults.singular);
    if (sound)
        faults.too_short |= ml_align_to_events(ensemble, batch, sound);
    return faults;
}
