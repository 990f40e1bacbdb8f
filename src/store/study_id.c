/* Hashes the resolved text of a study, and names the first line in which two of them differ. */
#include "store/study_id.h"

#include <stdbool.h>
#include <string.h>

#include "base/fail.h"
#include "yaml/text.h"

const char *ml_study_id_line(const char *text, char line[ML_STUDY_ID_LINE])
{
    size_t length = strcspn(text, "\n");
    length = length < ML_STUDY_ID_LINE ? length : ML_STUDY_ID_LINE - 1;
    memcpy(line, text, length);
    line[length] = '\0';
    ml_text_show(line, length);
    return line;
}

/* Bytes of a line with its end; 0: there is none. */
static size_t length_of(const char *line)
{
    size_t length = strcspn(line, "\n");
    return length + (line[length] == '\n');
}

static bool is_title(const char *line) { return strncmp(line, "title: ", 7) == 0; }

static bool is_same(const char *line, const char *other)
{
    size_t length = length_of(line);
    return (is_title(line) && is_title(other)) ||
           (length == length_of(other) && memcmp(line, other, length) == 0);
}

uint64_t ml_study_id_hash(const char *resolved)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t n; (n = length_of(resolved)) > 0; resolved += n)
        for (size_t i = 0; i < n && !is_title(resolved); i++)
            h = (h ^ (unsigned char)resolved[i]) * 0x100000001b3u;
    return h;
}

enum ml_status ml_study_id_compare(const char *path, const char *there, const char *here,
                                   const char *remedy, struct ml_error *err)
{
    char line_there[ML_STUDY_ID_LINE], line_here[ML_STUDY_ID_LINE];
    int line = 1;
    for (; is_same(there, here); line++) {
        if (!*there)
            return ML_OK;
        there += length_of(there);
        here += length_of(here);
    }
    return ml_fail(err, ML_E_OTHER_STUDY,
                   "%s: belongs to another study; its line %d, with every key filled in, is\n"
                   "    %s\nand here it is\n    %s\n%s",
                   path, line, ml_study_id_line(there, line_there),
                   ml_study_id_line(here, line_here), remedy);
}
