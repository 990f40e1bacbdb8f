/* Chooses the output that viewers show by default, and finds the segment and the angles that belong
 * to an output. */
#include "plan/shown.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "plan/controlled.h"
#include "plan/drawn.h"
#include "plan/layout.h"

static bool is_number(const struct ml_output *output) { return output->dim[0] == ML_DIM_NONE; }

/* Whether it is the first time of the study's first event, unless that is a strobe. */
static bool is_event_time(const struct ml_layout *layout, int output)
{
    const struct ml_ensemble *ensemble = &layout->study->ensemble;
    return ensemble->n_event > 0 && ensemble->events[0].kind != ML_STROBE &&
           output == layout->results.first_of_event[0] + ML_EVENT_TIME;
}

/* Whether it is the labels of runs by where they settle, which a study asks for. */
static bool is_label(const struct ml_layout *layout, int output)
{
    const struct ml_ensemble *ensemble = &layout->study->ensemble;
    for (int i = 0; i < ensemble->n_event; i++)
        if (ensemble->events[i].attractors > 0.0 &&
            output ==
                layout->results.first_of_event[i] + ml_event_label_output(&ensemble->events[i]))
            return true;
    return false;
}

/* Whether it is the settling time of a controlled angle. */
static bool is_settling(const struct ml_layout *layout, const struct ml_output *output)
{
    return strcmp(output->indicator->name, "tracking") == 0 &&
           strcmp(output->name, "settling_time") == 0 && ml_controlled_segment(layout) >= 0;
}

/* The less, the rather it is shown. */
static int order_of(const struct ml_layout *layout, int i)
{
    const struct ml_output *output = &layout->results.outputs[i];
    const struct ml_indicator *indicator = output->indicator;
    const bool is_one = is_number(output), has_axes = layout->runs.rank > 0;
    if (!indicator)
        return has_axes && is_label(layout, i) ? 1 : has_axes && is_event_time(layout, i) ? 2 : 5;
    const bool is_first = output->which == 0;
    const bool is_asked = indicator->is_on_request && !indicator->takes_parameters;
    const struct ml_system *system = layout->study->ensemble.model.system;
    const bool is_own = !indicator->is_on_request && indicator->sees[0] &&
                        ml_record(system, indicator->sees[0]) >= system->tables.n_state;
    const bool is_end = strcmp(indicator->name, "end_state") == 0 && is_first;
    if (!has_axes && !is_one && (is_asked || is_end))
        return is_asked ? 0 : 1;
    if (is_one && is_first && (is_asked || is_own))
        return is_asked ? 2 : 3;
    if (has_axes && is_settling(layout, output))
        return 2;
    return is_end ? 4 : 5;
}

static int shown_by_rule(const struct ml_layout *layout)
{
    int shown = -1;
    for (int i = 0, least = INT_MAX; i < layout->results.n_output; i++) {
        const int order = order_of(layout, i);
        if (order < least) {
            least = order;
            shown = i;
        }
    }
    return shown;
}

/* The output of the same indicator that has all exponents; itself if none has. */
static int all_exponents(const struct ml_layout *layout, int output)
{
    const struct ml_output *outputs = layout->results.outputs;
    for (int i = output + 1; i < layout->results.n_output; i++)
        if (outputs[i].dim[0] == ML_DIM_EXPONENT && outputs[i].dim[1] == ML_DIM_NONE &&
            strcmp(outputs[i].unit, outputs[output].unit) == 0 &&
            outputs[i].indicator == outputs[output].indicator)
            return i;
    return output;
}

const char *ml_shown_twin(const struct ml_output *output, char name[ML_NAME_LENGTH])
{
    enum { MOST = ML_NAME_LENGTH - sizeof ML_SHOWN_WRAPPED };
    (void)snprintf(name, ML_NAME_LENGTH, "%.*s" ML_SHOWN_WRAPPED, MOST, output->name);
    return name;
}

/* What the study names; false if it names nothing. */
static bool shown_by_name(const struct ml_layout *layout, struct ml_shown *shown)
{
    const char *name = layout->study->spec.show;
    const int wrapped = ml_shown_wrapped(layout);
    char twin[ML_NAME_LENGTH];
    *shown = (struct ml_shown){-1, -1, false, -1};
    if (!name)
        return false;
    for (int i = 0; i < layout->results.n_output; i++)
        if (strcmp(layout->results.outputs[i].name, name) == 0)
            shown->output = i;
    if (wrapped >= 0 && strcmp(ml_shown_twin(&layout->results.outputs[wrapped], twin), name) == 0)
        *shown = (struct ml_shown){wrapped, -1, true, -1};
    for (int k = 0; shown->output < 0 && k < ml_layout_records(layout); k++)
        if (strcmp(ml_layout_quantity(layout, k)->name, name) == 0)
            shown->record = k;
    if (shown->output >= 0 && !shown->is_wrapped)
        shown->points = ml_points_of_output(layout, shown->output);
    return shown->output >= 0 || shown->record >= 0;
}

bool ml_shown_as_named(const struct ml_layout *layout)
{
    struct ml_shown shown;
    return shown_by_name(layout, &shown) || !layout->study->spec.show;
}

/* Points of events come before an output that no study asks for, or that is the time of one of
 * them. */
static int shown_points(const struct ml_layout *layout, int output)
{
    struct ml_points points[ML_MAX_POINTS];
    int kept[ML_MAX_AXES];
    if (ml_points_find(layout, points) == 0 || ml_drawn_axes(layout, kept) > 1)
        return -1;
    const struct ml_indicator *indicator =
        output >= 0 ? layout->results.outputs[output].indicator : NULL;
    return indicator && indicator->is_on_request ? -1 : 0;
}

struct ml_shown ml_shown_first(const struct ml_layout *layout)
{
    struct ml_shown shown;
    int kept[ML_MAX_AXES];
    const bool is_named = shown_by_name(layout, &shown);
    const bool has_maps = layout->results.n_output > 0;
    if (!is_named && ml_layout_has_trajectories(layout) && (!has_maps || layout->n_run == 1))
        shown.record = 0; /* it says more than one number per output */
    if (shown.output >= 0)
        return shown;
    shown.output = shown_by_rule(layout);
    if (ml_drawn_axes(layout, kept) == 1 && shown.output >= 0)
        shown.output = all_exponents(layout, shown.output);
    shown.is_wrapped = shown.output >= 0 && shown.output == ml_shown_wrapped(layout);
    shown.points = shown_points(layout, shown.output);
    return shown;
}

bool ml_shown_is_last(const struct ml_output *output) { return ml_dim_is_named(output->dim[0]); }

int ml_shown_controlled(const struct ml_layout *layout, int output)
{
    const struct ml_output *of = &layout->results.outputs[output];
    const struct ml_indicator *indicator = of->indicator;
    const bool is_of_loop =
        indicator && (indicator->loop != ML_NO_LOOP ||
                      (indicator->sees[0] && strcmp(indicator->sees[0], ML_CONTROL_ERROR) == 0));
    return is_of_loop && ml_shown_is_last(of) ? ml_controlled_segment(layout) : -1;
}

int ml_shown_wrapped(const struct ml_layout *layout)
{
    if (!ml_drawn_is_map(layout))
        return -1;
    for (int i = 0; i < layout->results.n_output; i++)
        if (layout->results.outputs[i].is_angle)
            return i;
    return -1;
}

const char *ml_shown_wrapped_name(const struct ml_layout *layout, char name[ML_NAME_LENGTH])
{
    const int i = ml_shown_wrapped(layout);
    const struct ml_output *output = &layout->results.outputs[i];
    char *const *labels = layout->study->spec.segment_names;
    const bool is_named = labels && ml_dim_is_named(output->dim[0]);
    (void)ml_shown_twin(output, name);
    if (is_named)
        ml_name_append(name, labels[ml_layout_output_rows(layout, i) - 1]);
    return name;
}

float ml_shown_wrap(double angle)
{
    const double turn = 6.283185307179586476925, grain = 4096.0; /* rad, 1/rad */
    return (float)(round(remainder(angle, turn) * grain) / grain);
}

int ml_shown_error(const struct ml_layout *layout, int output)
{
    const struct ml_results *results = &layout->results;
    const char *errors = results->outputs[output].errors;
    for (int i = 0; errors && i < results->n_output; i++)
        if (strcmp(results->outputs[i].name, errors) == 0)
            return i;
    return -1;
}
