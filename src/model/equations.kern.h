/* equations: x' = f(t, x, p), which a study gives as formulas. The general kernel interprets the
 * programs of them that are `own` of the instance; in a kernel that is made for the study they are
 * C (expr/program.h), behind this unit. Both call the same functions in the same order. */
#include "expr/slide.h"
#include "model/equations.h"
#include "model/first_order.kern.h"
#include "model/program.kern.h"

#define EQUATIONS_GENERAL_GROUPS ML_ROW
#if defined ML_SPEC_TEXT && ML_SPEC_WIDE /* many rates are computed side by side already */
#define EQUATIONS_GROUPS(n, has_columns) 1
#else
#define EQUATIONS_GROUPS(n, has_columns) ((has_columns) ? 1 : 4)
#endif
#define EQUATIONS_ANY_GROUPS 1

#define EQUATIONS_HAS_TANGENTS 1
#define EQUATIONS_HAS_FORCING 1
#define EQUATIONS_HAS_MEASURES 2

static const struct ml_equations *equations_of(const struct ml_instance *model)
{
    return model->own;
}

#ifdef ML_SPEC_TEXT

static int equations_n_x(const struct ml_instance *model)
{
    (void)model;
    return ML_SPEC_STATE;
}

static int equations_constant_rows(const struct ml_instance *model)
{
    (void)model;
    return ML_SPEC_CONSTANT;
}

static int equations_rhs_rows(const struct ml_instance *model)
{
    (void)model;
    return ML_SPEC_KEPT;
}

#else

/* The registry lists the system without a study, too. */
static int equations_n_x(const struct ml_instance *model)
{
    return model->own ? equations_of(model)->n_state : 0;
}

static int equations_constant_rows(const struct ml_instance *model)
{
    const struct ml_equations *own = model->own;
    const int last = own && own->n_mode > 0 ? own->first_mode + own->n_mode : 0;
    return (!own ? 0 : last > 0 ? last : own->n_param + own->n_row) + model->n_quantity_constant;
}

static int equations_longer(int rows, const struct ml_program *program)
{
    return program->n_register > rows ? program->n_register : rows;
}

/* The registers of the longest program, and of energies within a step. */
static int equations_rhs_rows(const struct ml_instance *model)
{
    const struct ml_equations *own = model->own;
    int rows = 0;
    for (int p = 0; own && p < ML_N_EQUATIONS; p++)
        rows = equations_longer(rows, &own->programs[p]);
    for (int p = 0; own && p < ML_EQUATIONS_SELDOM; p++)
        rows = equations_longer(rows, &own->seldom[p]);
    rows = own ? equations_longer(rows, &own->start) : rows;
    const int beside =
        own ? ml_equations_kept(own) + own->seldom[ML_EQUATIONS_ENERGY].n_register : 0;
    return rows > beside ? rows : beside;
}

#endif

/* Which program serves a context. */
ML_INLINE int equations_kind(const struct ml_rhs_ctx *ctx)
{
    return !ctx->has_columns ? ML_EQUATIONS_BARE
           : ctx->n_sens > 0 ? ML_EQUATIONS_FORCED
                             : ML_EQUATIONS_TANGENT;
}

#ifdef ML_SPEC_TEXT

ML_INLINE ml_vec equations_param(const struct ml_rhs_ctx *ctx, int j, int i)
{
    return first_order_param(ctx, j, i);
}

ML_INLINE ml_vec equations_param_deriv(const struct ml_rhs_ctx *ctx, int j, int i)
{
    return first_order_param_deriv(ctx, ctx->n_constant, j, i);
}

ML_INLINE ml_vec equations_curve(const struct ml_rhs_ctx *ctx, int curve, int order, ml_vec x)
{
    const struct ml_equations *own = ctx->own;
    return ml_curve(own->curves[curve].breakpoints, order, x);
}

ML_INLINE void equations_sincos(const struct ml_rhs_ctx *ctx, int j, ml_vec angle, ml_vec *sine,
                                ml_vec *cosine)
{
    ml_rhs_sincos(ctx, j, angle, sine, cosine);
}

/* A phase of the three programs, for vector j of the lanes; the definitions are behind this unit.
 */
typedef void equations_first_fn(const struct ml_rhs_ctx *ctx, int stage, int j, const ml_vec *t,
                                const ml_vec *x, ml_vec *work, ml_vec *out);
typedef void equations_fn(const struct ml_rhs_ctx *ctx, int j, const ml_vec *t, const ml_vec *x,
                          ml_vec *work, ml_vec *out);
typedef void equations_along_fn(const struct ml_rhs_ctx *ctx, int j, const ml_vec *t,
                                const ml_vec *x, const ml_vec *y, ml_vec *work, ml_vec *out);
ML_INLINE equations_first_fn equations_bare, equations_first, equations_first_forced;
ML_INLINE equations_fn equations_forcing, equations_energies;
ML_INLINE equations_along_fn equations_along, equations_along_forced;

ML_INLINE void equations_rhs(const struct ml_rhs_ctx *ctx, int stage, const ml_vec *t,
                             const ml_vec *x, ml_vec *dx, ml_vec *work)
{
    for (int j = 0; j < ctx->n_group; j++)
        if (equations_kind(ctx) == ML_EQUATIONS_BARE)
            equations_bare(ctx, stage, j, t, x, work, dx);
        else if (equations_kind(ctx) == ML_EQUATIONS_TANGENT)
            equations_first(ctx, stage, j, t, x, work, dx);
        else
            equations_first_forced(ctx, stage, j, t, x, work, dx);
}

ML_INLINE void equations_energies_of(const struct ml_rhs_ctx *ctx, const ml_vec *x, ml_vec *work,
                                     ml_vec *out)
{
    const ml_vec t[ML_ROW] = {ml_splat(0.0)};
    for (int j = 0; j < ctx->n_group; j++)
        equations_energies(ctx, j, t, x, work, out);
}

ML_INLINE void equations_tangent(const struct ml_rhs_ctx *ctx, const ml_vec *t, const ml_vec *x,
                                 const ml_vec *dx, const ml_vec *y, ml_vec *dy, ml_vec *work)
{
    (void)dx;
    for (int j = 0; j < ctx->n_group; j++) {
        if (equations_kind(ctx) == ML_EQUATIONS_TANGENT) {
            equations_along(ctx, j, t, x, y, work, dy);
            continue;
        }
        equations_along_forced(ctx, j, t, x, y, work, dy);
        if (ctx->parameter >= 0)
            equations_forcing(ctx, j, t, x, work, dy);
    }
}

#else

/* Where a program finds the numbers of a context.
 *   y  NULL: there is no tangent vector */
ML_INLINE struct ml_program_rows equations_rows(const struct ml_rhs_ctx *ctx, const ml_vec *t,
                                                const ml_vec *x, const ml_vec *y, ml_vec *work)
{
    return (struct ml_program_rows){
        .n = ctx->n_group,
        .t = t,
        .x = x,
        .y = y,
        .params = ctx->constants,
        .param_derivs = ctx->constants + (long)(1 + ctx->parameter) * ctx->n_constant * ML_LANES,
        .registers = work,
        .curves = ((const struct ml_equations *)ctx->own)->curves,
        .ctx = ctx,
    };
}

ML_INLINE const struct ml_program *equations_program(const struct ml_rhs_ctx *ctx)
{
    const struct ml_equations *own = ctx->own;
    return &own->programs[equations_kind(ctx)];
}

ML_INLINE void equations_rhs(const struct ml_rhs_ctx *ctx, int stage, const ml_vec *t,
                             const ml_vec *x, ml_vec *dx, ml_vec *work)
{
    struct ml_program_rows rows = equations_rows(ctx, t, x, NULL, work);
    rows.stage = stage;
    ml_program_run(equations_program(ctx), 0, &rows, false, dx);
}

/* Behind the registers that later stages take. */
ML_INLINE void equations_energies_of(const struct ml_rhs_ctx *ctx, const ml_vec *x, ml_vec *work,
                                     ml_vec *out)
{
    const struct ml_equations *own = ctx->own;
    const struct ml_program_rows rows =
        equations_rows(ctx, NULL, x, NULL, work + ml_equations_kept(own) * ctx->n_group);
    ml_program_run(&own->seldom[ML_EQUATIONS_ENERGY], 0, &rows, false, out);
}

ML_INLINE void equations_tangent(const struct ml_rhs_ctx *ctx, const ml_vec *t, const ml_vec *x,
                                 const ml_vec *dx, const ml_vec *y, ml_vec *dy, ml_vec *work)
{
    (void)dx;
    const struct ml_program_rows rows = equations_rows(ctx, t, x, y, work);
    ml_program_run(equations_program(ctx), 1, &rows, false, dy);
    if (ctx->parameter >= 0)
        ml_program_run(equations_program(ctx), 2, &rows, true, dy);
}

#endif

/* Total energies [n_group], which do not depend on time: the bits of equations_energy. */
ML_INLINE void equations_stage_energy(const struct ml_rhs_ctx *ctx, const ml_vec *x, ml_vec *work,
                                      ml_vec *energy)
{
    ml_vec out[ML_EQUATIONS_ENERGIES * ML_ROW];
    equations_energies_of(ctx, x, work, out);
    for (int j = 0; j < ctx->n_group; j++)
        energy[j] = out[j] + out[ctx->n_group + j];
}

/* The first phase has done so. */
ML_INLINE void equations_linearise(const struct ml_rhs_ctx *ctx, const ml_vec *x, const ml_vec *dx,
                                   ml_vec *work)
{
    (void)ctx, (void)x, (void)dx, (void)work;
}

/* Sets all modes; they are not known before engine/steps/switches.c finds them. */
static void equations_set_modes(const struct ml_equations *own, double value, double *constants)
{
    for (int i = 0; i < own->n_mode * ML_LANES; i++)
        constants[(long)own->first_mode * ML_LANES + i] = value;
}

/* Behind the parameters may be the energy at the start, which is no constant. */
static void equations_prepare(const struct ml_instance *model, const double *values,
                              double *constants, double *x)
{
    const struct ml_equations *own = model->own;
    first_order_prepare(own->n_param, model->system->tables.n_param, own->n_state, values,
                        constants, x);
    memset(constants + (long)own->n_param * ML_LANES, 0,
           (size_t)own->n_row * ML_LANES * sizeof *constants);
    equations_set_modes(own, (double)NAN, constants);
}

static void equations_prepare_deriv(const struct ml_instance *model, const double *values,
                                    const double *deriv, const double *constants,
                                    double *constant_deriv, double *x_deriv)
{
    (void)values, (void)constants;
    equations_prepare(model, deriv, constant_deriv, x_deriv); /* linear: copies */
    equations_set_modes(model->own, 0.0, constant_deriv);
}

#ifndef ML_SPEC_TEXT

/* A program that is computed seldom, of all lanes.
 *   work  [n_register][ML_LANES], out: the registers */
static void equations_run_seldom(const struct ml_instance *model, int kind, const double *t,
                                 const double *constants, const double *x, double *work)
{
    const struct ml_program *program = &equations_of(model)->seldom[kind];
    const struct ml_program_rows rows = {.n = ML_ROW,
                                         .t = (const ml_vec *)t,
                                         .x = (const ml_vec *)x,
                                         .params = constants,
                                         .registers = (ml_vec *)work,
                                         .curves = equations_of(model)->curves};
    ml_program_compute(program, 0, &rows);
}

/* Output o of such a program in a lane; 0 where it has no register. */
static double equations_output(const struct ml_instance *model, int kind, int o, int lane,
                               const double *work)
{
    const int place = equations_of(model)->seldom[kind].phases[0].outputs[o];
    return place == ML_NO_NODE ? 0.0 : work[place * ML_LANES + lane];
}

/* All lanes of it, where they are wanted. */
static void equations_copy(const struct ml_instance *model, int kind, int o, const double *work,
                           double *out)
{
    for (int lane = 0; out && lane < ML_LANES; lane++)
        out[lane] = equations_output(model, kind, o, lane, work);
}

/* On how many conditions the motion of each lane slides. */
static void equations_show_sliding(const struct ml_equations *own, const double *constants,
                                   double *out)
{
    const double *place = constants + (long)own->first_mode * ML_LANES;
    memset(out, 0, ML_LANES * sizeof *out);
    for (int i = 0; i < own->n_mode * ML_LANES; i++)
        out[i % ML_LANES] += place[i] - floor(place[i]) == ML_SLIDE_PLACE;
}

static void equations_record(const struct ml_instance *model, const double *t,
                             const double *constants, const double *x, double *work,
                             double *const *out)
{
    const struct ml_equations *own = equations_of(model);
    const struct ml_system *system = model->system;
    const int n = system->tables.n_state,
              n_shown = own->seldom[ML_EQUATIONS_SHOWN].phases[0].n_output;
    bool is_any = false;
    const double *row = x;
    for (int q = 0; q < n; q++) {
        const size_t size = (size_t)ml_quantity_rows(&system->tables.state[q], model->n) * ML_LANES;
        if (out[q])
            memcpy(out[q], row, size * sizeof *row);
        row += size;
    }
    if (own->shows_sliding && out[n + n_shown])
        equations_show_sliding(own, constants, out[n + n_shown]);
    for (int o = 0; o < n_shown; o++)
        is_any |= out[n + o] != NULL;
    if (!is_any)
        return;
    equations_run_seldom(model, ML_EQUATIONS_SHOWN, t, constants, x, work);
    for (int o = 0; o < n_shown; o++)
        equations_copy(model, ML_EQUATIONS_SHOWN, o, work, out[n + o]);
}

/* As ml_system.switches.numbers. */
static void equations_switch_numbers(const struct ml_instance *model, const double *t,
                                     const double *constants, const double *x, double *work,
                                     double *number, double *by_time)
{
    const int n = equations_of(model)->n_mode;
    equations_run_seldom(model, ML_EQUATIONS_MODES, t, constants, x, work);
    for (int k = 0; k < n; k++) {
        equations_copy(model, ML_EQUATIONS_MODES, k, work, number + (long)k * ML_LANES);
        equations_copy(model, ML_EQUATIONS_MODES, 2 * n + k, work,
                       number + (long)(n + k) * ML_LANES);
        if (by_time)
            equations_copy(model, ML_EQUATIONS_MODES, n + k, work, by_time + (long)k * ML_LANES);
    }
}

/* As ml_system.switches.changes. */
static void equations_switch_changes(const struct ml_instance *model, const struct ml_moment *at,
                                     const struct ml_moment *along, double *work, double *change)
{
    const struct ml_equations *own = equations_of(model);
    const struct ml_program *program = &own->seldom[ML_EQUATIONS_MODES];
    const struct ml_program_rows rows = {.n = ML_ROW,
                                         .t = (const ml_vec *)at->t,
                                         .x = (const ml_vec *)at->x,
                                         .y = (const ml_vec *)along->x,
                                         .params = at->constants,
                                         .param_derivs = along->constants,
                                         .registers = (ml_vec *)work,
                                         .curves = own->curves};
    ml_program_compute(program, 0, &rows);
    ml_program_run(program, 1, &rows, false, (ml_vec *)change);
    if (along->constants)
        ml_program_run(program, 2, &rows, true, (ml_vec *)change);
}

/* The energies do not depend on time. */
static void equations_energy(const struct ml_instance *model, const double *constants,
                             const double *x, double *work, double *kinetic, double *potential,
                             double *scale)
{
    double *const out[ML_EQUATIONS_ENERGIES] = {kinetic, potential, scale};
    equations_run_seldom(model, ML_EQUATIONS_ENERGY, ml_times(0.0).lane, constants, x, work);
    for (int o = 0; o < ML_EQUATIONS_ENERGIES; o++)
        equations_copy(model, ML_EQUATIONS_ENERGY, o, work, out[o]);
}

/* Whether a momentum is given in some lane. */
static bool equations_has_momenta(const struct ml_equations *own, const double *constants)
{
    bool has = false;
    for (int i = (own->n_param - own->n_coordinate) * ML_LANES; i < own->n_param * ML_LANES; i++)
        has |= !isnan(constants[i]);
    return has;
}

static void equations_start(const struct ml_instance *model, const double *t,
                            const double *constants, double *x, double *work)
{
    const struct ml_equations *own = equations_of(model);
    const int n = own->n_coordinate;
    const size_t size = (size_t)n * ML_LANES;
    _Alignas(64) double rates[ML_EQUATIONS_COORDINATES * ML_LANES];
    struct ml_program_rows rows = {.n = ML_ROW,
                                   .t = (const ml_vec *)t,
                                   .x = (const ml_vec *)x,
                                   .params = constants,
                                   .registers = (ml_vec *)work,
                                   .curves = own->curves};
    if (!equations_has_momenta(own, constants))
        return;
    ml_program_run(&own->start, 0, &rows, false, (ml_vec *)rates);
    for (int p = 0; p < model->n_sens; p++) {
        double *y = x + (size_t)ml_row_x_deriv(model, p) * ML_LANES;
        rows.y = (const ml_vec *)y;
        rows.param_derivs = constants + (size_t)ml_row_constant_deriv(model, p) * ML_LANES;
        ml_program_run(&own->start, 1, &rows, false, (ml_vec *)(y + size));
        ml_program_run(&own->start, 2, &rows, true, (ml_vec *)(y + size));
    }
    memcpy(x + size, rates, size * sizeof *x);
}

/* Output o relative to the next output, its size, as a share of the allowed value. */
static double equations_excess(const struct ml_instance *model, int o, int lane, const double *work)
{
    const double allowed = 1e-6;
    const double value = fabs(equations_output(model, ML_EQUATIONS_HELD, o, lane, work));
    return value == 0.0
               ? 0.0
               : value / (allowed * equations_output(model, ML_EQUATIONS_HELD, o + 1, lane, work));
}

/* The worst of the constraints in a lane. */
static struct ml_misfit equations_misfit(const struct ml_instance *model, int lane,
                                         const double *work)
{
    struct ml_misfit worst = {.kind = ML_FITS};
    double most = 1.0;
    for (int k = 0; k < equations_of(model)->n_constraint; k++)
        for (int o = k * ML_HELD; o <= k * ML_HELD + ML_HELD_RATE; o += ML_HELD_RATE) {
            const double excess = equations_excess(model, o, lane, work);
            if (excess <= most)
                continue;
            most = excess;
            worst = (struct ml_misfit){o == k * ML_HELD ? ML_MISFIT_VALUE : ML_MISFIT_RATE, k,
                                       equations_output(model, ML_EQUATIONS_HELD, o, lane, work)};
        }
    return worst;
}

/* The first constraint that depends linearly on the others, in lane 0; -1: all are independent. */
static int equations_dependent(const struct ml_instance *model, const double *work)
{
    const int n = equations_of(model)->n_constraint;
    for (int k = 0; k < n; k++)
        if (!(equations_output(model, ML_EQUATIONS_HELD, k * ML_HELD + ML_HELD_LEAST, 0, work) >
              0.0))
            return k;
    return -1;
}

static unsigned equations_misfits(const struct ml_instance *model, const double *t,
                                  const double *constants, const double *x, double *work,
                                  struct ml_misfit *misfit)
{
    unsigned lanes = 0;
    equations_run_seldom(model, ML_EQUATIONS_HELD, t, constants, x, work);
    for (int lane = 0; lane < ML_LANES; lane++)
        lanes |= (unsigned)(equations_misfit(model, lane, work).kind != ML_FITS) << lane;
    const int dependent = misfit ? equations_dependent(model, work) : -1;
    if (misfit)
        *misfit = equations_misfit(model, 0, work);
    if (misfit && misfit->kind == ML_FITS && dependent >= 0)
        *misfit = (struct ml_misfit){ML_MISFIT_DEPENDENT, dependent, 0.0};
    return lanes;
}

static bool equations_terms(const struct ml_instance *model, double t, const double *constants,
                            const double *x, int lane, double *work, const struct ml_terms *out)
{
    const int n = equations_of(model)->n_coordinate;
    double *const parts[] = {out->c, out->g, out->q, out->d, out->e, out->qdd};
    int o = 0;
    equations_run_seldom(model, ML_EQUATIONS_TERMS, ml_times(t).lane, constants, x, work);
    for (int i = 0; i < n * n; i++, o++)
        out->m[i] = equations_output(model, ML_EQUATIONS_TERMS, o, lane, work);
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        for (int i = 0; i < n; i++, o++)
            parts[p][i] = equations_output(model, ML_EQUATIONS_TERMS, o, lane, work);
    return equations_output(model, ML_EQUATIONS_TERMS, o, lane, work) > 0.0;
}

#endif

/* Common to all; the study reader adds the tables of the study at hand, and takes away the
 * functions that its formulas do not give. */
ML_DESCRIPTOR(ml_system, equations) = {
    .name = "equations",
    .doc = "a system that the study gives as formulas (docs/equations.md)",
    .has_formulas = true,
    .dynamics.has_tangents = true,
    .dynamics.measures_drift = true,
    .terms.mass_unit = "1",
    .terms.force_unit = "1",
    .dynamics.n_x = equations_n_x,
    .dynamics.is_plain = first_order_is_plain,
    .dynamics.constant_rows = equations_constant_rows,
    .dynamics.rhs_rows = equations_rhs_rows,
    .dynamics.prepare = equations_prepare,
    .parameters.prepare_deriv = equations_prepare_deriv,
#ifndef ML_SPEC_TEXT
    .dynamics.record = equations_record,
    .energy.measure = equations_energy,
    .terms.write = equations_terms,
    .constraints.misfits = equations_misfits,
    .start.set = equations_start,
    .switches.numbers = equations_switch_numbers,
    .switches.changes = equations_switch_changes,
#endif
};
