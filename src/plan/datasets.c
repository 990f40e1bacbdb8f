/* The rows of plan/datasets.def. */
#include "plan/datasets.h"

#include <string.h>

#include "analysis/indicator.h"

/* Dimensions by their names in the rows. */
enum {
    NONE,
#define ML_DATASET(id, path, type, unit, dims, doc) id,
#include "plan/datasets.def"
#undef ML_DATASET
    RUNS,
    GRID,
    AXES,
    OWN
};
#define ALONG(...)  \
    {               \
        __VA_ARGS__ \
    }

static const struct ml_dataset_row rows[ML_N_DATASET] = {
    {.path = ""},
#define ML_DATASET(id, path, type, unit, dims, doc) {path, ML_DATA_##type, unit, ALONG dims, doc},
#include "plan/datasets.def"
#undef ML_DATASET
};

_Static_assert((int)ML_DATA_SEGMENT == (int)ML_DIM_SEGMENT &&
                   (int)ML_DATA_PARAMETER == (int)ML_DIM_PARAMETER && (int)ML_ALONG_OWN == (int)OWN,
               "the first rows are those of enum ml_dim, and dimensions have the numbers of rows");

const struct ml_dataset_row *ml_dataset(enum ml_dataset dataset) { return &rows[dataset]; }

const char *ml_dataset_name(enum ml_dataset dataset)
{
    const char *slash = strrchr(rows[dataset].path, '/');
    return slash ? slash + 1 : rows[dataset].path;
}

int ml_dataset_group(enum ml_dataset dataset)
{
    const char *slash = strrchr(rows[dataset].path, '/');
    return slash ? (int)(slash - rows[dataset].path) : 0;
}

bool ml_dataset_is_scale(enum ml_dataset dataset)
{
    const int dim = rows[dataset].dims[0];
    return dim > NONE && dim < ML_N_DATASET &&
           strcmp(ml_dataset_name((enum ml_dataset)dim), ml_dataset_name(dataset)) == 0;
}

bool ml_dataset_is_run_column(const char *name)
{
    enum ml_dataset column = ML_DATA_RUN;
    while (column <= ML_DATA_RUNS_STEPS && strcmp(ml_dataset_name(column), name) != 0)
        column++;
    return column <= ML_DATA_RUNS_STEPS;
}
