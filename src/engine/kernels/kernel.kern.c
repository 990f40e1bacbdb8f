/* The kernel: one loop over the stages of a method's tableau, with the right-hand side of one
 * system inlined and its tangent vectors in the same loop. Compiled once per system and instruction
 * set for any sizes, the general kernel; and once more for each spec (kernels.def, or made for a
 * study), in which what is written ML_SPEC_... is known:
 *
 *   ML_SYSTEM_name        1: the system is `name`
 *   ML_KERNEL_SYMBOL      the struct ml_kernel that is defined; ML_KERNEL_MADE: in a shared object
 *   ML_SPEC_TEXT          names the spec (engine/kernels/spec.h); the others are there if it is:
 *   ML_SPEC_N, ML_SPEC_SOLVER, ML_SPEC_JOINT_TERMS, ML_SPEC_COLUMNS, ML_SPEC_PARAMETERS
 *                         segments, solver, whether there are constant joint terms, tangent
 *                         vectors, and parameter directions among these (any number)
 *   ML_SPEC_CHOICE        the system's choices
 *   ML_SPEC_ADAPTIVE      1: lanes choose their steps; else they are given
 *   ML_SPEC_IMPLICIT, ML_SPEC_SPLITTING
 *                         1: by methods of this kind; neither: by a tableau
 *   ML_SPEC_MAP           1: by iteration of a map; otherwise it need not be there
 *   ML_SPEC_COMPENSATED   1: sums of the state are compensated
 *   ML_SPEC_WIDE          1: the state is too long for registers
 *   ML_SPEC_PLUGIN        1: the C source of a plugin, which defines `ml_spec_plugin`, follows
 *                         this file; ML_SPEC_CODE is the hash of that source
 *   ML_SPEC_EACH_LAW, ML_SPEC_LAWS, ML_SPEC_LAW_STATE, ML_SPEC_LAW_CONSTANT
 *                         state-dependent forces, if there are any
 *                         (spec_laws.kern.h)
 *   ML_SPEC_QUANTITY_CONSTANT
 *                         rows of constants that records by formula take, if there are any
 *   ML_SPEC_METHOD, ML_SPEC_N_COLUMN, ML_SPEC_N_SENS, ML_SPEC_ROWS
 *                         of a kernel for windows of many batches (engine/gpu/window.kern.h), whose
 *                         entry is ml_gpu_window in the place of ML_KERNEL_SYMBOL: the method, the
 *                         numbers of tangent vectors and of parameter directions, and the rows of
 *                         scratch of a step
 */
/* Mixes the instructions of vectors side by side, so that the processor sees both within its window
 * (8 % at n = 2, 3). Not for tangents (-2 %), nor longer chains, whose source has them mixed
 * already (-8 % at n = 8), nor with 16 registers (-4 %). */
#if defined ML_SPEC_N && defined __AVX512F__ && defined __GNUC__ && !defined __clang__
#if ML_SPEC_N <= 4 && !ML_SPEC_COLUMNS
#pragma GCC optimize("schedule-insns", "sched-pressure")
#endif
#endif

#include "engine/kernels/kernel.h"

#include "systems.gen.h"

#include "engine/kernels/central.kern.h"
#include "engine/kernels/spec_laws.kern.h"

#ifdef ML_KERNEL_MADE
#include "simd/sincos_large.c"
#endif

#ifndef ML_SPEC_EACH_LAW
#define ML_SPEC_N_LAW 0
#define ML_SPEC_LAW_STATE 0
#define ML_SPEC_LAW_CONSTANT 0
#endif
#ifndef ML_SPEC_QUANTITY_CONSTANT
#define ML_SPEC_QUANTITY_CONSTANT 0
#endif
#ifndef ML_SPEC_TEXT
#define ML_SPEC_COMPENSATED 0
#define ML_SPEC_ADAPTIVE 0
#define ML_SPEC_PLUGIN 0
#endif

/* Whether the state is local to a function, in registers as far as they go; else it is in `work`.
 */
#ifdef ML_SPEC_TEXT
#define KERNEL_IS_LOCAL (!ML_SPEC_IMPLICIT && !ML_SPEC_WIDE)
#else
#define KERNEL_IS_LOCAL 0
#endif

/* Whether rates are exported: by the general kernel, and where it would interpret formulas at each
 * look at the trace of their Jacobian. */
#if !defined ML_SPEC_TEXT || (defined ML_SYSTEM_equations && ML_SPEC_COLUMNS)
#define KERNEL_HAS_RATES 1
#else
#define KERNEL_HAS_RATES 0
#endif

#if defined ML_SYSTEM_HAS_MEASURES && ML_SYSTEM_HAS_MEASURES == 1
#define KERNEL_MEASURES_RATES 1
#else
#define KERNEL_MEASURES_RATES 0
#endif

/* The kind of a method. */
#ifdef ML_SPEC_TEXT
#define KERNEL_IS_IMPLICIT(method) ML_SPEC_IMPLICIT
#define KERNEL_IS_SPLITTING(method) ML_SPEC_SPLITTING
#ifdef ML_SPEC_MAP
#define KERNEL_IS_MAP(method) 1
#else
#define KERNEL_IS_MAP(method) 0
#endif
#else
#define KERNEL_IS_IMPLICIT(method) ((method)->implicit != NULL)
#define KERNEL_IS_SPLITTING(method) ((method)->splitting != NULL)
#define KERNEL_IS_MAP(method) ((method)->is_map)
#endif

enum {
    KERNEL_LOCAL = ML_KERNEL_LOCAL_ROWS * (int)ML_ROW, /* vectors on the stack */
    KERNEL_CONSTANTS = 512,   /* vectors of constants that are copied there too */
    KERNEL_CACHE = 512 << 10, /* bytes that all lanes of a step may take side by side */
    KERNEL_BLOCK = ML_WIDTH == 8 ? 16 : 8, /* rows of a sum that are kept in registers */
    KERNEL_CHECKED_STEPS = 16              /* until the fast path is tried again */
};

/* Vectors that advance side by side. */
#define KERNEL_LEAST(a, b) ((a) < (b) ? (a) : (b))
#if ML_WIDTH == 1 /* each lane by itself */
#define KERNEL_GROUPS 1
#elif defined ML_SPEC_TEXT
#define KERNEL_GROUPS KERNEL_LEAST(ML_SYSTEM_GROUPS(ML_SPEC_N, ML_SPEC_COLUMNS), (int)ML_ROW)
#else
#define KERNEL_GROUPS ML_SYSTEM_GENERAL_GROUPS
#endif

#if ML_SPEC_PLUGIN
extern __attribute__((visibility("hidden"))) const struct ml_plugin ml_spec_plugin;
#define KERNEL_OWN(model) (&ml_spec_plugin)
#else
#define KERNEL_OWN(model) ((model)->own)
#endif

/* Where the numbers of a step are, in vectors; constant offsets in local arrays. */
struct kernel_room {
    ml_vec *x;       /* [n_x][n_group] the state */
    ml_vec *y, *z;   /* like x: a stage's state, and one of its tangent vectors */
    ml_vec *newest;  /* like x: the state's derivative at the last stage */
    ml_vec *scratch; /* of the right-hand side, and of differences */
    ml_vec *columns; /* [n_column][n_x][n_group] tangent vectors */
    ml_vec *k;       /* [n_stage][1 + n_column][n_x][n_group] derivatives */
    ml_vec *low;     /* like x: its low parts, where sums are compensated */
};

/* The clocks of the lanes that advance together. */
struct kernel_clock {
    ml_vec t[ML_ROW], h[ML_ROW]; /* s */
    ml_mask active[ML_ROW];
    bool all_active;
    double *drift; /* as of ml_clock, from the first lane on; NULL: not measured at this step */
    int64_t due;   /* the next step at which drift is measured; -1: none is */
};

/* Unrolled in cold code too, where gcc would not by itself: one index that it does not know, and
 * all of an array of vectors is in memory instead of registers, wherever it is used. */
ML_INLINE void kernel_copy(int n, const ml_vec *from, ml_vec *to)
{
    ML_UNROLL
    for (int i = 0; i < n; i++)
        to[i] = from[i];
}

/* Where a stage or a step ends: y = x + scale (sum of terms), of n rows at once. A single term has
 * its weight in the scale.
 *   scale   [n_group] step over divisor
 *   k       derivatives, `stride` from stage to stage
 *   newest  the derivative at the stage of the last term, if that is at hand; else NULL */
ML_INLINE void kernel_combine_block(int n, int n_group, const struct ml_sum *sum,
                                    const ml_vec *scale, long stride, const ml_vec *k,
                                    const ml_vec *newest, const ml_vec *x, ml_vec *y)
{
    ml_vec total[KERNEL_BLOCK];
    const struct ml_term *term = sum->terms, *last = term + sum->n_term - 1;
    const ml_vec *from = k + term->stage * stride;
    if (term == last) {
        ML_UNROLL_WHOLE
        for (int i = 0; i < n; i++)
            y[i] = ml_fma(scale[i % n_group], newest ? newest[i] : from[i], x[i]);
        return;
    }
    ml_vec weight = ml_splat(term->weight);
    ML_UNROLL_WHOLE
    for (int i = 0; i < n; i++)
        total[i] = weight * from[i];
    ML_ROLLED
    for (term++; term < last; term++) {
        from = k + term->stage * stride;
        weight = ml_splat(term->weight);
        ML_UNROLL_WHOLE
        for (int i = 0; i < n; i++)
            total[i] = ml_fma(weight, from[i], total[i]);
    }
    from = k + last->stage * stride;
    weight = ml_splat(last->weight);
    ML_UNROLL_WHOLE
    for (int i = 0; i < n; i++)
        y[i] = ml_fma(scale[i % n_group], ml_fma(weight, newest ? newest[i] : from[i], total[i]),
                      x[i]);
}

/* Combines stages for all `size` rows. */
ML_INLINE void kernel_combine(int size, int n_group, const struct ml_sum *sum, const ml_vec *scale,
                              long stride, const ml_vec *k, const ml_vec *newest, const ml_vec *x,
                              ml_vec *y)
{
    const int rest = size % KERNEL_BLOCK, whole = size - rest;
    ML_UNROLL
    for (int at = 0; at < whole; at += KERNEL_BLOCK)
        kernel_combine_block(KERNEL_BLOCK, n_group, sum, scale, stride, k + at,
                             newest ? newest + at : NULL, x + at, y + at);
    if (KERNEL_IS_LOCAL && rest > 0)
        kernel_combine_block(rest, n_group, sum, scale, stride, k + whole,
                             newest ? newest + whole : NULL, x + whole, y + whole);
    for (int at = whole; !KERNEL_IS_LOCAL && at < size; at += n_group)
        for (int j = 0; j < n_group; j++)
            kernel_combine_block(1, 1, sum, scale + j, stride, k + at + j, NULL, x + at + j,
                                 y + at + j);
}

/* Combines stages for the state, whose derivative at stage `stage` may be kept in registers: a load
 * of a row that was just stored makes the next stage wait. */
ML_INLINE void kernel_combine_state(const struct ml_rhs_ctx *ctx, const struct ml_sum *sum,
                                    const ml_vec *scale, const struct kernel_room *room, int stage)
{
    const int n_group = ctx->n_group, size = ctx->n_x * n_group;
    const long stride = (long)size * (1 + ctx->n_column);
    if (KERNEL_IS_LOCAL && sum->terms[sum->n_term - 1].stage == stage)
        kernel_combine(size, n_group, sum, scale, stride, room->k, room->newest, room->x, room->y);
    else
        kernel_combine(size, n_group, sum, scale, stride, room->k, NULL, room->x, room->y);
}

/* Whether tangents are the system's own. */
#if ML_SYSTEM_HAS_TANGENTS == 2
#define KERNEL_HAS_TANGENTS(ctx) ML_OF_SYSTEM(_has_tangents)(ctx)
#else
#define KERNEL_HAS_TANGENTS(ctx) ML_SYSTEM_HAS_TANGENTS
#endif

#if ML_SYSTEM_HAS_TANGENTS != 1 || !ML_SYSTEM_HAS_FORCING
/* For differences, where speed matters less than the time to compile many copies. */
static __attribute__((noinline, unused)) void kernel_rhs_beside(const struct ml_rhs_ctx *ctx,
                                                                int stage, const ml_vec *t,
                                                                const ml_vec *x, ml_vec *dx,
                                                                ml_vec *work)
{
    ML_OF_SYSTEM(_rhs)(ctx, stage, t, x, dx, work);
}
#endif

/* dy/dt of one tangent vector at the state that was evaluated last.
 *   scratch  as of kernel_room */
ML_INLINE void kernel_tangent(const struct ml_rhs_ctx *ctx, const ml_vec *t, const ml_vec *x,
                              const ml_vec *dx, const ml_vec *y, ml_vec *dy, ml_vec *scratch)
{
#if ML_SYSTEM_HAS_TANGENTS
    if (KERNEL_HAS_TANGENTS(ctx))
        ML_OF_SYSTEM(_tangent)(ctx, t, x, dx, y, dy, scratch);
#endif
#if ML_SYSTEM_HAS_TANGENTS != 1 || !ML_SYSTEM_HAS_FORCING
    ml_vec *beside = scratch + ctx->rhs_rows * ctx->n_group;
    (void)dx;
#endif
#if ML_SYSTEM_HAS_TANGENTS != 1
    if (!KERNEL_HAS_TANGENTS(ctx))
        ml_central_tangent(kernel_rhs_beside, ctx, t, x, y, dy, beside);
#endif
#if !ML_SYSTEM_HAS_FORCING
    if (ctx->parameter >= 0)
        ml_central_forcing(kernel_rhs_beside, ctx, ctx->n_constant, t, x, dy, beside);
#endif
}

/* The instance, with the members that the spec fixes as constants. */
#ifdef ML_SPEC_TEXT
ML_INLINE struct ml_instance kernel_model(const struct ml_instance *model)
{
    return (struct ml_instance){
        .n = ML_SPEC_N,
        .choice = {ML_SPEC_CHOICE},
        .has_joint_terms = ML_SPEC_JOINT_TERMS,
        .laws = model->laws,
        .n_law = ML_SPEC_N_LAW,
        .n_law_constant = ML_SPEC_LAW_CONSTANT,
        .n_quantity_constant = ML_SPEC_QUANTITY_CONSTANT,
        .n_law_state = ML_SPEC_LAW_STATE,
        .is_compensated = ML_SPEC_COMPENSATED,
        .own = KERNEL_OWN(model),
        .n_column = ML_SPEC_COLUMNS ? model->n_column : 0,
        .n_sens = ML_SPEC_PARAMETERS ? model->n_sens : 0,
        .solver = ML_SPEC_SOLVER,
    };
}
#else
ML_INLINE struct ml_instance kernel_model(const struct ml_instance *model) { return *model; }
#endif

/* The context of the lanes from `constants` on.
 *   model  with constants as far as they are known */
ML_INLINE struct ml_rhs_ctx kernel_ctx(const struct ml_instance *model, enum ml_solver_kind solver,
                                       enum ml_path path, int n_group, const double *constants,
                                       ml_vec *smallest, ml_vec *largest)
{
    return (struct ml_rhs_ctx){
        .n = model->n,
        .n_x = ML_OF_SYSTEM(_n_x)(model),
        .n_group = n_group,
        .rhs_rows = ML_OF_SYSTEM(_rhs_rows)(model),
        .has_joint_terms = model->has_joint_terms,
        .choice = model->choice,
        .laws = model->laws,
        .n_law = model->n_law,
        .own = model->own,
        .is_compensated = model->is_compensated,
        .has_columns = model->n_column > 0,
        .n_column = model->n_column,
        .n_sens = model->n_sens,
        .parameter = -1,
        .path = path,
        .solver = solver,
        .n_constant = ML_OF_SYSTEM(_constant_rows)(model),
        .constants = constants,
        .smallest = smallest,
        .largest_angle = largest,
        .largest_increment = largest + ML_ROW,
    };
}

/* A context, with the members that the spec fixes as constants. */
ML_INLINE struct ml_rhs_ctx kernel_known(const struct ml_rhs_ctx *ctx)
{
    struct ml_rhs_ctx known = *ctx;
#ifdef ML_SPEC_TEXT
    static const int choice[] = {ML_SPEC_CHOICE};
    const struct ml_instance given = {.laws = ctx->laws, .own = ctx->own},
                             model = kernel_model(&given);
    known = kernel_ctx(&model, ML_SPEC_SOLVER, ML_CHECKED, KERNEL_GROUPS, ctx->constants,
                       ctx->smallest, ctx->largest_angle);
    known.choice = choice; /* not those of `model`, which go */
    known.has_columns = ctx->has_columns;
    known.n_column = ctx->n_column;
    known.n_sens = ctx->n_sens;
    known.begin = ctx->begin;
    known.length = ctx->length;
#endif
    return known;
}

/* Derivatives of the state x and of its tangent vectors.
 *   sum, scale  where the tangent vectors are that the derivatives are of: NULL: at `columns`
 *   k           [1 + n_column][n_x][n_group] out */
ML_INLINE void kernel_evaluate_inline(const struct ml_rhs_ctx *ctx, int stage, const ml_vec *t,
                                      const ml_vec *x, const struct ml_sum *sum,
                                      const ml_vec *scale, const struct kernel_room *room,
                                      ml_vec *k)
{
    const int size = ctx->n_x * ctx->n_group, unforced = ctx->n_column - ctx->n_sens;
    ML_OF_SYSTEM(_rhs)(ctx, stage, t, x, room->newest, room->scratch);
    kernel_copy(size, room->newest, k);
    if (!ctx->has_columns)
        return;
#if ML_SYSTEM_HAS_TANGENTS
    ML_OF_SYSTEM(_linearise)(ctx, x, room->newest, room->scratch);
#endif
    struct ml_rhs_ctx own = *ctx;
    ML_ROLLED
    for (int c = 0; c < ctx->n_column; c++) {
        const ml_vec *y = room->columns + c * size;
        own.parameter = c < unforced ? -1 : c - unforced;
        if (sum) {
            kernel_combine(size, ctx->n_group, sum, scale, (long)size * (1 + ctx->n_column),
                           room->k + (1 + c) * size, NULL, y, room->z);
            y = room->z;
        }
        kernel_tangent(&own, t, x, room->newest, y, k + (1 + c) * size, room->scratch);
    }
}

#if KERNEL_IS_LOCAL
#define kernel_evaluate kernel_evaluate_inline
#else

/* gcc makes a copy for calls of which it knows an argument: of a long state's rates that is half of
 * the time it takes. */
#if defined ML_SPEC_TEXT && defined __GNUC__ && !defined __clang__
#define KERNEL_ONCE __attribute__((noinline, noclone))
#else
#define KERNEL_ONCE __attribute__((noinline))
#endif

/* For the general kernel with any of its solvers, and for all calls of a linearly implicit step: a
 * copy for each would take the compiler as long again. */
KERNEL_ONCE static void kernel_evaluate_any(const struct ml_rhs_ctx *ctx, int stage,
                                            const ml_vec *t, const ml_vec *x,
                                            const struct ml_sum *sum, const ml_vec *scale,
                                            const struct kernel_room *room, ml_vec *k)
{
    struct ml_rhs_ctx own = kernel_known(ctx);
#ifdef ML_SYSTEM_ANY_GROUPS
    own.n_group = ctx->n_group;
#else
    own.n_group = KERNEL_GROUPS;
#endif
    own.path = ML_CHECKED;
    kernel_evaluate_inline(&own, stage, t, x, sum, scale, room, k);
}

#if defined ML_SYSTEM_HAS_LAPACKE && !defined ML_SPEC_TEXT
/* It solves one vector at a time. */
static __attribute__((noinline)) void
kernel_evaluate_lapacke(const struct ml_rhs_ctx *ctx, int stage, const ml_vec *t, const ml_vec *x,
                        const struct ml_sum *sum, const ml_vec *scale,
                        const struct kernel_room *room, ml_vec *k)
{
    struct ml_rhs_ctx own = *ctx;
    own.n_group = 1;
    own.path = ML_CHECKED;
    own.solver = ML_SOLVER_lapacke;
    kernel_evaluate_inline(&own, stage, t, x, sum, scale, room, k);
}
#endif

ML_INLINE void kernel_evaluate(const struct ml_rhs_ctx *ctx, int stage, const ml_vec *t,
                               const ml_vec *x, const struct ml_sum *sum, const ml_vec *scale,
                               const struct kernel_room *room, ml_vec *k)
{
#if defined ML_SYSTEM_HAS_LAPACKE && !defined ML_SPEC_TEXT
    if (ctx->solver == ML_SOLVER_lapacke) {
        kernel_evaluate_lapacke(ctx, stage, t, x, sum, scale, room, k);
        return;
    }
#endif
#ifdef ML_SPEC_TEXT /* constants stay constants in a context whose address is not passed on */
    const struct ml_rhs_ctx copy = *ctx;
    ctx = &copy;
#endif
    kernel_evaluate_any(ctx, stage, t, x, sum, scale, room, k);
}

#endif

/* Whether the fast path was right for all active lanes since it began. */
ML_INLINE bool kernel_was_fast(const struct ml_rhs_ctx *ctx, const struct kernel_clock *clock)
{
    ml_mask right = ml_within(ctx->largest_angle[0], ML_ANGLE_FAST) &
                    ml_within(ctx->largest_increment[0], ML_INCREMENT_MAX);
    right |= ~clock->active[0];
    for (int j = 1; j < ctx->n_group; j++)
        right &= ~clock->active[j] | (ml_within(ctx->largest_angle[j], ML_ANGLE_FAST) &
                                      ml_within(ctx->largest_increment[j], ML_INCREMENT_MAX));
    return ml_bits(~right) == 0;
}

#ifdef ML_SYSTEM_HAS_MEASURES

/* Takes the drift of the energy before a step into the largest so far, from what the first stage
 * has left in the scratch; not of lanes where the fast path has them wrong. */
ML_INLINE void kernel_measure_drift(const struct ml_rhs_ctx *ctx, const struct kernel_clock *clock,
                                    const struct kernel_room *room)
{
    ml_vec energy[ML_ROW];
    if (__builtin_expect(clock->drift == NULL, 1))
        return;
    ML_OF_SYSTEM(_stage_energy)(ctx, room->x, room->scratch, energy);
    for (int j = 0; j < ctx->n_group; j++) {
        double *own = clock->drift + j * ML_WIDTH;
        const ml_vec change = ml_abs(energy[j] - ml_load(own, 0)), worst = ml_load(own, 1);
        ml_mask is_kept = ml_is_kept(change, worst);
        if (ctx->path == ML_FAST)
            is_kept |= ~ml_within(ctx->largest_angle[j], ML_ANGLE_FAST);
        ml_store(own, 1, ml_select(is_kept, worst, change));
    }
}

#else
#define kernel_measure_drift(ctx, clock, room) ((void)(clock)->drift)
#endif

#if KERNEL_MEASURES_RATES

/* Takes the rates of a state into the largest so far.
 *   rates  rows of the first lane */
ML_INLINE void kernel_measure_rates(const struct ml_rhs_ctx *ctx, bool is_plain, const ml_vec *x,
                                    double *rates)
{
    for (int i = 0; i < ctx->n; i++)
        for (int j = 0; j < ctx->n_group; j++) {
            const ml_vec rate = ml_abs(ML_OF_SYSTEM(_rate)(ctx, is_plain, j, x, i));
            ml_store(rates + j * ML_WIDTH, i, ml_max(rate, ml_load(rates + j * ML_WIDTH, i)));
        }
}

#else
#define kernel_measure_rates(ctx, is_plain, x, rates) ((void)(rates))
#endif

/* Takes over the states of active lanes. */
ML_INLINE void kernel_accept(const struct kernel_clock *clock, int size, int n_group,
                             const ml_vec *from, ml_vec *to)
{
    if (clock->all_active) {
        kernel_copy(size, from, to);
        return;
    }
    ML_UNROLL
    for (int i = 0; i < size; i++)
        to[i] = ml_select(clock->active[i % n_group], from[i], to[i]);
}

/* x += step, to the sum rounded once and the error of that rounding, exactly (TwoSum: D. E. Knuth,
 * The Art of Computer Programming, volume 2, section 4.2.2). */
ML_INLINE void kernel_add(ml_vec step, ml_vec *x, ml_vec *low)
{
    const ml_vec sum = *x + step, back = sum - *x;
    *low = (*x - (sum - back)) + (step - back);
    *x = sum;
}

/* From room->y, the step with what was left before it, to the end of the step; what is left of that
 * to room->z. */
ML_INLINE void kernel_add_compensated(const struct ml_rhs_ctx *ctx, const struct kernel_room *room)
{
    for (int i = 0; i < ctx->n_x * ctx->n_group; i++) {
        const ml_vec step = room->y[i];
        room->y[i] = room->x[i];
        kernel_add(step, &room->y[i], &room->z[i]);
    }
}

/* One step. False, with everything as it was, where the fast path was wrong for some lane.
 *   scale  [n_step_stage + 1][n_group] as of kernel_scales */
ML_INLINE bool kernel_step(const struct ml_rhs_ctx *ctx, const struct ml_method *method,
                           const struct kernel_clock *clock, const ml_vec *scale,
                           const struct kernel_room *room)
{
    const int n_group = ctx->n_group, size = ctx->n_x * n_group, n_stage = method->n_step_stage;
    const long stride = (long)size * (1 + ctx->n_column);
    const ml_vec *last = scale + n_stage * n_group;
    const bool is_fast = ctx->path == ML_FAST; /* has code of its own for the first stage */
    for (int j = 0; j < n_group; j++)
        ctx->largest_angle[j] = ctx->largest_increment[j] = ml_splat(0.0);
    if (is_fast) {
        kernel_evaluate(ctx, ML_STAGE_FIRST, clock->t, room->x, NULL, NULL, room, room->k);
        kernel_measure_drift(ctx, clock, room);
    }
    ML_ROLLED
    for (int s = is_fast ? 1 : 0; s < n_stage; s++) {
        const struct ml_sum *sum = s > 0 ? &method->stage[s] : NULL;
        const ml_vec node = ml_splat(method->node[s]);
        ml_vec t[ML_ROW];
        for (int j = 0; j < n_group; j++)
            t[j] = ml_fma(node, clock->h[j], clock->t[j]);
        if (sum)
            kernel_combine_state(ctx, sum, scale + s * n_group, room, s - 1);
        else
            kernel_copy(size, room->x, room->y);
        kernel_evaluate(ctx, sum ? ML_STAGE_LATER : ML_STAGE_FIRST, t, room->y, sum,
                        scale + s * n_group, room, room->k + s * stride);
        if (!sum)
            kernel_measure_drift(ctx, clock, room);
    }
    if (is_fast && __builtin_expect(!kernel_was_fast(ctx, clock), 0))
        return false;
    if (ctx->is_compensated) {
        kernel_combine(size, n_group, &method->step, last, stride, room->k, NULL, room->low,
                       room->y);
        kernel_add_compensated(ctx, room);
        kernel_accept(clock, size, n_group, room->z, room->low);
    } else {
        kernel_combine_state(ctx, &method->step, last, room, n_stage - 1);
    }
    kernel_accept(clock, size, n_group, room->y, room->x);
    ML_ROLLED
    for (int c = 0; c < ctx->n_column; c++) {
        ml_vec *column = room->columns + c * size;
        kernel_combine(size, n_group, &method->step, last, stride, room->k + (1 + c) * size, NULL,
                       column, room->z);
        kernel_accept(clock, size, n_group, room->z, column);
    }
    return true;
}

/* Lets laws know the step under way. */
ML_INLINE void kernel_report_step(struct ml_rhs_ctx *ctx, const ml_vec *begin, const ml_vec *length)
{
    if (ctx->n_law == 0)
        return;
    ctx->begin = begin;
    ctx->length = length;
}

/* Rows of the state or of tangent vectors to vectors, and back.
 *   x  at the first of the lanes */
ML_INLINE void kernel_load(int n, int n_group, const double *x, ml_vec *to)
{
    for (int j = 0; j < n_group; j++)
        for (int i = 0; i < n; i++)
            to[i * n_group + j] = ml_load(x + j * ML_WIDTH, i);
}

ML_INLINE void kernel_store(int n, int n_group, const ml_vec *from, double *x)
{
    for (int j = 0; j < n_group; j++)
        for (int i = 0; i < n; i++)
            ml_store(x + j * ML_WIDTH, i, from[i * n_group + j]);
}

/* Room in `work`: of the state only the rows that a kernel for any size takes. */
ML_INLINE struct kernel_room kernel_room_in(const struct ml_rhs_ctx *ctx, int n_stage, ml_vec *work)
{
    const int size = ctx->n_x * ctx->n_group;
    struct kernel_room room = {.columns = work};
    room.k = room.columns + (long)size * ctx->n_column;
    room.x = room.k + (long)size * (1 + ctx->n_column) * n_stage;
    room.y = room.x + size;
    room.z = room.y + size;
    room.newest = room.z + size;
    room.low = room.newest + size;
    room.scratch = room.low + (ctx->is_compensated ? size : 0);
    return room;
}

/* Whether vectors of lanes advance one by one: where a library solves for one at a time, and where
 * the rows of a step of all lanes would not stay in the second-level cache.
 *   n_stage  as of kernel_room_in */
ML_INLINE bool kernel_is_narrow(const struct ml_instance *model, int n_stage)
{
    bool is_narrow = false;
    (void)model, (void)n_stage;
#if defined ML_SYSTEM_HAS_LAPACKE && !defined ML_SPEC_TEXT
    is_narrow = model->solver == ML_SOLVER_lapacke;
#endif
#ifdef ML_SYSTEM_ANY_GROUPS
    const long n_row = (long)ML_OF_SYSTEM(_n_x)(model) * (1 + model->n_column) * (1 + n_stage);
    is_narrow = n_row * ML_LANES * (long)sizeof(double) > KERNEL_CACHE;
#endif
    return is_narrow;
}

/* Clocks of the lanes from `lane` on, at their first step. */
ML_INLINE struct kernel_clock kernel_clock_of(const struct ml_clock *clock, int lane, int n_group)
{
    struct kernel_clock own = {.all_active = clock->active == ML_ALL_LANES, .due = -1};
    if (clock->drift)
        own.due = (clock->k0 + clock->drift_every - 1) / clock->drift_every * clock->drift_every;
    for (int j = 0; j < n_group; j++) {
        own.h[j] = ml_load(clock->step + lane + j * ML_WIDTH, 0);
        for (int l = 0; l < ML_WIDTH; l++)
            own.active[j][l] = -(int64_t)(clock->active >> (lane + j * ML_WIDTH + l) & 1);
    }
    return own;
}

/* Sets the clocks to step k of the lanes from `lane` on. */
ML_INLINE void kernel_clock_set(const struct ml_clock *clock, int64_t k, int lane, int n_group,
                                struct kernel_clock *own)
{
    for (int j = 0; j < n_group; j++)
        own->t[j] =
            ml_fma(ml_splat((double)k), own->h[j], ml_load(clock->start + lane + j * ML_WIDTH, 0));
    own->drift = NULL;
    if (__builtin_expect(k == own->due, 0)) {
        own->drift = clock->drift + lane;
        own->due += clock->drift_every;
    }
}

/* Adds what the last sweep of a step changed any row of the state by. Not inlined, and without the
 * context, whose numbers then stay constants.
 *   k  [n_stage][stride] derivatives, of which the first n_x n_group vectors are the state's */
static __attribute__((noinline)) void kernel_note_residual(const struct ml_clock *clock,
                                                           const struct ml_method *method, int lane,
                                                           int n_x, int n_group, long stride,
                                                           const ml_vec *k)
{
    const struct ml_sum *step = &method->step;
    const struct kernel_clock own = kernel_clock_of(clock, lane, n_group);
    for (int j = 0; j < n_group; j++) {
        double *row = clock->residual + lane + j * ML_WIDTH;
        ml_vec largest = ml_splat(0.0);
        for (int i = 0; i < n_x; i++) {
            ml_vec change = ml_splat(0.0);
            for (int term = 0; term < step->n_term; term++) {
                const ml_vec *now = k + step->terms[term].stage * stride + i * n_group + j;
                change = ml_fma(ml_splat(fabs(step->terms[term].weight)),
                                ml_abs(now[0] - now[-method->n_sweep_stage * stride]), change);
            }
            largest = ml_max(largest, change);
        }
        const ml_vec before = ml_load(row, 0);
        const ml_vec after = ml_fma(largest, own.h[j] / step->divisor, before);
        ml_store(row, 0, ml_select(own.active[j], after, before));
    }
}

/* Where the next state of a history goes, and behind how many steps. */
struct kernel_history {
    double *row;
    int64_t due;
};

/* The history of the lanes from `lane` on. */
ML_INLINE struct kernel_history kernel_history_of(const struct ml_clock *clock, int lane)
{
    struct kernel_history history = {NULL, -1};
    if (clock->history) {
        history.row = clock->history + lane;
        history.due = (clock->k0 / clock->every + 1) * clock->every;
    }
    return history;
}

/* Measures the rates and the residual of the sweeps behind step k, and writes the state there to
 * the history, where these are wanted. */
ML_INLINE void kernel_note(const struct ml_clock *clock, const struct ml_method *method, int64_t k,
                           int lane, const struct ml_rhs_ctx *ctx, const ml_vec *x,
                           const ml_vec *derivatives, struct kernel_history *history)
{
    if (clock->rates && ((k + 1) & clock->rates_mask) == 0)
        kernel_measure_rates(ctx, clock->is_plain, x, clock->rates + lane);
    if (__builtin_expect(clock->residual != NULL, 0))
        kernel_note_residual(clock, method, lane, ctx->n_x, ctx->n_group,
                             (long)ctx->n_x * ctx->n_group * (1 + ctx->n_column), derivatives);
    if (__builtin_expect(k + 1 == history->due, 0)) {
        kernel_store(ctx->n_x, ctx->n_group, x, history->row);
        history->row += (long)ctx->n_x * ML_LANES;
        history->due += clock->every;
    }
}

/* Step over divisor, of the method's stages and of the step, with the weight of a single term:
 * [n_step_stage + 1][n_group]. */
ML_INLINE void kernel_scales(const struct ml_method *method, const struct kernel_clock *clock,
                             int n_group, ml_vec *scale)
{
    if (!method->stage)
        return;
    ML_ROLLED
    for (int s = 1; s <= method->n_step_stage; s++) {
        const struct ml_sum *sum = s < method->n_step_stage ? &method->stage[s] : &method->step;
        const double weight = sum->n_term == 1 ? sum->terms[0].weight : 1.0;
        for (int j = 0; j < n_group; j++)
            scale[s * n_group + j] = clock->h[j] / sum->divisor * weight;
    }
}

/* Faults of the lanes of a context, its first lane in bit 0. Tangent vectors may overflow: what is
 * measured on them is then no number, but the run goes on.
 *   smallest  [n_group] pivot of all steps */
ML_INLINE void kernel_add_faults(const struct ml_rhs_ctx *ctx, const ml_vec *x,
                                 const ml_vec *smallest, int lane, struct ml_lane_faults *faults)
{
    for (int j = 0; j < ctx->n_group; j++) {
        ml_vec finite = ml_splat(0.0); /* stays 0 if all is finite, else NaN */
        for (int i = 0; i < ctx->n_x; i++)
            finite = ml_fma(x[i * ctx->n_group + j], ml_splat(0.0), finite);
        faults->nonfinite |= ml_bits((ml_mask)(finite != 0.0)) << (lane + j * ML_WIDTH);
        faults->singular |= ml_bits(~(ml_mask)(smallest[j] > 0.0)) << (lane + j * ML_WIDTH);
    }
}

#ifdef ML_SPEC_TEXT

/* What follows from constants alone is computed once where they are out of reach of every store. */
ML_INLINE void kernel_take_constants(struct ml_rhs_ctx *ctx, ml_vec *own)
{
    if (ML_SPEC_PARAMETERS || ctx->n_constant * ML_ROW > KERNEL_CONSTANTS)
        return;
    for (int i = 0; i < ctx->n_constant; i++)
        for (int j = 0; j < ctx->n_group; j++)
            own[i * ML_ROW + j] = ml_load(ctx->constants + j * ML_WIDTH, i);
    ctx->constants = (const double *)own;
}

/* Room of which the state is in `local`. */
ML_INLINE struct kernel_room kernel_local_room(const struct kernel_room *beside, int size,
                                               ml_vec *local)
{
    struct kernel_room room = *beside;
    room.x = local;
    room.y = room.x + size;
    room.z = room.y + size;
    room.newest = room.z + size;
    room.low = room.newest + size;
    room.scratch = room.low + (ML_SPEC_COMPENSATED ? size : 0);
    return room;
}

#endif

/* The state, its tangent vectors, and the remainders of its compensated sums. */
ML_INLINE void kernel_load_all(const struct ml_rhs_ctx *ctx, const double *x,
                               const struct kernel_room *room)
{
    const int n_x = ctx->n_x, n_group = ctx->n_group;
    kernel_load(n_x, n_group, x, room->x);
    kernel_load(n_x * ctx->n_column, n_group, x + n_x * ML_LANES, room->columns);
    if (ctx->is_compensated)
        kernel_load(n_x, n_group, x + (1 + ctx->n_column) * n_x * ML_LANES, room->low);
}

ML_INLINE void kernel_store_all(const struct ml_rhs_ctx *ctx, const struct kernel_room *room,
                                double *x)
{
    const int n_x = ctx->n_x, n_group = ctx->n_group;
    kernel_store(n_x, n_group, room->x, x);
    kernel_store(n_x * ctx->n_column, n_group, room->columns, x + n_x * ML_LANES);
    if (ctx->is_compensated)
        kernel_store(n_x, n_group, room->low, x + (1 + ctx->n_column) * n_x * ML_LANES);
}

#if KERNEL_IS_LOCAL
/* The state, and the remainders of its compensated sums, to another room. */
ML_INLINE void kernel_copy_state(int size, const struct kernel_room *from,
                                 const struct kernel_room *to)
{
    kernel_copy(size, from->x, to->x);
    if (ML_SPEC_COMPENSATED)
        kernel_copy(size, from->low, to->low);
}
#endif

#include "engine/kernels/adaptive.kern.h"
#if !KERNEL_IS_LOCAL
#include "engine/kernels/implicit.kern.h"
#endif
#include "engine/kernels/splitting.kern.h"

/* One iteration of a map: the state becomes f(x), tangent vectors their derivatives. As
 * kernel_step.
 */
ML_INLINE bool kernel_iterate(const struct ml_rhs_ctx *ctx, const struct kernel_clock *clock,
                              const struct kernel_room *room)
{
    const int n_group = ctx->n_group, size = ctx->n_x * n_group;
    for (int j = 0; j < n_group; j++)
        ctx->largest_angle[j] = ctx->largest_increment[j] = ml_splat(0.0);
    kernel_evaluate(ctx, ML_STAGE_FIRST, clock->t, room->x, NULL, NULL, room, room->k);
    if (ctx->path == ML_FAST && __builtin_expect(!kernel_was_fast(ctx, clock), 0))
        return false;
    kernel_accept(clock, size, n_group, room->k, room->x);
    ML_ROLLED
    for (int c = 0; c < ctx->n_column; c++)
        kernel_accept(clock, size, n_group, room->k + (1 + c) * size, room->columns + c * size);
    return true;
}

/* One step of given length by any method. As kernel_step. */
ML_INLINE bool kernel_take_step(const struct ml_rhs_ctx *ctx, const struct ml_method *method,
                                const struct kernel_clock *clock, const ml_vec *scale,
                                const struct kernel_room *room)
{
    if (KERNEL_IS_MAP(method))
        return kernel_iterate(ctx, clock, room);
    return KERNEL_IS_SPLITTING(method) ? splitting_step(ctx, method, clock, room)
                                       : kernel_step(ctx, method, clock, scale, room);
}

#if !KERNEL_IS_LOCAL || defined ML_SPEC_METHOD

/* Steps of the lanes of a context, all of them by the checked path. */
ML_INLINE void kernel_advance_checked(struct ml_rhs_ctx *ctx, const struct ml_method *method,
                                      const struct ml_clock *clocks, const struct kernel_room *room,
                                      int lane, double *x, struct ml_lane_faults *faults)
{
    const int n_group = ctx->n_group;
    ml_vec scale[(ML_MAX_STAGE + 1) * ML_ROW];
    struct kernel_clock clock = kernel_clock_of(clocks, lane, n_group);
    kernel_report_step(ctx, clock.t, clock.h);
    kernel_scales(method, &clock, n_group, scale);
    for (int j = 0; j < n_group; j++)
        ctx->smallest[j] = ml_splat((double)INFINITY);
    kernel_load_all(ctx, x + lane, room);
    struct kernel_history history = kernel_history_of(clocks, lane);
#pragma GCC unroll 1
    for (int64_t k = clocks->k0; k < clocks->k0 + clocks->n_step; k++) {
        kernel_clock_set(clocks, k, lane, n_group, &clock);
        (void)kernel_take_step(ctx, method, &clock, scale, room);
        kernel_note(clocks, method, k, lane, ctx, room->x, room->k, &history);
    }
    kernel_add_faults(ctx, room->x, ctx->smallest, lane, faults);
    kernel_store_all(ctx, room, x + lane);
}

#endif

#if KERNEL_IS_LOCAL && ML_SPEC_ADAPTIVE && !defined ML_SPEC_METHOD

/* Steps of the lanes of a context, which choose them. */
ML_INLINE void kernel_adapt_lanes(const struct ml_instance *whole, const struct adaptive_call *call,
                                  const double *constants, double *x, double *work, int lane,
                                  struct ml_lane_faults *faults)
{
    const struct ml_method *method = call->method;
    const struct ml_instance model = kernel_model(whole);
    ml_vec smallest[ML_ROW], largest[2 * ML_ROW], local[KERNEL_LOCAL], own[KERNEL_CONSTANTS];
    struct ml_rhs_ctx ctx = kernel_ctx(&model, ML_SPEC_SOLVER, ML_FAST, KERNEL_GROUPS,
                                       constants + lane, smallest, largest);
    kernel_take_constants(&ctx, own);
    const int n_group = ctx.n_group;
    const struct kernel_checked checked = {whole, constants + lane,
                                           kernel_room_in(&ctx, method->n_stage, (ml_vec *)work)};
    const struct kernel_room room = kernel_local_room(&checked.beside, ctx.n_x * n_group, local);
    struct adaptive_lanes lanes;
    adaptive_load(call->leg, lane, n_group, &lanes);
    kernel_report_step(&ctx, lanes.t, lanes.tried);
    kernel_load_all(&ctx, x + lane, &room);
    adaptive_advance(&ctx, call, &room, &checked, &lanes, faults);
    adaptive_store(&lanes, n_group, call->leg->step_control, faults);
    kernel_store_all(&ctx, &room, x + lane);
}

static struct ml_lane_faults kernel_adapt(const struct ml_instance *model,
                                          const struct ml_method *method,
                                          const struct ml_control *control,
                                          const struct ml_leg *leg, const double *constants,
                                          double *x, double *work)
{
    const struct adaptive_call call = {method, control, leg};
    struct ml_lane_faults faults = {0};
    for (int lane = 0; lane < ML_LANES; lane += KERNEL_GROUPS * ML_WIDTH)
        kernel_adapt_lanes(model, &call, constants, x, work, lane, &faults);
    return faults;
}

#elif KERNEL_IS_LOCAL

/* A step that the fast path was wrong for. By memory, so that the caller keeps its vectors in
 * registers.
 *   x  [n_x][n_group] in and out */
static __attribute__((noinline, cold)) void
kernel_step_checked(const struct ml_instance *whole, const struct ml_method *method,
                    const struct kernel_clock *clock, const ml_vec *scale, const double *constants,
                    ml_vec *smallest, ml_vec *x, struct kernel_room room)
{
    const struct ml_instance model = kernel_model(whole);
    ml_vec largest[2 * ML_ROW], local[KERNEL_LOCAL];
    struct ml_rhs_ctx ctx =
        kernel_ctx(&model, ML_SPEC_SOLVER, ML_CHECKED, KERNEL_GROUPS, constants, smallest, largest);
    kernel_report_step(&ctx, clock->t, clock->h);
    room.x = x;
    room.y = local;
    room.z = room.y + ctx.n_x * ctx.n_group;
    room.newest = room.z + ctx.n_x * ctx.n_group;
    room.scratch = room.newest + ctx.n_x * ctx.n_group;
    (void)kernel_take_step(&ctx, method, clock, scale, &room);
}

/* Steps of the lanes of a context. */
ML_INLINE void kernel_advance_lanes(const struct ml_instance *whole, const struct ml_method *method,
                                    const struct ml_clock *clocks, const double *constants,
                                    double *x, double *work, int lane,
                                    struct ml_lane_faults *faults)
{
    const struct ml_instance model = kernel_model(whole);
    ml_vec smallest[ML_ROW], of_step[ML_ROW], largest[2 * ML_ROW];
    ml_vec scale[(ML_MAX_STAGE + 1) * KERNEL_GROUPS];
    ml_vec local[KERNEL_LOCAL], own[KERNEL_CONSTANTS];
    struct ml_rhs_ctx ctx = kernel_ctx(&model, ML_SPEC_SOLVER, ML_FAST, KERNEL_GROUPS,
                                       constants + lane, of_step, largest);
    kernel_take_constants(&ctx, own);
    const int n_group = ctx.n_group, size = ctx.n_x * n_group;
    const struct kernel_room beside = kernel_room_in(&ctx, ml_method_kept(method), (ml_vec *)work);
    const struct kernel_room room = kernel_local_room(&beside, size, local);
    struct kernel_clock clock = kernel_clock_of(clocks, lane, n_group);
    kernel_report_step(&ctx, clock.t, clock.h);
    kernel_scales(method, &clock, n_group, scale);
    for (int j = 0; j < n_group; j++)
        smallest[j] = ml_splat((double)INFINITY);
    kernel_load_all(&ctx, x + lane, &room);
    int64_t checked_until = 0;
    struct kernel_history history = kernel_history_of(clocks, lane);
#pragma GCC unroll 1
    for (int64_t k = clocks->k0; k < clocks->k0 + clocks->n_step; k++) {
        kernel_clock_set(clocks, k, lane, n_group, &clock);
        for (int j = 0; j < n_group; j++)
            of_step[j] = ml_splat((double)INFINITY);
        if (__builtin_expect(k >= checked_until, 1) &&
            kernel_take_step(&ctx, method, &clock, scale, &room)) {
            for (int j = 0; j < n_group; j++)
                smallest[j] = ml_min(of_step[j], smallest[j]);
            kernel_note(clocks, method, k, lane, &ctx, room.x, room.k, &history);
            continue;
        }
        if (k >= checked_until)
            checked_until = k + KERNEL_CHECKED_STEPS;
        ml_vec so_far[ML_ROW];
        struct kernel_clock now = clock;
        for (int j = 0; j < n_group; j++)
            so_far[j] = smallest[j];
        kernel_copy_state(size, &room, &beside);
        kernel_step_checked(whole, method, &now, scale, constants + lane, so_far, beside.x, beside);
        kernel_copy_state(size, &beside, &room);
        for (int j = 0; j < n_group; j++)
            smallest[j] = so_far[j];
        kernel_note(clocks, method, k, lane, &ctx, beside.x, room.k,
                    &history); /* not room.x: in a loop that is cold */
    }
    kernel_add_faults(&ctx, room.x, smallest, lane, faults);
    kernel_store_all(&ctx, &room, x + lane);
}

static struct ml_lane_faults kernel_advance(const struct ml_instance *model,
                                            const struct ml_method *method,
                                            const struct ml_clock *clock, const double *constants,
                                            double *x, double *work)
{
    struct ml_lane_faults faults = {0};
    for (int lane = 0; lane < ML_LANES; lane += KERNEL_GROUPS * ML_WIDTH)
        kernel_advance_lanes(model, method, clock, constants, x, work, lane, &faults);
    return faults;
}

#else

/* Steps of all lanes, n_group vectors side by side. */
ML_INLINE struct ml_lane_faults kernel_advance_by(int n_group, const struct ml_instance *model,
                                                  const struct ml_method *method,
                                                  const struct ml_clock *clocks,
                                                  const double *constants, double *x, double *work)
{
    struct ml_lane_faults faults = {0};
    ml_vec smallest[ML_ROW], largest[2 * ML_ROW];
    struct ml_rhs_ctx ctx =
        kernel_ctx(model, model->solver, ML_CHECKED, n_group, constants, smallest, largest);
    const struct kernel_room room = kernel_room_in(&ctx, ml_method_kept(method), (ml_vec *)work);
    for (int lane = 0; lane < ML_LANES; lane += n_group * ML_WIDTH) {
        if ((clocks->active >> lane & ((1u << n_group * ML_WIDTH) - 1u)) == 0)
            continue;
        ctx.constants = constants + lane;
        kernel_advance_checked(&ctx, method, clocks, &room, lane, x, &faults);
    }
    return faults;
}

static struct ml_lane_faults kernel_advance(const struct ml_instance *model,
                                            const struct ml_method *method,
                                            const struct ml_clock *clock, const double *constants,
                                            double *x, double *work)
{
    const struct ml_instance known = kernel_model(model);
    if (KERNEL_GROUPS == 1 || kernel_is_narrow(&known, ml_method_kept(method)))
        return kernel_advance_by(1, &known, method, clock, constants, x, work);
    return kernel_advance_by(KERNEL_GROUPS, &known, method, clock, constants, x, work);
}

/* Steps that lanes choose by a linearly implicit method. */
ML_INLINE struct ml_lane_faults kernel_adapt_implicitly(int n_group,
                                                        const struct ml_instance *model,
                                                        const struct adaptive_call *call,
                                                        const double *constants, double *x,
                                                        double *work)
{
    const int n_stage = call->method->n_stage;
    struct ml_lane_faults faults = {0};
    ml_vec smallest[ML_ROW], largest[2 * ML_ROW];
    struct ml_rhs_ctx along =
        kernel_ctx(model, model->solver, ML_CHECKED, n_group, constants, smallest, largest);
    struct ml_rhs_ctx ctx = along;
    ctx.has_columns = false;
    ctx.n_column = ctx.n_sens = 0;
    const struct implicit_room room = implicit_room_in(&ctx, n_stage, (ml_vec *)work);
    const struct implicit_tangents tangent =
        implicit_tangents_in(&along, n_stage, implicit_room_end(&ctx, &room));
    struct kernel_room all = room.state;
    all.columns = tangent.y;
    for (int lane = 0; lane < ML_LANES; lane += n_group * ML_WIDTH) {
        struct adaptive_lanes lanes;
        adaptive_load(call->leg, lane, n_group, &lanes);
        if (!adaptive_any(&lanes, n_group))
            continue;
        ctx.constants = along.constants = constants + lane;
        kernel_report_step(&ctx, lanes.t, lanes.tried);
        kernel_report_step(&along, lanes.t, lanes.tried);
        kernel_load_all(&along, x + lane, &all);
        implicit_advance(&ctx, &along, call, &room, &tangent, &lanes, &faults);
        adaptive_store(&lanes, n_group, call->leg->step_control, &faults);
        kernel_store_all(&along, &all, x + lane);
    }
    return faults;
}

/* Steps that lanes choose, n_group vectors side by side. */
ML_INLINE struct ml_lane_faults kernel_adapt_by(int n_group, const struct ml_instance *model,
                                                const struct adaptive_call *call,
                                                const double *constants, double *x, double *work)
{
    struct ml_lane_faults faults = {0};
    ml_vec smallest[ML_ROW], largest[2 * ML_ROW];
    struct ml_rhs_ctx ctx =
        kernel_ctx(model, model->solver, ML_CHECKED, n_group, constants, smallest, largest);
    const struct kernel_room room = kernel_room_in(&ctx, call->method->n_stage, (ml_vec *)work);
    for (int lane = 0; lane < ML_LANES; lane += n_group * ML_WIDTH) {
        struct adaptive_lanes lanes;
        adaptive_load(call->leg, lane, n_group, &lanes);
        if (!adaptive_any(&lanes, n_group))
            continue;
        ctx.constants = constants + lane;
        kernel_report_step(&ctx, lanes.t, lanes.tried);
        kernel_load_all(&ctx, x + lane, &room);
        adaptive_advance(&ctx, call, &room, NULL, &lanes, &faults);
        adaptive_store(&lanes, n_group, call->leg->step_control, &faults);
        kernel_store_all(&ctx, &room, x + lane);
    }
    return faults;
}

static struct ml_lane_faults kernel_adapt(const struct ml_instance *model,
                                          const struct ml_method *method,
                                          const struct ml_control *control,
                                          const struct ml_leg *leg, const double *constants,
                                          double *x, double *work)
{
    const struct adaptive_call call = {method, control, leg};
    const struct ml_instance known = kernel_model(model);
    const bool is_implicit = KERNEL_IS_IMPLICIT(method);
    if (KERNEL_GROUPS == 1 ||
        kernel_is_narrow(&known, method->n_stage + (is_implicit ? ML_OF_SYSTEM(_n_x)(&known) : 0)))
        return is_implicit ? kernel_adapt_implicitly(1, &known, &call, constants, x, work)
                           : kernel_adapt_by(1, &known, &call, constants, x, work);
    return is_implicit ? kernel_adapt_implicitly(KERNEL_GROUPS, &known, &call, constants, x, work)
                       : kernel_adapt_by(KERNEL_GROUPS, &known, &call, constants, x, work);
}

#endif

#if KERNEL_HAS_RATES

/* Rates of all lanes, n_group vectors side by side. */
ML_INLINE void kernel_rates_by(int n_group, const struct ml_instance *model, const double *t,
                               const double *constants, const double *x, double *dx, double *work)
{
    ml_vec smallest[ML_ROW], largest[2 * ML_ROW];
    struct ml_rhs_ctx ctx =
        kernel_ctx(model, model->solver, ML_CHECKED, n_group, constants, smallest, largest);
    const struct kernel_room room = kernel_room_in(&ctx, 1, (ml_vec *)work);
    const int n_x = ctx.n_x;
    for (int lane = 0; lane < ML_LANES; lane += n_group * ML_WIDTH) {
        ml_vec time[ML_ROW];
        for (int j = 0; j < n_group; j++) {
            time[j] = ml_load(t + lane + j * ML_WIDTH, 0);
            smallest[j] = ml_splat((double)INFINITY);
        }
        ctx.constants = constants + lane;
        kernel_load(n_x, n_group, x + lane, room.x);
        kernel_load(n_x * ctx.n_column, n_group, x + n_x * ML_LANES + lane, room.columns);
        kernel_evaluate(&ctx, ML_STAGE_FIRST, time, room.x, NULL, NULL, &room, room.k);
        kernel_store(n_x * (1 + ctx.n_column), n_group, room.k, dx + lane);
    }
}

static void kernel_rates(const struct ml_instance *model, const double *t, const double *constants,
                         const double *x, double *dx, double *work)
{
    const struct ml_instance known = kernel_model(model);
    if (KERNEL_GROUPS == 1 || kernel_is_narrow(&known, 1))
        kernel_rates_by(1, &known, t, constants, x, dx, work);
    else
        kernel_rates_by(KERNEL_GROUPS, &known, t, constants, x, dx, work);
}

#endif

#if KERNEL_MEASURES_RATES && !defined ML_SPEC_TEXT

static void kernel_largest(const struct ml_instance *model, int64_t n_state, const double *x,
                           double *rates)
{
    const struct ml_rhs_ctx ctx = {.n = model->n, .n_group = ML_ROW};
    const bool is_plain = ML_OF_SYSTEM(_is_plain)(model);
    const long size = (long)ML_OF_SYSTEM(_n_x)(model) * ML_ROW;
    for (int i = 0; i < ctx.n; i++)
        for (int j = 0; j < ctx.n_group; j++) {
            const ml_vec *state = (const ml_vec *)x;
            ml_vec largest = ml_load(rates + j * ML_WIDTH, i);
            for (int64_t k = 0; k < n_state; k++, state += size)
                largest = ml_max(ml_abs(ML_OF_SYSTEM(_rate)(&ctx, is_plain, j, state, i)), largest);
            ml_store(rates + j * ML_WIDTH, i, largest);
        }
}

#endif

#ifdef ML_SPEC_METHOD
#include "engine/gpu/window.kern.h"
#else
extern const struct ml_kernel ML_KERNEL_SYMBOL;
#ifdef ML_KERNEL_MADE
__attribute__((visibility("default")))
#endif
const struct ml_kernel ML_KERNEL_SYMBOL = {
#ifdef ML_SPEC_TEXT
    .spec = ML_SPEC_TEXT,
#endif
#if !defined ML_SPEC_TEXT || !ML_SPEC_ADAPTIVE
    .advance = kernel_advance,
#endif
#if !defined ML_SPEC_TEXT || ML_SPEC_ADAPTIVE
    .adapt = kernel_adapt,
#endif
#if KERNEL_HAS_RATES
    .rates = kernel_rates,
#endif
#if KERNEL_MEASURES_RATES && !defined ML_SPEC_TEXT
    .largest = kernel_largest,
#endif
};
#endif

#if ML_SPEC_PLUGIN
#define manylink_plugin ml_spec_plugin
#endif
