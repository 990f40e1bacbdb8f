/* Names of the datasets of every run. */
#include "base/run_columns.h"

#include <stddef.h>
#include <string.h>

const char *const ml_run_columns[] = {"run", ML_RUN_OUTCOME, ML_RUN_END_TIME, ML_RUN_STEPS, NULL};

bool ml_is_run_column(const char *name)
{
    int i = 0;
    while (ml_run_columns[i] && strcmp(ml_run_columns[i], name) != 0)
        i++;
    return ml_run_columns[i] != NULL;
}
