/* SUNDIALS ERKStep of ARKODE: Fehlberg's pair of orders 8 and 7. */
#include <math.h>

#define REAL double
#define RODS_LANES 1
#define RODS_SINCOS sincos
#include "rods.h"

#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>
#include <string.h>

#include "rods_load.h"
#include "tolerant.h"

static int rhs(sunrealtype t, N_Vector x, N_Vector dx, void *constants)
{
    (void)t;
    rods_rhs(2, RODS_PASSIVE, constants, NV_DATA_S(x), NV_DATA_S(dx));
    return 0;
}

static int solve(void *ark, const double *start, double last, N_Vector x)
{
    double t;
    memcpy(NV_DATA_S(x), start, 4 * sizeof *start);
    if (ERKStepReInit(ark, rhs, 0.0, x) != ARK_SUCCESS ||
        ERKStepSetStopTime(ark, last) != ARK_SUCCESS)
        return ARK_MEM_FAIL;
    return ERKStepEvolve(ark, last, x, &t, ARK_NORMAL);
}

static void run(const struct ml_bench_runs *runs, double tolerance, double last, int64_t n_run,
                double *end)
{
    struct rods k;
    SUNContext context = NULL;
    (void)SUNContext_Create(NULL, &context);
    N_Vector x = N_VNew_Serial(4, context);
    N_VConst(0.0, x);
    void *ark = ERKStepCreate(rhs, 0.0, x, context);
    int flag = ERKStepSetTableNum(ark, ARKODE_FEHLBERG_13_7_8);
    flag |= ERKStepSStolerances(ark, tolerance, tolerance);
    flag |= ERKStepSetUserData(ark, &k);
    flag |= ERKStepSetMaxNumSteps(ark, -1);
    for (int64_t r = 0; r < n_run; r++) {
        double start[RODS_MAX_STATE];
        rods_load(runs, r, &k, start);
        if (flag != ARK_SUCCESS || solve(ark, start, last, x) < 0)
            NV_Ith_S(x, 0) = NAN;
        rods_store(2, r, NV_DATA_S(x), end);
    }
    ERKStepFree(&ark);
    N_VDestroy(x);
    (void)SUNContext_Free(&context);
}

extern const struct ml_bench_tolerant ml_tolerant_arkode[];
const struct ml_bench_tolerant ml_tolerant_arkode[] = {
    {"SUNDIALS ARKODE", "ERKStep, Fehlberg 8(7), one run after the other", run}, {0}};
