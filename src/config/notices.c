/* Notices share the places, the order and the form of problems, but do not stop the reading. */
#include "config/notices.h"

#include <stdarg.h>

void ml_notice(struct ml_reader *r, struct ml_location location, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ml_problem_va(&r->notices, location, format, args);
    va_end(args);
}

const char **ml_notices_list(const struct ml_reader *r, struct ml_pool *pool)
{
    return ml_problems_lines(&r->notices, "note: ", pool);
}
