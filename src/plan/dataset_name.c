/* See dataset_name.h. */
#include "plan/dataset_name.h"

#include <stdio.h>
#include <string.h>

void ml_name_replace_slashes(char *name)
{
    for (char *c = name; *c; c++)
        if (*c == '/')
            *c = '|';
}

void ml_name_append(char name[ML_NAME_LENGTH], const char *label)
{
    const size_t used = strlen(name);
    (void)snprintf(name + used, ML_NAME_LENGTH - used, used > 0 ? ".%s" : "%s", label);
    ml_name_replace_slashes(name + used);
}
