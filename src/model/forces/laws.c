/* Lists the state-dependent forces of a study with the offsets of their constants and states. */
#include "model/forces/laws.h"

void ml_dims_set_laws(struct ml_dims *dims, const struct ml_system *system,
                      const struct ml_force_use *forces, int n_force, struct ml_law *laws)
{
    dims->laws = laws;
    dims->n_law = dims->n_law_constant = dims->n_law_state = 0;
    dims->has_joint_terms = false;
    for (int f = 0; f < n_force; f++) {
        const struct ml_force_use *use = &forces[f];
        if (!ml_force_use_has_law(use)) {
            dims->has_joint_terms |= use->type->prepare != NULL;
            continue;
        }
        laws[dims->n_law++] = (struct ml_law){
            .type = use->i_type,
            .is_external = use->type->is_external,
            .is_passive = use->type->is_passive,
            .joint = use->joint,
            .segment = use->segment,
            .constant = system->constant_rows(dims),
            .state = system->n_x(dims),
            .n_signal = use->n_signal,
            .signals = use->signals,
        };
        dims->n_law_constant += use->n_number;
        dims->n_law_state += use->type->n_state;
    }
}
