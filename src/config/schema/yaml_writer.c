/* Formats numbers, texts and matrices as canonical YAML into a growing buffer. */
#include "config/schema/yaml_writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "yaml/number.h"
#include "yaml/yaml.h"

void ml_write(struct ml_yaml_writer *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *more = ml_vformat(format, args);
    va_end(args);
    const size_t length = more ? strlen(more) : 0;
    w->is_short |= !more;
    if (w->used + length + 1 > w->size) {
        size_t size = 2 * (w->size + length + 1);
        char *text = realloc(w->text, size);
        w->is_short |= !text;
        w->text = text ? text : w->text;
        w->size = text ? size : w->size;
    }
    if (!w->is_short) {
        memcpy(w->text + w->used, more, length + 1);
        w->used += length;
    }
    free(more);
}

void ml_write_number(struct ml_yaml_writer *w, double value)
{
    char text[ML_NUMBER_TEXT];
    ml_write(w, "%s", ml_number_text(value, text));
}

void ml_write_text(struct ml_yaml_writer *w, const char *text)
{
    uint32_t code = 0;
    size_t left = strlen(text), n = 0;
    ml_write(w, "\"");
    for (; left > 0; text += n, left -= n) {
        n = ml_text_decode(text, left, &code);
        n = n > 0 ? n : 1;
        bool is_break = code < ' ' || code == 0x85 || code == 0x2028 || code == 0x2029;
        if (code == '"' || code == '\\')
            ml_write(w, "\\%c", (char)code);
        else if (is_break || !ml_text_is_printable(code))
            ml_write(w, "\\U%08X", (unsigned)code);
        else
            ml_write(w, "%.*s", (int)n, text);
    }
    ml_write(w, "\"");
}

void ml_write_matrix(struct ml_yaml_writer *w, int indent, const struct ml_param *array, int n,
                     const double *values)
{
    bool is_symmetric = array->flags & ML_SYMMETRIC;
    ml_write(w, "\n");
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (j == 0)
                ml_write(w, "%*s  - [", indent, "");
            else
                ml_write(w, ", ");
            ml_write_number(w, values[!is_symmetric ? i * n + j
                                      : i > j       ? ml_tri(i, j)
                                                    : ml_tri(j, i)]);
        }
        ml_write(w, "]\n");
    }
}
