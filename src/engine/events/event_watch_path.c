/* The path within a step of the number that an event looks at: nodes between which the number
 * passes each level once.
 *
 * Turning points follow from values and slopes at the ends of a piece: a slope that changes its
 * sign has a zero between. Where the slope has the same sign at both ends, the cubic that has these
 * values and slopes says whether it may change and change back, and where to look.
 *
 * A number that is no plain state may turn any number of times within a step while the state
 * changes evenly, as the sine of an angle does. Pieces of such a step are halved until the parabola
 * through the number at their ends and in their middle has the number at four other instants, of
 * the cubic through the states and rates at the ends of the step; values and slopes at the ends of
 * pieces are those of the step taken again. */
#include "engine/events/event_watched.h"

#include <math.h>
#include <string.h>

/* Pieces of a step that are halved, at most: the number is not followed beyond. */
enum { PATH_PIECES = 4096 };

/* Instants of a piece, as parts of it: ends, quarters, and two that have no period in common with
 * these, nor their distance: golden ratio^-4 and 2 - sqrt(2). */
static const double parts[] = {0.0, 0.1458980338, 0.25, 0.5, 0.5857864376, 0.75, 1.0};
enum { PART_QUARTER = 2, PART_MIDDLE = 3, PART_LAST_QUARTER = 5, N_PART = 7 };

/* Instants of a step, as parts of it, where the number on the chord between the two states is
 * compared with the chord between its two values. */
static const double chords[] = {0.3819660113, 0.5477225575};
enum { N_CHORD = sizeof chords / sizeof *chords };

static const double rounding = 0x1p-44; /* of a number that is a formula */

/* Pieces that are halved no further, and of slopes the shortest that are differences over parts of
 * their piece, as parts of the step. */
static const double shortest = 0x1p-24, shortest_slope = 0x1p-12;

bool ml_event_watch_is_plain(const struct watched *w)
{
    if (w->condition)
        return w->condition->is_affine;
    return w->event->kind == ML_STROBE || ml_event_watch_state_row(w) >= 0;
}

/* The sag at one instant is taken into that of the step. */
static void path_chord(const struct watched *w, const struct chord *chord, double part, double *sag)
{
    double time[ML_LANES] __attribute__((aligned(64))), value[ML_LANES];
    const size_t size = ml_event_watch_states(w->ensemble);
    const double rest = 1.0 - part, height = 4.0 * part * rest;
    for (size_t i = 0; i < size; i++)
        w->watch->probe[i] = rest * chord->x[0][i] + part * chord->x[1][i];
    for (int lane = 0; lane < ML_LANES; lane++)
        time[lane] = rest * chord->time[0][lane] + part * chord->time[1][lane];
    ml_event_watch_values(w, time, w->watch->probe, value);
    for (int lane = 0; lane < ML_LANES; lane++) {
        const double a = chord->value[0][lane], b = chord->value[1][lane];
        const double own = fabs(value[lane] - (rest * a + part * b));
        if (own > rounding * fmax(fabs(a), fabs(b)) && own > height * sag[lane])
            sag[lane] = own / height;
    }
}

void ml_event_watch_sag(const struct watched *w, const struct chord *chord, const double *before,
                        double *sag)
{
    for (int lane = 0; lane < ML_LANES; lane++)
        sag[lane] = before[lane] < 0.0    ? (double)INFINITY
                    : isinf(before[lane]) ? 0.0
                                          : 0.5 * before[lane];
    for (int k = 0; k < N_CHORD; k++)
        path_chord(w, chord, chords[k], sag);
}

bool ml_event_watch_bends(const struct watched *w, int lane)
{
    const double old = ml_event_watch_row(w, WATCH_VALUE)[lane],
                 now = ml_event_watch_row(w, WATCH_NEW)[lane];
    const double change = fabs(now - old);
    const double hidden = ML_SAG_HIDES * ml_event_watch_row(w, WATCH_SAG)[lane];
    const double margin = change + hidden;
    double low, high;
    if (!(hidden > change) || ml_event_watch_row(w, WATCH_UNSURE)[lane] > 0.0)
        return false;
    if (w->event->kind == ML_EXTREME)
        return true;
    ml_event_bounds(&w->numbers[lane], ml_event_watch_row(w, WATCH_PLACE)[lane], &low, &high);
    return !(fmax(old, now) + margin < high && fmin(old, now) - margin >= low);
}

void ml_event_path_place(const struct watched *w, int lane, struct event_path *path)
{
    const bool is_extreme = w->event->kind == ML_EXTREME;
    for (int j = 1; j < path->n; j++) {
        struct event_node *node = &path->node[j];
        node->place = ml_event_place(ml_event_watch_levels(w, lane),
                                     is_extreme ? node->slope : node->value, node[-1].place);
    }
}

/* Whether the value of a node is so near to a level, as part of the way to go, that a search
 * between nodes may take the node for the level. */
static bool node_is_at_level(const struct ml_event_numbers *event, const struct event_node *node,
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
           node_is_at_level(event, a, way) || node_is_at_level(event, b, way);
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

/* The first piece of a path to look into. */
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
    ML_EACH_LANE(lane, lanes)
        path_insert(&path[lane], look->behind[lane],
                    (struct event_node){.s = look->s[lane],
                                        .value = value[lane],
                                        .slope = look->turns >> lane & 1 ? 0.0 : slope[lane]});
}

/* Adds to each path of these lanes the turning points within that may be beyond a level. Changes
 * batch->x. */
static void path_turn(const struct watched *w, struct event_path *path, unsigned lanes)
{
    const bool has_levels = w->event->kind == ML_CROSSING;
    for (;;) {
        struct look look = {0};
        ML_EACH_LANE(lane, lanes) {
            const struct ml_event_numbers *own = has_levels ? &w->numbers[lane] : NULL;
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

/* Whether a node may be left out: on the way from the node before to the node after it levels are
 * passed once all the same. */
static bool path_is_between(const struct ml_event_numbers *event, const struct event_node *before,
                            const struct event_node *node, const struct event_node *after)
{
    const double low = fmin(before->place, after->place), high = fmax(before->place, after->place);
    const double way = fabs(node->value - before->value) + fabs(after->value - node->value);
    return node->place >= low && node->place <= high && !node_is_at_level(event, before, way) &&
           !node_is_at_level(event, after, way);
}

/* Leaves of a path its ends and the nodes that are in another place than both neighbours. */
static void path_shorten(const struct ml_event_numbers *event, struct event_path *path)
{
    struct event_node *node = path->node;
    int n = 1;
    for (int j = 1; j < path->n; j++)
        if (j + 1 == path->n || !path_is_between(event, &node[n - 1], &node[j], &node[j + 1]))
            node[n++] = node[j];
    path->n = n;
}

/* How far rounding of the state moves the number at an end of the step: noise [1] in and out, the
 * largest.
 *   value  [1] the number there */
static void path_noise(const struct watched *w, const double *t, const double *x,
                       const double *value, double *noise)
{
    const double small = 0x1p-40, golden = 0.6180339887498949;
    const size_t size = ml_event_watch_states(w->ensemble);
    double time[ML_LANES] __attribute__((aligned(64))), moved[ML_LANES];
    for (size_t i = 0; i < size; i++) { /* by amounts that cancel in no difference */
        const size_t row = i / ML_LANES + 1;
        const double turns = golden * (double)row;
        w->watch->probe[i] = x[i] * (1.0 + small * (turns - floor(turns) - 0.5));
    }
    for (int lane = 0; lane < ML_LANES; lane++)
        time[lane] = t[lane] * (1.0 + 0.5 * small);
    ml_event_watch_values(w, time, w->watch->probe, moved);
    for (int lane = 0; lane < ML_LANES; lane++)
        noise[lane] = fmax(noise[lane], rounding / small * fabs(moved[lane] - value[lane]));
}

/* The range of the numbers of a piece, and by how much rounding may move them: noise in and out. */
static void piece_range(const double *value, double *least, double *most, double *noise)
{
    *least = *most = value[0];
    for (int k = 1; k < N_PART; k++) {
        *least = fmin(*least, value[k]);
        *most = fmax(*most, value[k]);
    }
    *noise = fmax(*noise, rounding * fmax(fabs(*least), fabs(*most)));
}

/* How much the parabola of a piece misses of the number, as part of the change in the piece. */
static double piece_error(const double *value, double noise)
{
    const double end = value[N_PART - 1] - value[0];
    const double sag = 4.0 * value[PART_MIDDLE] - 2.0 * (value[0] + value[N_PART - 1]);
    double error = 0.0, least, most;
    for (int k = 1; k + 1 < N_PART; k++)
        error =
            fmax(error, fabs(value[k] - (value[0] + parts[k] * (end + sag * (1.0 - parts[k])))));
    piece_range(value, &least, &most, &noise);
    return error > noise ? error / (most - least) : 0.0;
}

/* Whether the parabola of a piece is near enough. One that is right where that of the piece before
 * its halving was far off, or where pieces beside are much shorter, may be so by chance. */
static bool piece_is_known(const struct event_piece *piece, double error, double known)
{
    static const double within = 0x1p-6, within_by_chance = 0x1p-9, within_before = 0x1p-3;
    return error <= (piece->error_before <= within_before ? within : within_by_chance) &&
           !(piece->to - piece->from > 3.0 * known);
}

/* Whether a piece need not be looked into: the number stays between two levels; or goes one way, as
 * in the piece before. */
static bool piece_is_passed(const struct watched *w, int lane, const double *value,
                            const struct event_walk *walk)
{
    const double change = value[N_PART - 1] - value[0];
    const double begin = 4.0 * (value[PART_MIDDLE] - value[0]) - change,
                 end = 4.0 * (value[N_PART - 1] - value[PART_MIDDLE]) - change;
    double least, most, noise = walk->noise[lane], low, high;
    piece_range(value, &least, &most, &noise);
    const double margin = 0.25 * (most - least);
    if (w->event->kind == ML_EXTREME)
        return most - least <= noise || (walk->change[lane] * change >= 0.0 && begin * end > 0.0 &&
                                         fmin(fabs(begin), fabs(end)) > margin);
    ml_event_bounds(&w->numbers[lane], walk->begin[lane].place, &low, &high);
    return most + margin < high && least - margin >= low;
}

/* The number at a part of the piece at hand of these lanes, of the curve of the state. */
static void walk_values(const struct watched *w, const struct event_walk *walk, double part,
                        unsigned lanes, double *value)
{
    double time[ML_LANES] __attribute__((aligned(64))), share[ML_LANES];
    for (int lane = 0; lane < ML_LANES; lane++) {
        const bool is_own = lanes >> lane & 1;
        const struct event_piece *own = &walk->piece[lane][is_own ? walk->n_piece[lane] - 1 : 0];
        const double s = is_own ? own->from + part * (own->to - own->from) : 0.0;
        share[lane] = is_own ? s / walk->step.length[lane] : 0.0;
        time[lane] = walk->step.begin[lane] + s;
    }
    ml_step_state(&walk->step, share, w->watch->probe);
    ml_event_watch_values(w, time, w->watch->probe, value);
}

/* The numbers in the pieces at hand of these lanes. */
static void walk_look(const struct watched *w, const struct event_walk *walk, unsigned lanes,
                      double value[][N_PART])
{
    double there[ML_LANES];
    for (int k = 1; k + 1 < N_PART; k++) {
        if (k != PART_MIDDLE)
            walk_values(w, walk, parts[k], lanes, there);
        for (int lane = 0; lane < ML_LANES; lane++)
            value[lane][k] = there[lane];
    }
    for (int lane = 0; lane < ML_LANES; lane++)
        for (int k = 0; lanes >> lane & 1 && k < 3; k++)
            value[lane][k * PART_MIDDLE] = walk->piece[lane][walk->n_piece[lane] - 1].value[k];
}

/* Begins to follow numbers that may turn any number of times: the curves of the states, the numbers
 * in the middle of the steps, and how far rounding moves them. */
static void walk_bend(const struct watched *w, struct event_walk *walk)
{
    const double *x[] = {w->origin.x, w->watch->x_now};
    const double *time[] = {w->origin.time, w->batch->window.now};
    const size_t size = ml_event_watch_states(w->ensemble);
    double middle[ML_LANES];
    struct ml_step *step = &walk->step;
    *step =
        (struct ml_step){.n_point = 2, .n_row = ml_n_x(&w->ensemble->model), .takes_rates = true};
    memset(walk->noise, 0, sizeof walk->noise);
    for (int k = 0; k < 2; k++) {
        double *rate = w->watch->end_rates + (size_t)k * size;
        ml_event_watch_rates(w, time[k], x[k]);
        memcpy(rate, w->watch->rate, size * sizeof *rate);
        step->x[k] = x[k];
        step->rate[k] = rate;
        path_noise(w, time[k], x[k], ml_event_watch_row(w, k ? WATCH_NEW : WATCH_VALUE),
                   walk->noise);
    }
    for (int lane = 0; lane < ML_LANES; lane++) {
        step->begin[lane] = time[0][lane];
        step->length[lane] = time[1][lane] - time[0][lane];
    }
    walk_values(w, walk, 0.5, walk->bent, middle);
    for (int lane = 0; lane < ML_LANES; lane++)
        walk->piece[lane][0].value[1] = middle[lane];
}

void ml_event_walk_begin(const struct watched *w, const struct event_path *path, unsigned lanes,
                         unsigned bent, struct event_walk *walk)
{
    walk->bent = bent;
    memcpy(walk->span, w->watch->span, sizeof walk->span);
    for (int lane = 0; lane < ML_LANES; lane++) {
        const struct event_node *a = &path[lane].node[0], *b = &path[lane].node[1];
        walk->n_piece[lane] = lanes >> lane & 1 ? 1 : 0;
        walk->n_looked[lane] = 0;
        if (!(lanes >> lane & 1))
            continue;
        walk->begin[lane] = *a;
        walk->end[lane] = *b;
        walk->known[lane] = (double)INFINITY;
        walk->change[lane] = 0.0;
        walk->piece[lane][0] =
            (struct event_piece){a->s, b->s, {a->value, 0.0, b->value}, (double)INFINITY};
    }
    if (bent)
        walk_bend(w, walk);
}

/* Makes the path of a lane up to s, from where it is.
 *   is_passed  levels are passed once at most, or not at all */
static void walk_go(struct event_walk *walk, int lane, double s, double value, bool is_passed)
{
    struct event_path *path = &walk->path[lane];
    path->node[path->n] =
        s < walk->end[lane].s ? (struct event_node){.s = s, .value = value} : walk->end[lane];
    path->node[path->n++].is_followed = is_passed;
}

/* Halves the piece at hand of a lane, with the numbers in it, or passes it, or makes the path
 * through it. Whether there is a path. */
static bool walk_take(const struct watched *w, int lane, const double *value,
                      struct event_walk *walk)
{
    struct event_piece *at = &walk->piece[lane][--walk->n_piece[lane]];
    const struct event_piece own = *at;
    const double length = own.to - own.from, step = walk->step.length[lane];
    const double error = piece_error(value, walk->noise[lane]), middle = 0.5 * (own.from + own.to);
    const bool is_known = length < shortest * step /* around a corner */ ||
                          piece_is_known(&own, error, walk->known[lane]);
    const bool is_lost = !is_known && ++walk->n_looked[lane] == PATH_PIECES;
    if (!is_known && !is_lost) {
        at[0] = (struct event_piece){
            middle, own.to, {own.value[1], value[PART_LAST_QUARTER], own.value[2]}, error};
        at[1] = (struct event_piece){
            own.from, middle, {own.value[0], value[PART_QUARTER], own.value[1]}, error};
        walk->n_piece[lane] += 2;
        return false;
    }
    walk->known[lane] = length;
    const bool is_passed = is_lost || piece_is_passed(w, lane, value, walk);
    walk->change[lane] = is_passed ? own.value[2] - own.value[0] : 0.0;
    if (is_lost) {
        ml_event_watch_row(w, WATCH_UNSURE)[lane] = 1.0;
        walk->n_piece[lane] = 0;
    } else if (is_passed && walk->n_piece[lane] > 0) {
        return false;
    }
    if (!is_passed && own.from > walk->begin[lane].s)
        walk_go(walk, lane, own.from, own.value[0], true);
    walk_go(walk, lane, is_lost ? step : own.to, own.value[2], is_passed);
    w->watch->span[lane] = fmin(walk->span[lane], fmax(length, shortest_slope * step));
    walk->fine |= (unsigned)(length < step) << lane;
    return true;
}

/* Takes the step again up to these nodes of the paths, for their slopes, and for their numbers
 * within the step. */
static void walk_measure(const struct watched *w, struct event_walk *walk, int k, unsigned lanes)
{
    double s[ML_LANES] = {0.0}, value[ML_LANES], slope[ML_LANES];
    double time[ML_LANES] __attribute__((aligned(64)));
    ML_EACH_LANE(lane, lanes)
        s[lane] = walk->path[lane].node[k].s;
    ml_event_watch_go(w, s, lanes, time);
    ml_event_watch_values(w, time, w->batch->x, value);
    ml_event_watch_slopes(w, time, w->batch->x, slope);
    ML_EACH_LANE(lane, lanes) {
        struct event_node *own = &walk->path[lane].node[k];
        if (s[lane] > 0.0 && s[lane] < walk->end[lane].s)
            own->value = value[lane];
        own->slope = slope[lane];
        if (k == 0 && w->event->kind == ML_EXTREME && own->place == floor(own->place))
            own->place = ml_event_place(ml_event_watch_levels(w, lane), own->slope, own->place);
    }
}

/* The next parts of the paths of these lanes; those that have one. */
static unsigned walk_find(const struct watched *w, struct event_walk *walk, unsigned lanes)
{
    double value[ML_LANES][N_PART];
    unsigned found = 0;
    for (int lane = 0; lane < ML_LANES; lane++) {
        walk->path[lane].node[0] = walk->begin[lane];
        walk->path[lane].n = 1;
    }
    for (unsigned open = lanes; open && ml_stop_level(w->batch->stop) < 2;) {
        for (int lane = 0; lane < ML_LANES; lane++)
            if (walk->n_piece[lane] == 0)
                open &= ~(1u << lane);
        if (open & walk->bent)
            walk_look(w, walk, open & walk->bent, value);
        for (int lane = 0; lane < ML_LANES; lane++) {
            bool is_ready = open >> lane & 1;
            if (is_ready && walk->bent >> lane & 1)
                is_ready = walk_take(w, lane, value[lane], walk);
            else if (is_ready) {
                walk->n_piece[lane] = 0;
                walk_go(walk, lane, walk->end[lane].s, 0.0, false);
            }
            found |= (unsigned)is_ready << lane;
        }
        open &= ~found;
    }
    return found;
}

unsigned ml_event_walk_next(const struct watched *w, struct event_walk *walk, unsigned lanes)
{
    memcpy(w->watch->span, walk->span, sizeof walk->span);
    walk->fine = 0;
    const unsigned found = walk_find(w, walk, lanes);
    for (int k = 0; k < ML_EVENT_NODES && walk->fine; k++) {
        unsigned own = 0;
        for (int lane = 0; lane < ML_LANES; lane++) {
            const struct event_path *path = &walk->path[lane];
            own |= (unsigned)(k < path->n && (k > 0 || path->node[0].s == 0.0)) << lane;
        }
        if (own & walk->fine)
            walk_measure(w, walk, k, own & walk->fine);
    }
    ML_EACH_LANE(lane, found)
        ml_event_path_place(w, lane, &walk->path[lane]);
    if (found && (w->event->kind == ML_CROSSING || w->watch->takes_own_steps))
        path_turn(w, walk->path, found);
    ML_EACH_LANE(lane, found) {
        struct event_path *own = &walk->path[lane];
        if (w->event->kind == ML_CROSSING)
            path_shorten(&w->numbers[lane], own);
        walk->begin[lane] = own->node[own->n - 1];
        walk->begin[lane].is_followed = false;
    }
    return found;
}
