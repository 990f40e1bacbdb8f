/* Chooses the dataset that viewers draw along an axis: values, logarithms or indices, and its
 * label. */
#include "store/drawn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double regular = 1e-6;     /* of a step: by how much even steps may differ */
static const double comparable = 4.0;   /* ranges that one scale suits */
enum { MOST_TOLD = 6, LEAST_TOLD = 2 }; /* values that a label tells */

enum ml_drawn_use ml_drawn_summary(const struct ml_layout *layout)
{
    return layout->runs.rank > 1 ? ML_DRAWN_MAP : ML_DRAWN_CURVES;
}

/* What is drawn of entry i: the axis' own number, or the first of those of its keys. */
static double drawn_number_of(const struct ml_axis *axis, int64_t i)
{
    return axis->kind == ML_AXIS_EACH ? ml_axis_value(axis, 0, i) : ml_axis_number(axis, i);
}

/* Whether the numbers ascend or descend by the same step. */
static bool is_even(const struct ml_axis *axis)
{
    const int64_t n = axis->count;
    const double first = drawn_number_of(axis, 0), last = drawn_number_of(axis, n - 1);
    const double step = n > 1 ? (last - first) / (double)(n - 1) : 1.0;
    bool is = step != 0.0;
    for (int64_t i = 0; i < n && is; i++)
        is = fabs(drawn_number_of(axis, i) - first - (double)i * step) <= regular * fabs(step);
    return is;
}

/* Whether they ascend or descend. */
static bool is_monotonic(const struct ml_axis *axis)
{
    bool ascends = true, descends = true;
    for (int64_t i = 1; i < axis->count && (ascends || descends); i++) {
        const double step = drawn_number_of(axis, i) - drawn_number_of(axis, i - 1);
        ascends = ascends && step > 0.0;
        descends = descends && step < 0.0;
    }
    return ascends || descends;
}

enum ml_drawn ml_drawn_kind(const struct ml_axis *axis, enum ml_drawn_use use)
{
    if (ml_has_log_name(axis))
        return ML_DRAWN_LOG;
    const bool suits = use == ML_DRAWN_CURVES ? is_monotonic(axis) : is_even(axis);
    if (axis->kind == ML_AXIS_EACH)
        return suits ? ML_DRAWN_MEMBER : ML_DRAWN_SCALE;
    return suits ? ML_DRAWN_SCALE : ML_DRAWN_INDEX;
}

static bool is_position(const struct ml_axis *axis, enum ml_drawn kind)
{
    return kind == ML_DRAWN_INDEX || (kind == ML_DRAWN_SCALE && axis->kind == ML_AXIS_EACH);
}

static const char *unit_of_numbers(const struct ml_axis *axis)
{
    return axis->kind == ML_AXIS_EACH ? axis->swept[0].unit : ml_axis_unit(axis);
}

static const char *unit_of(const struct ml_axis *axis, enum ml_drawn kind)
{
    return kind == ML_DRAWN_LOG || is_position(axis, kind) ? "1" : unit_of_numbers(axis);
}

/* Of what is drawn. */
static double range_of(const struct ml_axis *axis, enum ml_drawn kind)
{
    const double first = drawn_number_of(axis, 0), last = drawn_number_of(axis, axis->count - 1);
    return is_position(axis, kind) ? (double)(axis->count - 1)
           : kind == ML_DRAWN_LOG  ? fabs(log10(last / first))
                                   : fabs(last - first);
}

bool ml_drawn_stands_apart(const struct ml_layout *layout)
{
    if (layout->runs.rank < 2)
        return false;
    const struct ml_axis *x = &layout->study->axes[layout->runs.rank - 1], *y = x - 1;
    const enum ml_drawn kind_x = ml_drawn_kind(x, ML_DRAWN_MAP);
    const enum ml_drawn kind_y = ml_drawn_kind(y, ML_DRAWN_MAP);
    const double width = range_of(x, kind_x), height = range_of(y, kind_y);
    const bool is_comparable = width <= comparable * height && height <= comparable * width;
    const char *unit = unit_of(x, kind_x);
    return strcmp(unit, unit_of(y, kind_y)) == 0 && (strcmp(unit, "1") == 0 || !is_comparable);
}

bool ml_drawn_has_copy(const struct ml_layout *layout, int k)
{
    const struct ml_axis *axis = &layout->study->axes[k];
    return k == layout->runs.rank - 1 && ml_drawn_stands_apart(layout) &&
           strcmp(unit_of(axis, ml_drawn_kind(axis, ML_DRAWN_MAP)), "1") != 0;
}

const char *ml_drawn_name(const struct ml_layout *layout, int k, enum ml_drawn_use use,
                          char name[ML_NAME_LENGTH])
{
    const struct ml_axis *axis = &layout->study->axes[k];
    const enum ml_drawn kind = ml_drawn_kind(axis, use);
    if (kind == ML_DRAWN_LOG)
        return ml_log_name(axis, name);
    if (use == ML_DRAWN_MAP && ml_drawn_has_copy(layout, k))
        (void)snprintf(name, ML_NAME_LENGTH, "drawn_%s", axis->name);
    else if (kind == ML_DRAWN_INDEX)
        (void)snprintf(name, ML_NAME_LENGTH, "index_%s", axis->name);
    else
        return kind == ML_DRAWN_MEMBER ? axis->swept[0].path : axis->name;
    return name;
}

void ml_drawn_tell(const struct ml_axis *axis, char label[ML_DRAWN_LABEL])
{
    const int64_t n = axis->count, n_told = n > MOST_TOLD ? LEAST_TOLD : n - 1;
    const char *unit = unit_of_numbers(axis);
    const bool has_unit = strcmp(unit, "1") != 0;
    int used = snprintf(label, ML_DRAWN_LABEL, "%.*s: ", ML_NAME_LENGTH, axis->name);
    for (int64_t i = 0; i < n_told; i++)
        used += snprintf(label + used, (size_t)(ML_DRAWN_LABEL - used), "%.4g, ",
                         drawn_number_of(axis, i));
    (void)snprintf(label + used, (size_t)(ML_DRAWN_LABEL - used), "%s%.4g%s%s",
                   n_told < n - 1 ? ".., " : "", drawn_number_of(axis, n - 1), has_unit ? " " : "",
                   has_unit ? unit : "");
}
