/* Steps of their own for every lane: a step is tried by all lanes that are not at the end yet, each
 * with its own length, and accepted where the error estimates of the embedded method, of the state
 * and of its tangent vectors, are within the tolerance. The next length follows by a
 * proportional-integral controller (Hairer, Norsett, Wanner, Solving Ordinary Differential
 * Equations I, section II.4; Gustafsson 1991). Part of the kernel. */
#ifndef ML_ENGINE_ADAPTIVE_H
#define ML_ENGINE_ADAPTIVE_H

#include "simd/exp.h"
#include "simd/log.h"

/* Whether steps are tried by a path with short forms of sines first: a window of many batches takes
 * the checked path. */
#if KERNEL_IS_LOCAL && !defined ML_SPEC_METHOD
#define ADAPTIVE_HAS_FAST_PATH 1
#else
#define ADAPTIVE_HAS_FAST_PATH 0
#endif

/* The step-size controller of the lanes of some vectors, while they advance. */
struct adaptive_lanes {
    ml_vec t[ML_ROW], h[ML_ROW]; /* s: where each is, and the step to try next */
    ml_vec end[ML_ROW];          /* s: where each stops exactly */
    ml_vec tried[ML_ROW];        /* s: the step under way */
    ml_vec error[ML_ROW]; /* ln of the last accepted step's error; an error of 1 is allowed */
    ml_vec accepted[ML_ROW], rejected[ML_ROW];
    ml_vec held[ML_ROW];    /* 1: the last try was rejected; else 0 */
    ml_vec longest[ML_ROW]; /* s: step tried so far */
    ml_vec blocked[ML_ROW]; /* as ML_STEP_CONTROL_BLOCKED */
    ml_vec most[ML_ROW];    /* s: no step is longer */
    ml_mask active[ML_ROW]; /* not there yet, and sound */
    int first;              /* lane of the batch */
};

/* How lanes choose their steps in a call. */
struct adaptive_call {
    const struct ml_method *method;
    const struct ml_control *control;
    const struct ml_leg *leg;
};

/* The next step is this one times 0.9 error^-proportional before^integral, where `before` is the
 * error of the accepted step before; after a rejected one times 0.9 error^-single. */
struct adaptive_gains {
    double proportional, integral, single;
};

/* ln 0.9: the step aimed at is that much shorter than the one whose error would be 1. */
#define ADAPTIVE_SAFETY -0x1.af8e8210a4163p-4
#define ADAPTIVE_LEAST_SQUARE 0x1p-40 /* square of the error that counts as none */
#define ADAPTIVE_LEAST_UNIT 1e-290    /* error of a tangent vector that counts as none */
#define ADAPTIVE_LOST 1e290           /* size of a tangent vector that overflows soon */
#define ADAPTIVE_JUMP 0x1p-40         /* of the time: step without a say of tangent vectors */
#define ADAPTIVE_GROWTH 6.0           /* most that a step is longer than the one before */
#define ADAPTIVE_SHRINKAGE 0.1        /* least after a rejected one */
#define ADAPTIVE_SHORT 0x1p-20        /* of the longest step tried: steps that lead nowhere */
#define ADAPTIVE_MOST_BLOCKED 1000.0  /* tries without finite numbers between such steps */

/* Powers of h in the error estimate: a step of h is off by C h^power. */
ML_INLINE double adaptive_power(const struct ml_method *method)
{
    const int first =
        method->embedded_order < method->order ? method->embedded_order : method->order;
    if (method->second_order > 0)
        return 2.0 * (first + 1) - (method->second_order + 1);
    return first + 1.0;
}

/* 0.7 and 0.4 are those of Gustafsson, Control theoretic techniques for stepsize selection in
 * explicit Runge-Kutta methods, ACM Transactions on Mathematical Software 17 (1991) 533-554. */
ML_INLINE struct adaptive_gains adaptive_gains(const struct ml_method *method)
{
    const double power = adaptive_power(method);
    return (struct adaptive_gains){0.7 / power, 0.4 / power, 1.0 / power};
}

/* The step of about h that the time takes in full when it is rounded after it: the sum of the steps
 * is then the time, as the sum of their increments of the state is the state. */
ML_INLINE ml_vec adaptive_exact(ml_vec t, ml_vec h)
{
    const ml_vec exact = (t + h) - t;
    return ml_select((ml_mask)(exact > 0.0), exact, h);
}

/* The step under way of each lane: the one to try, or the rest up to the end, or half of that
 * where else a short one would be left over. */
ML_INLINE void adaptive_set_steps(int n_group, bool is_compensated, struct adaptive_lanes *lanes)
{
    for (int j = 0; j < n_group; j++) {
        const ml_vec left = lanes->end[j] - lanes->t[j];
        if (is_compensated)
            lanes->h[j] = adaptive_exact(lanes->t[j], lanes->h[j]);
        const ml_vec h = lanes->h[j];
        const ml_mask ends = (ml_mask)(1.001 * h >= left), halves = (ml_mask)(2.0 * h > left);
        ml_vec half = 0.5 * left;
        if (is_compensated)
            half = adaptive_exact(lanes->t[j], half);
        lanes->tried[j] = ml_select(ends, left, ml_select(halves, half, h));
    }
}

/* Stages from `first` on, each with its derivative in room->k, and the end of the step in room->y.
 * No stage is made from another one's sines and cosines: steps are long. */
ML_INLINE void adaptive_try(const struct ml_rhs_ctx *ctx, const struct ml_method *method, int first,
                            const ml_vec *begin, const ml_vec *h, const ml_vec *scale,
                            const struct kernel_room *room)
{
    const int n_group = ctx->n_group, size = ctx->n_x * n_group;
    const long stride = (long)size * (1 + ctx->n_column);
    for (int j = 0; j < n_group; j++)
        ctx->largest_angle[j] = ctx->largest_increment[j] = ml_splat(0.0);
    ML_ROLLED
    for (int s = 0; s < method->n_stage; s++) {
        if (s < first)
            continue;
        const struct ml_sum *sum = s > 0 ? &method->stage[s] : NULL;
        ml_vec t[ML_ROW];
        for (int j = 0; j < n_group; j++)
            t[j] = ml_fma(ml_splat(method->node[s]), h[j], begin[j]);
        if (sum)
            kernel_combine(size, n_group, sum, scale + s * n_group, stride, room->k, NULL, room->x,
                           room->y);
        else
            kernel_copy(size, room->x, room->y);
        kernel_evaluate(ctx, ML_STAGE_FIRST, t, room->y, sum, scale + s * n_group, room,
                        room->k + s * stride);
    }
    kernel_combine(size, n_group, &method->step, scale + method->n_stage * n_group, stride, room->k,
                   NULL, ctx->is_compensated ? room->low : room->x, room->y);
    if (ctx->is_compensated)
        kernel_add_compensated(ctx, room);
}

/* Sum over the state's rows of the squares of errors [n_x][n_group], each in units of the tolerance
 * between room->x and room->y. */
ML_INLINE void adaptive_squares(const struct ml_rhs_ctx *ctx, const struct ml_control *control,
                                const struct kernel_room *room, const ml_vec *error, ml_vec *square)
{
    const int n_group = ctx->n_group;
    for (int j = 0; j < n_group; j++)
        square[j] = ml_splat(0.0);
    for (int i = 0; i < ctx->n_x; i++)
        for (int j = 0; j < n_group; j++) {
            const int at = i * n_group + j;
            const ml_vec one = error[at] / ml_fma(ml_splat(control->relative), ml_abs(room->x[at]),
                                                  ml_splat(control->absolute));
            square[j] = ml_fma(one, one, square[j]);
        }
}

/* Sums of squares of errors over the rows of tangent vector c, each in units of the tolerance of
 * the whole vector at the beginning of the step: components near 0 do not matter. A vector beyond
 * ADAPTIVE_LOST has no error. */
ML_INLINE void adaptive_vector_squares(const struct ml_rhs_ctx *ctx,
                                       const struct ml_control *control, int c,
                                       const ml_vec *vector, const ml_vec *error, ml_vec *square)
{
    const int n_group = ctx->n_group, parameter = c - (ctx->n_column - ctx->n_sens);
    for (int j = 0; j < n_group; j++) {
        const ml_vec largest = ml_central_largest(ctx->n_x, n_group, j, vector);
        ml_vec least = ml_splat(ADAPTIVE_LEAST_UNIT), sum = ml_splat(0.0);
        if (parameter >= 0)
            least = control->absolute / ml_load(ctx->constants + j * ML_WIDTH,
                                                (1 + ctx->n_sens) * ctx->n_constant + parameter);
        const ml_vec unit = 1.0 / ml_fma(ml_splat(control->relative), largest, least);
        for (int i = 0; i < ctx->n_x; i++) {
            const ml_vec one = error[i * n_group + j] * unit;
            sum = ml_fma(one, one, sum);
        }
        square[j] = ml_select(ml_within(largest, ADAPTIVE_LOST), sum, ml_splat(0.0));
    }
}

/* Sum of squares of the method's error estimate `sum`, of the state or of tangent vector c.
 *   c  -1: of the state
 *   h  [n_group] s */
ML_INLINE void adaptive_add_squares(const struct ml_rhs_ctx *ctx, const struct ml_control *control,
                                    const struct ml_sum *sum, const ml_vec *h,
                                    const struct kernel_room *room, int c, ml_vec *square)
{
    const int size = ctx->n_x * ctx->n_group;
    ml_vec scale[ML_ROW], *error = room->newest; /* [n_x][n_group] scratch */
    for (int j = 0; j < ctx->n_group; j++)
        scale[j] = h[j] / sum->divisor;
    for (int i = 0; i < size; i++)
        error[i] = ml_splat(0.0);
    kernel_combine(size, ctx->n_group, sum, scale, (long)size * (1 + ctx->n_column),
                   room->k + (1 + c) * size, NULL, error, error);
    if (c < 0)
        adaptive_squares(ctx, control, room, error, square);
    else
        adaptive_vector_squares(ctx, control, c, room->columns + c * size, error, square);
}

/* Mean square of the errors of the step under way, of the state or of tangent vector c. */
ML_INLINE void adaptive_mean_square(const struct ml_rhs_ctx *ctx, const struct ml_method *method,
                                    const struct ml_control *control, const ml_vec *h,
                                    const struct kernel_room *room, int c, ml_vec *square)
{
    const double n_x = ctx->n_x;
    ml_vec second[ML_ROW];
    adaptive_add_squares(ctx, control, &method->error, h, room, c, square);
    if (method->second_order > 0) {
        adaptive_add_squares(ctx, control, &method->second_error, h, room, c, second);
        for (int j = 0; j < ctx->n_group; j++) {
            const ml_vec both = ml_fma(ml_splat(0.01), second[j], square[j]);
            square[j] = ml_select((ml_mask)(both > 0.0), square[j] * square[j] / both, square[j]);
        }
    }
    for (int j = 0; j < ctx->n_group; j++)
        square[j] = square[j] / n_x;
}

/* Takes the mean square of a tangent vector into the largest so far, unless the step is next to
 * nothing: where the Jacobian jumps, as at a contact, no step is short enough for the vector. */
ML_INLINE void adaptive_take_worst(int n_group, const struct adaptive_lanes *lanes,
                                   const ml_vec *own, ml_vec *square)
{
    for (int j = 0; j < n_group; j++) {
        const ml_vec time = ml_max(ml_abs(lanes->t[j]), ml_abs(lanes->end[j]));
        const ml_mask is_kept =
            ml_is_kept(own[j], square[j]) | (ml_mask)(lanes->tried[j] <= ADAPTIVE_JUMP * time);
        square[j] = ml_select(is_kept, square[j], own[j]);
    }
}

/* Squares of the errors of the step under way, 1 allowed: the largest of the mean over the state's
 * rows and the means over those of its tangent vectors. */
ML_INLINE void adaptive_errors(const struct ml_rhs_ctx *ctx, const struct ml_method *method,
                               const struct ml_control *control, const struct adaptive_lanes *lanes,
                               const struct kernel_room *room, ml_vec *square)
{
    adaptive_mean_square(ctx, method, control, lanes->tried, room, -1, square);
    if (!ctx->has_columns || control->is_of_state)
        return;
    ML_ROLLED
    for (int c = 0; c < ctx->n_column; c++) {
        ml_vec own[ML_ROW];
        adaptive_mean_square(ctx, method, control, lanes->tried, room, c, own);
        adaptive_take_worst(ctx->n_group, lanes, own, square);
    }
}

ML_INLINE ml_vec adaptive_count(ml_mask lanes, ml_vec count)
{
    return count + ml_select(lanes, ml_splat(1.0), ml_splat(0.0));
}

/* Lanes of vector j that creep along a border beyond which rates are no numbers, as the end of a
 * table: a state within rounding of the border no longer changes by accepted steps, which are
 * followed by tries beyond the border, millions of times until the rate across the border has
 * changed its sign. Steps of a motion that stays within the border grow again.
 *   good, blocked  lanes that accept the step under way; whose step met numbers that are not finite
 *                  or a singular matrix */
ML_INLINE ml_mask adaptive_creeps(int j, ml_mask good, ml_mask blocked,
                                  struct adaptive_lanes *lanes)
{
    const ml_vec tried = lanes->tried[j];
    const ml_mask leads_on = good & (ml_mask)(tried > ADAPTIVE_SHORT * lanes->longest[j]);
    lanes->longest[j] =
        ml_select(lanes->active[j], ml_max(lanes->longest[j], tried), lanes->longest[j]);
    lanes->blocked[j] =
        ml_select(leads_on, ml_splat(0.0), adaptive_count(blocked, lanes->blocked[j]));
    return blocked & (ml_mask)(lanes->blocked[j] >= ADAPTIVE_MOST_BLOCKED);
}

/* Accepts or rejects the step under way of vector j, and sets the one to try next. Lanes whose step
 * has become too short for the time to advance, that creep or that have tried too often, stop.
 *   pivot  smallest of the step's
 * Returns the lanes that take over the end of the step. */
ML_INLINE ml_mask adaptive_decide(const struct adaptive_gains *gains,
                                  const struct ml_control *control, int j, ml_vec square,
                                  ml_vec pivot, struct adaptive_lanes *lanes,
                                  struct ml_lane_faults *faults)
{
    const ml_vec tried = lanes->tried[j], least = ml_splat(ADAPTIVE_LEAST_SQUARE);
    const ml_mask sound = (ml_mask)(pivot > 0.0), finite = ml_within(square, 1e300);
    const ml_mask good = lanes->active[j] & sound & (ml_mask)(square <= 1.0);
    const ml_mask bad = lanes->active[j] & ~good;
    const ml_vec log_error = 0.5 * ml_log(ml_max(least, square));
    ml_vec growth =
        ml_fma(ml_splat(-gains->proportional), log_error,
               ml_fma(ml_splat(gains->integral), lanes->error[j], ml_splat(ADAPTIVE_SAFETY)));
    growth = ml_min(ml_exp(growth), ml_splat(ADAPTIVE_GROWTH));
    growth = ml_select((ml_mask)(lanes->held[j] > 0.0), ml_min(growth, ml_splat(1.0)), growth);
    ml_vec shrinkage =
        ml_exp(ml_fma(ml_splat(-gains->single), log_error, ml_splat(ADAPTIVE_SAFETY)));
    shrinkage = ml_max(ml_splat(ADAPTIVE_SHRINKAGE), ml_min(shrinkage, ml_splat(0.9)));
    shrinkage = ml_select(finite & sound, shrinkage, ml_splat(ADAPTIVE_SHRINKAGE));

    const ml_mask is_whole = (ml_mask)(tried >= lanes->h[j]);
    const ml_vec longer = ml_min(tried * growth, lanes->most[j]);
    const ml_vec next = ml_select(is_whole, longer, ml_max(lanes->h[j], longer));
    const ml_mask ends = (ml_mask)(tried >= lanes->end[j] - lanes->t[j]);
    lanes->h[j] = ml_select(good, next, ml_select(bad, tried * shrinkage, lanes->h[j]));
    lanes->error[j] = ml_select(good & is_whole, log_error, lanes->error[j]);
    lanes->held[j] = ml_select(good, ml_splat(0.0), ml_select(bad, ml_splat(1.0), lanes->held[j]));
    lanes->accepted[j] = adaptive_count(good, lanes->accepted[j]);
    lanes->rejected[j] = adaptive_count(bad, lanes->rejected[j]);
    lanes->t[j] = ml_select(good, ml_select(ends, lanes->end[j], lanes->t[j] + tried), lanes->t[j]);

    const ml_vec size = ml_max(ml_abs(lanes->t[j]), ml_abs(lanes->end[j]));
    const ml_mask is_short = (bad & (ml_mask)(lanes->h[j] <= 0x1p-51 * size)) |
                             adaptive_creeps(j, good, bad & ~(finite & sound), lanes);
    const ml_mask is_late =
        lanes->active[j] & ~(good & ends) & ~is_short &
        (ml_mask)(lanes->accepted[j] + lanes->rejected[j] >= control->most_steps);
    const int shift = lanes->first + j * ML_WIDTH;
    faults->singular |= ml_bits(is_short & ~sound) << shift;
    faults->nonfinite |= ml_bits(is_short & sound & ~finite) << shift;
    faults->too_short |= ml_bits(is_short & sound & finite) << shift;
    faults->too_many |= ml_bits(is_late) << shift;
    lanes->active[j] &= ~((good & ends) | is_short | is_late);
    return good;
}

/* Takes over the end of the step in the lanes that accepted it, of the state and its tangent
 * vectors; and the last stage as the first of the next step where it is that.
 *   clock  whose active lanes are those */
ML_INLINE void adaptive_accept(const struct ml_rhs_ctx *ctx, const struct ml_method *method,
                               const struct kernel_clock *clock, const ml_vec *scale,
                               const struct kernel_room *room)
{
    const int n_group = ctx->n_group, size = ctx->n_x * n_group;
    const long stride = (long)size * (1 + ctx->n_column);
    kernel_accept(clock, size, n_group, room->y, room->x);
    if (ctx->is_compensated)
        kernel_accept(clock, size, n_group, room->z, room->low);
    ML_ROLLED
    for (int c = 0; c < ctx->n_column; c++) {
        ml_vec *column = room->columns + c * size;
        kernel_combine(size, n_group, &method->step, scale + method->n_stage * n_group, stride,
                       room->k + (1 + c) * size, NULL, column, room->z);
        kernel_accept(clock, size, n_group, room->z, column);
    }
    if (method->is_fsal)
        ML_ROLLED
    for (int c = 0; c <= ctx->n_column; c++)
        kernel_accept(clock, size, n_group, room->k + (method->n_stage - 1) * stride + c * size,
                      room->k + c * size);
}

/* Rows that lanes keep between calls, to vectors and back. */
ML_INLINE void adaptive_load(const struct ml_leg *leg, int lane, int n_group,
                             struct adaptive_lanes *lanes)
{
    lanes->first = lane;
    for (int j = 0; j < n_group; j++) {
        const double *from = leg->step_control + lane + j * ML_WIDTH;
        lanes->t[j] = ml_load(from, ML_STEP_CONTROL_TIME);
        lanes->end[j] = ml_load(leg->end + lane + j * ML_WIDTH, 0);
        lanes->h[j] = ml_load(from, ML_STEP_CONTROL_STEP);
        lanes->error[j] = ml_load(from, ML_STEP_CONTROL_ERROR);
        lanes->accepted[j] = ml_load(from, ML_STEP_CONTROL_ACCEPTED);
        lanes->rejected[j] = ml_load(from, ML_STEP_CONTROL_REJECTED);
        lanes->held[j] = ml_load(from, ML_STEP_CONTROL_HELD);
        lanes->longest[j] = ml_load(from, ML_STEP_CONTROL_LONGEST);
        lanes->blocked[j] = ml_load(from, ML_STEP_CONTROL_BLOCKED);
        lanes->most[j] = ml_load(from, ML_STEP_CONTROL_MOST);
        ml_mask active = ml_no_lane();
        for (int l = 0; l < ML_WIDTH; l++)
            active[l] |= -(int64_t)(leg->active >> (lane + j * ML_WIDTH + l) & 1);
        lanes->active[j] = active & (ml_mask)(lanes->t[j] < lanes->end[j]);
    }
}

ML_INLINE void adaptive_store(const struct adaptive_lanes *lanes, int n_group, double *step_control,
                              struct ml_lane_faults *faults)
{
    const int lane = lanes->first;
    for (int j = 0; j < n_group; j++) {
        double *to = step_control + lane + j * ML_WIDTH;
        ml_store(to, ML_STEP_CONTROL_TIME, lanes->t[j]);
        ml_store(to, ML_STEP_CONTROL_STEP, lanes->h[j]);
        ml_store(to, ML_STEP_CONTROL_ERROR, lanes->error[j]);
        ml_store(to, ML_STEP_CONTROL_ACCEPTED, lanes->accepted[j]);
        ml_store(to, ML_STEP_CONTROL_REJECTED, lanes->rejected[j]);
        ml_store(to, ML_STEP_CONTROL_HELD, lanes->held[j]);
        ml_store(to, ML_STEP_CONTROL_LONGEST, lanes->longest[j]);
        ml_store(to, ML_STEP_CONTROL_BLOCKED, lanes->blocked[j]);
        faults->underway |= ml_bits(lanes->active[j]) << (lane + j * ML_WIDTH);
    }
}

ML_INLINE bool adaptive_any(const struct adaptive_lanes *lanes, int n_group)
{
    ml_mask any = lanes->active[0];
    for (int j = 1; j < n_group; j++)
        any |= lanes->active[j];
    return ml_bits(any) != 0;
}

ML_INLINE unsigned adaptive_active(const struct adaptive_lanes *lanes, int n_group)
{
    unsigned active = 0;
    for (int j = 0; j < n_group; j++)
        active |= ml_bits(lanes->active[j]) << j * ML_WIDTH;
    return active;
}

/* Whether a call goes on that began with the active lanes `begun`. */
ML_INLINE bool adaptive_goes_on(const struct adaptive_lanes *lanes, int n_group,
                                const struct ml_leg *leg, unsigned begun)
{
    const unsigned active = adaptive_active(lanes, n_group);
    return active != 0 && (active == begun || !leg->until_first);
}

/* Step over divisor, of the method's stages and of the step, with the weight of a single term:
 * [n_stage + 1][n_group]. */
ML_INLINE void adaptive_scales(const struct ml_method *method, const ml_vec *h, int n_group,
                               ml_vec *scale)
{
    ML_ROLLED
    for (int s = 1; s <= method->n_stage; s++) {
        const struct ml_sum *sum = s < method->n_stage ? &method->stage[s] : &method->step;
        const double weight = sum->n_term == 1 ? sum->terms[0].weight : 1.0;
        for (int j = 0; j < n_group; j++) {
            ml_vec part = h[j];
            if (sum->divisor != 1.0)
                part /= sum->divisor;
            scale[s * n_group + j] = part * weight;
        }
    }
}

/* Of a kernel with a fast path, for steps that the path is wrong for: instance, rows at the first
 * lane, and room in memory. */
struct kernel_checked {
    const struct ml_instance *whole;
    const double *constants;
    struct kernel_room beside;
};

#if ADAPTIVE_HAS_FAST_PATH

/* A try that the fast path was wrong for; its end goes to checked.beside.y. */
static __attribute__((noinline, cold)) void
adaptive_try_checked(struct kernel_checked checked, const struct ml_method *method, int first,
                     const ml_vec *t, const ml_vec *h, const ml_vec *scale, ml_vec *smallest)
{
    const struct ml_instance model = kernel_model(checked.whole);
    ml_vec largest[2 * ML_ROW];
    struct ml_rhs_ctx ctx = kernel_ctx(&model, ML_SPEC_SOLVER, ML_CHECKED, KERNEL_GROUPS,
                                       checked.constants, smallest, largest);
    kernel_report_step(&ctx, t, h);
    adaptive_try(&ctx, method, first, t, h, scale, &checked.beside);
}

#endif

/* Advances the lanes of a context that are not at the end yet.
 *   checked  of a special kernel */
ML_INLINE void adaptive_advance(const struct ml_rhs_ctx *ctx, const struct adaptive_call *call,
                                const struct kernel_room *room,
                                const struct kernel_checked *checked, struct adaptive_lanes *lanes,
                                struct ml_lane_faults *faults)
{
    const struct ml_method *method = call->method;
    const struct ml_control *control = call->control;
    const struct ml_leg *leg = call->leg;
    const struct adaptive_gains gains = adaptive_gains(method);
    const int n_group = ctx->n_group, size = ctx->n_x * n_group;
    ml_vec scale[(ML_MAX_STAGE + 1) * ML_ROW], square[ML_ROW];
    struct kernel_clock clock = {.all_active = false};
    const unsigned begun = adaptive_active(lanes, n_group);
    int first = 0;
    for (int64_t k = 0; k < leg->most_tries && adaptive_goes_on(lanes, n_group, leg, begun); k++) {
        adaptive_set_steps(n_group, ctx->is_compensated, lanes);
        adaptive_scales(method, lanes->tried, n_group, scale);
        for (int j = 0; j < n_group; j++) {
            ctx->smallest[j] = ml_splat((double)INFINITY);
            clock.active[j] = lanes->active[j];
        }
        adaptive_try(ctx, method, first, lanes->t, lanes->tried, scale, room);
#if ADAPTIVE_HAS_FAST_PATH
        if (__builtin_expect(!kernel_was_fast(ctx, &clock), 0)) {
            struct adaptive_lanes now = *lanes; /* whose address is taken, unlike that of *lanes */
            ml_vec smallest[ML_ROW];
            for (int j = 0; j < n_group; j++)
                smallest[j] = ml_splat((double)INFINITY);
            kernel_copy_state(size, room, &checked->beside);
            adaptive_try_checked(*checked, method, first, now.t, now.tried, scale, smallest);
            kernel_copy(size, checked->beside.y, room->y);
            if (ML_SPEC_COMPENSATED)
                kernel_copy(size, checked->beside.z, room->z);
            for (int j = 0; j < n_group; j++)
                ctx->smallest[j] = smallest[j];
        }
#else
        (void)checked, (void)size;
#endif
        adaptive_errors(ctx, method, control, lanes, room, square);
        for (int j = 0; j < n_group; j++)
            clock.active[j] =
                adaptive_decide(&gains, control, j, square[j], ctx->smallest[j], lanes, faults);
        adaptive_accept(ctx, method, &clock, scale, room);
        /* A compensated state is not quite the last stage's, and a call may begin at any step. */
        first = method->is_fsal && !ctx->is_compensated ? 1 : 0;
    }
}

#endif
