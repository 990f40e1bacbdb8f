#include "store/identity.h"

#include <string.h>

#include "base/fail.h"

enum { SHOWN = 160 }; /* bytes of a line that are quoted */

static int shown(const char *line)
{
    size_t length = strcspn(line, "\n");
    return length < SHOWN ? (int)length : SHOWN;
}

enum ml_status ml_identity_compare(const char *path, const char *there, const char *here,
                                   struct ml_error *err)
{
    size_t line_start = 0;
    int line = 1;
    for (size_t i = 0; there[i] == here[i]; i++) {
        if (!there[i])
            return ML_OK;
        if (there[i] == '\n') {
            line_start = i + 1;
            line++;
        }
    }
    there += line_start;
    here += line_start;
    return ml_fail(err, ML_E_OTHER_STUDY,
                   "%s: belongs to another study; its line %d, with every key filled in, is\n"
                   "    %.*s\nand here it is\n    %.*s\nGive another name with -o, or remove it",
                   path, line, shown(there), there, shown(here), here);
}
