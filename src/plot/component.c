/* Names of one component of a dataset, such as angle.upper. */
#include <string.h>

#include "plot/figure.h"

/* The entry of a scale that a text begins with, up to a dot or its end; NULL: none. */
static const char *component_entry(const struct ml_plot_scale *scale, const char *text)
{
    for (unsigned long long i = 0; scale->texts && i < scale->n; i++) {
        const size_t length = strlen(scale->texts[i]);
        if (strncmp(scale->texts[i], text, length) == 0 &&
            (text[length] == '\0' || text[length] == '.'))
            return scale->texts[i];
    }
    return NULL;
}

static void component_refuse(struct ml_plot_source *source, const char *name,
                             const struct ml_plot_dataset *dataset, const char *component)
{
    struct ml_plot_words words = {&source->pool, ml_nearest_typo(component), ""};
    for (int k = dataset->n_run_dim; k < dataset->rank; k++)
        for (unsigned long long i = 0; dataset->scales[k].texts && i < dataset->scales[k].n; i++)
            ml_plot_allow(&words, dataset->scales[k].texts[i]);
    if (*words.all)
        ml_plot_refuse(source, "cannot draw `%s`: %s has no component `%s`; %s", name,
                       dataset->name, component, ml_plot_hint(&words));
    else
        ml_plot_refuse(source, "cannot draw `%s`: %s has no components", name, dataset->name);
}

void ml_plot_split_name(struct ml_plot_source *source, struct ml_plot_options *request)
{
    const char *name = request->what;
    const size_t length = name ? ml_plot_name_length(source, NULL, name) : 0;
    const char *own = length > 0 ? ml_plot_format(source, "%.*s", (int)length, name) : NULL;
    struct ml_plot_dataset dataset;
    struct ml_plot_at *at =
        ml_plot_take(source, (unsigned long long)request->n_at + ML_ARRAY_MAX_RANK, sizeof *at);
    if (!own || !at || strcmp(own, name) == 0)
        return;
    ml_plot_find(source, own, &dataset);
    if (source->status != ML_OK)
        return;
    const char *rest = name + strlen(own) + 1;
    int n = request->n_at;
    for (int i = 0; i < n; i++)
        at[i] = request->at[i];
    for (int k = dataset.n_run_dim; k < dataset.rank && *rest; k++) {
        const char *entry = component_entry(&dataset.scales[k], rest);
        if (!entry)
            continue;
        at[n++] = (struct ml_plot_at){dataset.scales[k].name, entry};
        rest += strlen(entry) + (rest[strlen(entry)] == '.');
    }
    if (*rest)
        component_refuse(source, name, &dataset, name + strlen(own) + 1);
    request->what = own;
    request->at = at;
    request->n_at = n;
}
