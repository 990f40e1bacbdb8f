// Boost.odeint's controlled Runge-Kutta-Fehlberg 7(8), std::array, one run after the other.
#include <cmath>

#define REAL double
#define RODS_LANES 1
#define RODS_SINCOS sincos
#include "rods.h"

#include <boost/numeric/odeint.hpp>

#include <algorithm>
#include <array>

#include "rods_load.h"
#include "tolerant.h"

static void run(const ml_bench_runs *runs, double tolerance, double last, int64_t n_run,
                double *end)
{
    namespace odeint = boost::numeric::odeint;
    using state = std::array<double, 4>;
    const auto stepper =
        odeint::make_controlled(tolerance, tolerance, odeint::runge_kutta_fehlberg78<state>());
    for (int64_t r = 0; r < n_run; r++) {
        rods k;
        double loaded[RODS_MAX_STATE];
        state x;
        rods_load(runs, r, &k, loaded);
        std::copy_n(loaded, 4, x.begin());
        auto rhs = [&k](const state &at, state &dx, double) {
            rods_rhs(2, RODS_PASSIVE, &k, at.data(), dx.data());
        };
        odeint::integrate_adaptive(stepper, rhs, x, 0.0, last, 1e-2);
        rods_store(2, r, x.data(), end);
    }
}

extern "C" const ml_bench_tolerant ml_tolerant_odeint[];
const ml_bench_tolerant ml_tolerant_odeint[] = {
    {"odeint rkf78", "controlled Fehlberg 7(8), std::array, one run after the other", run}, {}};
