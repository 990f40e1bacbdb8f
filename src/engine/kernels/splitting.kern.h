/* Steps of a splitting method of x'' = F(x, t): drifts of the positions, the first half of the
 * rows, and kicks of their rates, the second half; tangent vectors by the derivative of this very
 * map. Part of the kernel. */
#ifndef ML_ENGINE_SPLITTING_H
#define ML_ENGINE_SPLITTING_H

/* Rows from `first` on += amount rate, of the state with its low parts.
 *   amount  [n_group]
 *   low     of all rows; NULL: sums are not compensated */
ML_INLINE void splitting_move(const struct ml_rhs_ctx *ctx, int first, const ml_vec *amount,
                              const ml_vec *rate, ml_vec *x, ml_vec *low)
{
    const int n_group = ctx->n_group, n = ctx->n_x / 2 * n_group, at = first * n_group;
    ML_UNROLL
    for (int i = 0; i < n; i++) {
        const ml_vec by = amount[i % n_group];
        if (low)
            kernel_add(ml_fma(by, rate[i], low[at + i]), &x[at + i], &low[at + i]);
        else
            x[at + i] = ml_fma(by, rate[i], x[at + i]);
    }
}

/* Moves the state and all tangent vectors, whose rates are behind each other like them.
 *   rate_row  row of the rates that belongs to `first` */
ML_INLINE void splitting_move_all(const struct ml_rhs_ctx *ctx, int first, const ml_vec *amount,
                                  const ml_vec *state_rate, const ml_vec *column_rate, int rate_row,
                                  const struct kernel_room *own)
{
    const int n_group = ctx->n_group, size = ctx->n_x * n_group;
    splitting_move(ctx, first, amount, state_rate + rate_row * n_group, own->y,
                   ctx->is_compensated ? own->z : NULL);
#pragma GCC unroll 1
    for (int c = 0; c < ctx->n_column; c++)
        splitting_move(ctx, first, amount, column_rate + c * size + rate_row * n_group,
                       own->columns + c * size, NULL);
}

/* One step. As kernel_step. */
ML_INLINE bool splitting_step(const struct ml_rhs_ctx *ctx, const struct ml_method *method,
                              const struct kernel_clock *clock, const struct kernel_room *room)
{
    const int n_group = ctx->n_group, size = ctx->n_x * n_group, n_position = ctx->n_x / 2;
    const long stride = (long)size * (1 + ctx->n_column);
    struct kernel_room own = *room;
    own.columns = room->k + stride;
    kernel_copy(size, room->x, own.y);
    if (ctx->is_compensated)
        kernel_copy(size, room->low, own.z);
    for (int i = 0; i < ctx->n_column * size; i++)
        own.columns[i] = room->columns[i];
    for (int j = 0; j < n_group; j++)
        ctx->largest_angle[j] = ctx->largest_increment[j] = ml_splat(0.0);
#pragma GCC unroll 1
    for (int s = 0; s <= method->n_stage; s++) {
        ml_vec amount[ML_ROW], t[ML_ROW];
        for (int j = 0; j < n_group; j++)
            amount[j] = method->splitting->drift[s] * clock->h[j];
        splitting_move_all(ctx, 0, amount, own.y, own.columns, n_position, &own);
        if (s == method->n_stage)
            break;
        for (int j = 0; j < n_group; j++) {
            t[j] = ml_fma(ml_splat(method->node[s]), clock->h[j], clock->t[j]);
            amount[j] = method->splitting->kick[s] * clock->h[j];
        }
        kernel_evaluate(ctx, ML_STAGE_FIRST, t, own.y, NULL, NULL, &own, own.k);
        splitting_move_all(ctx, n_position, amount, own.newest, own.k + size, n_position, &own);
    }
    if (ctx->path == ML_FAST && __builtin_expect(!kernel_was_fast(ctx, clock), 0))
        return false;
    kernel_accept(clock, size, n_group, own.y, room->x);
    if (ctx->is_compensated)
        kernel_accept(clock, size, n_group, own.z, room->low);
    for (int c = 0; c < ctx->n_column; c++)
        kernel_accept(clock, size, n_group, own.columns + c * size, room->columns + c * size);
    return true;
}

#endif
