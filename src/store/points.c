/* Chooses which kept numbers of events are drawn over which. */
#include "store/points.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "store/drawn.h"

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
                               layout->results.n_output + ML_EVENT_FIRST_KEPT, 0};
    struct ml_output unused;
    for (int e = i; e < ensemble->n_event; e++) /* outputs of events are the last */
        for (int o = 0; ml_event_output(&ensemble->events[e], o, &unused); o++)
            kept.first--;
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
    return study->n_axis == 1 && (study->sampling == ML_GRID || ml_layout_swept(layout) == 1);
}

/* The first quantity of the axis of more than one value. */
static int points_swept(const struct ml_layout *layout)
{
    int first = 0;
    for (int k = 0; k < layout->study->n_axis; k++) {
        if (layout->study->axes[k].count > 1)
            return first;
        first += layout->study->axes[k].n_swept;
    }
    return 0;
}

/* Of one event; returns how many there are then. */
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
    if (ml_dim_is_named(output->dim[1]) && layout->study->segment_names)
        label = layout->study->segment_names[axis->row];
    else if (output->dim[1] == ML_DIM_COORDINATE)
        label = coordinates[axis->row];
    const bool is_one = ml_output_size(output, 1, layout->study->ensemble.shape.n) == 1;
    (void)snprintf(name, ML_NAME_LENGTH, "%s%s%.160s", output->name, is_one ? "" : ".",
                   is_one ? "" : label);
}

const char *ml_points_unit(const struct ml_layout *layout, const struct ml_points_axis *axis)
{
    return axis->output < 0 ? ml_layout_swept_at(layout, axis->row)->unit
                            : layout->results.outputs[axis->output].unit;
}

void ml_points_plain(char *name)
{
    for (char *c = name; *c; c++)
        if (*c == '/')
            *c = '|';
}

void ml_points_group(const struct ml_layout *layout, const struct ml_points *points,
                     char name[ML_NAME_LENGTH])
{
    char x[ML_NAME_LENGTH], y[ML_NAME_LENGTH];
    ml_points_name(layout, &points->x, x);
    ml_points_name(layout, &points->y, y);
    (void)snprintf(name, ML_NAME_LENGTH, "%.120s_over_%.120s", y, x);
    ml_points_plain(name);
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
