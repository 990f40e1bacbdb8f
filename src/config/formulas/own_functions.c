/* The heads of functions that a study gives as formulas. */
#include "config/formulas/names.h"

#include <string.h>

/* A word up to one of the bytes in `ends`, without blanks around it; NULL without memory. `at`
 * moves to the byte that ends the word, NUL at the end of the text. */
static const char *head_word(struct ml_reader *r, const char **at, const char *ends)
{
    const char *begin = *at + strspn(*at, " ");
    size_t length = strcspn(begin, ends);
    *at = begin + length;
    while (length > 0 && begin[length - 1] == ' ')
        length--;
    return ml_pool_text(r->pool, begin, length);
}

static bool has_argument(const struct ml_name *function, const char *name)
{
    for (int i = 0; i < function->n_arg; i++)
        if (strcmp(function->args[i], name) == 0)
            return true;
    return false;
}

/* False if the head is not of the form "f(x, k)", or has too many arguments. */
static bool read_head(struct ml_reader *r, const char **args, struct ml_name *out)
{
    const char *at = out->place->key;
    out->name = head_word(r, &at, "(");
    if (!out->name || !ml_is_formula_name(out->name) || *at != '(')
        return false;
    do {
        at++;
        const char *name = head_word(r, &at, ",)");
        if (!name || !ml_is_formula_name(name) || out->n_arg == ML_EXPR_ARGUMENTS ||
            has_argument(out, name))
            return false;
        args[out->n_arg++] = name;
    } while (*at == ',');
    return *at == ')' && at[1 + strspn(at + 1, " ")] == '\0';
}

bool ml_read_function_head(struct ml_reader *r, const struct ml_node *place, struct ml_name *out)
{
    const char **args = ml_pool_take(r->pool, ML_EXPR_ARGUMENTS, sizeof *args);
    *out = (struct ml_name){.place = place, .args = args, .is_formula = true, .node = ML_NO_NODE};
    if (!args || read_head(r, args, out))
        return args != NULL;
    ml_problem(&r->problems, place->key_location,
               "%s is not the head of a function, such as f(x, k): a name, then 1 to %d different "
               "names in parentheses",
               ml_quote(r->pool, place->key), (int)ML_EXPR_ARGUMENTS);
    return false;
}
