#include "forces/pchip.h"

#include <math.h>
#include <stdbool.h>

/* Length and steepness of the line to the next sample. */
struct chord {
    double length, slope;
};

static struct chord chord_at(const double *time, const double *value, int64_t k)
{
    const double length = time[k + 1] - time[k];
    return (struct chord){length, (value[k + 1] - value[k]) / length};
}

static bool is_same_way(double a, double b) { return (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0); }

/* Slope between two chords: their weighted harmonic mean, 0 where the curve turns (Fritsch,
 * Butland, SIAM J. Sci. Stat. Comput. 5, 1984). */
static double slope_between(struct chord before, struct chord after)
{
    const double a = before.length + 2.0 * after.length, b = 2.0 * before.length + after.length;
    if (!is_same_way(before.slope, after.slope))
        return 0.0;
    return (a + b) / (a / before.slope + b / after.slope);
}

/* Slope at the outer end of a chord: that of the parabola through three samples, within what keeps
 * the curve from turning. */
static double slope_at_end(struct chord outer, struct chord inner)
{
    const double slope =
        ((2.0 * outer.length + inner.length) * outer.slope - outer.length * inner.slope) /
        (outer.length + inner.length);
    if (!is_same_way(slope, outer.slope))
        return 0.0;
    if (!is_same_way(outer.slope, inner.slope) && fabs(slope) > 3.0 * fabs(outer.slope))
        return 3.0 * outer.slope;
    return slope;
}

static double slope_at(int64_t n, const double *time, const double *value, int64_t k)
{
    if (n == 2)
        return chord_at(time, value, 0).slope;
    if (k == 0)
        return slope_at_end(chord_at(time, value, 0), chord_at(time, value, 1));
    if (k == n - 1)
        return slope_at_end(chord_at(time, value, n - 2), chord_at(time, value, n - 3));
    return slope_between(chord_at(time, value, k - 1), chord_at(time, value, k));
}

void ml_pchip(int64_t n, const double *time, const double *value, double (*cubic)[4])
{
    double first = slope_at(n, time, value, 0);
    for (int64_t k = 0; k < n - 1; k++) {
        const struct chord chord = chord_at(time, value, k);
        const double last = slope_at(n, time, value, k + 1);
        const double bend = (first + last - 2.0 * chord.slope) / chord.length;
        cubic[k][0] = value[k];
        cubic[k][1] = first;
        cubic[k][2] = (chord.slope - first) / chord.length - bend;
        cubic[k][3] = bend / chord.length;
        first = last;
    }
}
