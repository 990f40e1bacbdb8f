// Boost.odeint over the runs of bench/runs.h, for the REAL of bench/rods.h, which is to be included
// before. One lambda per run, the state a std::array, classical Runge-Kutta.
#include <boost/numeric/odeint.hpp>

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
        rods_load(runs, first, &k, x.data());
        auto rhs = [&k](const state &at, state &dx, double) {
            rods_rhs(n, &k, at.data(), dx.data());
        };
        odeint::integrate_n_steps(stepper, rhs, x, 0.0, ML_BENCH_STEP, static_cast<size_t>(n_step));
        rods_store(n, first, x.data(), end);
    }
}

static void odeint_run(void *, const ml_bench_runs *runs, int64_t n_run, int64_t n_step,
                       double *end)
{
    if (runs->n == 2)
        odeint_run_n<2>(runs, n_run, n_step, end);
    else if (runs->n == 3)
        odeint_run_n<3>(runs, n_run, n_step, end);
    else
        odeint_run_n<8>(runs, n_run, n_step, end);
}
