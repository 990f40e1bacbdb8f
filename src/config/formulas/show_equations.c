/* Lays out the equations of a study's own system. */
#include "config/formulas/show_equations.h"

#include <string.h>

#include "expr/print.h"

static const char *const term_letters[ML_MOTION_TERMS] = {"C", "G", "Q", "D", "E"};

/* Numbers of nodes, ML_NO_NODE: 0. */
static bool is_any(int n, const int *nodes)
{
    bool is = false;
    for (int i = 0; i < n; i++)
        is |= nodes[i] != ML_NO_NODE;
    return is;
}

static const bool *find_needed(const struct ml_shown_equations *s, struct ml_graph *graph)
{
    const struct ml_constraints *c = &s->motion.constraints;
    const int n = s->has_terms ? s->motion.n : 0, n_jacobian = c->n * n;
    const int most = n * (n + ML_MOTION_TERMS) + s->n_state + n_jacobian + 2 * c->n + 1;
    int *wanted = ml_pool_take(graph->pool, (size_t)most + 1, sizeof *wanted), *to = wanted;
    if (!wanted)
        return NULL;
    for (int i = 0; i < n * n; i++)
        *to++ = s->motion.mass[i];
    for (int t = 0; t < ML_MOTION_TERMS; t++)
        for (int i = 0; i < n; i++)
            *to++ = s->motion.terms[t][i];
    for (int i = 0; i < n_jacobian; i++)
        *to++ = c->jacobian[i];
    for (int k = 0; k < c->n; k++) {
        *to++ = c->value[k];
        *to++ = c->wanted[k];
    }
    if (c->n > 0)
        *to++ = c->stabilisation;
    for (int i = s->first; i < s->n_state; i++)
        *to++ = s->rates[i];
    return ml_graph_needed(graph, (int)(to - wanted), wanted);
}

/* Names beginning with it, and a number, are none of the study's. */
static const char *free_prefix(const struct ml_shown_equations *s)
{
    static const char *const prefixes[] = {"s", "shared", "shared_part_"};
    const struct {
        int n;
        const char **names;
    } lists[] = {{s->n_state, s->states}, {s->n_param, s->params}, {s->n_named, s->names}};
    size_t i = 0;
    for (bool is_taken = true; is_taken && i + 1 < sizeof prefixes / sizeof *prefixes; i++) {
        const size_t length = strlen(prefixes[i]);
        is_taken = false;
        for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
            for (int k = 0; k < lists[l].n; k++)
                is_taken |= strncmp(lists[l].names[k], prefixes[i], length) == 0 &&
                            strspn(lists[l].names[k] + length, "0123456789") > 0;
        if (!is_taken)
            break;
    }
    return prefixes[i];
}

static void show_node(const struct ml_expr_print *p, int node)
{
    if (node == ML_NO_NODE)
        (void)fputs("0", p->to);
    else
        ml_expr_print(p, node);
}

/* An entry of a list in YAML: commas would end it. */
static void show_entry(const struct ml_expr_print *p, int node)
{
    (void)fputs("\"", p->to);
    show_node(p, node);
    (void)fputs("\"", p->to);
}

static void show_row(const struct ml_expr_print *p, int n, const int *nodes)
{
    (void)fputs("[", p->to);
    for (int i = 0; i < n; i++) {
        (void)fputs(i > 0 ? ", " : "", p->to);
        show_entry(p, nodes[i]);
    }
    (void)fputs("]", p->to);
}

/* A matrix or column as LaTeX, or in YAML below a key; below a comment its rows are comments. */
static void show_matrix(const struct ml_expr_print *p, const char *letter, int n, int n_column,
                        const int *nodes)
{
    if (!p->is_latex) {
        (void)fprintf(p->to, "%s:\n", letter);
        for (int i = 0; i < n; i++) {
            (void)fputs(letter[0] == '#' ? "#   - " : "  - ", p->to);
            show_row(p, n_column, nodes + (ptrdiff_t)i * n_column);
            (void)fputs("\n", p->to);
        }
        return;
    }
    (void)fprintf(p->to, "%s &= \\begin{pmatrix}\n", letter);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n_column; j++) {
            (void)fputs(j > 0 ? " & " : "  ", p->to);
            show_node(p, nodes[i * n_column + j]);
            (void)fputs(j + 1 < n_column ? "" : i + 1 < n ? " \\\\\n" : "\n", p->to);
        }
    (void)fputs("\\end{pmatrix} \\\\\n", p->to);
}

static void show_terms(const struct ml_expr_print *p, const struct ml_motion *m)
{
    show_matrix(p, p->is_latex ? "M" : "mass", m->n, m->n, m->mass);
    for (int t = 0; t < ML_MOTION_TERMS; t++) {
        if (!is_any(m->n, m->terms[t]))
            continue;
        if (p->is_latex) {
            show_matrix(p, term_letters[t], m->n, 1, m->terms[t]);
            continue;
        }
        (void)fprintf(p->to, "%s: ", term_letters[t]);
        show_row(p, m->n, m->terms[t]);
        (void)fputs("\n", p->to);
    }
}

/* Constraints as keys, and the second equation, J q'' = b, that they are solved by. */
static void show_constraints(const struct ml_expr_print *p, const struct ml_motion *m)
{
    const struct ml_constraints *c = &m->constraints;
    if (c->n == 0)
        return;
    if (!p->is_latex) {
        (void)fputs("constraints: ", p->to);
        show_row(p, c->n, c->value);
        (void)fputs("\nstabilisation: ", p->to);
        show_entry(p, c->stabilisation);
        (void)fputs("\n# E gains J^T multipliers, J q'' = b: (J M^-1 J^T) multipliers =\n"
                    "# b - J M^-1 (C + G + Q + D + E)\n",
                    p->to);
    }
    show_matrix(p, p->is_latex ? "J" : "# J", c->n, m->n, c->jacobian);
    show_matrix(p, p->is_latex ? "b" : "# b", c->n, 1, c->wanted);
}

/* "name: " or "name &= ". */
static void show_name(const struct ml_expr_print *p, const char *name, const char *latex_end)
{
    if (!p->is_latex) {
        (void)fprintf(p->to, "  %s: ", name);
        return;
    }
    ml_expr_print_name(p->to, name);
    (void)fprintf(p->to, "%s &= ", latex_end);
}

static void show_line(const struct ml_expr_print *p, int node, bool is_whole)
{
    (void)fputs(p->is_latex ? "" : "\"", p->to);
    if (is_whole)
        ml_expr_print_whole(p, node);
    else
        show_node(p, node);
    (void)fputs(p->is_latex ? " \\\\\n" : "\"\n", p->to);
}

static void show_definitions(const struct ml_expr_print *p, const bool *is_needed)
{
    bool is_first = true;
    for (int i = 0; i < p->graph->n; i++) {
        if (!is_needed[i] || !p->names[i])
            continue;
        if (is_first && !p->is_latex)
            (void)fputs("define:\n", p->to);
        is_first = false;
        show_name(p, p->names[i], "");
        show_line(p, i, true);
    }
}

static void show_rates(const struct ml_expr_print *p, const struct ml_shown_equations *s)
{
    if (s->first < s->n_state && !p->is_latex)
        (void)fprintf(p->to, "%s:\n", s->key);
    for (int i = s->first; i < s->n_state; i++) {
        if (p->is_latex && strcmp(s->key, "rates") == 0)
            (void)fputs("\\tfrac{d}{dt} ", p->to);
        show_name(p, s->states[i], strcmp(s->key, "next") == 0 ? "'" : "");
        show_line(p, s->rates[i], false);
    }
}

static void show_all(const struct ml_expr_print *p, const struct ml_shown_equations *s,
                     const bool *is_needed)
{
    if (p->is_latex)
        (void)fputs("\\begin{align*}\n", p->to);
    else if (s->has_terms)
        (void)fputs("# M q'' = C + G + Q + D + E\n", p->to);
    show_definitions(p, is_needed);
    if (s->has_terms)
        show_terms(p, &s->motion);
    if (s->has_terms)
        show_constraints(p, &s->motion);
    show_rates(p, s);
    if (p->is_latex)
        (void)fputs("\\end{align*}\n", p->to);
}

/* [n] the same nodes of another graph. */
static int *move_nodes(struct ml_pool *pool, const int *map, int n, const int *nodes)
{
    int *out = ml_pool_take(pool, (size_t)n + 1, sizeof *out);
    for (int i = 0; out && i < n; i++)
        out[i] = nodes[i] == ML_NO_NODE ? ML_NO_NODE : map[nodes[i]];
    return out;
}

static void move_constraints(struct ml_pool *pool, const int *map, int n,
                             struct ml_constraints *constraints)
{
    const int n_all = constraints->n;
    constraints->value = move_nodes(pool, map, n_all, constraints->value);
    constraints->wanted = move_nodes(pool, map, n_all, constraints->wanted);
    constraints->jacobian = move_nodes(pool, map, n_all * n, constraints->jacobian);
    if (n_all > 0 && constraints->stabilisation != ML_NO_NODE)
        constraints->stabilisation = map[constraints->stabilisation];
}

/* The equations with literal factors collected; they belong to `pool`. False without memory.
 */
static bool collect(const struct ml_shown_equations *shown, struct ml_pool *pool,
                    struct ml_shown_equations *out)
{
    const int n = shown->motion.n, n_node = shown->graph.n;
    int *map = ml_pool_take(pool, (size_t)n_node + 1, sizeof *map);
    bool *is_named = ml_pool_take(pool, (size_t)n_node + 1, sizeof *is_named);
    *out = *shown;
    out->graph = (struct ml_graph){.pool = pool};
    for (int i = 0; is_named && i < shown->n_named; i++)
        is_named[shown->nodes[i]] = true;
    if (!map || !is_named || !ml_graph_collect(&shown->graph, is_named, &out->graph, map))
        return false;
    out->rates = move_nodes(pool, map, shown->n_state, shown->rates);
    out->nodes = move_nodes(pool, map, shown->n_named, shown->nodes);
    if (shown->has_terms)
        out->motion.mass = move_nodes(pool, map, n * n, shown->motion.mass);
    for (int t = 0; shown->has_terms && t < ML_MOTION_TERMS; t++)
        out->motion.terms[t] = move_nodes(pool, map, n, shown->motion.terms[t]);
    move_constraints(pool, map, n, &out->motion.constraints);
    return !pool->is_short;
}

bool ml_show_equations(FILE *to, const struct ml_shown_equations *shown, bool is_latex)
{
    struct ml_pool pool = {0};
    struct ml_shown_equations own;
    const bool is_collected = collect(shown, &pool, &own);
    struct ml_expr_print print = {
        .to = to,
        .graph = &own.graph,
        .states = own.states,
        .params = own.params,
        .curves = own.curves,
        .names = ml_pool_take(&pool, (size_t)own.graph.n + 1, sizeof *print.names),
        .is_latex = is_latex};
    const bool *is_needed = is_collected ? find_needed(&own, &own.graph) : NULL;
    bool is_done = print.names && is_needed;
    for (int i = 0; is_done && i < own.n_named; i++)
        print.names[own.nodes[i]] = own.names[i];
    is_done = is_done && ml_expr_name_shared(&print, &pool, is_needed, free_prefix(&own));
    if (is_done)
        show_all(&print, &own, is_needed);
    ml_pool_free(&pool);
    return is_done;
}
