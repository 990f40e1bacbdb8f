/* Tables of explicit Runge-Kutta methods, from the numbers in them alone: their form, the order
 * conditions by rooted trees, stability, and the decimals against tests/reference/tableaux.json. */
#include <complex.h>
#include <float.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "integrators/method.h"

enum { MAX_ORDER = 11, N_TREE = 1 + 1 + 2 + 4 + 9 + 20 + 48 + 115 + 286 + 719 + 1842 };

/* A rooted tree is another one (`rest`) that has one more subtree (`child`) at its root; -1 for the
 * tree of one vertex. The children of a root are in the order of their index. */
struct tree {
    int order, rest, child;
    long double density; /* gamma(t): product of the sizes of the subtrees below every vertex */
};

/* What belongs to a method and the trees of order up to MAX_ORDER. */
struct conditions {
    const struct ml_method *method;
    struct tree trees[N_TREE];
    long double phi[N_TREE][ML_MAX_STAGE]; /* phi_i(t): sum over products of a_jk along t */
    long double abs[N_TREE][ML_MAX_STAGE]; /* the same of |a_jk| */
    long double unit; /* relative error of a coefficient: of a decimal, of a ratio of integers */
};

static int make_trees(struct tree *trees)
{
    int n_tree = 1;
    trees[0] = (struct tree){1, -1, -1, 1.0L};
    for (int order = 2; order <= MAX_ORDER; order++) {
        const int n_smaller = n_tree;
        for (int rest = 0; rest < n_smaller; rest++)
            for (int child = 0; child < n_smaller; child++) {
                const struct tree *r = &trees[rest], *c = &trees[child];
                if (r->order + c->order != order || child < r->child)
                    continue;
                if (n_tree == N_TREE)
                    return N_TREE + 1;
                trees[n_tree++] =
                    (struct tree){order, rest, child, r->density * c->density * order / r->order};
            }
    }
    return n_tree;
}

static long double coefficient(const struct ml_sum *sum, int stage)
{
    for (int i = 0; i < sum->n_term; i++)
        if (sum->terms[i].stage == stage)
            return (long double)sum->terms[i].weight / (long double)sum->divisor;
    return 0.0L;
}

static bool is_whole(const struct ml_sum *sum)
{
    bool whole = true;
    for (int i = 0; i < sum->n_term; i++)
        whole = whole && sum->terms[i].weight == rint(sum->terms[i].weight);
    return whole;
}

static struct conditions *make_conditions(const struct ml_method *method)
{
    struct conditions *all = calloc(1, sizeof *all);
    if (!all)
        exit(2);
    CHECK_CASE("%s", method->name);
    CHECK(make_trees(all->trees) == N_TREE);
    all->method = method;
    all->unit = LDBL_EPSILON;
    for (int i = 0; i < method->n_stage; i++)
        if (!is_whole(&method->stage[i]))
            all->unit = (long double)DBL_EPSILON / 2;
    for (int t = 0; t < N_TREE; t++) {
        const struct tree *tree = &all->trees[t];
        for (int i = 0; i < method->n_stage; i++) {
            long double sum = 0.0L, size = 0.0L;
            for (int j = 0; j < i && t > 0; j++) {
                const long double a = coefficient(&method->stage[i], j);
                sum += a * all->phi[tree->child][j];
                size += fabsl(a) * all->abs[tree->child][j];
            }
            all->phi[t][i] = t ? all->phi[tree->rest][i] * sum : 1.0L;
            all->abs[t][i] = t ? all->abs[tree->rest][i] * size : 1.0L;
        }
    }
    return all;
}

/* Weights of stages, and how large the coefficients are that they were made of: what rounding of
 * these can change. */
struct weights {
    long double at[ML_MAX_STAGE], size[ML_MAX_STAGE];
};

static struct weights weights_of_step(const struct ml_method *m)
{
    struct weights b;
    for (int i = 0; i < ML_MAX_STAGE; i++) {
        b.at[i] = coefficient(&m->step, i);
        b.size[i] = fabsl(b.at[i]);
    }
    return b;
}

/* sum_i weights_i phi_i(t), less 1/gamma(t) if `has_target`; *size becomes what its terms amount
 * to. */
static long double residual(const struct conditions *all, const struct weights *weights, int t,
                            bool has_target, long double *size)
{
    long double sum = has_target ? -1.0L / all->trees[t].density : 0.0L;
    *size = fabsl(sum);
    for (int i = 0; i < all->method->n_stage; i++) {
        sum += weights->at[i] * all->phi[t][i];
        *size += weights->size[i] * all->abs[t][i];
    }
    return fabsl(sum);
}

/* The largest residual of the trees of orders first .. last, in units of what a relative error
 * `unit` of each coefficient can make of it. With a power, only trees of that order have a target.
 */
static double worst_residual(const struct conditions *all, const struct weights *weights, int power,
                             int first, int last, long double unit)
{
    long double worst = 0.0L, size;
    for (int t = 0; t < N_TREE; t++) {
        const int order = all->trees[t].order;
        if (order < first || order > last)
            continue;
        long double error = residual(all, weights, t, !power || order == power, &size);
        if (error != 0.0L)
            error /= order * unit * size;
        worst = error > worst || isnan(error) ? error : worst;
    }
    return (double)worst;
}

static void tables_are_explicit_and_need_all_their_stages(const struct ml_method *m)
{
    int last = 0, last_of_step = 0;
    bool used[ML_MAX_STAGE] = {false};
    CHECK_CASE("%s", m->name);
    CHECK(m->n_stage >= 1 && m->n_stage <= ML_MAX_STAGE);
    CHECK(m->doc && *m->doc && m->source && *m->source);
    CHECK(m->node[0] == 0.0 && m->stage[0].n_term == 0);
    CHECK((m->embedded_order > 0) == (m->error.n_term > 0));
    CHECK((m->interpolant_degree > 0) == (m->interpolant != NULL));
    for (int s = 0; s < m->n_stage + 2; s++) {
        const struct ml_sum *sum = s < m->n_stage    ? &m->stage[s]
                                   : s == m->n_stage ? &m->step
                                                     : &m->error;
        const int end = s < m->n_stage ? s : m->n_stage;
        CHECK(sum->divisor > 0.0 || (sum == &m->error && sum->n_term == 0));
        for (int i = 0; i < sum->n_term; i++) {
            const struct ml_term *term = &sum->terms[i];
            CHECK(term->weight != 0.0 && term->stage >= 0 && term->stage < end);
            CHECK(i == 0 || term[-1].stage < term->stage);
            used[term->stage] = true;
            last = term->stage > last ? term->stage : last;
            if (s == m->n_stage)
                last_of_step = last_of_step > term->stage ? last_of_step : term->stage;
        }
    }
    for (int i = 0; i < m->n_stage; i++)
        CHECK(used[i]);
    CHECK(last == m->n_stage - 1 && last_of_step == m->n_step_stage - 1);
}

static void nodes_are_sums_of_rows(const struct ml_method *m)
{
    CHECK_CASE("%s", m->name);
    for (int i = 0; i < m->n_stage; i++) {
        long double sum = -(long double)m->node[i], size = fabsl(sum);
        for (int j = 0; j < i; j++) {
            sum += coefficient(&m->stage[i], j);
            size += fabsl(coefficient(&m->stage[i], j));
        }
        CHECK_ERROR((double)fabsl(sum), DBL_EPSILON / 2 * (double)size);
    }
}

/* The conditions hold up to `order`, and some condition of the next order misses by far more than
 * rounding could make it. */
static void check_order(const struct conditions *all, const struct weights *weights, int order)
{
    CHECK(order >= 1 && order < MAX_ORDER);
    CHECK_ERROR(worst_residual(all, weights, 0, 1, order, all->unit), 1.0);
    CHECK(worst_residual(all, weights, 0, order + 1, order + 1, all->unit) > 1e6);
}

static void the_order_is_the_one_declared(const struct conditions *all)
{
    const struct weights b = weights_of_step(all->method);
    CHECK_CASE("%s order", all->method->name);
    check_order(all, &b, all->method->order);
}

/* Of the method whose step differs from that of the table by `error`. */
static void check_embedded(const struct conditions *all, const struct ml_sum *error, int order)
{
    const struct ml_method *m = all->method;
    struct weights hat = weights_of_step(m);
    for (int i = 0; i < m->n_stage; i++) {
        const long double e = coefficient(error, i);
        hat.at[i] -= e;
        hat.size[i] += fabsl(e);
    }
    CHECK(order != m->order);
    check_order(all, &hat, order);
}

static void so_are_those_of_the_embedded_methods(const struct conditions *all)
{
    const struct ml_method *m = all->method;
    CHECK_CASE("%s embedded", m->name);
    CHECK((m->second_order > 0) == (m->second_error.n_term > 0));
    if (m->embedded_order)
        check_embedded(all, &m->error, m->embedded_order);
    if (m->second_order) {
        CHECK(m->second_order < m->embedded_order);
        check_embedded(all, &m->second_error, m->second_order);
    }
}

static bool are_same_sums(const struct ml_sum *a, const struct ml_sum *b)
{
    bool same = a->divisor == b->divisor && a->n_term == b->n_term;
    for (int i = 0; same && i < a->n_term; i++)
        same = a->terms[i].stage == b->terms[i].stage && a->terms[i].weight == b->terms[i].weight;
    return same;
}

static void the_last_stage_is_the_first_of_the_next_step_where_it_says_so(const struct ml_method *m)
{
    const int last = m->n_stage - 1;
    CHECK_CASE("%s", m->name);
    CHECK(m->is_fsal == (m->node[last] == 1.0 && are_same_sums(&m->stage[last], &m->step)));
}

/* Condition of a tree of order r: sum_i b_i(theta) phi_i = theta^r / gamma, power by power. */
static void the_interpolant_joins_the_ends_with_its_order(const struct conditions *all)
{
    const struct ml_method *m = all->method;
    const int degree = m->interpolant_degree, order = degree < m->order ? degree : m->order;
    const long double unit = (long double)DBL_EPSILON / 2;
    CHECK_CASE("%s interpolant", m->name);
    for (int i = 0; degree && i < m->n_stage; i++) {
        long double end = -coefficient(&m->step, i), size = fabsl(end);
        for (int j = 0; j < degree; j++) {
            end += (long double)m->interpolant[i * degree + j];
            size += fabsl((long double)m->interpolant[i * degree + j]);
        }
        CHECK_ERROR((double)fabsl(end), (double)(unit * size));
        CHECK(m->interpolant[i * degree] == (i == 0 ? 1.0 : 0.0)); /* begins with k_0 */
    }
    for (int j = 0; j < degree; j++) {
        struct weights power = {{0.0L}, {0.0L}};
        for (int i = 0; i < m->n_stage; i++) {
            power.at[i] = (long double)m->interpolant[i * degree + j];
            power.size[i] = fabsl(power.at[i]);
        }
        CHECK_ERROR(worst_residual(all, &power, j + 1, 1, order, unit), 1.0);
    }
}

/* With the last stage at the end of the step, its derivative is that of the interpolant there. */
static void the_cubic_of_bs32_ends_with_the_derivative(const struct ml_method *m)
{
    CHECK_CASE("%s", m->name);
    for (int i = 0; i < m->n_stage; i++) {
        double end = 0.0;
        for (int j = 0; j < m->interpolant_degree; j++)
            end += (j + 1) * m->interpolant[i * m->interpolant_degree + j];
        CHECK_ERROR(fabs(end - (i == m->n_stage - 1)), 5e-16);
        CHECK(coefficient(&m->stage[m->n_stage - 1], i) == coefficient(&m->step, i));
    }
}

/* The coefficient of z^k is the weight of the tall tree of k vertices. */
static void the_stability_polynomial_begins_like_exp(const struct conditions *all)
{
    const struct ml_method *m = all->method;
    const struct weights b = weights_of_step(m);
    double r[ML_MAX_STAGE + 1], factorial = 1.0;
    int tall = 0;
    ml_method_stability(m, r);
    CHECK_CASE("%s stability", m->name);
    CHECK(r[0] == 1.0);
    for (int k = 1; k <= m->n_stage; k++) {
        factorial *= k;
        CHECK(k <= m->n_step_stage || r[k] == 0.0);
        if (k > m->order)
            continue;
        for (int t = tall; k > 1 && t < N_TREE; t++)
            if (all->trees[t].rest == 0 && all->trees[t].child == tall) {
                tall = t;
                break;
            }
        long double size;
        (void)residual(all, &b, tall, true, &size);
        CHECK(all->trees[tall].order == k);
        CHECK_ERROR(fabs(r[k] - 1.0 / factorial), k * DBL_EPSILON / 2 * (double)size);
    }
}

static void known_stability_polynomials_come_out_to_the_bit(const struct ml_method *m)
{
    static const double known[] = {1.0, 1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0};
    double r[ML_MAX_STAGE + 1];
    ml_method_stability(m, r);
    CHECK_CASE("%s", m->name);
    CHECK(m->n_stage <= 4 && !memcmp(r, known, (size_t)(m->n_stage + 1) * sizeof *r));
}

/* Distance from 0 at which |R| first exceeds 1, in a direction, by more than rounding. */
static double stable_up_to(const struct ml_method *m, double complex direction)
{
    const double far = 20.0;
    const int n = 20000;
    double r[ML_MAX_STAGE + 1];
    ml_method_stability(m, r);
    for (int s = 1; s <= n; s++) {
        const double most = m->splitting ? 1e-6 : 1e-13; /* roots of what is rounded */
        if (ml_method_growth(m, r, direction * (far * s / n)) > 1.0 + most)
            return far * (s - 1) / n;
    }
    return far;
}

/* Rows "| `name` | order | evaluations | decay | swing |..." of docs/integrators.md. */
static void the_table_of_the_documentation_is_right(const struct ml_method *m)
{
    FILE *file = fopen(ML_SOURCE_DIR "/docs/integrators.md", "r");
    char line[1024], name[32];
    int order, cost, found = 0;
    double decay, swing;
    CHECK_CASE("%s in docs/integrators.md", m->name);
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "| `%31[^`]` | %d | %d | %lf | %lf |", name, &order, &cost, &decay,
                   &swing) != 5 ||
            strcmp(name, m->name) != 0)
            continue;
        found++;
        CHECK(order == m->order && cost == m->n_step_stage);
        CHECK_ERROR(fabs(stable_up_to(m, -1.0) - decay), 0.006);
        CHECK_ERROR(fabs(stable_up_to(m, (double complex)I) - swing), 0.006);
    }
    CHECK(found == 1);
    CHECK(file && !fclose(file));
}

/* Rows "| `name` | order | evaluations | | swing |...", and weights that are those of a symmetric
 * composition of verlet, whose sum is a step. */
static void a_splitting_method_is_symmetric_and_in_the_documentation(const struct ml_method *m)
{
    const double *drift = m->splitting->drift, *kick = m->splitting->kick;
    const int n = m->n_stage;
    FILE *file = fopen(ML_SOURCE_DIR "/docs/integrators.md", "r");
    char line[1024], name[32];
    int order, cost, found = 0;
    double swing, at = 0.0, kicked = 0.0;
    CHECK_CASE("%s", m->name);
    for (int i = 0; i < n; i++) {
        CHECK(drift[i] == drift[n - i] && kick[i] == kick[n - 1 - i]);
        CHECK_ERROR(fabs(0.5 * (kicked + (kicked + kick[i])) - m->node[i]), 4 * DBL_EPSILON);
        CHECK_ERROR(fabs((at += drift[i]) - m->node[i]), 4 * DBL_EPSILON);
        kicked += kick[i];
    }
    CHECK_ERROR(fabs(kicked - 1.0), 4 * DBL_EPSILON);
    CHECK_ERROR(fabs(at + drift[n] - 1.0), 4 * DBL_EPSILON);
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "| `%31[^`]` | %d | %d | | %lf |", name, &order, &cost, &swing) != 4 ||
            strcmp(name, m->name) != 0)
            continue;
        found++;
        CHECK(order == m->order && cost == m->n_step_stage);
        CHECK_ERROR(fabs(stable_up_to(m, (double complex)I) - swing), 0.006);
    }
    CHECK(found == 1);
    CHECK(file && !fclose(file));
}

static double decimal(const json_t *text)
{
    const char *digits = json_string_value(text);
    return digits ? strtod(digits, NULL) : (double)NAN;
}

static void row_matches(const json_t *row, int n, const struct ml_sum *sum)
{
    CHECK(json_array_size(row) == (size_t)n);
    for (int i = 0; i < n; i++)
        CHECK((double)coefficient(sum, i) == decimal(json_array_get(row, (size_t)i)));
}

static void decimals_are_those_published(const struct ml_method *m, const char *name)
{
    json_t *file = json_load_file(ML_SOURCE_DIR "/tests/reference/tableaux.json", 0, NULL);
    const json_t *table = json_object_get(file, name), *c = json_object_get(table, "c");
    const json_t *p = json_object_get(json_object_get(table, "dense"), "p");
    CHECK_CASE("%s decimals", m->name);
    CHECK(json_integer_value(json_object_get(table, "order")) == m->order);
    CHECK(json_integer_value(json_object_get(table, "stages")) == m->n_stage);
    CHECK(json_array_size(c) == (size_t)m->n_stage);
    for (int i = 0; i < m->n_stage; i++) {
        const json_t *row = json_array_get(json_object_get(table, "a"), (size_t)i);
        CHECK(m->node[i] == decimal(json_array_get(c, (size_t)i)));
        row_matches(row, i, &m->stage[i]);
        for (int j = 0; j < m->interpolant_degree; j++)
            CHECK(m->interpolant[i * m->interpolant_degree + j] ==
                  decimal(json_array_get(json_array_get(p, (size_t)i), (size_t)j)));
    }
    row_matches(json_object_get(table, "b"), m->n_stage, &m->step);
    row_matches(json_object_get(table, "e"), m->n_stage, &m->error);
    if (m->second_order)
        row_matches(json_object_get(json_object_get(table, "dense"), "e3"), m->n_stage,
                    &m->second_error);
    json_decref(file);
}

static const struct ml_method *method_of(const char *name)
{
    for (int i = 0; ml_methods[i]; i++)
        if (!strcmp(ml_methods[i]->name, name))
            return ml_methods[i];
    (void)fprintf(stderr, "no method '%s'\n", name);
    exit(2);
}

int main(void)
{
    for (int i = 0; ml_methods[i]; i++) {
        const struct ml_method *m = ml_methods[i];
        if (m->splitting) /* orders: tests/cli/splitting.sh */
            a_splitting_method_is_symmetric_and_in_the_documentation(m);
        if (!ml_method_is_tableau(m)) /* linearly implicit: tests/integrators/test_adaptive.c */
            continue;
        CHECK(method_of(m->name) == m); /* no two of a name */
        tables_are_explicit_and_need_all_their_stages(m);
        nodes_are_sums_of_rows(m);
        struct conditions *all = make_conditions(m);
        the_order_is_the_one_declared(all);
        so_are_those_of_the_embedded_methods(all);
        the_last_stage_is_the_first_of_the_next_step_where_it_says_so(m);
        the_interpolant_joins_the_ends_with_its_order(all);
        the_stability_polynomial_begins_like_exp(all);
        free(all);
        the_table_of_the_documentation_is_right(m);
    }
    the_cubic_of_bs32_ends_with_the_derivative(method_of("bs32"));
    known_stability_polynomials_come_out_to_the_bit(method_of("euler"));
    known_stability_polynomials_come_out_to_the_bit(method_of("rk4"));
    static const char *const published[][2] = {
        {"bs32", "rkbs32"},     {"cash_karp54", "rkck54"}, {"dopri54", "rkdp54"},
        {"tsit54", "rkt54"},    {"verner65", "rkv65e"},    {"tp75", "rktp75"},
        {"dop853", "rkdp85"},   {"tp86", "rktp86"},        {"verner98", "rkv98e"},
        {"baker109", "rkb109"},
    };
    for (size_t i = 0; i < sizeof published / sizeof *published; i++)
        decimals_are_those_published(method_of(published[i][0]), published[i][1]);
    return check_done();
}
