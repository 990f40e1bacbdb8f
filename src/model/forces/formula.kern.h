/* formula: a torque at a joint that a study gives as formulas, with states of its own. The general
 * kernel interprets the programs of them; in a kernel that is made for the study they are C
 * (formula.c), behind that unit. Both call the same functions in the same order. */
#ifndef ML_MODEL_FORCES_FORMULA_KERN_H
#define ML_MODEL_FORCES_FORMULA_KERN_H

#include "model/forces/formula.h"
#include "model/forces/law.kern.h"
#include "model/program.kern.h"

/* Behind them are the study's own parameters, then the values of its states at the start. */
enum {
    FORMULA_LIMIT,
    FORMULA_LIMIT_LOW,
    FORMULA_LIMIT_HIGH,
    FORMULA_FEEDBACK,
    FORMULA_N_PARAM = FORMULA_FEEDBACK + ML_FEEDBACK_N_PARAM
};

/* s, as the formulas see it: of a sampled force the time of the last sample. */
ML_INLINE ml_vec formula_time(const struct ml_law_at *at)
{
    return at->law->is_sampled ? ml_law_told(at, ML_FEEDBACK_SAMPLED) : at->t;
}

ML_INLINE struct ml_dual formula_see_angle(const struct ml_law_at *at, int i)
{
    return ml_law_angle(at, i);
}

ML_INLINE struct ml_dual formula_see_rate(const struct ml_law_at *at, int i)
{
    return ml_law_rate(at, i);
}

/* m, m/s: of the point at which a force acts, whose distance from its segment's joint is the first
 * number. */
ML_INLINE struct ml_dual formula_see_point_x(const struct ml_law_at *at, int i)
{
    (void)i;
    return ml_law_point(at, ml_law_param(at, 0)).x;
}

ML_INLINE struct ml_dual formula_see_point_y(const struct ml_law_at *at, int i)
{
    (void)i;
    return ml_law_point(at, ml_law_param(at, 0)).y;
}

ML_INLINE struct ml_dual formula_see_velocity_x(const struct ml_law_at *at, int i)
{
    (void)i;
    return ml_law_velocity(at, ml_law_param(at, 0)).x;
}

ML_INLINE struct ml_dual formula_see_velocity_y(const struct ml_law_at *at, int i)
{
    (void)i;
    return ml_law_velocity(at, ml_law_param(at, 0)).y;
}

/* A state that a force before has: row i of the state of the system. */
ML_INLINE struct ml_dual formula_see_state(const struct ml_law_at *at, int i)
{
    const int row = i * at->view->n_group + at->j;
    return (struct ml_dual){at->view->x[row], at->has_derivs ? at->view->y[row] : ml_splat(0.0)};
}

/* Puts seen quantities behind the own states. */
ML_INLINE void formula_take(const struct ml_law_at *at, struct ml_dual seen, ml_vec *x, ml_vec *y)
{
    x[at->law->n_state] = seen.v;
    y[at->law->n_state] = seen.d;
}

ML_INLINE void formula_take_states(const struct ml_law_at *at, ml_vec *x, ml_vec *y)
{
    for (int k = 0; k < at->law->n_state; k++) {
        const struct ml_dual state = ml_law_state(at, k);
        x[k] = state.v;
        y[k] = state.d;
    }
}

/* The values of the outputs, and their derivatives if the law is asked for these. */
#if defined ML_SPEC_FORMULAS

ML_INLINE void formula_run(const struct ml_law_at *at, ml_vec *value, ml_vec *deriv);

ML_INLINE ml_vec equations_param(const struct ml_law_at *at, int j, int i)
{
    (void)j;
    return ml_law_param(at, i).v;
}

ML_INLINE ml_vec equations_param_deriv(const struct ml_law_at *at, int j, int i)
{
    (void)j;
    return ml_law_param(at, i).d;
}

ML_INLINE ml_vec equations_curve(const struct ml_law_at *at, int curve, int order, ml_vec x)
{
    return ml_curve(at->breakpoints_of[curve].breakpoints, order, x);
}

ML_INLINE void equations_sincos(const struct ml_law_at *at, int j, ml_vec angle, ml_vec *sine,
                                ml_vec *cosine)
{
    (void)at, (void)j;
    ml_sincos(1, &angle, sine, cosine);
}

/* `name` with an ending are the functions that ml_formula_code writes. */
#define FORMULA_RUN(name, at, value, deriv)                                   \
    do {                                                                      \
        const ml_vec now = formula_time(at);                                  \
        ml_vec x[ML_FORMULA_STATES + ML_FORMULA_SEEN], work[name##_kept + 1]; \
        ml_vec y[ML_FORMULA_STATES + ML_FORMULA_SEEN];                        \
        formula_take_states(at, x, y);                                        \
        name##_see(at, x, y);                                                 \
        if (!(at)->has_derivs) {                                              \
            name##_bare(at, 0, &now, x, work, value);                         \
            break;                                                            \
        }                                                                     \
        name##_first_forced(at, 0, &now, x, work, value);                     \
        name##_along_forced(at, 0, &now, x, y, work, deriv);                  \
        if ((at)->view->constant_derivs)                                      \
            name##_forcing(at, 0, &now, x, work, deriv);                      \
    } while (0)

#elif defined ML_SPEC_TEXT

/* Never called: kernels made for forces without formulas have no program to run. */
ML_INLINE void formula_run(const struct ml_law_at *at, ml_vec *value, ml_vec *deriv)
{
    (void)at, (void)value, (void)deriv;
}

#else

ML_INLINE struct ml_dual formula_see(const struct ml_law_at *at, const struct ml_seen *seen)
{
    switch (seen->kind) {
#define ML_SEEN(name)    \
    case ML_SEEN_##name: \
        return formula_see_##name(at, seen->segment);
#include "model/forces/seen.def"
    case ML_N_SEEN:
        break;
    }
    return ml_dual_splat(0.0);
}

/* The first number among rows of constants, at the law's lanes; NULL stays. */
ML_INLINE const double *formula_params(const struct ml_law_at *at, const double *constants)
{
    return constants ? constants + at->j * ML_WIDTH + (long)at->law->constant * ML_LANES : NULL;
}

static __attribute__((noinline)) void formula_run(const struct ml_law_at *at, ml_vec *value,
                                                  ml_vec *deriv)
{
    const struct ml_formula *formula = at->law->formula;
    if (!formula)
        return; /* of the registry, without a study: no force */
    const struct ml_program *programs = formula->equations.programs;
    const ml_vec now = formula_time(at);
    ml_vec x[ML_FORMULA_STATES + ML_FORMULA_SEEN], registers[ML_FORMULA_REGISTERS];
    ml_vec y[ML_FORMULA_STATES + ML_FORMULA_SEEN];
    const struct ml_program_rows rows = {
        .n = 1,
        .t = &now,
        .x = x,
        .y = y,
        .params = formula_params(at, at->view->constants),
        .param_derivs = formula_params(at, at->view->constant_derivs),
        .registers = registers,
        .curves = at->breakpoints_of,
    };
    formula_take_states(at, x, y);
    for (int s = 0; s < formula->n_seen; s++)
        formula_take(at, formula_see(at, &formula->seen[s]), x + s, y + s);
    ml_program_run(&programs[at->has_derivs ? ML_EQUATIONS_FORCED : ML_EQUATIONS_BARE], 0, &rows,
                   false, value);
    if (!at->has_derivs)
        return;
    ml_program_run(&programs[ML_EQUATIONS_FORCED], 1, &rows, false, deriv);
    if (at->view->constant_derivs)
        ml_program_run(&programs[ML_EQUATIONS_FORCED], 2, &rows, true, deriv);
}

#endif

/* Sets the rates of the own states.
 *   out  [n] values of the other formulas */
ML_INLINE void formula_compute(const struct ml_law_at *at, int n, struct ml_dual *out)
{
    ml_vec value[ML_FORMULA_OUTPUTS], deriv[ML_FORMULA_OUTPUTS];
    const int n_state = at->law->n_state;
    for (int o = 0; o < n + n_state; o++)
        value[o] = deriv[o] = ml_splat(0.0);
    formula_run(at, value, deriv);
    for (int o = 0; o < n; o++)
        out[o] = (struct ml_dual){value[o], deriv[o]};
    for (int k = 0; k < n_state; k++)
        ml_law_set_rate(at, k, (struct ml_dual){value[n + k], deriv[n + k]});
}

ML_INLINE void formula_law_at(const struct ml_law_at *at)
{
    struct ml_dual torque;
    formula_compute(at, 1, &torque);
    if (at->law->has_limit)
        torque = ml_law_limited(at, torque, FORMULA_LIMIT, FORMULA_LIMIT_LOW, FORMULA_LIMIT_HIGH);
    ml_law_add_torque(at, at->law->joint, torque);
}
ML_LAW(formula_force, formula_law_at)

static const struct ml_law_functions formula_law = {.force = formula_force,
                                                    .tangent = formula_force_deriv};

static const struct ml_param formula_params_of_all[FORMULA_N_PARAM] = {
    ML_LIMIT_PARAMS(FORMULA_LIMIT, FORMULA_LIMIT_LOW, FORMULA_LIMIT_HIGH, 0),
    ML_FEEDBACK_PARAMS(FORMULA_FEEDBACK),
};

/* Common to all; the study reader adds the numbers and states of the force at hand. */
ML_DESCRIPTOR(ml_force, formula) = {
    .name = "formula",
    .doc = "torque at a joint that the study gives as a formula",
    .params = formula_params_of_all,
    .n_param = FORMULA_N_PARAM,
    .places = ML_AT_JOINT | ML_BY_FORMULA | ML_TORQUE_FORMULA,
    .feedback = FORMULA_FEEDBACK,
    .law = &formula_law,
};

#endif
