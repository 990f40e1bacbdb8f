/* The numbers that `manylink tune` chooses, and the cost that is least, as plain data. */
#ifndef ML_CONFIG_TUNE_SPEC_H
#define ML_CONFIG_TUNE_SPEC_H

#include <stdint.h>

#include "design/axis.h"

enum { ML_TUNE_NUMBERS = 64 }; /* at most */

/* The cost of a point, of the costs of its runs. */
enum ml_tune_over { ML_OVER_WORST, ML_OVER_MEAN, ML_OVER_QUANTILE };

struct ml_tune_spec {
    struct ml_axis *vary; /* [n_vary] ranges: keys that take the same number, from, to, scale */
    int n_vary;           /* 0: the study has no `tune` */
    const char *minimise; /* formula of numbers of the summary */
    int over;             /* enum ml_tune_over */
    double quantile;      /* with ML_OVER_QUANTILE; the share of runs that keep to a requirement */
    int64_t starts, points, seed;
};

#endif
