/* The numbers that the requirements of a study are about, and how these are called. */
#ifndef ML_PLAN_REQUIREMENTS_H
#define ML_PLAN_REQUIREMENTS_H

#include "plan/layout.h"

struct ml_reader;

/* A number of a run. */
struct ml_required {
    int output;  /* -1: the study has no such number */
    int64_t row; /* of the output */
};

/* The number with a name: that of an output of one number, or NAME.COMPONENT. */
struct ml_required ml_required_find(const struct ml_layout *layout, const char *name);

/* The most similar of such names, from the pool; "none" of a study without numbers. */
const char *ml_required_nearest(const struct ml_layout *layout, struct ml_pool *pool,
                                const char *name);

/* "0.1 < overshoot.lower < 0.3". NULL without memory. */
const char *ml_requirement_text(const struct ml_requirement *requirement, struct ml_pool *pool);

/* Whether a number keeps to the bounds; NaN does not. */
bool ml_requirement_is_met(const struct ml_requirement *requirement, double value);

/* The distance of a number from its nearest bound; negative or 0 where a bound is not met. */
double ml_requirement_distance(const struct ml_requirement *requirement, double value);

/* Unit of the distances of a requirement, among several. */
double ml_requirement_size(const struct ml_requirement *requirement);

/* Reports requirements of numbers that the study lacks, and of designs that are no sample. */
void ml_plan_requirements(struct ml_reader *r, const struct ml_study *study);

#endif
