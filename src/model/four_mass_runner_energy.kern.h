/* The runner's energies, with their derivatives along a parameter direction. */
#ifndef ML_MODEL_FOUR_MASS_RUNNER_ENERGY_H
#define ML_MODEL_FOUR_MASS_RUNNER_ENERGY_H

#include "model/four_mass_runner_motion.kern.h"

/* Stretches of the springs. */
ML_INLINE void runner_stretches(const double *x, ml_vec *stretch)
{
    ml_vec x1 = ml_load(x, RUNNER_X1), x2 = ml_load(x, RUNNER_X2), x3 = ml_load(x, RUNNER_X3);
    stretch[0] = x1 - x3;
    stretch[1] = x1 - x2;
    stretch[2] = x2 - x3;
    stretch[3] = stretch[4] = x3 - ml_load(x, RUNNER_X4);
}

enum { RUNNER_N_SPRING = 5 };

/* Work against the shoe's stiffness: A a `volume`, with volume = x1^(b+1)/(b+1), 0 above ground.
 * x1 and ln x1 are of 1 there. */
struct runner_pressed {
    ml_vec size, volume, power, x1, log; /* size = A a, power = b + 1 */
};

ML_INLINE struct runner_pressed runner_pressed(const double *constants, const double *x)
{
    ml_mask is_down = (ml_mask)(ml_load(x, RUNNER_X1) > 0.0);
    struct runner_pressed out = {
        .size = ml_load(constants, RUNNER_AREA) * ml_load(constants, RUNNER_STIFFNESS),
        .power = ml_load(constants, RUNNER_EXPONENT) + 1.0,
        .x1 = ml_select(is_down, ml_load(x, RUNNER_X1), ml_splat(1.0)),
    };
    out.log = ml_log(out.x1);
    out.volume = ml_select(is_down, ml_exp(out.power * out.log) / out.power, ml_splat(0.0));
    return out;
}

/* Change of that work along changes of constants and state. */
ML_INLINE ml_vec runner_pressed_change(const double *constants, const double *derivs,
                                       const double *x, const double *dx)
{
    const struct runner_pressed at = runner_pressed(constants, x);
    ml_vec size = ml_fma(ml_load(derivs, RUNNER_AREA), ml_load(constants, RUNNER_STIFFNESS),
                         ml_load(constants, RUNNER_AREA) * ml_load(derivs, RUNNER_STIFFNESS));
    ml_vec along_power = (at.log - 1.0 / at.power) * ml_load(derivs, RUNNER_EXPONENT);
    ml_vec relative = ml_fma(at.power / at.x1, ml_load(dx, RUNNER_X1), along_power);
    return at.volume * ml_fma(at.size, relative, size);
}

/* The scale is that of springs stretched and masses raised by this much. */
static const double runner_small = 0.01; /* m */

ML_INLINE ml_vec runner_scale(const double *constants)
{
    ml_vec mass = ml_splat(0.0), stiffness = mass;
    for (int i = 0; i < RUNNER_N_MASS; i++)
        mass += ml_load(constants, RUNNER_M1 + i);
    for (int i = 0; i < RUNNER_N_SPRING; i++)
        stiffness += ml_load(constants, RUNNER_K1 + i);
    return runner_small *
           ml_fma(mass, ml_abs(ml_load(constants, RUNNER_GRAVITY)), 0.5 * runner_small * stiffness);
}

static void four_mass_runner_energy(const struct ml_instance *model, const double *constants,
                                    const double *x, double *work, double *kinetic,
                                    double *potential, double *scale)
{
    (void)model, (void)work;
    ML_EACH_GROUP(g) {
        const struct runner_pressed pressed = runner_pressed(constants + g, x + g);
        ml_vec stretch[RUNNER_N_SPRING], k = ml_splat(0.0), weight = k, v = k;
        for (int i = 0; i < RUNNER_N_MASS; i++) {
            ml_vec m = ml_load(constants + g, RUNNER_M1 + i), rate = ml_load(x + g, RUNNER_V1 + i);
            k = ml_fma(m * rate, rate, k);
            weight = ml_fma(m, ml_load(x + g, RUNNER_X1 + i), weight);
        }
        runner_stretches(x + g, stretch);
        for (int i = 0; i < RUNNER_N_SPRING; i++)
            v = ml_fma(ml_load(constants + g, RUNNER_K1 + i) * stretch[i], stretch[i], v);
        v = ml_fma(pressed.size, pressed.volume, 0.5 * v);
        ml_store(kinetic + g, 0, 0.5 * k);
        ml_store(potential + g, 0, ml_fnma(ml_load(constants + g, RUNNER_GRAVITY), weight, v));
        if (scale)
            ml_store(scale + g, 0, runner_scale(constants + g));
    }
}

/* Derivatives of the kinetic energy, and of the sum of m x. */
ML_INLINE ml_vec runner_mass_derivs(const double *constants, const double *derivs, const double *x,
                                    const double *dx, ml_vec *weight)
{
    ml_vec k = ml_splat(0.0), w = k;
    for (int i = 0; i < RUNNER_N_MASS; i++) {
        ml_vec m = ml_load(constants, RUNNER_M1 + i), dm = ml_load(derivs, RUNNER_M1 + i);
        ml_vec v = ml_load(x, RUNNER_V1 + i), dv = ml_load(dx, RUNNER_V1 + i);
        k = ml_fma(v, ml_fma(m, dv, 0.5 * dm * v), k);
        w = ml_fma(m, ml_load(dx, RUNNER_X1 + i), ml_fma(dm, ml_load(x, RUNNER_X1 + i), w));
    }
    *weight = w;
    return k;
}

ML_INLINE ml_vec runner_spring_derivs(const double *constants, const double *derivs,
                                      const double *x, const double *dx)
{
    ml_vec stretch[RUNNER_N_SPRING], change[RUNNER_N_SPRING], v = ml_splat(0.0);
    runner_stretches(x, stretch);
    runner_stretches(dx, change);
    for (int i = 0; i < RUNNER_N_SPRING; i++) {
        ml_vec stiffer = 0.5 * ml_load(derivs, RUNNER_K1 + i) * stretch[i];
        v = ml_fma(stretch[i], ml_fma(ml_load(constants, RUNNER_K1 + i), change[i], stiffer), v);
    }
    return v;
}

ML_INLINE ml_vec runner_scale_deriv(const double *constants, const double *derivs)
{
    ml_vec mass = ml_splat(0.0), heavier = mass, stiffer = mass;
    ml_vec gravity = ml_load(constants, RUNNER_GRAVITY);
    for (int i = 0; i < RUNNER_N_MASS; i++) {
        mass += ml_load(constants, RUNNER_M1 + i);
        heavier += ml_load(derivs, RUNNER_M1 + i);
    }
    for (int i = 0; i < RUNNER_N_SPRING; i++)
        stiffer += ml_load(derivs, RUNNER_K1 + i);
    ml_vec weight = ml_fma(mass, ml_abs_deriv(gravity, ml_load(derivs, RUNNER_GRAVITY)),
                           heavier * ml_abs(gravity));
    return runner_small * ml_fma(ml_splat(0.5 * runner_small), stiffer, weight);
}

static void four_mass_runner_energy_deriv(const struct ml_instance *model, int p,
                                          const double *constants, const double *x, double *work,
                                          const struct ml_energies *out)
{
    const double *derivs = first_order_constants_along(FOUR_MASS_RUNNER_N_PARAM, p, constants);
    const double *dx = first_order_x_along(model, FOUR_MASS_RUNNER_N_STATE, p, x);
    (void)work;
    ML_EACH_GROUP(g) {
        ml_vec weight = ml_splat(0.0), dweight, gravity = ml_load(constants + g, RUNNER_GRAVITY);
        ml_vec k = runner_mass_derivs(constants + g, derivs + g, x + g, dx + g, &dweight);
        ml_vec v = runner_spring_derivs(constants + g, derivs + g, x + g, dx + g) +
                   runner_pressed_change(constants + g, derivs + g, x + g, dx + g);
        for (int i = 0; i < RUNNER_N_MASS; i++)
            weight = ml_fma(ml_load(constants + g, RUNNER_M1 + i), ml_load(x + g, RUNNER_X1 + i),
                            weight);
        ml_store(out->kinetic + g, 0, k);
        v = ml_fnma(gravity, dweight, v);
        ml_store(out->potential + g, 0, ml_fnma(ml_load(derivs + g, RUNNER_GRAVITY), weight, v));
        if (out->scale)
            ml_store(out->scale + g, 0, runner_scale_deriv(constants + g, derivs + g));
    }
}

#endif
