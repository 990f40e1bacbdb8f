/* What forces in the joints of the chain do: how far controllers are from their targets, torques
 * and power. */
#ifndef ML_SYSTEMS_CHAIN_CONTROL_H
#define ML_SYSTEMS_CHAIN_CONTROL_H

#include <string.h>

#include "systems/chain_laws.kern.h"
#include "systems/chain_rhs.kern.h"

/* Rows to write, those of the records; NULL: not asked for. */
struct chain_control {
    double *error, *torque, *joint_power; /* [n] */
    double *power;                        /* [1] */
};

/* What one vector of lanes needs on the way: state and its rate [n_x], all others [n]. */
struct chain_control_work {
    ml_vec *x, *dx, *s, *c, *error;
    ml_vec *actuators; /* generalised forces of the actuators */
    ml_vec *losing;    /* of everything that has no potential, the actuators among it */
};

static struct chain_control_work chain_control_work_of(int n, int n_x, ml_vec *work)
{
    struct chain_control_work w = {.x = work, .dx = work + n_x, .s = work + 2 * n_x};
    w.c = w.s + n;
    w.error = w.c + n;
    w.actuators = w.error + n;
    w.losing = w.actuators + n;
    return w;
}

/* Adds what one law does. */
static void chain_control_law(const struct ml_law *law, struct ml_law_view *view, const ml_vec *t,
                              const struct chain_control_work *w)
{
    const struct ml_law_functions *functions = ML_K(ml_law_functions_of)(law->type);
    const bool is_actuator = !law->is_external && !law->is_passive;
    ml_vec *force = is_actuator ? w->actuators : w->losing;
    if (functions->potential)
        return;
    view->force = force;
    functions->force(law, view, t);
}

/* Generalised forces of the laws; of the joints' own terms only what has no row in the constants.
 */
static void chain_control_laws(const struct ml_shape *shape, const ml_vec *t,
                               const double *constants, const double *x,
                               const struct chain_control_work *w)
{
    const int n = shape->n, n_x = chain_n_x(shape);
    for (int i = 0; i < n_x; i++)
        w->x[i] = ml_get(x, i);
    ml_sincos(n, w->x, w->s, w->c);
    for (int i = 0; i < n; i++) {
        w->error[i] = ml_splat((double)NAN);
        w->actuators[i] = w->losing[i] = ml_splat(0.0);
    }
    struct ml_law_view view = chain_law_view(n, 1, shape->choice, constants, w->x, w->s, w->c);
    view.dx = w->dx;
    view.error = w->error;
    for (int l = 0; l < shape->n_law; l++)
        chain_control_law(&shape->laws[l], &view, t, w);
}

/* From the tip inwards: the torque at a joint is the sum of the actuators' generalised forces
 * beyond it, as each acts on two segments against each other. */
static void chain_control_lanes(const struct ml_shape *shape, const ml_vec *t,
                                const double *constants, const double *x, ml_vec *work, int g,
                                const struct chain_control *out)
{
    const int n = shape->n;
    const struct chain_control_work w = chain_control_work_of(n, chain_n_x(shape), work);
    chain_control_laws(shape, t, constants, x, &w);
    ml_vec beyond = ml_splat(0.0), power = ml_splat(0.0);
    for (int i = n - 1; i >= 0; i--) {
        ml_vec rate = w.x[n + i];
        power = ml_fma(w.losing[i], rate, power);
        if (i > 0)
            rate -= w.x[n + i - 1];
        beyond += w.actuators[i];
        ml_vec torque = beyond + ml_get(constants, chain_row_torque(i));
        ml_vec damped = ml_get(constants, chain_row_damping(i)) * rate;
        power = ml_fma(torque - damped, rate, power);
        if (out->torque)
            ml_put(out->torque + g, i, torque);
        if (out->joint_power)
            ml_put(out->joint_power + g, i, torque * rate);
        if (out->error)
            ml_put(out->error + g, i, w.error[i]);
    }
    if (out->power)
        ml_put(out->power + g, 0, power);
}

/* work as of ml_system.record */
static void chain_record_control(const struct ml_shape *shape, const double *t,
                                 const double *constants, const double *x, ml_vec *work,
                                 const struct chain_control *out)
{
    if (!out->error && !out->torque && !out->joint_power && !out->power)
        return;
    ML_EACH_GROUP(g) {
        const ml_vec time = ml_get(t + g, 0);
        chain_control_lanes(shape, &time, constants + g, x + g, work, g, out);
    }
}

#endif
