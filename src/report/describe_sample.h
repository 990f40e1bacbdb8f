/* The statistics of a sample, in a page of text. */
#ifndef ML_REPORT_DESCRIBE_SAMPLE_H
#define ML_REPORT_DESCRIBE_SAMPLE_H

#include <stdio.h>

#include "h5/h5.h"

/* Prints a line for each number of /study/statistics, or where they are if the sample is at every
 * point of a grid; nothing without the group. Errors are in h5. */
void ml_describe_sample(struct ml_h5 *h5, hid_t file, FILE *out);

#endif
