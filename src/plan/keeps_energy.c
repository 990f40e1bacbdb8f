/* Whether the equations of motion of a study keep its total energy, by its system and forces. */
#include "plan/study.h"

#include "model/equations.h"

/* Whether a number of the study is 0 in all runs. */
static bool keeps_energy_is_zero(const struct ml_study_spec *spec, int slot)
{
    bool is_zero =
        spec->numbers.base[slot] == 0.0 && !ml_defined_moves(spec->numbers.defined, slot);
    for (int a = 0; a < spec->runs.n_axis; a++)
        for (int k = 0; k < spec->runs.axes[a].n_swept; k++)
            is_zero &= spec->runs.axes[a].swept[k].slot != slot;
    return is_zero;
}

bool ml_keeps_energy(const struct ml_study *study)
{
    const struct ml_system *system = study->spec.model.system;
    bool keeps =
        system->energy.measure && (system->forces.joint_terms || system->dynamics.n_position > 0);
    if (system->has_formulas && study->spec.model.own)
        keeps = ((const struct ml_equations *)study->spec.model.own)->keeps_energy &&
                system->energy.measure;
    for (int f = 0; f < study->spec.n_force; f++)
        keeps &= ml_force_use_is_conservative(&study->spec.forces[f]);
    for (int i = 0; i < system->tables.n_param; i++)
        keeps &= !(system->tables.params[i].flags & (ML_FRICTION | ML_DRIVE)) ||
                 keeps_energy_is_zero(&study->spec, ml_slot_param(i));
    return keeps;
}
