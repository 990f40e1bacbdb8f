/* Sizes of what indicators and events write. */
#include "analysis/indicator.h"

int ml_output_size(const struct ml_output *output, int k, int n_segment)
{
    return output->size[k] > 0 ? output->size[k] : ml_dim_size(output->dim[k], n_segment);
}

int64_t ml_output_rows(const struct ml_output *output, int n_segment)
{
    int64_t rows = 1;
    for (int k = 0; k < ML_MAX_DIM; k++)
        rows *= ml_output_size(output, k, n_segment);
    return rows;
}
