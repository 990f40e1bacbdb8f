/* mass_spring_damper: M q'' + C q' + K q = f, n degrees of freedom, constant matrices.
 *
 * M is symmetric and factorised once per run, so that an evaluation is 2 n^2 multiply-adds:
 *
 *   q'' = M^-1 f - M^-1 C q' - M^-1 K q
 *
 * and d(M^-1 X) = M^-1 (dX - dM M^-1 X) for X = C, K, f along a parameter. C and K need not be
 * symmetric (gyroscopes, follower forces). The energy q'.M q'/2 + q.K q/2 - f.q sees the symmetric
 * part of K alone: the other has no potential. Forces that change over time are laws that add to f.
 *
 * State rows: positions [n], velocities [n]. Constants: the study's numbers as they are, then
 * M^-1 C, M^-1 K and M^-1 f column by column, and M^-1 where there are laws, then whether M is
 * positive definite, then the constants of the laws. */
#include "model/first_order.kern.h"
#include "model/law.kern.h"

enum { MSD_MASS, MSD_DAMPING, MSD_STIFFNESS, MSD_FORCE, MSD_N_ARRAY };
enum { MSD_ENERGY, MSD_N_PARAM }; /* behind the arrays' numbers */
enum { MSD_POSITION, MSD_VELOCITY, MSD_N_STATE };

static const struct ml_param msd_arrays[MSD_N_ARRAY] = {
    [MSD_MASS] = {"mass", "kg", 0.0, -1e12, 1e12, ML_REQUIRED | ML_MATRIX | ML_SYMMETRIC,
                  "mass matrix M, symmetric; a run in which it is not positive definite ends as "
                  "singular_mass at once"},
    [MSD_DAMPING] = {"damping", "N s/m", 0.0, -1e15, 1e15, ML_MATRIX,
                     "damping matrix C; its antisymmetric part is gyroscopic"},
    [MSD_STIFFNESS] = {"stiffness", "N/m", 0.0, -1e15, 1e15, ML_MATRIX,
                       "stiffness matrix K; its antisymmetric part has no potential"},
    [MSD_FORCE] = {"force", "N", 0.0, -1e15, 1e15, 0, "constant force f"},
};

static const struct ml_param msd_params[MSD_N_PARAM] = {
    [MSD_ENERGY] = {"energy", "J", (double)NAN, -1e30, 1e30, ML_DERIVED | ML_OF_START,
                    "kinetic plus potential energy at the start: one common factor scales the "
                    "velocities to it; where none can (the potential energy is larger, or all are "
                    "0) the run ends as impossible_start"},
};

static const struct ml_quantity msd_records[] = {
    [MSD_POSITION] = {"position", "m", "generalised coordinate q", {ML_DIM_DOF}},
    [MSD_VELOCITY] = {"velocity", "m/s", "time derivative of position", {ML_DIM_DOF}},
    {"energy", "J", "kinetic plus potential energy", {ML_DIM_NONE}},
    {"kinetic_energy", "J", "q'.M q'/2", {ML_DIM_NONE}},
    {"potential_energy", "J", "q.K q/2 - f.q, zero at the origin", {ML_DIM_NONE}},
};

/* First rows of the study's numbers among values and constants. */
ML_INLINE int msd_row_damping(int n) { return ml_tri(n, 0); }
ML_INLINE int msd_row_stiffness(int n) { return msd_row_damping(n) + n * n; }
ML_INLINE int msd_row_force(int n) { return msd_row_stiffness(n) + n * n; }
ML_INLINE int msd_n_number(int n) { return msd_row_force(n) + n; }

/* Columns that M^-1 is multiplied by: of C, of K (from column n on), f (column 2 n) and, with laws,
 * of the unit matrix. */
ML_INLINE int msd_n_column(int n, int n_law) { return 2 * n + 1 + (n_law > 0 ? n : 0); }

/* M^-1 times column c, row i. */
ML_INLINE int msd_row_divided(int n, int c, int i) { return msd_n_number(n) + c * n + i; }
ML_INLINE int msd_row_is_definite(int n, int n_law)
{
    return msd_row_divided(n, msd_n_column(n, n_law), 0);
}

static int mass_spring_damper_n_x(const struct ml_instance *model) { return 2 * model->n; }

static int mass_spring_damper_constant_rows(const struct ml_instance *model)
{
    return msd_row_is_definite(model->n, model->n_law) + 1 + model->n_law_constant +
           model->n_quantity_constant;
}

static int mass_spring_damper_rhs_rows(const struct ml_instance *model)
{
    return FIRST_ORDER_ROWS + (model->n_law > 0 ? 2 * model->n : 0);
}

/* Row i of sum - M^-1 C v - M^-1 K q, of group j of a context.
 *   constants  at the group; or their derivatives, for how M^-1 C and M^-1 K change
 *   x          [n_x][n_group] */
ML_INLINE ml_vec msd_subtract(const struct ml_rhs_ctx *ctx, int j, const double *constants, int i,
                              const ml_vec *x, ml_vec sum)
{
    const int n = ctx->n, n_group = ctx->n_group;
    const ml_vec *q = x + j, *v = q + n * n_group;
    for (int c = 0; c < n; c++)
        sum = ml_fnma(ml_load(constants, msd_row_divided(n, c, i)), v[c * n_group], sum);
    for (int c = 0; c < n; c++)
        sum = ml_fnma(ml_load(constants, msd_row_divided(n, n + c, i)), q[c * n_group], sum);
    return sum;
}

/* All n laws of a context: engine/kernels/spec_laws.kern.h. */
ML_INLINE void ml_laws_force(int n, const struct ml_law *laws, const struct ml_law_view *view,
                             const ml_vec *t);
ML_INLINE void ml_laws_tangent(int n, const struct ml_law *laws, const struct ml_law_view *view,
                               const ml_vec *t);

/* The view for laws, which depend on time alone.
 *   force  [n][n_group] cleared */
ML_INLINE struct ml_law_view msd_law_view(int n, int n_group, const double *constants,
                                          ml_vec *force)
{
    for (int at = 0; at < n * n_group; at++)
        force[at] = ml_splat(0.0);
    return (struct ml_law_view){.n = n, .n_group = n_group, .constants = constants, .force = force};
}

/* Adds M^-1 times the forces to accelerations, of group j.
 *   constants  at the group; or their derivatives, for how M^-1 changes */
ML_INLINE void msd_divide_forces(const struct ml_rhs_ctx *ctx, int j, const double *constants,
                                 const ml_vec *force, ml_vec *acceleration)
{
    const int n = ctx->n, n_group = ctx->n_group;
    for (int i = 0; i < n; i++)
        for (int c = 0; c < n; c++)
            acceleration[i * n_group + j] =
                ml_fma(ml_load(constants, msd_row_divided(n, 2 * n + 1 + c, i)),
                       force[c * n_group + j], acceleration[i * n_group + j]);
}

/* Forces of laws at time t, [n][n_group]. */
ML_INLINE void msd_apply_laws(const struct ml_rhs_ctx *ctx, const ml_vec *t, ml_vec *force)
{
    struct ml_law_view view = msd_law_view(ctx->n, ctx->n_group, ctx->constants, force);
    view.begin = ctx->begin;
    view.length = ctx->length;
    ml_laws_force(ctx->n_law, ctx->laws, &view, t);
}

ML_INLINE void mass_spring_damper_rhs(const struct ml_rhs_ctx *ctx, int stage, const ml_vec *t,
                                      const ml_vec *x, ml_vec *dx, ml_vec *work)
{
    const int n = ctx->n, n_group = ctx->n_group;
    (void)stage;
    if (ctx->n_law > 0)
        msd_apply_laws(ctx, t, work);
    for (int j = 0; j < n_group; j++) {
        const double *constants = ctx->constants + j * ML_WIDTH;
        ctx->smallest[j] =
            ml_min(ml_load(constants, msd_row_is_definite(n, ctx->n_law)), ctx->smallest[j]);
        for (int i = 0; i < n; i++) {
            ml_vec force = ml_load(constants, msd_row_divided(n, 2 * n, i));
            dx[i * n_group + j] = x[(n + i) * n_group + j];
            dx[(n + i) * n_group + j] = msd_subtract(ctx, j, constants, i, x, force);
        }
        if (ctx->n_law > 0)
            msd_divide_forces(ctx, j, constants, work, dx + n * n_group);
    }
}

#define MASS_SPRING_DAMPER_HAS_TANGENTS 1
#define MASS_SPRING_DAMPER_HAS_FORCING 1

ML_INLINE void mass_spring_damper_linearise(const struct ml_rhs_ctx *ctx, const ml_vec *x,
                                            const ml_vec *dx, ml_vec *work)
{
    (void)ctx, (void)x, (void)dx, (void)work;
}

/* How the forces of laws change along the parameter: with these forces, [n][n_group], and how these
 * themselves do, behind them. */
ML_INLINE void msd_apply_law_derivs(const struct ml_rhs_ctx *ctx, const ml_vec *t, const ml_vec *x,
                                    const ml_vec *y, ml_vec *work)
{
    const int size = ctx->n * ctx->n_group;
    msd_apply_laws(ctx, t, work);
    struct ml_law_view view = msd_law_view(ctx->n, ctx->n_group, ctx->constants, work + size);
    view.begin = ctx->begin;
    view.length = ctx->length;
    view.x = x;
    view.y = y;
    view.constant_derivs =
        first_order_constants_along(ctx->n_constant, ctx->parameter, ctx->constants);
    view.force_deriv = work + size;
    ml_laws_tangent(ctx->n_law, ctx->laws, &view, t);
}

ML_INLINE void mass_spring_damper_tangent(const struct ml_rhs_ctx *ctx, const ml_vec *t,
                                          const ml_vec *x, const ml_vec *dx, const ml_vec *y,
                                          ml_vec *dy, ml_vec *work)
{
    const int n = ctx->n, n_group = ctx->n_group;
    const bool is_driven = ctx->n_law > 0 && ctx->parameter >= 0;
    (void)dx;
    if (is_driven)
        msd_apply_law_derivs(ctx, t, x, y, work);
    for (int j = 0; j < n_group; j++) {
        const double *constants = ctx->constants + j * ML_WIDTH;
        const double *derivs =
            first_order_constants_along(ctx->n_constant, ctx->parameter, constants);
        for (int i = 0; i < n; i++) {
            ml_vec forced = ml_splat(0.0);
            if (ctx->parameter >= 0)
                forced = msd_subtract(ctx, j, derivs, i, x,
                                      ml_load(derivs, msd_row_divided(n, 2 * n, i)));
            dy[i * n_group + j] = y[(n + i) * n_group + j];
            dy[(n + i) * n_group + j] = msd_subtract(ctx, j, constants, i, y, forced);
        }
        if (is_driven) {
            msd_divide_forces(ctx, j, derivs, work, dy + n * n_group);
            msd_divide_forces(ctx, j, constants, work + n * n_group, dy + n * n_group);
        }
    }
}

/* The columns of C, of K, and f, and those of `unit` times the unit matrix with laws.
 *   columns  [msd_n_column(n, n_law)][n] out */
static void msd_columns(int n, int n_law, const double *numbers, double unit, double *columns)
{
    const int unit_from = (2 * n + 1) * n;
    const size_t row = ML_LANES * sizeof *columns;
    const double *matrices = numbers + msd_row_damping(n) * ML_LANES;
    for (int c = 0; c < 2 * n; c++)
        for (int i = 0; i < n; i++)
            memcpy(columns + (c * n + i) * ML_LANES,
                   matrices + ((c / n * n + i) * n + c % n) * ML_LANES, row);
    memcpy(columns + 2 * n * n * ML_LANES, numbers + msd_row_force(n) * ML_LANES, (size_t)n * row);
    for (int at = 0; n_law > 0 && at < n * n * ML_LANES; at++)
        columns[unit_from * ML_LANES + at] = at / ML_LANES / n == at / ML_LANES % n ? unit : 0.0;
}

/* M^-1 times the columns, in place; info as ml_solver.potrf has it.
 *   mass     packed lower triangle
 *   scratch  [msd_n_number(n)] */
static void msd_divide(const struct ml_instance *model, const double *mass, double *scratch,
                       double *columns, int *info)
{
    const int n = model->n;
    const struct ml_solver *solver = &ML_K(ml_solvers)[model->solver];
    double *work = scratch + msd_row_damping(n) * ML_LANES;
    memcpy(scratch, mass, (size_t)msd_row_damping(n) * ML_LANES * sizeof *mass);
    solver->potrf(n, scratch, info, work);
    solver->potrs(n, msd_n_column(n, model->n_law), scratch, columns, work);
}

/* The study's numbers and the state as they are. */
static void msd_copy(int n, const double *values, double *constants, double *x)
{
    const size_t row = ML_LANES * sizeof *values;
    memcpy(constants, values, (size_t)msd_n_number(n) * row);
    memcpy(x, values + (msd_n_number(n) + MSD_N_PARAM) * ML_LANES, (size_t)(2 * n) * row);
}

static void mass_spring_damper_prepare(const struct ml_instance *model, const double *values,
                                       double *constants, double *x)
{
    const int n = model->n;
    int info[ML_LANES];
    double *columns = constants + msd_row_divided(n, 0, 0) * ML_LANES;
    msd_columns(n, model->n_law, values, 1.0, columns);
    msd_divide(model, values, constants, columns, info);
    msd_copy(n, values, constants, x);
    for (int lane = 0; lane < ML_LANES; lane++)
        constants[msd_row_is_definite(n, model->n_law) * ML_LANES + lane] =
            info[lane] == 0 ? 1.0 : 0.0;
}

/* Row of a number of M or K. */
ML_INLINE int msd_row_of(int array, int n, int i, int j)
{
    if (array == MSD_MASS)
        return i > j ? ml_tri(i, j) : ml_tri(j, i);
    return msd_row_stiffness(n) + i * n + j;
}

/* Row i of M x or K x, x of [n] rows. */
ML_INLINE ml_vec msd_times(int array, int n, const double *numbers, int i, const double *x)
{
    ml_vec sum = ml_splat(0.0);
    for (int j = 0; j < n; j++)
        sum = ml_fma(ml_load(numbers, msd_row_of(array, n, i, j)), ml_load(x, j), sum);
    return sum;
}

static void mass_spring_damper_prepare_deriv(const struct ml_instance *model, const double *values,
                                             const double *deriv, const double *constants,
                                             double *constant_deriv, double *x_deriv)
{
    const int n = model->n;
    const double *divided = constants + msd_row_divided(n, 0, 0) * ML_LANES;
    int info[ML_LANES];
    double *columns = constant_deriv + msd_row_divided(n, 0, 0) * ML_LANES;
    msd_columns(n, model->n_law, deriv, 0.0, columns);
    for (int at = 0; at < msd_n_column(n, model->n_law) * n; at++)
        ML_EACH_GROUP(g)
            ml_store(columns + g, at,
                     ml_load(columns + g, at) - msd_times(MSD_MASS, n, deriv + g, at % n,
                                                          divided + at / n * n * ML_LANES + g));
    msd_divide(model, values, constant_deriv, columns, info);
    msd_copy(n, deriv, constant_deriv, x_deriv);
    memset(constant_deriv + msd_row_is_definite(n, model->n_law) * ML_LANES, 0,
           ML_LANES * sizeof(double));
}

/* Energy of a degree of freedom whose springs its force deflects; without springs, work over a
 * metre. */
ML_INLINE ml_vec msd_stored(ml_vec force, ml_vec stiffness)
{
    return ml_select((ml_mask)(stiffness > 0.0), 0.5 * force * force / stiffness, ml_abs(force));
}

ML_INLINE ml_vec msd_stored_deriv(ml_vec force, ml_vec stiffness, ml_vec d_force,
                                  ml_vec d_stiffness)
{
    ml_vec deflection = force / stiffness;
    ml_vec of_springs = deflection * ml_fnma(0.5 * deflection, d_stiffness, d_force);
    return ml_select((ml_mask)(stiffness > 0.0), of_springs, ml_abs_deriv(force, d_force));
}

/* Sum of |K_ij| over a row, and how it changes. */
ML_INLINE ml_vec msd_springs(int n, const double *constants, int i)
{
    ml_vec sum = ml_splat(0.0);
    for (int j = 0; j < n; j++)
        sum += ml_abs(ml_load(constants, msd_row_of(MSD_STIFFNESS, n, i, j)));
    return sum;
}

ML_INLINE ml_vec msd_springs_deriv(int n, const double *constants, const double *derivs, int i)
{
    ml_vec sum = ml_splat(0.0);
    for (int j = 0; j < n; j++) {
        const int row = msd_row_of(MSD_STIFFNESS, n, i, j);
        sum += ml_abs_deriv(ml_load(constants, row), ml_load(derivs, row));
    }
    return sum;
}

/* The scale is the energy that the constant forces can store; without such forces the energy at the
 * start. */
static void mass_spring_damper_energy(const struct ml_instance *model, const double *constants,
                                      const double *x, double *work, double *kinetic,
                                      double *potential, double *scale)
{
    const int n = model->n;
    (void)work;
    ML_EACH_GROUP(g) {
        const double *c = constants + g, *q = x + g, *v = q + n * ML_LANES;
        ml_vec moving = ml_splat(0.0), resting = moving, stored = moving;
        for (int i = 0; i < n; i++) {
            ml_vec force = ml_load(c, msd_row_force(n) + i);
            ml_vec pull = ml_fma(ml_splat(0.5), msd_times(MSD_STIFFNESS, n, c, i, q), -force);
            moving = ml_fma(0.5 * ml_load(v, i), msd_times(MSD_MASS, n, c, i, v), moving);
            resting = ml_fma(ml_load(q, i), pull, resting);
            stored += msd_stored(force, msd_springs(n, c, i));
        }
        ml_store(kinetic + g, 0, moving);
        ml_store(potential + g, 0, resting);
        if (scale)
            ml_store(scale + g, 0, stored);
    }
}

/* Derivatives of the two energies, of one vector of lanes.
 *   d, dx  derivatives of constants and state */
ML_INLINE void msd_energy_deriv(int n, const double *c, const double *d, const double *x,
                                const double *dx, double *kinetic, double *potential)
{
    const double *v = x + n * ML_LANES, *dv = dx + n * ML_LANES;
    ml_vec moving = ml_splat(0.0), resting = moving, half = ml_splat(0.5);
    for (int i = 0; i < n; i++) {
        const int force = msd_row_force(n) + i;
        ml_vec pull = ml_fma(half, msd_times(MSD_STIFFNESS, n, c, i, x), -ml_load(c, force));
        ml_vec change =
            msd_times(MSD_STIFFNESS, n, c, i, dx) + msd_times(MSD_STIFFNESS, n, d, i, x);
        resting = ml_fma(ml_load(dx, i), pull, resting);
        resting = ml_fma(ml_load(x, i), ml_fma(half, change, -ml_load(d, force)), resting);
        moving = ml_fma(ml_load(dv, i), msd_times(MSD_MASS, n, c, i, v), moving);
        moving = ml_fma(0.5 * ml_load(v, i), msd_times(MSD_MASS, n, d, i, v), moving);
    }
    ml_store(kinetic, 0, moving);
    ml_store(potential, 0, resting);
}

static void mass_spring_damper_energy_deriv(const struct ml_instance *model, int p,
                                            const double *constants, const double *x, double *work,
                                            const struct ml_energies *out)
{
    const int n = model->n, n_constant = mass_spring_damper_constant_rows(model);
    const double *derivs = first_order_constants_along(n_constant, p, constants);
    const double *dx = first_order_x_along(model, 2 * n, p, x);
    (void)work;
    ML_EACH_GROUP(g) {
        const double *c = constants + g, *d = derivs + g;
        ml_vec stored = ml_splat(0.0);
        msd_energy_deriv(n, c, d, x + g, dx + g, out->kinetic + g, out->potential + g);
        for (int i = 0; i < n; i++)
            stored +=
                msd_stored_deriv(ml_load(c, msd_row_force(n) + i), msd_springs(n, c, i),
                                 ml_load(d, msd_row_force(n) + i), msd_springs_deriv(n, c, d, i));
        if (out->scale)
            ml_store(out->scale + g, 0, stored);
    }
}

static void mass_spring_damper_record(const struct ml_instance *model, const double *t,
                                      const double *constants, const double *x, double *work,
                                      double *const *out)
{
    (void)t;
    const size_t half = (size_t)model->n * ML_LANES;
    for (int q = 0; q < MSD_N_STATE; q++)
        if (out[q])
            memcpy(out[q], x + (size_t)q * half, half * sizeof *x);
    if (out[MSD_N_STATE] || out[MSD_N_STATE + 1] || out[MSD_N_STATE + 2])
        first_order_record_energy(mass_spring_damper_energy, model, constants, x, work,
                                  out + MSD_N_STATE);
}

/* Adds the forces of laws at time t to those of one lane.
 *   work  [n] */
static void msd_add_driven(const struct ml_instance *model, double t, const double *constants,
                           int lane, ml_vec *work, const struct ml_terms *out)
{
    const int n = model->n, l = lane % ML_WIDTH;
    const ml_vec time = ml_splat(t);
    const struct ml_law_view view = msd_law_view(n, 1, constants + lane - l, work);
    for (int k = 0; k < model->n_law; k++)
        ML_K(ml_law_functions_of)(model->laws[k].type)->force(&model->laws[k], &view, &time);
    for (int i = 0; i < n; i++) {
        out->e[i] += work[i][l];
        for (int c = 0; c < n; c++)
            out->qdd[i] +=
                constants[msd_row_divided(n, 2 * n + 1 + c, i) * ML_LANES + lane] * work[c][l];
    }
}

/* Springs as Q, dampers as D, forces as E. */
static bool mass_spring_damper_terms(const struct ml_instance *model, double t,
                                     const double *constants, const double *x, int lane,
                                     double *work, const struct ml_terms *out)
{
    const int n = model->n;
    const double *c = constants + lane, *q = x + lane, *v = q + n * ML_LANES;
    for (int i = 0; i < n; i++) {
        out->c[i] = out->g[i] = out->q[i] = out->d[i] = 0.0;
        out->e[i] = c[(msd_row_force(n) + i) * ML_LANES];
        out->qdd[i] = c[msd_row_divided(n, 2 * n, i) * ML_LANES];
        for (int j = 0; j < n; j++) {
            const double q_j = q[j * ML_LANES], v_j = v[j * ML_LANES];
            out->m[i * n + j] = c[msd_row_of(MSD_MASS, n, i, j) * ML_LANES];
            out->q[i] -= c[msd_row_of(MSD_STIFFNESS, n, i, j) * ML_LANES] * q_j;
            out->d[i] -= c[(msd_row_damping(n) + i * n + j) * ML_LANES] * v_j;
            out->qdd[i] -= c[msd_row_divided(n, j, i) * ML_LANES] * v_j +
                           c[msd_row_divided(n, n + j, i) * ML_LANES] * q_j;
        }
    }
    if (model->n_law > 0)
        msd_add_driven(model, t, constants, lane, (ml_vec *)work, out);
    return c[msd_row_is_definite(n, model->n_law) * ML_LANES] > 0.0;
}

/* As many lanes side by side as there are: sums of products wait for each other. */
#define MASS_SPRING_DAMPER_GENERAL_GROUPS ML_ROW
#define MASS_SPRING_DAMPER_GROUPS(n, has_columns) ((has_columns) ? 2 : 4)

ML_DESCRIPTOR(ml_system, mass_spring_damper) = {
    .name = "mass_spring_damper",
    .doc = "M q'' + C q' + K q = f, n degrees of freedom, constant matrices",
    .tables.params = msd_params,
    .tables.n_param = MSD_N_PARAM,
    .tables.arrays = msd_arrays,
    .tables.n_array = MSD_N_ARRAY,
    .tables.records = msd_records,
    .tables.n_record = sizeof msd_records / sizeof *msd_records,
    .tables.state = msd_records,
    .tables.n_state = MSD_N_STATE,
    .start.first_rate = MSD_VELOCITY,
    .start.n_rate = 1,
    .dynamics.has_tangents = ML_SYSTEM_HAS_TANGENTS,
    .dynamics.n_x = mass_spring_damper_n_x,
    .dynamics.is_plain = first_order_is_plain,
    .dynamics.constant_rows = mass_spring_damper_constant_rows,
    .dynamics.rhs_rows = mass_spring_damper_rhs_rows,
    .dynamics.prepare = mass_spring_damper_prepare,
    .parameters.prepare_deriv = mass_spring_damper_prepare_deriv,
    .dynamics.record = mass_spring_damper_record,
    .energy.measure = mass_spring_damper_energy,
    .energy.deriv = mass_spring_damper_energy_deriv,
    .terms.mass_unit = "kg",
    .terms.force_unit = "N",
    .terms.write = mass_spring_damper_terms,
};
