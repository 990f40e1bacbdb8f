/* Parts of the plan of a study, each made by the file that is named. */
#ifndef ML_PLAN_SECTIONS_H
#define ML_PLAN_SECTIONS_H

#include "config/reader.h"

/* tangents.c: how many tangent vectors there are and how often they are made orthonormal, of a
 * study that has no problem so far. ML_E_MEMORY on failure. */
enum ml_status ml_plan_tangents(struct ml_reader *r, struct ml_error *err);

/* show.c: which dataset is shown first, once it is known which there are. */
void ml_plan_show(struct ml_reader *r);

#endif
