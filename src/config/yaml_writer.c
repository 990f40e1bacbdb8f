/* Formats numbers, texts, parameters and matrices as canonical YAML into a growing buffer. */
#include "config/yaml_writer.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simd/layout.h"
#include "yaml/number.h"
#include "yaml/text.h"

void ml_put(struct ml_yaml_writer *w, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (w->used + (size_t)length + 1 > w->size) {
        size_t size = 2 * (w->size + (size_t)length + 1);
        char *text = realloc(w->text, size);
        w->is_short |= !text;
        w->text = text ? text : w->text;
        w->size = text ? size : w->size;
    }
    if (!w->is_short) {
        (void)vsnprintf(w->text + w->used, w->size - w->used, format, args);
        w->used += (size_t)length;
    }
    va_end(args);
}

void ml_put_number(struct ml_yaml_writer *w, double value)
{
    char text[ML_NUMBER_TEXT];
    ml_put(w, "%s", ml_number_text(value, text));
}

void ml_put_text(struct ml_yaml_writer *w, const char *text)
{
    uint32_t code = 0;
    size_t left = strlen(text), n = 0;
    ml_put(w, "\"");
    for (; left > 0; text += n, left -= n) {
        n = ml_text_decode(text, left, &code);
        n = n > 0 ? n : 1;
        bool is_break = code < ' ' || code == 0x85 || code == 0x2028 || code == 0x2029;
        if (code == '"' || code == '\\')
            ml_put(w, "\\%c", (char)code);
        else if (is_break || !ml_text_is_printable(code))
            ml_put(w, "\\U%08X", (unsigned)code);
        else
            ml_put(w, "%.*s", (int)n, text);
    }
    ml_put(w, "\"");
}

/* "# com: 0.5 (derived: length/2)" */
static void yaml_writer_put_derived(struct ml_yaml_writer *w, const char *indent,
                                    const struct ml_param *param, double value)
{
    const char *how = w->source ? w->source : param->rule;
    ml_put(w, "%s# %s: ", indent, param->name);
    if (isnan(value)) {
        ml_put(w, "none\n");
        return;
    }
    ml_put_number(w, value);
    ml_put(w, " (derived%s%s)\n", how ? ": " : "", how ? how : "");
}

static int yaml_writer_find_param(const struct ml_param *params, int n, const char *name,
                                  size_t length, char component)
{
    for (int i = 0; i < n; i++)
        if (strncmp(params[i].name, name, length) == 0 && params[i].name[length] == '.' &&
            params[i].name[length + 1] == component)
            return i;
    return -1;
}

/* A vector of which some number is given; the others are derived. */
static void put_vector(struct ml_yaml_writer *w, const char *indent, const char *name,
                       const double *derived, int x, int y)
{
    ml_put(w, "%s%s: [", indent, name);
    ml_put_number(w, derived[x]);
    ml_put(w, ", ");
    ml_put_number(w, derived[y]);
    ml_put(w, "]\n");
}

void ml_put_param(struct ml_yaml_writer *w, const char *indent, const struct ml_param *params,
                  int n, int i, const double *given, const double *derived)
{
    const char *name = params[i].name;
    const size_t length = strcspn(name, ".");
    const int x = yaml_writer_find_param(params, n, name, length, 'x');
    const int y = yaml_writer_find_param(params, n, name, length, 'y');
    const bool is_component = name[length] == '.';
    const bool is_vector = x >= 0 && y >= 0 && !(isnan(given[x]) && isnan(given[y]));
    if (is_component && (is_vector || isnan(derived[i])))
        return; /* written with its vector, or of one that is not there */
    if (is_vector) {
        put_vector(w, indent, name, derived, x, y);
    } else if (isnan(given[i])) {
        yaml_writer_put_derived(w, indent, &params[i], derived[i]);
    } else if (!is_component) {
        ml_put(w, "%s%s: ", indent, name);
        ml_put_number(w, given[i]);
        ml_put(w, "\n");
    }
}

void ml_put_params(struct ml_yaml_writer *w, const char *indent, enum ml_map_location place,
                   const struct ml_param *params, int n, const double *given, const double *derived)
{
    for (int i = 0; i < n; i++)
        if (!params[i].group && ml_param_is_of_start(&params[i]) == (place == ML_AT_START))
            ml_put_param(w, indent, params, n, i, given, derived);
}

void ml_put_matrix(struct ml_yaml_writer *w, const char *indent, const struct ml_param *array,
                   int n, const double *values)
{
    bool is_symmetric = array->flags & ML_SYMMETRIC;
    ml_put(w, "%s%s:\n", indent, array->name);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (j == 0)
                ml_put(w, "%s  - [", indent);
            else
                ml_put(w, ", ");
            ml_put_number(w, values[!is_symmetric ? i * n + j
                                    : i > j       ? ml_tri(i, j)
                                                  : ml_tri(j, i)]);
        }
        ml_put(w, "]\n");
    }
}
