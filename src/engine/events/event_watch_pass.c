/* Passes the levels of a step one by one, each found by a search in the piece of the step between
 * two turning points; as many as nobody asks for one by one are counted together. */
#include "engine/events/event_watched.h"

#include <math.h>
#include <string.h>

/* Levels of a step that are searched for one by one even where they need not be. */
enum { PASS_FEW = 8 };

double ml_event_watch_start(const struct watched *w, double value, double slope, double span,
                            double change, int lane)
{
    const double rate = fmax(fabs(slope), span > 0.0 ? fabs(change) / span : 0.0);
    return ml_event_start(ml_event_watch_levels(w, lane), value,
                          ml_event_watch_rounding(w, rate, span, lane));
}

/* Leaves out levels of these lanes that are passed before `until` [1], s behind the origin, but for
 * the last of them, which may be behind it by rounding; `counted` are lanes where they count. */
static void pass_skip(const struct watched *w, const double *until, unsigned lanes,
                      unsigned counted, struct ml_event_levels *levels)
{
    double value[ML_LANES];
    ml_event_watch_look(w, false, until, lanes, value);
    ML_EACH_LANE(lane, lanes) {
        struct ml_event_levels *own = &levels[lane];
        const double first = own->next - (own->sign > 0 ? 1.0 : 0.0);
        const double there = ml_event_place(&w->numbers[lane], value[lane], first);
        const double passed = own->sign * (there - first) - 1.0;
        const double n = fmin(fmax(passed, 0.0), own->left - 1.0);
        own->next += own->sign * n;
        own->left -= n;
        if (counted >> lane & 1)
            w->out[ML_EVENT_COUNT][lane] += n;
    }
}

/* Leaves out, or counts, the levels that need not be known one by one, in lanes with many levels
 * left. Returns the lanes that still have some. */
static unsigned pass_together(const struct watched *w, const struct stretch *stretch,
                              unsigned lanes, struct ml_event_levels *levels)
{
    unsigned skipping = 0, counted = 0;
    double s[ML_LANES];
    for (int lane = 0; lane < ML_LANES; lane++) {
        bool counts;
        if (!(lanes >> lane & 1) || levels[lane].left <= PASS_FEW)
            continue;
        const double begin = w->origin.time[lane];
        s[lane] = ml_event_watch_until(w, begin, lane, &counts) - begin;
        counted |= (unsigned)counts << lane;
        if (s[lane] > stretch->to[lane]) {
            w->out[ML_EVENT_COUNT][lane] += counts ? levels[lane].left : 0.0;
            lanes &= ~(1u << lane);
        } else if (s[lane] > stretch->from[lane]) {
            skipping |= 1u << lane;
        }
    }
    if (skipping)
        pass_skip(w, s, skipping, counted, levels);
    return lanes;
}

/* Lanes whose run has ended before these times, s behind the origin. */
static unsigned pass_over(const struct watched *w, const double *s)
{
    unsigned over = 0;
    for (int lane = 0; lane < ML_LANES; lane++)
        if (w->watch->stopped >> lane & 1 &&
            w->origin.time[lane] + s[lane] >= w->watch->stop_time[lane])
            over |= 1u << lane;
    return over;
}

/* Finds the levels between the places `before` and `after` that values pass in their stretches, one
 * after the other. is_slope: the values are derivatives. */
static void pass_levels(const struct watched *w, bool is_slope, const struct stretch *stretch,
                        const double *before, const double *after, unsigned lanes)
{
    struct ml_event_levels levels[ML_LANES];
    double s[ML_LANES], level[ML_LANES];
    memcpy(s, stretch->from, sizeof s);
    for (int lane = 0; lane < ML_LANES; lane++) {
        levels[lane] = ml_event_passed(before[lane], after[lane]);
        if (w->event->direction && w->event->direction != levels[lane].sign)
            lanes &= ~(1u << lane);
    }
    while (ml_stop_level(w->batch->stop) < 2) {
        lanes &= ~pass_over(w, s);
        for (int lane = 0; lane < ML_LANES; lane++)
            if (!(levels[lane].left > 0.0))
                lanes &= ~(1u << lane);
        lanes = pass_together(w, stretch, lanes, levels);
        if (!lanes)
            return;
        ML_EACH_LANE(lane, lanes) {
            level[lane] = is_slope ? 0.0 : ml_event_level(&w->numbers[lane], levels[lane].next);
            levels[lane].next += levels[lane].sign;
            levels[lane].left -= 1.0;
        }
        ml_event_watch_search(w, is_slope, stretch, level, lanes, s);
        ml_event_watch_found(w, s, lanes);
    }
}

/* Finds the crossings between the nodes of the lanes' paths. */
static void pass_paths(const struct watched *w, bool is_slope, const struct event_path *path,
                       unsigned lanes)
{
    unsigned left = lanes;
    for (int j = 1; left; j++) {
        struct stretch piece = {.from = {0.0}};
        double before[ML_LANES] = {0.0}, after[ML_LANES] = {0.0};
        unsigned passed = 0;
        for (int lane = 0; lane < ML_LANES; lane++) {
            const struct event_node *a = &path[lane].node[j - 1], *b = a + 1;
            if (left >> lane & 1 && j >= path[lane].n)
                left &= ~(1u << lane);
            if (!(left >> lane & 1) || a->place == b->place)
                continue;
            passed |= 1u << lane;
            piece.from[lane] = a->s;
            piece.to[lane] = b->s;
            piece.value_from[lane] = is_slope ? a->slope : a->value;
            piece.value_to[lane] = is_slope ? b->slope : b->value;
            before[lane] = a->place;
            after[lane] = b->place;
        }
        if (passed)
            pass_levels(w, is_slope, &piece, before, after, passed);
    }
}

/* Finds the first piece of the lanes' paths in which a level is passed that counts. */
static void pass_first(const struct watched *w, const struct event_path *path, unsigned lanes,
                       struct event_first *first)
{
    for (int lane = 0; lane < ML_LANES; lane++)
        for (int j = 1; lanes & ~first->lanes & 1u << lane && j < path[lane].n; j++) {
            const struct event_node *a = &path[lane].node[j - 1], *b = a + 1;
            const struct ml_event_levels passed = ml_event_passed(a->place, b->place);
            if (!(passed.left > 0.0) || (w->event->direction && w->event->direction != passed.sign))
                continue;
            first->lanes |= 1u << lane;
            first->number[lane] = passed.next;
            first->piece.from[lane] = a->s;
            first->piece.to[lane] = b->s;
            first->piece.value_from[lane] = a->value;
            first->piece.value_to[lane] = b->value;
        }
}

/* Whether the value of a lane may have left its place within the step. It may be outside of both
 * ends by half of its change in a step of given length, or by its rates there times the step. */
static bool pass_may_leave(const struct watched *w, int lane)
{
    const double older = ml_event_watch_row(w, WATCH_OLDER)[lane],
                 old = ml_event_watch_row(w, WATCH_VALUE)[lane];
    const double now = ml_event_watch_row(w, WATCH_NEW)[lane];
    double margin = 0.5 * fmax(fabs(old - older), fabs(now - old)), low, high;
    if (ml_event_watch_has_slope(w))
        margin = (w->batch->window.now[lane] - w->batch->window.before[lane]) *
                 (fabs(ml_event_watch_row(w, WATCH_SLOPE)[lane]) +
                  fabs(ml_event_watch_row(w, WATCH_NEW_SLOPE)[lane]));
    ml_event_bounds(&w->numbers[lane], ml_event_watch_row(w, WATCH_PLACE)[lane], &low, &high);
    return !(fmax(old, now) + margin < high && fmin(old, now) - margin >= low);
}

/* The derivative by time of the number that the event looks at, as cheaply as it can be had. */
static void pass_slopes(const struct watched *w, const double *t, const double *x, double *slope)
{
    const int row = ml_event_watch_state_row(w);
    if (row < 0) {
        ml_event_watch_slopes(w, t, x, slope);
        return;
    }
    ml_event_watch_rates(w, t, x);
    memcpy(slope, w->watch->rate + (size_t)row * ML_LANES, ML_LANES * sizeof *slope);
}

/* Whether the value goes on in one direction over the step before and this step. */
static bool pass_goes_on(const struct watched *w, int lane)
{
    const double older = ml_event_watch_row(w, WATCH_OLDER)[lane],
                 old = ml_event_watch_row(w, WATCH_VALUE)[lane],
                 now = ml_event_watch_row(w, WATCH_NEW)[lane];
    return (old - older) * (now - old) > 0.0;
}

/* Whether a lane may have an extreme in the step, by its own values alone: other lanes have the
 * step looked at where they turn, and of long steps the slopes may tell otherwise than the values.
 * Where the value behind the next step is not known it may. */
static bool pass_may_turn(const struct watched *w, int lane)
{
    const double old = ml_event_watch_row(w, WATCH_VALUE)[lane],
                 now = ml_event_watch_row(w, WATCH_NEW)[lane],
                 next = ml_event_watch_row(w, WATCH_NEXT)[lane];
    return isnan(ml_event_watch_row(w, WATCH_PLACE)[lane]) || !pass_goes_on(w, lane) ||
           !((now - old) * (next - now) > 0.0);
}

/* Finds the value behind the next step where the step is the window's last: takes that next step
 * for the value alone, in lanes where it decides whether there is an extreme. Results then do not
 * depend on where windows end. */
static void pass_look_ahead(const struct watched *w, unsigned stepped)
{
    const struct ml_window *window = &w->batch->window;
    struct watched next_step = *w;
    const double *slope = ml_event_watch_row(w, WATCH_NEW_SLOPE);
    const double *place = ml_event_watch_row(w, WATCH_PLACE);
    double *next = ml_event_watch_row(w, WATCH_NEXT), value[ML_LANES];
    unsigned lanes = 0;
    if (!window->states || window->end == w->ensemble->time.n_step)
        return;
    for (int lane = 0; lane < ML_LANES; lane++)
        lanes |= (unsigned)(isnan(next[lane]) && !isnan(place[lane]) && pass_goes_on(w, lane) &&
                            ml_event_place(ml_event_watch_levels(w, lane), slope[lane],
                                           place[lane]) != place[lane])
                 << lane;
    lanes &= stepped;
    if (!lanes)
        return;
    next_step.origin = (struct origin){w->watch->x_now, window->now, NULL};
    ml_event_watch_look(&next_step, false, w->batch->step, lanes, value);
    ml_lanes_copy(1, value, lanes, next);
}

void ml_event_watch_sags(const struct watched *w, unsigned stepped)
{
    if (ml_event_watch_is_plain(w) || w->batch->window.states)
        return;
    const struct chord step = {
        {w->origin.x, w->watch->x_now},
        {w->origin.time, w->batch->window.now},
        {ml_event_watch_row(w, WATCH_VALUE), ml_event_watch_row(w, WATCH_NEW)}};
    double *own = ml_event_watch_row(w, WATCH_SAG), sag[ML_LANES];
    ml_event_watch_sag(w, &step, own, sag);
    ml_lanes_copy(1, sag, stepped, own);
}

/* The lanes whose step is to be looked into, with derivatives at both ends of it.
 *   bent  out: those whose number may turn unseen by these */
static unsigned pass_near(const struct watched *w, unsigned stepped, unsigned *bent)
{
    unsigned near = 0;
    const bool is_extreme = w->event->kind == ML_EXTREME;
    if (is_extreme)
        pass_look_ahead(w, stepped);
    for (int lane = 0; lane < ML_LANES; lane++)
        near |= (unsigned)(stepped >> lane & 1 &&
                           (is_extreme ? pass_may_turn(w, lane) : pass_may_leave(w, lane)))
                << lane;
    *bent = 0;
    for (int lane = 0; lane < ML_LANES && !ml_event_watch_is_plain(w); lane++)
        *bent |= (unsigned)(stepped >> lane & 1 && ml_event_watch_bends(w, lane)) << lane;
    near |= *bent;
    if (near && !ml_event_watch_has_slope(w)) {
        pass_slopes(w, w->batch->window.before, w->batch->x_before,
                    ml_event_watch_row(w, WATCH_SLOPE));
        pass_slopes(w, w->batch->window.now, w->watch->x_now,
                    ml_event_watch_row(w, WATCH_NEW_SLOPE));
    }
    return near;
}

/* Begins a lane's path with the ends of its step. */
static void pass_step(const struct watched *w, int lane, struct event_path *path)
{
    const struct ml_window *window = &w->batch->window;
    struct event_node *a = &path->node[0], *b = &path->node[1];
    path->n = 2;
    *a = (struct event_node){0.0, ml_event_watch_row(w, WATCH_VALUE)[lane],
                             ml_event_watch_row(w, WATCH_SLOPE)[lane],
                             ml_event_watch_row(w, WATCH_PLACE)[lane]};
    *b = (struct event_node){window->now[lane] - window->before[lane],
                             ml_event_watch_row(w, WATCH_NEW)[lane],
                             ml_event_watch_row(w, WATCH_NEW_SLOPE)[lane], 0.0};
    if (isnan(a->place) && window->now[lane] >= w->numbers[lane].from)
        a->place =
            w->event->kind == ML_EXTREME
                ? ml_event_watch_start(w, a->slope, 0.0, b->s, b->slope - a->slope, lane)
                : ml_event_watch_start(w, a->value, a->slope, b->s, b->value - a->value, lane);
    ml_event_path_place(w, lane, path);
}

/* Finds the crossings in the steps of these lanes, `bent` among them, with the places of the ends.
 */
static void pass_known(const struct watched *w, struct event_path *path, unsigned lanes,
                       unsigned bent)
{
    struct event_walk walk;
    ml_event_walk_begin(w, path, lanes, bent, &walk);
    for (unsigned part; (part = ml_event_walk_next(w, &walk, lanes));)
        pass_paths(w, w->event->kind == ML_EXTREME, walk.path, part);
    ML_EACH_LANE(lane, lanes)
        path[lane].node[1] = walk.begin[lane];
}

/* For an event that cuts steps and sets nothing: a step that begins where the event has cut the
 * step before begins on the level. */
static void pass_begin(const struct watched *w, int lane, struct event_path *path)
{
    struct event_node *a = &path->node[0], *b = &path->node[1];
    const double place =
        ml_event_watch_start(w, a->value, a->slope, b->s, b->value - a->value, lane);
    if (w->event->n_set == 0 && place != floor(place))
        a->place = place;
    ml_event_path_place(w, lane, path);
}

unsigned ml_event_watch_first(const struct watched *w, unsigned lanes, struct event_first *first)
{
    struct event_path path[ML_LANES];
    struct event_walk walk;
    unsigned turned = 0, bent;
    first->lanes = 0;
    const unsigned near = pass_near(w, lanes, &bent);
    if (!near)
        return 0;
    ML_EACH_LANE(lane, near) {
        pass_step(w, lane, &path[lane]);
        pass_begin(w, lane, &path[lane]);
    }
    ml_event_walk_begin(w, path, near, bent, &walk);
    for (unsigned part; (part = ml_event_walk_next(w, &walk, near & ~first->lanes));) {
        for (int lane = 0; lane < ML_LANES; lane++)
            turned |= (unsigned)((bent >> lane & 1 || walk.path[lane].n > 2) && part >> lane & 1)
                      << lane;
        pass_first(w, walk.path, part & turned, first);
    }
    return turned;
}

/* For an event that sets the state: a value that left a level in the step, by more than rounding,
 * and is on the level at the end again, has come back and passes the level if it continues. */
static void pass_come_back(const struct watched *w, int lane, struct event_path *path)
{
    const struct event_node *a = &path->node[0];
    struct event_node *b = &path->node[1];
    const double rounding = ml_event_watch_rounding(w, fabs(a->slope), b->s, lane);
    if (a->place != floor(a->place) && b->place == a->place && fabs(a->slope) * b->s > rounding)
        b->place += a->slope > 0.0 ? 0.5 : -0.5;
}

void ml_event_watch_crossings(const struct watched *w, unsigned stepped)
{
    double *place = ml_event_watch_row(w, WATCH_PLACE);
    struct event_path path[ML_LANES];
    unsigned known = 0, bent;
    if (!ml_event_ends_steps(w->event)) /* else done before the step was cut */
        ml_event_watch_sags(w, stepped);
    const unsigned near = pass_near(w, stepped, &bent);
    if (!near)
        return;
    ML_EACH_LANE(lane, near) {
        pass_step(w, lane, &path[lane]);
        known |= (unsigned)!isnan(path[lane].node[1].place) << lane;
        if (w->event->n_set > 0)
            pass_come_back(w, lane, &path[lane]);
    }
    const bool is_counted = w->event->n_set == 0; /* else engine/steps/reset.c does so */
    if (is_counted && known)
        pass_known(w, path, known, bent & known);
    for (int lane = 0; lane < ML_LANES; lane++)
        if (near >> lane & 1 && (!w->event->stops || !(w->watch->stopped >> lane & 1)))
            place[lane] = w->batch->window.now[lane] >= w->numbers[lane].from
                              ? path[lane].node[1].place
                              : (double)NAN;
}
