/* Formulas, given any text: there is a fault at a place in it, or the text in canonical form is the
 * same formula, the program computes the numbers of the graph, its C has nothing of the text, and
 * the derivatives are those of dual numbers. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "expr/derive.h"
#include "expr/parse.h"
#include "expr/program.h"
#include "expr/scalar.h"
#include "expr/text.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const double along[] = {0.4, 0.9, -0.3}; /* of x, y and k */

/* x, y (state 0, 1), k (parameter 0) and t. */
static int find(void *context, const char *name, struct ml_expr_fault *fault)
{
    struct ml_graph *graph = context;
    (void)fault;
    if (strcmp(name, "x") == 0 || strcmp(name, "y") == 0)
        return ml_graph_input(graph, ML_OP_STATE, name[0] - 'x');
    if (strcmp(name, "t") == 0)
        return ml_graph_input(graph, ML_OP_TIME, 0);
    return strcmp(name, "k") == 0 ? ml_graph_input(graph, ML_OP_PARAM, 0) : ML_NO_NODE;
}

/* A value, its derivative, and how large the terms of that are; smooth: nothing bends here. */
struct dual {
    double value, deriv, size;
    bool is_smooth;
};

/* Partial derivatives of an operation with the value `f`; false where it bends or jumps. */
static bool partials(enum ml_op op, const double *v, double f, double *p)
{
    const double a = v[0], b = v[1];
    switch (op) {
    case ML_OP_neg:
        p[0] = -1.0;
        return true;
    case ML_OP_add:
    case ML_OP_sub:
        p[0] = 1.0, p[1] = op == ML_OP_add ? 1.0 : -1.0;
        return true;
    case ML_OP_mul:
        p[0] = b, p[1] = a;
        return true;
    case ML_OP_div:
        p[0] = 1.0 / b, p[1] = -a / b / b;
        return true;
    case ML_OP_fma:
    case ML_OP_fnma:
        p[0] = op == ML_OP_fma ? b : -b, p[1] = op == ML_OP_fma ? a : -a, p[2] = 1.0;
        return true;
    case ML_OP_sqrt:
        p[0] = 0.5 / f;
        return true;
    case ML_OP_abs:
        p[0] = a < 0.0 ? -1.0 : 1.0;
        return a != 0.0;
    case ML_OP_min:
    case ML_OP_max:
        p[0] = (a < b) == (op == ML_OP_min), p[1] = 1.0 - p[0];
        return a != b;
    case ML_OP_exp:
        p[0] = f;
        return true;
    case ML_OP_log:
        p[0] = 1.0 / a;
        return true;
    case ML_OP_sign:
        return a != 0.0;
    case ML_OP_floor:
        return a != floor(a);
    case ML_OP_mod:
        p[0] = 1.0, p[1] = -floor(a / b);
        return a / b != floor(a / b);
    case ML_OP_hypot:
        p[0] = a / f, p[1] = b / f;
        return f != 0.0;
    case ML_OP_cbrt:
        p[0] = 1.0 / (3.0 * f * f);
        return true;
    case ML_OP_pow:
        p[0] = b * pow(a, b - 1.0), p[1] = f * log(a);
        return a > 0.0;
    case ML_OP_tan:
        p[0] = 1.0 / (cos(a) * cos(a));
        return true;
    case ML_OP_asin:
    case ML_OP_acos:
        p[0] = (op == ML_OP_asin ? 1.0 : -1.0) / sqrt((1.0 - a) * (1.0 + a));
        return true;
    case ML_OP_atan:
        p[0] = 1.0 / (1.0 + a * a);
        return true;
    case ML_OP_atan2:
        p[0] = b / (a * a + b * b), p[1] = -a / (a * a + b * b);
        return true;
    case ML_OP_sinh:
        p[0] = cosh(a);
        return true;
    case ML_OP_cosh:
        p[0] = sinh(a);
        return true;
    case ML_OP_tanh:
        p[0] = 1.0 / (cosh(a) * cosh(a));
        return true;
    case ML_OP_erf:
        p[0] = M_2_SQRTPI * exp(-a * a);
        return true;
    case ML_OP_sin:
        p[0] = cos(a);
        return true;
    case ML_OP_cos:
        p[0] = -sin(a);
        return true;
    case ML_OP_where:
        p[1] = a != 0.0, p[2] = 1.0 - p[1];
        return true;
    case ML_OP_less:
    case ML_OP_at_most:
    case ML_OP_equal:
        return a != b;
    default:
        return true;
    }
}

static struct dual dual_of(const struct ml_graph_node *node, const struct dual *nodes,
                           const double *x)
{
    struct dual out = {.is_smooth = true};
    double v[ML_OP_MOST] = {0.0}, p[ML_OP_MOST] = {0.0};
    if (node->op < ML_OP_neg) {
        out.value = scalar_input(node->op, node->arg[0], node->value, x, along);
        out.deriv = node->op == ML_OP_STATE   ? along[node->arg[0]]
                    : node->op == ML_OP_PARAM ? along[2 + node->arg[0]]
                                              : 0.0;
        out.size = fabs(out.deriv);
        return out;
    }
    const int n = ml_ops[node->op].n_argument;
    for (int i = 0; i < n; i++)
        v[i] = nodes[node->arg[i]].value;
    out.value = scalar_compute(node->op, v);
    out.is_smooth = partials(node->op, v, out.value, p);
    for (int i = 0; i < n; i++) {
        const struct dual *arg = &nodes[node->arg[i]];
        const bool is_taken = node->op != ML_OP_where || i == 0 || p[i] != 0.0;
        out.is_smooth &= arg->is_smooth || !is_taken;
        out.deriv += is_taken && arg->size > 0.0 ? p[i] * arg->deriv : 0.0;
        out.size += is_taken && arg->size > 0.0 ? fabs(p[i]) * arg->size : 0.0;
    }
    return out;
}

static bool is_same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/* What a program of the node and its derivatives computes at a point, against the graph. */
static void check_point(const struct ml_graph *graph, const struct ml_program *program, int node,
                        const int *outputs, const double *x, const char *text)
{
    struct dual *nodes = calloc((size_t)graph->n, sizeof *nodes);
    double *registers = calloc((size_t)program->n_register + 1, sizeof *registers), sum = 0.0;
    for (int i = 0; nodes && i < graph->n; i++)
        nodes[i] = dual_of(&graph->nodes[i], nodes, x);
    for (int phase = 0; nodes && registers && phase < program->n_phase; phase++) {
        const int place = program->phases[phase].outputs[0], of = outputs[phase];
        scalar_run(program, phase, x, along, registers);
        require((place == ML_NO_NODE) == (of == ML_NO_NODE), "an output is lost", text);
        require(of == ML_NO_NODE || is_same(registers[place], nodes[of].value),
                "the program computes another number than the graph", text);
        sum += phase > 0 && of != ML_NO_NODE ? nodes[of].value : 0.0;
    }
    if (nodes && nodes[node].is_smooth && isfinite(sum) && nodes[node].size < 1e100)
        require(fabs(sum - nodes[node].deriv) <= 1e-6 * nodes[node].size,
                "the derivative is not that of dual numbers", text);
    free(registers);
    free(nodes);
}

/* The C of a program: its bytes are those of numbered operations. */
static void check_code(const struct ml_program *program, const char *text)
{
    static const char bytes[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_ \n"
                                "[]()*+-=,.;&";
    char *code = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&code, &size);
    for (int phase = 0; to && phase < program->n_phase; phase++)
        ml_program_emit(to, program, phase, phase == 2);
    require(to && fclose(to) == 0 && strlen(code) == size && code[strspn(code, bytes)] == 0,
            "the code has foreign bytes", text);
    free(code);
}

static void check_formula(struct ml_graph *graph, int node, const char *text)
{
    static const double points[][4] = {
        {1.3, -0.7, 0.6, 2.5}, {-0.4, 0.3, 1.7, 0.0}, {0.21, 0.87, -0.93, 11.0}};
    int outputs[ML_PHASES] = {node};
    const int *const of_phase[] = {&outputs[0], &outputs[1], &outputs[2]};
    struct ml_program program;
    if (!ml_graph_derive(graph, ML_OP_STATE, 1, &node, &outputs[1]) ||
        !ml_graph_derive(graph, ML_OP_PARAM, 1, &node, &outputs[2]))
        return; /* too many nodes */
    require(ml_program_make(graph, false, ML_PHASES, (const int[]){1, 1, 1}, of_phase, &program),
            "no program", text);
    check_code(&program, text);
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        check_point(graph, &program, node, outputs, points[i], text);
}

static void check_text(struct ml_graph *graph, const struct ml_expr_names *names, int node,
                       const char *text)
{
    struct ml_expr_fault fault;
    const char *once = ml_expr_text(text, graph->pool),
               *twice = once ? ml_expr_text(once, graph->pool) : NULL;
    require(twice && strcmp(once, twice) == 0, "the canonical form of a canonical form is another",
            text);
    require(ml_expr_parse(graph, once, names, &fault) == node,
            "the canonical form is another formula", text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ml_pool pool = {0};
    struct ml_graph graph = {.pool = &pool};
    const struct ml_expr_names names = {find, NULL, &graph};
    struct ml_expr_fault fault;
    char *text = strndup((const char *)data, size);
    const int node = ml_expr_parse(&graph, text, &names, &fault);
    if (node == ML_NO_NODE) {
        require(fault.what[0] && fault.at >= 0 && (size_t)fault.at <= strlen(text),
                "a fault without a place", text);
        require_printable(fault.what);
    } else {
        check_text(&graph, &names, node, text);
        if (!ml_op_is_truth(graph.nodes[node].op))
            check_formula(&graph, node, text);
    }
    ml_pool_free(&pool);
    free(text);
    return 0;
}
