/* Reports: a result as one HTML page that needs no server, no network and no library. */
#ifndef ML_REPORT_REPORT_H
#define ML_REPORT_REPORT_H

#include <stdint.h>

#include "manylink/status.h"

/* Runs whose motion is put into a page unless asked otherwise. */
enum { ML_REPORT_MOTIONS = 64 };

/* What is to be made; pointers are borrowed. */
struct ml_report_request {
    const char *result; /* path of a result of ml_run, ml_merge or ml_inverse */
    const char *output; /* page to make */
    int64_t motions;    /* at most so many of the runs that were kept, evenly spread over them */
};

/* What was made. */
struct ml_report_made {
    int64_t n_kept, n_motion; /* runs that were kept over time, and how many of them are in it */
    int n_left_out;           /* datasets with too many numbers for a page */
};

/* Writes the page: numbers as 32-bit floats, compressed. `made` is set on success only; on failure
 * `output` is as it was. ML_E_INPUT if the page would take the place of the result or of what is no
 * file. */
enum ml_status ml_report(const struct ml_report_request *request, struct ml_report_made *made,
                         struct ml_error *err);

#endif
