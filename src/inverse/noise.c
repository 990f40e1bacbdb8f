/* Power above a frequency, by a Butterworth filter. */
#include "inverse/noise.h"

#include <math.h>
#include <string.h>

#include "inverse/butterworth.h"

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
