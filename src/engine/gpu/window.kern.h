/* ml_gpu_window: given steps of many batches at once, each run by itself (engine/gpu/window.h). The
 * state, its tangent vectors, their derivatives at all stages and the table of the method are in
 * registers of a GPU where clang finds all indices constant (engine/kernels/kernel_compiler.c). All
 * sines are taken by the checked path, which has the same bits as the fast one. Part of the kernel.
 */
#include "engine/gpu/window.h"

static const struct ml_method window_method = ML_SPEC_METHOD;

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

ML_INLINE void window_run(const struct ml_gpu_window *window, int64_t i)
{
    const int64_t batch = i / ML_LANES;
    const int lane = (int)(i % ML_LANES);
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
    const struct ml_clock clock = window_clock(window, batch, ctx.n);
    struct ml_lane_faults faults = {0};
    kernel_advance_checked(&ctx, &window_method, &clock, &room, lane,
                           window->x + batch * rows * ML_LANES, &faults);
    window->faults[i] = (unsigned char)((faults.nonfinite ? ML_GPU_NONFINITE : 0) |
                                        (faults.singular ? ML_GPU_SINGULAR : 0));
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
