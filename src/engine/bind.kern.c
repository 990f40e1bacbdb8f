/* Joins one system (ML_SYSTEM_FILE) to every integrator: the loops over time steps, for any number
 * of segments and, from the same source with constant sizes, unrolled for the small ones. */
#include <assert.h>

#include ML_SYSTEM_FILE

#include "engine/central.kern.h"
#include "forces/sole.kern.h"
#include "integrators.gen.h"

#define JOIN_PASTE(a, b) a##b
#define JOIN(a, b) JOIN_PASTE(a, b)
#define SYSTEM(suffix) JOIN(ML_SYSTEM_NAME, suffix)
#define BOUND_EVAL(name) ML_K(name)
#define BOUND(prefix) BOUND_EVAL(JOIN(prefix, ML_SYSTEM_NAME))

/* For a system of which no size is worth a kernel of its own. */
#define ML_NO_SIZES(X, arg)

/* Vectors side by side, for any number of segments; a system's file may say more. */
#ifndef ML_SYSTEM_IN_FLIGHT
#define ML_SYSTEM_IN_FLIGHT 1
#endif

/* Whether tangents are the system's own. */
#if ML_SYSTEM_HAS_TANGENTS == 2
#define HAS_TANGENTS(flow) SYSTEM(_has_tangents)(flow)
#else
#define HAS_TANGENTS(flow) ML_SYSTEM_HAS_TANGENTS
#endif

/* Vectors of local scratch in an unrolled kernel; the compiler keeps in registers what fits. */
enum { LOCAL_WORK = 1536 };

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

/* Behind the system's own scratch: the states that a step was evaluated at and their derivatives,
 * for the tangent vectors that take the same step later. */
ML_INLINE ml_vec *held_at(const struct ml_flow *flow, int stage, ml_vec *work)
{
    return work + (flow->work_rows + ML_HELD_STATES * stage * flow->n_x) * flow->n_group;
}

/* The system's right-hand side, and what its tangent vectors need of it. */
ML_INLINE void evaluate(const struct ml_flow *flow, int stage, double t, const ml_vec *x,
                        ml_vec *dx, ml_vec *work)
{
    SYSTEM(_rhs)(flow, stage, t, x, dx, work);
    if (!flow->has_columns)
        return;
    const int size = flow->n_x * flow->n_group;
    ml_vec *held = held_at(flow, stage, work);
    for (int at = 0; at < size; at++) {
        held[at] = x[at];
        held[size + at] = dx[at];
    }
#if ML_SYSTEM_HAS_TANGENTS
    SYSTEM(_linearise)(flow, stage, x, dx, work);
#endif
}

#if ML_SYSTEM_HAS_TANGENTS != 1 || !ML_SYSTEM_HAS_FORCING
/* For differences, where speed matters less than the time to compile many copies. */
static __attribute__((noinline)) void rhs_beside(const struct ml_flow *flow, int stage, double t,
                                                 const ml_vec *x, ml_vec *dx, ml_vec *work)
{
    SYSTEM(_rhs)(flow, stage, t, x, dx, work);
}
#endif

/* How one tangent vector y grows at a stage that was evaluated before. */
ML_INLINE void evaluate_tangent(const struct ml_flow *flow, int stage, double t, const ml_vec *y,
                                ml_vec *dy, ml_vec *work)
{
    const ml_vec *x = held_at(flow, stage, work);
#if ML_SYSTEM_HAS_TANGENTS
    if (HAS_TANGENTS(flow))
        SYSTEM(_tangent)(flow, stage, t, x, x + flow->n_x * flow->n_group, y, dy, work);
#endif
#if ML_SYSTEM_HAS_TANGENTS != 1 || !ML_SYSTEM_HAS_FORCING
    ml_vec *rest = held_at(flow, flow->n_stage, work);
#endif
#if ML_SYSTEM_HAS_TANGENTS != 1
    if (!HAS_TANGENTS(flow))
        ml_central_tangent(rhs_beside, flow, t, x, y, dy, rest);
#endif
#if !ML_SYSTEM_HAS_FORCING
    if (flow->parameter >= 0)
        ml_central_forcing(rhs_beside, flow, flow->n_constant, t, x, dy, rest);
#endif
}

/* A step of every tangent vector, after that of the state.
 *   columns  [n_column][n_x][n_group] */
ML_INLINE void step_columns(ml_step_fn *take_step, const struct ml_flow *flow, double t,
                            double step, ml_vec *columns, ml_vec *work)
{
    const int size = flow->n_x * flow->n_group, unforced = flow->n_column - flow->n_parameter;
    struct ml_flow own = *flow;
    for (int c = 0; c < flow->n_column; c++) {
        own.parameter = c < unforced ? -1 : c - unforced;
        take_step(evaluate_tangent, &own, t, step, columns + c * size, work);
    }
}

/* Rows of the state and of tangent vectors to vectors, and back. */
ML_INLINE void load_rows(const struct ml_flow *flow, int n, const double *x, ml_vec *to)
{
    for (int j = 0; j < flow->n_group; j++)
        for (int i = 0; i < n; i++)
            to[i * flow->n_group + j] = ml_get(x + j * ML_WIDTH, i);
}

ML_INLINE void store_rows(const struct ml_flow *flow, int n, const ml_vec *from, double *x)
{
    for (int j = 0; j < flow->n_group; j++)
        for (int i = 0; i < n; i++)
            ml_put(x + j * ML_WIDTH, i, from[i * flow->n_group + j]);
}

/* n_step steps of the lanes of a flow. False, with x as it was, if the kernel met a lane that it is
 * not made for.
 *   x        rows [n_x (1 + n_column)] at the first lane of the flow
 *   columns  room for the tangent vectors: [n_column n_x n_group] vectors
 *   work     [(n_x + ml_rows_step) n_group] vectors */
ML_INLINE bool advance_flow(ml_step_fn *take_step, const struct ml_flow *flow, double start,
                            double step, int64_t k0, int64_t n_step, double *x, ml_vec *columns,
                            ml_vec *work)
{
    const int n_x = flow->n_x;
    double *behind = x + n_x * ML_LANES;
    ml_vec *state = work, *rest = work + n_x * flow->n_group;
    for (int j = 0; j < flow->n_group; j++) {
        flow->smallest[j] = ml_splat((double)INFINITY);
        flow->handled[j] = (ml_mask)(flow->smallest[j] == flow->smallest[j]);
    }
    load_rows(flow, n_x, x, state);
    if (flow->has_columns)
        load_rows(flow, n_x * flow->n_column, behind, columns);
    for (int64_t k = k0; k < k0 + n_step; k++) {
        const double t = __builtin_fma((double)k, step, start);
        take_step(evaluate, flow, t, step, state, rest);
        if (is_unhandled(flow))
            return false;
        if (flow->has_columns)
            step_columns(take_step, flow, t, step, columns, rest);
    }
    store_rows(flow, n_x, state, x);
    if (flow->has_columns)
        store_rows(flow, n_x * flow->n_column, columns, behind);
    return true;
}

/* Faults of the lanes of a flow, its first lane in bit 0. Tangent vectors may overflow: what is
 * measured on them is then no number, but the run goes on. */
ML_INLINE struct ml_lane_faults faults_of(const struct ml_flow *flow, const double *x)
{
    struct ml_lane_faults faults = {0, 0};
    for (int j = 0; j < flow->n_group; j++) {
        ml_vec finite = ml_splat(0.0); /* stays 0 if all is finite, else NaN */
        for (int i = 0; i < flow->n_x; i++)
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
                                 int n_stage, int n_group, ml_vec *smallest, ml_mask *handled)
{
    return (struct ml_flow){
        .n = shape->n,
        .n_x = SYSTEM(_n_x)(shape),
        .n_group = n_group,
        .n_stage = n_stage,
        .work_rows = ml_rows_rhs(&BOUND(ml_system_), shape, n_stage),
        .has_joint_terms = shape->has_joint_terms,
        .choice = shape->choice,
        .laws = shape->laws,
        .n_law = shape->n_law,
        .n_constant = SYSTEM(_constant_rows)(shape),
        .has_columns = shape->n_column > 0,
        .n_column = shape->n_column,
        .n_parameter = shape->n_parameter,
        .parameter = -1,
        .care = ML_FULL,
        .solver = solver,
        .plugin = shape->plugin,
        .smallest = smallest,
        .handled = handled,
    };
}

/* The first n_lane lanes, for any number of segments, n_group vectors side by side; the rare cases
 * of the unrolled kernels come here too. */
ML_INLINE struct ml_lane_faults advance_general(ml_step_fn *take_step, enum ml_solver_kind solver,
                                                int n_stage, int n_group, int n_lane, PARAMETERS)
{
    struct ml_lane_faults faults = {0, 0};
    ml_vec smallest[ML_ROW], *columns = (ml_vec *)work;
    ml_mask handled[ML_ROW];
    struct ml_flow flow = flow_of(shape, solver, n_stage, n_group, smallest, handled);
    for (int lane = 0; lane < n_lane; lane += n_group * ML_WIDTH) {
        flow.constants = constants + lane;
        (void)advance_flow(take_step, &flow, start, step, k0, n_step, x + lane, columns,
                           columns + (long)flow.n_x * flow.n_column * n_group);
        add_faults(&faults, faults_of(&flow, x + lane), lane);
    }
    return faults;
}

/* Advances the first n_lane lanes. */
typedef struct ml_lane_faults lanes_fn(int n_lane, PARAMETERS);

/* The first n_lane lanes, with everything in `flow` but pointers known at compile time; those lanes
 * that it is not made for by `next`. */
__attribute__((unused)) ML_INLINE struct ml_lane_faults
advance_unrolled(ml_step_fn *take_step, lanes_fn *next, struct ml_flow flow, ml_vec *local,
                 int n_lane, PARAMETERS)
{
    const int at_once = flow.n_group * ML_WIDTH;
    struct ml_lane_faults faults = {0, 0};
    ml_vec smallest[ML_ROW];
    ml_mask handled[ML_ROW];
    flow.smallest = smallest;
    flow.handled = handled;
    for (int lane = 0; lane < n_lane; lane += at_once) {
        flow.constants = constants + lane;
        if (advance_flow(take_step, &flow, start, step, k0, n_step, x + lane, (ml_vec *)work,
                         local))
            add_faults(&faults, faults_of(&flow, x + lane), lane);
        else
            add_faults(&faults, next(at_once, ARGUMENTS(lane)), lane);
    }
    return faults;
}

/* Vectors in flight: as many as the system asks for, if a batch has them. */
ML_INLINE int groups(int wanted) { return wanted < ML_ROW ? wanted : ML_ROW; }

#define GENERAL(integrator, kind, in_flight)                                               \
    static struct ml_lane_faults integrator##_##kind(int n_lane, PARAMETERS)               \
    {                                                                                      \
        return advance_general(integrator##_step, ML_SOLVER_##kind,                        \
                               integrator##_integrator.n_stage, groups(in_flight), n_lane, \
                               ARGUMENTS(0));                                              \
    }

/* What an unrolled kernel knows besides gravity: nothing, constant joint terms, or forces with laws
 * that have no numbers of their own or one; those may be any; or one that is built in. */
enum { FREE, JOINTS, LAWS, LAWS_AND_STATE, SOLE };

/* columns: 0 without tangents, 1 with as many as the shape has. */
#define UNROLLED(integrator, size, columns, in_flight, forces, how, next)                       \
    static struct ml_lane_faults integrator##_##size##_##columns##_##forces##_##how(int n_lane, \
                                                                                    PARAMETERS) \
    {                                                                                           \
        ml_vec local[LOCAL_WORK];                                                               \
        const struct ml_shape fixed = {.n = size,                                               \
                                       .n_column = columns,                                     \
                                       .has_joint_terms = forces >= JOINTS && forces != SOLE,   \
                                       .n_law_state = forces >= LAWS_AND_STATE};                \
        struct ml_flow flow =                                                                   \
            flow_of(&fixed, ML_SOLVER_interleaved, integrator##_integrator.n_stage,             \
                    groups(in_flight), NULL, NULL);                                             \
        flow.care = how;                                                                        \
        flow.n_column = columns ? shape->n_column : 0;                                          \
        flow.n_parameter = columns ? shape->n_parameter : 0;                                    \
        flow.choice = shape->choice;                                                            \
        const struct ml_law sole = forces == SOLE ? shape->laws[0] : (struct ml_law){0};        \
        flow.laws = forces == SOLE ? &sole : shape->laws;                                       \
        flow.n_law = forces == SOLE ? 1 : forces >= LAWS ? shape->n_law : 0;                    \
        flow.has_sole_law = forces == SOLE;                                                     \
        flow.n_constant = SYSTEM(_constant_rows)(shape);                                        \
        assert((flow.n_x + ml_rows_step(&BOUND(ml_system_), &fixed,                             \
                                        integrator##_integrator.state_rows, flow.n_stage)) *    \
                   flow.n_group <=                                                              \
               LOCAL_WORK);                                                                     \
        return advance_unrolled(integrator##_step, next, flow, local, n_lane, ARGUMENTS(0));    \
    }

#define UNROLLED_BOTH(integrator, size, columns, in_flight, forces)                              \
    UNROLLED(integrator, size, columns, in_flight, forces, ML_CAREFUL, integrator##_interleaved) \
    UNROLLED(integrator, size, columns, in_flight, forces, ML_HASTY,                             \
             integrator##_##size##_##columns##_##forces##_ML_CAREFUL)

#define UNROLLED_BARE(integrator, size, in_flight)      \
    UNROLLED_BOTH(integrator, size, 0, in_flight, FREE) \
    UNROLLED_BOTH(integrator, size, 0, in_flight, JOINTS)
#define UNROLLED_TANGENTS(integrator, size, in_flight)  \
    UNROLLED_BOTH(integrator, size, 1, in_flight, FREE) \
    UNROLLED_BOTH(integrator, size, 1, in_flight, JOINTS)
#define UNROLLED_LAWS(integrator, size, in_flight)                \
    UNROLLED_BOTH(integrator, size, 0, in_flight, LAWS)           \
    UNROLLED_BOTH(integrator, size, 0, in_flight, LAWS_AND_STATE) \
    UNROLLED_BOTH(integrator, size, 0, in_flight, SOLE)

#define SELECT(integrator, size, columns)                                                      \
    if (shape->n == (size) && (shape->n_column > 0) == (columns) && shape->n_law == 0)         \
        return shape->has_joint_terms                                                          \
                   ? integrator##_##size##_##columns##_JOINTS_ML_HASTY(ML_LANES, ARGUMENTS(0)) \
                   : integrator##_##size##_##columns##_FREE_ML_HASTY(ML_LANES, ARGUMENTS(0));
#define SELECT_BARE(integrator, size, in_flight) SELECT(integrator, size, 0)
#define SELECT_TANGENTS(integrator, size, in_flight) SELECT(integrator, size, 1)
#define SELECT_LAWS(integrator, size, in_flight)                                                  \
    if (shape->n == (size) && shape->n_column == 0 && is_sole_pid(shape, constants))              \
        return integrator##_##size##_0_SOLE_ML_HASTY(ML_LANES, ARGUMENTS(0));                     \
    if (shape->n == (size) && shape->n_column == 0 && shape->n_law > 0 && shape->n_law_state < 2) \
        return shape->n_law_state                                                                 \
                   ? integrator##_##size##_0_LAWS_AND_STATE_ML_HASTY(ML_LANES, ARGUMENTS(0))      \
                   : integrator##_##size##_0_LAWS_ML_HASTY(ML_LANES, ARGUMENTS(0));

#define ML_INTEGRATOR(name)                                  \
    GENERAL(name, interleaved, ML_SYSTEM_IN_FLIGHT)          \
    GENERAL(name, lapacke, 1)                                \
    GENERAL(name, recursive, 4)                              \
    ML_SYSTEM_SIZES(UNROLLED_BARE, name)                     \
    ML_SYSTEM_TANGENT_SIZES(UNROLLED_TANGENTS, name)         \
    ML_SYSTEM_LAW_SIZES(UNROLLED_LAWS, name)                 \
    static struct ml_lane_faults advance_##name(PARAMETERS)  \
    {                                                        \
        if (shape->solver == ML_SOLVER_lapacke)              \
            return name##_lapacke(ML_LANES, ARGUMENTS(0));   \
        if (shape->solver == ML_SOLVER_recursive)            \
            return name##_recursive(ML_LANES, ARGUMENTS(0)); \
        ML_SYSTEM_SIZES(SELECT_BARE, name)                   \
        ML_SYSTEM_TANGENT_SIZES(SELECT_TANGENTS, name)       \
        ML_SYSTEM_LAW_SIZES(SELECT_LAWS, name)               \
        return name##_interleaved(ML_LANES, ARGUMENTS(0));   \
    }
#include "integrators/integrators.def"
#undef ML_INTEGRATOR

extern ml_advance_fn *const BOUND(ml_advance_)[];
ml_advance_fn *const BOUND(ml_advance_)[] = {
#define ML_INTEGRATOR(name) advance_##name,
#include "integrators/integrators.def"
#undef ML_INTEGRATOR
};

/* One vector of lanes after the other: x and dx in vectors of their own. */
ML_INLINE void find_rates(struct ml_flow flow, double t, const double *constants, const double *x,
                          double *dx, double *work)
{
    ml_vec smallest, *rows = (ml_vec *)work;
    ml_mask handled;
    const int n_x = flow.n_x, unforced = flow.n_column - flow.n_parameter;
    flow.smallest = &smallest;
    flow.handled = &handled;
    ml_vec *rates = rows + n_x, *rest = rates + n_x;
    for (int lane = 0; lane < ML_LANES; lane += ML_WIDTH) {
        flow.constants = constants + lane;
        flow.parameter = -1;
        load_rows(&flow, n_x, x + lane, rows);
        evaluate(&flow, ML_STAGE_FIRST, t, rows, rates, rest);
        store_rows(&flow, n_x, rates, dx + lane);
        for (int c = 0; c < flow.n_column; c++) {
            const int behind = (1 + c) * n_x * ML_LANES + lane;
            flow.parameter = c < unforced ? -1 : c - unforced;
            load_rows(&flow, n_x, x + behind, rows);
            evaluate_tangent(&flow, ML_STAGE_FIRST, t, rows, rates, rest);
            store_rows(&flow, n_x, rates, dx + behind);
        }
    }
}

/* With tangent vectors, for a number of segments known at compile time. */
#define RATES_FOR(unused, size, in_flight)                                              \
    if (shape->n == (size) && shape->n_column > 0 && shape->n_law == 0 &&               \
        shape->solver == ML_SOLVER_interleaved) {                                       \
        const struct ml_shape fixed = {.n = size, .n_column = 1};                       \
        struct ml_flow flow = flow_of(&fixed, ML_SOLVER_interleaved, 1, 1, NULL, NULL); \
        flow.has_joint_terms = shape->has_joint_terms;                                  \
        flow.n_column = shape->n_column;                                                \
        flow.n_parameter = shape->n_parameter;                                          \
        find_rates(flow, t, constants, x, dx, work);                                    \
        return;                                                                         \
    }

extern ml_rates_fn BOUND(ml_rates_);
void BOUND(ml_rates_)(const struct ml_shape *shape, double t, const double *constants,
                      const double *x, double *dx, double *work)
{
    ML_SYSTEM_TANGENT_SIZES(RATES_FOR, )
    find_rates(flow_of(shape, shape->solver, 1, 1, NULL, NULL), t, constants, x, dx, work);
}
