/* Energies, momenta and constraints in the tables of a system that a study gives as formulas. */
#include <string.h>

#include "config/formulas/motion_formulas.h"

int ml_motion_records(const struct ml_equations *equations)
{
    const struct ml_program *shown = &equations->seldom[ML_EQUATIONS_SHOWN];
    return shown->n_phase > 0 ? shown->phases[0].n_output : 0;
}

/* Without units of the coordinates, energies have none.
 *   n_shown  energies and momenta; of a Hamiltonian the energy alone */
static void add_energies(int n, int n_shown, struct ml_pool *pool,
                         const struct ml_quantity *coordinates, struct ml_quantity *out)
{
    bool has_unit = false;
    for (int i = 0; i < n; i++)
        has_unit |= strcmp(coordinates[i].unit, "1") != 0;
    for (int i = 0; i < ML_EQUATIONS_ENERGIES && i < n_shown; i++) {
        out[i] = ml_energy_records[i];
        out[i].unit = has_unit ? "J" : "1";
    }
    for (int i = 0; ML_EQUATIONS_ENERGIES + i < n_shown; i++)
        out[ML_EQUATIONS_ENERGIES + i] = (struct ml_quantity){
            .name = ml_pool_format(pool, "p_%s", coordinates[i].name),
            .unit = has_unit ? ml_pool_format(pool, "J s/%s", coordinates[i].unit) : "1",
            .doc = ml_pool_format(pool, "momentum of %s", coordinates[i].name)};
}

/* Multipliers, values and sizes of n constraints, by their numbers. */
static void add_constraints(int n, struct ml_pool *pool, struct ml_quantity *out)
{
    static const struct {
        const char *name, *doc;
    } of[ML_EQUATIONS_OF_CONSTRAINT] = {
        {"multiplier",
         "multiplier of constraint %d: with the derivatives of its formula the forces "
         "that hold it"},
        {"constraint", "value of constraint %d, 0 where it is held"},
        {"constraint_size", "size that the value of constraint %d is compared with"},
    };
    for (int i = 0; i < ML_EQUATIONS_OF_CONSTRAINT * n; i++)
        out[i] =
            (struct ml_quantity){.name = ml_pool_format(pool, "%s_%d", of[i / n].name, i % n + 1),
                                 .unit = "1",
                                 .doc = ml_pool_format(pool, of[i / n].doc, i % n + 1)};
}

/* Momenta at the start, by the names and units of their records. */
static void add_momenta(int n, const struct ml_quantity *coordinates,
                        const struct ml_quantity *momenta, struct ml_pool *pool,
                        struct ml_system *system, struct ml_param *params)
{
    for (int i = 0; i < n; i++)
        params[system->tables.n_param++] = (struct ml_param){
            momenta[i].name,
            momenta[i].unit,
            (double)NAN,
            -1e30,
            1e30,
            ML_DERIVED | ML_OF_START | ML_UNTOLD,
            ml_pool_format(pool, "momentum of %s at the start, in place of its rate",
                           coordinates[i].name)};
}

/* The energy can be given at the start where energies do not depend on time, and the kinetic energy
 * is known. */
void ml_motion_tables(const struct ml_equations *equations, struct ml_pool *pool,
                      struct ml_system *system, struct ml_param *params,
                      struct ml_quantity *records)
{
    const int n = equations->n_coordinate, n_shown = ml_motion_records(equations);
    const int n_energy = n_shown - ML_EQUATIONS_OF_CONSTRAINT * equations->n_constraint;
    const int first = system->tables.n_record - n_shown;
    struct ml_quantity *shown = records + first;
    const bool has_energy = equations->seldom[ML_EQUATIONS_ENERGY].n_phase > 0;
    const bool has_terms = equations->seldom[ML_EQUATIONS_TERMS].n_phase > 0;
    if (n_energy > 0)
        add_energies(n, n_energy, pool, records, shown);
    add_constraints(equations->n_constraint, pool, shown + n_energy);
    system->constraints.n = equations->n_constraint;
    system->constraints.first = first + n_energy + equations->n_constraint;
    system->constraints.misfits = equations->n_constraint > 0 ? system->constraints.misfits : NULL;
    system->terms.n_freedom = has_terms ? n : 0;
    system->terms.write = has_terms ? system->terms.write : NULL;
    system->dynamics.n_position = equations->is_of_positions ? n : 0;
    system->energy.measure = has_energy ? system->energy.measure : NULL;
    if (equations->start.n_phase > 0)
        add_momenta(n, records, shown + ML_EQUATIONS_ENERGIES, pool, system, params);
    else
        system->start.set = NULL;
    if (!has_energy || !has_terms)
        return;
    system->start.first_rate = system->start.n_rate = n;
    system->start.finds_rate = n == 1;
    params[system->tables.n_param] = ml_energy_at_start;
    params[system->tables.n_param++].unit = shown->unit;
}
