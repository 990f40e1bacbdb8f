/* Chooses what viewers draw along an axis (values, logarithms or indices, and a label), and which
 * kept numbers of events over which. */
#include "plan/drawn.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "plan/view.h"

static const double regular = 1e-6;     /* of a step: by how much even steps may differ */
static const double comparable = 4.0;   /* ranges that one scale suits */
enum { MOST_TOLD = 6, LEAST_TOLD = 2 }; /* values that a label tells */

bool ml_drawn_is_family(const struct ml_layout *layout, int axis)
{
    const int n = layout->study->spec.runs.n_axis;
    int64_t sizes[ML_MAX_AXES];
    for (int k = 0; k < n; k++)
        sizes[k] = layout->study->spec.runs.axes[k].count;
    return !ml_layout_is_list(layout) && ml_view_is_family(axis, n, sizes);
}

int ml_drawn_family(const struct ml_layout *layout)
{
    int first = 0;
    for (int k = 0; k < layout->study->spec.runs.n_axis; k++) {
        if (ml_drawn_is_family(layout, k))
            return first;
        first += layout->study->spec.runs.axes[k].n_swept;
    }
    return -1;
}

int ml_drawn_axes(const struct ml_layout *layout, int *kept)
{
    const int n_axis = ml_layout_is_list(layout) ? 0 : layout->study->spec.runs.n_axis;
    int n = 0;
    for (int k = 0; k < n_axis; k++)
        if (layout->study->spec.runs.axes[k].count > 1 && !ml_drawn_is_family(layout, k))
            kept[n++] = k;
    for (int k = 0; k < n_axis && layout->n_run == 1; k++)
        kept[n++] = k;
    return n;
}

bool ml_drawn_is_map(const struct ml_layout *layout)
{
    int kept[ML_MAX_AXES];
    return ml_drawn_axes(layout, kept) > 1 && ml_drawn_family(layout) < 0;
}

double ml_drawn_number(const struct ml_axis *axis, int64_t i)
{
    if (axis->sample)
        return (double)i;
    return axis->kind == ML_AXIS_EACH ? ml_axis_value(axis, 0, i) : ml_axis_number(axis, i);
}

bool ml_drawn_is_even(const struct ml_axis *axis)
{
    const int64_t n = axis->count;
    const double first = ml_drawn_number(axis, 0), last = ml_drawn_number(axis, n - 1);
    const double step = n > 1 ? (last - first) / (double)(n - 1) : 1.0;
    bool is = step != 0.0 && !(axis->is_range && axis->is_log && n > 2);
    for (int64_t i = 0; i < n && is && !axis->is_range; i++)
        is = fabs(ml_drawn_number(axis, i) - first - (double)i * step) <= regular * fabs(step);
    return is;
}

/* Whether they ascend or descend. */
static bool is_monotonic(const struct ml_axis *axis)
{
    bool ascends = true, descends = true;
    if (axis->is_range)
        return axis->count < 2 || ml_drawn_number(axis, 0) != ml_drawn_number(axis, 1);
    for (int64_t i = 1; i < axis->count && (ascends || descends); i++) {
        const double step = ml_drawn_number(axis, i) - ml_drawn_number(axis, i - 1);
        ascends = ascends && step > 0.0;
        descends = descends && step < 0.0;
    }
    return ascends || descends;
}

bool ml_drawn_has_log(const struct ml_axis *axis)
{
    return axis->is_log && axis->kind != ML_AXIS_EACH &&
           axis->swept[0].low > 0.0; /* then all of it is */
}

bool ml_drawn_swept_has_log(const struct ml_layout *layout, int k)
{
    const struct ml_axis *axis = layout->study->spec.runs.axes;
    for (; k >= axis->n_swept; axis++)
        k -= axis->n_swept;
    const struct ml_swept *swept = &axis->swept[k];
    if (!axis->sample)
        return ml_drawn_has_log(axis);
    return swept->low > 0.0 &&
           (swept->distribution.is_log || swept->distribution.kind == ML_LOGNORMAL);
}

enum ml_drawn ml_drawn_kind(const struct ml_axis *axis, bool is_map)
{
    if (axis->sample)
        return ML_DRAWN_SCALE;
    if (ml_drawn_has_log(axis) && is_map)
        return ML_DRAWN_LOG;
    const bool suits = is_map ? ml_drawn_is_even(axis) : is_monotonic(axis);
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
    return axis->kind == ML_AXIS_EACH && !axis->sample ? axis->swept[0].unit : ml_axis_unit(axis);
}

const char *ml_drawn_unit(const struct ml_axis *axis, enum ml_drawn kind)
{
    return kind == ML_DRAWN_LOG || is_position(axis, kind) ? "1" : unit_of_numbers(axis);
}

/* The range of the numbers that are drawn. */
static double range_of(const struct ml_axis *axis, enum ml_drawn kind)
{
    const double first = ml_drawn_number(axis, 0), last = ml_drawn_number(axis, axis->count - 1);
    return is_position(axis, kind) ? (double)(axis->count - 1)
           : kind == ML_DRAWN_LOG  ? fabs(log10(last / first))
                                   : fabs(last - first);
}

bool ml_drawn_stands_apart(const struct ml_axis *y, const struct ml_axis *x)
{
    const enum ml_drawn kind_x = ml_drawn_kind(x, true);
    const enum ml_drawn kind_y = ml_drawn_kind(y, true);
    const double width = range_of(x, kind_x), height = range_of(y, kind_y);
    const bool is_comparable = width <= comparable * height && height <= comparable * width;
    const char *unit = ml_drawn_unit(x, kind_x);
    return strcmp(unit, ml_drawn_unit(y, kind_y)) == 0 &&
           (strcmp(unit, "1") == 0 || !is_comparable);
}

void ml_drawn_positions_label(const struct ml_axis *axis, char label[ML_DRAWN_LABEL])
{
    const int64_t n = axis->count, n_told = n > MOST_TOLD ? LEAST_TOLD : n - 1;
    if (axis->sample) {
        (void)snprintf(label, ML_DRAWN_LABEL, "%s", ml_axis_doc(axis));
        return;
    }
    int used = snprintf(label, ML_DRAWN_LABEL, "%.*s: ", ML_NAME_LENGTH, axis->name);
    for (int64_t i = 0; i < n_told; i++)
        used += snprintf(label + used, (size_t)(ML_DRAWN_LABEL - used), "%.4g, ",
                         ml_drawn_number(axis, i));
    (void)snprintf(label + used, (size_t)(ML_DRAWN_LABEL - used), "%s%.4g%s",
                   n_told < n - 1 ? ".., " : "", ml_drawn_number(axis, n - 1),
                   ml_unit_text(" ", unit_of_numbers(axis), "").text);
}

/* The part of a path that leaves a label with so many other letters short enough for h5web:
 * "..NAME" of its last steps, or the last one. */
static const char *path_shortened(const char *path, size_t n_other, char out[ML_NAME_LENGTH])
{
    const size_t most = 45;
    const char *kept = path, *dot;
    while (n_other + strlen(kept) + (kept > path ? 2 : 0) > most && (dot = strchr(kept, '.')))
        kept = dot + 1;
    (void)snprintf(out, ML_NAME_LENGTH, "%s%s", kept > path ? ".." : "", kept);
    return out;
}

void ml_drawn_label(const struct ml_axis *axis, enum ml_drawn kind, char label[ML_DRAWN_LABEL])
{
    const bool is_each = axis->kind == ML_AXIS_EACH;
    const char *unit = unit_of_numbers(axis);
    const struct ml_unit_text after = ml_unit_text(" (", unit, ")");
    const size_t n_unit = strlen(ml_unit_text(" in ", unit, "").text);
    char path[ML_NAME_LENGTH];
    if (is_position(axis, kind))
        ml_drawn_positions_label(axis, label);
    else if (kind == ML_DRAWN_LOG)
        (void)snprintf(label, ML_DRAWN_LABEL, "log10 of %s%s",
                       path_shortened(axis->name, n_unit + strlen("log10 of "), path),
                       ml_unit_text(" in ", unit, "").text);
    else if (is_each)
        (void)snprintf(label, ML_DRAWN_LABEL, "%s: %s%s", axis->name,
                       path_shortened(axis->swept[0].path, n_unit + strlen(axis->name) + 2, path),
                       after.text);
    else
        (void)snprintf(label, ML_DRAWN_LABEL, "%s%s", path_shortened(axis->name, n_unit, path),
                       after.text);
}

/* The study's event i, and its kept numbers one by one. */
struct points_kept {
    const struct ml_layout *layout;
    const struct ml_event *event;
    int first; /* output of its first kept rows */
    int n;     /* numbers */
};

static struct points_kept points_kept(const struct ml_layout *layout, int i)
{
    const struct ml_ensemble *ensemble = &layout->study->ensemble;
    struct points_kept kept = {layout, &ensemble->events[i],
                               layout->results.first_of_event[i] + ML_EVENT_FIRST_KEPT, 0};
    for (int k = 0; k < kept.event->n_keep && kept.event->most > 1; k++)
        kept.n += kept.event->keep[k].n_row;
    return kept;
}

/* Number j of an event's. */
static struct ml_points_axis points_number(const struct points_kept *kept, int j)
{
    int k = 0;
    while (j >= kept->event->keep[k].n_row)
        j -= kept->event->keep[k++].n_row;
    return (struct ml_points_axis){kept->first + k, j};
}

/* What crosses a level has that value in all points. */
static bool points_is_fixed(const struct points_kept *kept, int j)
{
    const struct ml_points_axis number = points_number(kept, j);
    const struct ml_event_keep *keep = &kept->event->keep[number.output - kept->first];
    return kept->event->kind == ML_CROSSING && keep->record == kept->event->record &&
           keep->first + number.row == kept->event->row;
}

static int points_next(const struct points_kept *kept, int j)
{
    while (j < kept->n && points_is_fixed(kept, j))
        j++;
    return j;
}

/* What belongs to number j: the same row of a later quantity, such as the rate of an angle's
 * segment, or else the next number; kept->n if there is no other. */
static int points_partner(const struct points_kept *kept, int j)
{
    const struct ml_points_axis own = points_number(kept, j);
    const enum ml_dim dim = kept->event->keep[own.output - kept->first].dim;
    for (int i = points_next(kept, j + 1); i < kept->n; i = points_next(kept, i + 1)) {
        const struct ml_points_axis other = points_number(kept, i);
        if (other.output > own.output && other.row == own.row &&
            kept->event->keep[other.output - kept->first].dim == dim)
            return i;
    }
    return points_next(kept, j + 1);
}

/* Whether the runs differ in one swept quantity, or in several that move together. */
static bool points_has_one_axis(const struct ml_layout *layout)
{
    int kept[ML_MAX_AXES];
    const struct ml_study *study = layout->study;
    if (!ml_layout_is_list(layout))
        return layout->n_run > 1 && ml_drawn_axes(layout, kept) == 1;
    return study->spec.runs.n_axis == 1 &&
           (!study->spec.runs.sample || ml_layout_swept(layout) == 1);
}

/* The first quantity of the axis of more than one value that is no family. */
static int points_swept(const struct ml_layout *layout)
{
    int first = 0;
    for (int k = 0; k < layout->study->spec.runs.n_axis; k++) {
        if (layout->study->spec.runs.axes[k].count > 1 && !ml_drawn_is_family(layout, k))
            return first;
        first += layout->study->spec.runs.axes[k].n_swept;
    }
    return 0;
}

/* Adds the points of one event; returns how many points there are then. */
static int points_of_event(const struct points_kept *kept, int n, struct ml_points *points)
{
    const int first = points_next(kept, 0);
    const struct ml_points_axis swept = {-1, points_swept(kept->layout)};
    if (points_has_one_axis(kept->layout)) {
        for (int j = first; j < kept->n && n < ML_MAX_POINTS; j = points_next(kept, j + 1))
            points[n++] = (struct ml_points){kept->event->name, swept, points_number(kept, j)};
        return n;
    }
    const int second = first < kept->n ? points_partner(kept, first) : kept->n;
    const bool is_alone = second >= kept->n;
    if (n == ML_MAX_POINTS || first >= kept->n ||
        (is_alone && (!ml_layout_is_list(kept->layout) || ml_layout_swept(kept->layout) == 0)))
        return n;
    const struct ml_points_axis one = points_number(kept, first);
    points[n] = is_alone ? (struct ml_points){kept->event->name, swept, one}
                         : (struct ml_points){kept->event->name, one, points_number(kept, second)};
    return n + 1;
}

int ml_points_find(const struct ml_layout *layout, struct ml_points points[ML_MAX_POINTS])
{
    int n = 0;
    for (int i = 0; i < layout->study->ensemble.n_event; i++) {
        const struct points_kept kept = points_kept(layout, i);
        n = points_of_event(&kept, n, points);
    }
    return n;
}

int ml_points_of_output(const struct ml_layout *layout, int output)
{
    struct ml_points points[ML_MAX_POINTS];
    const int n = ml_points_find(layout, points);
    for (int i = 0; i < n; i++)
        if (points[i].y.output == output)
            return i;
    for (int i = 0; i < n; i++)
        if (points[i].x.output == output)
            return i;
    return -1;
}

void ml_points_name(const struct ml_layout *layout, const struct ml_points_axis *axis,
                    char name[ML_NAME_LENGTH])
{
    static const char *const coordinates[] = {"x", "y"};
    if (axis->output < 0) {
        (void)snprintf(name, ML_NAME_LENGTH, "%s", ml_layout_swept_at(layout, axis->row)->path);
        return;
    }
    const struct ml_output *output = &layout->results.outputs[axis->output];
    char number[16];
    const char *label = number;
    (void)snprintf(number, sizeof number, "%d", axis->row + 1);
    if (ml_dim_is_named(output->dim[1]) && layout->study->spec.segment_names)
        label = layout->study->spec.segment_names[axis->row];
    else if (output->dim[1] == ML_DIM_COORDINATE)
        label = coordinates[axis->row];
    const bool is_one = ml_output_size(output, 1, layout->study->ensemble.model.n) == 1;
    if (snprintf(name, ML_NAME_LENGTH, "%s%s%s", output->name, is_one ? "" : ".",
                 is_one ? "" : label) < 0)
        name[0] = '\0';
}

const char *ml_points_unit(const struct ml_layout *layout, const struct ml_points_axis *axis)
{
    return axis->output < 0 ? ml_layout_swept_at(layout, axis->row)->unit
                            : layout->results.outputs[axis->output].unit;
}

void ml_points_group(const struct ml_layout *layout, const struct ml_points *points,
                     char name[ML_NAME_LENGTH])
{
    char x[ML_NAME_LENGTH], y[ML_NAME_LENGTH];
    ml_points_name(layout, &points->x, x);
    ml_points_name(layout, &points->y, y);
    (void)snprintf(name, ML_NAME_LENGTH, "%.120s_over_%.120s", y, x);
    ml_name_replace_slashes(name);
}

bool ml_points_wrap(const char *unit, size_t n, double *values)
{
    const double turn = 6.283185307179586476925; /* rad */
    bool goes_round = false;
    for (size_t i = 0; i < n && strcmp(unit, "rad") == 0; i++)
        goes_round = goes_round || fabs(values[i]) > turn / 2.0;
    for (size_t i = 0; i < n && goes_round; i++)
        values[i] = remainder(values[i], turn);
    return goes_round;
}
