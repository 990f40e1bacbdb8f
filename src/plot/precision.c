/* Work and precision of integrators: the error over its cost, a line for each integrator on
 * logarithmic axes. */
#include <math.h>
#include <string.h>

#include "base/text.h"

#include "plot/figure.h"

struct precision {
    struct ml_plot_source *source;
    unsigned long long n_integrator, n_level;
    struct ml_plot_scale integrators;
    const double *x, *y; /* [integrator][level] */
    const char *x_label, *y_label;
    double known; /* no error is known closer; 0: it does not matter here */
};

/* Numbers of a dataset, and its label. */
static const double *precision_read(struct precision *p, const char *name, const char **label)
{
    struct ml_plot_dataset found, *dataset = &found;
    *label = "";
    if (!ml_plot_find_in(p->source, "precision", name, dataset) || dataset->rank != 2) {
        struct ml_plot_words words = {&p->source->pool, ml_nearest_typo(name), ""};
        ml_plot_allow_members(p->source, "precision", &words);
        ml_plot_refuse(p->source, "there is no `%s` of integrators; %s", name,
                       ml_plot_hint(&words));
        return NULL;
    }
    p->n_integrator = dataset->size[0];
    p->n_level = dataset->size[1];
    p->integrators = dataset->scales[0];
    if (!p->integrators.texts)
        ml_plot_fail(p->source, ML_E_FILE, "%s: /study/precision/integrator must be texts",
                     p->source->path);
    *label = ml_plot_attribute(p->source, dataset->path, "long_name", name);
    *label = ml_plot_format(p->source, "%s%s", *label, ml_unit_text(" (", dataset->unit, ")").text);
    return ml_plot_numbers(p->source, dataset->path, p->n_integrator * p->n_level);
}

static void precision_open(struct precision *p, const struct ml_plot_options *request)
{
    const double *known = NULL;
    if (!request->what || strcmp(request->what, "error") == 0)
        known = ml_plot_numbers(p->source, "precision/reference_difference", 1);
    p->known = known ? *known : 0.0;
    p->x = precision_read(p, request->x ? request->x : "cpu_time", &p->x_label);
    const unsigned long long n = p->n_integrator * p->n_level;
    p->y = precision_read(p, request->what ? request->what : "error", &p->y_label);
    if (p->n_integrator * p->n_level != n)
        ml_plot_fail(p->source, ML_E_FILE, "%s: /study/precision has datasets of two shapes",
                     p->source->path);
}

/* Refuses options that a picture of this kind has not. */
static void precision_check(struct ml_plot_source *source, const struct ml_plot_options *request)
{
    if (request->y || request->by || request->n_at > 0 || request->n_run == 1 ||
        request->n_run > 1 || request->return_map || request->is_histogram || request->has_bands)
        ml_plot_refuse(source, "is a comparison of integrators, of which only x, a part of it, "
                               "the range and the dataset to draw can be asked for");
}

static bool precision_has_point(const struct precision *p, unsigned long long at)
{
    return isfinite(p->x[at]) && isfinite(p->y[at]) && p->x[at] > 0.0 && p->y[at] > 0.0;
}

/* x and y of integrator k. */
static const char *precision_write(const struct ml_plot_script *script, const struct precision *p,
                                   unsigned long long k)
{
    struct ml_plot_table table = ml_plot_begin_table(script, 2);
    for (unsigned long long at = k * p->n_level; at < (k + 1) * p->n_level; at++)
        if (precision_has_point(p, at)) {
            ml_plot_write(&table, p->x[at]);
            ml_plot_write(&table, p->y[at]);
        }
    return ml_plot_end_table(&table);
}

/* Largest error to draw: an error far beyond the size of the numbers is that of a method that has
 * failed. */
static double precision_most(const struct precision *p, const struct ml_plot_options *request)
{
    const double enough = 10.0;
    double most = 0.0;
    for (unsigned long long i = 0; i < p->n_integrator * p->n_level; i++)
        if (precision_has_point(p, i))
            most = fmax(most, p->y[i]);
    if (!isnan(request->range[1]))
        return request->range[1];
    return most > enough && (!request->what || strncmp(request->what, "error", 5) == 0)
               ? enough
               : (double)INFINITY;
}

static void precision_set_axes(const struct ml_plot_script *script, const struct precision *p,
                               const struct ml_plot_options *request)
{
    FILE *file = script->file;
    (void)fputs("set logscale xy\nset format xy '%.0e'\nset grid xtics ytics linetype 1 linewidth "
                "0.5 linecolor rgb '#dddddd'\n",
                file);
    ml_plot_set_label(script, "x", p->x_label);
    ml_plot_set_label(script, "y", p->y_label);
    (void)fputs("set key outside right top Left reverse samplen 2\n", file);
    ml_plot_set_ends(file, "x", request->part[0], request->part[1]);
    ml_plot_set_ends(file, "y", request->range[0], precision_most(p, request));
}

/* Colours repeat with another point and dash. */
static void precision_plot(const struct ml_plot_script *script, const struct precision *p)
{
    static const int points[] = {7, 5, 9};
    const char *begin = "plot ";
    FILE *file = script->file;
    for (unsigned long long k = 0; k < p->n_integrator; k++, begin = ML_PLOT_AGAIN) {
        const unsigned long long round = k / ML_PLOT_DISTINCT % (sizeof points / sizeof *points);
        (void)fprintf(file,
                      "%s%s using 1:2 with linespoints pointtype %d pointsize 0.6 dashtype %llu "
                      "linewidth 1.3 linecolor rgb '%s' title ",
                      begin, precision_write(script, p, k), points[round], round + 1,
                      ml_plot_distinct[k % ML_PLOT_DISTINCT]);
        ml_plot_quote(script, p->integrators.texts[k]);
    }
    if (p->known > 0.0)
        (void)fprintf(file,
                      "%s%.17g with lines linecolor rgb '#999999' dashtype 2 title 'reference'",
                      begin, p->known);
    (void)fputc('\n', file);
}

void ml_plot_precision(const struct ml_plot_script *script, const struct ml_plot_options *request)
{
    struct precision p = {.source = script->source};
    precision_check(script->source, request);
    if (script->source->status == ML_OK)
        precision_open(&p, request);
    if (script->source->status == ML_OK) {
        ml_plot_begin_script(script, "");
        precision_set_axes(script, &p, request);
        precision_plot(script, &p);
    }
}
