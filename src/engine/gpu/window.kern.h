/* ml_gpu_window: steps of many batches at once, each run by itself (engine/gpu/window.h). The
 * state, its tangent vectors, their derivatives at all stages and the table of the method are in
 * registers of a GPU where clang finds all indices constant (engine/kernels/kernel_compiler.c). All
 * sines are taken by the checked path, which has the same bits as the fast one. Part of the kernel.
 */
#include "engine/gpu/window.h"
#include "linalg/orthonormalise.h"

static const struct ml_method window_method = ML_SPEC_METHOD;

#if !ML_SPEC_ADAPTIVE

ML_INLINE struct ml_clock window_clock(const struct ml_gpu_window *window, int64_t batch, int n)
{
    const struct ml_clock *first = &window->clock;
    const int64_t row = batch * ML_LANES;
    return (struct ml_clock){
        .start = first->start + row,
        .step = first->step + row,
        .k0 = first->k0,
        .n_step = first->n_step,
        .active = ML_ALL_LANES,
        .history = first->history ? first->history + batch * window->history_stride : NULL,
        .every = first->every,
        .rates = first->rates ? first->rates + n * row : NULL,
        .rates_mask = first->rates_mask,
        .is_plain = first->is_plain,
        .drift = first->drift ? first->drift + 2 * row : NULL,
        .drift_every = first->drift_every,
    };
}

/* Trace of the Jacobian of one run at step k and state x: the sum that find_trace in
 * engine/steps/renormalise.c takes of the rates of unit vectors. */
ML_INLINE double window_trace(struct ml_rhs_ctx *ctx, const struct ml_clock *clocks,
                              const struct kernel_room *room, int lane, int64_t k, const double *x)
{
    const int n_x = ctx->n_x;
    struct kernel_clock clock = kernel_clock_of(clocks, lane, 1);
    kernel_clock_set(clocks, k, lane, 1, &clock);
    ctx->begin = ctx->length = NULL; /* at one time, within no step */
    kernel_load(n_x, 1, x + lane, room->x);
    for (int c = 0; c < n_x; c++)
        for (int i = 0; i < n_x; i++)
            room->columns[c * n_x + i] = ml_splat(i == c ? 1.0 : 0.0);
    kernel_evaluate(ctx, ML_STAGE_FIRST, clock.t, room->x, NULL, NULL, room, room->k);
    ml_vec trace = ml_splat(0.0);
    for (int c = 0; c < n_x; c++)
        trace += room->k[(1 + c) * n_x + c];
    return trace[0];
}

/* Stop of one run behind step k, of which `batch` has the row. */
ML_INLINE void window_renormalise(const struct ml_gpu_stops *stops, int64_t batch, int lane,
                                  int64_t k, int n_x, double *x)
{
    const bool has_trace = stops->trace_every > 0;
    const int64_t n_stop = (stops->n_step + stops->every - 1) / stops->every;
    const int64_t row = (batch * n_stop + (k - 1) / stops->every) *
                        ml_gpu_stop_rows(stops->n_tangent, has_trace) * ML_LANES;
    double *r = stops->rows + row + lane;
    ml_orthonormalise(n_x, stops->n_tangent, 0.0, x + n_x * ML_LANES + lane, r);
    if (has_trace) {
        double *sum = stops->trace + (2 * batch + 1) * ML_LANES + lane;
        r[ml_tri(stops->n_tangent, 0) * ML_LANES] = *sum;
        *sum = 0.0;
    }
}

/* The first multiple of an interval behind step k, or the end. */
ML_INLINE int64_t window_next(int64_t every, int64_t k, int64_t end)
{
    const int64_t next = (k / every + 1) * every;
    return next < end ? next : end;
}

/* Steps of one run, with the stops among them. */
ML_INLINE void window_advance(const struct ml_gpu_window *window, struct ml_rhs_ctx *ctx,
                              const struct kernel_room *room, int64_t batch, int lane, double *x,
                              struct ml_lane_faults *faults)
{
    const struct ml_gpu_stops *stops = &window->stops;
    const int64_t end = window->clock.k0 + window->clock.n_step;
    struct ml_clock clock = window_clock(window, batch, ctx->n);
    const bool has_stops = ML_SPEC_N_COLUMN > ML_SPEC_N_SENS && stops->every > 0;
    const bool has_trace =
        ML_SPEC_N_COLUMN - ML_SPEC_N_SENS == ctx->n_x && has_stops && stops->trace_every > 0;
    const int64_t every = has_trace ? stops->trace_every : has_stops ? stops->every : INT64_MAX;
#pragma GCC unroll 1
    while (clock.k0 < end) {
        const int64_t k = window_next(every, clock.k0, end);
        const bool is_end = k == stops->n_step;
        clock.n_step = k - clock.k0;
        kernel_advance_checked(ctx, &window_method, &clock, room, lane, x, faults);
        if (has_trace && (k % every == 0 || is_end)) {
            double *trace = stops->trace + 2 * batch * ML_LANES + lane, *sum = trace + ML_LANES;
            const double now = window_trace(ctx, &clock, room, lane, k, x);
            const double span = stops->step * (double)(k - (k - 1) / every * every);
            *sum += 0.5 * span * (*trace + now);
            *trace = now;
        }
        if (has_stops && (k % stops->every == 0 || is_end))
            window_renormalise(stops, batch, lane, k, ctx->n_x, x);
        clock.k0 = k;
    }
}

#else

/* Steps that one run chooses. */
ML_INLINE void window_advance(const struct ml_gpu_window *window, struct ml_rhs_ctx *ctx,
                              const struct kernel_room *room, int64_t batch, int lane, double *x,
                              struct ml_lane_faults *faults)
{
    const struct ml_leg leg = {
        .end = window->leg.end + batch * ML_LANES,
        .most_tries = window->leg.most_tries,
        .active = ML_ALL_LANES,
        .step_control = window->leg.step_control + batch * ML_N_STEP_CONTROL * ML_LANES,
    };
    const struct adaptive_call call = {&window_method, &window->control, &leg};
    struct adaptive_lanes lanes;
    adaptive_load(&leg, lane, 1, &lanes);
    kernel_report_step(ctx, lanes.t, lanes.tried);
    kernel_load_all(ctx, x + lane, room);
    adaptive_advance(ctx, &call, room, NULL, &lanes, faults);
    adaptive_store(&lanes, 1, leg.step_control, faults);
    kernel_store_all(ctx, room, x + lane);
}

#endif

ML_INLINE void window_run(const struct ml_gpu_window *window, int64_t i)
{
    const int64_t batch = i / ML_LANES;
    const int lane = (int)(i % ML_LANES);
    if (window->faults[i] & ~ML_GPU_UNDERWAY)
        return;
    const struct ml_instance given = {
#ifdef ML_SPEC_EACH_LAW
        .laws = spec_laws,
#endif
        .n_column = ML_SPEC_N_COLUMN,
        .n_sens = ML_SPEC_N_SENS,
    };
    const struct ml_instance model = kernel_model(&given);
    const int64_t n_constant =
        (int64_t)(1 + model.n_sens) * ML_OF_SYSTEM(_constant_rows)(&model) + model.n_sens;
    ml_vec smallest[1], largest[1 + ML_ROW], local[ML_SPEC_ROWS], own[KERNEL_CONSTANTS];
    struct ml_rhs_ctx ctx =
        kernel_ctx(&model, ML_SPEC_SOLVER, ML_CHECKED, 1,
                   window->constants + batch * n_constant * ML_LANES + lane, smallest, largest);
    kernel_take_constants(&ctx, own);
    const struct kernel_room room = kernel_room_in(&ctx, window_method.n_stage, local);
    const int64_t rows = (int64_t)ctx.n_x * (1 + ctx.n_column + ctx.is_compensated);
    struct ml_lane_faults faults = {0};
    window_advance(window, &ctx, &room, batch, lane, window->x + batch * rows * ML_LANES, &faults);
    window->faults[i] = (unsigned char)((faults.nonfinite ? ML_GPU_NONFINITE : 0) |
                                        (faults.singular ? ML_GPU_SINGULAR : 0) |
                                        (faults.too_short ? ML_GPU_TOO_SHORT : 0) |
                                        (faults.too_many ? ML_GPU_TOO_MANY : 0) |
                                        (faults.underway ? ML_GPU_UNDERWAY : 0));
}

#ifdef __NVPTX__

/* Renamed when it becomes an entry. */
void ml_gpu_window_(struct ml_gpu_window window)
{
    const int64_t i = (int64_t)__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +
                      __nvvm_read_ptx_sreg_tid_x();
    if (i < window.n_batch * ML_LANES)
        window_run(&window, i);
}

#else

__attribute__((visibility("default"))) ml_gpu_window_fn ml_gpu_window;
void ml_gpu_window(struct ml_gpu_window window)
{
    for (int64_t i = 0; i < window.n_batch * ML_LANES; i++)
        window_run(&window, i);
}

#endif
