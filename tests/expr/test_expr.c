/* Formulas as graphs and as text. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "expr/derive.h"
#include "expr/graph.h"
#include "expr/parse.h"
#include "expr/program.h"
#include "expr/text.h"
#include "scalar.h"

/* Names x, y (state 0, 1) and k (parameter 0). */
static int find(void *context, const char *name, struct ml_expr_fault *fault)
{
    struct ml_graph *graph = context;
    (void)fault;
    if (strcmp(name, "x") == 0 || strcmp(name, "y") == 0)
        return ml_graph_input(graph, ML_OP_STATE, name[0] - 'x');
    return strcmp(name, "k") == 0 ? ml_graph_input(graph, ML_OP_PARAM, 0) : ML_NO_NODE;
}

static const char *nearest(void *context, const char *name)
{
    (void)context, (void)name;
    return NULL;
}

static int parse(struct ml_graph *graph, const char *text)
{
    const struct ml_expr_names names = {find, nearest, graph};
    struct ml_expr_fault fault;
    return ml_expr_parse(graph, text, &names, &fault);
}

/* Of node i where x, y and k are these. */
static double value_of(const struct ml_graph *graph, int i, const double *x, const double *dx)
{
    const struct ml_graph_node *node = &graph->nodes[i];
    double v[ML_OP_MOST] = {0};
    if (node->op < ML_OP_neg)
        return scalar_input(node->op, node->arg[0], node->value, x, dx);
    for (int k = 0; k < ml_ops[node->op].n_argument; k++)
        v[k] = value_of(graph, node->arg[k], x, dx);
    return scalar_compute(node->op, v);
}

/* With x = 3, y = -2, k = 0.5. */
static void operators_bind_as_in_mathematics(void)
{
    static const double x[] = {3.0, -2.0, 0.5};
    const struct {
        const char *text;
        double value;
    } cases[] = {
        {"x + y*k", 2.0},
        {"(x + y)*k", 0.5},
        {"-x^2", -9.0},
        {"(-x)^2", 9.0},
        {"2^-1", 0.5},
        {"x - y - k", 4.5},
        {"x/y/k", -3.0},
        {"-x*-y", -6.0},
        {"x^3 - y^5 + x^0", 60.0},
        {"4^0.5 + x^-2*9", 3.0},
        {"where(x < y, 1, 2)", 2.0},
        {"where(x >= y and not x == 3, 1, 2)", 2.0},
        {"where(x > 5 or y <= -2, 1, 2)", 1.0},
        {"where(x > 5 || y <= -2 && x != 7, 1, 2)", 1.0},
        {"where(not x != 3, 1, 2)", 1.0},
        {"where(1 < 2, 5, 1/0) + where(not 1 < 2, log(0)*sqrt(-1), 3)", 8.0},
        {"min(x, y) + max(x, 4)", 2.0},
        {"abs(y) - sqrt(x*x)", -1.0},
        {"90deg - pi/2", 0.0},
        {"exp(log(x)) - x", 0.0},
        {"x - -y", 1.0},
        {"k*x - y*x", 7.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ml_pool pool = {0};
        struct ml_graph graph = {.pool = &pool};
        const int node = parse(&graph, cases[i].text);
        CHECK_CASE("%s", cases[i].text);
        CHECK(node != ML_NO_NODE);
        CHECK(node == ML_NO_NODE || fabs(value_of(&graph, node, x, NULL) - cases[i].value) < 1e-15);
        ml_pool_free(&pool);
    }
}

static void equal_formulas_are_one_node(void)
{
    struct ml_pool pool = {0};
    struct ml_graph graph = {.pool = &pool};
    CHECK(parse(&graph, "sin(x*k) + y") == parse(&graph, "(sin((x*k)))+y"));
    CHECK(parse(&graph, "2*3 + 1") == parse(&graph, "7"));
    CHECK(parse(&graph, "x - (-y)") == parse(&graph, "x + y"));
    CHECK(parse(&graph, "x + y + k") != parse(&graph, "x + (y + k)")); /* other bits */
    CHECK(graph.nodes[parse(&graph, "x*y + k")].op == ML_OP_fma);
    CHECK(graph.nodes[parse(&graph, "k - x*y")].op == ML_OP_fnma);
    CHECK(graph.nodes[parse(&graph, "sin(1)")].op == ML_OP_sin); /* not rounded correctly */
    ml_pool_free(&pool);
}

static void faults_have_their_place(void)
{
    const struct {
        const char *text, *what;
        int at;
    } cases[] = {
        {"", "ends too early", 0},
        {"x +", "ends too early", 3},
        {"x y", "operator is wanted", 2},
        {"2x", "operator is missing", 1},
        {"(x", "`)` is missing", 2},
        {"sin x", "`(` is missing", 4},
        {"min(x)", "`,` is missing", 5},
        {"z + 1", "there is no `z`", 0},
        {"x < y", NULL, 0},
        {"(x < y) + 1", "not a number", 8},
        {"not x", "comparison", 0},
        {"x ^ (x < y)", "not a number", 3},

        {"x ** 2", "a power is a^b", 3},
        {"x + é", "wanted here", 4},
        {"where(x, 1, 2)", "comparison", 0},
        {"1e999", "too large", 0},
        {"x; y", "operator is wanted", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ml_pool pool = {0};
        struct ml_graph graph = {.pool = &pool};
        struct ml_expr_fault fault;
        const struct ml_expr_names names = {find, nearest, &graph};
        const int node = ml_expr_parse(&graph, cases[i].text, &names, &fault);
        CHECK_CASE("%s: %s at %d", cases[i].text, fault.what, fault.at);
        CHECK((node == ML_NO_NODE) == (cases[i].what != NULL));
        CHECK(!cases[i].what || strstr(fault.what, cases[i].what));
        CHECK(!cases[i].what || fault.at == cases[i].at);
        ml_pool_free(&pool);
    }
}

static void deep_formulas_are_refused(void)
{
    enum { N = 100 };
    char text[2 * N + 2];
    struct ml_pool pool = {0};
    struct ml_graph graph = {.pool = &pool};
    memset(text, '(', N);
    text[N] = 'x';
    memset(text + N + 1, ')', N);
    text[2 * N + 1] = '\0';
    CHECK(parse(&graph, text) == ML_NO_NODE);
    ml_pool_free(&pool);
}

/* Sums within sums of 1e9 terms, of which a few are read; sums of 1e6 terms are allowed. */
static void repeated_terms_are_refused_at_once(void)
{
    static const char *const texts[] = {"sum(i, 1, 1000, sum(j, 1, 1000, sum(k_, 1, 1000, 1)))",
                                        "sum(i, 1, 4000, sum(j, 1, 4000, sum(k_, 1, 0, x)))"};
    struct ml_pool pool = {0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ml_graph graph = {.pool = &pool};
        CHECK(parse(&graph, texts[i]) == ML_NO_NODE);
        CHECK(graph.cost < 100);
    }
    struct ml_graph graph = {.pool = &pool};
    CHECK(parse(&graph, "sum(i, 1, 1000, sum(j, 1, 1000, i))") == parse(&graph, "500500000"));
    CHECK(parse(&graph,
                "sum(i, 1, 2000, sum(j, 1, where(i == 1, 2000, 0) + 0*sum(k_, 1, 1, 1), "
                "i + i + i + i + i))") != ML_NO_NODE); /* a sum within bounds that have an index */
    CHECK(parse(&graph, "sum(i, 1, 4000, sum(j, 1, where(i < 2, 4000, 1), sum(k_, 0, 1, i)))") !=
          ML_NO_NODE);
    ml_pool_free(&pool);
}

/* Against central differences, whose error is some 1e-10 here. */
static void derivatives_are_those_of_differences(void)
{
    static const char *const texts[] = {
        "x*y + k*x",
        "k - x*y*k",
        "x/y - k/x",
        "sqrt(x*x + k)",
        "exp(-k*x)*log(x)",
        "sin(x*k)*cos(y)",
        "abs(y)*x",
        "min(x, y)*k",
        "max(x*y, k)",
        "where(x < y, x^3, y^3*k)",
        "(x + k)^-2",
        "-(x*y)/k",
        "cos(k*x)^2 - sin(k*x)^2",
        "x^7 - (x*k)^0.5",
        "x^k + k^(x*y) - x^1.7",
        "tan(x*k) + asin(k*x)/2",
        "acos(k*x)*atan(x - y)",
        "atan2(y*k, x)",
        "sinh(x)*cosh(k*y)",
        "tanh(x*y) + erf(k*x)",
        "cbrt(x*y*k)",
        "hypot(x*k, y)",
        "mod(x*x, k) + floor(x)*y*k",
        "sign(y)*x*k",
    };
    const double at[] = {1.3, -0.7, 0.6}, along[] = {0.4, 0.9, -0.3}, h = 1e-5;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ml_pool pool = {0};
        struct ml_graph graph = {.pool = &pool};
        const int node = parse(&graph, texts[i]);
        int by[2];
        CHECK_CASE("%s", texts[i]);
        CHECK(node != ML_NO_NODE);
        CHECK(ml_graph_derive(&graph, ML_OP_STATE, 1, &node, &by[0]));
        CHECK(ml_graph_derive(&graph, ML_OP_PARAM, 1, &node, &by[1]));
        double side[2], sum = 0.0;
        for (int s = 0; s < 2; s++) {
            double x[3];
            for (int j = 0; j < 3; j++)
                x[j] = at[j] + (s ? h : -h) * along[j];
            side[s] = value_of(&graph, node, x, NULL);
        }
        for (int d = 0; d < 2; d++)
            sum += by[d] == ML_NO_NODE ? 0.0 : value_of(&graph, by[d], at, along);
        CHECK(fabs(sum - (side[1] - side[0]) / (2.0 * h)) < 1e-9);
        ml_pool_free(&pool);
    }
}

/* Later phases compute nothing that the first has, besides inputs and sums and products of them. */
static void directions_share_what_they_can(void)
{
    struct ml_pool pool = {0};
    struct ml_graph graph = {.pool = &pool};
    const int rate = parse(&graph, "exp(k*x)*sin(x + y)");
    int along, forcing;
    struct ml_program program;
    CHECK(ml_graph_derive(&graph, ML_OP_STATE, 1, &rate, &along));
    CHECK(ml_graph_derive(&graph, ML_OP_PARAM, 1, &rate, &forcing));
    const int *const outputs[] = {&rate, &along, &forcing};
    CHECK(ml_program_make(&graph, false, 3, (const int[]){1, 1, 1}, outputs, &program));
    CHECK(program.n_phase == 3 && program.n_kept >= 2);
    for (int p = 1; p < 3; p++)
        for (int i = 0; i < program.phases[p].n; i++) {
            const enum ml_op op = program.instructions[program.phases[p].first + i].op;
            CHECK(op != ML_OP_exp && op != ML_OP_sin && op != ML_OP_div);
        }
    ml_pool_free(&pool);
}

/* Later phases in any order, and again, with what the first left. */
static void programs_compute_what_graphs_do(void)
{
    static const char *const texts[] = {
        "sin(k*x)*cos(k*x)/sqrt(x*x + y*y + 1) + k*abs(y)",
        "where(x < 0 and not y > 2, exp(-(x + y)), log(x + y + 9))*cos(k)",
        "abs(x + 2)^1.3*erf(y) + sin(x + y)*sin(x + y + k) + (x + y)*k",
        "tanh(y)*atan2(y, x + 3) - max(y, -1)*min(x*k, 0.5)^3",
    };
    enum { N = sizeof texts / sizeof *texts };
    const double at[] = {1.3, -0.7, 0.6}, along[] = {0.4, 0.9, -0.3};
    static const int order[] = {0, 1, 2, 2, 1, 0, 2, 1};
    struct ml_pool pool = {0};
    struct ml_graph graph = {.pool = &pool};
    struct ml_program program;
    int nodes[3][N];
    double registers[200] = {0};
    for (int i = 0; i < N; i++)
        nodes[0][i] = parse(&graph, texts[i]);
    CHECK(ml_graph_derive(&graph, ML_OP_STATE, N, nodes[0], nodes[1]));
    CHECK(ml_graph_derive(&graph, ML_OP_PARAM, N, nodes[0], nodes[2]));
    const int *const outputs[] = {nodes[0], nodes[1], nodes[2]};
    CHECK(ml_program_make(&graph, false, 3, (const int[]){N, N, N}, outputs, &program) &&
          program.n_register <= 200);
    for (size_t o = 0; o < sizeof order / sizeof *order; o++) {
        const int phase = order[o];
        scalar_run(&program, phase, at, along, registers);
        for (int i = 0; i < N; i++) {
            CHECK_CASE("phase %d, output %d", phase, i);
            CHECK(registers[program.phases[phase].outputs[i]] ==
                  value_of(&graph, nodes[phase][i], at, along));
        }
    }
    ml_pool_free(&pool);
}

/* Sines and cosines of other than inputs that a node takes. */
static int n_sine_of_sum(const struct ml_graph *graph, int node)
{
    const bool *is_needed = ml_graph_needed(graph, 1, &node);
    int n = 0;
    for (int i = 0; i < graph->n; i++)
        if (is_needed[i] && (graph->nodes[i].op == ML_OP_sin || graph->nodes[i].op == ML_OP_cos))
            n += ml_ops[graph->nodes[graph->nodes[i].arg[0]].op].n_argument > 0;
    return n;
}

/* Of sums only where their terms' sines are wanted anyway, or of many sums. */
static void sums_share_sines_of_their_terms(void)
{
    static const struct {
        const char *text;
        int n_left;
    } cases[] = {
        {"sin(x)*cos(y) + sin(x - y)", 0},
        {"sin(x) + cos(x + y)*y - sin(-(x + y) - k) + sin(x - k)", 0},
        {"cos(x) - exp(cos(-x + y))", 0},
        {"sin(x - y)*k + cos(x - y)", 2}, /* two angles in place of one */
        {"sin(x) + sin(2*x + y)", 1},
        {"sin(x)*cos(y) + sin(x - y)/(x - y)", 1}, /* right to its last digits near 0 */
        {"sin(x)*cos(y) + sqrt(1 + (x - y)^2)*cos(x - y)", 1},
        {"sin(x)*cos(y) + sin(x - y)*(x - y)/(2 + cos(x - y))", 0},
    };
    static const double at[][3] = {{1.3, -0.7, 0.6}, {3.0, -2.0, 0.5}, {0.01, 4.0, -9.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ml_pool pool = {0};
        struct ml_graph graph = {.pool = &pool};
        const int before = parse(&graph, cases[i].text), n = 1;
        int after = before;
        int *const nodes[] = {&after};
        CHECK_CASE("%s", cases[i].text);
        CHECK(ml_graph_share_sines(&graph, 1, &n, nodes));
        CHECK(n_sine_of_sum(&graph, after) == cases[i].n_left);
        for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
            const double a = value_of(&graph, before, at[k], at[k]),
                         b = value_of(&graph, after, at[k], at[k]);
            CHECK(fabs(a - b) <= 4e-15);
        }
        ml_pool_free(&pool);
    }
}

/* Oscillators that are together stay together: their difference has no sine. */
static void sines_of_no_difference_are_none(void)
{
    static const double at[] = {1.7, 1.7, 0.3}, apart[] = {1.7, 2.9, 0.3},
                        swapped[] = {2.9, 1.7, 0.3};
    struct ml_pool pool = {0};
    struct ml_graph graph = {.pool = &pool};
    const int n = 2;
    int all[] = {parse(&graph, "sin(x - y)"), parse(&graph, "sin(x) + sin(y)")};
    int *const nodes[] = {all};
    CHECK(ml_graph_share_sines(&graph, 1, &n, nodes) && n_sine_of_sum(&graph, all[0]) == 0);
    CHECK(value_of(&graph, all[0], at, at) == 0.0);
    CHECK(value_of(&graph, all[0], apart, apart) == -value_of(&graph, all[0], swapped, swapped));
    ml_pool_free(&pool);
}

/* Of a program that has stages: registers of each state whose sine is taken, which nothing else
 * writes. */
static void sines_of_states_are_kept_between_stages(void)
{
    struct ml_pool pool = {0};
    struct ml_graph graph = {.pool = &pool};
    const int node = parse(&graph, "sin(x)*cos(2*y) + sin(y) - cos(k)"), *const outputs[] = {&node};
    for (int has_stages = 0; has_stages < 2; has_stages++) {
        struct ml_program program;
        int n_anchor = 0;
        CHECK(ml_program_make(&graph, has_stages, 1, (const int[]){1}, outputs, &program));
        CHECK(program.n_kept == (has_stages ? 6 : 0));
        for (int i = 0; i < program.n_instruction; i++) {
            const struct ml_instruction *in = &program.instructions[i];
            n_anchor += in->anchor != ML_NO_NODE;
            CHECK(in->out == ML_NO_NODE || in->out >= program.n_kept);
            CHECK(in->anchor == ML_NO_NODE || in->anchor == 0 || in->anchor == 3);
        }
        CHECK(n_anchor == (has_stages ? 2 : 0));
    }
    ml_pool_free(&pool);
}

static void texts_have_one_form(void)
{
    static const char *const pairs[][2] = {
        {"sigma*(y-x)", "sigma*(y - x)"},
        {"  x *( rho-z )-y ", "x*(rho - z) - y"},
        {"-x^ -2+1e-3 * y", "-x^-2 + 1e-3*y"},
        {"where(x<0 and not y>=1,exp( -x ),2)", "where(x < 0 and not y >= 1, exp(-x), 2)"},
        {"where(x!=0&&y>=1||x==2,1,2)", "where(x != 0 && y >= 1 || x == 2, 1, 2)"},
        {"60 deg", "60 deg"},
        {"6 g\n^k + x ^ 2", "6 g ^k + x^2"},
        {"2 m/s^2  ^ 2*x", "2 m/s^2 ^2*x"},
        {"2.5E+3-x", "2.5E+3 - x"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct ml_pool pool = {0};
        const char *text = ml_expr_text(pairs[i][0], &pool);
        CHECK_CASE("%s: %s", pairs[i][0], text);
        CHECK(strcmp(text, pairs[i][1]) == 0);
        CHECK(strcmp(ml_expr_text(text, &pool), text) == 0);
        ml_pool_free(&pool);
    }
}

int main(void)
{
    operators_bind_as_in_mathematics();
    equal_formulas_are_one_node();
    faults_have_their_place();
    deep_formulas_are_refused();
    repeated_terms_are_refused_at_once();
    derivatives_are_those_of_differences();
    directions_share_what_they_can();
    programs_compute_what_graphs_do();
    sums_share_sines_of_their_terms();
    sines_of_no_difference_are_none();
    sines_of_states_are_kept_between_stages();
    texts_have_one_form();
    return check_done();
}
