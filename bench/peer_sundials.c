/* SUNDIALS ARKStep with the table of the classical Runge-Kutta method and a fixed step. (ERKStep of
 * version 6.4 takes this method for one whose last stage is the next first, and does another.) */
#include <math.h>

#define REAL double
#define RODS_LANES 1
#define RODS_SINCOS sincos
#include "rods.h"

#include <arkode/arkode_arkstep.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "rods_load.h"

#define RHS(n)                                                                  \
    static int rhs_##n(sunrealtype t, N_Vector x, N_Vector dx, void *constants) \
    {                                                                           \
        (void)t;                                                                \
        rods_rhs(n, RODS_PASSIVE, constants, NV_DATA_S(x), NV_DATA_S(dx));      \
        return 0;                                                               \
    }
RHS(2)
RHS(3)
RHS(4)
RHS(5)
RHS(8)

static const ARKRhsFn functions[RODS_MAX + 1] = {
    [2] = rhs_2, [3] = rhs_3, [4] = rhs_4, [5] = rhs_5, [8] = rhs_8};

struct stepper {
    SUNContext context;
    N_Vector x;
    void *ark;
    struct rods k;
};

static void close(void *self)
{
    struct stepper *s = self;
    if (s->ark)
        ARKStepFree(&s->ark);
    if (s->x)
        N_VDestroy(s->x);
    if (s->context)
        (void)SUNContext_Free(&s->context);
    free(s);
}

static int set_table(void *ark)
{
    double c[4] = {0.0, 0.5, 0.5, 1.0}, b[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    double a[16] = {[4] = 0.5, [9] = 0.5, [14] = 1.0};
    ARKodeButcherTable table = ARKodeButcherTable_Create(4, 4, 0, c, a, b, NULL);
    int flag = table ? ARKStepSetTables(ark, 4, 0, NULL, table) : -1;
    ARKodeButcherTable_Free(table);
    return flag;
}

static void *open(const struct ml_bench_runs *runs)
{
    struct stepper *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    if (SUNContext_Create(NULL, &s->context) == 0 &&
        (s->x = N_VNew_Serial(2 * runs->n, s->context)) != NULL) {
        N_VConst(0.0, s->x);
        s->ark = ARKStepCreate(functions[runs->n], NULL, 0.0, s->x, s->context);
    }
    if (s->ark && ARKStepSetUserData(s->ark, &s->k) == 0 && set_table(s->ark) == 0 &&
        ARKStepSetInterpolantType(s->ark, ARK_INTERP_LAGRANGE) == 0 &&
        ARKStepSetInterpolantDegree(s->ark, 0) == 0 &&
        ARKStepSetFixedStep(s->ark, ML_BENCH_STEP) == 0 && ARKStepSetMaxNumSteps(s->ark, -1) == 0)
        return s;
    close(s);
    return NULL;
}

static void run(void *self, const struct ml_bench_runs *runs, int64_t n_run, int64_t n_step,
                double *end)
{
    struct stepper *s = self;
    const int n = runs->n;
    const double last = (double)n_step * ML_BENCH_STEP;
    for (int64_t r = 0; r < n_run; r++) {
        double t;
        long steps, evaluations, none;
        double x[RODS_MAX_STATE];
        rods_load(runs, r, &s->k, x);
        memcpy(NV_DATA_S(s->x), x, 2 * (size_t)n * sizeof *x);
        int flag = ARKStepReInit(s->ark, functions[n], NULL, 0.0, s->x);
        if (flag == 0 && ARKStepSetStopTime(s->ark, last) == 0)
            flag = ARKStepEvolve(s->ark, last, s->x, &t, ARK_NORMAL);
        if (flag < 0 || ARKStepGetNumSteps(s->ark, &steps) != 0 ||
            ARKStepGetNumRhsEvals(s->ark, &evaluations, &none) != 0 || steps != n_step ||
            evaluations > 4 * n_step + 4)
            NV_Ith_S(s->x, 0) = NAN; /* not the work that was asked for: must not agree */
        rods_store(n, r, NV_DATA_S(s->x), end);
    }
}

extern const struct ml_bench_peer ml_peer_sundials[];
const struct ml_bench_peer ml_peer_sundials[] = {
    {.name = "SUNDIALS ARKStep",
     .doc = "classical Runge-Kutta table, fixed step",
     .bound = 1e-9,
     .open = open,
     .close = close,
     .run = run},
    {0},
};
