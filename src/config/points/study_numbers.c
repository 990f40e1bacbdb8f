/* Numbers of a motion and of inverse dynamics among those of a run. */
#include "config/schema/slots.h"

#include <string.h>

enum { MOST = 6 }; /* onset, duration, start, end; cutoff; mass; and thresholds of forces */

/* Returns the slot behind them. */
static int add(struct ml_study_spec *spec, struct ml_of_runs of)
{
    if (!of.own || !spec->numbers.of_runs)
        return of.slot;
    spec->numbers.of_runs[spec->numbers.n_of_runs++] = of;
    return of.slot + of.n;
}

int ml_study_numbers_place(struct ml_study_spec *spec, int first)
{
    const struct ml_motion_spec *of = &spec->inverse.motion;
    const int motion = ML_SCOPE_MOTION, posture = ML_SCOPE_POSTURE;
    const int n = of->type == ML_HAND_PATH ? 2 : spec->model.n;
    int slot = first;
    spec->numbers.of_runs =
        ml_pool_take(spec->pool, MOST + (size_t)spec->n_force, sizeof *spec->numbers.of_runs);
    if (of->type == ML_MINIMUM_JERK || of->type == ML_HAND_PATH) {
        slot = add(spec, (struct ml_of_runs){motion, "motion.onset", &of->onset, 1, slot});
        slot = add(spec, (struct ml_of_runs){motion, "motion.duration", &of->duration, 1, slot});
        slot = add(spec, (struct ml_of_runs){posture, "motion.start", of->start, n, slot});
        slot = add(spec, (struct ml_of_runs){posture, "motion.end", of->end, n, slot});
    }
    if (spec->inverse.smoothing.order > 0)
        slot = add(spec, (struct ml_of_runs){ML_SCOPE_FILTER, "inverse.filter.cutoff",
                                             &spec->inverse.smoothing.cutoff, 1, slot});
    if (spec->inverse.outputs.per_mass > 0.0)
        slot = add(spec, (struct ml_of_runs){ML_SCOPE_INVERSE, "inverse.per_mass",
                                             &spec->inverse.outputs.per_mass, 1, slot});
    for (int f = 0; f < spec->n_force; f++)
        if (spec->forces[f].threshold > 0.0)
            slot = add(spec, (struct ml_of_runs){ML_SCOPE_FORCE,
                                                 ml_pool_format(spec->pool, "forces.%s.threshold",
                                                                spec->forces[f].name),
                                                 &spec->forces[f].threshold, 1, slot});
    return slot - first;
}

/* Path and row of number i of them. */
static struct ml_slot slot_of(struct ml_reader *r, const struct ml_of_runs *of, int i)
{
    struct ml_pool *pool = r->spec->pool;
    const struct ml_params measured = {.places = ML_OF_FILE};
    const struct ml_keys keys = ml_schema_keys(r->pool, (enum ml_scope)of->scope, NULL, &measured);
    if (of->scope != ML_SCOPE_POSTURE)
        return (struct ml_slot){of->path, ml_keys_find(&keys, strrchr(of->path, '.') + 1)->param};
    if (r->spec->inverse.motion.type != ML_HAND_PATH)
        return (struct ml_slot){
            ml_pool_format(pool, "%s.angle.%s", of->path, r->spec->segment_names[i]),
            ml_keys_find(&keys, "angle")->param};
    const struct ml_param *param = ml_point_param(i);
    return (struct ml_slot){ml_pool_format(pool, "%s.%s", of->path, param->name), *param};
}

void ml_study_numbers_name(struct ml_reader *r, struct ml_slot *slots)
{
    const struct ml_study_spec *spec = r->spec;
    for (int k = 0; k < spec->numbers.n_of_runs; k++)
        for (int i = 0; i < spec->numbers.of_runs[k].n; i++) {
            const int slot = spec->numbers.of_runs[k].slot + i;
            slots[slot] = slot_of(r, &spec->numbers.of_runs[k], i);
            spec->numbers.base[slot] = spec->numbers.of_runs[k].own[i];
        }
}

/* NULL: runs cannot differ in them. */
static const struct ml_of_runs *find(const struct ml_study_spec *spec, const double *own)
{
    for (int k = 0; k < spec->numbers.n_of_runs; k++)
        if (spec->numbers.of_runs[k].own == own)
            return &spec->numbers.of_runs[k];
    return NULL;
}

const double *ml_study_of_run(const struct ml_study_spec *spec, const double *own,
                              const double *values)
{
    const struct ml_of_runs *of = find(spec, own);
    return of ? values + of->slot : own;
}

bool ml_study_is_swept(const struct ml_study_spec *spec, const double *own)
{
    const struct ml_of_runs *of = find(spec, own);
    for (int i = 0; of && i < of->n; i++)
        if (ml_defined_moves(spec->numbers.defined, of->slot + i))
            return true;
    for (int a = 0; of && a < spec->runs.n_axis; a++)
        for (int s = 0; s < spec->runs.axes[a].n_swept; s++) {
            const int slot = spec->runs.axes[a].swept[s].slot;
            if (slot >= of->slot && slot < of->slot + of->n)
                return true;
        }
    return false;
}
