/* The course of a number that is no plain state within a step: a formula may turn many times while
 * the state changes evenly, as the sine of an angle does. Between the ends of the step the state is
 * the cubic of the states and rates there, which is near enough to find turning points; their
 * values are then those of the step taken again. Pieces of the step are halved until the parabola
 * through the number at their ends and in their middle has the number at four other instants. */
#include "engine/event_watched.h"

#include <math.h>
#include <string.h>

/* Pieces that are halved between two nodes, at most: the number is not followed beyond. */
enum { COURSE_PIECES = 4096 };

/* Nodes of a path that are taken together; a piece may add some, and the end is one. */
enum { COURSE_NODES = ML_EVENT_NODES - 10 };

/* Nodes between which a step has one turning point at most. */
enum { COURSE_FEW = 4 };

/* Instants of a piece, as parts of it: ends, quarters, and two that have no period in common with
 * these, nor their distance: golden ratio^-4 and 2 - sqrt(2). */
static const double parts[] = {0.0, 0.1458980338, 0.25, 0.5, 0.5857864376, 0.75, 1.0};
enum { PART_QUARTER = 2, PART_MIDDLE = 3, PART_LAST_QUARTER = 5, N_PART = 7 };

/* Instants of a step, as parts of it, where the number on the chord between the two states is
 * compared with the chord between its two values. */
static const double chords[] = {0.3819660113, 0.5477225575};
enum { N_CHORD = sizeof chords / sizeof *chords };

static const double rounding = 0x1p-44; /* of a number that is a formula */

/* Pieces that are halved no further, as parts of the step. */
static const double shortest = 0x1p-24;

/* Part of the way between two nodes, from either, within which the number has no turning point. */
static const double beside = 0x1p-20;

bool ml_event_watch_is_plain(const struct watched *w)
{
    if (w->condition)
        return w->condition->is_affine;
    return w->event->kind == ML_STROBE || ml_event_watch_state_row(w) >= 0;
}

/* The sag at one instant is taken into that of the step. */
static void course_chord(const struct watched *w, const struct chord *chord, double part,
                         double *sag)
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
        course_chord(w, chord, chords[k], sag);
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

void ml_event_course_rates(const struct watched *w)
{
    const size_t size = ml_event_watch_states(w->ensemble);
    const double *x[] = {w->origin.x, w->watch->x_now};
    const double *time[] = {w->origin.time, w->batch->window.now};
    for (int k = 0; k < 2; k++) {
        ml_event_watch_rates(w, time[k], x[k]);
        memcpy(w->watch->end_rates + (size_t)k * size, w->watch->rate, size * sizeof *x[k]);
    }
}

/* The number s [1] seconds behind the origin, of the cubic of the states. */
static void course_values(const struct watched *w, const double *s, double *value)
{
    const double *a = w->origin.x, *b = w->watch->x_now;
    const size_t size = ml_event_watch_states(w->ensemble);
    const double *rate_a = w->watch->end_rates, *rate_b = rate_a + size;
    double time[ML_LANES] __attribute__((aligned(64)));
    double of_b[ML_LANES], of_rate_a[ML_LANES], of_rate_b[ML_LANES];
    for (int lane = 0; lane < ML_LANES; lane++) {
        const double span = w->batch->window.now[lane] - w->origin.time[lane];
        const double part = span > 0.0 ? s[lane] / span : 0.0, rest = 1.0 - part;
        time[lane] = w->origin.time[lane] + s[lane];
        of_b[lane] = part * part * (3.0 - 2.0 * part);
        of_rate_a[lane] = span * part * rest * rest;
        of_rate_b[lane] = -span * part * part * rest;
    }
    for (size_t i = 0; i < size; i++) {
        const size_t lane = i % ML_LANES;
        w->watch->probe[i] = a[i] + of_b[lane] * (b[i] - a[i]) + of_rate_a[lane] * rate_a[i] +
                             of_rate_b[lane] * rate_b[i];
    }
    ml_event_watch_values(w, time, w->watch->probe, value);
}

/* Takes the instant between two turning points of an extreme's number into the path. */
static void course_between(double turn, struct event_course *course, struct event_path *path)
{
    path->node[path->n++] = (struct event_node){.s = 0.5 * (course->turn + turn)};
    course->turn = turn;
}

/* Takes a turning point into the path, if it may matter: of levels where it is in another place
 * than the node before; or near to a level, where two points around it show whether it is beyond.
 */
static void course_turn(const struct watched *w, int lane, struct course_point at,
                        const struct course_point *next, struct event_course *course,
                        struct event_path *path)
{
    const struct ml_event_numbers *levels = &w->numbers[lane];
    const double place = course->kept.place;
    const double near = 0x1p-6 * fabs(at.value - course->turn_value);
    struct event_node node = {.s = at.s, .value = at.value, .is_followed = true};
    course->turn_value = at.value;
    if (w->event->kind == ML_EXTREME) {
        course_between(at.s, course, path);
        return;
    }
    node.place = ml_event_place(levels, at.value, place);
    const bool is_near = ml_event_place(levels, at.value + near, place) !=
                         ml_event_place(levels, at.value - near, place);
    if (node.place == place && !is_near)
        return;
    if (!is_near || path->n + 3 > ML_EVENT_NODES) {
        path->node[path->n++] = course->kept = node;
        return;
    }
    if (course->point[0].s > path->node[path->n - 1].s)
        path->node[path->n++] = (struct event_node){.s = course->point[0].s, .is_followed = true};
    path->node[path->n++] = (struct event_node){.s = next->s};
    course->kept = node;
}

/* The next point of the course; a turning point is that of the parabola through three. */
static void course_point(const struct watched *w, int lane, struct course_point next,
                         struct event_course *course, struct event_path *path)
{
    struct course_point *a = &course->point[0], *b = &course->point[1];
    struct course_point *last = &course->point[course->n_point - 1];
    const double size = rounding * fmax(fabs(last->value), fabs(next.value));
    const double least = fmax(size, course->noise);
    if (!(fabs(next.value - last->value) > least))
        return;
    if (course->n_point < 2) {
        course->point[course->n_point++] = next;
        return;
    }
    const double slope = (b->value - a->value) / (b->s - a->s),
                 slope_next = (next.value - b->value) / (next.s - b->s);
    const double bend = (slope_next - slope) / (next.s - a->s);
    if (slope * slope_next < 0.0) {
        const double s = 0.5 * (a->s + b->s - slope / bend);
        const double value = a->value + (s - a->s) * (slope + bend * (s - b->s));
        course_turn(w, lane, (struct course_point){s, value}, &next, course, path);
    }
    *a = *b;
    *b = next;
}

/* How far rounding of the state moves the number at an end of the step: noise [1] in and out, the
 * largest.
 *   value  [1] the number there */
static void course_noise(const struct watched *w, const double *t, const double *x,
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

void ml_event_course_begin(const struct watched *w, const struct event_path *path,
                           const int *behind, unsigned lanes, struct event_course *course)
{
    static const double instants[] = {beside, 0.5, 1.0 - beside};
    double s[ML_LANES] = {0.0}, value[3][ML_LANES], noise[ML_LANES] = {0.0};
    course_noise(w, w->origin.time, w->origin.x, ml_event_watch_row(w, WATCH_VALUE), noise);
    course_noise(w, w->batch->window.now, w->watch->x_now, ml_event_watch_row(w, WATCH_NEW), noise);
    for (int k = 0; k < 3; k++) {
        for (int lane = 0; lane < ML_LANES; lane++)
            if (lanes >> lane & 1) {
                const struct event_node *a = &path[lane].node[behind[lane] - 1];
                s[lane] = a[0].s + instants[k] * (a[1].s - a[0].s);
            }
        course_values(w, s, value[k]);
    }
    for (int lane = 0; lane < ML_LANES; lane++)
        if (lanes >> lane & 1) {
            const struct event_node *a = &path[lane].node[behind[lane] - 1], *b = a + 1;
            const double near = beside * (b->s - a->s);
            course[lane] = (struct event_course){.begin = *a,
                                                 .end = *b,
                                                 .kept = *a,
                                                 .turn = a->s,
                                                 .turn_value = a->value,
                                                 .point = {{a->s, a->value}},
                                                 .n_point = 1,
                                                 .known = (double)INFINITY,
                                                 .before_end = {b->s - near, value[2][lane]},
                                                 .noise = noise[lane],
                                                 .n_piece = 1};
            course[lane].piece[0] = (struct course_piece){
                a->s, b->s, {a->value, value[1][lane], b->value}, (double)INFINITY};
            course_point(w, lane, (struct course_point){a->s + near, value[0][lane]}, &course[lane],
                         NULL);
        }
}

/* How much the parabola of a piece misses of the number, as part of the change in the piece. */
static double course_error(const struct course_piece *piece, const double *value, double noise)
{
    const double *own = piece->value, end = own[2] - own[0];
    const double sag = 4.0 * own[1] - 2.0 * (own[0] + own[2]);
    double error = 0.0, least = fmin(own[0], own[2]), most = fmax(own[0], own[2]);
    for (int k = 1; k + 1 < N_PART; k++) {
        const double parabola = own[0] + parts[k] * (end + sag * (1.0 - parts[k]));
        error = fmax(error, fabs(value[k] - parabola));
        least = fmin(least, value[k]);
        most = fmax(most, value[k]);
    }
    noise = fmax(noise, rounding * fmax(fabs(least), fabs(most)));
    return error > noise ? error / (most - least) : 0.0;
}

/* Whether the parabola of a piece is near enough. One that is right where that of the piece before
 * its halving was far off, or where pieces beside are much shorter, may be so by chance. */
static bool course_is_known(const struct course_piece *piece, double error,
                            const struct event_course *course)
{
    static const double within = 0x1p-6, within_by_chance = 0x1p-9, within_before = 0x1p-3;
    return error <= (piece->error_before <= within_before ? within : within_by_chance) &&
           !(piece->to - piece->from > 3.0 * course->known);
}

/* Halves the piece that a lane has looked at, or takes its points over. */
static void course_take(const struct watched *w, int lane, const double *value,
                        struct event_course *course, struct event_path *path)
{
    const struct course_piece piece = course->piece[--course->n_piece];
    const double error = course_error(&piece, value, course->noise),
                 middle = 0.5 * (piece.from + piece.to);
    const double step = w->batch->window.now[lane] - w->origin.time[lane];
    const bool is_known = piece.to - piece.from < shortest * step /* around a corner */ ||
                          course_is_known(&piece, error, course);
    if (!is_known && ++course->n_looked == COURSE_PIECES) {
        ml_event_watch_row(w, WATCH_UNSURE)[lane] = 1.0;
        course->n_piece = 0;
        return;
    }
    if (!is_known && course->n_piece + 2 <= ML_COURSE_DEPTH) {
        course->piece[course->n_piece++] = (struct course_piece){
            middle, piece.to, {piece.value[1], value[PART_LAST_QUARTER], piece.value[2]}, error};
        course->piece[course->n_piece++] = (struct course_piece){
            piece.from, middle, {piece.value[0], value[PART_QUARTER], piece.value[1]}, error};
        return;
    }
    course->known = piece.to - piece.from;
    for (int k = 1; k < N_PART; k++) {
        const double s = piece.from + parts[k] * (piece.to - piece.from);
        if (k + 1 == N_PART && course->n_piece == 0)
            course_point(w, lane, course->before_end, course, path);
        course_point(w, lane, (struct course_point){s, value[k]}, course, path);
    }
}

/* Looks at one piece of each of these lanes. */
static void course_look(const struct watched *w, struct event_course *course,
                        struct event_path *path, unsigned lanes)
{
    double value[ML_LANES][N_PART], s[ML_LANES] = {0.0}, there[ML_LANES];
    for (int k = 1; k + 1 < N_PART; k++) {
        if (k == PART_MIDDLE)
            continue;
        for (int lane = 0; lane < ML_LANES; lane++)
            if (lanes >> lane & 1) {
                const struct course_piece *own = &course[lane].piece[course[lane].n_piece - 1];
                s[lane] = own->from + parts[k] * (own->to - own->from);
            }
        course_values(w, s, there);
        for (int lane = 0; lane < ML_LANES; lane++)
            value[lane][k] = there[lane];
    }
    for (int lane = 0; lane < ML_LANES; lane++)
        if (lanes >> lane & 1) {
            const struct course_piece *own = &course[lane].piece[course[lane].n_piece - 1];
            value[lane][0] = own->value[0];
            value[lane][PART_MIDDLE] = own->value[1];
            value[lane][N_PART - 1] = own->value[2];
            course_take(w, lane, value[lane], &course[lane], &path[lane]);
        }
}

/* Shortens the differences that are slopes: a part of a step may be no part of the way between two
 * turning points. */
static void course_set_span(const struct watched *w, int lane, struct event_course *course,
                            const struct event_path *path)
{
    const int last = path->n - (course->n_piece > 0 ? 2 : 1);
    const double way = (path->node[last].s - path->node[0].s) / last;
    if (path->n <= COURSE_FEW || !(way < w->watch->span[lane]))
        return;
    w->watch->span[lane] = way;
    course->is_fine = true;
}

/* Takes the step again up to these nodes of the paths, for their numbers. */
static void course_measure(const struct watched *w, struct event_path *path, int k, unsigned lanes)
{
    double s[ML_LANES] = {0.0}, value[ML_LANES], slope[ML_LANES];
    double time[ML_LANES] __attribute__((aligned(64)));
    for (int lane = 0; lane < ML_LANES; lane++)
        if (lanes >> lane & 1)
            s[lane] = path[lane].node[k].s;
    ml_event_watch_go(w, s, lanes, time);
    ml_event_watch_values(w, time, w->batch->x, value);
    ml_event_watch_slopes(w, time, w->batch->x, slope);
    for (int lane = 0; lane < ML_LANES; lane++)
        if (lanes >> lane & 1) {
            path[lane].node[k].value = value[lane];
            path[lane].node[k].slope = slope[lane];
        }
}

/* The nodes between the ends of these paths; where slopes count and were differences over too long
 * a way, the ends too. */
static void course_measure_all(const struct watched *w, const struct event_course *course,
                               struct event_path *path, unsigned lanes)
{
    for (int k = 0; k < ML_EVENT_NODES; k++) {
        unsigned own = 0;
        for (int lane = 0; lane < ML_LANES; lane++) {
            const bool is_end = k == 0 || k + 1 == path[lane].n;
            if (lanes >> lane & 1 && k < path[lane].n &&
                (!is_end || (w->event->kind == ML_EXTREME && course[lane].is_fine)))
                own |= 1u << lane;
        }
        if (own)
            course_measure(w, path, k, own);
    }
}

/* Follows the courses of these lanes until their paths are full or at their end. */
static void course_follow(const struct watched *w, struct event_course *course,
                          struct event_path *path, unsigned lanes)
{
    for (;;) {
        for (int lane = 0; lane < ML_LANES; lane++)
            if (course[lane].n_piece == 0 || path[lane].n > COURSE_NODES)
                lanes &= ~(1u << lane);
        if (!lanes)
            return;
        course_look(w, course, path, lanes);
    }
}

void ml_event_course_next(const struct watched *w, struct event_course *course,
                          struct event_path *path, unsigned lanes)
{
    const struct ml_event_numbers zero = {.level = 0.0};
    for (int lane = 0; lane < ML_LANES; lane++) {
        path[lane].n = 1;
        path[lane].node[0] = course[lane].begin;
    }
    course_follow(w, course, path, lanes);
    for (int lane = 0; lane < ML_LANES; lane++) {
        struct event_path *own = &path[lane];
        if (!(lanes >> lane & 1))
            continue;
        if (w->event->kind == ML_EXTREME && course[lane].n_piece == 0)
            course_between(course[lane].end.s, &course[lane], own);
        own->node[own->n] = course[lane].end;
        own->node[own->n++].is_followed = true;
        course_set_span(w, lane, &course[lane], own);
    }
    course_measure_all(w, course, path, lanes);
    for (int lane = 0; lane < ML_LANES; lane++) {
        struct event_node *first = &path[lane].node[0];
        if (!(lanes >> lane & 1))
            continue;
        path[lane].n -= course[lane].n_piece > 0; /* the end is behind the next nodes */
        if (w->event->kind == ML_EXTREME && first->place == floor(first->place))
            first->place = ml_event_place(&zero, first->slope, first->place);
        ml_event_path_place(w, lane, &path[lane]);
        course[lane].begin = path[lane].node[path[lane].n - 1];
    }
}
