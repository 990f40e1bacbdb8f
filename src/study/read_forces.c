/* The forces of a study. */
#include <math.h>
#include <string.h>

#include "engine/laws.h"
#include "study/reader.h"

struct names {
    const char **name; /* [n_force] */
    int n_value;       /* numbers of the forces so far */
};

static void read_force(struct ml_reader *r, const struct ml_node *node, int i, struct names *names)
{
    struct ml_keys keys;
    struct ml_force_keys fields = {0};
    struct ml_force_use *use = &r->study->forces[i];
    int type = ml_read_word(r, node, ML_SCOPE_FORCE, "type");
    if (type < 0)
        return;
    use->i_type = type;
    use->type = r->study->ensemble.kernels->forces[type];
    const struct ml_params own = ml_force_params(use->type);
    ml_schema_keys(ML_SCOPE_FORCE, NULL, &own, &keys);
    ml_read_map(r, node, &keys, &fields, r->force_values + names->n_value);
    names->n_value += use->type->n_param;
    names->name[i] = fields.name;
    if (!r->has_segments)
        return;
    use->joint = fields.joint ? ml_read_segment(r, fields.joint, "joint") : 0;
    use->segment = fields.segment ? ml_read_segment(r, fields.segment, "segment") : use->joint;
}

static void set_names(struct ml_reader *r, struct names *names, int n)
{
    struct ml_pool *pool = &r->study->pool;
    for (int i = 0; i < n; i++) {
        const char *name = names->name[i];
        names->name[i] =
            name ? ml_pool_text(pool, name, strlen(name)) : ml_pool_format(pool, "%d", i + 1);
        r->study->forces[i].name = names->name[i];
    }
}

static void set_slots(struct ml_reader *r, int n)
{
    int slot = ml_slot_forces(r->system, r->study->ensemble.shape.n);
    for (int i = 0; i < n; i++) {
        struct ml_force_use *use = &r->study->forces[i];
        use->slot = slot;
        slot += use->type ? use->type->n_param : 0;
    }
}

static void set_laws(struct ml_reader *r, int n)
{
    struct ml_law *laws = ml_pool_take(&r->study->pool, (size_t)n, sizeof *laws);
    for (int i = 0; i < n; i++)
        if (!r->study->forces[i].type)
            return; /* and said so */
    r->study->ensemble.forces = r->study->forces;
    if (laws)
        ml_ensemble_set_laws(&r->study->ensemble, laws);
}

void ml_read_forces(struct ml_reader *r, const struct ml_node *node)
{
    int n = node ? node->n_child : 0, i = 0;
    struct names names = {0};
    if (n == 0)
        return;
    if (n > ML_MOST_FORCES) {
        ml_problem(&r->problems, node->place, "there are more than %d forces", (int)ML_MOST_FORCES);
        return;
    }
    if (r->system && !r->system->joint_terms) {
        ml_problem(&r->problems, node->place, "system `%s` has no joints for forces to act at",
                   r->system->name);
        return;
    }
    names.name = ml_pool_take(r->pool, (size_t)n, sizeof *names.name);
    r->force_values = ml_pool_take(r->pool, (size_t)n * ML_MAX_KEYS, sizeof *r->force_values);
    r->study->forces = ml_pool_take(&r->study->pool, (size_t)n, sizeof *r->study->forces);
    if (!names.name || !r->force_values || !r->study->forces)
        return;
    r->study->ensemble.n_force = n;
    for (const struct ml_node *child = node->first; child; child = child->next, i++)
        if (ml_read_is_map(r, child, "a force must be a map such as {type: torque, joint: 1, ...}"))
            read_force(r, child, i, &names);
    set_names(r, &names, n);
    ml_read_unique(r, node, names.name, n);
    if (!r->has_segments)
        return;
    set_slots(r, n);
    set_laws(r, n);
}

void ml_forces_allow_start(struct ml_reader *r, const struct ml_node *node)
{
    const struct ml_study *study = r->study;
    for (int p = 0; r->slots && p < r->system->n_param; p++) {
        const struct ml_param *param = &r->system->params[p];
        if (!ml_param_is_of_start(param) || (isnan(study->base[p]) && !r->swept_by[p]))
            continue;
        for (int i = 0; i < study->ensemble.n_force; i++)
            if (study->forces[i].type && study->forces[i].type->is_conservative)
                ml_problem(&r->problems, node->place,
                           "initial.%s does not know of forces such as `%s` of type %s: give the "
                           "rates at the start instead",
                           param->name, study->forces[i].name, study->forces[i].type->name);
    }
}
