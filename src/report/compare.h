/* Two results in one page. */
#ifndef ML_REPORT_COMPARE_H
#define ML_REPORT_COMPARE_H

#include "report/parts.h"

/* Refuses a pair of results that differ in the runs, in the swept or drawn quantities, or in the
 * names, shapes and units of the numbers of each run (ML_E_INPUT); errors as of ml_result_read.
 *   b  the parts of `a`, of the other result */
enum ml_status ml_report_compare(const struct ml_report_parts *a, const struct ml_report_parts *b,
                                 struct ml_error *err);

#endif
