/* A particle of mass `m` that nothing pulls, and what can be wrong with it: each macro replaces one
 * thing that is right. */
#include <manylink/plugin.h>
#include <math.h>
#include <stddef.h>

#ifndef VERSION
#define VERSION ML_PLUGIN_VERSION
#endif
#ifdef LATER /* the descriptor of a later version */
struct later {
    struct ml_plugin now;
    void *more;
};
#define SIZE sizeof(struct later)
#endif
#ifndef SIZE
#define SIZE sizeof(struct ml_plugin)
#endif
#ifndef NAME
#define NAME "particle"
#endif
#ifndef PARAM
#define PARAM "m"
#endif
#ifndef UNIT
#define UNIT "kg"
#endif
#ifndef DOC
#define DOC "mass"
#endif
#ifndef DEFAULT
#define DEFAULT 1.0
#endif
#ifndef N_PARAM
#define N_PARAM 2
#endif
#ifndef STATE
#define STATE "x"
#endif
#ifndef N_STATE
#define N_STATE 2
#endif
#ifndef RATES
#define RATES NULL
#endif
#ifndef TERMS
#define TERMS terms
#endif
#ifndef SYMBOL
#define SYMBOL manylink_plugin
#endif

static const struct ml_plugin_param params[] = {
    {"k", "N/m", "stiffness", 0.0, 0.0, 1.0},
    {PARAM, UNIT, DOC, DEFAULT, -10.0, 10.0},
};

static const struct ml_plugin_quantity state[29] = {
    {STATE, "m", "position"},
    {"v", "m/s", "velocity"},
};

void rates(int n_lane, const double *t, const double *p, const double *x, double *dx);
void rates(int n_lane, const double *t, const double *p, const double *x, double *dx)
{
    (void)n_lane, (void)t, (void)p, (void)x, (void)dx;
}

void terms(int n_lane, const double *t, const double *p, const double *q, const double *qd,
           double *mass, double *force);
void terms(int n_lane, const double *t, const double *p, const double *q, const double *qd,
           double *mass, double *force)
{
    (void)t, (void)qd;
    for (int i = 0; i < n_lane; i++) {
        mass[i] = p[n_lane + i];
        force[i] = -p[i] * q[i];
    }
}

#define DESCRIPTOR                                                                                \
    {                                                                                             \
        .version = VERSION, .size = SIZE, .name = NAME, .doc = "a free particle",                 \
        .params = params, .n_param = N_PARAM, .state = state, .n_state = N_STATE, .rates = RATES, \
        .terms = TERMS,                                                                           \
    }
#ifdef LATER
extern ML_API const struct later later __asm__("manylink_plugin");
const struct later later = {DESCRIPTOR, (void *)LATER};
#else
extern ML_API const struct ml_plugin SYMBOL;
const struct ml_plugin SYMBOL = DESCRIPTOR;
#endif
