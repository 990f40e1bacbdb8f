/* Power above a frequency, by a Butterworth filter. */
#include "inverse/noise.h"

#include <string.h>

#include "inverse/butterworth.h"

enum { ORDER = 4 };

int64_t ml_noise_work(int64_t n) { return 2 * (n + ml_butterworth_least(ORDER)); }

double ml_noise_share(int64_t n, double interval, const double *y, double frequency, double *work)
{
    double all = 0.0, above = 0.0;
    if (n < ml_butterworth_least(ORDER) || !(frequency * interval < 0.5))
        return 0.0;
    memcpy(work, y, (size_t)n * sizeof *work);
    ml_butterworth(ORDER, frequency * interval, n, work, work + n);
    for (int64_t i = 0; i < n; i++) {
        all += y[i] * y[i];
        above += (y[i] - work[i]) * (y[i] - work[i]);
    }
    return all > 0.0 && above < all ? above / all : all > 0.0 ? 1.0 : 0.0;
}
