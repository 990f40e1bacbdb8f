/* Recursive descent over the text of a formula. */
#include "expr/parse.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "yaml/number.h"

static const double pi = 3.14159265358979323846, deg = 3.14159265358979323846 / 180.0;

/* The index of a sum or product, and its value at the term at hand. */
struct loop {
    char name[ML_EXPR_NAME];
    int node;
    double n_reading; /* of the term, in all terms of the loops around; 0: bounds have indices */
};

struct parser {
    struct ml_graph *graph;
    const struct ml_expr_names *names;
    const char *text, *at;
    int depth, n_loop;
    bool is_dropped; /* in the argument that a `where` of a known truth does not take */
    bool is_indexed; /* an index of a sum was read since this was set to false */
    struct loop loops[ML_EXPR_LOOPS]; /* [n_loop] */
    struct ml_si_unit unit;           /* of the value that was read last */
    struct ml_expr_fault *fault;      /* fault->what is "" so far */
};

static int parse_or(struct parser *p);
static int parse_signed(struct parser *p);
static int parse_product(struct parser *p);

__attribute__((format(printf, 3, 4))) static int parse_fail(struct parser *p, const char *at,
                                                            const char *format, ...)
{
    va_list args;
    if (p->fault->what[0] == '\0') {
        p->fault->at = (int)(at - p->text);
        va_start(args, format);
        (void)vsnprintf(p->fault->what, sizeof p->fault->what, format, args);
        va_end(args);
    }
    return ML_NO_NODE;
}

static bool is_name_byte(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Text to write in place of a word or sign of other languages that stands at `at`; NULL: of none.
 */
static const char *foreign(const char *at)
{
    static const char *const words[][2] = {
        {"**", "a power is a^b, not a**b"},
        {"=", "a comparison is a == b"},
        {"&", "write `and` or && in place of &"},
        {"|", "an absolute value is abs(x), and `or` or || joins conditions"},
        {"if", "write where(truth, a, b) in place of a if truth else b"},
        {"?", "write where(truth, a, b) in place of truth ? a : b"},
        {"%", "5 % is 0.05, and the remainder of a/b is mod(a, b)"},
        {"ln", "the natural logarithm is log(x)"},
        {"log10", "write log(x)/log(10)"},
        {"pow", "a power is a^b"},
        {"e", "a power of e is exp(x)"},
        {"sinus", "the sine is sin(x)"},
        {"cosinus", "the cosine is cos(x)"},
        {"tg", "the tangent is tan(x)"},
        {"arcsin", "the inverse of the sine is asin(x)"},
        {"arccos", "the inverse of the cosine is acos(x)"},
        {"arctan", "the inverse of the tangent is atan(x)"},
        {"time", "the time is t"},
        {"\u2212", "this minus is not the sign -"},
        {"\u2013", "this dash is not the sign -"},
        {"\u2014", "this dash is not the sign -"},
        {"\u00d7", "a product is a*b"},
        {"\u00b7", "a product is a*b"},
        {"\u22c5", "a product is a*b"},
        {"\u2217", "a product is a*b"},
        {"\u00f7", "a quotient is a/b"},
        {"\u2044", "a quotient is a/b"},
        {"\u2215", "a quotient is a/b"},
        {"\u00b2", "a square is x^2"},
        {"\u00b3", "a cube is x^3"},
        {"\u221a", "a root is sqrt(x)"},
        {"\u03c0", "write pi in place of the Greek letter"},
        {"\u00b0", "write deg in place of the degree sign"},
        {"\u2019", "a rate is x' with a straight quotation mark"},
        {"\u2032", "a rate is x' with a straight quotation mark"},
        {"\u2264", "write <= in place of this sign"},
        {"\u2265", "write >= in place of this sign"},
        {"\u2260", "write != in place of this sign"},
        {"\u00a0", "this space is not a blank"},
        {"\u2009", "this space is not a blank"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i][0]);
        if (strncmp(at, words[i][0], length) == 0 &&
            !(is_name_byte(*at) && is_name_byte(at[length])))
            return words[i][1];
    }
    return NULL;
}

bool ml_expr_is_word(const char *name)
{
    static const char *const words[] = {"pi", "deg", "and", "or", "not"};
    bool is_word = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        is_word |= strcmp(name, words[i]) == 0;
    for (int op = 0; op < ML_N_OP; op++)
        is_word |= strcmp(name, ml_ops[op].word) == 0;
    return is_word;
}

bool ml_expr_is_name(const char *name)
{
    const size_t length = strlen(name);
    bool is_name = (isalpha((unsigned char)name[0]) || name[0] == '_') && length < ML_EXPR_NAME;
    for (size_t i = 1; is_name && i < length; i++)
        is_name = is_name_byte(name[i]);
    return is_name && !ml_expr_is_word(name);
}

static void skip_blanks(struct parser *p)
{
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n')
        p->at++;
}

/* Takes a sign, or a whole word. */
static bool parse_take(struct parser *p, const char *token)
{
    const size_t length = strlen(token);
    skip_blanks(p);
    if (strncmp(p->at, token, length) != 0 ||
        (isalpha((unsigned char)*token) && is_name_byte(p->at[length])))
        return false;
    p->at += length;
    return true;
}

static int refuse_repeats(struct parser *p, const char *at)
{
    return parse_fail(p, at, "sums within sums repeat their terms too often; take fewer terms");
}

/* A node that was made, unless the graph is full or it is no number. */
static int parse_made(struct parser *p, const char *at, int node)
{
    if (node == ML_NO_NODE && p->graph->cost > ML_GRAPH_COST)
        return refuse_repeats(p, at);
    if (node == ML_NO_NODE)
        return parse_fail(p, at, "the formulas have too many operations (%d at most)",
                          (int)ML_GRAPH_MOST);
    const struct ml_graph_node *made = &p->graph->nodes[node];
    return made->op == ML_OP_LITERAL && !isfinite(made->value) && !p->is_dropped
               ? parse_fail(p, at, "the result is too large")
               : node;
}

/* The fault of an operation that has no value at its last argument; NULL. */
static const char *parse_domain(enum ml_op op, double last)
{
    switch (op) {
    case ML_OP_div:
    case ML_OP_mod:
        return last == 0.0 ? "division by zero" : NULL;
    case ML_OP_sqrt:
        return last < 0.0 ? "square root of a negative number" : NULL;
    case ML_OP_log:
        return last <= 0.0 ? "logarithm of a number that is not positive" : NULL;
    case ML_OP_asin:
    case ML_OP_acos:
        return fabs(last) > 1.0 ? "inverse sine or cosine of a number outside of -1 .. 1" : NULL;
    default:
        return NULL;
    }
}

/* An operation on arguments that begin at `at`, of the kinds it takes. */
static int parse_op(struct parser *p, const char *at, enum ml_op op, int a, int b, int c)
{
    const int arg[ML_OP_MOST] = {a, b, c};
    for (int i = 0; i < ml_ops[op].n_argument; i++) {
        if (arg[i] == ML_NO_NODE)
            return ML_NO_NODE;
        const bool is_truth = ml_op_is_truth(p->graph->nodes[arg[i]].op);
        if (is_truth != ml_op_takes_truth(op, i))
            return parse_fail(p, at,
                              is_truth ? "a comparison is not a number; write `where(a < b, 1, 0)`"
                                       : "a comparison such as a < b is wanted here");
    }
    const struct ml_graph_node *last = &p->graph->nodes[arg[ml_ops[op].n_argument - 1]];
    const char *fault = last->op == ML_OP_LITERAL ? parse_domain(op, last->value) : NULL;
    if (fault && !p->is_dropped)
        return parse_fail(p, at, "%s", fault);
    return parse_made(p, at, ml_graph_op(p->graph, op, a, b, c));
}

static int parse_known(struct parser *p, const char *begin, const char *name);

/* Whether the word of a unit is a name here, too. */
static bool is_name_too(struct parser *p, const char *at)
{
    char name[ML_EXPR_NAME] = "";
    const size_t length = ml_si_unit_word(at);
    memcpy(name, at, length);
    const bool is_known = parse_known(p, at, name) != ML_NO_NODE;
    p->fault->what[0] = '\0';
    if (is_known)
        (void)parse_fail(p, at,
                         "`%s` is a name here, and so no unit: write * for a product, or give the "
                         "number in SI without its unit",
                         name);
    return is_known;
}

/* The next word of a unit behind `from`, and whether it divides; NULL: the unit ends.
 *   n  words so far */
static const char *next_word(const char *from, int n, int *sign)
{
    const char *at = from + strspn(from, " \t");
    const bool is_divided = n > 0 ? *from == '/' : at[0] == '1' && at[1] == '/';
    if (!is_divided && (at == from || *sign < 0)) /* a/b c may be meant as a/(b c) */
        return NULL;
    *sign = is_divided ? -1 : 1;
    at += is_divided ? n > 0 ? 1 : 2 : 0;
    return ml_si_unit_word(at) > 0 ? at : NULL;
}

/* The unit behind a number, after a blank; false after a fault. */
static bool parse_unit(struct parser *p, struct ml_si_unit *unit)
{
    int n = 0, sign = 1;
    const char *at = *p->at == ' ' || *p->at == '\t' ? next_word(p->at, 0, &sign) : NULL;
    *unit = (struct ml_si_unit){.is_known = at != NULL};
    for (; at; at = next_word(p->at, ++n, &sign)) {
        if (is_name_too(p, at))
            return false;
        p->at = at;
        if (!ml_si_unit_take(&p->at, sign, unit))
            return parse_fail(p, at, "a unit has whole powers, at most 9 in size") != ML_NO_NODE;
    }
    return true;
}

/* The remedy of signs in place of an operator; NULL: none is known. */
static const char *no_operator(const struct parser *p)
{
    const bool is_comma = *p->at == ',' && p->at > p->text && isdigit((unsigned char)p->at[-1]) &&
                          isdigit((unsigned char)p->at[1]);
    return is_comma ? "a decimal number has a point, as 0.5" : foreign(p->at);
}

/* Reports a word behind a number that was meant as its unit. */
static bool check_no_word(struct parser *p)
{
    const char *at = p->at + strspn(p->at, " \t");
    size_t length = 0;
    while (is_name_byte(at[length]))
        length++;
    const bool is_operator = (length == 3 && strncmp(at, "and", length) == 0) ||
                             (length == 2 && strncmp(at, "or", length) == 0);
    if (at == p->at || !isalpha((unsigned char)*at) || is_operator || foreign(at))
        return true;
    if (ml_si_unit_word(at) > 0)
        return parse_fail(p, at, "behind a / each unit has its own, as in J/kg/K") != ML_NO_NODE;
    return parse_fail(p, at, "`%.*s` is neither an operator nor a unit",
                      length < ML_EXPR_NAME ? (int)length : ML_EXPR_NAME, at) != ML_NO_NODE;
}

static int parse_literal(struct parser *p)
{
    double value;
    const char *begin = p->at, *fault = ml_number_literal(&p->at, &value), *end = p->at;
    struct ml_si_unit unit;
    if (fault)
        return parse_fail(p, begin, "%s", fault);
    if (!parse_unit(p, &unit))
        return ML_NO_NODE;
    p->unit = ml_si_unit_plain(&unit);
    if (unit.is_known)
        value = ml_si_unit_value(begin, (size_t)(end - begin), &unit);
    else
        ml_number_degrees(&p->at, &value);
    if (!isfinite(value))
        return parse_fail(p, begin, "the number is too large");
    if (is_name_byte(*p->at))
        return parse_fail(p, p->at, "an operator is missing, such as *");
    if (!check_no_word(p))
        return ML_NO_NODE;
    return ml_graph_literal(p->graph, value);
}

/* The formula between parentheses, the first of which is taken. */
static int parse_inside(struct parser *p)
{
    if (++p->depth > ML_EXPR_DEEPEST)
        return parse_fail(p, p->at, "parentheses are nested more than %d deep", ML_EXPR_DEEPEST);
    const int node = parse_or(p);
    if (node != ML_NO_NODE && !parse_take(p, ")"))
        return parse_fail(p, p->at, "%s", no_operator(p) ? no_operator(p) : "`)` is missing");
    p->depth--;
    return node;
}

/* The n arguments of a function; false after a fault. */
static bool parse_arguments(struct parser *p, const char *name, int n, int *arg)
{
    if (!parse_take(p, "("))
        return parse_fail(p, p->at,
                          n == 1 ? "`(` is missing after %s, as in %s(t)"
                                 : "`(` is missing after %s",
                          name, name) != ML_NO_NODE;
    if (++p->depth > ML_EXPR_DEEPEST)
        return parse_fail(p, p->at, "parentheses are nested more than %d deep", ML_EXPR_DEEPEST) !=
               ML_NO_NODE;
    for (int i = 0; i < n; i++) {
        const bool is_dropped = p->is_dropped;
        bool is_first;
        if (i > 0 && strcmp(name, ml_ops[ML_OP_where].word) == 0 &&
            ml_graph_truth(p->graph, arg[0], &is_first))
            p->is_dropped = is_dropped || is_first == (i > 1);
        arg[i] = parse_or(p);
        p->is_dropped = is_dropped;
        if (arg[i] == ML_NO_NODE)
            return false;
        if (i + 1 == n && parse_take(p, ","))
            return parse_fail(p, p->at - 1, "%s takes %d argument%s, and another one follows", name,
                              n, n > 1 ? "s" : "") != ML_NO_NODE;
        if (!parse_take(p, i + 1 < n ? "," : ")"))
            return (foreign(p->at)
                        ? parse_fail(p, p->at, "%s", foreign(p->at))
                        : parse_fail(p, p->at, "%s takes %d argument%s: `%s` is missing", name, n,
                                     n > 1 ? "s" : "", i + 1 < n ? "," : ")")) != ML_NO_NODE;
    }
    p->depth--;
    return true;
}

/* A function whose name began at `begin`. */
static int parse_call(struct parser *p, const char *begin, enum ml_op op)
{
    int arg[ML_OP_MOST] = {ML_NO_NODE, ML_NO_NODE, ML_NO_NODE};
    return parse_arguments(p, ml_ops[op].word, ml_ops[op].n_argument, arg)
               ? parse_op(p, begin, op, arg[0], arg[1], arg[2])
               : ML_NO_NODE;
}

/* The answer of a callback, whose fault, if any, is of the name that began at `begin`. */
static int parse_answer(struct parser *p, const char *begin, int node)
{
    if (p->fault->what[0] && node == ML_NO_NODE)
        p->fault->at = (int)(begin - p->text);
    return node;
}

/* A function of the study's own. */
static int parse_own_call(struct parser *p, const char *begin, const char *name, int n)
{
    int arg[ML_EXPR_ARGUMENTS] = {0};
    if (!parse_arguments(p, name, n, arg))
        return ML_NO_NODE;
    for (int i = 0; i < n; i++)
        if (ml_op_is_truth(p->graph->nodes[arg[i]].op))
            return parse_fail(p, begin, "a comparison is not a number; write `where(a < b, 1, 0)`");
    return parse_answer(p, begin, p->names->call(p->names->context, name, arg, p->fault));
}

/* A formula of literals and indices whose value is whole; false after a fault, with the name
 * `what`. */
static bool parse_whole(struct parser *p, const char *what, double *out)
{
    const double most = 0x1p24;
    skip_blanks(p);
    const char *at = p->at;
    const int node = parse_or(p);
    if (node == ML_NO_NODE)
        return false;
    *out = p->graph->nodes[node].value;
    if (p->graph->nodes[node].op == ML_OP_LITERAL && *out == floor(*out) && fabs(*out) <= most)
        return true;
    (void)parse_fail(p, at, "%s must be a whole number that follows from numbers and indices alone",
                     what);
    return false;
}

/* NAME[index]; the bracket is taken. */
static int parse_entry(struct parser *p, const char *begin, const char *name)
{
    double index;
    skip_blanks(p);
    const char *end = p->at;
    while (is_name_byte(*end))
        end++;
    while (*end == ' ')
        end++;
    const bool is_computed = *end != ']';
    if (++p->depth > ML_EXPR_DEEPEST)
        return parse_fail(p, p->at, "brackets are nested more than %d deep", ML_EXPR_DEEPEST);
    if (!parse_whole(p, "an index", &index))
        return ML_NO_NODE;
    if (!parse_take(p, "]"))
        return parse_fail(p, p->at, "`]` is missing");
    p->depth--;
    if (!p->names || !p->names->entry)
        return parse_fail(p, begin, "there are no arrays here");
    return parse_answer(p, begin,
                        p->names->entry(p->names->context, name, index, is_computed, p->fault));
}

/* A name with its parts behind points, and the ' of a rate; false if it is too long. */
static bool take_name(struct parser *p, char name[ML_EXPR_NAME])
{
    const char *end = p->at;
    while (is_name_byte(*end) || (*end == '.' && is_name_byte(end[1])))
        end++;
    while (*end == '\'')
        end++;
    const size_t length = (size_t)(end - p->at);
    if (length >= ML_EXPR_NAME)
        return false;
    memcpy(name, p->at, length);
    name[length] = '\0';
    p->at = end;
    return true;
}

/* NAME(t - delay), whose name, of `node`, began at `begin`; the parenthesis is taken. */
static int parse_past(struct parser *p, const char *begin, int node)
{
    if (!p->names || !p->names->past)
        return parse_fail(p, p->at - 1, "an operator is wanted here, such as *");
    skip_blanks(p);
    const char *at = p->at;
    const bool is_t = parse_take(p, "t");
    if (is_t && parse_take(p, ")"))
        return parse_fail(p, at,
                          "`%.*s` is the value at the time t already; leave (t) out, or write a "
                          "product with *",
                          (int)strcspn(begin, " ("), begin);
    if (!is_t || !parse_take(p, "-"))
        return parse_fail(p, at,
                          "a product is written with *, and the value of a state a delay ago as "
                          "x(t - delay)");
    if (++p->depth > ML_EXPR_DEEPEST)
        return parse_fail(p, at, "parentheses are nested more than %d deep", ML_EXPR_DEEPEST);
    const int delay = parse_product(p);
    p->depth--;
    if (delay == ML_NO_NODE)
        return ML_NO_NODE;
    if (!parse_take(p, ")"))
        return parse_fail(p, p->at, "`)` is missing; a delay of several terms is x(t - (a + b))");
    return parse_answer(p, begin, p->names->past(p->names->context, node, delay, p->fault));
}

/* The node of a name that the study gives, or of an index; ML_NO_NODE without such a name, or after
 * a fault. */
static int parse_known(struct parser *p, const char *begin, const char *name)
{
    for (int i = p->n_loop - 1; i >= 0; i--)
        if (strcmp(p->loops[i].name, name) == 0) {
            p->is_indexed = true;
            return p->loops[i].node;
        }
    return p->names ? parse_answer(p, begin, p->names->find(p->names->context, name, p->fault))
                    : ML_NO_NODE;
}

/* Goes to the parenthesis that closes the one at hand, or to the end. */
static void skip_term(struct parser *p)
{
    for (int depth = 0; *p->at && (depth > 0 || *p->at != ')'); p->at++)
        depth += *p->at == '(' ? 1 : *p->at == ')' ? -1 : 0;
}

/* The terms of a sum or product, from the left; the index is loop->name. */
static int parse_terms(struct parser *p, enum ml_op op, struct loop *loop, double first,
                       double last)
{
    const int nothing = ml_graph_literal(p->graph, op == ML_OP_add ? 0.0 : 1.0);
    const char *body = p->at;
    int all = ML_NO_NODE;
    if (first > last) {
        skip_term(p);
        return nothing;
    }
    const long n = (long)(last - first);
    for (long k = 0; k <= n; k++) {
        p->at = body;
        loop->node = ml_graph_literal(p->graph, first + (double)k);
        const int term = parse_or(p);
        p->graph->cost += p->at - body;
        if (term != ML_NO_NODE && loop->n_reading * (double)(p->at - body) > ML_GRAPH_COST)
            return refuse_repeats(p, body);
        all = all == ML_NO_NODE || term == ML_NO_NODE
                  ? term
                  : parse_op(p, body, op, all, term, ML_NO_NODE);
        if (all == ML_NO_NODE)
            return ML_NO_NODE;
    }
    return all;
}

/* sum(i, first, last, term): its name began at `begin`. */
static int parse_loop(struct parser *p, const char *begin, const char *word, enum ml_op op)
{
    struct loop *loop = &p->loops[p->n_loop];
    double first, last;
    if (p->n_loop == ML_EXPR_LOOPS)
        return parse_fail(p, begin, "sums and products are nested more than %d deep",
                          ML_EXPR_LOOPS);
    if (!parse_take(p, "("))
        return parse_fail(p, p->at, "`(` is missing after %s", word);
    skip_blanks(p);
    const char *at = p->at;
    if (!isalpha((unsigned char)*at) || !take_name(p, loop->name) || strchr(loop->name, '.'))
        return parse_fail(p, at, "%s begins with the name of an index: %s(i, 1, 10, ...)", word,
                          word);
    if (parse_known(p, at, loop->name) != ML_NO_NODE || p->fault->what[0]) {
        p->fault->what[0] = '\0';
        return parse_fail(p, at, "`%s` is a name already; take another one for the index",
                          loop->name);
    }
    const bool was_indexed = p->is_indexed;
    p->is_indexed = false;
    if (!parse_take(p, ",") || !parse_whole(p, "the first index", &first) || !parse_take(p, ",") ||
        !parse_whole(p, "the last index", &last) || !parse_take(p, ","))
        return parse_fail(p, p->at,
                          "%s takes an index, its first and last value, and a formula, "
                          "as in %s(i, 1, 10, i^2): `,` is missing",
                          word, word);
    loop->n_reading = p->is_indexed ? 0.0 : last - first + 1.0;
    p->is_indexed |= was_indexed; /* of bounds that this sum stands in */
    if (p->n_loop > 0)
        loop->n_reading *= loop[-1].n_reading;
    p->n_loop++;
    p->depth++;
    const int node =
        p->depth > ML_EXPR_DEEPEST
            ? parse_fail(p, p->at, "parentheses are nested more than %d deep", ML_EXPR_DEEPEST)
            : parse_terms(p, op, loop, first, last);
    p->n_loop--;
    p->depth--;
    if (node != ML_NO_NODE && !parse_take(p, ")"))
        return parse_fail(p, p->at, "%s takes 4 arguments: `)` is missing", word);
    return node;
}

/* A name that formulas have whatever the study; ML_NO_NODE of another name, or after a fault. */
static int parse_word(struct parser *p, const char *begin, const char *name)
{
    for (int op = 0; op < ML_N_OP; op++)
        if (ml_ops[op].word[0] && strcmp(ml_ops[op].word, name) == 0)
            return parse_call(p, begin, (enum ml_op)op);
    if (strcmp(name, ML_EXPR_SUM) == 0)
        return parse_loop(p, begin, name, ML_OP_add);
    if (strcmp(name, ML_EXPR_PRODUCT) == 0)
        return parse_loop(p, begin, name, ML_OP_mul);
    return strcmp(name, "pi") == 0    ? ml_graph_literal(p->graph, pi)
           : strcmp(name, "deg") == 0 ? ml_graph_literal(p->graph, deg)
                                      : ML_NO_NODE;
}

static int parse_name(struct parser *p, char name[ML_EXPR_NAME])
{
    const char *begin = p->at;
    if (!take_name(p, name))
        return parse_fail(p, begin, "a name has at most %d characters", ML_EXPR_NAME - 1);
    const bool is_entry = parse_take(p, "[");
    int node = is_entry ? parse_entry(p, begin, name) : parse_known(p, begin, name);
    if (node != ML_NO_NODE && parse_take(p, "("))
        return parse_past(p, begin, node);
    if (is_entry)
        return node;
    const int n = p->names && p->names->arity ? p->names->arity(p->names->context, name) : -1;
    if (node == ML_NO_NODE && !p->fault->what[0])
        node = n >= 0 ? parse_own_call(p, begin, name, n) : parse_word(p, begin, name);
    if (node != ML_NO_NODE || p->fault->what[0])
        return node;
    const char *meant = foreign(begin);
    if (meant)
        return parse_fail(p, begin, "there is no `%s` here; %s", name, meant);
    if (strstr(name, "''"))
        return parse_fail(p, begin,
                          "there is no `%s` here; rates are of first order: make the rate a state, "
                          "or give `coordinates` with forces or energies",
                          name);
    if (strncmp(name, "define.", 7) == 0)
        return parse_fail(p, begin, "there is no `%s` here; names of `define` stand alone: `%s`",
                          name, name + 7);
    const char *nearest =
        p->names && p->names->nearest ? p->names->nearest(p->names->context, name) : NULL;
    return parse_fail(p, begin, "there is no `%s` here%s", name, ml_did_you_mean(nearest).text);
}

/* As far as it is known. */
static struct ml_si_unit unit_of(const struct parser *p, const char *name)
{
    const struct ml_expr_names *names = p->names;
    const char *unit = names && names->unit ? names->unit(names->context, name) : NULL;
    return unit ? ml_si_unit_of(unit) : (struct ml_si_unit){0};
}

static int parse_operand(struct parser *p)
{
    char name[ML_EXPR_NAME];
    skip_blanks(p);
    if (isdigit((unsigned char)*p->at) || (p->at[0] == '.' && isdigit((unsigned char)p->at[1])))
        return parse_literal(p);
    if (parse_take(p, "("))
        return parse_inside(p);
    if (isalpha((unsigned char)*p->at) || *p->at == '_') {
        const int node = parse_name(p, name);
        p->unit = node == ML_NO_NODE ? (struct ml_si_unit){0} : unit_of(p, name);
        return node;
    }
    const char *meant = (unsigned char)*p->at > 0x7f || *p->at == '|' ? foreign(p->at)
                        : p->at > p->text ? foreign(p->at - 1) /* behind * of ** */
                                          : NULL;
    return parse_fail(p, p->at, "%s",
                      !*p->at ? "the formula ends too early"
                      : meant ? meant
                              : "a number or a name is wanted here");
}

/* x^y, of some literal exponents by products and roots; from the right: a^b^c = a^(b^c). */
static int parse_power(struct parser *p)
{
    const int base = parse_operand(p);
    if (base == ML_NO_NODE || !parse_take(p, "^"))
        return base;
    const char *at = p->at;
    const struct ml_si_unit unit = p->unit, one = {.is_known = true};
    if (++p->depth > ML_EXPR_DEEPEST)
        return parse_fail(p, at, "powers are nested more than %d deep", ML_EXPR_DEEPEST);
    const int exponent = parse_signed(p);
    p->depth--;
    if (exponent == ML_NO_NODE)
        return ML_NO_NODE;
    if (p->unit.is_known && p->graph->nodes[exponent].op == ML_OP_LITERAL)
        return parse_fail(p, at, "an exponent has no unit");
    const struct ml_graph_node *of = &p->graph->nodes[base], *to = &p->graph->nodes[exponent];
    const bool is_whole = to->op == ML_OP_LITERAL && to->value == floor(to->value) &&
                          fabs(to->value) <= ML_POWER_MOST;
    p->unit = is_whole ? ml_si_unit_times(&one, &unit, (int)to->value) : (struct ml_si_unit){0};
    if (of->op == ML_OP_LITERAL && of->value == 0.0 && to->op == ML_OP_LITERAL && to->value < 0.0)
        return parse_fail(p, at, "division by zero");
    const bool is_plain = to->op == ML_OP_LITERAL && !ml_op_is_truth(of->op);
    const int power = is_plain ? ml_graph_power(p->graph, base, to->value) : ML_NO_NODE;
    return power != ML_NO_NODE ? parse_made(p, at, power)
                               : parse_op(p, at, ML_OP_pow, base, exponent, ML_NO_NODE);
}

static int parse_signed(struct parser *p)
{
    skip_blanks(p);
    const char *at = p->at;
    if (parse_take(p, "-"))
        return parse_op(p, at, ML_OP_neg, parse_power(p), ML_NO_NODE, ML_NO_NODE);
    (void)parse_take(p, "+");
    return parse_power(p);
}

/* Operators of one rank, from the left. */
struct rank {
    const char *token;
    enum ml_op op;
    bool is_turned; /* a > b is b < a */
    bool is_denied; /* a != b is not a == b */
};

/* The unit of an operation on values of two units; of sums and comparisons these must agree. */
static struct ml_si_unit combine(struct parser *p, const char *at, enum ml_op op,
                                 const struct ml_si_unit *a, const struct ml_si_unit *b)
{
    const bool is_sum = op == ML_OP_add || op == ML_OP_sub;
    char text[2][ML_SI_UNIT_TEXT], what[240];
    if (op == ML_OP_mul || op == ML_OP_div)
        return ml_si_unit_times(a, b, op == ML_OP_mul ? 1 : -1);
    if (!ml_si_unit_agrees(a, b) && p->names && p->names->doubt) {
        (void)snprintf(what, sizeof what, "%s of unlike units: %s and %s",
                       is_sum ? "a sum" : "a comparison", ml_si_unit_text(a, text[0]),
                       ml_si_unit_text(b, text[1]));
        p->names->doubt(p->names->context, (int)(at - p->text), what);
    }
    return !is_sum || !ml_si_unit_agrees(a, b) ? (struct ml_si_unit){0} : a->is_known ? *a : *b;
}

/* Whether a comparison is one of a number with itself, or of two that rounding alone tells apart,
 * which is then doubted; not where numbers may be NaN. */
static bool is_tie(struct parser *p, const char *at, enum ml_op op, int left, int right)
{
    if (!ml_op_is_truth(op) || ml_op_takes_truth(op, 0) || !p->names || p->names->may_be_nan ||
        (left != right && !ml_graph_is_same(p->graph, left, right)))
        return false;
    if (p->names->doubt)
        p->names->doubt(p->names->context, (int)(at - p->text),
                        left == right
                            ? "both sides are the same number, so that the comparison does not "
                              "change; compare different numbers"
                            : "both sides are the same number but for rounding, so that the "
                              "comparison does not change; compare different numbers");
    return true;
}

static int parse_rank(struct parser *p, int (*parse_next)(struct parser *), int n,
                      const struct rank *rank)
{
    int left = parse_next(p);
    while (left != ML_NO_NODE) {
        const struct ml_si_unit unit = p->unit;
        skip_blanks(p);
        const char *at = p->at;
        int i = 0;
        while (i < n && !parse_take(p, rank[i].token))
            i++;
        if (i == n)
            break;
        int right = parse_next(p);
        p->unit = combine(p, at, rank[i].op, &unit, &p->unit);
        if (is_tie(p, at, rank[i].op, left, right))
            left = right = ml_graph_literal(p->graph, 0.0);
        left = rank[i].is_turned ? parse_op(p, at, rank[i].op, right, left, ML_NO_NODE)
                                 : parse_op(p, at, rank[i].op, left, right, ML_NO_NODE);
        if (rank[i].is_denied)
            left = parse_op(p, at, ML_OP_not, left, ML_NO_NODE, ML_NO_NODE);
    }
    return left;
}

#define RANK(...)                             \
    const struct rank rank[] = {__VA_ARGS__}; \
    const int n = sizeof rank / sizeof *rank

static int parse_product(struct parser *p)
{
    RANK({"*", ML_OP_mul}, {"/", ML_OP_div});
    return parse_rank(p, parse_signed, n, rank);
}

static int parse_sum(struct parser *p)
{
    RANK({"+", ML_OP_add}, {"-", ML_OP_sub});
    return parse_rank(p, parse_product, n, rank);
}

static int parse_comparison(struct parser *p)
{
    RANK({"<=", ML_OP_at_most}, {">=", ML_OP_at_most, true}, {"<", ML_OP_less},
         {">", ML_OP_less, true}, {"==", ML_OP_equal}, {"!=", ML_OP_equal, false, true});
    return parse_rank(p, parse_sum, n, rank);
}

static int parse_not(struct parser *p)
{
    skip_blanks(p);
    const char *at = p->at;
    if (!parse_take(p, "not"))
        return parse_comparison(p);
    return parse_op(p, at, ML_OP_not, parse_comparison(p), ML_NO_NODE, ML_NO_NODE);
}

static int parse_and(struct parser *p)
{
    RANK({"and", ML_OP_and}, {"&&", ML_OP_and});
    return parse_rank(p, parse_not, n, rank);
}

static int parse_or(struct parser *p)
{
    RANK({"or", ML_OP_or}, {"||", ML_OP_or});
    return parse_rank(p, parse_and, n, rank);
}

int ml_expr_parse(struct ml_graph *graph, const char *text, const struct ml_expr_names *names,
                  struct ml_expr_fault *fault)
{
    return ml_expr_parse_in(graph, text, names, NULL, fault);
}

int ml_expr_parse_in(struct ml_graph *graph, const char *text, const struct ml_expr_names *names,
                     struct ml_si_unit *unit, struct ml_expr_fault *fault)
{
    *fault = (struct ml_expr_fault){0};
    struct parser p = {.graph = graph, .names = names, .text = text, .at = text, .fault = fault};
    const int node = parse_or(&p);
    skip_blanks(&p);
    const char *meant = no_operator(&p);
    if (unit)
        *unit = p.unit;
    if (node != ML_NO_NODE && *p.at)
        return parse_fail(&p, p.at, "%s",
                          meant          ? meant
                          : *p.at == ')' ? "this `)` has no `(`"
                                         : "an operator is wanted here");
    if (node == ML_NO_NODE && fault->what[0] == '\0')
        return parse_fail(&p, p.at, "out of memory");
    return node;
}
