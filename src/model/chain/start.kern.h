/* The chain's start: absolute angles and rates from the study's. */
#ifndef ML_MODEL_CHAIN_START_H
#define ML_MODEL_CHAIN_START_H

#include "model/chain/params.kern.h"
#include "simd/vmath.h"

/* Absolute angles and rates from the study's. */
ML_INLINE void chain_prepare_state(int n, bool is_joint, const double *initial, double *x)
{
    ml_vec angle = ml_splat(0.0), rate = ml_splat(0.0);
    for (int i = 0; i < n; i++) {
        if (!is_joint)
            angle = rate = ml_splat(0.0);
        angle = angle + ml_load(initial, i);
        rate = rate + ml_load(initial, n + i);
        ml_store(x, i, angle);
        ml_store(x, n + i, rate);
    }
}

/* The states of laws, or their derivatives, from the values of a run, or theirs. */
ML_INLINE void chain_prepare_law_states(const struct ml_instance *model, const double *values,
                                        double *x)
{
    for (int l = 0; l < model->n_law; l++) {
        const struct ml_law *law = &model->laws[l];
        for (int k = 0; k < law->n_state; k++)
            ml_store(x, law->state + k,
                     law->start > 0 ? ml_load(values, law->start + k) : ml_splat(0.0));
    }
}

static void chain_prepare(const struct ml_instance *model, const double *values, double *constants,
                          double *x)
{
    const int n = model->n;
    const double *initial = values + (CHAIN_N_PARAM + n * CHAIN_N_SEGMENT_PARAM) * ML_LANES;
    ML_EACH_GROUP(g) {
        chain_prepare_constants(model, values + g, constants + g);
        chain_prepare_state(n, model->choice[CHAIN_ANGLES] == CHAIN_JOINT, initial + g, x + g);
        chain_prepare_law_states(model, values + g, x + g);
    }
}

#endif
