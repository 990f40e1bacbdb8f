/* Formats the message of an error and gives the text of a status code. */
#include "manylink/fail.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

const char *ml_status_text(enum ml_status status)
{
    switch (status) {
#define X(code, value, text) \
    case code:               \
        return text;
        ML_STATUS_LIST(X)
#undef X
    }
    return "unknown status";
}

void ml_error_clear(struct ml_error *error)
{
    if (!error)
        return;
    free(error->text);
    *error = (struct ml_error){0};
}

/* Appends to err->text; when memory is short the count still tells that something was lost. */
static void fail_append(struct ml_error *err, const char *format, va_list args)
{
    char *more = ml_text_escape(ml_vformat(format, args)); /* it may quote a file */
    const size_t old = err->text ? strlen(err->text) : 0, length = more ? strlen(more) : 0;
    char *text = more ? realloc(err->text, old + length + 2) : NULL;
    if (text) {
        memcpy(text + old, more, length + 1);
        if (length == 0 || more[length - 1] != '\n')
            memcpy(text + old + length, "\n", 2);
        err->text = text;
    }
    free(more);
}

enum ml_status ml_fail(struct ml_error *err, enum ml_status status, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        fail_append(err, format, args);
        va_end(args);
        if (err->count++ == 0)
            err->status = status;
    }
    return status;
}
