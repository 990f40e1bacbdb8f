/* Foot strikes and toe-offs by thresholds of force and by turns of the foot. */
#include "inverse/strikes.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* s, at which the line between samples k - 1 and k meets the threshold. */
static double meet(const double *time, const double *force, double threshold, int64_t k)
{
    const double share = (threshold - force[k - 1]) / (force[k] - force[k - 1]);
    return fma(share, time[k] - time[k - 1], time[k - 1]);
}

/* Adds a stretch with force; or has it go on with the stance before. */
static int64_t add_stretch(struct ml_stance stretch, double shortest, int64_t n_stance,
                           struct ml_stance *stances)
{
    struct ml_stance *last = n_stance > 0 ? &stances[n_stance - 1] : NULL;
    if (last && stretch.strike - last->toe_off < shortest) {
        last->toe_off = stretch.toe_off;
        return n_stance;
    }
    stances[n_stance] = stretch;
    return n_stance + 1;
}

int64_t ml_stances_by_force(int64_t n, const double *time, const double *force, double threshold,
                            double shortest, struct ml_stance *stances)
{
    int64_t n_stance = 0;
    struct ml_stance now = {.strike = (double)NAN};
    double since = time[0];
    for (int64_t k = 0; k < n; k++) {
        const bool is_on = force[k] >= threshold, was_on = k > 0 && force[k - 1] >= threshold;
        if (is_on && !was_on && k > 0)
            now.strike = since = meet(time, force, threshold, k);
        const bool is_last = is_on && k + 1 == n;
        if (!(was_on && !is_on) && !is_last)
            continue;
        const double end = is_last ? time[k] : meet(time, force, threshold, k);
        now.toe_off = is_last ? (double)NAN : end;
        if (end - since >= shortest)
            n_stance = add_stretch(now, shortest, n_stance, stances);
    }
    return n_stance;
}

/* Slope at sample k, and half of the second derivative, of the parabola through the samples k - 1,
 * k and k + 1. */
static double parabola(const double *time, const double *way, int64_t k, double *bend)
{
    const double before = time[k] - time[k - 1], after = time[k + 1] - time[k];
    const double up = (way[k] - way[k - 1]) / before, down = (way[k + 1] - way[k]) / after;
    *bend = (down - up) / (before + after);
    return (up * after + down * before) / (before + after);
}

/* s, of its vertex. */
static double vertex(const double *time, const double *way, int64_t k)
{
    double bend;
    const double slope = parabola(time, way, k, &bend);
    return bend != 0.0 ? time[k] - 0.5 * slope / bend : time[k];
}

/* The next largest value of sign x way from sample *k on, behind a rise and before a fall by
 * `height`; false: there is none.
 *   k    in: where the search begins; out: the sample at which the fall is certain
 *   top  out: its sample */
static bool next_turn(int64_t n, const double *way, double sign, double height, int64_t *k,
                      int64_t *top)
{
    double low = sign * way[*k], high = low;
    *top = *k;
    for (int64_t i = *k; i < n; i++) {
        const double value = sign * way[i];
        const bool has_risen = high - low >= height;
        if (has_risen && value <= high - height) {
            *k = i;
            return true;
        }
        if (value > high)
            high = value, *top = i;
        if (!has_risen && value < low)
            low = high = value, *top = i;
    }
    return false;
}

/* m, between the least and the greatest. */
static double range_of(int64_t n, const double *way)
{
    double low = way[0], high = way[0];
    for (int64_t k = 1; k < n; k++) {
        low = fmin(low, way[k]);
        high = fmax(high, way[k]);
    }
    return high - low;
}

int64_t ml_stances_by_foot(int64_t n, const double *time, const double *heel, const double *toe,
                           struct ml_stance *stances)
{
    const double part = 1.0 / 3.0;
    const double heel_height = part * range_of(n, heel), toe_height = part * range_of(n, toe);
    int64_t n_stance = 0, at_heel = 0, at_toe = 0, top;
    double toe_off = (double)-INFINITY;
    while (heel_height > 0.0 && next_turn(n, heel, 1.0, heel_height, &at_heel, &top))
        stances[n_stance++] = (struct ml_stance){vertex(time, heel, top), (double)NAN};
    for (int64_t s = 0; toe_height > 0.0 && s < n_stance; s++) {
        bool has_turn = true;
        while (toe_off <= stances[s].strike && has_turn) {
            has_turn = next_turn(n, toe, -1.0, toe_height, &at_toe, &top);
            toe_off = has_turn ? vertex(time, toe, top) : toe_off;
        }
        const bool is_before = s + 1 == n_stance || toe_off < stances[s + 1].strike;
        if (toe_off > stances[s].strike && is_before)
            stances[s].toe_off = toe_off;
    }
    return n_stance;
}

int64_t ml_stances_by_velocity(int64_t n, const double *time, const double *heel,
                               const double *middle, double *velocity, struct ml_stance *stances)
{
    const double part = 0.1, low_part = 0.35;
    double least = heel[0], unused;
    int64_t n_stance = 0, at = 0, top, since = 0;
    if (n < 3)
        return 0;
    for (int64_t k = 1; k + 1 < n; k++)
        velocity[k] = parabola(time, middle, k, &unused);
    velocity[0] = velocity[1];
    velocity[n - 1] = velocity[n - 2];
    for (int64_t k = 0; k < n; k++)
        least = fmin(least, heel[k]);
    const double low = least + low_part * range_of(n, heel), height = part * range_of(n, velocity);
    while (height > 0.0 && next_turn(n, velocity, -1.0, height, &at, &top)) {
        if (heel[top] > low)
            continue;
        if (n_stance > 0) {
            int64_t most = since;
            for (int64_t k = since; k < top; k++)
                most = velocity[k] > velocity[most] ? k : most;
            stances[n_stance - 1].toe_off = vertex(time, velocity, most);
        }
        stances[n_stance++] = (struct ml_stance){vertex(time, velocity, top), (double)NAN};
        since = top;
    }
    return n_stance;
}
