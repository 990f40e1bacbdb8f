#include "base/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    free(error->text);
    *error = (struct ml_error){0};
}

/* Appends to err->text; when memory is short the count still tells that something was lost. */
static void append(struct ml_error *err, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    size_t old = err->text ? strlen(err->text) : 0;
    char *text = length < 0 ? NULL : realloc(err->text, old + (size_t)length + 2);
    if (!text)
        return;
    (void)vsnprintf(text + old, (size_t)length + 1, format, args);
    if (length == 0 || text[old + (size_t)length - 1] != '\n')
        memcpy(text + old + length, "\n", 2);
    err->text = text;
}

enum ml_status ml_fail(struct ml_error *err, enum ml_status status, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        append(err, format, args);
        va_end(args);
        if (err->count++ == 0)
            err->status = status;
    }
    return status;
}
