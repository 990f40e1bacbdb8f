/* Attributes of the columns of drawn numbers in /study/runs: the distribution, as the study file
 * has it. */
#include <math.h>
#include <stddef.h>

#include "store/result.h"

enum { MOST_NUMBERS = 8000 }; /* of an attribute: HDF5 allows 64 KiB */

static const struct {
    const char *name;
    size_t field; /* of struct ml_distribution */
} parameters[] = {
    {"distribution_from", offsetof(struct ml_distribution, from)},
    {"distribution_to", offsetof(struct ml_distribution, to)},
    {"distribution_mean", offsetof(struct ml_distribution, mean)},
    {"distribution_sd", offsetof(struct ml_distribution, sd)},
    {"distribution_mode", offsetof(struct ml_distribution, mode)},
    {"distribution_alpha", offsetof(struct ml_distribution, alpha)},
    {"distribution_beta", offsetof(struct ml_distribution, beta)},
};
enum { N_PARAMETER = sizeof parameters / sizeof *parameters };

static void write_number(struct ml_h5 *h5, hid_t column, const char *name, double value)
{
    if (!isnan(value))
        ml_h5_numbers_attribute(h5, column, name, H5T_NATIVE_DOUBLE, 0, &value);
}

static void write_list(struct ml_h5 *h5, hid_t column, const char *name, int64_t n,
                       const double *values)
{
    if (values && n <= MOST_NUMBERS)
        ml_h5_numbers_attribute(h5, column, name, H5T_NATIVE_DOUBLE, (int)n, values);
}

void ml_result_name_distribution(struct ml_h5 *h5, hid_t column, const struct ml_axis *sample,
                                 int k)
{
    const struct ml_swept *swept = &sample->swept[k], *input = sample->swept;
    struct ml_distribution d = swept->distribution;
    while (input->dimension != swept->dimension)
        input++;
    ml_h5_text_attribute(h5, column, "distribution_of", input < swept ? input->path : NULL);
    if (swept->is_factor)
        write_number(h5, column, "distribution_multiplies", swept->weight);
    if (ml_sample_is_stored(sample->sample)) {
        ml_h5_text_attribute(h5, column, "distribution",
                             swept->column ? "points of a file" : "points of an energy shell");
        return;
    }
    d.sd = ml_distribution_deviation(&d);
    ml_h5_text_attribute(h5, column, "distribution", ml_distributions[d.kind].word);
    ml_h5_text_attribute(h5, column, "distribution_scale", d.is_log ? "log" : NULL);
    for (int i = 0; i < N_PARAMETER; i++)
        write_number(h5, column, parameters[i].name,
                     *(const double *)((const char *)&d + parameters[i].field));
    write_list(h5, column, "distribution_values", d.n_value, d.values);
    write_list(h5, column, "distribution_weights",
               d.kind == ML_TABULATED ? d.n_value - 1 : d.n_value, d.weights);
}
