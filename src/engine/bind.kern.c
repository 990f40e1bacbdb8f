/* Joins one system (ML_SYSTEM_FILE) to every integrator: the loops over time steps, for any number
 * of segments and, from the same source with constant sizes, unrolled for the small ones. */
#include <assert.h>

#include ML_SYSTEM_FILE

#include "integrators.gen.h"

#define JOIN_PASTE(a, b) a##b
#define JOIN(a, b) JOIN_PASTE(a, b)
#define SYSTEM(suffix) JOIN(ML_SYSTEM_NAME, suffix)

/* Vectors of local scratch in an unrolled kernel; the compiler keeps in registers what fits. */
enum { LOCAL_WORK = 640 };

/* Everything that says what to advance from where, by how much. */
#define PARAMETERS                                                                       \
    const struct ml_shape *shape, double start, double step, int64_t k0, int64_t n_step, \
        const double *constants, double *x, double *work
#define ARGUMENTS(lane) shape, start, step, k0, n_step, constants + (lane), x + (lane), work

/* True when a kernel met a lane it was not made for. */
ML_INLINE bool is_unhandled(const struct ml_flow *flow)
{
    ml_mask handled = flow->handled[0];
    for (int j = 1; j < flow->n_group; j++)
        handled &= flow->handled[j];
    return flow->care != ML_FULL && __builtin_expect(ml_bits(~handled) != 0, 0);
}

/* The system's right-hand side and, behind it, how its tangent vectors grow. */
ML_INLINE void evaluate(const struct ml_flow *flow, enum ml_stage stage, double t, const ml_vec *x,
                        ml_vec *dx, ml_vec *work)
{
    SYSTEM(_rhs)(flow, stage, t, x, dx, work);
    if (flow->n_column > 0)
        SYSTEM(_tangents)(flow, x, dx, work);
}

/* n_step steps of the lanes of a flow. False, with x as it was, if the kernel met a lane that it is
 * not made for.
 *   x     rows [n_x] at the first lane of the flow
 *   work  [(n_x (1 + state_rows) + rhs_rows) n_group] vectors */
ML_INLINE bool advance_flow(ml_step_fn *take_step, const struct ml_flow *flow, double start,
                            double step, int64_t k0, int64_t n_step, double *x, ml_vec *work)
{
    const int n_x = flow->n_x, n_group = flow->n_group;
    ml_vec *state = work;
    for (int j = 0; j < n_group; j++) {
        flow->smallest[j] = ml_splat((double)INFINITY);
        flow->handled[j] = (ml_mask)(flow->smallest[j] == flow->smallest[j]);
        for (int i = 0; i < n_x; i++)
            state[i * n_group + j] = ml_get(x + j * ML_WIDTH, i);
    }
    for (int64_t k = k0; k < k0 + n_step; k++) {
        take_step(evaluate, flow, __builtin_fma((double)k, step, start), step, state,
                  work + n_x * n_group);
        if (is_unhandled(flow))
            return false;
    }
    for (int j = 0; j < n_group; j++)
        for (int i = 0; i < n_x; i++)
            ml_put(x + j * ML_WIDTH, i, state[i * n_group + j]);
    return true;
}

/* Faults of the lanes of a flow, its first lane in bit 0. Tangent vectors may overflow: what is
 * measured on them is then no number, but the run goes on. */
ML_INLINE struct ml_lane_faults faults_of(const struct ml_flow *flow, const double *x)
{
    const int n_state = flow->n_x / (1 + flow->n_column);
    struct ml_lane_faults faults = {0, 0};
    for (int j = 0; j < flow->n_group; j++) {
        ml_vec finite = ml_splat(0.0); /* stays 0 if all is finite, else NaN */
        for (int i = 0; i < n_state; i++)
            finite = ml_fma(ml_get(x + j * ML_WIDTH, i), ml_splat(0.0), finite);
        faults.nonfinite |= ml_bits((ml_mask)(finite != 0.0)) << j * ML_WIDTH;
        faults.singular |= ml_bits(~(ml_mask)(flow->smallest[j] > 0.0)) << j * ML_WIDTH;
    }
    return faults;
}

ML_INLINE void add_faults(struct ml_lane_faults *to, struct ml_lane_faults more, int lane)
{
    to->nonfinite |= more.nonfinite << lane;
    to->singular |= more.singular << lane;
}

/* For any number of segments. */
ML_INLINE struct ml_flow flow_of(const struct ml_shape *shape, enum ml_solver_kind solver,
                                 int n_group, ml_vec *smallest, ml_mask *handled)
{
    return (struct ml_flow){
        .n = shape->n,
        .n_x = SYSTEM(_n_x)(shape) * (1 + shape->n_column),
        .n_group = n_group,
        .n_column = shape->n_column,
        .has_joint_terms = shape->has_joint_terms,
        .care = ML_FULL,
        .solver = solver,
        .smallest = smallest,
        .handled = handled,
    };
}

/* The first n_lane lanes, for any number of segments, n_group vectors side by side; the rare cases
 * of the unrolled kernels come here too. */
ML_INLINE struct ml_lane_faults advance_general(ml_step_fn *take_step, enum ml_solver_kind solver,
                                                int n_group, int n_lane, PARAMETERS)
{
    struct ml_lane_faults faults = {0, 0};
    ml_vec smallest[ML_ROW];
    ml_mask handled[ML_ROW];
    struct ml_flow flow = flow_of(shape, solver, n_group, smallest, handled);
    for (int lane = 0; lane < n_lane; lane += n_group * ML_WIDTH) {
        flow.constants = constants + lane;
        (void)advance_flow(take_step, &flow, start, step, k0, n_step, x + lane, (ml_vec *)work);
        add_faults(&faults, faults_of(&flow, x + lane), lane);
    }
    return faults;
}

/* Advances the first n_lane lanes. */
typedef struct ml_lane_faults lanes_fn(int n_lane, PARAMETERS);

/* The first n_lane lanes, with everything in `flow` but pointers known at compile time; those lanes
 * that it is not made for by `next`. */
ML_INLINE struct ml_lane_faults advance_unrolled(ml_step_fn *take_step, lanes_fn *next,
                                                 struct ml_flow flow, ml_vec *local, int n_lane,
                                                 PARAMETERS)
{
    const int at_once = flow.n_group * ML_WIDTH;
    struct ml_lane_faults faults = {0, 0};
    ml_vec smallest[ML_ROW];
    ml_mask handled[ML_ROW];
    flow.smallest = smallest;
    flow.handled = handled;
    for (int lane = 0; lane < n_lane; lane += at_once) {
        flow.constants = constants + lane;
        if (advance_flow(take_step, &flow, start, step, k0, n_step, x + lane, local))
            add_faults(&faults, faults_of(&flow, x + lane), lane);
        else
            add_faults(&faults, next(at_once, ARGUMENTS(lane)), lane);
    }
    return faults;
}

/* Vectors in flight: as many as the system asks for, if a batch has them. */
ML_INLINE int groups(int wanted) { return wanted < ML_ROW ? wanted : ML_ROW; }

#define GENERAL(integrator, kind, in_flight)                                                   \
    static struct ml_lane_faults integrator##_##kind(int n_lane, PARAMETERS)                   \
    {                                                                                          \
        return advance_general(integrator##_step, ML_SOLVER_##kind, groups(in_flight), n_lane, \
                               ARGUMENTS(0));                                                  \
    }

#define UNROLLED(integrator, size, columns, in_flight, joint, how, next)                       \
    static struct ml_lane_faults integrator##_##size##_##columns##_##joint##_##how(int n_lane, \
                                                                                   PARAMETERS) \
    {                                                                                          \
        ml_vec local[LOCAL_WORK];                                                              \
        const struct ml_shape fixed = {.n = size, .n_column = columns};                        \
        const struct ml_flow flow = {                                                          \
            .n = size,                                                                         \
            .n_x = SYSTEM(_n_x)(&fixed) * (1 + columns),                                       \
            .n_group = groups(in_flight),                                                      \
            .n_column = columns,                                                               \
            .has_joint_terms = joint,                                                          \
            .care = how,                                                                       \
            .solver = ML_SOLVER_interleaved,                                                   \
        };                                                                                     \
        assert(flow.n_group *(flow.n_x * (1 + integrator##_integrator.state_rows) +            \
                              SYSTEM(_rhs_rows)(&fixed)) <= LOCAL_WORK);                       \
        return advance_unrolled(integrator##_step, next, flow, local, n_lane, ARGUMENTS(0));   \
    }

#define UNROLLED_ALL(integrator, size, columns, in_flight)                                  \
    UNROLLED(integrator, size, columns, in_flight, 0, ML_CAREFUL, integrator##_interleaved) \
    UNROLLED(integrator, size, columns, in_flight, 1, ML_CAREFUL, integrator##_interleaved) \
    UNROLLED(integrator, size, columns, in_flight, 0, ML_HASTY,                             \
             integrator##_##size##_##columns##_0_ML_CAREFUL)                                \
    UNROLLED(integrator, size, columns, in_flight, 1, ML_HASTY,                             \
             integrator##_##size##_##columns##_1_ML_CAREFUL)

#define SELECT(integrator, size, columns, in_flight)                                      \
    if (shape->n == (size) && shape->n_column == (columns))                               \
        return shape->has_joint_terms                                                     \
                   ? integrator##_##size##_##columns##_1_ML_HASTY(ML_LANES, ARGUMENTS(0)) \
                   : integrator##_##size##_##columns##_0_ML_HASTY(ML_LANES, ARGUMENTS(0));

#define ML_INTEGRATOR(name)                                  \
    GENERAL(name, interleaved, 1)                            \
    GENERAL(name, lapacke, 1)                                \
    GENERAL(name, recursive, 4)                              \
    ML_SYSTEM_SIZES(UNROLLED_ALL, name)                      \
    static struct ml_lane_faults advance_##name(PARAMETERS)  \
    {                                                        \
        if (shape->solver == ML_SOLVER_lapacke)              \
            return name##_lapacke(ML_LANES, ARGUMENTS(0));   \
        if (shape->solver == ML_SOLVER_recursive)            \
            return name##_recursive(ML_LANES, ARGUMENTS(0)); \
        ML_SYSTEM_SIZES(SELECT, name)                        \
        return name##_interleaved(ML_LANES, ARGUMENTS(0));   \
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

/* One vector of lanes after the other: x and dx in vectors of their own. */
extern ml_rates_fn BOUND(ml_rates_);
void BOUND(ml_rates_)(const struct ml_shape *shape, double t, const double *constants,
                      const double *x, double *dx, double *work)
{
    ml_vec smallest, *state = (ml_vec *)work;
    ml_mask handled;
    struct ml_flow flow = flow_of(shape, shape->solver, 1, &smallest, &handled);
    ml_vec *rate = state + flow.n_x, *rest = rate + flow.n_x;
    for (int lane = 0; lane < ML_LANES; lane += ML_WIDTH) {
        flow.constants = constants + lane;
        for (int i = 0; i < flow.n_x; i++)
            state[i] = ml_get(x + lane, i);
        evaluate(&flow, ML_STAGE_FIRST, t, state, rate, rest);
        for (int i = 0; i < flow.n_x; i++)
            ml_put(dx + lane, i, rate[i]);
    }
}
