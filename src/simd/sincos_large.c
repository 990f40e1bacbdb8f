/* Range reduction in double-double: x - q pi/2 with pi/2 to 212 bits. Not fast, and rarely used: an
 * angle of 1e5 rad is 16000 turns. */

#include <math.h>

#include "simd/trig.h"

struct sincos_large_pair {
    double high, low;
};

static struct sincos_large_pair sincos_large_sum(double a, double b)
{
    double s = a + b, t = s - a;
    return (struct sincos_large_pair){s, (a - (s - t)) + (b - t)};
}

/* r - q part, with the product exact. */
static struct sincos_large_pair minus_product(struct sincos_large_pair r, double q, double part)
{
    double p = -q * part, error = fma(-q, part, -p);
    struct sincos_large_pair s = sincos_large_sum(r.high, p);
    return sincos_large_sum(s.high, s.low + (r.low + error));
}

static struct sincos_large_pair reduce(double x, double q)
{
    struct sincos_large_pair r = {x, 0.0};
    r = minus_product(r, q, ML_HALF_PI_1);
    r = minus_product(r, q, ML_HALF_PI_2);
    r = minus_product(r, q, ML_HALF_PI_3);
    return minus_product(r, q, ML_HALF_PI_4);
}

int ml_reduce_large(double x, double *high, double *low)
{
    if (!(fabs(x) <= ML_ANGLE_MAX)) {
        *high = *low = (double)NAN;
        return 0;
    }
    double q = rint(x * ML_TWO_OVER_PI);
    struct sincos_large_pair r = reduce(x, q);
    if (fabs(r.high) > ML_HALF_PI_1 / 2.0) { /* the product above rounds to 0.1 at |x| = 1e15 */
        q += r.high > 0.0 ? 1.0 : -1.0;
        r = reduce(x, q);
    }
    *high = r.high;
    *low = r.low;
    return (int)((long long)q & 3);
}

/* Not inlined in a unit that has all of a kernel, where it would be at every sine. */
__attribute__((noinline)) struct ml_sincos_large ml_sincos_large(double x)
{
    struct sincos_large_pair r;
    const int quadrant = ml_reduce_large(x, &r.high, &r.low);
    double z = r.high * r.high;
    double s = fma(ML_SIN_6, z, ML_SIN_5);
    s = fma(s, z, ML_SIN_4);
    s = fma(s, z, ML_SIN_3);
    s = fma(s, z, ML_SIN_2);
    s = fma(s, z, ML_SIN_1);
    s = fma(s, r.high * z, fma(r.low, fma(-0.5, z, 1.0), r.high));
    double c = fma(ML_COS_6, z, ML_COS_5);
    c = fma(c, z, ML_COS_4);
    c = fma(c, z, ML_COS_3);
    c = fma(c, z, ML_COS_2);
    c = fma(c, z, ML_COS_1);
    c = fma(c, z * z, fma(-r.low, r.high, fma(-0.5, z, 1.0)));

    switch (quadrant) {
    case 0:
        return (struct ml_sincos_large){s, c};
    case 1:
        return (struct ml_sincos_large){c, -s};
    case 2:
        return (struct ml_sincos_large){-s, -c};
    default:
        return (struct ml_sincos_large){-c, s};
    }
}
