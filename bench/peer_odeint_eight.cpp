// Boost.odeint with a type of 8 doubles in the state, and SLEEF.
#include "vectors.h"

// 8 doubles in as many native vectors as that takes.
struct eight {
    static constexpr int count = 8 / VECTOR_WIDTH;
    vector v[count];
};

#define EIGHT_OPERATOR(op)                                          \
    static inline eight operator op(const eight &a, const eight &b) \
    {                                                               \
        eight out;                                                  \
        for (int i = 0; i < eight::count; i++)                      \
            out.v[i] = a.v[i] op b.v[i];                            \
        return out;                                                 \
    }                                                               \
    static inline eight operator op(double a, const eight &b)       \
    {                                                               \
        eight out;                                                  \
        for (int i = 0; i < eight::count; i++)                      \
            out.v[i] = a op b.v[i];                                 \
        return out;                                                 \
    }
EIGHT_OPERATOR(+)
EIGHT_OPERATOR(-)
EIGHT_OPERATOR(*)
EIGHT_OPERATOR(/)

static inline eight operator-(const eight &a) { return -1.0 * a; }

static inline void eight_sincos(const eight &x, eight *s, eight *c)
{
    for (int i = 0; i < eight::count; i++)
        vector_sincos(x.v[i], &s->v[i], &c->v[i]);
}

#define REAL eight
#define RODS_LANES 8
#define RODS_SINCOS eight_sincos
#include "rods.h"

#include "odeint.h"

extern "C" const ml_bench_peer ml_peer_odeint_eight[];
const ml_bench_peer ml_peer_odeint_eight[] = {
    {"odeint, 8 doubles + SLEEF", "runge_kutta4, array of 8-double vectors, u35", nullptr, 0, 1e-9, nullptr, nullptr, odeint_run},
    {},
};
