/* Design and passes of a Butterworth filter, see butterworth.h. */
#include "columns/butterworth.h"

#include <math.h>
#include <string.h>

#include "base/pi.h"

/* y = b0 x + first, first = b1 x - a1 y + second, second = b2 x - a2 y (transposed form II). */
struct section {
    double b[3], a[3];
};

enum { MOST_SECTIONS = (ML_MOST_FILTER_ORDER + 1) / 2 };

int64_t ml_butterworth_least(int order) { return 3 * ((int64_t)order + 1) + 1; }

/* Sections of gain 1 at frequency 0; returns how many. The poles of the analog filter with cutoff 1
 * are at angles pi (2 i + 1) / (2 order) from the imaginary axis. */
static int design(int order, double cutoff, struct section out[MOST_SECTIONS])
{
    const double k = tan(ML_PI * cutoff);
    int n = 0;
    for (int i = 0; i < order / 2; i++) {
        const double damping = 2.0 * sin(ML_PI * (2 * i + 1) / (2.0 * order));
        const double a0 = 1.0 + damping * k + k * k, b0 = k * k / a0;
        out[n++] = (struct section){
            .b = {b0, 2.0 * b0, b0},
            .a = {1.0, 2.0 * (k * k - 1.0) / a0, (1.0 - damping * k + k * k) / a0},
        };
    }
    if (order % 2 == 1) {
        const double b0 = k / (1.0 + k);
        out[n++] = (struct section){.b = {b0, b0, 0.0}, .a = {1.0, (k - 1.0) / (1.0 + k), 0.0}};
    }
    return n;
}

/* One section along n samples, `stride` apart, as if y[0] had been there for ever. */
static void butterworth_pass(const struct section *s, int64_t n, double *y, int64_t stride)
{
    double first = (1.0 - s->b[0]) * y[0], second = (s->b[2] - s->a[2]) * y[0];
    for (int64_t i = 0; i < n; i++) {
        const double x = y[i * stride], out = fma(s->b[0], x, first);
        first = fma(s->b[1], x, fma(-s->a[1], out, second));
        second = fma(s->b[2], x, -s->a[2] * out);
        y[i * stride] = out;
    }
}

void ml_butterworth(int order, double cutoff, int64_t n, double *y, double *work)
{
    struct section sections[MOST_SECTIONS];
    const int n_section = design(order, cutoff, sections);
    const int64_t pad = ml_butterworth_least(order) - 1, all = n + 2 * pad;
    for (int64_t i = 0; i < pad; i++) {
        work[i] = 2.0 * y[0] - y[pad - i];
        work[pad + n + i] = 2.0 * y[n - 1] - y[n - 2 - i];
    }
    for (int64_t i = 0; i < n; i++)
        work[pad + i] = y[i];
    for (int i = 0; i < n_section; i++)
        butterworth_pass(&sections[i], all, work, 1);
    for (int i = 0; i < n_section; i++)
        butterworth_pass(&sections[i], all, work + all - 1, -1);
    for (int64_t i = 0; i < n; i++)
        y[i] = work[pad + i];
}

enum { ORDER = 4, MOST_END = 8 };

int64_t ml_noise_work(int64_t n) { return 2 * (n + ml_butterworth_least(ORDER)); }

double ml_noise_frequency(double interval)
{
    const double least_rate = 20.0, usual = 10.0; /* Hz */
    return least_rate * interval < 1.0 ? fmin(usual, 1.0 / (3.0 * interval)) : 0.0;
}

/* Samples that are left out at either end. */
static int64_t end_of(int64_t n)
{
    const int64_t spare = (n - ml_butterworth_least(ORDER)) / 2;
    const int64_t end = n / 6 < MOST_END ? n / 6 : MOST_END;
    return spare < end ? spare : end;
}

double ml_noise_share(int64_t n, double interval, const double *y, double frequency, double *work)
{
    double all = 0.0, above = 0.0;
    if (n < ml_butterworth_least(ORDER) || !(frequency > 0.0 && frequency * interval < 0.5))
        return 0.0;
    const int64_t end = end_of(n), left = n - 2 * end;
    memcpy(work, y + end, (size_t)left * sizeof *work);
    ml_butterworth(ORDER, frequency * interval, left, work, work + left);
    for (int64_t i = 0; i < left; i++) {
        const double own = y[end + i], fast = own - work[i];
        all += own * own;
        above += fast * fast;
    }
    return all > 0.0 && above < all ? above / all : all > 0.0 ? 1.0 : 0.0;
}
