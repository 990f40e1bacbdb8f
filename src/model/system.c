/* Looks up quantities and records of a system by name, and computes their sizes. */
#include "model/system.h"

#include <math.h>
#include <string.h>

enum ml_solver_kind ml_solver_auto(const struct ml_system *system, int n)
{
    bool is_recursive = system->dynamics.recursive_from > 0 && n >= system->dynamics.recursive_from;
    return is_recursive ? ML_SOLVER_recursive : (enum ml_solver_kind)0;
}

static int find(const struct ml_quantity *quantities, int n, const char *name)
{
    for (int q = 0; q < n; q++)
        if (strcmp(quantities[q].name, name) == 0)
            return q;
    return -1;
}

int ml_record(const struct ml_system *system, const char *name)
{
    return find(system->tables.records, system->tables.n_record, name);
}

int ml_dim_size(enum ml_dim dim, int n)
{
    switch (dim) {
    case ML_DIM_NONE:
        return 1;
    case ML_DIM_SEGMENT:
    case ML_DIM_JOINT:
    case ML_DIM_DOF:
    case ML_DIM_ENTRY:
        return n;
    case ML_DIM_COORDINATE:
        return 2;
    default:
        return 0;
    }
}

int ml_instance_dim(const struct ml_instance *model, enum ml_dim dim)
{
    int n_contact = 0;
    for (int l = 0; l < model->n_law; l++)
        n_contact += model->laws[l].is_contact;
    return dim == ML_DIM_CONTACT ? n_contact : ml_dim_size(dim, model->n);
}

int ml_instance_rows(const struct ml_instance *model, const struct ml_quantity *record)
{
    return ml_instance_dim(model, record->dim[0]) * ml_instance_dim(model, record->dim[1]);
}

const char *ml_system_part(const struct ml_system *system, int n)
{
    if (system->tables.segment_params)
        return n == 1 ? "segment" : "segments";
    if (system->tables.arrays)
        return n == 1 ? "degree of freedom" : "degrees of freedom";
    for (int i = 0; i < system->tables.n_state; i++)
        if (system->tables.state[i].dim[0] == ML_DIM_ENTRY)
            return n == 1 ? "entry" : "entries";
    return NULL;
}

int ml_array_size(const struct ml_param *array, int n)
{
    if (array->flags & ML_SYMMETRIC)
        return ml_tri(n, 0);
    return array->flags & ML_MATRIX ? n * n : n;
}

int ml_quantity_rows(const struct ml_quantity *quantity, int n)
{
    return ml_dim_size(quantity->dim[0], n) * ml_dim_size(quantity->dim[1], n);
}

int ml_slot_segment(const struct ml_system *system, int i_segment, int i_param)
{
    return system->tables.n_param + i_segment * system->tables.n_segment_param + i_param;
}

int ml_slot_initial(const struct ml_instance *model, int i_quantity, int i_segment)
{
    int slot = ml_slot_segment(model->system, model->n, 0);
    for (int q = 0; q < i_quantity; q++)
        slot += ml_quantity_rows(&model->system->tables.state[q], model->n);
    return slot + i_segment;
}

int ml_slot_forces(const struct ml_instance *model)
{
    return ml_slot_initial(model, model->system->tables.n_state, 0);
}

int ml_slot_energy(const struct ml_system *system)
{
    for (int p = system->tables.n_param - 1; p >= 0 && system->start.n_rate > 0; p--)
        if (ml_param_is_of_start(&system->tables.params[p])) /* the last: momenta are before it */
            return ml_slot_param(p);
    return -1;
}

bool ml_counts_joints(const struct ml_instance *model)
{
    for (int i = 0; i < model->system->tables.n_choice; i++) {
        const struct ml_choice *choice = &model->system->tables.choices[i];
        if (strcmp(choice->name, "angles") == 0)
            return strcmp(choice->values[model->choice[i]], "joint") == 0;
    }
    return false;
}

bool ml_slot_is_of_start(const struct ml_instance *model, int slot)
{
    const struct ml_system *system = model->system;
    const int p = slot - ml_slot_param(0);
    return (slot >= ml_slot_initial(model, 0, 0) && slot < ml_slot_forces(model)) ||
           (p >= 0 && p < system->tables.n_param &&
            ml_param_is_of_start(&system->tables.params[p]));
}

void ml_slots_clear_start(const struct ml_system *system, double *values)
{
    for (int p = 0; p < system->tables.n_param; p++)
        if (ml_param_is_of_start(&system->tables.params[p]))
            values[ml_slot_param(p)] = (double)NAN;
}

int ml_rows_x(const struct ml_instance *model)
{
    return ml_n_x(model) * (1 + model->n_column + (model->is_compensated ? 1 : 0));
}

int ml_rows_constants(const struct ml_instance *model)
{
    return ml_row_parameter_size(model, model->n_sens);
}

/* Part of the first slanted vector in row i, before it has length 1: between 1 and 2, and no two
 * are alike, as equal ones are a direction of its own in systems of equal parts. */
static double slant(int i)
{
    const double golden_ratio = 0x1.9e3779b97f4a8p+0;
    return 1.0 + (i + 1) * golden_ratio - floor((i + 1) * golden_ratio);
}

void ml_slanted_vectors(int n_x, int n_tangent, double *x)
{
    /* A. S. Householder, J. ACM 5 (1958) 339-342: I - u u' / (1 + w_0) reflects -e_0 to w, for u =
     * w
     * + e_0. */
    double square = 0.0;
    for (int i = 0; i < n_x; i++)
        square += slant(i) * slant(i);
    const double scale = 1.0 / sqrt(square), first = scale * slant(0);
    for (int c = 0; c < n_tangent; c++)
        for (int i = 0; i < n_x; i++) {
            const double of_row = scale * slant(i) + (i == 0),
                         of_column = scale * slant(c) + (c == 0);
            const double value = of_row * of_column / (1.0 + first) - (i == c);
            for (int lane = 0; lane < ML_LANES; lane++)
                x[((1 + c) * n_x + i) * ML_LANES + lane] = value;
        }
}

void ml_unit_vectors(int n_x, int n_tangent, double *x)
{
    for (int c = 0; c < n_tangent; c++)
        for (int i = 0; i < n_x; i++)
            for (int lane = 0; lane < ML_LANES; lane++)
                x[((1 + c) * n_x + i) * ML_LANES + lane] = i == c ? 1.0 : 0.0;
}
