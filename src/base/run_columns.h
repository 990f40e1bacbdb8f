/* Datasets of /study/runs that are neither swept nor drawn. */
#ifndef ML_BASE_RUN_COLUMNS_H
#define ML_BASE_RUN_COLUMNS_H

#include <stdbool.h>

#define ML_RUN_OUTCOME "outcome"
#define ML_RUN_END_TIME "end_time"
#define ML_RUN_STEPS "steps"

/* Their names, and NULL behind them. */
extern const char *const ml_run_columns[];
bool ml_is_run_column(const char *name);

#endif
