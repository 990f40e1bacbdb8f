/* Datasets of results as rows: paths, types, units, dimensions, descriptions. */
#ifndef ML_PLAN_DATASETS_H
#define ML_PLAN_DATASETS_H

#include <stdbool.h>

enum ml_dataset {
    ML_DATA_NONE,
#define ML_DATASET(ID, path, type, unit, dimensions, doc) ML_DATA_##ID,
#include "plan/datasets.def"
#undef ML_DATASET
    ML_N_DATASET,
    /* dimensions without a row */
    ML_ALONG_RUNS = ML_N_DATASET,
    ML_ALONG_GRID,
    ML_ALONG_AXES,
    ML_ALONG_OWN
};

enum ml_dataset_type {
    ML_DATA_REAL,
    ML_DATA_FLOAT,
    ML_DATA_INTEGER,
    ML_DATA_COUNT,
    ML_DATA_BYTE,
    ML_DATA_HASH,
    ML_DATA_OUTCOME,
    ML_DATA_TEXT
};

enum { ML_DATASET_DIMS = 4 };

struct ml_dataset_row {
    const char *path;
    enum ml_dataset_type type;
    const char *unit;          /* NULL: that of NAME */
    int dims[ML_DATASET_DIMS]; /* of enum ml_dataset, up to ML_DATA_NONE */
    const char *doc;           /* NULL: that of NAME */
};

const struct ml_dataset_row *ml_dataset(enum ml_dataset dataset);
/* The last part of its path. */
const char *ml_dataset_name(enum ml_dataset dataset);
bool ml_dataset_is_scale(enum ml_dataset dataset);

/* Group of a row: the length of its path without the name. */
int ml_dataset_group(enum ml_dataset dataset);

/* Whether a dataset of /study/runs has another name than those that are swept or drawn. */
bool ml_dataset_is_run_column(const char *name);

#endif
