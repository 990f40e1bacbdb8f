/* Residual analysis of a curve, see residual.h. */
#include "inverse/residual.h"

#include <math.h>
#include <string.h>

#include "columns/butterworth.h"

enum { ORDER = 2, TAIL = 21 }; /* of the filter; cutoffs that the line goes through */

/* Over the samples' rate. */
static const double tail_from = 0.125, tail_to = 0.25, least_cutoff = 1e-4;

int64_t ml_residual_least(void) { return ml_butterworth_least(ORDER); }

int64_t ml_residual_work(int64_t n) { return 2 * (n + ml_butterworth_least(ORDER)); }

/* R at a cutoff over the rate. */
static double residual_at(int64_t n, double cutoff, const double *y, double *work)
{
    double sum = 0.0;
    memcpy(work, y, (size_t)n * sizeof *work);
    ml_butterworth(ORDER, cutoff, n, work, work + n);
    for (int64_t i = 0; i < n; i++)
        sum += (y[i] - work[i]) * (y[i] - work[i]);
    return sqrt(sum / (double)n);
}

/* The value at 0 Hz of the line through R at high cutoffs. */
static double find_noise(int64_t n, const double *y, double *work)
{
    const double middle = 0.5 * (tail_from + tail_to);
    double mean = 0.0, product = 0.0, square = 0.0;
    for (int i = 0; i < TAIL; i++) {
        const double cutoff = tail_from + (tail_to - tail_from) * i / (TAIL - 1);
        const double residual = residual_at(n, cutoff, y, work);
        mean += residual / TAIL;
        product += (cutoff - middle) * residual;
        square += (cutoff - middle) * (cutoff - middle);
    }
    return mean - product / square * middle;
}

struct ml_residual ml_residual_find(int64_t n, double rate, const double *y, double *work)
{
    enum { HALVINGS = 48 };
    struct ml_residual out = {find_noise(n, y, work), (double)NAN};
    double low = least_cutoff, high = tail_from;
    if (!(out.noise > 0.0) || residual_at(n, low, y, work) <= out.noise ||
        residual_at(n, high, y, work) >= out.noise)
        return out;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = sqrt(low * high);
        *(residual_at(n, middle, y, work) > out.noise ? &low : &high) = middle;
    }
    out.cutoff = rate * sqrt(low * high);
    return out;
}
