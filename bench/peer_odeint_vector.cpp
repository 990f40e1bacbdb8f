// Boost.odeint with native vectors in the state, and SLEEF.
#include "vectors.h"

#define REAL vector
#define RODS_LANES VECTOR_WIDTH
#define RODS_SINCOS vector_sincos
#include "rods.h"

#include "odeint.h"

extern "C" const ml_bench_peer ml_peer_odeint_vector[];
const ml_bench_peer ml_peer_odeint_vector[] = {
    {"odeint, native vector + SLEEF", "runge_kutta4, array of native vectors, u35", nullptr, 0, 1e-9, nullptr, nullptr, odeint_run},
    {},
};
