/* Lists the state-dependent forces of a study with the offsets of their constants and states. */
#include "model/forces/laws.h"

#include "model/forces/formula.h"
#include "model/forces/numbers.h"

static bool laws_can_limit(const struct ml_force *type)
{
    bool can = false;
    for (int p = 0; p < type->n_param; p++)
        can |= type->params[p].flags & ML_LIMIT;
    return can;
}

void ml_instance_set_laws(struct ml_instance *model, const struct ml_force_use *forces, int n_force,
                          struct ml_law *laws)
{
    model->laws = laws;
    model->n_law = model->n_law_constant = model->n_law_state = 0;
    model->has_joint_terms = false;
    for (int f = 0; f < n_force; f++)
        model->n_law += ml_force_use_has_law(&forces[f]); /* on which the rows of a system depend */
    for (int f = 0, l = 0, n_formula = 0; f < n_force; f++) {
        const struct ml_force_use *use = &forces[f];
        if (!ml_force_use_has_law(use)) {
            model->has_joint_terms |= use->type->prepare != NULL;
            continue;
        }
        laws[l++] = (struct ml_law){
            .type = use->i_type,
            .is_external = use->type->is_external,
            .is_passive = use->type->is_passive || use->is_perturbation,
            .has_limit = laws_can_limit(use->type),
            .has_potential = ml_force_use_is_conservative(use),
            .is_dry = use->type->is_dry,
            .is_contact = ml_force_is_contact(use->type),
            .joint = use->joint,
            .segment = use->segment,
            .constant = model->system->dynamics.constant_rows(model),
            .state = ml_n_x(model),
            .n_state = use->type->n_state,
            .start = use->formula ? use->slot + use->n_number - use->type->n_state : 0,
            .i_formula = use->formula ? n_formula++ : 0,
            .formula = use->formula,
            .delay = use->type->feedback > 0
                         ? model->system->dynamics.constant_rows(model) +
                               ml_force_first_number(use->type, model->n, use->type->feedback)
                         : 0,
            .n_signal = use->n_signal,
            .signals = use->formula ? use->formula->equations.curves : use->signals,
        };
        model->n_law_constant += use->n_number + (use->formula ? use->formula->equations.n_row : 0);
        model->n_law_state += use->type->n_state;
    }
}
