#include "plot/fix.h"

#include <math.h>
#include <string.h>

#include "study/number.h"

void ml_plot_fix(struct ml_plot_source *source, struct ml_plot_view *view, int dim,
                 const struct ml_plot_scale *scale, unsigned long long at)
{
    if (view->is_fixed[dim]) {
        ml_plot_refuse(source, "%s is fixed more than once", view->dataset->scales[dim].name);
        return;
    }
    view->is_fixed[dim] = true;
    view->at[dim] = at;
    if (scale->n > 1 || scale->texts == NULL)
        view->notes = ml_plot_format(source, "%s%s%s", view->notes, *view->notes ? "; " : "",
                                     ml_plot_at_text(source, scale, at));
}

/* Position of a label. */
static unsigned long long find_label(struct ml_plot_source *source,
                                     const struct ml_plot_scale *scale, const char *label)
{
    struct ml_plot_words words = {&source->pool, ml_nearest_typo(label), ""};
    for (unsigned long long i = 0; i < scale->n; i++) {
        if (strcmp(scale->texts[i], label) == 0)
            return i;
        ml_plot_allow(&words, scale->texts[i]);
    }
    ml_plot_refuse(source, "--at %s=%s: no such entry; %s", scale->name, label,
                   ml_plot_hint(&words));
    return 0;
}

/* Position of the nearest number; one that lies further outside than the whole range is wide is a
 * mistake. */
static unsigned long long find_number(struct ml_plot_source *source,
                                      const struct ml_plot_scale *scale, const char *text)
{
    struct ml_number_fault fault;
    double wanted, low = (double)INFINITY, high = -(double)INFINITY;
    unsigned long long nearest = 0;
    if (!ml_number_read(text, &wanted, &fault)) {
        ml_plot_refuse(source, "--at %s=%s: %s", scale->name, text, fault.what);
        return 0;
    }
    for (unsigned long long i = 0; i < scale->n; i++) {
        low = fmin(low, scale->values[i]);
        high = fmax(high, scale->values[i]);
        if (fabs(scale->values[i] - wanted) < fabs(scale->values[nearest] - wanted))
            nearest = i;
    }
    if (wanted < low - (high - low) || wanted > high + (high - low))
        ml_plot_refuse(source, "--at %s=%s: it goes from %.6g to %.6g", scale->name, text, low,
                       high);
    return nearest;
}

static void fix_assigned(struct ml_plot_source *source, struct ml_plot_view *view,
                         const char *assign)
{
    const char *equals = strchr(assign, '=');
    if (!equals || equals == assign || !equals[1]) {
        ml_plot_refuse(source, "--at %s: it must read PATH=VALUE", assign);
        return;
    }
    const char *name = ml_plot_format(source, "%.*s", (int)(equals - assign), assign);
    struct ml_plot_scale scale;
    int dim = ml_plot_dimension(source, view->dataset, name, &scale);
    if (dim < 0) {
        ml_plot_refuse_dimension(source, view->dataset, "--at", name);
        return;
    }
    unsigned long long at = scale.texts ? find_label(source, &scale, equals + 1)
                                        : find_number(source, &scale, equals + 1);
    if (source->h5.status == ML_OK)
        ml_plot_fix(source, view, dim, &scale, at);
}

/* The run's position among the saved ones. */
static void fix_saved_run(struct ml_plot_source *source, struct ml_plot_view *view,
                          const struct ml_plot_request *request)
{
    const struct ml_plot_scale *runs = &view->dataset->scales[0];
    unsigned long long i = 0;
    while (i < runs->n && runs->values[i] != (double)request->run)
        i++;
    if (i < runs->n)
        ml_plot_fix(source, view, 0, runs, i);
    else if (runs->n == 1)
        ml_plot_refuse(source, "the trajectory of run %lld is not in it, only that of run %g",
                       (long long)request->run, runs->values[0]);
    else
        ml_plot_refuse(
            source, "the trajectory of run %lld is not in it; saved are every %gth run up to %g",
            (long long)request->run, runs->values[1] - runs->values[0], runs->values[runs->n - 1]);
}

/* The run's place in the grid. */
static void fix_run(struct ml_plot_source *source, struct ml_plot_view *view,
                    const struct ml_plot_request *request)
{
    const struct ml_plot_dataset *dataset = view->dataset;
    unsigned long long run = (unsigned long long)request->run;
    if (!dataset->is_summary) {
        fix_saved_run(source, view, request);
        return;
    }
    const unsigned long long row = ml_plot_row(source, run);
    if (source->h5.status != ML_OK)
        return;
    unsigned long long stride = source->n_run;
    view->notes = ml_plot_format(source, "run %llu", run);
    for (int k = 0; k < dataset->n_run_dim; k++) {
        stride /= dataset->extent.size[k];
        ml_plot_fix(source, view, k, &dataset->scales[k], row / stride % dataset->extent.size[k]);
    }
}

void ml_plot_fix_requested(struct ml_plot_source *source, struct ml_plot_view *view,
                           const struct ml_plot_request *request)
{
    for (int i = 0; i < request->n_assign && source->h5.status == ML_OK; i++)
        fix_assigned(source, view, request->assigns[i]);
    if (request->run >= 0 && source->h5.status == ML_OK)
        fix_run(source, view, request);
}
