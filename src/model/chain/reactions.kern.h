/* Forces on the chain's segments that records show: of contacts, and of joints.
 *
 * Segment i - 1, or the base, exerts on segment i at joint i the force R_i and the torque T_i. With
 * a_i the acceleration of the centre of mass, F_i the force on the segment from outside, and
 * nothing beyond the tip (Newton),
 *
 *   R_i = R_{i+1} + m_i (a_i - g) - F_i
 *
 * T_i is the sum of the joint's own forces: actuators, dampers, friction, limits. */
#ifndef ML_MODEL_CHAIN_REACTIONS_H
#define ML_MODEL_CHAIN_REACTIONS_H

#include "model/chain/dynamics.kern.h"

/* A vector in the plane. */
struct chain_xy {
    ml_vec x, y;
};

/* Rows of the scratch of an evaluation that are free after it. */
struct chain_reactions {
    const struct ml_instance *model;
    const double *constants; /* at the first lane of the vector */
    const ml_vec *x, *dx;    /* state and its rate */
    const ml_vec *s, *c;     /* [n] of the angles */
    ml_vec *load;            /* [n][3] as of ml_law_view */
    ml_vec *inner, *outer;   /* [n] generalised forces of joints, and of forces from outside */
    ml_vec *inertia;         /* [n][2] m (a - g) */
};

/* Adds the forces of laws on the segments, those from outside apart from those of joints.
 *   field  [2] out: uniform acceleration that forces add to gravity, m/s^2 */
static void chain_reactions_laws(const struct chain_reactions *r, ml_vec t, ml_vec *dx,
                                 ml_vec *field)
{
    const struct ml_instance *model = r->model;
    const int n = model->n;
    struct ml_law_view view = chain_law_view(n, 1, model->choice, r->constants, r->x, r->s, r->c);
    view.dx = dx;
    view.field = field;
    field[0] = field[1] = ml_splat(0.0);
    for (int i = 0; i < n; i++)
        r->inner[i] = r->outer[i] = ml_splat(0.0);
    for (int i = 0; i < 3 * n; i++)
        r->load[i] = ml_splat(0.0);
    for (int l = 0; l < model->n_law; l++) {
        const struct ml_law *law = &model->laws[l];
        view.force = law->is_external ? r->outer : r->inner;
        view.load = law->is_external ? r->load : NULL;
        ML_K(ml_law_functions_of)(law->type)->force(law, &view, &t);
    }
}

/* m (a - g) of the segments, from the base outwards. */
static void chain_reactions_inertia(const struct chain_reactions *r, const ml_vec *field)
{
    const int n = r->model->n;
    const bool is_down = r->model->choice[CHAIN_ZERO] == CHAIN_DOWN;
    const ml_vec along = ml_load(r->constants, CHAIN_ROW_ALONG),
                 across = ml_load(r->constants, CHAIN_ROW_ACROSS);
    struct chain_xy joint = {(is_down ? -along : across) - field[0], /* - g */
                             (is_down ? -across : -along) - field[1]};
    for (int i = 0; i < n; i++) {
        const ml_vec ux = is_down ? r->s[i] : r->c[i], uy = is_down ? -r->c[i] : r->s[i];
        const ml_vec turn = r->dx[n + i], square = r->x[n + i] * r->x[n + i];
        const ml_vec ax = -turn * uy - square * ux, ay = turn * ux - square * uy; /* per metre */
        const ml_vec mass = ml_load(r->constants, chain_row_mass(i));
        const ml_vec com = ml_load(r->constants, chain_row_com(i));
        const ml_vec length = ml_load(r->constants, chain_row_length(i));
        r->inertia[2 * i] = mass * ml_fma(com, ax, joint.x);
        r->inertia[2 * i + 1] = mass * ml_fma(com, ay, joint.y);
        joint.x = ml_fma(length, ax, joint.x);
        joint.y = ml_fma(length, ay, joint.y);
    }
}

/* Writes R [n][2] and T [n], from the tip inwards; NaN where M is singular. Either may be NULL. */
static void chain_reactions_inward(const struct chain_reactions *r, ml_mask is_sound, double *force,
                                   double *moment)
{
    const ml_vec none = ml_splat((double)NAN);
    struct chain_xy held = {ml_splat(0.0), ml_splat(0.0)};
    ml_vec beyond = ml_splat(0.0); /* each torque acts on two segments against each other */
    for (int i = r->model->n - 1; i >= 0; i--) {
        ml_vec rate = r->dx[i] - (i > 0 ? r->dx[i - 1] : ml_splat(0.0));
        held.x += r->inertia[2 * i] - r->load[3 * i];
        held.y += r->inertia[2 * i + 1] - r->load[3 * i + 1];
        beyond += r->inner[i];
        ml_vec torque = ml_fnma(ml_load(r->constants, chain_row_damping(i)), rate,
                                ml_load(r->constants, chain_row_torque(i)));
        if (force) {
            ml_store(force, 2 * i, ml_select(is_sound, held.x, none));
            ml_store(force, 2 * i + 1, ml_select(is_sound, held.y, none));
        }
        if (moment)
            ml_store(moment, i, beyond + torque);
    }
}

/* Forces [n][2] and torques [n] at the joints; either may be NULL. work as of
 * ml_system.dynamics.record. */
static void chain_record_reactions(const struct ml_instance *model, const double *t,
                                   const double *constants, const double *x, ml_vec *work,
                                   double *force, double *moment)
{
    if (!force && !moment)
        return;
    ML_EACH_GROUP(g) {
        ml_vec smallest = ml_splat((double)INFINITY);
        const struct ml_rhs_ctx ctx = chain_flow_of(model, constants + g, &smallest);
        ml_vec *dx = work + ctx.n_x;
        const struct chain_work w = chain_work_of(&ctx, dx + ctx.n_x);
        chain_rate_of_lanes(&ctx, ml_load(t + g, 0), x + g, work);
        const struct chain_reactions r = {.model = model,
                                          .constants = constants + g,
                                          .x = work,
                                          .dx = dx,
                                          .s = w.s,
                                          .c = w.c,
                                          .load = w.anchor,
                                          .inner = w.applied,
                                          .outer = w.reciprocal,
                                          .inertia = w.ls};
        ml_vec field[2];
        chain_reactions_laws(&r, ml_load(t + g, 0), dx, field);
        chain_reactions_inertia(&r, field);
        chain_reactions_inward(&r, (ml_mask)(smallest > 0.0), force ? force + g : NULL,
                               moment ? moment + g : NULL);
    }
}

/* Force of each contact, [contact][2]. */
static void chain_record_contacts(const struct ml_instance *model, const double *t,
                                  const double *constants, const double *x, ml_vec *work,
                                  double *out)
{
    const int n = model->n;
    ml_vec *outer = work + 4 * n, *load = outer + n;
    for (int g = 0; out && g < ML_LANES; g += ML_WIDTH) {
        struct ml_law_view view = chain_law_view_of(model, constants + g, x + g, work);
        const ml_vec time = ml_load(t + g, 0);
        int row = 0;
        view.force = outer;
        view.load = load;
        for (int l = 0; l < model->n_law; l++) {
            const struct ml_law *law = &model->laws[l];
            if (!law->is_contact)
                continue;
            for (int i = 0; i < 4 * n; i++)
                outer[i] = ml_splat(0.0);
            ML_K(ml_law_functions_of)(law->type)->force(law, &view, &time);
            ml_store(out + g, row++, load[3 * law->segment]);
            ml_store(out + g, row++, load[3 * law->segment + 1]);
        }
    }
}

#endif
