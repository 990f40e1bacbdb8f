/* Values along an axis, in numbers of its keys and of its own; those of a sample from the
 * coordinates of the run in the unit cube to the quantiles of the distributions. */
#include "design/axis.h"

#include <assert.h>
#include <math.h>

#include "design/sample.h"
#include "design/spacing.h"

/* A run of a sample. */
struct axis_point {
    const struct ml_sample_points *points;
    int64_t run;
};

static double axis_coordinate(const void *context, int input)
{
    const struct axis_point *point = context;
    return ml_sample_input(point->points, point->run, input);
}

/* The number of a range of a sample with this probability, u of a uniform range; of a range of
 * factors the factor. */
static double axis_quantile(const struct ml_swept *range, double u, struct ml_probability p)
{
    if (range->distribution.kind == ML_UNIFORM)
        return ml_between(range->low, range->high, u, range->distribution.is_log);
    return fmin(fmax(ml_distribution_quantile(&range->distribution, p), range->low), range->high);
}

static double axis_part(struct ml_probability p) { return fmin((double)p.below, 1.0 - 0x1p-53); }

/* The number of a range of a sample that run k of the sample has. */
static double axis_draw(const struct ml_sample_points *points, const struct ml_swept *range,
                        int64_t k)
{
    const struct axis_point point = {points, k};
    if (points->correlation.n > 0) {
        const struct ml_probability p =
            ml_correlated(&points->correlation, range->dimension, axis_coordinate, &point);
        return axis_quantile(range, axis_part(p), p);
    }
    const double u = axis_coordinate(&point, range->dimension);
    return axis_quantile(range, u, ml_probability_of(ml_sample_part(points, u)));
}

double ml_axis_value(const struct ml_axis *axis, int i, int64_t k)
{
    const struct ml_swept *s = &axis->swept[i];
    if (axis->sample && !s->values)
        return s->weight * axis_draw(axis->sample, s, k);
    return s->weight * (axis->is_range ? ml_spaced(s->low, s->high, axis->count, k, axis->is_log)
                                       : s->values[k]);
}

double ml_axis_value_at(const struct ml_axis *axis, int i, const double *scores)
{
    const struct ml_swept *s = &axis->swept[i];
    const struct ml_probability p = ml_normal_probability(
        ml_correlated_score(&axis->sample->correlation, s->dimension, scores));
    return s->weight * axis_quantile(s, axis_part(p), p);
}

double ml_axis_number(const struct ml_axis *axis, int64_t k)
{
    const struct ml_swept *s = &axis->swept[0];
    assert(axis->kind != ML_AXIS_EACH);
    return axis->is_range ? ml_spaced(s->low, s->high, axis->count, k, axis->is_log) : s->values[k];
}

const char *ml_axis_unit(const struct ml_axis *axis)
{
    return axis->kind == ML_AXIS_SAME ? axis->swept[0].unit : "1";
}

const char *ml_axis_doc(const struct ml_axis *axis)
{
    switch (axis->kind) {
    case ML_AXIS_SAME:
        return axis->swept[0].doc;
    case ML_AXIS_FACTOR:
        return "factor of the keys that the axis moves";
    case ML_AXIS_EACH:
        break;
    }
    return axis->sample ? "point of the sample" : "position along the axis";
}

const char *ml_axis_range_key(const struct ml_axis *sample, int range)
{
    int i = 0;
    while (sample->swept[i].dimension != range)
        i++;
    return sample->swept[i].path;
}
