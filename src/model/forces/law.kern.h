/* Laws of forces, written once with derivatives: functions for laws, to read the state and to add
 * forces. */
#ifndef ML_MODEL_FORCES_LAW_H
#define ML_MODEL_FORCES_LAW_H

#include "model/forces/force.h"
#include "model/law.kern.h"
#include "simd/dual.h"

/* A law at one vector of lanes. */
struct ml_law_at {
    const struct ml_law *law; /* in a kernel made for it a constant of the compiler's */
    const struct ml_signal *breakpoints_of; /* [signal] its signals as the study has them */
    const struct ml_law_view *view;
    int j;
    ml_vec t;        /* s */
    bool has_derivs; /* a tangent vector's derivatives are wanted, not the values */
};

/* A vector in the plane. */
struct ml_dual_xy {
    struct ml_dual x, y;
};

/* Whether the force's number p has its row's default in every run of the study, so that a law may
 * take a shorter form, which must give the same bits. Of a default 0 whatever it multiplies adds
 * nothing; one without (NaN) is given in no run. */
ML_INLINE bool ml_law_is_default(const struct ml_law_at *at, int p)
{
    return p < ML_LAW_DEFAULTS && at->law->defaults[p / 64] >> p % 64 & 1;
}

ML_INLINE struct ml_dual ml_law_time(const struct ml_law_at *at)
{
    return (struct ml_dual){at->t, ml_splat(0.0)};
}

/* rows[first + i], i < n, less rows[first + i - 1] if `is_relative`. */
ML_INLINE ml_vec ml_law_pick(const struct ml_law_at *at, const ml_vec *rows, int first, int i,
                             bool is_relative)
{
    const int n_group = at->view->n_group;
    rows += first * n_group + at->j;
    if (is_relative)
        return rows[i * n_group] - rows[(i - 1) * n_group];
    return rows[i * n_group];
}

/* Row `which` of the feedback rows of a law that does not see the present. */
ML_INLINE ml_vec ml_law_told(const struct ml_law_at *at, int which)
{
    return ml_load(at->view->constants + at->j * ML_WIDTH, at->law->feedback + which);
}

/* Angle or rate of segment i as such a law sees it: Newton's form by Horner's scheme. */
ML_INLINE ml_vec ml_law_past(const struct ml_law_at *at, bool is_rate, int i)
{
    const int own = ML_FEEDBACK_ANGLE + i * ML_FEEDBACK_BY_ANGLE;
    ml_vec value = ml_law_told(at, own + ML_FEEDBACK_TERMS - 1), rate = ml_splat(0.0);
    ML_UNROLL
    for (int k = ML_FEEDBACK_TERMS - 2; k >= 0; k--) {
        const ml_vec since = at->t - ml_law_told(at, ML_FEEDBACK_NODE + k / 2);
        rate = ml_fma(since, rate, value);
        value = ml_fma(since, value, ml_law_told(at, own + k));
    }
    if (is_rate)
        return rate + ml_law_told(at, own + ML_FEEDBACK_TERMS);
    return value;
}

/* Angle or rate as the law sees it: of the state in lanes that see the present; else past. */
ML_INLINE struct ml_dual ml_law_row(const struct ml_law_at *at, int first, int i, bool is_relative)
{
    struct ml_dual now = {ml_law_pick(at, at->view->x, first, i, is_relative),
                          at->has_derivs ? ml_law_pick(at, at->view->y, first, i, is_relative)
                                         : ml_splat(0.0)};
    if (at->law->feedback == 0)
        return now;
    ml_vec past = ml_law_past(at, first > 0, i);
    if (is_relative)
        past -= ml_law_past(at, first > 0, i - 1);
    return ml_dual_select((ml_mask)(ml_law_told(at, ML_FEEDBACK_IS_PAST) != 0.0),
                          (struct ml_dual){past, ml_splat(0.0)}, now);
}

/* Absolute angle and rate of segment i. */
ML_INLINE struct ml_dual ml_law_phi(const struct ml_law_at *at, int i)
{
    return ml_law_row(at, 0, i, false);
}

ML_INLINE struct ml_dual ml_law_omega(const struct ml_law_at *at, int i)
{
    return ml_law_row(at, at->view->n, i, false);
}

ML_INLINE struct ml_dual ml_law_constant(const struct ml_law_at *at, int row)
{
    const struct ml_law_view *view = at->view;
    const bool has_deriv = at->has_derivs && view->constant_derivs;
    return (struct ml_dual){ml_load(view->constants + at->j * ML_WIDTH, row),
                            has_deriv ? ml_load(view->constant_derivs + at->j * ML_WIDTH, row)
                                      : ml_splat(0.0)};
}

/* The force's parameter p. */
ML_INLINE struct ml_dual ml_law_param(const struct ml_law_at *at, int p)
{
    return ml_law_constant(at, at->law->constant + p);
}

/* m, of segment i. */
ML_INLINE struct ml_dual ml_law_length(const struct ml_law_at *at, int i)
{
    return ml_law_constant(at, at->view->rows.length + i * at->view->rows.stride);
}

/* kg m, of segment i: its mass times its centre of mass' distance, and all beyond its length. */
ML_INLINE struct ml_dual ml_law_mu(const struct ml_law_at *at, int i)
{
    return ml_law_constant(at, at->view->rows.mu + i * at->view->rows.stride);
}

/* kg m^2, entry i of the mass matrix' diagonal. */
ML_INLINE struct ml_dual ml_law_diagonal(const struct ml_law_at *at, int i)
{
    return ml_law_constant(at, at->view->rows.diagonal + i * at->view->rows.stride);
}

ML_INLINE struct ml_dual ml_law_gravity_along(const struct ml_law_at *at)
{
    return ml_law_constant(at, at->view->rows.along);
}

ML_INLINE struct ml_dual ml_law_gravity_across(const struct ml_law_at *at)
{
    return ml_law_constant(at, at->view->rows.across);
}

/* Row of the force's own state k. */
ML_INLINE int ml_law_state_row(const struct ml_law_at *at, int k)
{
    return (at->law->state + k) * at->view->n_group + at->j;
}

/* The force's own state k, and its rate. */
ML_INLINE struct ml_dual ml_law_state(const struct ml_law_at *at, int k)
{
    const int row = ml_law_state_row(at, k);
    if (at->law->is_sampled)
        return (struct ml_dual){ml_law_told(at, ml_feedback_rows(at->view->n, k)), ml_splat(0.0)};
    return (struct ml_dual){at->view->x[row], at->has_derivs ? at->view->y[row] : ml_splat(0.0)};
}

ML_INLINE void ml_law_set_rate(const struct ml_law_at *at, int k, struct ml_dual rate)
{
    const int row = ml_law_state_row(at, k);
    if (at->has_derivs)
        at->view->dy[row] = rate.d;
    else
        at->view->dx[row] = rate.v;
}

/* Angle and rate of joint i; the first one's is from the zero direction. */
ML_INLINE struct ml_dual ml_law_joint_angle(const struct ml_law_at *at, int i)
{
    return ml_law_row(at, 0, i, i > 0);
}

ML_INLINE struct ml_dual ml_law_joint_rate(const struct ml_law_at *at, int i)
{
    return ml_law_row(at, at->view->n, i, i > 0);
}

/* Angle and rate of segment i as the study counts them. */
ML_INLINE struct ml_dual ml_law_angle(const struct ml_law_at *at, int i)
{
    return ml_law_row(at, 0, i, at->view->is_joint && i > 0);
}

ML_INLINE struct ml_dual ml_law_rate(const struct ml_law_at *at, int i)
{
    return ml_law_row(at, at->view->n, i, at->view->is_joint && i > 0);
}

/* Adds to the generalised force of segment i. */
ML_INLINE void ml_law_add_generalised_force(const struct ml_law_at *at, int i, struct ml_dual force)
{
    const int k = i * at->view->n_group + at->j;
    if (at->has_derivs)
        at->view->force_deriv[k] += force.d;
    else
        at->view->force[k] += force.v;
}

/* A torque at joint i: + on the distal, - on the proximal segment. */
ML_INLINE void ml_law_add_torque(const struct ml_law_at *at, int i, struct ml_dual torque)
{
    ml_law_add_generalised_force(at, i, torque);
    if (i > 0)
        ml_law_add_generalised_force(at, i - 1, ml_dual_neg(torque));
}

/* A torque held within limits, those of `low` and `high` where they are given, else +-limit; NaN:
 * not given. A comparison with a NaN is false, and the lesser of it and the torque is the torque.
 */
ML_INLINE struct ml_dual ml_dual_limited(struct ml_dual torque, struct ml_dual limit,
                                         struct ml_dual low, struct ml_dual high)
{
    low = ml_dual_select((ml_mask)(low.v == low.v), low, ml_dual_neg(limit));
    high = ml_dual_select((ml_mask)(high.v == high.v), high, limit);
    ml_mask is_above = (ml_mask)(torque.v > high.v), is_below = (ml_mask)(torque.v < low.v);
    return (struct ml_dual){ml_max(low.v, ml_min(high.v, torque.v)),
                            ml_select(is_below, low.d, ml_select(is_above, high.d, torque.d))};
}

/* A torque held within the limits that the force's parameters give. */
ML_INLINE struct ml_dual ml_law_limited(const struct ml_law_at *at, struct ml_dual torque,
                                        int limit, int low, int high)
{
    return ml_dual_limited(torque, ml_law_param(at, limit), ml_law_param(at, low),
                           ml_law_param(at, high));
}

/* Reports the slip of joint i at `rate`, relative to `scale`, below which dry friction falls
 * off. */
ML_INLINE void ml_law_slip(const struct ml_law_at *at, int i, struct ml_dual rate,
                           struct ml_dual scale)
{
    if (at->view->slip)
        at->view->slip[i * at->view->n_group + at->j] = rate.v / scale.v;
}

/* Sine and cosine of segment i's angle. */
ML_INLINE void ml_law_sincos(const struct ml_law_at *at, int i, struct ml_dual *s,
                             struct ml_dual *c)
{
    const int k = i * at->view->n_group + at->j;
    ml_vec sine = at->view->s[k], cosine = at->view->c[k], turn = ml_law_phi(at, i).d;
    *s = (struct ml_dual){sine, cosine * turn};
    *c = (struct ml_dual){cosine, -sine * turn};
}

/* Unit vector along segment i, and its derivative by the segment's angle. */
ML_INLINE struct ml_dual_xy ml_law_along(const struct ml_law_at *at, int i)
{
    struct ml_dual s, c;
    ml_law_sincos(at, i, &s, &c);
    return at->view->is_down ? (struct ml_dual_xy){s, ml_dual_neg(c)} : (struct ml_dual_xy){c, s};
}

ML_INLINE struct ml_dual_xy ml_law_across(const struct ml_law_at *at, int i)
{
    struct ml_dual s, c;
    ml_law_sincos(at, i, &s, &c);
    return at->view->is_down ? (struct ml_dual_xy){c, s} : (struct ml_dual_xy){ml_dual_neg(s), c};
}

/* a x b summed over x and y */
ML_INLINE struct ml_dual ml_dual_dot(struct ml_dual_xy a, struct ml_dual_xy b)
{
    return ml_dual_fma(a.x, b.x, ml_dual_mul(a.y, b.y));
}

/* Position of the first joint, m, from row 0 on, or its velocity, m/s, from row 2 on. */
ML_INLINE struct ml_dual_xy ml_law_base(const struct ml_law_at *at, int row)
{
    const ml_vec *base = at->view->base, none = ml_splat(0.0);
    return (struct ml_dual_xy){{base ? base[row] : none, none},
                               {base ? base[row + 1] : none, none}};
}

/* The point at distance `at_m` from the joint of the force's segment, on its line. */
ML_INLINE struct ml_dual_xy ml_law_point(const struct ml_law_at *at, struct ml_dual at_m)
{
    struct ml_dual_xy point = ml_law_base(at, 0);
    for (int i = 0; i <= at->law->segment; i++) {
        struct ml_dual_xy along = ml_law_along(at, i);
        struct ml_dual arm = i < at->law->segment ? ml_law_length(at, i) : at_m;
        point.x = ml_dual_fma(arm, along.x, point.x);
        point.y = ml_dual_fma(arm, along.y, point.y);
    }
    return point;
}

/* Its velocity. */
ML_INLINE struct ml_dual_xy ml_law_velocity(const struct ml_law_at *at, struct ml_dual at_m)
{
    struct ml_dual_xy velocity = ml_law_base(at, 2);
    for (int i = 0; i <= at->law->segment; i++) {
        struct ml_dual_xy across = ml_law_across(at, i);
        struct ml_dual arm = i < at->law->segment ? ml_law_length(at, i) : at_m;
        struct ml_dual speed = ml_dual_mul(arm, ml_law_omega(at, i));
        velocity.x = ml_dual_fma(speed, across.x, velocity.x);
        velocity.y = ml_dual_fma(speed, across.y, velocity.y);
    }
    return velocity;
}

/* Adds a force and its moment to the load on the law's segment. */
ML_INLINE void ml_law_load(const struct ml_law_at *at, struct ml_dual_xy force,
                           struct ml_dual moment)
{
    const int n_group = at->view->n_group;
    ml_vec *load = at->view->load + 3 * at->law->segment * n_group + at->j;
    load[0] += force.x.v;
    load[n_group] += force.y.v;
    load[2 * n_group] += moment.v;
}

/* A force in the plane, on the force's segment, with its moment about that segment's joint. */
ML_INLINE void ml_law_add_wrench(const struct ml_law_at *at, struct ml_dual_xy force,
                                 struct ml_dual moment)
{
    const int last = at->law->segment;
    if (at->view->load)
        ml_law_load(at, force, moment);
    for (int i = 0; i < last; i++)
        ml_law_add_generalised_force(
            at, i, ml_dual_mul(ml_law_length(at, i), ml_dual_dot(force, ml_law_across(at, i))));
    ml_law_add_generalised_force(at, last, moment);
}

/* A force in the plane at that point. */
ML_INLINE void ml_law_add_force(const struct ml_law_at *at, struct ml_dual at_m,
                                struct ml_dual_xy force)
{
    struct ml_dual_xy across = ml_law_across(at, at->law->segment);
    ml_law_add_wrench(at, force, ml_dual_mul(at_m, ml_dual_dot(force, across)));
}

/* The same, `size` times a vector, where the size is known last. */
ML_INLINE void ml_law_add_sized_force(const struct ml_law_at *at, struct ml_dual at_m,
                                      struct ml_dual_xy vector, struct ml_dual size)
{
    const int last = at->law->segment;
    struct ml_dual moment = size;
    for (int i = 0; i <= last; i++) {
        struct ml_dual arm = i < last ? ml_law_length(at, i) : at_m;
        struct ml_dual reach = ml_dual_mul(arm, ml_dual_dot(vector, ml_law_across(at, i)));
        moment = ml_dual_mul(reach, size);
        ml_law_add_generalised_force(at, i, moment);
    }
    if (at->view->load)
        ml_law_load(at,
                    (struct ml_dual_xy){ml_dual_mul(vector.x, size), ml_dual_mul(vector.y, size)},
                    moment);
}

ML_INLINE void ml_law_add_potential(const struct ml_law_at *at, struct ml_dual energy)
{
    if (at->has_derivs)
        at->view->potential_deriv[at->j] += energy.d;
    else
        at->view->potential[at->j] += energy.v;
}

/* Calls an inlined function of a ml_law_at for each vector of lanes.
 *   law       the force
 *   signals   [signal] where the breakpoints of its tables are */
#define ML_LAW_EACH(law_at, law, signals, view, t, has_derivs) \
    for (int law_j = 0; law_j < (view)->n_group; law_j++)      \
    law_at(&(struct ml_law_at){law, signals, view, law_j, (t)[law_j], has_derivs})

/* Defines `name` and `name_deriv`, of type ml_law_fn, from an inlined function of a ml_law_at. */
#define ML_LAW(name, law_at)                                                                    \
    static void name(const struct ml_law *law, const struct ml_law_view *view, const ml_vec *t) \
    {                                                                                           \
        ML_LAW_EACH(law_at, law, law->signals, view, t, false);                                 \
    }                                                                                           \
    static void name##_deriv(const struct ml_law *law, const struct ml_law_view *view,          \
                             const ml_vec *t)                                                   \
    {                                                                                           \
        ML_LAW_EACH(law_at, law, law->signals, view, t, true);                                  \
    }

#endif
