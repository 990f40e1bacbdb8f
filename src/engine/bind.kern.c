/* Joins one system (ML_SYSTEM_FILE) to every integrator: the loops over time steps, for any number
 * of segments and, from the same source with constant sizes, unrolled for the small ones. */
#include <assert.h>

#include ML_SYSTEM_FILE

#include "integrators.gen.h"

#define JOIN_PASTE(a, b) a##b
#define JOIN(a, b) JOIN_PASTE(a, b)
#define SYSTEM(suffix) JOIN(ML_SYSTEM_NAME, suffix)

/* Vectors of local scratch in an unrolled kernel; the compiler keeps in registers what fits. */
enum { LOCAL_WORK = 192 };

/* n_step steps of the lanes of a flow; faults with its first lane in bit 0.
 *   x     rows [n_x] at the first lane
 *   work  [(n_x (1 + state_rows) + rhs_rows) n_group] vectors */
ML_INLINE struct ml_lane_faults advance_flow(ml_step_fn *take_step, const struct ml_flow *flow,
                                             double start, double step, int64_t k0, int64_t n_step,
                                             double *x, ml_vec *work)
{
    const int n_x = flow->n_x, n_group = flow->n_group;
    struct ml_lane_faults faults = {0, 0};
    ml_vec *state = work;
    for (int j = 0; j < n_group; j++) {
        flow->smallest[j] = ml_splat((double)INFINITY);
        for (int i = 0; i < n_x; i++)
            state[j * n_x + i] = ml_get(x + j * ML_WIDTH, i);
    }
    for (int64_t k = k0; k < k0 + n_step; k++)
        take_step(SYSTEM(_rhs), flow, __builtin_fma((double)k, step, start), step, state,
                  work + n_x * n_group);
    for (int j = 0; j < n_group; j++) {
        ml_vec finite = ml_splat(0.0); /* stays 0 if all is finite, else NaN */
        for (int i = 0; i < n_x; i++) {
            finite = ml_fma(state[j * n_x + i], ml_splat(0.0), finite);
            ml_put(x + j * ML_WIDTH, i, state[j * n_x + i]);
        }
        faults.nonfinite |= ml_bits((ml_mask)(finite != 0.0)) << j * ML_WIDTH;
        faults.singular |= ml_bits(~(ml_mask)(flow->smallest[j] > 0.0)) << j * ML_WIDTH;
    }
    return faults;
}

/* All lanes of a batch; sizes of the flow are constants where it is unrolled. */
ML_INLINE struct ml_lane_faults advance(ml_step_fn *take_step, struct ml_flow flow, double start,
                                        double step, int64_t k0, int64_t n_step,
                                        const double *constants, double *x, ml_vec *work)
{
    struct ml_lane_faults faults = {0, 0};
    ml_vec smallest[ML_LANES / ML_WIDTH];
    flow.smallest = smallest;
    for (int g = 0; g < ML_LANES; g += flow.n_group * ML_WIDTH) {
        flow.constants = constants + g;
        struct ml_lane_faults here =
            advance_flow(take_step, &flow, start, step, k0, n_step, x + g, work);
        faults.nonfinite |= here.nonfinite << g;
        faults.singular |= here.singular << g;
    }
    return faults;
}

/* Vectors in flight: as many as the system asks for, if a batch has them. */
ML_INLINE int groups(int wanted)
{
    return wanted * ML_WIDTH <= ML_LANES ? wanted : ML_LANES / ML_WIDTH;
}

#define PARAMETERS                                                                       \
    const struct ml_shape *shape, double start, double step, int64_t k0, int64_t n_step, \
        const double *constants, double *x

#define UNROLLED(integrator, size, in_flight, joint)                                          \
    static struct ml_lane_faults integrator##_##size##_##joint(PARAMETERS)                    \
    {                                                                                         \
        ml_vec work[LOCAL_WORK];                                                              \
        const struct ml_shape fixed = {.n = size};                                            \
        const struct ml_flow flow = {                                                         \
            .n = size,                                                                        \
            .n_x = SYSTEM(_n_x)(&fixed),                                                      \
            .n_group = groups(in_flight),                                                     \
            .has_joint_terms = joint,                                                         \
            .solver = ML_SOLVER_interleaved,                                                  \
        };                                                                                    \
        (void)shape;                                                                          \
        assert(flow.n_group * (flow.n_x * (1 + integrator##_integrator.state_rows) +               \
                               SYSTEM(_rhs_rows)(&fixed)) <=                                       \
               LOCAL_WORK);                                                                        \
        return advance(integrator##_step, flow, start, step, k0, n_step, constants, x, work); \
    }

#define UNROLLED_BOTH(integrator, size, in_flight) \
    UNROLLED(integrator, size, in_flight, 0)       \
    UNROLLED(integrator, size, in_flight, 1)

#define SELECT(integrator, size, in_flight)                                                \
    case size:                                                                             \
        return shape->has_joint_terms                                                      \
                   ? integrator##_##size##_1(shape, start, step, k0, n_step, constants, x) \
                   : integrator##_##size##_0(shape, start, step, k0, n_step, constants, x);

#define GENERAL(integrator, kind)                                                      \
    static struct ml_lane_faults integrator##_##kind(PARAMETERS, double *work)         \
    {                                                                                  \
        const struct ml_flow flow = {                                                  \
            .n = shape->n,                                                             \
            .n_x = SYSTEM(_n_x)(shape),                                                \
            .n_group = 1,                                                              \
            .has_joint_terms = shape->has_joint_terms,                                 \
            .solver = ML_SOLVER_##kind,                                                \
        };                                                                             \
        return advance(integrator##_step, flow, start, step, k0, n_step, constants, x, \
                       (ml_vec *)work);                                                \
    }

#define ML_INTEGRATOR(name)                                                                \
    ML_SYSTEM_SIZES(UNROLLED_BOTH, name)                                                   \
    GENERAL(name, interleaved)                                                             \
    GENERAL(name, lapacke)                                                                 \
    static struct ml_lane_faults advance_##name(PARAMETERS, double *work)                  \
    {                                                                                      \
        if (shape->solver == ML_SOLVER_lapacke)                                            \
            return name##_lapacke(shape, start, step, k0, n_step, constants, x, work);     \
        switch (shape->n) {                                                                \
            ML_SYSTEM_SIZES(SELECT, name)                                                  \
        default:                                                                           \
            return name##_interleaved(shape, start, step, k0, n_step, constants, x, work); \
        }                                                                                  \
    }
#include "integrators/integrators.def"
#undef ML_INTEGRATOR

#define BOUND_EVAL(name) ML_K(name)
#define BOUND(prefix) BOUND_EVAL(JOIN(prefix, ML_SYSTEM_NAME))

extern ml_advance_fn *const BOUND(ml_advance_)[];
ml_advance_fn *const BOUND(ml_advance_)[] = {
#define ML_INTEGRATOR(name) advance_##name,
#include "integrators/integrators.def"
#undef ML_INTEGRATOR
};
