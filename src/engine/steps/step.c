/* The state within a step, by Hermite's or Lagrange's interpolation. */
#include "engine/steps/step.h"

#include <string.h>

const double *ml_step_points(int n)
{
    static const double points[][ML_STEP_POINTS] = {
        {0.0, 1.0},
        {0.0, 0.5, 1.0},
        {0.0, 0.27639320225002101, 0.72360679774997894, 1.0},
        {0.0, 0.17267316464601143, 0.5, 0.82732683535398854, 1.0},
        {0.0, 0.11747233803526766, 0.35738424175967748, 0.64261575824032258, 0.88252766196473231,
         1.0},
    };
    return points[n - 2];
}

int ml_step_n_point(const struct ml_method *method)
{
    if (method->order > 8)
        return ML_STEP_POINTS;
    return method->implicit || method->order > 7 ? 5
           : method->order > 5                   ? 4
           : method->order > 3                   ? 3
                                                 : 2;
}

/* Weights of the state and the rate, times the step, at point k of the step in the state at the
 * first n of these shares of it. */
static void step_weights(const struct ml_step *step, const double *share, int n, int k,
                         double *value, double *rate)
{
    const double *point = ml_step_points(step->n_point);
    double whole = 1.0, slope = 0.0;
    for (int lane = 0; lane < n; lane++)
        value[lane] = 1.0;
    for (int j = 0; j < step->n_point; j++) {
        if (j == k)
            continue;
        whole *= point[k] - point[j];
        slope += 2.0 / (point[k] - point[j]);
        for (int lane = 0; lane < n; lane++)
            value[lane] *= share[lane] - point[j];
    }
    for (int lane = 0; lane < n; lane++) {
        const double basis = value[lane] / whole, by = share[lane] - point[k];
        value[lane] = step->takes_rates ? (1.0 - slope * by) * (basis * basis) : basis;
        rate[lane] = by * (basis * basis);
    }
}

/* The weights of all lanes, whose shares often are one. */
static void step_weights_of_lanes(const struct ml_step *step, const double *share, int k,
                                  double *value, double *rate)
{
    bool is_one = true;
    for (int lane = 1; lane < ML_LANES; lane++)
        is_one &= share[lane] == share[0];
    step_weights(step, share, is_one ? 1 : ML_LANES, k, value, rate);
    for (int lane = 1; lane < ML_LANES && is_one; lane++) {
        value[lane] = value[0];
        rate[lane] = rate[0];
    }
    for (int lane = 0; lane < ML_LANES; lane++)
        rate[lane] *= step->length[lane];
}

void ml_step_state(const struct ml_step *step, const double *share, double *x)
{
    double value[ML_STEP_POINTS][ML_LANES], rate[ML_STEP_POINTS][ML_LANES];
    for (int k = 0; k < step->n_point; k++)
        step_weights_of_lanes(step, share, k, value[k], rate[k]);
    for (int i = 0; i < step->n_row * ML_LANES; i += ML_LANES) {
        double now[ML_LANES] = {0.0};
        for (int k = 0; k < step->n_point; k++) {
            for (int lane = 0; lane < ML_LANES; lane++)
                now[lane] += value[k][lane] * step->x[k][i + lane];
            if (step->takes_rates)
                for (int lane = 0; lane < ML_LANES; lane++)
                    now[lane] += rate[k][lane] * step->rate[k][i + lane];
        }
        memcpy(x + i, now, sizeof now);
    }
}
