/* Observables of the chain: energies, joint torques and powers, records, terms. */
#ifndef ML_MODEL_CHAIN_OBSERVE_H
#define ML_MODEL_CHAIN_OBSERVE_H

#include <string.h>

#include "model/chain/dynamics.kern.h"
#include "model/chain/forces.kern.h"
#include "model/chain/params.kern.h"
#include "model/chain/reactions.kern.h"

/* Energy of the chain, summed segment by segment from the base outwards. With the velocity of a
 * segment's joint at hand,
 *
 *   T = sum omega_i (c_ii omega_i / 2 + mu_i n_i . sum_{j<i} l_j omega_j n_j)
 *   V = sum mu_i (across cos phi_i - along sin phi_i) */

struct chain_energy {
    ml_vec twice_kinetic, potential; /* J */
    ml_vec velocity_s, velocity_c;   /* m/s, of the next segment's joint */
};

ML_INLINE struct chain_energy chain_energy_none(void)
{
    ml_vec zero = ml_splat(0.0);
    return (struct chain_energy){zero, zero, zero, zero};
}

/* Adds segment i, which turns with omega at an angle with sine s and cosine c. */
ML_INLINE void chain_energy_add(struct chain_energy *sum, const double *constants, int i,
                                ml_vec omega, ml_vec s, ml_vec c)
{
    ml_vec along = ml_load(constants, CHAIN_ROW_ALONG),
           across = ml_load(constants, CHAIN_ROW_ACROSS);
    ml_vec mu = ml_load(constants, chain_row_mu(i));
    ml_vec step = ml_load(constants, chain_row_length(i)) * omega;
    ml_vec joint = ml_fma(c, sum->velocity_c, s * sum->velocity_s);
    ml_vec momentum = ml_fma(2.0 * mu, joint, ml_load(constants, chain_row_diagonal(i)) * omega);
    sum->twice_kinetic = ml_fma(momentum, omega, sum->twice_kinetic);
    sum->velocity_s = ml_fma(step, s, sum->velocity_s);
    sum->velocity_c = ml_fma(step, c, sum->velocity_c);
    sum->potential = ml_fma(mu, ml_fma(across, c, -(along * s)), sum->potential);
}

/* Observables of forces in the joints: errors of controllers, torques and power. */

/* Rows to write, those of the records; NULL: not asked for. */
struct chain_control {
    double *error, *torque, *joint_power, *slip; /* [n] */
    double *power;                               /* [1] */
};

/* Scratch of a vector of lanes: state and its rate [n_x], all others [n]. */
struct chain_control_work {
    ml_vec *x, *dx, *s, *c, *error, *slip;
    ml_vec *actuators; /* generalised forces of the actuators */
    ml_vec *losing;    /* of everything that has no potential, the actuators among it */
};

static struct chain_control_work chain_control_work_of(int n, int n_x, ml_vec *work)
{
    struct chain_control_work w = {.x = work, .dx = work + n_x, .s = work + 2 * n_x};
    w.c = w.s + n;
    w.error = w.c + n;
    w.slip = w.error + n;
    w.actuators = w.slip + n;
    w.losing = w.actuators + n;
    return w;
}

/* Adds the observables of a law. */
static void chain_control_law(const struct ml_law *law, struct ml_law_view *view, const ml_vec *t,
                              const struct chain_control_work *w)
{
    const struct ml_law_functions *functions = ML_K(ml_law_functions_of)(law->type);
    const bool is_actuator = !law->is_external && !law->is_passive;
    ml_vec *force = is_actuator ? w->actuators : w->losing;
    if (law->has_potential)
        return;
    view->force = force;
    functions->force(law, view, t);
}

/* Generalised forces of the laws; of the joints' terms only those without a row in the constants.
 */
static void chain_control_laws(const struct ml_instance *model, const ml_vec *t,
                               const double *constants, const double *x,
                               const struct chain_control_work *w)
{
    const int n = model->n, n_x = chain_n_x(model);
    for (int i = 0; i < n_x; i++)
        w->x[i] = ml_load(x, i);
    ml_sincos(n, w->x, w->s, w->c);
    for (int i = 0; i < n; i++) {
        w->error[i] = w->slip[i] = ml_splat((double)NAN);
        w->actuators[i] = w->losing[i] = ml_splat(0.0);
    }
    struct ml_law_view view = chain_law_view(n, 1, model->choice, constants, w->x, w->s, w->c);
    view.dx = w->dx;
    view.error = w->error;
    view.slip = w->slip;
    for (int l = 0; l < model->n_law; l++)
        chain_control_law(&model->laws[l], &view, t, w);
}

/* From the tip inwards: the torque at a joint is the sum of the actuators' generalised forces
 * beyond it, as each acts on two segments against each other. */
static void chain_control_lanes(const struct ml_instance *model, const ml_vec *t,
                                const double *constants, const double *x, ml_vec *work, int g,
                                const struct chain_control *out)
{
    const int n = model->n;
    const struct chain_control_work w = chain_control_work_of(n, chain_n_x(model), work);
    chain_control_laws(model, t, constants, x, &w);
    ml_vec beyond = ml_splat(0.0), power = ml_splat(0.0);
    for (int i = n - 1; i >= 0; i--) {
        ml_vec rate = w.x[n + i];
        power = ml_fma(w.losing[i], rate, power);
        if (i > 0)
            rate -= w.x[n + i - 1];
        beyond += w.actuators[i];
        ml_vec torque = beyond + ml_load(constants, chain_row_torque(i));
        ml_vec damped = ml_load(constants, chain_row_damping(i)) * rate;
        power = ml_fma(torque - damped, rate, power);
        if (out->torque)
            ml_store(out->torque + g, i, torque);
        if (out->joint_power)
            ml_store(out->joint_power + g, i, torque * rate);
        if (out->error)
            ml_store(out->error + g, i, w.error[i]);
        if (out->slip)
            ml_store(out->slip + g, i, w.slip[i]);
    }
    if (out->power)
        ml_store(out->power + g, 0, power);
}

/* work as of ml_system.dynamics.record */
static void chain_record_control(const struct ml_instance *model, const double *t,
                                 const double *constants, const double *x, ml_vec *work,
                                 const struct chain_control *out)
{
    if (!out->error && !out->torque && !out->joint_power && !out->power && !out->slip)
        return;
    ML_EACH_GROUP(g) {
        const ml_vec time = ml_load(t + g, 0);
        chain_control_lanes(model, &time, constants + g, x + g, work, g, out);
    }
}

/* Observables of the chain: energies, records, terms. */

enum {
    CHAIN_REC_ANGLE,
    CHAIN_REC_RATE,
    CHAIN_N_STATE, /* angle and rate are the state */
    CHAIN_REC_ACCELERATION = CHAIN_N_STATE,
    CHAIN_REC_ENERGY,
    CHAIN_REC_KINETIC,
    CHAIN_REC_POTENTIAL,
    CHAIN_REC_END,
    CHAIN_REC_COM,
    CHAIN_REC_ERROR,
    CHAIN_REC_TORQUE,
    CHAIN_REC_JOINT_POWER,
    CHAIN_REC_POWER,
    CHAIN_REC_CONTACT,
    CHAIN_REC_JOINT_FORCE,
    CHAIN_REC_JOINT_MOMENT,
    CHAIN_REC_SLIP,
    CHAIN_N_RECORD
};

/* s and c of the angles, rows [n], with `angle` [n] as scratch. */
ML_INLINE void chain_sincos(int n, const double *x, ml_vec *s, ml_vec *c, ml_vec *angle)
{
    for (int i = 0; i < n; i++)
        angle[i] = ml_load(x, i);
    ml_sincos(n, angle, s, c);
}

/* Energies of one vector of lanes, J.
 *   work  [3 n] */
ML_INLINE void chain_energy_lanes(int n, const double *constants, const double *x, ml_vec *work,
                                  double *kinetic, double *potential)
{
    ml_vec *s = work, *c = s + n;
    struct chain_energy sum = chain_energy_none();
    chain_sincos(n, x, s, c, c + n);
    for (int i = 0; i < n; i++)
        chain_energy_add(&sum, constants, i, ml_load(x, n + i), s[i], c[i]);
    ml_store(kinetic, 0, 0.5 * sum.twice_kinetic);
    ml_store(potential, 0, sum.potential);
}

/* Total energies [n_group], J, of a context without laws, from sines and cosines that the
 * right-hand side at x has just left in `work`: the bits of chain_energy. */
ML_INLINE void chain_stage_energy(const struct ml_rhs_ctx *ctx, const ml_vec *x, ml_vec *work,
                                  ml_vec *energy)
{
    const struct chain_work w = chain_work_of(ctx, work);
    for (int j = 0; j < ctx->n_group; j++) {
        const double *constants = ctx->constants + j * ML_WIDTH;
        struct chain_energy sum = chain_energy_none();
        for (int i = 0; i < ctx->n; i++) {
            const int at = i * ctx->n_group + j;
            chain_energy_add(&sum, constants, i, x[ctx->n * ctx->n_group + at], w.s[at], w.c[at]);
        }
        energy[j] = 0.5 * sum.twice_kinetic + sum.potential;
    }
}

/* Rate i, rad/s, of group j as the study counts angles. is_plain: absolute ones. */
ML_INLINE ml_vec chain_rate(const struct ml_rhs_ctx *ctx, bool is_plain, int j, const ml_vec *x,
                            int i)
{
    const ml_vec *omega = x + ctx->n * ctx->n_group + j;
    ml_vec rate = omega[i * ctx->n_group];
    if (!is_plain && i > 0)
        rate -= omega[(i - 1) * ctx->n_group];
    return rate;
}

/* Range of the potential energy in gravity: sum mu_i |g|. */
static void chain_energy_scale(int n, const double *constants, double *scale)
{
    ML_EACH_GROUP(g) {
        ml_vec sum = ml_splat(0.0);
        ml_vec gravity = ml_abs(ml_load(constants + g, CHAIN_ROW_ALONG)) +
                         ml_abs(ml_load(constants + g, CHAIN_ROW_ACROSS));
        for (int i = 0; i < n; i++)
            sum = ml_fma(ml_abs(ml_load(constants + g, chain_row_mu(i))), gravity, sum);
        ml_store(scale + g, 0, sum);
    }
}

/* Unrolled for the sizes that ensembles are large with: indicators look often. */
static void chain_energy(const struct ml_instance *model, const double *constants, const double *x,
                         double *work, double *kinetic, double *potential, double *scale)
{
    ml_vec local[6], *any = (ml_vec *)work;
    ML_EACH_GROUP(g) {
        if (model->n == 1)
            chain_energy_lanes(1, constants + g, x + g, local, kinetic + g, potential + g);
        else if (model->n == 2)
            chain_energy_lanes(2, constants + g, x + g, local, kinetic + g, potential + g);
        else
            chain_energy_lanes(model->n, constants + g, x + g, any, kinetic + g, potential + g);
    }
    ML_EACH_GROUP(g)
        if (model->n_law > 0)
            chain_law_potentials(model, constants + g, x + g, any, potential + g);
    if (scale)
        chain_energy_scale(model->n, constants, scale);
}

/* Energies among the records; any of the three may be NULL. */
static void chain_record_energy(const struct ml_instance *model, const double *constants,
                                const double *x, double *work, double *total, double *kinetic,
                                double *potential)
{
    double *k = work + 5 * model->n * ML_LANES, *v = k + ML_LANES;
    if (!total && !kinetic && !potential)
        return;
    chain_energy(model, constants, x, work, k, v, NULL);
    ML_EACH_GROUP(g) {
        if (total)
            ml_store(total + g, 0, ml_load(k + g, 0) + ml_load(v + g, 0));
        if (kinetic)
            ml_store(kinetic + g, 0, ml_load(k + g, 0));
        if (potential)
            ml_store(potential + g, 0, ml_load(v + g, 0));
    }
}

/* Angles or rates, rows [n], as the study counts them. */
static void chain_record_coordinates(int n, bool is_joint, const double *x, double *out)
{
    memcpy(out, x, (size_t)n * ML_LANES * sizeof *x);
    for (int i = 1; is_joint && i < n; i++)
        ML_EACH_GROUP(g)
            ml_store(out + g, i, ml_load(x + g, i) - ml_load(x + g, i - 1));
}

/* Points at `distance` along each segment from its joint, rows [n][2]. */
ML_INLINE void chain_record_points(int n, bool is_down, const double *constants, bool at_com,
                                   const ml_vec *s, const ml_vec *c, double *out)
{
    ml_vec joint_x = ml_splat(0.0), joint_y = ml_splat(0.0);
    for (int i = 0; i < n; i++) {
        ml_vec ux = is_down ? s[i] : c[i], uy = is_down ? -c[i] : s[i];
        ml_vec length = ml_load(constants, chain_row_length(i));
        ml_vec distance = at_com ? ml_load(constants, chain_row_com(i)) : length;
        ml_store(out, 2 * i, ml_fma(distance, ux, joint_x));
        ml_store(out, 2 * i + 1, ml_fma(distance, uy, joint_y));
        joint_x = ml_fma(length, ux, joint_x);
        joint_y = ml_fma(length, uy, joint_y);
    }
}

/* Accelerations, rows [n], as the study counts angles; NaN where M is singular. */
static void chain_record_accelerations(const struct ml_instance *model, const double *t,
                                       const double *constants, const double *x, ml_vec *work,
                                       double *out)
{
    const int n = model->n;
    const bool is_joint = model->choice[CHAIN_ANGLES] == CHAIN_JOINT;
    const ml_vec none = ml_splat((double)NAN);
    ML_EACH_GROUP(g) {
        ml_vec smallest = ml_splat((double)INFINITY);
        const struct ml_rhs_ctx ctx = chain_flow_of(model, constants + g, &smallest);
        const ml_vec *rate = work + ctx.n_x + n;
        chain_rate_of_lanes(&ctx, ml_load(t + g, 0), x + g, work);
        for (int i = 0; i < n; i++) {
            ml_vec turn = rate[i];
            if (is_joint && i > 0)
                turn -= rate[i - 1];
            ml_store(out + g, i, ml_select((ml_mask)(smallest > 0.0), turn, none));
        }
    }
}

static bool chain_is_plain(const struct ml_instance *model)
{
    return model->choice[CHAIN_ANGLES] != CHAIN_JOINT;
}

static void chain_record(const struct ml_instance *model, const double *t, const double *constants,
                         const double *x, double *work, double *const *out)
{
    const int n = model->n;
    bool is_joint = model->choice[CHAIN_ANGLES] == CHAIN_JOINT;
    bool is_down = model->choice[CHAIN_ZERO] == CHAIN_DOWN;
    ml_vec *s = (ml_vec *)work, *c = s + n;
    if (out[CHAIN_REC_ANGLE])
        chain_record_coordinates(n, is_joint, x, out[CHAIN_REC_ANGLE]);
    if (out[CHAIN_REC_RATE])
        chain_record_coordinates(n, is_joint, x + n * ML_LANES, out[CHAIN_REC_RATE]);
    if (out[CHAIN_REC_ACCELERATION])
        chain_record_accelerations(model, t, constants, x, s, out[CHAIN_REC_ACCELERATION]);
    chain_record_energy(model, constants, x, work, out[CHAIN_REC_ENERGY], out[CHAIN_REC_KINETIC],
                        out[CHAIN_REC_POTENTIAL]);
    chain_record_control(model, t, constants, x, s,
                         &(struct chain_control){.error = out[CHAIN_REC_ERROR],
                                                 .torque = out[CHAIN_REC_TORQUE],
                                                 .joint_power = out[CHAIN_REC_JOINT_POWER],
                                                 .power = out[CHAIN_REC_POWER],
                                                 .slip = out[CHAIN_REC_SLIP]});
    chain_record_contacts(model, t, constants, x, s, out[CHAIN_REC_CONTACT]);
    chain_record_reactions(model, t, constants, x, s, out[CHAIN_REC_JOINT_FORCE],
                           out[CHAIN_REC_JOINT_MOMENT]);
    if (!out[CHAIN_REC_END] && !out[CHAIN_REC_COM])
        return;
    ML_EACH_GROUP(g) {
        chain_sincos(n, x + g, s, c, c + n);
        if (out[CHAIN_REC_END])
            chain_record_points(n, is_down, constants + g, false, s, c, out[CHAIN_REC_END] + g);
        if (out[CHAIN_REC_COM])
            chain_record_points(n, is_down, constants + g, true, s, c, out[CHAIN_REC_COM] + g);
    }
}

/* Generalised forces for joint angles from those for absolute angles: y_i = sum_{p >= i} y_p. */
static void chain_to_joint_forces(int n, double *force)
{
    for (int i = n - 2; i >= 0; i--)
        force[i] += force[i + 1];
}

/* M and the forces for joint angles, q'' as differences: L^T M L and L^T f with L the lower
 * triangle of ones. */
static void chain_to_joint(int n, const struct ml_terms *out)
{
    for (int i = n - 2; i >= 0; i--)
        for (int j = 0; j < n; j++)
            out->m[i * n + j] += out->m[(i + 1) * n + j];
    for (int i = 0; i < n; i++)
        chain_to_joint_forces(n, out->m + (long)i * n);
    chain_to_joint_forces(n, out->c);
    chain_to_joint_forces(n, out->g);
    chain_to_joint_forces(n, out->q);
    chain_to_joint_forces(n, out->d);
    chain_to_joint_forces(n, out->e);
    for (int i = n - 1; i > 0; i--)
        out->qdd[i] -= out->qdd[i - 1];
}

/* Q and D apart, of one lane. */
static void chain_joint_terms_of_lane(int n, const double *constants, const double *omega, int lane,
                                      const struct ml_terms *out)
{
    for (int i = 0; i < n; i++) {
        double torque = constants[chain_row_torque(i) * ML_LANES + lane];
        double coefficient = constants[chain_row_damping(i) * ML_LANES + lane];
        double rate = omega[i * ML_LANES + lane] - (i > 0 ? omega[(i - 1) * ML_LANES + lane] : 0.0);
        out->q[i] = torque;
        out->d[i] = 0.0 - coefficient * rate; /* 0, not -0, without a damper */
        out->e[i] = 0.0;
        if (i > 0) {
            out->q[i - 1] -= out->q[i];
            out->d[i - 1] -= out->d[i];
        }
    }
}

/* M, C and G of one lane, from an assembly with and one without motion. */
static void chain_parts_of_lane(const struct ml_rhs_ctx *ctx, const ml_vec *x, ml_vec *force,
                                const struct chain_work *w, int l, const struct ml_terms *out)
{
    const int n = ctx->n;
    chain_assemble(ctx, false, x + n, force, w);
    for (int i = 0; i < n; i++) {
        out->c[i] = force[i][l];
        for (int j = 0; j < n; j++)
            out->m[i * n + j] = w->mass[i > j ? ml_tri(i, j) : ml_tri(j, i)][l];
    }
    for (int i = 0; i < n; i++)
        force[n + i] = ml_splat(0.0);
    chain_assemble(ctx, true, force + n, force, w);
    for (int i = 0; i < n; i++)
        out->g[i] = force[i][l];
}

/* Adds the laws' parts of Q and E of one lane. */
static void chain_laws_of_lane(const struct ml_rhs_ctx *ctx, ml_vec t, const ml_vec *x,
                               ml_vec *deriv, const struct chain_work *w, int l,
                               const struct ml_terms *out)
{
    struct ml_rhs_ctx one = *ctx;
    one.n_law = 1;
    for (int k = 0; k < ctx->n_law; k++) {
        one.laws = &ctx->laws[k];
        chain_apply_laws(&one, &t, x, deriv, w);
        for (int i = 0; i < ctx->n; i++)
            (one.laws->is_external ? out->e : out->q)[i] += w->applied[i][l];
    }
}

static bool chain_terms(const struct ml_instance *model, double t, const double *constants,
                        const double *x, int lane, double *work, const struct ml_terms *out)
{
    const int n = model->n, n_x = chain_n_x(model);
    const int group = lane / ML_WIDTH * ML_WIDTH, l = lane % ML_WIDTH;
    ml_vec *state = (ml_vec *)work, *deriv = state + n_x, *rest = deriv + n_x;
    ml_vec smallest = ml_splat((double)INFINITY);
    struct ml_rhs_ctx ctx = chain_flow_of(model, constants + group, &smallest);
    chain_rate_of_lanes(&ctx, ml_splat(t), x + group, state);
    for (int i = 0; i < n; i++)
        out->qdd[i] = deriv[n + i][l];
    ctx.has_joint_terms = false;
    ctx.n_law = 0;
    struct chain_work w = chain_work_of(&ctx, rest);
    chain_parts_of_lane(&ctx, state, deriv, &w, l, out);
    chain_joint_terms_of_lane(n, constants, x + n * ML_LANES, lane, out);
    ctx.n_law = model->n_law;
    chain_laws_of_lane(&ctx, ml_splat(t), state, deriv, &w, l, out);
    if (model->choice[CHAIN_ANGLES] == CHAIN_JOINT)
        chain_to_joint(n, out);
    return smallest[l] > 0.0;
}

#endif
