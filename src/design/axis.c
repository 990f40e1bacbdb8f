/* Values along an axis, in numbers of its keys and of its own. */
#include "design/axis.h"

#include <assert.h>

#include "design/spacing.h"

double ml_axis_value(const struct ml_axis *axis, int i, int64_t k)
{
    const struct ml_swept *s = &axis->swept[i];
    return s->weight * (axis->is_range ? ml_spaced(s->low, s->high, axis->count, k, axis->is_log)
                                       : s->values[k]);
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
    return "position along the axis";
}
