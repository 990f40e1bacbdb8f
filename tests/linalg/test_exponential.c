/* Exponentials of matrices and their integrals against closed forms: a damped oscillator, a double
 * integrator, fast decay, and what is not finite. */
#include "check.h"
#include "linalg/exponential.h"

#include <math.h>

static const double rounding = 4e-15;

/* x'' = -w^2 x - 2 d x' */
static void oscillator(double w, double d, double t)
{
    const double a[] = {0.0, 1.0, -w * w, -2.0 * d}, damped = sqrt(w * w - d * d);
    const double decay = exp(-d * t), sine = decay * sin(damped * t) / damped,
                 cosine = decay * cos(damped * t);
    const double exact[] = {cosine + d * sine, sine, -w * w * sine, cosine - d * sine};
    double state[4], held[4], scratch[12];
    CHECK(ml_exponential(2, a, t, state, held, scratch));
    for (int i = 0; i < 4; i++)
        CHECK_ERROR(fabs(state[i] - (exact[i])), 2.0 * rounding * (1.0 + w * w));
    /* A held = state - 1 */
    CHECK_ERROR(fabs(held[2] - (state[0] - 1.0)), 2.0 * rounding * (1.0 + w * w));
    CHECK_ERROR(fabs(held[3] - (state[1])), 2.0 * rounding * (1.0 + w * w));
    CHECK_ERROR(fabs(held[1] - ((1.0 - state[3] - 2.0 * d * state[1]) / (w * w))), 20.0 * rounding);
}

int main(void)
{
    const double nilpotent[] = {0.0, 1.0, 0.0, 0.0}, fast[] = {-1e4, 0.0, 0.0, 2.0};
    const double lost[] = {0.0, (double)NAN, 0.0, 0.0}, grows[] = {1e3, 0.0, 0.0, 0.0};
    double state[4], held[4], scratch[12];
    oscillator(1.0, 0.1, 0.3);
    oscillator(7.0, 0.5, 2.5);
    oscillator(100.0, 1.0, 0.4);

    CHECK(ml_exponential(2, nilpotent, 3.0, state, held, scratch));
    CHECK(state[0] == 1.0 && state[1] == 3.0 && state[2] == 0.0 && state[3] == 1.0);
    CHECK(held[0] == 3.0 && held[1] == 4.5 && held[2] == 0.0 && held[3] == 3.0);

    CHECK(ml_exponential(2, fast, 0.5, state, held, scratch));
    CHECK_ERROR(fabs(state[0] - (0.0)), 1e-300);
    CHECK_ERROR(fabs(held[0] - (1e-4)), 1e-4 * rounding);
    CHECK_ERROR(fabs(state[3] - (exp(1.0))), 1e4 * rounding);

    CHECK(ml_exponential(2, nilpotent, 0.0, state, held, scratch));
    CHECK(state[0] == 1.0 && state[1] == 0.0 && held[0] == 0.0);
    CHECK(!ml_exponential(2, lost, 1.0, state, held, scratch));
    CHECK(!ml_exponential(2, grows, 1.0, state, held, scratch));
    return check_done();
}
