/* Ends steps where conditions of formulas change, and takes tangent vectors across. */
#include "engine/steps/switches.h"

#include <math.h>
#include <string.h>

#include "engine/events/event_watched.h"
#include "expr/slide.h"

/* One condition of a batch. */
struct condition {
    const struct ml_switch *own;
    int k;
    double *place, *number, *share; /* [ML_LANES] */
};

static int switches_n(const struct ml_ensemble *e) { return e->model.system->switches.n; }

static struct condition switches_of(const struct ml_ensemble *e, const struct ml_batch *b, int k)
{
    const struct ml_switch *own = &e->model.system->switches.conditions[k];
    return (struct condition){own, k, b->constants + (size_t)own->constant * ML_LANES,
                              b->switches.number + (size_t)k * ML_LANES,
                              b->switches.number + (size_t)(switches_n(e) + k) * ML_LANES};
}

/* The place of a motion that slides between two others, and whether a place is such a place. */
static double switches_between(double a, double b) { return fmax(a, b) - 1.0 + ML_SLIDE_PLACE; }
static bool switches_slides(double place) { return place - floor(place) == ML_SLIDE_PLACE; }

/* Whether both sides lead a lane's motion to the level. */
static bool switches_holds(const struct condition *c, int lane)
{
    return c->own->slides && c->share[lane] > 0.0 && c->share[lane] < 1.0;
}

void ml_switches_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                        struct ml_switches *switches)
{
    const int n = switches_n(ensemble), n_x = n > 0 ? ml_n_x(&ensemble->model) : 0;
    *switches = (struct ml_switches){0};
    if (n == 0)
        return;
    double **of_switch[] = {&switches->slope, &switches->next, &switches->last,
                            &switches->at,    &switches->from, &switches->to};
    double **of_both[] = {&switches->number, &switches->begin, &switches->change};
    double **of_state[] = {&switches->before, &switches->after, &switches->moved};
    for (size_t i = 0; i < sizeof of_switch / sizeof *of_switch; i++)
        *of_switch[i] = ml_rows_take(arena, n);
    for (size_t i = 0; i < sizeof of_both / sizeof *of_both; i++)
        *of_both[i] = ml_rows_take(arena, 2 * n);
    for (size_t i = 0; i < sizeof of_state / sizeof *of_state; i++)
        *of_state[i] = ml_rows_take(arena, n_x);
    switches->moves = ml_rows_take(arena, ensemble->model.n_column);
    switches->rows = ml_rows_take(arena, n * N_WATCH);
    switches->seen = ml_rows_take(arena, 1);
    switches->doubt = ml_rows_take(arena, 1);
    switches->noted = ml_arena_take(arena, (size_t)n, sizeof *switches->noted);
}

/* Level i of a condition; -INFINITY below all levels, INFINITY above. */
static double switches_level(const struct ml_switch *own, double i)
{
    if (own->is_whole || isnan(i))
        return i;
    const double n = own->table ? (double)own->table->n : 1.0;
    if (i < 0.0 || i >= n)
        return i < 0.0 ? (double)-INFINITY : (double)INFINITY;
    return own->table ? own->table->time[(int64_t)i] : 0.0;
}

/* The place of a number whose last digits are right. */
static double switches_place(const struct ml_switch *own, double number)
{
    if (own->is_whole)
        return floor(number);
    if (!own->table)
        return number >= 0.0 ? 0.0 : -1.0;
    int64_t low = 0, high = own->table->n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (own->table->time[middle] <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return (double)low - 1.0;
}

/* The side to which a number sets out that is on a level, or reaches one within `time` s. */
static double switches_side(const struct ml_switch *own, double number, double slope, double time)
{
    const double place = switches_place(own, number), near = fabs(slope) * time;
    if (!isfinite(number))
        return (double)NAN;
    if (number - switches_level(own, place) <= near)
        return slope > 0.0 ? place : slope < 0.0 ? place - 1.0 : place - 0.5;
    return switches_level(own, place + 1.0) - number <= near && slope > 0.0 ? place + 1.0 : place;
}

bool ml_switches_can_slide(const struct ml_ensemble *ensemble)
{
    bool can = false;
    for (int k = 0; k < switches_n(ensemble); k++)
        can |= ensemble->model.system->switches.conditions[k].slides;
    return can;
}

/* Derivative of the state by time at x and t [1], s: [n_x] out. */
static void switches_rates(const struct ml_ensemble *e, const struct ml_batch *b, const double *t,
                           const double *x, double *rate)
{
    struct ml_instance model = e->model;
    model.n_column = model.n_sens = 0;
    b->kernels.general->rates(&model, t, b->constants, x, rate, b->work);
}

/* Derivatives of the numbers of all conditions at x along a direction of state, and of constants
 * unless these are NULL. */
static void switches_changes(const struct ml_ensemble *e, const struct ml_batch *b, const double *t,
                             const double *x, const double *y, const double *constant_derivs,
                             double *change)
{
    const struct ml_moment at = {t, b->constants, x}, along = {NULL, constant_derivs, y};
    e->model.system->switches.changes(&e->model, &at, &along, b->work, change);
}

/* The numbers of all conditions, and their derivatives by time along the motion. */
static void switches_measure(const struct ml_ensemble *e, struct ml_batch *b, const double *t,
                             const double *x, const double *rate)
{
    const struct ml_system *system = e->model.system;
    struct ml_switches *s = &b->switches;
    switches_changes(e, b, t, x, rate, NULL, s->slope);
    system->switches.numbers(&e->model, t, b->constants, x, b->work, s->number, s->change);
    for (int i = 0; i < switches_n(e) * ML_LANES; i++)
        s->slope[i] += s->change[i];
}

/* Gives numbers that are on a level and at rest the slope that they have a moment later. */
static void switches_look_ahead(const struct ml_ensemble *e, struct ml_batch *b, const double *t,
                                const double *x, unsigned lanes)
{
    struct ml_switches *s = &b->switches;
    const int n = switches_n(e) * ML_LANES, n_x = ml_n_x(&e->model) * ML_LANES;
    struct ml_times later;
    bool is_at_rest = false;
    double number[2 * ML_LATCH_MOST * ML_LANES], slope[ML_LATCH_MOST * ML_LANES];
    for (int i = 0; i < n; i++) {
        const struct ml_switch *own = &e->model.system->switches.conditions[i / ML_LANES];
        const double level = switches_level(own, switches_place(own, s->number[i]));
        is_at_rest |= lanes >> i % ML_LANES & 1 && s->slope[i] == 0.0 && s->number[i] == level &&
                      !switches_slides(switches_of(e, b, i / ML_LANES).place[i % ML_LANES]);
    }
    if (!is_at_rest)
        return;
    memcpy(number, s->number, 2 * (size_t)n * sizeof *s->number);
    memcpy(slope, s->slope, (size_t)n * sizeof *s->slope);
    for (int lane = 0; lane < ML_LANES; lane++)
        later.lane[lane] = fma(0x1p-10, b->step[lane], t[lane]);
    for (int i = 0; i < n_x; i++)
        s->moved[i] = fma(0x1p-10 * b->step[i % ML_LANES], s->after[i], x[i]);
    switches_rates(e, b, later.lane, s->moved, s->after);
    switches_measure(e, b, later.lane, s->moved, s->after);
    for (int i = 0; i < n; i++)
        s->slope[i] = slope[i] == 0.0 ? s->slope[i] : slope[i];
    memcpy(s->number, number, 2 * (size_t)n * sizeof *s->number);
}

/* When the conditions of time of some lanes change next, at t [1], s, where they are measured. */
static void switches_find_next(const struct ml_ensemble *e, struct ml_batch *b, const double *t,
                               unsigned lanes)
{
    for (int k = 0; k < switches_n(e); k++) {
        const struct condition c = switches_of(e, b, k);
        for (int lane = 0; lane < ML_LANES; lane++) {
            const double slope = b->switches.slope[k * ML_LANES + lane], place = c.place[lane];
            const double level = switches_level(c.own, slope > 0.0 ? place + 1.0 : place);
            const bool is_coming =
                c.own->is_linear && slope != 0.0 && place == floor(place) && isfinite(level);
            if (lanes >> lane & 1)
                b->switches.next[k * ML_LANES + lane] =
                    is_coming ? t[lane] + (level - c.number[lane]) / slope : (double)INFINITY;
        }
    }
}

/* The place of a motion that slides on the level at which the number is. */
static double switches_slide(const struct condition *c, int lane)
{
    const double level = c->own->is_whole ? nearbyint(c->number[lane]) : 0.0;
    return switches_between(level, level - 1.0);
}

/* The next place of a motion that slides: the same, or that to which the motion leaves. */
static double switches_leave(const struct condition *c, int lane)
{
    const double place = c->place[lane];
    return switches_holds(c, lane) ? place : floor(place) + (c->share[lane] >= 1.0 ? 1.0 : 0.0);
}

/* The next place of a lane's condition, at its place and number.
 *   is_late  places have not settled: both sides lead back to a level
 *   is_last  places that do not settle now are not known */
static double switches_next(const struct ml_ensemble *e, const struct ml_switches *s,
                            const struct condition *c, double t, int lane, bool is_late,
                            bool is_last)
{
    const double before = c->place[lane];
    if (switches_slides(before) && (!is_last || switches_holds(c, lane)))
        return switches_leave(c, lane);
    const double place = switches_side(c->own, c->number[lane], s->slope[c->k * ML_LANES + lane],
                                       ml_ensemble_rounding(e, t));
    const bool differs = !(place == before) && !(isnan(place) && isnan(before));
    const bool is_at_rest = place != floor(place), is_between = is_late && differs;
    if ((is_at_rest || is_between) && !isnan(place) && switches_holds(c, lane))
        return switches_slide(c, lane);
    return is_between && is_last ? (double)NAN : place; /* it is computed as it stands */
}

/* Rows of a condition as of an event, engine/events/event_watched.h. */
static double *switches_watch_row(const struct ml_batch *b, int k, int which)
{
    return b->switches.rows + ((size_t)k * N_WATCH + (size_t)which) * ML_LANES;
}

/* Nothing is known of how fast numbers change in these lanes; where the state has jumped, nor
 * of how they bend. */
static void switches_forget(const struct ml_ensemble *e, struct ml_batch *b, bool has_jumped,
                            unsigned lanes)
{
    for (int k = 0; k < switches_n(e); k++)
        ML_EACH_LANE(lane, lanes) {
            switches_watch_row(b, k, WATCH_SWING)[lane] = (double)INFINITY;
            if (has_jumped)
                switches_watch_row(b, k, WATCH_SAG)[lane] = -1.0;
            switches_watch_row(b, k, WATCH_UNSURE)[lane] = 0.0;
        }
}

/* Notes when the numbers were measured; time NULL: that is not known. */
static void switches_see(struct ml_switches *s, const double *time)
{
    for (int lane = 0; lane < ML_LANES; lane++)
        s->seen[lane] = time ? time[lane] : (double)NAN;
}

/* Finds the places of these lanes; numbers may depend on places of others.
 *   kept    [n] lanes whose place stays; NULL: none
 *   is_new  places that are not known are found too */
static void switches_settle(const struct ml_ensemble *e, struct ml_batch *b, const double *t,
                            const double *x, unsigned lanes, const unsigned *kept, bool is_new)
{
    struct ml_switches *s = &b->switches;
    const int n = switches_n(e), late = n + 2, last = ml_switches_can_slide(e) ? 2 * late : late;
    bool changes = true;
    for (int pass = 0; changes && pass <= last; pass++) {
        changes = false;
        switches_rates(e, b, t, x, s->after);
        switches_measure(e, b, t, x, s->after);
        switches_look_ahead(e, b, t, x, lanes);
        for (int k = 0; k < n; k++) {
            const struct condition c = switches_of(e, b, k);
            for (int lane = 0; lane < ML_LANES; lane++) {
                const double before = c.place[lane];
                if (!(lanes >> lane & 1) || (kept && kept[k] >> lane & 1) ||
                    (!is_new && isnan(before)))
                    continue;
                const double place =
                    switches_next(e, s, &c, t[lane], lane, pass >= late, pass == last);
                changes |= !(place == before) && !(isnan(place) && isnan(before));
                c.place[lane] = place;
            }
        }
    }
    switches_see(s, t);
    switches_find_next(e, b, t, lanes);
}

void ml_switches_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch)
{
    struct ml_switches *s = &batch->switches;
    memset(s->noted, 0, (size_t)switches_n(ensemble) * sizeof *s->noted);
    memset(s->doubt, 0, ML_LANES * sizeof *s->doubt);
    for (int i = 0; i < switches_n(ensemble) * ML_LANES; i++)
        s->last[i] = (double)-INFINITY;
    switches_forget(ensemble, batch, true, ML_ALL_LANES);
    switches_settle(ensemble, batch, batch->window.now, batch->x, ML_ALL_LANES, NULL, true);
}

void ml_switches_settle(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                        const double *time, const double *x, unsigned lanes)
{
    for (int k = 0; k < switches_n(ensemble); k++) {
        double *place = switches_of(ensemble, batch, k).place;
        batch->switches.noted[k] &= ~lanes;
        for (int lane = 0; lane < ML_LANES; lane++)
            if (lanes >> lane & 1 && switches_slides(place[lane])) /* it may be off the level now */
                place[lane] = floor(place[lane]);
    }
    switches_forget(ensemble, batch, true, lanes);
    switches_settle(ensemble, batch, time, x, lanes, NULL, false);
    switches_see(&batch->switches, NULL); /* x may be of these lanes alone */
}

/* Whether some condition of time changes at times that are not known before. */
static bool switches_are_curved(const struct ml_ensemble *e)
{
    bool are = false;
    for (int k = 0; k < switches_n(e); k++)
        are |= e->model.system->switches.conditions[k].is_of_time &&
               !e->model.system->switches.conditions[k].is_linear;
    return are;
}

/* Ends steps behind the first of some times between, at which a condition of time has changed.
 */
static void switches_scan(const struct ml_ensemble *e, struct ml_batch *b, unsigned lanes,
                          double *end)
{
    enum { TIMES = 16 };
    const double *now = b->window.now;
    struct ml_times at;
    switches_see(&b->switches, NULL);
    for (int j = 1; j < TIMES && lanes; j++) {
        for (int lane = 0; lane < ML_LANES; lane++)
            at.lane[lane] = now[lane] + (end[lane] - now[lane]) * j / TIMES;
        e->model.system->switches.numbers(&e->model, at.lane, b->constants, b->x, b->work,
                                          b->switches.number, NULL);
        for (int i = 0; i < switches_n(e) * ML_LANES; i++) {
            const struct condition c = switches_of(e, b, i / ML_LANES);
            const int lane = i % ML_LANES;
            if (!(lanes >> lane & 1) || !c.own->is_of_time || c.own->is_linear ||
                isnan(c.place[lane]) || switches_place(c.own, c.number[lane]) == c.place[lane])
                continue;
            end[lane] = at.lane[lane];
            lanes &= ~(1u << lane);
        }
    }
}

void ml_switches_limit(const struct ml_ensemble *ensemble, struct ml_batch *batch, unsigned lanes,
                       double *end)
{
    for (int lane = 0; lane < ML_LANES; lane++)
        for (int k = 0; k < switches_n(ensemble) && lanes >> lane & 1; k++) {
            const double next = batch->switches.next[k * ML_LANES + lane];
            if (ml_ensemble_is_before(ensemble, batch->window.now[lane], next) &&
                ml_ensemble_is_before(ensemble, next, end[lane]))
                end[lane] = next;
        }
    if (switches_are_curved(ensemble))
        switches_scan(ensemble, batch, lanes, end);
}

/* Whether a condition of a lane has changed within rounding of times. */
static bool switches_is_recent(const struct ml_batch *b, int k, int lane)
{
    const double now = b->window.now[lane];
    return now - b->switches.last[k * ML_LANES + lane] <= 0x1p-40 * fmax(fabs(now), b->step[lane]);
}

/* A change of one condition in the step of each lane. */
struct change {
    double level[ML_LANES], to[ML_LANES]; /* place behind it */
    struct stretch piece;                 /* of the step, in which it is */
    unsigned lanes, at_end;               /* in which it is within the step; is at its end */
    unsigned followed, near; /* in which it may be anywhere in the step; and seems so */
    unsigned slid;           /* in which the motion slides on the condition */
};

/* Where the number is, in rows, at whose level a lane's condition changes: of a motion that
 * slides it is the share. */
static size_t switches_row(const struct ml_ensemble *e, const struct condition *c, int lane)
{
    const int row = switches_slides(c->place[lane]) ? switches_n(e) + c->k : c->k;
    return (size_t)row * ML_LANES + (size_t)lane;
}

/* Whether the number of a condition may leave its place, between `low` and `high`, within a
 * lane's step unseen at both ends: by as much as it may change at the rate of this step, or
 * half of the one before. */
static bool switches_may_leave(const struct ml_batch *b, const struct condition *c, size_t row,
                               double low, double high, int lane)
{
    const double old = b->switches.begin[row], now = b->switches.number[row];
    const double span = b->window.now[lane] - b->window.before[lane];
    const double rate = fabs(now - old) / span;
    double *swing = switches_watch_row(b, c->k, WATCH_SWING) + lane;
    *swing = rate > 0.5 * *swing ? rate : 0.5 * *swing;
    const double margin = span * *swing;
    return !((old > now ? old : now) + margin < high && (old < now ? old : now) - margin >= low);
}

/* Whether a condition changes in a lane's step, by its number at the ends of the step. */
static void switches_look(const struct ml_ensemble *e, const struct ml_batch *b,
                          const struct condition *c, int lane, struct change *change)
{
    const double place = c->place[lane], number = c->number[lane];
    const double slope = b->switches.slope[c->k * ML_LANES + lane];
    const double next = b->switches.next[c->k * ML_LANES + lane];
    const double low = switches_level(c->own, place), high = switches_level(c->own, place + 1.0);
    if (isfinite(next)) {
        change->at_end |= (unsigned)!ml_ensemble_is_before(e, b->window.now[lane], next) << lane;
        change->to[lane] = slope > 0.0 ? place + 1.0 : place - 1.0;
        return;
    }
    if (!isfinite(number) || c->own->is_linear)
        return;
    const size_t row = switches_row(e, c, lane);
    if (switches_slides(place)) {
        const double share = c->share[lane];
        change->slid |= 1u << lane;
        change->followed |= 1u << lane;
        change->near |= (unsigned)switches_may_leave(b, c, row, 0.0, 1.0, lane) << lane;
        change->lanes |= (unsigned)(share < 0.0 || share > 1.0) << lane;
        change->level[lane] = share < 0.0 ? 0.0 : 1.0;
        change->to[lane] = floor(place) + change->level[lane];
        return;
    }
    change->to[lane] = switches_place(c->own, number);
    if (isnan(place)) { /* known again where it leaves the level */
        const double level = c->own->is_whole ? nearbyint(number) : 0.0;
        change->at_end |= (unsigned)(slope * (number - level) > 0.0) << lane;
    } else if (place != floor(place)) {
        change->at_end |= (unsigned)(number != switches_level(c->own, place + 0.5)) << lane;
    } else {
        change->followed |= 1u << lane;
        change->near |= (unsigned)switches_may_leave(b, c, row, low, high, lane) << lane;
        change->lanes |= (unsigned)(number < low || number > high) << lane;
        change->level[lane] = number < low ? low : high;
        change->to[lane] = number < low ? place - 1.0 : place + 1.0;
    }
}

/* Finds where a number is at its level within its piece of the step: at [1], s behind the
 * step's beginning. */
static void switches_search(const struct watched *w, struct change *change, double *at)
{
    struct stretch *piece = &change->piece;
    for (int lane = 0; lane < ML_LANES; lane++) {
        const double level = change->level[lane], behind = piece->value_to[lane] - level;
        if (change->lanes >> lane & 1 && !((piece->value_from[lane] - level) * behind < 0.0)) {
            piece->from[lane] = ml_event_watch_least(w->batch, lane); /* the last change was here */
            piece->value_from[lane] = level - behind;
        }
    }
    ml_event_watch_search(w, false, piece, change->level, change->lanes, at);
}

/* The number of a condition in the course of the last step, watched as that of an event, whose
 * levels are those around the place.
 *   numbers, row  [ML_LANES] out */
static struct watched switches_watched(const struct ml_ensemble *e, struct ml_batch *b,
                                       const struct condition *c, struct ml_event_numbers *numbers,
                                       size_t *row)
{
    static const struct ml_event crossing = {.kind = ML_CROSSING, .n_set = 1};
    struct watched w = ml_event_watch_origin(e, b);
    w.event = &crossing;
    w.condition = c->own;
    w.condition_row = row;
    w.numbers = numbers;
    w.rows = switches_watch_row(b, c->k, 0);
    for (int lane = 0; lane < ML_LANES; lane++) {
        const bool slides = switches_slides(c->place[lane]); /* its share is between 0 and 1 */
        const double low = slides ? 0.0 : switches_level(c->own, c->place[lane]);
        const double high = slides ? 1.0 : switches_level(c->own, c->place[lane] + 1.0);
        numbers[lane] = (struct ml_event_numbers){
            .level = isfinite(low) ? low : high,
            .every = isfinite(low) && isfinite(high) ? high - low : 0.0,
            .from = (double)-INFINITY,
        };
        row[lane] = switches_row(e, c, lane);
        ml_event_watch_row(&w, WATCH_PLACE)[lane] = isfinite(low) ? 0.0 : -1.0;
    }
    return w;
}

/* Makes the step the piece in which a number changes. */
static void switches_take_step(const struct watched *w, struct change *change)
{
    const struct ml_batch *b = w->batch;
    for (int lane = 0; lane < ML_LANES; lane++) {
        const size_t row = w->condition_row[lane];
        change->piece.value_from[lane] = b->switches.begin[row];
        change->piece.value_to[lane] = b->switches.number[row];
        change->piece.to[lane] = b->window.now[lane] - b->window.before[lane];
    }
    memcpy(ml_event_watch_row(w, WATCH_VALUE), change->piece.value_from,
           sizeof change->piece.value_from);
    memcpy(ml_event_watch_row(w, WATCH_NEW), change->piece.value_to, sizeof change->piece.value_to);
}

/* Finds changes that are reversed within the step, and the first of several. */
static void switches_look_between(const struct watched *w, const struct condition *c,
                                  struct change *change)
{
    struct ml_batch *b = w->batch;
    double *const slope[] = {ml_event_watch_row(w, WATCH_SLOPE),
                             ml_event_watch_row(w, WATCH_NEW_SLOPE)};
    struct event_first first;
    unsigned near = change->near;
    ml_event_watch_sags(w, change->followed);
    for (int lane = 0; lane < ML_LANES && !w->condition->is_affine; lane++)
        near |= (unsigned)(change->followed >> lane & 1 && ml_event_watch_bends(w, lane)) << lane;
    if (!near)
        return;
    ml_event_watch_slopes(w, b->window.before, b->x_before, slope[0]);
    ml_event_watch_slopes(w, b->window.now, b->watch.x_now, slope[1]);
    ML_EACH_LANE(lane, near)
        ml_event_watch_row(w, WATCH_SWING)[lane] = fmax(fabs(slope[0][lane]), fabs(slope[1][lane]));
    const unsigned turned = ml_event_watch_first(w, near, &first);
    change->lanes = (change->lanes & ~turned) | first.lanes;
    ML_EACH_LANE(lane, near)
        if (ml_event_watch_row(w, WATCH_UNSURE)[lane] > 0.0 && b->switches.doubt[lane] == 0.0)
            b->switches.doubt[lane] = c->k + 1.0;
    ML_EACH_LANE(lane, first.lanes) {
        const bool is_up = first.piece.value_to[lane] > first.piece.value_from[lane];
        const double way = is_up ? 1.0 : 0.0, place = c->place[lane];
        const bool slides = switches_slides(place);
        change->to[lane] = slides ? floor(place) + way : place + 2.0 * way - 1.0;
        change->level[lane] = slides ? way : switches_level(c->own, place + way);
        ml_event_take_piece(&first, lane, &change->piece);
    }
}

/* Whether some place is not known. */
static bool switches_are_unknown(const struct ml_ensemble *e, const struct ml_batch *b,
                                 unsigned lanes)
{
    bool are = false;
    for (int k = 0; k < switches_n(e); k++)
        for (int lane = 0; lane < ML_LANES; lane++)
            are |= lanes >> lane & 1 && isnan(switches_of(e, b, k).place[lane]);
    return are;
}

/* The numbers at both ends of the step; their slopes at its end, where a place is not known. */
static void switches_measure_ends(const struct ml_ensemble *e, struct ml_batch *b, unsigned lanes)
{
    const double *t = b->window.now, *x = b->watch.x_now;
    struct ml_switches *s = &b->switches;
    bool is_seen = true;
    for (int lane = 0; lane < ML_LANES; lane++)
        is_seen &= !(lanes >> lane & 1) || s->seen[lane] == b->window.before[lane];
    if (is_seen)
        memcpy(s->begin, s->number, 2 * (size_t)switches_n(e) * ML_LANES * sizeof *s->begin);
    else
        e->model.system->switches.numbers(&e->model, b->window.before, b->constants, b->x_before,
                                          b->work, s->begin, NULL);
    switches_see(s, t);
    if (switches_are_unknown(e, b, lanes)) {
        switches_rates(e, b, t, x, s->after);
        switches_measure(e, b, t, x, s->after);
    } else {
        e->model.system->switches.numbers(&e->model, t, b->constants, x, b->work, s->number, NULL);
    }
}

/* Finds the changes of some lanes: at [1], s behind the step's beginning. Lanes that slide are
 * apart from others, as their number is a share, which is not linear. */
static void switches_find_change(const struct ml_ensemble *e, struct ml_batch *b,
                                 const struct condition *c, unsigned lanes, struct change *change,
                                 double *at)
{
    const bool are_slid = lanes & change->slid;
    if (!((change->near | change->lanes) & lanes) &&
        (!(change->followed & lanes) || (c->own->is_affine && !are_slid)))
        return;
    struct change own = *change;
    struct ml_switch share = *c->own;
    struct ml_event_numbers numbers[ML_LANES];
    size_t row[ML_LANES];
    own.lanes &= lanes;
    own.near &= lanes;
    own.followed &= lanes;
    struct watched w = switches_watched(e, b, c, numbers, row);
    share.is_affine = false;
    w.condition = are_slid ? &share : w.condition;
    switches_take_step(&w, &own);
    switches_look_between(&w, c, &own);
    if (own.lanes)
        switches_search(&w, &own, at);
    change->lanes = (change->lanes & ~lanes) | own.lanes;
    for (int lane = 0; lane < ML_LANES; lane++)
        if (own.lanes >> lane & 1)
            change->to[lane] = own.to[lane];
}

void ml_switches_find(const struct ml_ensemble *ensemble, struct ml_batch *batch, unsigned active,
                      double *s)
{
    const struct ml_ensemble *e = ensemble;
    struct ml_switches *all = &batch->switches;
    const struct ml_window *window = &batch->window;
    for (int lane = 0; lane < ML_LANES; lane++)
        s[lane] = (double)INFINITY;
    switches_measure_ends(e, batch, active);
    for (int k = 0; k < switches_n(e); k++) {
        const struct condition c = switches_of(e, batch, k);
        double *at = all->at + (size_t)k * ML_LANES;
        struct change change = {.lanes = 0};
        ML_EACH_LANE(lane, active)
            switches_look(e, batch, &c, lane, &change);
        switches_find_change(e, batch, &c, ~change.slid, &change, at);
        switches_find_change(e, batch, &c, change.slid, &change, at);
        for (int lane = 0; lane < ML_LANES; lane++) {
            if (change.at_end >> lane & 1)
                at[lane] = window->now[lane] - window->before[lane];
            else if (!(change.lanes >> lane & 1))
                at[lane] = (double)INFINITY;
            /* at once behind the change before: both sides lead to the level */
            const bool is_back = change.lanes >> lane & 1 &&
                                 all->last[k * ML_LANES + lane] == window->before[lane] &&
                                 at[lane] <= 2.0 * ml_event_watch_least(batch, lane);
            const bool can_slide = c.own->slides && c.place[lane] == floor(c.place[lane]);
            all->to[k * ML_LANES + lane] = !is_back ? change.to[lane]
                                           : can_slide
                                               ? switches_between(c.place[lane], change.to[lane])
                                               : (double)NAN;
            s[lane] = fmin(s[lane], at[lane]);
        }
    }
}

void ml_switches_note(const struct ml_ensemble *ensemble, struct ml_batch *batch, int lane,
                      double s)
{
    for (int k = 0; k < switches_n(ensemble); k++)
        if (batch->switches.at[k * ML_LANES + lane] <= s)
            batch->switches.noted[k] |= 1u << lane;
}

/* Derivatives of the constants along tangent vector c; NULL: they stay. */
static const double *switches_derivs(const struct ml_ensemble *e, const struct ml_batch *b, int c)
{
    const struct ml_instance *model = &e->model;
    const int p = c - (model->n_column - model->n_sens);
    return p < 0
               ? NULL
               : b->constants + (size_t)(1 + p) *
                                    (size_t)model->system->dynamics.constant_rows(model) * ML_LANES;
}

/* How the instant of the changes at batch->x moves along the tangent vectors: switches.moves, 0
 * where it does not. Of conditions that change together the first is taken. */
static void switches_find_moves(const struct ml_ensemble *e, struct ml_batch *b)
{
    struct ml_switches *s = &b->switches;
    const struct ml_instance *model = &e->model;
    const size_t n_x = (size_t)ml_n_x(model) * ML_LANES;
    const double *t = b->window.now;
    switches_rates(e, b, t, b->x, s->before);
    switches_measure(e, b, t, b->x, s->before);
    for (int c = 0; c < model->n_column; c++) {
        double *moves = s->moves + (size_t)c * ML_LANES;
        unsigned found = 0;
        memset(moves, 0, ML_LANES * sizeof *moves);
        switches_changes(e, b, t, b->x, b->x + (size_t)(1 + c) * n_x, switches_derivs(e, b, c),
                         s->change);
        for (int k = 0; k < switches_n(e); k++) {
            const struct condition of = switches_of(e, b, k);
            for (int lane = 0; lane < ML_LANES; lane++) {
                const int i = k * ML_LANES + lane;
                const bool moves_here = s->noted[k] >> lane & 1 && !of.own->is_kink &&
                                        of.place[lane] == floor(of.place[lane]) &&
                                        s->slope[i] != 0.0 && !isnan(s->to[i]);
                if (!moves_here || found >> lane & 1)
                    continue;
                moves[lane] = -s->change[i] / s->slope[i];
                found |= 1u << lane;
            }
        }
    }
}

/* Conditions that were passed, but from which the motion leads back at once: the motion slides
 * on them if both sides lead to the level; else their places are not known. Whether some slide
 * now. */
static bool switches_leave_open(const struct ml_ensemble *e, struct ml_batch *b)
{
    struct ml_switches *s = &b->switches;
    bool slide = false;
    for (int k = 0; k < switches_n(e); k++) {
        const struct condition c = switches_of(e, b, k);
        for (int lane = 0; lane < ML_LANES; lane++) {
            const int i = k * ML_LANES + lane;
            const double way = s->to[i] - s->from[i]; /* NaN: it was not known */
            const bool is_back = way * s->slope[i] < 0.0 && !switches_slides(s->from[i]);
            if (!(s->noted[k] >> lane & 1) || c.own->is_kink || c.own->is_of_time ||
                !(is_back || switches_slides(s->to[i])))
                continue;
            if (s->from[i] == floor(s->from[i]) && switches_holds(&c, lane)) {
                c.place[lane] = is_back ? switches_between(s->from[i], s->to[i]) : s->to[i];
                s->noted[k] &= ~(1u << lane);
                slide = true;
                continue;
            }
            c.place[lane] = (double)NAN;
            s->seen[lane] = (double)NAN;
            for (int column = 0; column < e->model.n_column; column++)
                s->moves[column * ML_LANES + lane] = 0.0;
        }
    }
    return slide;
}

/* Where lanes have changes, y + (f- - f+) dt of each tangent vector. */
static void switches_move(const struct ml_ensemble *e, struct ml_batch *b, unsigned lanes)
{
    const struct ml_switches *s = &b->switches;
    const size_t n_x = (size_t)ml_n_x(&e->model) * ML_LANES;
    for (int c = 0; c < e->model.n_column; c++) {
        double *y = b->x + (size_t)(1 + c) * n_x;
        const double *moves = s->moves + (size_t)c * ML_LANES;
        for (size_t i = 0; i < n_x; i++)
            if (lanes >> i % ML_LANES & 1)
                y[i] = fma(s->before[i] - s->after[i], moves[i % ML_LANES], y[i]);
    }
}

/* The rates' step across the level of a condition, f1 - f0, to switches.moved, and the
 * derivative of its number along the step, -(G0 - G1), to `along` [1]. */
static void switches_step(const struct ml_ensemble *e, struct ml_batch *b,
                          const struct condition *c, unsigned lanes, double *along)
{
    struct ml_switches *s = &b->switches;
    const double *t = b->window.now;
    double place[ML_LANES];
    memcpy(place, c->place, sizeof place);
    for (int side = 0; side < 2; side++) {
        ML_EACH_LANE(lane, lanes)
            c->place[lane] = floor(place[lane]) + side;
        switches_rates(e, b, t, b->x, side ? s->after : s->before);
    }
    memcpy(c->place, place, sizeof place);
    for (int i = 0; i < ml_n_x(&e->model) * ML_LANES; i++)
        s->moved[i] = s->after[i] - s->before[i];
    switches_changes(e, b, t, b->x, s->moved, NULL, s->change);
    memcpy(along, s->change + (size_t)c->k * ML_LANES, ML_LANES * sizeof *along);
}

/* Takes the rounding off tangent vectors of lanes that slide on a condition: dG/dx y + dG/dp is
 * 0 there, and errors would not decay. */
static void switches_hold(const struct ml_ensemble *e, struct ml_batch *b,
                          const struct condition *c, unsigned lanes)
{
    struct ml_switches *s = &b->switches;
    const size_t n_x = (size_t)ml_n_x(&e->model) * ML_LANES;
    double along[ML_LANES];
    switches_step(e, b, c, lanes, along);
    for (int column = 0; column < e->model.n_column; column++) {
        double *y = b->x + (size_t)(1 + column) * n_x;
        const double *change = s->change + (size_t)c->k * ML_LANES;
        switches_changes(e, b, b->window.now, b->x, y, switches_derivs(e, b, column), s->change);
        for (size_t i = 0; i < n_x; i++)
            if (lanes >> i % ML_LANES & 1)
                y[i] = fma(-change[i % ML_LANES] / along[i % ML_LANES], s->moved[i], y[i]);
    }
}

/* Holds the motions on all conditions on which some lanes slide. */
static void switches_hold_all(const struct ml_ensemble *e, struct ml_batch *b, unsigned lanes)
{
    for (int k = 0; k < switches_n(e) && e->model.n_column > 0; k++) {
        const struct condition c = switches_of(e, b, k);
        unsigned slid = 0;
        for (int lane = 0; lane < ML_LANES; lane++)
            slid |= (unsigned)(c.own->slides && switches_slides(c.place[lane])) << lane;
        if (slid & lanes)
            switches_hold(e, b, &c, slid & lanes);
    }
}

/* Updates the slopes of the numbers that events look at, which jump where a condition changes.
 */
static void switches_report_events(const struct ml_ensemble *e, struct ml_batch *b, unsigned lanes)
{
    if (e->n_event == 0)
        return;
    ml_event_watch_measure(e, b);
    for (int i = 0; i < e->n_event; i++) {
        const struct watched w = ml_event_watched(e, b, i);
        for (int lane = 0; lane < ML_LANES && ml_event_watch_has_slope(&w); lane++)
            if (lanes >> lane & 1)
                ml_event_watch_row(&w, WATCH_SLOPE)[lane] =
                    ml_event_watch_row(&w, WATCH_NEW_SLOPE)[lane];
    }
}

/* Lanes in which a noted condition has changed before within rounding of times: changes of several
 * conditions accumulate. */
static unsigned switches_accumulate(const struct ml_ensemble *e, const struct ml_batch *b)
{
    unsigned lanes = 0;
    for (int k = 0; k < switches_n(e); k++)
        for (int lane = 0; lane < ML_LANES; lane++)
            lanes |= (unsigned)(b->switches.noted[k] >> lane & 1 && switches_is_recent(b, k, lane))
                     << lane;
    return lanes;
}

/* Lets these lanes slide on all conditions that have changed within rounding of times. */
static void switches_slide_together(const struct ml_ensemble *e, struct ml_batch *b, unsigned lanes)
{
    for (int k = 0; k < switches_n(e) && lanes; k++) {
        const struct condition c = switches_of(e, b, k);
        for (int lane = 0; lane < ML_LANES; lane++)
            if (lanes >> lane & 1 && c.own->slides && switches_is_recent(b, k, lane)) {
                c.place[lane] = switches_slide(&c, lane);
                b->switches.noted[k] &= ~(1u << lane);
            }
    }
}

/* Where lanes begin to slide on a condition, or leave, the number to be followed is another one. */
static void switches_forget_slides(const struct ml_ensemble *e, struct ml_batch *b, unsigned lanes)
{
    for (int k = 0; k < switches_n(e); k++) {
        const struct condition c = switches_of(e, b, k);
        for (int lane = 0; lane < ML_LANES; lane++)
            if (lanes >> lane & 1 && switches_slides(c.place[lane]) !=
                                         switches_slides(b->switches.from[k * ML_LANES + lane]))
                switches_watch_row(b, k, WATCH_SAG)[lane] = -1.0;
    }
}

void ml_switches_apply(const struct ml_ensemble *ensemble, struct ml_batch *batch, unsigned lanes)
{
    const struct ml_ensemble *e = ensemble;
    struct ml_switches *s = &batch->switches;
    const double *t = batch->window.now;
    unsigned changed = 0;
    switches_hold_all(e, batch, lanes);
    for (int k = 0; k < switches_n(e); k++)
        changed |= s->noted[k] &= lanes;
    if (!changed)
        return;
    if (e->model.n_column > 0)
        switches_find_moves(e, batch);
    const unsigned accumulate = switches_accumulate(e, batch);
    for (int k = 0; k < switches_n(e); k++) {
        const struct condition c = switches_of(e, batch, k);
        for (int lane = 0; lane < ML_LANES; lane++) {
            s->from[k * ML_LANES + lane] = c.place[lane];
            if (!(s->noted[k] >> lane & 1))
                continue;
            c.place[lane] = s->to[k * ML_LANES + lane];
            s->last[k * ML_LANES + lane] = t[lane];
        }
    }
    switches_forget(e, batch, false, changed);
    switches_slide_together(e, batch, accumulate);
    switches_settle(e, batch, t, batch->x, changed, s->noted, false);
    if (switches_leave_open(e, batch))
        switches_settle(e, batch, t, batch->x, changed, s->noted, false);
    switches_forget_slides(e, batch, changed);
    switches_rates(e, batch, t, batch->x, s->after);
    switches_move(e, batch, changed);
    switches_report_events(e, batch, changed);
    memset(s->noted, 0, (size_t)switches_n(e) * sizeof *s->noted);
}
