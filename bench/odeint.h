// Boost.odeint over the runs of bench/runs.h, for the REAL of bench/rods.h, which is to be included
// before. One lambda per run, the state a std::array, classical Runge-Kutta.
#include <boost/numeric/odeint.hpp>

#include <algorithm>
#include <array>

#include "peer.h"
#include "rods_load.h"

template <int n>
static void odeint_run_n(const ml_bench_runs *runs, int64_t n_run, int64_t n_step, double *end)
{
    namespace odeint = boost::numeric::odeint;
    using state = std::array<REAL, 2 * n>;
    odeint::runge_kutta4<state> stepper;
    for (int64_t first = 0; first < n_run; first += RODS_LANES) {
        rods k;
        state x;
        REAL loaded[RODS_MAX_STATE];
        rods_load(runs, first, &k, loaded);
        std::copy_n(loaded, 2 * n, x.begin());
        auto rhs = [&k](const state &at, state &dx, double) {
            rods_rhs(n, RODS_PASSIVE, &k, at.data(), dx.data());
        };
        odeint::integrate_n_steps(stepper, rhs, x, 0.0, ML_BENCH_STEP, static_cast<size_t>(n_step));
        rods_store(n, first, x.data(), end);
    }
}

static void odeint_run(void *, const ml_bench_runs *runs, int64_t n_run, int64_t n_step,
                       double *end)
{
#define RUN(n, ...) odeint_run_n<n>(__VA_ARGS__)
    RODS_FOR_SIZE(runs->n, RUN, runs, n_run, n_step, end)
#undef RUN
}
