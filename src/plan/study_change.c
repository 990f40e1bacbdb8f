/* Compares the resolved texts of two studies section by section: a section begins at a line without
 * indentation, with its key. */
#include "plan/study_change.h"

#include <string.h>

#include "config/schema/resolve.h"

/* Kinds of the changes in sections; other sections are ML_CHANGE_STUDY. */
static const struct section_kind {
    const char *key;
    unsigned change; /* 0: no result differs */
} section_kinds[] = {
    {"title", 0},
    {"show", 0},
    {"derived", 0}, /* compared by ml_study_id_check_derived */
    {"accuracy", 0},
    {"fit", 0},
    {"tune", 0},
    {"sweep", ML_CHANGE_RUNS},
    {"sample", ML_CHANGE_RUNS},
    {"analyse", ML_CHANGE_MEASURED},
    {"events", ML_CHANGE_MEASURED},
    {"save", ML_CHANGE_SAVED},
    {"quantities", ML_CHANGE_MEASURED},
};

static size_t line_length(const char *line)
{
    const size_t length = strcspn(line, "\n");
    return length + (line[length] == '\n');
}

/* Characters of a line without the comment behind a formula, which has its value, or from where to
 * where its values go in all runs. */
static size_t content_length(const char *line, size_t length)
{
    size_t content = length;
    for (size_t i = 0; i + 3 < length; i++)
        if (memcmp(line + i, " # ", 3) == 0 && strchr("-0123456789", line[i + 3]))
            content = i;
        else if (memcmp(line + i, "XXH3", 4) == 0) /* a checksum */
            return length;
    return content;
}

static bool is_same_line(const char *a, size_t n_a, const char *b, size_t n_b)
{
    if (n_a == 0 || n_b == 0)
        return n_a == n_b;
    const size_t own_a = content_length(a, n_a - 1), own_b = content_length(b, n_b - 1);
    return own_a == own_b && memcmp(a, b, own_a) == 0;
}

static size_t section_length(const char *section)
{
    size_t length = line_length(section);
    while (section[length] == ' ')
        length += line_length(section + length);
    return length;
}

static bool is_same_key(const char *a, const char *b)
{
    const size_t length = strcspn(a, ":\n");
    return length == strcspn(b, ":\n") && memcmp(a, b, length) == 0;
}

/* The section of a text with the key of another section; "" without it. */
static const char *section_find(const char *text, const char *key)
{
    while (*text && !is_same_key(text, key))
        text += section_length(text);
    return text;
}

static bool is_end_of_time(const char *line)
{
    static const char end[] = "  end: ";
    return strncmp(line, end, sizeof end - 1) == 0;
}

static unsigned section_change(const char *section, const char *there, const char *here)
{
    if (is_same_key(section, "time:") && is_end_of_time(there) && is_end_of_time(here))
        return ML_CHANGE_END;
    for (size_t i = 0; i < sizeof section_kinds / sizeof *section_kinds; i++)
        if (is_same_key(section, section_kinds[i].key))
            return section_kinds[i].change;
    return ML_CHANGE_STUDY;
}

static void note_change(struct ml_study_difference *difference, unsigned change, const char *there,
                        const char *here)
{
    if (change > difference->changes) {
        (void)ml_study_id_line(there, difference->there);
        (void)ml_study_id_line(here, difference->here);
    }
    difference->changes |= change;
}

/* Compares two sections of one key, each up to its end; one may be "". */
static void compare_sections(const char *a, const char *b, struct ml_study_difference *difference)
{
    const char *section = *a ? a : b;
    const char *end_a = a + (*a ? section_length(a) : 0), *end_b = b + (*b ? section_length(b) : 0);
    while (a < end_a || b < end_b) {
        const size_t n_a = a < end_a ? line_length(a) : 0, n_b = b < end_b ? line_length(b) : 0;
        if (!is_same_line(a, n_a, b, n_b)) {
            const char *there = n_a > 0 ? a : "", *here = n_b > 0 ? b : "";
            note_change(difference, section_change(section, there, here), there, here);
        }
        a += n_a;
        b += n_b;
    }
}

struct ml_study_difference ml_study_difference(const char *there, const char *here)
{
    struct ml_study_difference difference = {0};
    for (const char *a = there; *a; a += section_length(a))
        compare_sections(a, section_find(here, a), &difference);
    for (const char *b = here; *b; b += section_length(b))
        if (!*section_find(there, b))
            compare_sections("", b, &difference);
    return difference;
}

static int find_value(const struct ml_study_spec *spec, const char *path)
{
    int i = 0;
    while (i < spec->numbers.n && strcmp(spec->numbers.names[i], path) != 0)
        i++;
    return i < spec->numbers.n ? i : -1;
}

/* Copies the numbers of `other` that an axis of `of` moves. */
static void take_swept(const struct ml_study_spec *of, const struct ml_study_spec *other,
                       struct ml_study_spec *spec)
{
    for (int k = 0; k < of->runs.n_axis; k++)
        for (int m = 0; m < of->runs.axes[k].n_swept; m++) {
            const int from = find_value(other, of->runs.axes[k].swept[m].path);
            const int to = find_value(spec, of->runs.axes[k].swept[m].path);
            if (from >= 0 && to >= 0)
                spec->numbers.base[to] = other->numbers.base[from];
        }
}

const char *ml_study_resolved_as(const struct ml_study *study, const struct ml_study *other)
{
    struct ml_study_spec spec = study->spec;
    spec.numbers.base =
        ml_pool_take(spec.pool, (size_t)spec.numbers.n + 1, sizeof *spec.numbers.base);
    if (!spec.numbers.base)
        return NULL;
    memcpy(spec.numbers.base, study->spec.numbers.base,
           (size_t)spec.numbers.n * sizeof *spec.numbers.base);
    take_swept(&study->spec, &other->spec, &spec);
    take_swept(&other->spec, &other->spec, &spec);
    return ml_resolve(&spec, spec.indicators.settings, 0.0);
}
