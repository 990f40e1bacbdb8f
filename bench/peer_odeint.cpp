// Boost.odeint as its manual has it: std::array of double.
#include <cmath>

#define REAL double
#define RODS_LANES 1
#define RODS_SINCOS sincos
#include "rods.h"

#include "odeint.h"

extern "C" const ml_bench_peer ml_peer_odeint[];
const ml_bench_peer ml_peer_odeint[] = {
    {"odeint, std::array", "runge_kutta4, one run after the other, libm", nullptr, 0, 1e-9, nullptr, nullptr, odeint_run},
    {},
};
