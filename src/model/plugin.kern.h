/* plugin: a system that somebody wrote against manylink/plugin.h. Its descriptor is `own` of the
 * instance, and its functions see the vectors of a context as they are: rows of n_group vectors are
 * rows of n_group ML_WIDTH lanes. State rows and constants are state and parameters as the study
 * gives them. */
#include "manylink/plugin.h"
#include "model/first_order.kern.h"

/* All lanes in a call; one vector where the rows of all would leave the cache (kernel_is_narrow).
 */
#define PLUGIN_GENERAL_GROUPS ML_ROW
#define PLUGIN_GROUPS(n, has_columns) ((has_columns) ? 1 : 4)
#define PLUGIN_ANY_GROUPS 1

static int plugin_n_x(const struct ml_instance *model)
{
    const struct ml_plugin *plugin = model->own;
    return plugin ? plugin->n_state : 0;
}

static int plugin_n_param(const struct ml_instance *model)
{
    const struct ml_plugin *plugin = model->own;
    return plugin ? plugin->n_param : 0;
}

static int plugin_constant_rows(const struct ml_instance *model)
{
    return plugin_n_param(model) + model->n_quantity_constant;
}

/* Parameters side by side; then, of `terms`, the packed mass matrix and the scratch of its
 * solution. */
static int plugin_rhs_rows(const struct ml_instance *model)
{
    const struct ml_plugin *plugin = model->own;
    const int n = plugin && plugin->terms ? plugin->n_state / 2 : 0;
    return FIRST_ORDER_ROWS + plugin_n_param(model) + ml_tri(n, 0) + ml_solve_rows(n);
}

/* Parameters of the context's lanes, [n_param][n_group].
 *   copy  [n_param][n_group] scratch */
ML_INLINE const double *plugin_params(const struct ml_rhs_ctx *ctx, ml_vec *copy)
{
    const struct ml_plugin *plugin = ctx->own;
    const int n_group = ctx->n_group;
    if (n_group == ML_ROW)
        return ctx->constants;
    for (int i = 0; i < plugin->n_param; i++)
        for (int j = 0; j < n_group; j++)
            copy[i * n_group + j] = ml_load(ctx->constants + j * ML_WIDTH, i);
    return (const double *)copy;
}

/* Rates from M q'' = f.
 *   work  [n(n+1)/2 + ml_solve_rows(n)] rows */
ML_INLINE void plugin_solve(const struct ml_rhs_ctx *ctx, const double *t, const double *params,
                            const ml_vec *x, ml_vec *dx, ml_vec *work)
{
    const struct ml_plugin *plugin = ctx->own;
    const int n = ctx->n_x / 2, n_group = ctx->n_group, half = n * n_group;
    ml_vec *force = dx + half, *rest = work + ml_tri(n, 0) * n_group;
    plugin->terms(n_group * ML_WIDTH, t, params, (const double *)x, (const double *)(x + half),
                  (double *)work, (double *)force);
    for (int j = 0; j < n_group; j++) {
        ml_vec pivot = ml_solve(ML_SOLVER_interleaved, n, n_group, work + j, force + j, rest);
        ctx->smallest[j] = ml_min(pivot, ctx->smallest[j]);
    }
    for (int i = 0; i < half; i++)
        dx[i] = x[half + i];
}

ML_INLINE void plugin_rhs(const struct ml_rhs_ctx *ctx, int stage, const ml_vec *t, const ml_vec *x,
                          ml_vec *dx, ml_vec *work)
{
    const struct ml_plugin *plugin = ctx->own;
    const double *params = plugin_params(ctx, work), *time = (const double *)t;
    (void)stage;
    if (plugin->terms)
        plugin_solve(ctx, time, params, x, dx, work + plugin->n_param * ctx->n_group);
    else
        plugin->rates(ctx->n_group * ML_WIDTH, time, params, (const double *)x, (double *)dx);
}

/* Tangents are its own if it has some. */
#define PLUGIN_HAS_TANGENTS 2
#define PLUGIN_HAS_FORCING 0

ML_INLINE bool plugin_has_tangents(const struct ml_rhs_ctx *ctx)
{
    return ((const struct ml_plugin *)ctx->own)->tangent != NULL;
}

ML_INLINE void plugin_linearise(const struct ml_rhs_ctx *ctx, const ml_vec *x, const ml_vec *dx,
                                ml_vec *work)
{
    (void)ctx, (void)x, (void)dx, (void)work;
}

ML_INLINE void plugin_tangent(const struct ml_rhs_ctx *ctx, const ml_vec *t, const ml_vec *x,
                              const ml_vec *dx, const ml_vec *y, ml_vec *dy, ml_vec *work)
{
    const struct ml_plugin *plugin = ctx->own;
    (void)dx;
    plugin->tangent(ctx->n_group * ML_WIDTH, (const double *)t, plugin_params(ctx, work),
                    (const double *)x, (const double *)y, (double *)dy);
}

/* After the parameters the energy at the start, if `terms` identify the rates. */
static int plugin_n_value(const struct ml_instance *model)
{
    const struct ml_plugin *plugin = model->own;
    return plugin_n_param(model) + (plugin && plugin->terms && plugin->energy);
}

static void plugin_prepare(const struct ml_instance *model, const double *values, double *constants,
                           double *x)
{
    first_order_prepare(plugin_n_param(model), plugin_n_value(model), plugin_n_x(model), values,
                        constants, x);
}

static void plugin_prepare_deriv(const struct ml_instance *model, const double *values,
                                 const double *deriv, const double *constants,
                                 double *constant_deriv, double *x_deriv)
{
    (void)values, (void)constants;
    plugin_prepare(model, deriv, constant_deriv, x_deriv); /* linear: copies */
}

static void plugin_energy(const struct ml_instance *model, const double *constants, const double *x,
                          double *work, double *kinetic, double *potential, double *scale)
{
    const struct ml_plugin *plugin = model->own;
    double unasked[ML_LANES];
    (void)work;
    plugin->energy(ML_LANES, constants, x, kinetic, potential, scale ? scale : unasked);
}

static void plugin_record(const struct ml_instance *model, const double *t, const double *constants,
                          const double *x, double *work, double *const *out)
{
    const struct ml_plugin *plugin = model->own;
    const struct first_order_records of = {plugin_n_x(model), plugin->energy ? plugin_energy : NULL,
                                           NULL};
    (void)t;
    first_order_record(of, model, constants, x, work, out);
}

/* Descriptor that all plugins have in common; the study reader adds the plugin's tables. */
ML_DESCRIPTOR(ml_system, plugin) = {
    .name = "plugin",
    .doc = "a system of your own, built as a shared object (docs/plugins.md)",
    .file_key = "file",
    .file_doc = "its shared object, from the folder of the study; the other keys here and those "
                "below `initial` are the plugin's",
    .dynamics.n_x = plugin_n_x,
    .dynamics.is_plain = first_order_is_plain,
    .dynamics.constant_rows = plugin_constant_rows,
    .dynamics.rhs_rows = plugin_rhs_rows,
    .dynamics.prepare = plugin_prepare,
    .parameters.prepare_deriv = plugin_prepare_deriv,
    .dynamics.record = plugin_record,
    .energy.measure = plugin_energy,
};
