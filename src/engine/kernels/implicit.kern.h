/* Linearly implicit steps: the Jacobian from tangent vectors, its factors by Gaussian elimination
 * with a pivot of its own in every lane, the stages, and the derivatives of all these along the
 * study's own tangent vectors. Part of the kernel. */
#ifndef ML_ENGINE_IMPLICIT_H
#define ML_ENGINE_IMPLICIT_H

/* Where the numbers of a step are, in vectors; [..][n_group]. */
struct implicit_room {
    ml_vec *matrix;           /* [n_x][n_x] 1 / (gamma h) - J, then its factors */
    ml_vec *u;                /* [n_stage][n_x] */
    ml_vec *pivot;            /* [n_x] row that was taken, as a number */
    ml_vec *forcing;          /* [n_x] f_t */
    ml_vec *error;            /* [n_x] */
    struct kernel_room state; /* its columns are the unit vectors, its k has the Jacobian's */
};

/* A context with a column for each row of the state. */
ML_INLINE struct ml_rhs_ctx implicit_wide(const struct ml_rhs_ctx *ctx)
{
    struct ml_rhs_ctx wide = *ctx;
    wide.has_columns = true;
    wide.n_column = ctx->n_x;
    wide.n_sens = 0;
    return wide;
}

static struct implicit_room implicit_room_in(const struct ml_rhs_ctx *ctx, int n_stage,
                                             ml_vec *work)
{
    const int n_x = ctx->n_x, size = n_x * ctx->n_group;
    const struct ml_rhs_ctx wide = implicit_wide(ctx);
    struct implicit_room room = {.matrix = work};
    room.u = room.matrix + n_x * size;
    room.pivot = room.u + n_stage * size;
    room.forcing = room.pivot + size;
    room.error = room.forcing + size;
    room.state = kernel_room_in(&wide, 1, room.error + size);
    for (int c = 0; c < n_x; c++)
        for (int i = 0; i < size; i++)
            room.state.columns[c * size + i] = ml_splat(i / ctx->n_group == c ? 1.0 : 0.0);
    return room;
}

/* Behind all of the room. */
ML_INLINE ml_vec *implicit_room_end(const struct ml_rhs_ctx *ctx, const struct implicit_room *room)
{
    return room->state.scratch + (2 * ctx->rhs_rows + ML_CENTRAL_STATES * ctx->n_x +
                                  ML_CENTRAL_CONSTANTS * ctx->n_constant) *
                                     ML_ROW;
}

/* Exchanges a and b in some lanes. */
ML_INLINE void implicit_swap(ml_mask lanes, ml_vec *a, ml_vec *b)
{
    const ml_vec kept = *a;
    *a = ml_select(lanes, *b, *a);
    *b = ml_select(lanes, kept, *b);
}

/* First row that row k may have to be exchanged with; n if it is itself the pivot in all lanes. */
ML_INLINE int implicit_first(int k, int n, ml_vec pivot)
{
    return ml_bits((ml_mask)(pivot != (double)k)) == 0 ? n : k + 1;
}

/* LU factors of matrices [n][n][n_group] in place, by rows, with partial pivoting. A matrix that is
 * singular leaves NaN or infinity. */
ML_INLINE void implicit_factorise(int n, int n_group, ml_vec *matrix, ml_vec *pivot)
{
    for (int j = 0; j < n_group; j++)
        for (int k = 0; k < n; k++) {
            ml_vec largest = ml_splat(-1.0), row = ml_splat((double)k);
            for (int r = k; r < n; r++) {
                const ml_vec size = ml_abs(matrix[(r * n + k) * n_group + j]);
                const ml_mask is_larger = (ml_mask)(size > largest);
                largest = ml_select(is_larger, size, largest);
                row = ml_select(is_larger, ml_splat((double)r), row);
            }
            pivot[k * n_group + j] = row;
            for (int r = implicit_first(k, n, row); r < n; r++)
                for (int c = 0; c < n; c++)
                    implicit_swap((ml_mask)(row == (double)r), &matrix[(k * n + c) * n_group + j],
                                  &matrix[(r * n + c) * n_group + j]);
            const ml_vec inverse = 1.0 / matrix[(k * n + k) * n_group + j];
            for (int r = k + 1; r < n; r++) {
                const ml_vec factor = matrix[(r * n + k) * n_group + j] * inverse;
                matrix[(r * n + k) * n_group + j] = factor;
                for (int c = k + 1; c < n; c++)
                    matrix[(r * n + c) * n_group + j] =
                        ml_fnma(factor, matrix[(k * n + c) * n_group + j],
                                matrix[(r * n + c) * n_group + j]);
            }
        }
}

/* Solves for right-hand sides b [n][n_group] in place. */
ML_INLINE void implicit_solve(int n, int n_group, const ml_vec *matrix, const ml_vec *pivot,
                              ml_vec *b)
{
    for (int j = 0; j < n_group; j++) {
        for (int k = 0; k < n; k++)
            for (int r = implicit_first(k, n, pivot[k * n_group + j]); r < n; r++)
                implicit_swap((ml_mask)(pivot[k * n_group + j] == (double)r), &b[k * n_group + j],
                              &b[r * n_group + j]);
        for (int r = 1; r < n; r++)
            for (int c = 0; c < r; c++)
                b[r * n_group + j] = ml_fnma(matrix[(r * n + c) * n_group + j], b[c * n_group + j],
                                             b[r * n_group + j]);
        for (int r = n - 1; r >= 0; r--) {
            for (int c = r + 1; c < n; c++)
                b[r * n_group + j] = ml_fnma(matrix[(r * n + c) * n_group + j], b[c * n_group + j],
                                             b[r * n_group + j]);
            b[r * n_group + j] /= matrix[(r * n + r) * n_group + j];
        }
    }
}

/* A time close by, for a difference. */
ML_INLINE ml_vec implicit_near(ml_vec t)
{
    return t + 0x1p-26 * ml_max(ml_abs(t), ml_splat(0x1p-6));
}

/* The matrix of the step and f_t, at its beginning; leaves f in state.k. */
static void implicit_begin(const struct ml_rhs_ctx *ctx, double gamma, const ml_vec *t,
                           const ml_vec *h, const struct implicit_room *room)
{
    const int n_x = ctx->n_x, n_group = ctx->n_group, size = n_x * n_group;
    const struct ml_rhs_ctx wide = implicit_wide(ctx);
    ml_vec near[ML_ROW] = {{0.0}};
    for (int j = 0; j < n_group; j++)
        near[j] = implicit_near(t[j]);
    kernel_evaluate(ctx, ML_STAGE_FIRST, near, room->state.x, NULL, NULL, &room->state,
                    room->forcing);
    kernel_evaluate(&wide, ML_STAGE_FIRST, t, room->state.x, NULL, NULL, &room->state,
                    room->state.k);
    for (int r = 0; r < n_x; r++)
        for (int j = 0; j < n_group; j++) {
            const int at = r * n_group + j;
            room->forcing[at] = (room->forcing[at] - room->state.k[at]) / (near[j] - t[j]);
            for (int c = 0; c < n_x; c++)
                room->matrix[(r * n_x + c) * n_group + j] = -room->state.k[(1 + c) * size + at];
            room->matrix[(r * n_x + r) * n_group + j] += 1.0 / (gamma * h[j]);
        }
    implicit_factorise(n_x, n_group, room->matrix, room->pivot);
}

/* to = from + sum of weights u, scaled */
ML_INLINE void implicit_add(int size, int n_term, const double *weight, const ml_vec *u,
                            const ml_vec *from, ml_vec *to)
{
    for (int i = 0; i < size; i++) {
        ml_vec sum = from[i];
        for (int s = 0; s < n_term; s++)
            sum = ml_fma(ml_splat(weight[s]), u[s * size + i], sum);
        to[i] = sum;
    }
}

/* u of stage s, from the stages before. */
static void implicit_stage(const struct ml_rhs_ctx *ctx, const struct ml_method *method, int s,
                           const ml_vec *begin, const ml_vec *h, const struct implicit_room *room)
{
    const struct ml_implicit *implicit = method->implicit;
    const int n_group = ctx->n_group, size = ctx->n_x * n_group;
    const struct kernel_room *state = &room->state;
    ml_vec *u = room->u + s * size, t[ML_ROW];
    for (int j = 0; j < n_group; j++)
        t[j] = ml_fma(ml_splat(method->node[s]), h[j], begin[j]);
    implicit_add(size, s, implicit->state[s], room->u, state->x, state->y);
    if (s > 0)
        kernel_evaluate(ctx, ML_STAGE_FIRST, t, state->y, NULL, NULL, state, state->k);
    for (int i = 0; i < size; i++)
        u[i] = ml_splat(0.0);
    implicit_add(size, s, implicit->coupling[s], room->u, u, u);
    for (int i = 0; i < size; i++) {
        const ml_vec own = h[i % n_group];
        u[i] = state->k[i] + u[i] / own;
        u[i] = ml_fma(implicit->time_weight[s] * own, room->forcing[i], u[i]);
    }
    implicit_solve(ctx->n_x, n_group, room->matrix, room->pivot, u);
}

/* A step of h from state.x to state.y, with its error estimate. */
static void implicit_try(const struct ml_rhs_ctx *ctx, const struct ml_method *method,
                         const ml_vec *begin, const ml_vec *h, const struct implicit_room *room)
{
    const struct ml_implicit *implicit = method->implicit;
    const int size = ctx->n_x * ctx->n_group;
    implicit_begin(ctx, implicit->gamma, begin, h, room);
    for (int s = 0; s < method->n_stage; s++)
        implicit_stage(ctx, method, s, begin, h, room);
    implicit_add(size, method->n_stage, implicit->step, room->u,
                 ctx->is_compensated ? room->state.low : room->state.x, room->state.y);
    if (ctx->is_compensated)
        kernel_add_compensated(ctx, &room->state);
    for (int i = 0; i < size; i++)
        room->error[i] = ml_splat(0.0);
    implicit_add(size, method->n_stage, implicit->error, room->u, room->error, room->error);
}

/* The derivatives of a step along the study's tangent vectors, [..][n_x][n_group]. */
struct implicit_tangents {
    ml_vec *y;         /* [n_column] the tangent vectors */
    ml_vec *u;         /* [n_stage][n_column] of the stages' u */
    ml_vec *bend;      /* [n_stage][n_column] of the Jacobian, times the u of the stage */
    ml_vec *forcing;   /* [n_column] of f_t */
    ml_vec *stage;     /* [n_column] of a stage's state */
    ml_vec *k;         /* [1 + n_column] rates */
    ml_vec *here;      /* [1 + n_stage] rates at the beginning, their derivatives along each u, */
    ml_vec *up, *down; /* and the same on both sides of it */
    ml_vec *x, *side;  /* [1] a stage's state, and one beside the step's beginning */
    double *constants; /* [n_constant][ML_LANES] beside those of the runs */
};

static struct implicit_tangents implicit_tangents_in(const struct ml_rhs_ctx *along, int n_stage,
                                                     ml_vec *work)
{
    const int n = along->n_column, size = along->n_x * along->n_group;
    struct implicit_tangents tangent = {.y = work};
    tangent.u = tangent.y + n * size;
    tangent.bend = tangent.u + n_stage * n * size;
    tangent.forcing = tangent.bend + n_stage * n * size;
    tangent.stage = tangent.forcing + n * size;
    tangent.k = tangent.stage + n * size;
    tangent.here = tangent.k + (1 + n) * size;
    tangent.up = tangent.here + (1 + n_stage) * size;
    tangent.down = tangent.up + (1 + n_stage) * size;
    tangent.x = tangent.down + (1 + n_stage) * size;
    tangent.side = tangent.x + size;
    tangent.constants = (double *)(tangent.side + size);
    return tangent;
}

/* k = f(t, x), and its derivatives along columns. */
static void implicit_rates(const struct ml_rhs_ctx *along, const ml_vec *t, const ml_vec *x,
                           ml_vec *columns, const struct implicit_room *room, ml_vec *k)
{
    struct kernel_room own = room->state;
    own.columns = columns;
    kernel_evaluate(along, ML_STAGE_FIRST, t, x, NULL, NULL, &own, k);
}

/* k = f and J u of each stage, at the state x and with the context's constants. */
static void implicit_rates_of_stages(const struct ml_rhs_ctx *along, int n_stage, const ml_vec *t,
                                     const ml_vec *x, const struct implicit_room *room, ml_vec *k)
{
    struct ml_rhs_ctx of_stages = *along;
    of_stages.n_column = n_stage;
    of_stages.n_sens = 0;
    implicit_rates(&of_stages, t, x, room->u, room, k);
}

/* Where J u changes by more than this part of itself within a difference, a force bends there: the
 * side without the bend is the one that changes less. */
#define IMPLICIT_BEND 0x1p-10

/* Adds to bend the derivative of J u of a stage, from differences over h on both sides of here. */
ML_INLINE void implicit_add_difference(int n_x, int n_group, const ml_vec *h, const ml_vec *here,
                                       const ml_vec *up, const ml_vec *down, ml_vec *bend)
{
    for (int j = 0; j < n_group; j++) {
        ml_vec change = ml_splat(0.0);
        for (int at = j; at < n_x * n_group; at += n_group)
            change = ml_max(ml_abs(up[at] - down[at]), change);
        const ml_vec most = IMPLICIT_BEND * ml_central_largest(n_x, n_group, j, here);
        for (int at = j; at < n_x * n_group; at += n_group) {
            const ml_vec above = up[at] - here[at], below = here[at] - down[at];
            const ml_vec less = ml_select((ml_mask)(ml_abs(above) < ml_abs(below)), above, below);
            const ml_vec both = 0.5 * (up[at] - down[at]);
            bend[at] += ml_select((ml_mask)(change > most), less, both) / h[j];
        }
    }
}

static void implicit_add_bend(const struct ml_rhs_ctx *along, int n_stage, const ml_vec *h,
                              const struct implicit_tangents *tangent, int c)
{
    const int size = along->n_x * along->n_group;
    for (int s = 0; s < n_stage; s++)
        implicit_add_difference(along->n_x, along->n_group, h, tangent->here + (1 + s) * size,
                                tangent->up + (1 + s) * size, tangent->down + (1 + s) * size,
                                tangent->bend + (s * along->n_column + c) * size);
}

/* Along the tangent vector c. */
static void implicit_bend_state(const struct ml_rhs_ctx *along, int n_stage, const ml_vec *t,
                                const struct implicit_room *room,
                                const struct implicit_tangents *tangent, int c)
{
    const int n_group = along->n_group, size = along->n_x * n_group;
    const ml_vec *x = room->state.x, *y = tangent->y + c * size;
    ml_vec h[ML_ROW] = {{0.0}};
    for (int j = 0; j < n_group; j++)
        h[j] = ml_central_step(ml_max(ml_central_largest(along->n_x, n_group, j, x), ml_splat(1.0)),
                               ml_central_largest(along->n_x, n_group, j, y));
    for (int i = 0; i < size; i++)
        tangent->side[i] = ml_fma(h[i % n_group], y[i], x[i]);
    implicit_rates_of_stages(along, n_stage, t, tangent->side, room, tangent->up);
    for (int i = 0; i < size; i++)
        tangent->side[i] = ml_fnma(h[i % n_group], y[i], x[i]);
    implicit_rates_of_stages(along, n_stage, t, tangent->side, room, tangent->down);
    implicit_add_bend(along, n_stage, h, tangent, c);
}

/* Along the parameter of the context, which the tangent vector c belongs to. */
static void implicit_bend_parameter(const struct ml_rhs_ctx *along, int n_stage, const ml_vec *t,
                                    const struct implicit_room *room,
                                    const struct implicit_tangents *tangent, int c)
{
    struct ml_rhs_ctx beside = *along;
    ml_vec h[ML_ROW] = {{0.0}};
    beside.constants = tangent->constants;
    for (int j = 0; j < along->n_group; j++) {
        h[j] = ml_central_parameter_step(along, along->n_constant, j);
        ml_central_shift(along, along->n_constant, j, h[j], tangent->constants);
    }
    implicit_rates_of_stages(&beside, n_stage, t, room->state.x, room, tangent->up);
    for (int j = 0; j < along->n_group; j++)
        ml_central_shift(along, along->n_constant, j, -h[j], tangent->constants);
    implicit_rates_of_stages(&beside, n_stage, t, room->state.x, room, tangent->down);
    implicit_add_bend(along, n_stage, h, tangent, c);
}

/* Shared by all stages: derivatives of the Jacobian and of f_t, at the beginning of the step. */
static void implicit_begin_tangents(const struct ml_rhs_ctx *along, int n_stage, const ml_vec *t,
                                    const struct implicit_room *room,
                                    const struct implicit_tangents *tangent)
{
    const int n = along->n_column, n_group = along->n_group, size = along->n_x * n_group;
    const int unforced = n - along->n_sens;
    ml_vec near[ML_ROW] = {{0.0}};
    for (int i = 0; i < n_stage * n * size; i++)
        tangent->bend[i] = ml_splat(0.0);
    implicit_rates_of_stages(along, n_stage, t, room->state.x, room, tangent->here);
    for (int c = 0; c < n; c++) {
        struct ml_rhs_ctx own = *along;
        own.parameter = c - unforced;
        implicit_bend_state(along, n_stage, t, room, tangent, c);
        if (c >= unforced)
            implicit_bend_parameter(&own, n_stage, t, room, tangent, c);
    }
    for (int j = 0; j < n_group; j++)
        near[j] = implicit_near(t[j]);
    implicit_rates(along, near, room->state.x, tangent->y, room, tangent->k);
    for (int i = 0; i < n * size; i++)
        tangent->forcing[i] = tangent->k[size + i];
    implicit_rates(along, t, room->state.x, tangent->y, room, tangent->k);
    for (int i = 0; i < n * size; i++)
        tangent->forcing[i] =
            (tangent->forcing[i] - tangent->k[size + i]) / (near[i % n_group] - t[i % n_group]);
}

/* Derivatives of u of stage s, from those before it: with A = 1 / (gamma h) - J it is A u = r, so
 * that A u' = r' + J' u. */
static void implicit_tangent_stage(const struct ml_rhs_ctx *along, const struct ml_method *method,
                                   int s, const ml_vec *begin, const ml_vec *h,
                                   const struct implicit_room *room,
                                   const struct implicit_tangents *tangent)
{
    const struct ml_implicit *implicit = method->implicit;
    const int n_group = along->n_group, size = along->n_x * n_group, all = along->n_column * size;
    ml_vec *u = tangent->u + s * all, t[ML_ROW] = {{0.0}};
    for (int j = 0; j < n_group; j++)
        t[j] = ml_fma(ml_splat(method->node[s]), h[j], begin[j]);
    implicit_add(size, s, implicit->state[s], room->u, room->state.x, tangent->x);
    implicit_add(all, s, implicit->state[s], tangent->u, tangent->y, tangent->stage);
    implicit_rates(along, t, tangent->x, tangent->stage, room, tangent->k);
    for (int i = 0; i < all; i++)
        u[i] = ml_splat(0.0);
    implicit_add(all, s, implicit->coupling[s], tangent->u, u, u);
    for (int i = 0; i < all; i++) {
        const ml_vec own = h[i % n_group];
        u[i] = tangent->k[size + i] + u[i] / own + tangent->bend[s * all + i];
        u[i] = ml_fma(implicit->time_weight[s] * own, tangent->forcing[i], u[i]);
    }
    for (int c = 0; c < along->n_column; c++)
        implicit_solve(along->n_x, n_group, room->matrix, room->pivot, u + c * size);
}

/* A step of the tangent vectors to tangent->stage: the derivative of that of the state, which is
 * still at its beginning, with the factors of its matrix. */
static void implicit_try_tangents(const struct ml_rhs_ctx *along, const struct ml_method *method,
                                  const ml_vec *begin, const ml_vec *h,
                                  const struct implicit_room *room,
                                  const struct implicit_tangents *tangent)
{
    const int all = along->n_column * along->n_x * along->n_group;
    implicit_begin_tangents(along, method->n_stage, begin, room, tangent);
    for (int s = 0; s < method->n_stage; s++)
        implicit_tangent_stage(along, method, s, begin, h, room, tangent);
    implicit_add(all, method->n_stage, method->implicit->step, tangent->u, tangent->y,
                 tangent->stage);
}

/* Takes the errors of the tangent vectors into the largest so far. */
static void implicit_add_errors(const struct ml_rhs_ctx *along, const struct ml_method *method,
                                const struct ml_control *control,
                                const struct adaptive_lanes *lanes,
                                const struct implicit_tangents *tangent, ml_vec *square)
{
    const int n_group = along->n_group, size = along->n_x * n_group;
    const int all = along->n_column * size;
    ml_vec *error = tangent->k;
    for (int i = 0; i < all; i++)
        error[i] = ml_splat(0.0);
    implicit_add(all, method->n_stage, method->implicit->error, tangent->u, error, error);
    for (int c = 0; c < along->n_column; c++) {
        ml_vec own[ML_ROW];
        adaptive_vector_squares(along, control, c, tangent->y + c * size, error + c * size, own);
        for (int j = 0; j < n_group; j++)
            own[j] /= (double)along->n_x;
        adaptive_take_worst(n_group, lanes, own, square);
    }
}

/* As adaptive_advance.
 *   along    the context with the study's tangent vectors; ctx is without
 *   tangent  room of these; unused without */
static void implicit_advance(const struct ml_rhs_ctx *ctx, const struct ml_rhs_ctx *along,
                             const struct adaptive_call *call, const struct implicit_room *room,
                             const struct implicit_tangents *tangent, struct adaptive_lanes *lanes,
                             struct ml_lane_faults *faults)
{
    const struct ml_method *method = call->method;
    const struct ml_control *control = call->control;
    const struct ml_leg *leg = call->leg;
    const struct adaptive_gains gains = adaptive_gains(method);
    const int n_group = ctx->n_group;
    struct kernel_clock clock = {.all_active = false};
    ml_vec square[ML_ROW], pivot[ML_ROW] = {{0.0}}, begin[ML_ROW] = {{0.0}};
    const unsigned begun = adaptive_active(lanes, n_group);
    for (int64_t k = 0; k < leg->most_tries && adaptive_goes_on(lanes, n_group, leg, begun); k++) {
        adaptive_set_steps(n_group, ctx->is_compensated, lanes);
        for (int j = 0; j < n_group; j++) {
            ctx->smallest[j] = ml_splat((double)INFINITY);
            begin[j] = lanes->t[j];
        }
        implicit_try(ctx, method, begin, lanes->tried, room);
        adaptive_squares(ctx, control, &room->state, room->error, square);
        for (int j = 0; j < n_group; j++)
            square[j] /= (double)ctx->n_x;
        for (int j = 0; j < n_group; j++)
            pivot[j] = ctx->smallest[j]; /* of the state: not beside it, as tangents look there */
        if (along->has_columns)
            implicit_try_tangents(along, method, begin, lanes->tried, room, tangent);
        if (along->has_columns && !control->is_of_state)
            implicit_add_errors(along, method, control, lanes, tangent, square);
        for (int j = 0; j < n_group; j++)
            clock.active[j] =
                adaptive_decide(&gains, control, j, square[j], pivot[j], lanes, faults);
        if (along->has_columns)
            kernel_accept(&clock, along->n_column * along->n_x * n_group, n_group, tangent->stage,
                          tangent->y);
        kernel_accept(&clock, ctx->n_x * n_group, n_group, room->state.y, room->state.x);
        if (ctx->is_compensated)
            kernel_accept(&clock, ctx->n_x * n_group, n_group, room->state.z, room->state.low);
    }
}

#endif
