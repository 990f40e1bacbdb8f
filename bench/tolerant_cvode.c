/* SUNDIALS CVODE: Adams methods of variable order with functional iteration, as for what is not
 * stiff. */
#include <math.h>

#define REAL double
#define RODS_LANES 1
#define RODS_SINCOS sincos
#include "rods.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "rods_load.h"
#include "tolerant.h"

static int rhs(sunrealtype t, N_Vector x, N_Vector dx, void *constants)
{
    (void)t;
    rods_rhs(2, RODS_PASSIVE, constants, NV_DATA_S(x), NV_DATA_S(dx));
    return 0;
}

static int solve(void *cvode, const double *start, double tolerance, double last, N_Vector x)
{
    double t;
    memcpy(NV_DATA_S(x), start, 4 * sizeof *start);
    if (CVodeReInit(cvode, 0.0, x) != CV_SUCCESS ||
        CVodeSStolerances(cvode, tolerance, tolerance) != CV_SUCCESS ||
        CVodeSetStopTime(cvode, last) != CV_SUCCESS)
        return CV_MEM_FAIL;
    return CVode(cvode, last, x, &t, CV_NORMAL);
}

static void run(const struct ml_bench_runs *runs, double tolerance, double last, int64_t n_run,
                double *end)
{
    struct rods k;
    SUNContext context = NULL;
    (void)SUNContext_Create(NULL, &context);
    N_Vector x = N_VNew_Serial(4, context);
    N_VConst(0.0, x);
    void *cvode = CVodeCreate(CV_ADAMS, context);
    SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(x, 0, context);
    int flag = CVodeInit(cvode, rhs, 0.0, x);
    flag |= CVodeSStolerances(cvode, tolerance, tolerance);
    flag |= CVodeSetUserData(cvode, &k);
    flag |= CVodeSetNonlinearSolver(cvode, solver);
    flag |= CVodeSetMaxNumSteps(cvode, -1);
    for (int64_t r = 0; r < n_run; r++) {
        double start[RODS_MAX_STATE];
        rods_load(runs, r, &k, start);
        if (flag != CV_SUCCESS || solve(cvode, start, tolerance, last, x) < 0)
            NV_Ith_S(x, 0) = NAN;
        rods_store(2, r, NV_DATA_S(x), end);
    }
    CVodeFree(&cvode);
    (void)SUNNonlinSolFree(solver);
    N_VDestroy(x);
    (void)SUNContext_Free(&context);
}

extern const struct ml_bench_tolerant ml_tolerant_cvode[];
const struct ml_bench_tolerant ml_tolerant_cvode[] = {
    {"SUNDIALS CVODE", "Adams, functional iteration, one run after the other", run}, {0}};
