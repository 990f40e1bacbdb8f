/* A user-defined system. Define `manylink_plugin`, build a shared object, and name it in a study:
 *
 *     system: {type: plugin, file: build/cart_pole.so, pole_length: 0.5}
 *
 * docs/plugins.md says how, examples/cart_pole is one.
 *
 * Every function computes `n_lane` runs, the lanes, in one call. An array of n numbers is n rows of
 * n_lane doubles: number i of lane l is array[i * n_lane + l], so that a compiler can vectorise
 * plain loops over lanes; n_lane differs from call to call. Functions are called from several
 * threads at once: they keep nothing between calls. The result of a lane depends on that lane
 * alone; a lane with numbers that are not finite may get any result, but must not change the
 * results of other lanes. */
#ifndef MANYLINK_PLUGIN_H
#define MANYLINK_PLUGIN_H

#include "manylink/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Changes when plugins have to be built again. */
#define ML_PLUGIN_VERSION 2

enum { ML_PLUGIN_MAX_PARAM = 48, ML_PLUGIN_MAX_STATE = 256 };

/* Names are keys of the study and of the result: letters, digits and _, beginning with a letter.
 * Units are SI, "1" for a dimensionless number. */

/* A number that the study gives below `system`, and may sweep. */
struct ml_plugin_param {
    const char *name, *unit, *doc;
    double default_value, low, high; /* low <= value <= high */
};

/* A number of the state: its value at the start is given below `initial`, 0 by default. */
struct ml_plugin_quantity {
    const char *name, *unit, *doc;
};

struct ml_plugin {
    unsigned version; /* ML_PLUGIN_VERSION */
    unsigned size;    /* sizeof(struct ml_plugin): later versions may have more members */
    const char *name, *doc;
    const struct ml_plugin_param *params; /* [n_param], NULL if n_param is 0 */
    int n_param;
    const struct ml_plugin_quantity *state; /* [n_state]; with `terms` coordinates q, then q' */
    int n_state;

    /* One of the next two, the other is NULL. */

    /* x' = f(t, x).
     *   t       [1] s: lanes have clocks of their own
     *   params  [n_param]
     *   x, dx   [n_state], dx out */
    void (*rates)(int n_lane, const double *t, const double *params, const double *x, double *dx);

    /* M(q) q'' = f(t, q, q'), n = n_state / 2. The engine factorises M and solves; a run whose M is
     * not positive definite ends as `singular_mass`.
     *   q, qd  [n]
     *   mass   [n(n+1)/2] out: the lower triangle of M row after row, (0,0) (1,0) (1,1) (2,0) ...
     *   force  [n] out */
    void (*terms)(int n_lane, const double *t, const double *params, const double *q,
                  const double *qd, double *mass, double *force);

    /* Energies, J, or NULL: they can be saved, and `energy_drift` is measured.
     *   x      [n_state]
     *   scale  typical size of energies, such as m g l: the reference of a drift where the
     *          energy itself is near 0; may be 0
     * All out are one row. */
    void (*energy)(int n_lane, const double *params, const double *x, double *kinetic,
                   double *potential, double *scale);

    /* dy = (dx'/dx) y, the derivative of the rates of the whole state along y, or NULL: the engine
     * takes central differences, good to about 1e-10.
     *   x, y, dy  [n_state], dy out */
    void (*tangent)(int n_lane, const double *t, const double *params, const double *x,
                    const double *y, double *dy);
};

/* The symbol that the shared object defines. */
extern ML_API const struct ml_plugin manylink_plugin;

#ifdef __cplusplus
}
#endif

#endif
