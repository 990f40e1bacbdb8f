/* Takes length, mass and inertia of the segments of one run from the ensemble's parameters. */
#include "inverse/segment_params.h"

#include <assert.h>
#include <string.h>

#include "engine/team/batch.h"

/* Index of a param that a chain has. */
static int segment_params_find_param(const struct ml_param *params, int n, const char *name)
{
    int i = 0;
    while (i < n && strcmp(params[i].name, name) != 0)
        i++;
    assert(i < n);
    return i;
}

bool ml_segment_params_chose(const struct ml_ensemble *e, const char *choice, const char *value)
{
    for (int i = 0; i < e->model.system->tables.n_choice; i++)
        if (strcmp(e->model.system->tables.choices[i].name, choice) == 0)
            return strcmp(e->model.system->tables.choices[i].values[e->model.choice[i]], value) ==
                   0;
    return false;
}

bool ml_segment_params_are_of(const struct ml_system *system)
{
    return strcmp(system->name, "chain") == 0;
}

static void segment_params_lay_out(struct ml_segment_params *b, const struct ml_ensemble *e)
{
    double **const of_segments[] = {&b->length, &b->mass, &b->com, &b->inertia, &b->damping};
    const size_t row = ML_LANES * sizeof(double);
    for (size_t i = 0; i < sizeof of_segments / sizeof *of_segments; i++)
        *of_segments[i] = ml_arena_take(&b->arena, (size_t)b->n, sizeof(double));
    b->run_values = ml_arena_take(&b->arena, (size_t)e->numbers.n, sizeof(double));
    b->values = ml_arena_take(&b->arena, (size_t)e->numbers.n, row);
    b->constants = ml_arena_take(&b->arena, (size_t)ml_rows_constants(&e->model), row);
    b->x = ml_arena_take(&b->arena, (size_t)ml_rows_x(&e->model), row);
}

bool ml_segment_params_init(struct ml_segment_params *segments, const struct ml_ensemble *ensemble)
{
    *segments = (struct ml_segment_params){
        .n = ensemble->model.n,
        .is_down = ml_segment_params_chose(ensemble, "zero", "down"),
        .is_joint = ml_segment_params_chose(ensemble, "angles", "joint"),
    };
    segment_params_lay_out(segments, ensemble);
    if (!ml_arena_reserve(&segments->arena))
        return false;
    segment_params_lay_out(segments, ensemble);
    return true;
}

void ml_segment_params_free(struct ml_segment_params *segments) { ml_arena_free(&segments->arena); }

/* Forces know batches only: the run in every lane. */
static void load_forces(struct ml_segment_params *b, const struct ml_ensemble *e)
{
    for (int v = 0; v < e->numbers.n; v++)
        for (int lane = 0; lane < ML_LANES; lane++)
            b->values[v * ML_LANES + lane] = b->run_values[v];
    e->model.system->dynamics.prepare(&e->model, b->values, b->constants, b->x);
    ml_forces_load(e, b->values, b->constants);
    const struct ml_joint_terms terms =
        e->model.system->forces.joint_terms(&e->model, b->constants);
    for (int i = 0; i < b->n; i++)
        b->damping[i] = terms.damping[(size_t)i * (size_t)terms.stride * ML_LANES];
}

void ml_segment_params_load(struct ml_segment_params *segments, const struct ml_ensemble *ensemble,
                            int64_t run)
{
    const struct ml_system *system = ensemble->model.system;
    const struct ml_param *of_segment = system->tables.segment_params;
    const struct {
        const char *name;
        double *to;
    } rows[] = {{"length", segments->length},
                {"mass", segments->mass},
                {"com", segments->com},
                {"inertia", segments->inertia}};
    double *values = segments->run_values;
    ensemble->numbers.values(ensemble->numbers.context, run, values);
    system->parameters.derive(&ensemble->model, values);
    segments->gravity[0] = values[segment_params_find_param(system->tables.params,
                                                            system->tables.n_param, "gravity.x")];
    segments->gravity[1] = values[segment_params_find_param(system->tables.params,
                                                            system->tables.n_param, "gravity.y")];
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        int i_param =
            segment_params_find_param(of_segment, system->tables.n_segment_param, rows[r].name);
        for (int i = 0; i < segments->n; i++)
            rows[r].to[i] = values[ml_slot_segment(system, i, i_param)];
    }
    load_forces(segments, ensemble);
}

double ml_segment_params_body_mass(const struct ml_segment_params *segments,
                                   const struct ml_ensemble *ensemble)
{
    const struct ml_system *system = ensemble->model.system;
    for (int i = 0; i < system->tables.n_param; i++)
        if (system->tables.params[i].group &&
            strcmp(system->tables.params[i].group, ML_BODY) == 0 &&
            strcmp(system->tables.params[i].name, "mass") == 0)
            return segments->run_values[i];
    return (double)NAN;
}
