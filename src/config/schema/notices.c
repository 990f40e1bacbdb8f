/* Notices share the places, the order and the form of problems, but do not stop the reading. */
#include "config/schema/reader.h"

#include <stdarg.h>

void ml_notice(struct ml_reader *r, struct ml_location location, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ml_problem_va(&r->notices, location, format, args);
    va_end(args);
}

/* The place `at` bytes behind the start of a text. */
static struct ml_location location_in(const struct ml_node *place, int at)
{
    struct ml_location location = place->location;
    if ((place->is_plain || place->inset) && location.option == 0)
        location.column += place->inset + at;
    return location;
}

void ml_report_text(struct ml_reader *r, const struct ml_node *place, const char *key, int at,
                    const char *what)
{
    if (!place->is_made || r->problems.count == 0) /* else the formulas that it names are wrong */
        ml_problem(&r->problems, location_in(place, at), "%s is %s: %s", key,
                   ml_quote(r->pool, place->text), what);
}

struct ml_told_doubt {
    const struct ml_node *place;
    int at;
    struct ml_told_doubt *next;
};

void ml_notice_formula(struct ml_reader *r, const struct ml_node *place, int at, const char *what)
{
    struct ml_told_doubt *own = ml_pool_take(r->pool, 1, sizeof *own);
    for (const struct ml_told_doubt *told = r->doubts; told; told = told->next)
        if (told->place == place && told->at == at)
            return;
    if (!own)
        return;
    *own = (struct ml_told_doubt){place, at, r->doubts};
    r->doubts = own;
    ml_notice(r, location_in(place, at), "%s is %s: %s", place->key, ml_quote(r->pool, place->text),
              what);
}

const char **ml_notices_list(const struct ml_reader *r, struct ml_pool *pool)
{
    return ml_problems_lines(&r->notices, "note: ", pool);
}
