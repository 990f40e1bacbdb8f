/* Prints with as few parentheses as the ranks of operators allow; a product that is rounded with a
 * sum is printed as product and sum. */
#include "expr/print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expr/parse.h"
#include "yaml/number.h"

enum {
    RANK_OR,
    RANK_AND,
    RANK_NOT,
    RANK_COMPARISON,
    RANK_SUM,
    RANK_PRODUCT,
    RANK_POWER,
    RANK_ATOM
};

enum {
    SHORT = 6,       /* operations and names of a formula that is written again rather than named */
    DEEPEST = 60,    /* operations within each other in a formula */
    MOST_DEEP = 1000 /* with conditions */
};

bool ml_expr_name_shared(const struct ml_expr_print *print, struct ml_pool *pool,
                         const bool *is_needed, const char *prefix)
{
    const struct ml_graph *graph = print->graph;
    const size_t n = (size_t)graph->n + 1;
    int *uses = ml_pool_take(pool, n, sizeof *uses), *size = ml_pool_take(pool, n, sizeof *size),
        *depth = ml_pool_take(pool, n, sizeof *depth), n_shared = 0;
    if (!uses || !size || !depth)
        return false;
    for (int i = 0; i < graph->n; i++)
        for (int k = 0; is_needed[i] && k < ml_ops[graph->nodes[i].op].n_argument; k++)
            uses[graph->nodes[i].arg[k]]++;
    for (int i = 0; i < graph->n; i++) {
        size[i] = depth[i] = 1;
        for (int k = 0; is_needed[i] && k < ml_ops[graph->nodes[i].op].n_argument; k++) {
            const int a = graph->nodes[i].arg[k];
            size[i] += print->names[a] ? 1 : size[a];
            if (!print->names[a] && depth[a] >= depth[i])
                depth[i] = depth[a] + 1;
        }
        if (is_needed[i] && depth[i] > MOST_DEEP)
            return false; /* of conditions: these have no names */
        if (is_needed[i] && !print->names[i] && !ml_op_is_truth(graph->nodes[i].op) &&
            ((uses[i] > 1 && size[i] > SHORT) || depth[i] >= DEEPEST))
            print->names[i] = ml_pool_format(pool, "%s%d", prefix, ++n_shared);
    }
    return !pool->is_short;
}

static void print_text(const struct ml_expr_print *p, const char *plain, const char *latex)
{
    (void)fputs(p->is_latex ? latex : plain, p->to);
}

static bool is_literal(const struct ml_expr_print *p, int node, bool is_negative)
{
    const struct ml_graph_node *n = &p->graph->nodes[node];
    return n->op == ML_OP_LITERAL && !p->names[node] && (signbit(n->value) != 0) == is_negative;
}

static int rank_of_op(const struct ml_graph_node *n)
{
    switch (n->op) {
    case ML_OP_or:
        return RANK_OR;
    case ML_OP_and:
        return RANK_AND;
    case ML_OP_not:
        return RANK_NOT;
    case ML_OP_less:
    case ML_OP_at_most:
    case ML_OP_equal:
        return RANK_COMPARISON;
    case ML_OP_add:
        return n->arg[0] == n->arg[1] ? RANK_PRODUCT : RANK_SUM; /* 2*a */
    case ML_OP_sub:
    case ML_OP_fma:
    case ML_OP_fnma:
        return RANK_SUM;
    case ML_OP_mul:
        return n->arg[0] == n->arg[1] ? RANK_POWER : RANK_PRODUCT;
    case ML_OP_neg:
    case ML_OP_div:
        return RANK_PRODUCT;
    case ML_OP_pow:
        return RANK_POWER;
    default:
        return RANK_ATOM;
    }
}

static int rank_of(const struct ml_expr_print *p, int node)
{
    return p->names[node]              ? RANK_ATOM
           : is_literal(p, node, true) ? RANK_PRODUCT
                                       : rank_of_op(&p->graph->nodes[node]);
}

/*   least  rank that needs no parentheses */
static void print_at(const struct ml_expr_print *p, int node, int least)
{
    const bool is_inside = rank_of(p, node) < least;
    if (is_inside)
        print_text(p, "(", "\\left(");
    ml_expr_print(p, node);
    if (is_inside)
        print_text(p, ")", "\\right)");
}

/* The right one of two factors: a sign there is in parentheses. */
static void print_factor(const struct ml_expr_print *p, int node)
{
    const enum ml_op op = p->graph->nodes[node].op;
    print_at(p, node, op == ML_OP_mul || op == ML_OP_div ? RANK_PRODUCT : RANK_POWER);
}

static void print_power(const struct ml_expr_print *p, int base, int exponent)
{
    print_at(p, base, RANK_ATOM);
    print_text(p, "^", "^{");
    if (exponent == ML_NO_NODE)
        print_text(p, "2", "2");
    else
        print_at(p, exponent, p->is_latex ? RANK_OR : RANK_POWER);
    print_text(p, "", "}");
}

static void print_product(const struct ml_expr_print *p, int a, int b)
{
    if (a == b) {
        print_power(p, a, ML_NO_NODE);
        return;
    }
    print_at(p, a, RANK_PRODUCT);
    print_text(p, "*", is_literal(p, b, false) ? " \\cdot " : " \\, ");
    print_factor(p, b);
}

static void print_quotient(const struct ml_expr_print *p, int a, int b)
{
    print_text(p, "", "\\frac{");
    print_at(p, a, p->is_latex ? RANK_OR : RANK_PRODUCT);
    print_text(p, "/", "}{");
    print_at(p, b, p->is_latex ? RANK_OR : RANK_POWER);
    print_text(p, "", "}");
}

static void print_literal(const struct ml_expr_print *p, double value)
{
    char text[ML_NUMBER_TEXT];
    (void)ml_number_text(value, text);
    char *exponent = p->is_latex ? strchr(text, 'e') : NULL;
    if (exponent)
        *exponent = '\0';
    if (value == 3.14159265358979323846)
        print_text(p, "pi", "\\pi");
    else
        (void)fputs(text, p->to);
    if (exponent)
        (void)fprintf(p->to, " \\cdot 10^{%s}", exponent + 1 + (exponent[1] == '+'));
}

/* A further term of a sum. */
static void print_plus(const struct ml_expr_print *p, int node)
{
    if (is_literal(p, node, true)) {
        (void)fputs(" - ", p->to);
        print_literal(p, -p->graph->nodes[node].value);
        return;
    }
    const struct ml_graph_node *n = &p->graph->nodes[node];
    const bool is_minus = n->op == ML_OP_neg && !p->names[node];
    (void)fputs(is_minus ? " - " : " + ", p->to);
    print_at(p, is_minus ? n->arg[0] : node, is_minus ? RANK_PRODUCT : RANK_SUM);
}

/* a + a is twice a. */
static void print_sum(const struct ml_expr_print *p, int a, int b)
{
    if (a == b) {
        print_text(p, "2*", "2 \\, ");
        print_factor(p, a);
        return;
    }
    print_at(p, a, RANK_SUM);
    print_plus(p, b);
}

static void print_two(const struct ml_expr_print *p, const struct ml_graph_node *n,
                      const char *between, int least)
{
    print_at(p, n->arg[0], least);
    (void)fputs(between, p->to);
    print_at(p, n->arg[1], least);
}

static void print_word(const struct ml_expr_print *p, enum ml_op op)
{
    static const char *const known[] = {"sin",  "cos",  "tan",  "exp", "log",
                                        "sinh", "cosh", "tanh", "min", "max"};
    bool is_known = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        is_known |= strcmp(ml_ops[op].word, known[i]) == 0;
    if (!p->is_latex)
        (void)fputs(ml_ops[op].word, p->to);
    else if (is_known)
        (void)fprintf(p->to, "\\%s", ml_ops[op].word);
    else
        (void)fprintf(p->to, "\\operatorname{%s}", ml_ops[op].word);
}

static void print_name(const struct ml_expr_print *p, const char *name)
{
    if (p->is_latex)
        ml_expr_print_name(p->to, name);
    else
        (void)fputs(name, p->to);
}

/* Its derivatives have primes. */
static void print_curve(const struct ml_expr_print *p, const struct ml_graph_node *n)
{
    print_name(p, p->curves[n->arg[1]]);
    for (int order = 0; order < n->arg[2]; order++)
        (void)fputs("'", p->to);
}

static void print_call(const struct ml_expr_print *p, const struct ml_graph_node *n)
{
    const bool is_root = p->is_latex && n->op == ML_OP_sqrt;
    if (is_root)
        (void)fputs("\\sqrt", p->to);
    else if (n->op == ML_OP_CURVE)
        print_curve(p, n);
    else
        print_word(p, n->op);
    print_text(p, "(", is_root ? "{" : "\\left(");
    for (int k = 0; k < ml_ops[n->op].n_argument; k++) {
        (void)fputs(k > 0 ? ", " : "", p->to);
        print_at(p, n->arg[k], RANK_OR);
    }
    print_text(p, ")", is_root ? "}" : "\\right)");
}

static void print_truth(const struct ml_expr_print *p, const struct ml_graph_node *n)
{
    switch (n->op) {
    case ML_OP_less:
        print_two(p, n, " < ", RANK_SUM);
        break;
    case ML_OP_at_most:
        print_two(p, n, p->is_latex ? " \\le " : " <= ", RANK_SUM);
        break;
    case ML_OP_equal:
        print_two(p, n, p->is_latex ? " = " : " == ", RANK_SUM);
        break;
    case ML_OP_and:
        print_two(p, n, p->is_latex ? " \\land " : " and ", RANK_AND);
        break;
    case ML_OP_or:
        print_two(p, n, p->is_latex ? " \\lor " : " or ", RANK_OR);
        break;
    default:
        print_text(p, "not ", "\\lnot ");
        print_at(p, n->arg[0], RANK_COMPARISON);
    }
}

static void print_operation(const struct ml_expr_print *p, const struct ml_graph_node *n)
{
    switch (n->op) {
    case ML_OP_neg:
        (void)fputs("-", p->to);
        print_at(p, n->arg[0], RANK_PRODUCT);
        break;
    case ML_OP_add:
        print_sum(p, n->arg[0], n->arg[1]);
        break;
    case ML_OP_sub:
        print_two(p, n, " - ", RANK_PRODUCT);
        break;
    case ML_OP_fma:
        print_product(p, n->arg[0], n->arg[1]);
        print_plus(p, n->arg[2]);
        break;
    case ML_OP_fnma:
        print_at(p, n->arg[2], RANK_SUM);
        (void)fputs(" - ", p->to);
        print_product(p, n->arg[0], n->arg[1]);
        break;
    case ML_OP_mul:
        print_product(p, n->arg[0], n->arg[1]);
        break;
    case ML_OP_div:
        print_quotient(p, n->arg[0], n->arg[1]);
        break;
    case ML_OP_pow:
        print_power(p, n->arg[0], n->arg[1]);
        break;
    default:
        if (ml_op_is_truth(n->op) && n->op != ML_OP_where)
            print_truth(p, n);
        else
            print_call(p, n);
    }
}

void ml_expr_print_whole(const struct ml_expr_print *print, int node)
{
    const struct ml_graph_node *n = &print->graph->nodes[node];
    switch (n->op) {
    case ML_OP_LITERAL:
        print_literal(print, n->value);
        break;
    case ML_OP_TIME:
        print_name(print, "t");
        break;
    case ML_OP_STATE:
        print_name(print, print->states[n->arg[0]]);
        break;
    case ML_OP_PARAM:
        print_name(print, print->params[n->arg[0]]);
        break;
    default:
        print_operation(print, n);
    }
}

void ml_expr_print(const struct ml_expr_print *print, int node)
{
    if (print->names[node])
        print_name(print, print->names[node]);
    else
        ml_expr_print_whole(print, node);
}

static bool is_greek(const char *name, int length)
{
    static const char *const letters[] = {
        "alpha", "beta",    "gamma",  "delta", "epsilon", "zeta",  "eta",   "theta",
        "iota",  "kappa",   "lambda", "mu",    "nu",      "xi",    "rho",   "sigma",
        "tau",   "upsilon", "phi",    "chi",   "psi",     "omega", "Gamma", "Delta",
        "Theta", "Lambda",  "Xi",     "Sigma", "Phi",     "Psi",   "Omega"};
    bool is = false;
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        is |= (int)strlen(letters[i]) == length && strncmp(letters[i], name, (size_t)length) == 0;
    return is;
}

static void print_letters(FILE *to, const char *name, int length)
{
    if (length == 1)
        (void)fprintf(to, "%c", *name);
    else if (is_greek(name, length))
        (void)fprintf(to, "\\%.*s", length, name);
    else
        (void)fprintf(to, "\\mathit{%.*s}", length, name);
}

/* NAME(t - delay) whose end is at `late`. */
static void print_late(FILE *to, const char *name, const char *late)
{
    char part[2 * ML_EXPR_NAME];
    (void)snprintf(part, sizeof part, "%.*s", (int)(late - name), name);
    ml_expr_print_name(to, part);
    late += strlen(ML_EXPR_LATE);
    (void)snprintf(part, sizeof part, "%.*s", (int)strcspn(late, ")"), late);
    (void)fputs(ML_EXPR_LATE, to);
    if (strchr("0123456789", part[0]))
        (void)fputs(part, to);
    else
        ml_expr_print_name(to, part);
    (void)fputs(")", to);
}

void ml_expr_print_name(FILE *to, const char *name)
{
    const char *late = strstr(name, ML_EXPR_LATE);
    if (late) {
        print_late(to, name, late);
        return;
    }
    const char *rate = strrchr(name, '_');
    const bool is_rate = rate && rate > name && strcmp(rate, "_rate") == 0;
    const int length = (int)(is_rate ? (size_t)(rate - name) : strlen(name));
    int base = 1;
    while (base < length && !strchr("_[0123456789", name[base]))
        base++;
    (void)fputs(is_rate ? "\\dot{" : "", to);
    print_letters(to, name, base);
    (void)fputs(is_rate ? "}" : "", to);
    if (base == length)
        return;
    (void)fputs("_{\\mathrm{", to);
    for (int i = base + !!strchr("_[", name[base]); i < length; i++)
        if (name[i] != ']')
            (void)fputs(name[i] == '_' || name[i] == '[' ? "\\," : (char[2]){name[i], '\0'}, to);
    (void)fputs("}}", to);
}

const char *ml_expr_print_text(const struct ml_expr_print *print, struct ml_pool *pool, int node)
{
    struct ml_expr_print out = *print;
    const char *kept = NULL;
    char *text = NULL;
    size_t size = 0;
    if (node == ML_NO_NODE)
        return NULL;
    out.names = calloc((size_t)print->graph->n + 1, sizeof *out.names);
    out.to = out.names ? open_memstream(&text, &size) : NULL;
    if (out.to) {
        ml_expr_print(&out, node);
        kept = fclose(out.to) == 0 ? ml_pool_text(pool, text, size) : NULL;
    }
    free(text);
    free(out.names);
    return kept;
}
