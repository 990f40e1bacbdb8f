/* The autocorrelation time tau = 1 + 2 sum of rho(k), up to the least lag M >= 5 tau (A. D. Sokal,
 * Monte Carlo Methods in Statistical Mechanics, 1996), with rho of all walkers about the common
 * mean; R-hat of split chains (A. Gelman et al., Bayesian Data Analysis, 3rd edition,
 * section 11.4). */
#include "fit/chains.h"

#include <math.h>

#include "statistics/select.h"

static double chain_mean(int64_t n, const double *x)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i];
    return sum / (double)n;
}

/* Sum of the squared distances from a mean. */
static double chain_squares(int64_t n, const double *x, double mean)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sum;
}

/* Sum of the products of numbers that are `lag` steps apart. */
static double chain_products(int64_t n_walker, int64_t n_step, const double *x, double mean,
                             int64_t lag)
{
    double sum = 0.0;
    for (int64_t w = 0; w < n_walker; w++) {
        const double *of = x + w * n_step;
        double own = 0.0;
        for (int64_t t = lag; t < n_step; t++)
            own += (of[t] - mean) * (of[t - lag] - mean);
        sum += own;
    }
    return sum;
}

static double chain_time(int64_t n_walker, int64_t n_step, const double *x, double mean)
{
    const double window = 5.0, all = chain_squares(n_walker * n_step, x, mean);
    double time = 1.0;
    for (int64_t lag = 1; lag < n_step && (double)lag < window * time; lag++)
        time += 2.0 * chain_products(n_walker, n_step, x, mean, lag) / all;
    return all > 0.0 ? time : (double)NAN;
}

static double chain_r_hat(int64_t n_walker, int64_t n_step, const double *x, double mean)
{
    const int64_t half = n_step / 2;
    const double n = (double)half, m = (double)(2 * n_walker);
    double within = 0.0, between = 0.0;
    for (int64_t c = 0; c < 2 * n_walker; c++) {
        const double *of = x + c / 2 * n_step + (c % 2 ? n_step - half : 0);
        const double own = chain_mean(half, of);
        within += chain_squares(half, of, own) / (n - 1.0) / m;
        between += (own - mean) * (own - mean) / (m - 1.0);
    }
    return sqrt(((n - 1.0) / n * within + between) / within);
}

struct ml_chain_summary ml_chain_look(int64_t n_walker, int64_t n_step, double *x)
{
    const int64_t n = n_walker * n_step;
    const double last = (double)(n - 1);
    const int64_t ranks[] = {(int64_t)(0.025 * last + 0.5), (int64_t)(0.5 * last + 0.5),
                             (int64_t)(0.975 * last + 0.5)};
    struct ml_chain_summary out = {.mean = chain_mean(n, x)};
    out.sd = sqrt(chain_squares(n, x, out.mean) / last);
    out.time = chain_time(n_walker, n_step, x, out.mean);
    out.r_hat = chain_r_hat(n_walker, n_step, x, out.mean);
    ml_select(x, n, ranks, 3);
    out.low = x[ranks[0]];
    out.median = x[ranks[1]];
    out.high = x[ranks[2]];
    return out;
}
