/* Linear and logarithmic ranges. */
#include "fit/coordinate.h"

#include <math.h>
#include <string.h>

/* Logarithm of the size of a number; both ends of a logarithmic range have the same sign. */
static long double log_of(double number) { return logl(fabsl((long double)number)); }

double ml_fit_number(const struct ml_fit_range *range, double z)
{
    if (z >= 1.0)
        return range->to;
    if (!range->is_log)
        return fma(range->to - range->from, z, range->from);
    const long double first = log_of(range->from);
    const long double size = expl(first + (log_of(range->to) - first) * (long double)z);
    return copysign((double)size, range->from);
}

double ml_fit_scale(const struct ml_fit_range *range, double z)
{
    if (!range->is_log)
        return range->to - range->from;
    return ml_fit_number(range, z) * (double)(log_of(range->to) - log_of(range->from));
}

void ml_fit_scales(const struct ml_fit_spec *fit, const struct ml_experiment *e, const double *z,
                   double *scales)
{
    for (int i = 0; i < fit->n_direction; i++)
        scales[i] = ml_fit_scale(&fit->ranges[e->ranges[i]], z[e->ranges[i]]);
}

double ml_fit_coordinate(const struct ml_fit_range *range, double number)
{
    const long double first = log_of(range->from);
    const double z = range->is_log
                         ? (double)((log_of(number) - first) / (log_of(range->to) - first))
                         : (number - range->from) / (range->to - range->from);
    return fmin(fmax(z, 0.0), 1.0);
}

struct ml_fit_distance ml_fit_prior(const struct ml_fit_range *range, double z)
{
    const struct ml_normal_law law = ml_distribution_law(&range->prior);
    const bool is_log = range->prior.kind == ML_LOGNORMAL;
    const long double from = is_log ? log_of(range->from) : (long double)range->from,
                      width = (is_log ? log_of(range->to) : (long double)range->to) - from;
    return (struct ml_fit_distance){(double)((from + width * (long double)z - law.mean) / law.sd),
                                    (double)(width / law.sd)};
}

void ml_fit_priors(const struct ml_fit_spec *fit, const double *z, double *residuals,
                   double *jacobian)
{
    const int n = fit->n_range;
    const double *l = fit->prior_factor;
    memset(jacobian, 0, (size_t)(n * n) * sizeof *jacobian);
    for (int i = 0; i < n; i++) {
        const bool has_prior = ml_fit_has_prior(&fit->ranges[i]);
        const struct ml_fit_distance at =
            has_prior ? ml_fit_prior(&fit->ranges[i], z[i]) : (struct ml_fit_distance){0};
        residuals[i] = at.residual;
        jacobian[i * n + i] = at.slope;
        for (int k = 0; has_prior && l && k < i; k++) {
            residuals[i] -= l[i * n + k] * residuals[k];
            for (int j = 0; j <= k; j++)
                jacobian[i * n + j] -= l[i * n + k] * jacobian[k * n + j];
        }
        residuals[i] /= has_prior && l ? l[i * n + i] : 1.0;
        for (int j = 0; has_prior && l && j <= i; j++)
            jacobian[i * n + j] /= l[i * n + i];
    }
}
