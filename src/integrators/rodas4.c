/* The linearly implicit method of Hairer and Wanner, order 4 with an embedded method of order 3, 6
 * stages; L-stable, and stiffly accurate: its last stages are at the end of the step. */
#include "integrators/method.h"

static const double nodes[] = {0.0, 0.386, 0.21, 0.63, 1.0, 1.0};
static const double time_weights[] = {0.25, -0.1043, 0.1035, -0.3620000000000023e-1, 0.0, 0.0};

static const double states[][ML_MAX_IMPLICIT] = {
    {0.0},
    {1.544},
    {0.9466785280815826, 0.2557011698983284},
    {3.314825187068521, 2.896124015972201, 0.9986419139977817},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1.0},
};

static const double couplings[][ML_MAX_IMPLICIT] = {
    {0.0},
    {-5.6688},
    {-2.430093356833875, -0.2063599157091915},
    {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
     -6.058818238834054},
};

static const double step[] = {
    1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1.0, 1.0,
};
static const double error[] = {0.0, 0.0, 0.0, 0.0, 0.0, 1.0};

static const struct ml_implicit implicit = {
    .gamma = 0.25,
    .time_weight = time_weights,
    .state = states,
    .coupling = couplings,
    .step = step,
    .error = error,
};

const struct ml_method ml_method_rodas4 = {
    .name = "rodas4",
    .doc = "Hairer-Wanner RODAS 4(3), linearly implicit, with a tolerance only; for stiff problems",
    .source = "Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd edition, Springer "
              "(1996), section VI.4, RODAS",
    .order = 4,
    .n_stage = 6,
    .n_step_stage = 6,
    .node = nodes,
    .implicit = &implicit,
    .embedded_order = 3,
};
