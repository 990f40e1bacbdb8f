/* Monotone piecewise cubic interpolation (Fritsch, Butland): the coefficients of each interval. */
#include "model/forces/pchip.h"

#include <math.h>
#include <stdbool.h>

/* Length and steepness of the line to the next sample. */
struct chord {
    double length, deriv;
};

static struct chord chord_at(const double *time, const double *value, int64_t k)
{
    const double length = time[k + 1] - time[k];
    return (struct chord){length, (value[k + 1] - value[k]) / length};
}

static bool is_same_way(double a, double b) { return (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0); }

/* Derivative between two chords: their weighted harmonic mean, 0 where the curve turns (Fritsch,
 * Butland, SIAM J. Sci. Stat. Comput. 5, 1984). */
static double deriv_between(struct chord before, struct chord after)
{
    const double a = before.length + 2.0 * after.length, b = 2.0 * before.length + after.length;
    if (!is_same_way(before.deriv, after.deriv))
        return 0.0;
    return (a + b) / (a / before.deriv + b / after.deriv);
}

/* Derivative at the outer end of a chord: that of the parabola through three samples, limited so
 * that the curve stays monotone. */
static double deriv_at_end(struct chord outer, struct chord inner)
{
    const double deriv =
        ((2.0 * outer.length + inner.length) * outer.deriv - outer.length * inner.deriv) /
        (outer.length + inner.length);
    if (!is_same_way(deriv, outer.deriv))
        return 0.0;
    if (!is_same_way(outer.deriv, inner.deriv) && fabs(deriv) > 3.0 * fabs(outer.deriv))
        return 3.0 * outer.deriv;
    return deriv;
}

static double deriv_at(int64_t n, const double *time, const double *value, int64_t k)
{
    if (n == 2)
        return chord_at(time, value, 0).deriv;
    if (k == 0)
        return deriv_at_end(chord_at(time, value, 0), chord_at(time, value, 1));
    if (k == n - 1)
        return deriv_at_end(chord_at(time, value, n - 2), chord_at(time, value, n - 3));
    return deriv_between(chord_at(time, value, k - 1), chord_at(time, value, k));
}

void ml_pchip(int64_t n, const double *time, const double *value, double (*cubic)[4])
{
    double first = deriv_at(n, time, value, 0);
    for (int64_t k = 0; k < n - 1; k++) {
        const struct chord chord = chord_at(time, value, k);
        const double last = deriv_at(n, time, value, k + 1);
        const double bend = (first + last - 2.0 * chord.deriv) / chord.length;
        cubic[k][0] = value[k];
        cubic[k][1] = first;
        cubic[k][2] = (chord.deriv - first) / chord.length - bend;
        cubic[k][3] = bend / chord.length;
        first = last;
    }
}
