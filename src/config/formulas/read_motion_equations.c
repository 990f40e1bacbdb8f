/* M q'' = C + G + Q + D + E of a system that a study gives as formulas: as matrix and vectors, or
 * as energies, forces by coordinate and forces at points, with constraints; or its Hamiltonian. */
#include <string.h>

#include "config/formulas/motion_formulas.h"
#include "expr/constrain.h"
#include "expr/motion.h"
#include "manylink/text.h"

/* 1/s: small beside the steps of mechanisms of the size of people, fast beside their drift. */
static const double default_stabilisation = 10.0;

static const char *const term_keys[ML_MOTION_TERMS] = {"C", "G", "Q", "D", "E"};

bool ml_is_motion_term(const char *key)
{
    bool is_one = strcmp(key, "force") == 0;
    for (int t = 0; t < ML_MOTION_TERMS; t++)
        is_one |= strcmp(key, term_keys[t]) == 0;
    return is_one;
}

/* A key that another form of the equations excludes; NULL: it is not there, or is the value of a
 * parameter. */
static const struct ml_node *find_excluded(const struct ml_formula_reader *f, const char *key)
{
    const struct ml_node *params = ml_node_find_kind(f->system, "parameters", ML_NODE_MAP);
    const bool is_param = params && ml_is_motion_term(key) && ml_node_find(params, key);
    return is_param ? NULL : ml_node_find(f->system, key);
}

/* The formula of an element, which messages call by the key of its list and its number; one that is
 * the number 0 has no node. */
static bool read_element(const struct ml_formula_reader *f, const struct ml_node *element,
                         const char *label, int *out)
{
    struct ml_node named = *element;
    named.key = label ? label : "";
    const int node = f->read(f->context, &named);
    const struct ml_graph_node *n = node == ML_NO_NODE ? NULL : &f->graph->nodes[node];
    *out = n && n->op == ML_OP_LITERAL && n->value == 0.0 ? ML_NO_NODE : node;
    return n != NULL;
}

/* One formula for each coordinate.
 *   key  for messages */
static bool read_list(const struct ml_formula_reader *f, const struct ml_node *list,
                      const char *key, int n, int *out)
{
    bool is_right = true;
    int i = 0;
    if (list->kind != ML_NODE_LIST || list->n_child != n) {
        ml_problem(&f->r->problems, list->location,
                   "%s must be a list of %d formula%s, one for each coordinate, not %s", key, n,
                   n > 1 ? "s" : "",
                   list->kind == ML_NODE_LIST ? ml_pool_format(f->r->pool, "of %d", list->n_child)
                                              : ml_node_kind_text(list));
        return false;
    }
    for (const struct ml_node *child = list->first; child; child = child->next, i++)
        is_right &= read_element(f, child, ml_pool_format(f->r->pool, "%s[%d]", key, i), &out[i]);
    return is_right;
}

/* The lower half alone is looked at, so that both halves are the same nodes. */
static bool check_symmetric(const struct ml_formula_reader *f, const struct ml_node *mass,
                            struct ml_motion *motion)
{
    const int n = motion->n;
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++) {
            if (motion->mass[i * n + j] == motion->mass[j * n + i])
                continue;
            ml_problem(&f->r->problems, mass->location,
                       "mass must be symmetric: row `%s`, column `%s` and row `%s`, column `%s` "
                       "must be the same formula; or leave out the part right of the diagonal",
                       f->names[i], f->names[j], f->names[j], f->names[i]);
            return false;
        }
    return true;
}

/* All rows, or of each row the part up to the diagonal. */
static bool read_mass(const struct ml_formula_reader *f, const struct ml_node *mass,
                      struct ml_motion *motion)
{
    const int n = motion->n;
    bool is_right = true;
    int i = 0;
    if (mass->kind != ML_NODE_LIST || mass->n_child != n) {
        ml_problem(&f->r->problems, mass->location,
                   "mass must have %d row%s, one for each coordinate, not %s", n, n > 1 ? "s" : "",
                   mass->kind == ML_NODE_LIST ? ml_pool_format(f->r->pool, "%d", mass->n_child)
                                              : ml_node_kind_text(mass));
        return false;
    }
    const bool is_lower = mass->first->kind == ML_NODE_LIST && mass->first->n_child == 1;
    for (const struct ml_node *row = mass->first; row; row = row->next, i++)
        is_right &= read_list(f, row, ml_pool_format(f->r->pool, "mass[%d]", i),
                              is_lower ? i + 1 : n, motion->mass + (ptrdiff_t)i * n);
    for (i = 0; is_lower && i < n * n; i++)
        if (i % n > i / n)
            motion->mass[i] = motion->mass[i % n * n + i / n];
    return is_right && check_symmetric(f, mass, motion);
}

static bool read_terms(const struct ml_formula_reader *f, struct ml_motion *motion)
{
    const struct ml_node *force = ml_node_find(f->system, "force");
    bool is_right = true, has_terms = false;
    for (int t = 0; t < ML_MOTION_TERMS; t++) {
        const struct ml_node *term = ml_node_find(f->system, term_keys[t]);
        has_terms |= term != NULL;
        if (term)
            is_right &= read_list(f, term, term_keys[t], motion->n, motion->terms[t]);
    }
    if (force && has_terms)
        ml_problem(&f->r->problems, force->key_location,
                   "force excludes C, G, Q, D and E, which are its parts");
    if (force && !has_terms)
        is_right &= read_list(f, force, "force", motion->n, motion->terms[ML_MOTION_E]);
    return is_right && !(force && has_terms);
}

/* One formula below a key; ML_NO_NODE if it is not given. */
static bool read_energy(const struct ml_formula_reader *f, const char *key, int *out)
{
    const struct ml_node *place = ml_node_find(f->system, key);
    return !place || read_element(f, place, key, out);
}

/* Generalised forces, by coordinate. */
static bool read_generalised(const struct ml_formula_reader *f, struct ml_motion *motion)
{
    const struct ml_node *map = ml_node_find_kind(f->system, "forces", ML_NODE_MAP);
    bool is_right = true;
    for (const struct ml_node *child = map ? map->first : NULL; child; child = child->next) {
        int i = 0;
        while (i < motion->n && strcmp(f->names[i], child->key) != 0)
            i++;
        if (i < motion->n)
            is_right &= read_element(f, child, child->key, &motion->terms[ML_MOTION_Q][i]);
        else
            ml_problem(&f->r->problems, child->key_location,
                       "forces has `%s`, which is not in `coordinates`", child->key);
        is_right &= i < motion->n;
    }
    return is_right;
}

static bool read_pair(const struct ml_formula_reader *f, const struct ml_node *point,
                      const char *key, int out[2])
{
    const struct ml_node *list = ml_node_find(point, key);
    if (list && list->kind == ML_NODE_LIST && list->n_child == 2)
        return read_list(f, list, key, 2, out);
    ml_problem(&f->r->problems, list ? list->location : point->location,
               "%s of a point must be a list of two formulas, [x, y]", key);
    return false;
}

static bool read_points(const struct ml_formula_reader *f, struct ml_motion *motion)
{
    const struct ml_node *points = ml_node_find_kind(f->system, "points", ML_NODE_LIST);
    const struct ml_keys keys = ml_schema_keys(f->r->pool, ML_SCOPE_POINT, NULL, NULL);
    bool is_right = true;
    for (const struct ml_node *point = points ? points->first : NULL; point; point = point->next) {
        int at[2], force[2];
        const int before = f->r->problems.count;
        if (!ml_read_is_map(f->r, point, "a point must be {at: [x, y], force: [x, y]}")) {
            is_right = false;
            continue;
        }
        ml_read_map(f->r, point, &keys, NULL, NULL);
        is_right &= f->r->problems.count == before && read_pair(f, point, "at", at) &&
                    read_pair(f, point, "force", force) &&
                    ml_motion_add_point(f->graph, motion, at, force);
    }
    return is_right;
}

static bool read_energies(const struct ml_formula_reader *f, struct ml_motion *motion)
{
    int lagrangian = ML_NO_NODE;
    bool is_right = read_energy(f, "kinetic", &motion->kinetic);
    is_right &= read_energy(f, "potential", &motion->potential);
    is_right &= read_energy(f, "lagrangian", &lagrangian);
    if (lagrangian != ML_NO_NODE)
        motion->potential = ml_graph_1(f->graph, ML_OP_neg, lagrangian);
    is_right &= read_energy(f, "dissipation", &motion->dissipation);
    is_right &= read_generalised(f, motion);
    is_right &= read_points(f, motion);
    return is_right && ml_motion_of_energies(f->graph, motion) &&
           ml_motion_shorten_coriolis(f->graph, motion);
}

/* One side of a constraint, `a = b`: n bytes of its text from `from` on. */
static bool read_side(const struct ml_formula_reader *f, const struct ml_node *place,
                      const char *label, size_t from, size_t n, int *out)
{
    struct ml_node side = *place;
    side.text = ml_pool_text(f->r->pool, place->text + from, n);
    side.inset += (int)from;
    return side.text && read_element(f, &side, label, out);
}

/* Bytes before the sign of equality, which is no part of a comparison; all there are without it. */
static size_t constraint_left(const char *text)
{
    size_t n = strcspn(text, "=");
    while (text[n] && (text[n + 1] == '=' || (n > 0 && strchr("<>=!", text[n - 1]))))
        n += 1 + strcspn(text + n + 1, "=");
    return n;
}

/* The node that a constraint keeps at 0. */
static bool read_constraint(const struct ml_formula_reader *f, const struct ml_node *place,
                            const char *label, int *out)
{
    int left, right = ML_NO_NODE;
    *out = ML_NO_NODE;
    if (place->kind != ML_NODE_SCALAR)
        return read_element(f, place, label, out);
    const size_t n = constraint_left(place->text), length = strlen(place->text);
    if (n == length && strstr(place->text, "==")) {
        ml_problem(&f->r->problems, place->location, "a constraint is a = b with a single sign");
        return false;
    }
    if (!read_side(f, place, label, 0, n, &left) ||
        (n < length && !read_side(f, place, label, n + 1, length - n - 1, &right)))
        return false;
    const int zero = ml_graph_literal(f->graph, 0.0);
    *out = right == ML_NO_NODE
               ? left
               : ml_graph_2(f->graph, ML_OP_sub, left == ML_NO_NODE ? zero : left, right);
    *out = *out == ML_NO_NODE ? zero : *out;
    return true;
}

/* How fast errors of constraints decay, 1/s. */
static bool read_stabilisation(const struct ml_formula_reader *f, int *out)
{
    const struct ml_node *place = ml_node_find(f->system, "stabilisation");
    *out = place ? ML_NO_NODE : ml_graph_literal(f->graph, default_stabilisation);
    if (!read_energy(f, "stabilisation", out))
        return false;
    const struct ml_graph_node *node = *out == ML_NO_NODE ? NULL : &f->graph->nodes[*out];
    const bool *is_needed = ml_graph_needed(f->graph, 1, out);
    bool has_state = !is_needed;
    for (int i = 0; is_needed && i < f->graph->n; i++)
        has_state |= is_needed[i] && f->graph->nodes[i].op == ML_OP_STATE;
    const bool is_negative = node && node->op == ML_OP_LITERAL && !(node->value >= 0.0);
    if (place && (has_state || is_negative))
        ml_problem(&f->r->problems, place->location,
                   has_state ? "stabilisation must be a number or a formula of parameters"
                             : "stabilisation must be >= 0 1/s: the rate at which errors of the "
                               "constraints decay");
    return !has_state && !is_negative;
}

static bool add_constraint(const struct ml_formula_reader *f, struct ml_motion *motion,
                           const struct ml_node *place, int node)
{
    static const char *const faults[] = {
        [ML_CONSTRAINT_IS_IDLE] = "the formula depends on no coordinate and no rate",
        [ML_CONSTRAINT_IS_CURVED] = "the formula has rates and is not linear in the rates",
        [ML_CONSTRAINT_HAS_STATES] = ("the formula depends on names in `state`; constraints depend "
                                      "on coordinates, their rates, parameters and t"),
        [ML_CONSTRAINT_IS_LONG] = "the formulas have too many operations",
    };
    const enum ml_constraint_fault fault = ml_constraint_add(f->graph, motion, node);
    if (fault != ML_CONSTRAINT_IS_RIGHT)
        ml_problem(&f->r->problems, place->location, "constraint %d, %s, cannot be held: %s",
                   motion->constraints.n, ml_quote(f->r->pool, place->text), faults[fault]);
    return fault == ML_CONSTRAINT_IS_RIGHT;
}

static bool read_constraints(const struct ml_formula_reader *f, struct ml_motion *motion)
{
    const struct ml_node *list = ml_node_find_kind(f->system, "constraints", ML_NODE_LIST);
    const struct ml_node *rate = ml_node_find(f->system, "stabilisation");
    int node, i = 0;
    if (!list && rate)
        ml_problem(&f->r->problems, rate->key_location,
                   "stabilisation needs constraints; the system has none");
    if (!list)
        return !rate;
    if (list->n_child > motion->n)
        ml_problem(
            &f->r->problems, list->location,
            "the system has %d constraints on %d coordinates: at most one for each coordinate",
            list->n_child, motion->n);
    bool is_right = list->n_child <= motion->n &&
                    ml_constraints_make(f->graph, list->n_child, motion) &&
                    read_stabilisation(f, &motion->constraints.stabilisation);
    for (const struct ml_node *child = list->first; is_right && child; child = child->next)
        is_right =
            read_constraint(f, child, ml_pool_format(f->r->pool, "constraints[%d]", i++), &node) &&
            add_constraint(f, motion, child, node);
    return is_right;
}

/* Reports keys of one form beside keys of the other form. */
static bool check_forms(const struct ml_formula_reader *f, bool has_energies)
{
    const struct ml_node *lagrangian = ml_node_find(f->system, "lagrangian");
    for (int i = 0; lagrangian && i < 2; i++) {
        const struct ml_node *part = ml_node_find(f->system, i == 0 ? "kinetic" : "potential");
        if (part)
            ml_problem(&f->r->problems, part->key_location,
                       "%s excludes `lagrangian`, which has both energies in it", part->key);
    }
    static const char *const of_matrix[] = {"mass", "C", "G", "Q", "D", "E", "force", NULL};
    static const char *const of_energies[] = {"potential", "dissipation", "forces", "points", NULL};
    const char *const *others = has_energies ? of_matrix : of_energies;
    bool is_right = true;
    for (int i = 0; others[i]; i++) {
        const struct ml_node *other = find_excluded(f, others[i]);
        if (other)
            ml_problem(
                &f->r->problems, other->key_location,
                has_energies
                    ? "%s excludes `kinetic` and `lagrangian`, from which M, C, G, Q, D and E "
                      "follow"
                    : "%s goes with `kinetic` or `lagrangian` only: with `mass`, forces are C, G, "
                      "Q, D and E",
                others[i]);
        is_right &= !other;
    }
    return is_right;
}

/* Reports a coordinate without mass in every state. */
static bool solve(const struct ml_formula_reader *f, const struct ml_node *place,
                  struct ml_motion *motion)
{
    int dependent;
    const int fault = ml_motion_solve(f->graph, motion, &dependent);
    if (fault == motion->n)
        ml_problem(&f->r->problems, place->location, "the formulas have more than %d operations",
                   (int)ML_GRAPH_MOST);
    else if (dependent >= 0)
        ml_problem(&f->r->problems, ml_read_location(f->system, "constraints"),
                   "constraint %d follows from those before it, or contradicts them: leave it out",
                   dependent + 1);
    else if (fault >= 0)
        ml_problem(&f->r->problems, place->location,
                   strcmp(place->key, "mass") != 0
                       ? "the kinetic energy must depend on the square of every rate, but does not "
                         "depend on the rate of `%s`"
                       : "the mass matrix is singular: coordinate `%s` has no mass",
                   f->names[fault]);
    return fault < 0 && dependent < 0;
}

/* H alone: both Hamilton's equations and the energy follow. */
static bool read_hamiltonian(const struct ml_formula_reader *f, struct ml_motion *motion)
{
    static const char *const others[] = {
        "mass",      "C",           "G",       "Q",           "D",
        "E",         "force",       "kinetic", "lagrangian",  "forces",
        "potential", "dissipation", "points",  "constraints", "stabilisation"};
    bool is_right = true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const struct ml_node *other = find_excluded(f, others[i]);
        if (other)
            ml_problem(&f->r->problems, other->key_location,
                       "%s excludes `hamiltonian`, from which all rates follow", others[i]);
        is_right &= !other;
    }
    return is_right && read_energy(f, "hamiltonian", &motion->hamiltonian);
}

/* Reports coordinates without equations, and keys that are one of theirs but for a letter. */
static void report_no_form(const struct ml_formula_reader *f)
{
    static const char *const forms[] = {"kinetic", "lagrangian", "mass", "hamiltonian"};
    const int n = sizeof forms / sizeof *forms;
    ml_problem(&f->r->problems, ml_read_location(f->system, "coordinates"),
               "coordinates need the kinetic energy, `kinetic`, the Lagrangian, `lagrangian`, "
               "the mass matrix, `mass`, or the `hamiltonian`");
    for (const struct ml_node *child = f->system->first; child; child = child->next) {
        const char *nearest = ml_text_nearest(child->key, forms, n);
        if (nearest)
            ml_problem(&f->r->problems, child->key_location, "unknown key %s; did you mean `%s`?",
                       ml_quote(f->r->pool, child->key), nearest);
    }
}

bool ml_read_motion_equations(const struct ml_formula_reader *f, struct ml_motion *motion)
{
    const struct ml_node *mass = ml_node_find(f->system, "mass");
    const struct ml_node *energies = ml_node_find(f->system, "lagrangian");
    energies = energies ? energies : ml_node_find(f->system, "kinetic");
    if (ml_node_find(f->system, "hamiltonian"))
        return read_hamiltonian(f, motion);
    if (!mass && !energies) {
        report_no_form(f);
        return false;
    }
    const int before = f->r->problems.count;
    if (!check_forms(f, energies != NULL) || f->r->problems.count > before)
        return false;
    bool is_right = energies ? read_energies(f, motion) : read_mass(f, mass, motion);
    is_right &= energies || read_terms(f, motion);
    is_right = is_right && read_constraints(f, motion);
    return is_right && solve(f, energies ? energies : mass, motion);
}
