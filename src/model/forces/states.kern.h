/* states: numbers that change over time by formulas, without a force. Formulas of forces behind it
 * see them, so that several share a filter, an activation, or numbers that events set. */
#ifndef ML_MODEL_FORCES_STATES_H
#define ML_MODEL_FORCES_STATES_H

#include "model/forces/formula.kern.h"

ML_INLINE void states_law_at(const struct ml_law_at *at) { formula_compute(at, 0, NULL); }
ML_LAW(states_rates, states_law_at)

ML_INLINE void states_potential_at(const struct ml_law_at *at) { (void)at; }
ML_LAW(states_potential, states_potential_at)

static const struct ml_law_functions states_law = {
    .force = states_rates,
    .tangent = states_rates_deriv,
    .potential = states_potential,
    .potential_deriv = states_potential_deriv,
};

ML_DESCRIPTOR(ml_force, states) = {
    .name = "states",
    .doc = "no force, but numbers that change over time by formulas: formulas of later forces see "
           "them as NAME.STATE",
    .places = ML_BY_FORMULA,
    .is_external = true,
    .is_conservative = true,
    .law = &states_law,
};

#endif
