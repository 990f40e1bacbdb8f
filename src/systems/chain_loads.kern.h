/* What laws do to the chain's segments, for inverse dynamics. */
#ifndef ML_SYSTEMS_CHAIN_LOADS_H
#define ML_SYSTEMS_CHAIN_LOADS_H

#include "systems/chain_laws.kern.h"

static void chain_loads(const struct ml_shape *shape, double t, const double *constants,
                        const double *x, int lane, double *work, double (*load)[3], double *passive)
{
    const int n = shape->n, group = lane / ML_WIDTH * ML_WIDTH, l = lane % ML_WIDTH;
    ml_vec *own = (ml_vec *)work + 4 * n, *outside = own + n, *planar = outside + n;
    const ml_vec time = ml_splat(t);
    struct ml_law_view view =
        chain_law_view_of(shape, constants + group, x + group, (ml_vec *)work);
    for (int i = 0; i < 5 * n; i++)
        own[i] = ml_splat(0.0);
    for (int k = 0; k < shape->n_law; k++) {
        const struct ml_law *law = &shape->laws[k];
        if (!law->is_external && !law->is_passive)
            continue;
        view.force = law->is_external ? outside : own;
        view.load = law->is_external ? planar : NULL;
        ML_K(ml_law_functions_of)(law->type)->force(law, &view, &time);
    }
    for (int i = 0; i < n; i++) {
        passive[i] = own[i][l];
        for (int d = 0; d < 3; d++)
            load[i][d] = planar[3 * i + d][l];
    }
}

#endif
