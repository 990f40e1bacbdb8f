/* Finds the turning points within a step from values and slopes at its ends: a slope that changes
 * its sign has a zero between. Where it has the same sign at both ends, the cubic that has these
 * values and slopes says whether it may change and change back, and where to look. */
#include "engine/event_watched.h"

#include <math.h>
#include <string.h>

void ml_event_path_place(const struct watched *w, int lane, struct event_path *path)
{
    const bool is_extreme = w->event->kind == ML_EXTREME;
    for (int j = 1; j < path->n; j++) {
        struct event_node *node = &path->node[j];
        node->place = ml_event_place(ml_event_watch_levels(w, lane),
                                     is_extreme ? node->slope : node->value, node[-1].place);
    }
}

bool ml_event_node_is_at_level(const struct ml_event_numbers *event, const struct event_node *node,
                               double way)
{
    const double low = ml_event_level(event, floor(node->place));
    const double high = ml_event_level(event, ceil(node->place + 0.5));
    return fmin(fabs(node->value - low), fabs(node->value - high)) <= 0x1p-30 * way;
}

/* Whether the turning point between two nodes with slopes of opposite sign may be in another place
 * than they: where the tangents meet, or four times as high above the nearer node as by a parabola.
 */
static bool turn_is_beyond(const struct ml_event_numbers *event, const struct event_node *a,
                           const struct event_node *b)
{
    const double span = b->s - a->s, up = a->slope > 0.0 ? 1.0 : -1.0;
    const bool is_nearer = up * (a->value - b->value) > 0.0;
    const struct event_node *near = is_nearer ? a : b;
    const double s = (b->value - a->value - b->slope * span) / (a->slope - b->slope);
    const double height =
        2.0 * span * near->slope * near->slope / (fabs(a->slope) + fabs(b->slope));
    const double top = fmax(up * fma(a->slope, s, a->value), fma(up, near->value, height));
    const double place = up * fmax(up * a->place, up * b->place);
    if (!(a->slope * b->slope < 0.0))
        return false;
    const double way = fmax(fabs(a->slope), fabs(b->slope)) * span;
    return !(s >= 0.0 && s <= span) || ml_event_place(event, up * top, place) != place ||
           ml_event_node_is_at_level(event, a, way) || ml_event_node_is_at_level(event, b, way);
}

/* Whether the slope between two nodes may change its sign twice, the value then being in other
 * places than they: s where the derivative of the cubic is least, or largest. The shorter their
 * distance, of a step of `step` s, the nearer the cubic is to the value. */
static bool turn_may_bend(const struct ml_event_numbers *event, const struct event_node *a,
                          const struct event_node *b, double step, double *s)
{
    const double span = b->s - a->s, mean = (b->value - a->value) / span;
    const double up = a->slope + b->slope > 0.0 ? 1.0 : -1.0;
    const double first = up * a->slope, last = up * b->slope;
    const double square = 3.0 * (first + last - 2.0 * up * mean);
    const double linear = 6.0 * up * mean - 4.0 * first - 2.0 * last;
    const double at = -0.5 * linear / square, least = first + 0.5 * linear * at;
    const double part = span / step, error = 0.25 * part * part * (fmax(first, last) - least);
    const double reach = span * (error - least);
    if (a->slope * b->slope < 0.0 || !(square > 0.0 && at > 0.0 && at < 1.0 && reach > 0.0))
        return false;
    *s = fma(at, span, a->s);
    if (!event)
        return true;
    const double low = fmin(a->value, b->value) - reach, high = fmax(a->value, b->value) + reach;
    return a->place != b->place || ml_event_place(event, low, a->place) != a->place ||
           ml_event_place(event, high, a->place) != a->place;
}

static void path_insert(struct event_path *path, int at, struct event_node node)
{
    memmove(&path->node[at + 1], &path->node[at], (size_t)(path->n - at) * sizeof node);
    path->node[at] = node;
    path->n++;
}

/* Pieces of the lanes' paths to look into next. */
struct look {
    unsigned bends, turns; /* lanes */
    int behind[ML_LANES];  /* number of the node behind the piece */
    double s[ML_LANES];    /* where to look, of a bend */
    struct stretch slope;  /* the piece, with the slopes at its ends, of a turn */
};

/* The first piece of a path that is to be looked into. */
static void path_next(const struct ml_event_numbers *event, const struct event_path *path, int lane,
                      struct look *look)
{
    const double step = path->node[path->n - 1].s - path->node[0].s;
    for (int j = 1; j < path->n && path->n < ML_EVENT_NODES; j++) {
        const struct event_node *a = &path->node[j - 1], *b = &path->node[j];
        look->behind[lane] = j;
        if (b->is_followed)
            continue;
        if (event && turn_is_beyond(event, a, b)) {
            look->turns |= 1u << lane;
            look->slope.from[lane] = a->s;
            look->slope.to[lane] = b->s;
            look->slope.value_from[lane] = a->slope;
            look->slope.value_to[lane] = b->slope;
            return;
        }
        if (turn_may_bend(event, a, b, step, &look->s[lane])) {
            look->bends |= 1u << lane;
            return;
        }
    }
}

/* Finds the turning points of these pieces. A search wants slopes that are differences at its ends
 * too. */
static void look_at_turns(const struct watched *w, struct look *look)
{
    static const double zero[ML_LANES];
    struct stretch *slope = &look->slope;
    if (!ml_event_watch_has_slope(w)) {
        ml_event_watch_look(w, true, slope->from, look->turns, slope->value_from);
        ml_event_watch_look(w, true, slope->to, look->turns, slope->value_to);
    }
    ml_event_watch_search(w, true, slope, zero, look->turns, look->s);
}

/* Adds a node to each of these paths, at look->s. */
static void look_add(const struct watched *w, const struct look *look, struct event_path *path)
{
    const unsigned lanes = look->bends | look->turns;
    double time[ML_LANES] __attribute__((aligned(64))), value[ML_LANES], slope[ML_LANES];
    ml_event_watch_go(w, look->s, lanes, time);
    ml_event_watch_values(w, time, w->batch->x, value);
    if (look->bends)
        ml_event_watch_slopes(w, time, w->batch->x, slope);
    for (int lane = 0; lane < ML_LANES; lane++)
        if (lanes >> lane & 1)
            path_insert(&path[lane], look->behind[lane],
                        (struct event_node){.s = look->s[lane],
                                            .value = value[lane],
                                            .slope = look->turns >> lane & 1 ? 0.0 : slope[lane]});
}

void ml_event_watch_turns(const struct watched *w, struct event_path *path, unsigned lanes)
{
    const bool has_levels = w->event->kind == ML_CROSSING;
    for (;;) {
        struct look look = {0};
        for (int lane = 0; lane < ML_LANES; lane++) {
            const struct ml_event_numbers *own = has_levels ? &w->numbers[lane] : NULL;
            if (!(lanes >> lane & 1))
                continue;
            ml_event_path_place(w, lane, &path[lane]);
            path_next(own, &path[lane], lane, &look);
        }
        if (!(look.bends | look.turns))
            return;
        if (look.turns)
            look_at_turns(w, &look);
        look_add(w, &look, path);
    }
}
