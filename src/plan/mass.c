/* Whether the mass matrix that a study gives by formulas can be solved with where its first run
 * starts, and constraints hold there. */
#include <math.h>

#include "config/schema/given.h"
#include "engine/assess/evaluate.h"
#include "plan/plan_study.h"

/* The first coordinate whose pivot is not above 0, with allowance for rounding; -1: all are.
 *   m  [n][n] in: symmetric; out: its factor */
static int find_massless(int n, double *m)
{
    for (int j = 0; j < n; j++) {
        const double own = m[j * n + j];
        for (int k = 0; k < j; k++)
            m[j * n + j] -= m[j * n + k] * m[j * n + k] * m[k * n + k];
        if (!(m[j * n + j] > n * 0x1p-52 * fabs(own)) || !isfinite(own))
            return j;
        for (int i = j + 1; i < n; i++) {
            for (int k = 0; k < j; k++)
                m[i * n + j] -= m[i * n + k] * m[j * n + k] * m[k * n + k];
            m[i * n + j] /= m[j * n + j];
        }
    }
    return -1;
}

static void report_massless(struct ml_reader *r, const struct ml_study *study, const double *m,
                            int j)
{
    const struct ml_node *system = ml_node_find(r->root, "system");
    const struct ml_node *given = ml_node_find(system, "mass");
    given = given ? given : ml_node_find(system, "kinetic");
    given = given ? given : ml_node_find(system, "lagrangian");
    const double own = m[j * ml_freedom(&study->ensemble.model) + j];
    ml_problem(&r->problems, given ? given->location : system->location,
               isfinite(own) ? "the mass matrix is not positive definite at the start of run 0: "
                               "coordinate `%s` has a mass of %.3g beside the others"
                             : "the mass matrix is not finite at the start of run 0: the mass of "
                               "coordinate `%s` is %g",
               study->spec.model.system->tables.state[j].name, own);
}

/* The formula of a constraint, in the study. */
static const struct ml_node *constraint_of(const struct ml_reader *r, int k)
{
    const struct ml_node *node =
        ml_node_find(ml_node_find(r->root, "system"), "constraints")->first;
    while (k-- > 0)
        node = node->next;
    return node;
}

static void report_misfit(struct ml_reader *r, const struct ml_misfit *misfit)
{
    const struct ml_node *place = constraint_of(r, misfit->constraint);
    const char *text = ml_quote(r->pool, place->text);
    const int number = misfit->constraint + 1;
    if (misfit->kind == ML_MISFIT_DEPENDENT)
        ml_problem(&r->problems, place->location,
                   "constraint %d, %s, follows at the start of run 0 from those before it, or "
                   "contradicts them: leave it out, or start elsewhere",
                   number, text);
    else if (misfit->kind == ML_MISFIT_VALUE)
        ml_problem(&r->problems, place->location,
                   "constraint %d, %s, does not hold at the start of run 0: the difference of its "
                   "sides is %g there, not 0",
                   number, text, misfit->value);
    else if (misfit->kind == ML_MISFIT_RATE)
        ml_problem(&r->problems, place->location,
                   "constraint %d, %s, does not hold after the start of run 0: the difference of "
                   "its sides changes by %g/s there; rates must satisfy the constraint too",
                   number, text, misfit->value);
}

/* Reports momenta at the start beside numbers that determine the same rates. A rate of 0, as in
 * resolved texts, does not count. */
static void report_momenta(struct ml_reader *r, const struct ml_study *study)
{
    const struct ml_instance *model = &study->ensemble.model;
    const struct ml_system *system = model->system;
    const int n = system->terms.n_freedom, energy = ml_slot_energy(system);
    int first = 0;
    while (!ml_param_is_of_start(&system->tables.params[first]))
        first++;
    for (int i = 0; i < n; i++) {
        const int momentum = ml_slot_param(first + i), rate = ml_slot_initial(model, n + i, 0);
        if (!ml_slot_is_given(r, momentum))
            continue;
        const struct ml_given own = ml_given_find(r, momentum), other = ml_given_find(r, rate);
        if (ml_slot_is_given(r, rate) && (other.low != 0.0 || other.high != 0.0))
            ml_problem(&r->problems, own.location,
                       "%s and %s determine each other: leave out either", r->slots[momentum].path,
                       r->slots[rate].path);
        else if (energy >= 0 && ml_slot_is_given(r, energy))
            ml_problem(&r->problems, own.location, "%s excludes initial.energy, which scales rates",
                       r->slots[momentum].path);
    }
}

/* The formula of a row of the rates; NULL where the formulas are of arrays. */
static const struct ml_node *rate_of(const struct ml_reader *r, const char *name)
{
    const struct ml_node *system = ml_node_find(r->root, "system");
    const struct ml_node *rates = ml_node_find_kind(system, "rates", ML_NODE_MAP);
    return rates ? ml_node_find(rates, name) : NULL;
}

/* Rates that are no number where run 0 starts, with which it fails at once: a single run is
 * refused. */
static void report_rates(struct ml_reader *r, const struct ml_study *study)
{
    const struct ml_ensemble *e = &study->ensemble;
    const struct ml_system *system = e->model.system;
    const struct ml_rates_at at = {e, 0, NULL, e->time.start};
    double *rates = ml_pool_take(r->pool, (size_t)ml_rows_state(e) + 1, sizeof *rates);
    struct ml_error err = {0};
    int row = 0;
    if (!rates || ml_rates_find(&at, NULL, 0, NULL, rates, NULL, &err) != ML_OK) {
        ml_error_clear(&err);
        return;
    }
    for (int q = 0; q < system->tables.n_state; q++) {
        const struct ml_node *place = rate_of(r, system->tables.state[q].name);
        if (place && place->text && !isfinite(rates[row])) {
            (e->n_run == 1
                 ? ml_problem(&r->problems, place->location,
                              "the rate of `%s`, %s, is not a finite number at the start",
                              system->tables.state[q].name, ml_quote(r->pool, place->text))
                 : ml_notice(r, place->location,
                             "the rate of `%s`, %s, is not a finite number at the start "
                             "of run 0, which will fail",
                             system->tables.state[q].name, ml_quote(r->pool, place->text)));
            return;
        }
        row += ml_quantity_rows(&system->tables.state[q], e->model.n);
    }
}

void ml_plan_mass(struct ml_reader *r, const struct ml_study *study)
{
    enum { VECTORS = 6 };
    const struct ml_ensemble *e = &study->ensemble;
    const struct ml_system *system = e->model.system;
    const size_t n = (size_t)system->terms.n_freedom, n_state = (size_t)ml_rows_state(e);
    double kinetic, potential;
    struct ml_error err = {0};
    if (system->has_formulas && n == 0 && study->spec.source.kind == ML_FLOW)
        report_rates(r, study);
    if (!system->has_formulas || n == 0)
        return;
    if (system->start.set)
        report_momenta(r, study);
    double *m = ml_pool_take(r->pool, n * n + VECTORS * n + n_state, sizeof *m);
    if (!m)
        return;
    double *v = m + n * n;
    struct ml_misfit misfit = {.kind = ML_FITS};
    const struct ml_terms terms = {m,         v,         v + n,     v + 2 * n,
                                   v + 3 * n, v + 4 * n, v + 5 * n, &misfit};
    const enum ml_status status =
        ml_ensemble_evaluate(e, 0, &terms, v + VECTORS * n, &kinetic, &potential, &err);
    const int j = status == ML_E_MEMORY ? -1 : find_massless((int)n, m);
    if (j >= 0)
        report_massless(r, study, m, j);
    else if (misfit.kind != ML_FITS)
        report_misfit(r, &misfit);
    ml_error_clear(&err);
}
