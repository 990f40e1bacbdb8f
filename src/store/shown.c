/* Chooses the output that viewers show by default, and those that are shown with it. */
#include "store/shown.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "engine/kernels.h"

static bool is_number(const struct ml_output *output) { return output->dim[0] == ML_DIM_NONE; }

/* The indicator that writes an output, and which of its outputs it is; NULL: an event does, and of
 * which of all outputs of events. */
static const struct ml_indicator *writer_of(const struct ml_layout *layout, int output, int *which)
{
    const struct ml_ensemble *ensemble = &layout->study->ensemble;
    const struct ml_indicator *indicator = NULL;
    int n = 0;
    for (int i = 0; n <= output && (indicator = ensemble->kernels->indicators[i]); i++) {
        const struct ml_indicator_use use = ml_ensemble_use(ensemble, i);
        struct ml_output described;
        *which = output - n;
        for (int k = 0; ml_ensemble_measures(ensemble, i) && indicator->output(&use, k, &described);
             k++)
            n++;
        if (n > output)
            return indicator;
    }
    *which = output - n;
    return NULL;
}

/* Whether it is the first time of the study's first event, unless that is a strobe. */
static bool is_event_time(const struct ml_layout *layout, int which)
{
    const struct ml_ensemble *ensemble = &layout->study->ensemble;
    return ensemble->n_event > 0 && ensemble->events[0].kind != ML_STROBE && which == ML_EVENT_TIME;
}

/* The less, the rather it is shown. */
static int order_of(const struct ml_layout *layout, int i)
{
    int which = 0;
    const struct ml_indicator *indicator = writer_of(layout, i, &which);
    const bool is_one = is_number(&layout->results.outputs[i]);
    if (!indicator)
        return is_event_time(layout, which) && layout->runs.rank > 0 ? 2 : 5;
    const bool is_asked = indicator->is_on_request && !indicator->takes_parameters;
    const bool is_own = !indicator->is_on_request && indicator->sees[0];
    const bool is_end = strcmp(indicator->name, "end_state") == 0 && which == 0;
    if (layout->runs.rank == 0 && !is_one && (is_asked || is_end))
        return is_asked ? 0 : 1;
    if (is_one && which == 0 && (is_asked || is_own))
        return is_asked ? 2 : 3;
    return is_end ? 4 : 5;
}

struct ml_shown ml_shown_first(const struct ml_layout *layout)
{
    struct ml_shown shown = {0, -1};
    for (int i = 0, least = INT_MAX; i < layout->results.n_output; i++) {
        const int order = order_of(layout, i);
        if (order < least) {
            least = order;
            shown.output = i;
        }
    }
    if (layout->runs.rank > 0 && !is_number(&layout->results.outputs[shown.output]))
        shown.row = ml_layout_output_rows(layout, shown.output) - 1;
    return shown;
}

const char *ml_shown_name(const struct ml_layout *layout, struct ml_shown shown,
                          char name[ML_NAME_LENGTH])
{
    const struct ml_output *output = &layout->results.outputs[shown.output];
    char *const *labels = layout->study->segment_names;
    if (shown.row < 0)
        return output->name;
    if (labels && ml_dim_is_named(output->dim[0]) && output->dim[1] == ML_DIM_NONE)
        (void)snprintf(name, ML_NAME_LENGTH, "%s.%s", output->name, labels[shown.row]);
    else
        (void)snprintf(name, ML_NAME_LENGTH, "%s.%d", output->name, shown.row + 1);
    return name;
}

/* "lyapunov_error" is that of lyapunov_max, its first number; NAME_error is that of NAME. */
static bool is_error_of(const struct ml_output *error, const struct ml_output *output)
{
    static const char end[] = "_error", largest[] = "_max";
    const size_t length = strlen(error->name), own = strlen(output->name);
    if (length < sizeof end || strcmp(error->name + length - (sizeof end - 1), end) != 0)
        return false;
    const size_t stem = length - (sizeof end - 1);
    const char *rest = own >= stem ? output->name + stem : NULL;
    if (!rest || strncmp(error->name, output->name, stem) != 0)
        return false;
    return is_number(error) ? *rest == '\0'
                            : error->dim[0] == ML_DIM_EXPONENT && strcmp(rest, largest) == 0;
}

int ml_shown_error(const struct ml_layout *layout, struct ml_shown shown)
{
    const struct ml_results *results = &layout->results;
    if (ml_layout_is_list(layout) || layout->runs.rank != 1 || shown.row >= 0)
        return -1;
    for (int i = 0; i < results->n_output; i++)
        if (is_error_of(&results->outputs[i], &results->outputs[shown.output]))
            return i;
    return -1;
}

void ml_shown_error_name(const struct ml_layout *layout, struct ml_shown shown,
                         char name[ML_NAME_LENGTH])
{
    (void)snprintf(name, ML_NAME_LENGTH, "%s_errors", layout->results.outputs[shown.output].name);
}

static bool has_shape_of(const struct ml_output *a, const struct ml_output *b)
{
    for (int k = 0; k < ML_MAX_DIM; k++)
        if (a->dim[k] != b->dim[k])
            return false;
    return true;
}

bool ml_shown_goes_with(const struct ml_layout *layout, struct ml_shown shown, int output)
{
    const struct ml_output *own = &layout->results.outputs[shown.output];
    const struct ml_output *other = &layout->results.outputs[output];
    int which;
    if (output == shown.output || ml_layout_is_list(layout))
        return false;
    if (layout->runs.rank > 1)
        return is_number(other);
    return shown.row < 0 && ml_shown_error(layout, shown) < 0 && has_shape_of(own, other) &&
           strcmp(own->unit, other->unit) == 0 &&
           writer_of(layout, shown.output, &which) == writer_of(layout, output, &which);
}
