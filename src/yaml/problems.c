/* Collects problems with their location, sorts them and formats line and caret. */
#include "yaml/problems.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "manylink/fail.h"

struct ml_problem {
    struct ml_location location;
    int order; /* of finding */
    const char *text;
    struct ml_problem *next;
};

/* Copy of `length` bytes that is safe to show. */
static char *shown(struct ml_pool *pool, const char *text, size_t length)
{
    char *copy = ml_pool_text(pool, text, length);
    if (copy)
        ml_text_show(copy, length);
    return copy;
}

/* Whether a problem with that text was reported at that place. */
static bool is_reported(const struct ml_problems *problems, struct ml_location at, const char *text)
{
    for (const struct ml_problem *p = problems->first; p; p = p->next)
        if (p->location.option == at.option && p->location.line == at.line &&
            p->location.column == at.column && strcmp(p->text, text) == 0)
            return true;
    return false;
}

void ml_problem_va(struct ml_problems *problems, struct ml_location location, const char *format,
                   va_list args)
{
    enum { LONGEST = 1000 };
    char text[LONGEST];
    (void)vsnprintf(text, sizeof text, format, args);
    const char *copy = shown(problems->pool, text, strlen(text));
    if (copy && problems->count < ML_PROBLEMS_SHOWN && is_reported(problems, location, copy)) {
        problems->count++;
        problems->n_repeated++;
        return;
    }
    struct ml_problem *problem = ml_pool_take(problems->pool, 1, sizeof *problem);
    problems->count++;
    if (!problem || !copy)
        return;
    *problem = (struct ml_problem){location, problems->count, copy, NULL};
    if (problems->last)
        problems->last->next = problem;
    else
        problems->first = problem;
    problems->last = problem;
}

void ml_problem(struct ml_problems *problems, struct ml_location location, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ml_problem_va(problems, location, format, args);
    va_end(args);
}

static int problems_compare(const void *a, const void *b)
{
    const struct ml_problem *p = *(struct ml_problem *const *)a,
                            *q = *(struct ml_problem *const *)b;
    if (p->location.option != q->location.option)
        return p->location.option - q->location.option;
    if (p->location.line != q->location.line)
        return p->location.line - q->location.line;
    if (p->location.column != q->location.column)
        return p->location.column - q->location.column;
    return p->order - q->order;
}

/* Start and length of a 1-based line without its end; NULL past the last. */
static const char *find_line(const char *text, size_t length, int line, size_t *line_length)
{
    const char *end = text + length;
    while (--line > 0) {
        const char *newline = text < end ? memchr(text, '\n', (size_t)(end - text)) : NULL;
        if (!newline)
            return NULL;
        text = newline + 1;
    }
    const char *newline = text < end ? memchr(text, '\n', (size_t)(end - text)) : NULL;
    *line_length = (size_t)((newline ? newline : end) - text);
    if (*line_length > 0 && text[*line_length - 1] == '\r')
        --*line_length;
    return text;
}

static bool problems_is_inside(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
} /* a character */

/* Bytes of the first `characters` characters of a text, at most `length`. */
static size_t bytes_of(const char *text, size_t length, int characters)
{
    size_t bytes = 0;
    while (bytes < length && (characters > 0 || problems_is_inside(text[bytes]))) {
        if (!problems_is_inside(text[bytes]))
            characters--;
        bytes++;
    }
    return bytes;
}

/* Blanks as wide as `text`: tabs stay tabs. */
static char *blanks(struct ml_pool *pool, const char *text, size_t length)
{
    char *copy = ml_pool_take(pool, length + 1, 1);
    size_t n = 0;
    for (size_t i = 0; copy && i < length; i++)
        if (!problems_is_inside(text[i]))
            copy[n++] = text[i] == '\t' ? '\t' : ' ';
    return copy;
}

/* "    source line\n    ^\n", a window of the line if it is long; "" if the line is empty. */
static const char *excerpt(const struct ml_problems *problems, struct ml_location location)
{
    enum { LONG_COLUMN = 100, BEFORE = 60, SHOWN = 120 };
    size_t length = 0;
    const int number = location.line - problems->lines_before;
    const char *line =
        number > 0 ? find_line(problems->text, problems->length, number, &length) : NULL;
    if (!line || length == 0)
        return "";
    int hidden = location.column > LONG_COLUMN ? location.column - BEFORE : 0;
    size_t cut = bytes_of(line, length, hidden);
    line += cut;
    length = bytes_of(line, length - cut, SHOWN);
    size_t before = bytes_of(line, length, location.column - hidden - 1);
    const char *source = shown(problems->pool, line, length);
    const char *indent = blanks(problems->pool, line, before);
    if (!source || !indent)
        return "";
    const char *text = ml_pool_format(problems->pool, "    %s\n    %s^\n", source, indent);
    return text ? text : "";
}

const char *ml_location_text(const struct ml_problems *problems, struct ml_location location)
{
    const char *override = location.option > 0 ? problems->overrides[location.option - 1] : NULL;
    const char *given = override ? shown(problems->pool, override, strlen(override)) : NULL;
    const char *text =
        override
            ? ml_pool_format(problems->pool, "%s%s", problems->option, given ? given : "")
            : ml_pool_format(problems->pool, "line %d, column %d", location.line, location.column);
    return text ? text : "";
}

const char *ml_problem_place(const struct ml_problems *problems, struct ml_location location)
{
    const char *text =
        location.option > 0
            ? ml_pool_format(problems->pool, "%s: ", ml_location_text(problems, location))
        : location.line > 0 ? ml_pool_format(problems->pool, "%s:%d:%d: ", problems->name,
                                             location.line, location.column)
                            : ml_pool_format(problems->pool, "%s: ", problems->name);
    return text ? text : "";
}

static void problems_report(const struct ml_problems *problems, const struct ml_problem *problem,
                            struct ml_error *err)
{
    const struct ml_location location = problem->location;
    const bool is_override = location.option > 0;
    (void)ml_fail(err, ML_E_INPUT, "%s%s%s%s", ml_problem_place(problems, location), problem->text,
                  is_override ? "" : "\n", is_override ? "" : excerpt(problems, location));
}

/* [problems->count + 1] in the order of the file, NULL after the last; NULL without memory. */
static const struct ml_problem **sorted_problems(const struct ml_problems *problems)
{
    const struct ml_problem **sorted =
        ml_pool_take(problems->pool, (size_t)problems->count + 1, sizeof(struct ml_problem *));
    int n = 0;
    for (const struct ml_problem *p = problems->first; p && sorted; p = p->next)
        sorted[n++] = p;
    if (n > 0)
        qsort(sorted, (size_t)n, sizeof(struct ml_problem *), problems_compare);
    return sorted;
}

const char **ml_problems_lines(const struct ml_problems *problems, const char *label,
                               struct ml_pool *pool)
{
    const struct ml_problem **sorted = sorted_problems(problems);
    const char **lines = ml_pool_take(pool, (size_t)problems->count + 1, sizeof *lines);
    for (int i = 0; lines && sorted && sorted[i]; i++)
        lines[i] = ml_pool_format(pool, "%s%s%s", ml_problem_place(problems, sorted[i]->location),
                                  label, sorted[i]->text);
    return lines;
}

void ml_problems_join(struct ml_problems *problems, struct ml_problems *of_other)
{
    while (problems->next)
        problems = problems->next;
    problems->next = of_other;
}

bool ml_problems_there(const struct ml_problems *problems)
{
    while (problems && problems->count == 0)
        problems = problems->next;
    return problems != NULL;
}

/* Reports the problems of one file. */
static void report_file(const struct ml_problems *problems, struct ml_error *err)
{
    const struct ml_problem **sorted = sorted_problems(problems);
    int n = 0;
    for (; sorted && sorted[n]; n++)
        if (n < ML_PROBLEMS_SHOWN)
            problems_report(problems, sorted[n], err);
    const int count = problems->count - problems->n_repeated;
    if (count > ML_PROBLEMS_SHOWN || n == 0)
        (void)ml_fail(err, ML_E_INPUT, "%s: and %d more problems", problems->name,
                      count - (n < ML_PROBLEMS_SHOWN ? n : ML_PROBLEMS_SHOWN));
}

enum ml_status ml_problems_report(const struct ml_problems *problems, struct ml_error *err)
{
    int count = 0;
    for (const struct ml_problems *file = problems; file; file = file->next) {
        if (file->count > 0)
            report_file(file, err);
        count += file->count - file->n_repeated;
    }
    if (err && count > 0)
        err->count = count;
    return count > 0 ? ML_E_INPUT : ML_OK;
}
