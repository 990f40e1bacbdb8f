/* One number over a look: the polynomial through its values at the points of the look, with its
 * integrals, its largest and smallest values and where it crosses a level. The points are those of
 * Gauss and Lobatto, on 0 .. 1: integrals over all of it are exact for polynomials of degree 15
 * (Abramowitz, Stegun, Handbook of Mathematical Functions, 25.4.32).
 *
 * All of it is arithmetic on one lane, the same on every instruction set. */
#ifndef ML_ANALYSIS_ARC_H
#define ML_ANALYSIS_ARC_H

#include <math.h>
#include <stdbool.h>

#include "analysis/look.h"
#include "simd/layout.h"

/* A number over a part of a step, in one lane. */
struct ml_arc {
    double at[ML_LOOK_POINTS];
};

static const double ml_look_points[ML_LOOK_POINTS] = {
    0.0, 0.050121002294269919, 0.16140686024463113, 0.31844126808691092,
    0.5, 0.68155873191308913,  0.83859313975536887, 0.94987899770573003,
    1.0,
};

/* Weights of the integral over 0 .. 1. */
static const double ml_look_weights[ML_LOOK_POINTS] = {
    0.013888888888888888, 0.08274768078040276, 0.13726935625008085,
    0.17321425548652317,  0.18575963718820862, 0.17321425548652317,
    0.13726935625008085,  0.08274768078040276, 0.013888888888888888};

/* Weights of the barycentric formula (Berrut, Trefethen, Barycentric Lagrange interpolation, SIAM
 * Review 46 (2004) 501-517). */
static const double ml_look_barycentric[ML_LOOK_POINTS] = {
    0.2734375, -0.66742464338063501, 0.85962912511311818, -0.96564198173248317,
    1.0,       -0.96564198173248317, 0.85962912511311818, -0.66742464338063501,
    0.2734375};

static inline struct ml_arc ml_look_arc(const struct ml_look *look, int i_record, int row, int lane)
{
    struct ml_arc curve;
    const double *from = look->records[i_record] + (long)row * ML_LANES + lane;
    for (int k = 0; k < ML_LOOK_POINTS; k++)
        curve.at[k] = from[(long)k * look->n_row[i_record] * ML_LANES];
    return curve;
}

/* The arc of the derivative along parameter p. */
static inline struct ml_arc ml_look_deriv(const struct ml_look *look, int i_record, int row, int p,
                                          int lane)
{
    struct ml_arc curve;
    const long n_row = (long)look->n_row[i_record] * look->n_sens;
    const double *from =
        look->record_derivs[i_record] + ((long)row * look->n_sens + p) * ML_LANES + lane;
    for (int k = 0; k < ML_LOOK_POINTS; k++)
        curve.at[k] = from[k * n_row * ML_LANES];
    return curve;
}

static inline struct ml_arc ml_look_energy(const struct ml_look *look, int lane)
{
    struct ml_arc arc;
    for (int k = 0; k < ML_LOOK_POINTS; k++)
        arc.at[k] = look->kinetic[k * ML_LANES + lane] + look->potential[k * ML_LANES + lane];
    return arc;
}

/* The arc of the energy's derivative along parameter p. */
static inline struct ml_arc ml_look_energy_deriv(const struct ml_look *look, int p, int lane)
{
    struct ml_arc arc;
    for (int k = 0; k < ML_LOOK_POINTS; k++) {
        const long at = ((long)k * look->n_sens + p) * ML_LANES + lane;
        arc.at[k] = look->kinetic_deriv[at] + look->potential_deriv[at];
    }
    return arc;
}

/* The share of a look that is before time t, s: 0 if none is; above 1 if all of it is, but for
 * rounding. */
static inline double ml_look_from(const struct ml_look *look, double t, int lane)
{
    const double before = t - look->begin[lane], rounding = 1e-12 * fabs(t);
    if (!(before > 0.0))
        return 0.0;
    return before > look->length[lane] && before <= look->length[lane] + rounding
               ? 1.0
               : before / look->length[lane];
}

static inline double ml_arc_at(const struct ml_arc *curve, double s)
{
    double above = 0.0, below = 0.0;
    for (int k = 0; k < ML_LOOK_POINTS; k++) {
        if (s == ml_look_points[k])
            return curve->at[k];
        const double weight = ml_look_barycentric[k] / (s - ml_look_points[k]);
        above += weight * curve->at[k];
        below += weight;
    }
    return above / below;
}

/* The derivative by s. */
static inline struct ml_arc ml_arc_slope(const struct ml_arc *curve)
{
    struct ml_arc slope;
    for (int i = 0; i < ML_LOOK_POINTS; i++) {
        slope.at[i] = 0.0;
        for (int k = 0; k < ML_LOOK_POINTS; k++)
            if (k != i)
                slope.at[i] += ml_look_barycentric[k] / ml_look_barycentric[i] *
                               (curve->at[k] - curve->at[i]) /
                               (ml_look_points[i] - ml_look_points[k]);
    }
    return slope;
}

/* The integral from a to b: of all points, else by five of Gauss, exact for the polynomial. */
static inline double ml_arc_integral(const struct ml_arc *curve, double a, double b)
{
    static const double node[3] = {0.0, 0.53846931010568309, 0.90617984593866399};
    static const double weight[3] = {0.56888888888888889, 0.47862867049936647, 0.23692688505618909};
    const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
    double sum = 0.0;
    if (a == 0.0 && b == 1.0) {
        for (int k = 0; k < ML_LOOK_POINTS; k++)
            sum += ml_look_weights[k] * curve->at[k];
        return sum;
    }
    sum = weight[0] * ml_arc_at(curve, middle);
    for (int k = 1; k < 3; k++)
        sum += weight[k] * (ml_arc_at(curve, middle - node[k] * half) +
                            ml_arc_at(curve, middle + node[k] * half));
    return half * sum;
}

/* Where a curve that is monotone from a to b, with values on both sides of `level` or on it, is at
 * `level`: by false position, with the steps of Illinois (Dowell, Jarratt, BIT 11 (1971) 168-174).
 */
static inline double ml_arc_root(const struct ml_arc *curve, double level, double a, double b)
{
    double before = ml_arc_at(curve, a) - level, behind = ml_arc_at(curve, b) - level;
    int side = 0;
    if (before == 0.0)
        return a;
    for (int i = 0; i < 60 && behind != 0.0 && b - a > 0x1p-50; i++) {
        const double guess = b - behind * (b - a) / (behind - before);
        const double at = guess > a && guess < b ? guess : 0.5 * (a + b);
        const double value = ml_arc_at(curve, at) - level;
        if ((value < 0.0) == (behind < 0.0)) {
            b = at;
            behind = value;
            before *= side > 0 ? 0.5 : 1.0;
            side = 1;
        } else {
            a = at;
            before = value;
            behind *= side < 0 ? 0.5 : 1.0;
            side = -1;
        }
        if (value == 0.0)
            return at;
    }
    return b;
}

/* Parts of a curve in which it is monotone: part i from cut[i] to cut[i + 1], with the values
 * there. */
struct ml_arc_parts {
    int n;
    double cut[ML_LOOK_POINTS + 1], value[ML_LOOK_POINTS + 1];
};

static inline void ml_arc_cut(const struct ml_arc *curve, double at, struct ml_arc_parts *parts)
{
    parts->cut[parts->n] = at;
    parts->value[parts->n++] = ml_arc_at(curve, at);
}

static inline struct ml_arc_parts ml_arc_parts(const struct ml_arc *curve, double a, double b)
{
    struct ml_arc_parts parts = {.n = 0};
    const struct ml_arc slope = ml_arc_slope(curve);
    ml_arc_cut(curve, a, &parts);
    for (int k = 0; k < ML_LOOK_LAST; k++) {
        if ((slope.at[k] < 0.0) == (slope.at[k + 1] < 0.0))
            continue;
        const double turn = ml_arc_root(&slope, 0.0, ml_look_points[k], ml_look_points[k + 1]);
        if (turn > parts.cut[parts.n - 1] && turn < b)
            ml_arc_cut(curve, turn, &parts);
    }
    ml_arc_cut(curve, b, &parts);
    parts.n--;
    return parts;
}

/* Whether the absolute value of a number may be larger than `most` between the ends of a step, of
 * which values and changes per step are known: whether the cubic is, and a quarter more of its rise
 * above the ends. */
static inline bool ml_arc_reaches(double before, double now, double change_before,
                                  double change_now, double most)
{
    const double ends = fabs(before) > fabs(now) ? fabs(before) : fabs(now), rise = now - before;
    const double bend = 3.0 * rise - 2.0 * change_before - change_now;
    const double twist = change_before + change_now - 2.0 * rise;
    const double root = bend * bend - 3.0 * twist * change_before;
    bool reaches = false;
    if (ends + 0.1875 * (fabs(change_before) + fabs(change_now)) <= most)
        return false; /* 4/27 of the changes is the most that a cubic rises by them */
    for (int side = -1; side <= 1 && root >= 0.0; side += 2) {
        const double sum = bend + (bend < 0.0 ? -1.0 : 1.0) * sqrt(root);
        const double s = side < 0 ? -sum / (3.0 * twist) : -change_before / sum;
        const double there = fabs(before + s * (change_before + s * (bend + s * twist)));
        reaches |= s > 0.0 && s < 1.0 && there > ends && there + 0.25 * (there - ends) > most;
    }
    return reaches;
}

/* Where the absolute value of a curve is largest from a to b, and the curve's value there. */
static inline double ml_arc_farthest(const struct ml_arc *curve, double a, double b, double *value)
{
    const struct ml_arc_parts parts = ml_arc_parts(curve, a, b);
    int best = 0;
    for (int i = 1; i <= parts.n; i++)
        if (fabs(parts.value[i]) > fabs(parts.value[best]))
            best = i;
    *value = parts.value[best];
    return parts.cut[best];
}

/* Where sign * curve is largest from a to b, and the curve's value there, which is NaN if a value
 * at a point is NaN. */
static inline double ml_arc_top(const struct ml_arc *curve, double sign, double a, double b,
                                double *value)
{
    const struct ml_arc_parts parts = ml_arc_parts(curve, a, b);
    int best = 0;
    for (int i = 1; i <= parts.n; i++)
        if (sign * parts.value[i] > sign * parts.value[best])
            best = i;
    *value = parts.value[best];
    for (int k = 0; k < ML_LOOK_POINTS; k++)
        if (isnan(curve->at[k]))
            *value = curve->at[k];
    return parts.cut[best];
}

/* The zeros of a curve from a to b, and a and b themselves: cut [ML_LOOK_POINTS + 2]; their number.
 * Values of one sign at all points that differ little have none between. */
static inline int ml_arc_zeros(const struct ml_arc *curve, double a, double b, double *cut)
{
    double low = curve->at[0], high = curve->at[0];
    int n = 0;
    cut[n++] = a;
    for (int k = 1; k < ML_LOOK_POINTS; k++) {
        low = fmin(low, curve->at[k]);
        high = fmax(high, curve->at[k]);
    }
    if (low < 0.25 * (high - low) && -high < 0.25 * (high - low)) {
        const struct ml_arc_parts parts = ml_arc_parts(curve, a, b);
        for (int i = 0; i < parts.n; i++)
            if ((parts.value[i] < 0.0) != (parts.value[i + 1] < 0.0)) {
                const double zero = ml_arc_root(curve, 0.0, parts.cut[i], parts.cut[i + 1]);
                if (zero > cut[n - 1] && zero < b)
                    cut[n++] = zero;
            }
    }
    cut[n++] = b;
    return n;
}

#endif
