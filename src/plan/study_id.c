/* Identity of studies by their resolved texts: hashes them, and names the first line in which two
 * texts differ. */
#include "plan/study_id.h"

#include <string.h>

#include "config/schema/resolve.h"
#include "manylink/fail.h"
#include "yaml/yaml.h"

const char *ml_study_id_line(const char *text, char line[ML_STUDY_ID_LINE])
{
    size_t length = strcspn(text, "\n");
    length = length < ML_STUDY_ID_LINE ? length : ML_STUDY_ID_LINE - 1;
    memcpy(line, text, length);
    line[length] = '\0';
    ml_text_show(line, length);
    return line;
}

/* Bytes of a line with its end; 0: no such line. */
static size_t length_of(const char *line)
{
    size_t length = strcspn(line, "\n");
    return length + (line[length] == '\n');
}

/* Whether the keys of the study end here: the following lines are derived. */
static bool is_end(const char *line)
{
    return !*line || strncmp(line, ML_DERIVED_LINE, sizeof ML_DERIVED_LINE - 1) == 0;
}

static bool is_title(const char *line) { return strncmp(line, "title: ", 7) == 0; }

static bool study_id_is_same(const char *line, const char *other)
{
    size_t length = length_of(line);
    return (is_title(line) && is_title(other)) ||
           (length == length_of(other) && memcmp(line, other, length) == 0);
}

uint64_t ml_study_id_hash(const char *resolved)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t n; !is_end(resolved); resolved += n) {
        n = length_of(resolved);
        for (size_t i = 0; i < n && !is_title(resolved); i++)
            h = (h ^ (unsigned char)resolved[i]) * 0x100000001b3u;
    }
    return h;
}

/* The derived lines; "" of a text without a line `derived`. */
static const char *derived_of(const char *text)
{
    while (!is_end(text))
        text += length_of(text);
    return text + (*text ? sizeof ML_DERIVED_LINE - 1 : 0);
}

/* Skips lines that are equal in two texts, up to the derived lines; returns their number. */
static int skip_same(const char **there, const char **here)
{
    int n = 0;
    for (; !is_end(*there) && !is_end(*here) && study_id_is_same(*there, *here); n++) {
        *there += length_of(*there);
        *here += length_of(*here);
    }
    return n;
}

enum ml_status ml_study_id_check(const char *path, const char *there, const struct ml_study *study,
                                 const char *remedy, struct ml_error *err)
{
    char line_there[ML_STUDY_ID_LINE], line_here[ML_STUDY_ID_LINE];
    const char *a = there, *b = study->resolved, *filled_a = there, *filled_b = study->filled;
    int n = skip_same(&a, &b);
    const int n_filled = filled_b ? skip_same(&filled_a, &filled_b) : 0;
    const bool is_apart = *derived_of(there) || !study->filled;
    if (is_apart ? n_filled > n : n_filled >= n) { /* the form that the text there has */
        n = n_filled;
        a = filled_a;
        b = filled_b;
    }
    if (is_end(a) && is_end(b))
        return ML_OK;
    return ml_fail(err, ML_E_OTHER_STUDY,
                   "%s: belongs to another study; its line %d, with every key filled in, is\n"
                   "    %s\nand here it is\n    %s\n%s",
                   path, n + 1, ml_study_id_line(a, line_there), ml_study_id_line(b, line_here),
                   remedy);
}

/* Length of a line without its comment on the derivation. */
static size_t length_of_value(const char *line) { return strcspn(line, "#\n"); }

enum ml_status ml_study_id_check_derived(const char *path, const char *there,
                                         const struct ml_study *study, const char *remedy,
                                         struct ml_error *err)
{
    char line_there[ML_STUDY_ID_LINE], line_here[ML_STUDY_ID_LINE];
    const char *a = derived_of(there), *b = derived_of(study->resolved);
    if (!*a)
        return ML_OK;
    for (; *a || *b; a += length_of(a), b += length_of(b)) {
        const size_t length = length_of_value(a);
        if (length != length_of_value(b) || memcmp(a, b, length) != 0)
            return ml_fail(err, ML_E_OTHER_STUDY,
                           "%s: is of this study, but its derived values are\n    %s\n"
                           "and here it is\n    %s\n%s",
                           path, ml_study_id_line(a, line_there), ml_study_id_line(b, line_here),
                           remedy);
    }
    return ML_OK;
}
