/* Work and precision of integrators: the error over what it costs, a line for each integrator on
 * logarithmic axes. */
#include <math.h>
#include <string.h>

#include "plot/colours.h"
#include "plot/figure.h"

struct precision {
    struct ml_plot_source *source;
    hid_t group;
    struct ml_extent extent;        /* [integrator][level] */
    const char *const *integrators; /* [integrator] */
    const double *x, *y;            /* as of `extent` */
    const char *x_label, *y_label;
    double known; /* no error is known closer; 0: it does not matter here */
};

struct precision_offer {
    struct ml_plot_source *source;
    struct ml_plot_words *words;
};

static void precision_allow(void *context, hid_t group, const char *name, hid_t dataset)
{
    const struct precision_offer *offer = context;
    (void)dataset;
    if (ml_h5_lists(&offer->source->h5, group, "outputs", name))
        ml_plot_allow(offer->words, name);
}

static void precision_refuse(struct precision *p, const char *name)
{
    struct ml_plot_words words = {&p->source->pool, ml_nearest_typo(name), ""};
    ml_h5_each_dataset(&p->source->h5, p->group, precision_allow,
                       &(struct precision_offer){p->source, &words});
    ml_plot_refuse(p->source, "there is no `%s` of integrators; %s", name, ml_plot_hint(&words));
}

/* Numbers of a dataset, and its label, "name (unit)", by its long_name if it has one. */
static const double *precision_read(struct precision *p, const char *name, const char **label)
{
    struct ml_h5 *h5 = &p->source->h5;
    *label = "";
    if (h5->status == ML_OK && !ml_h5_lists(h5, p->group, "outputs", name))
        precision_refuse(p, name);
    if (h5->status != ML_OK)
        return NULL;
    const unsigned long long n = p->extent.size[0] * p->extent.size[1];
    double *values = ml_plot_take(p->source, n, sizeof *values);
    hid_t id = ml_h5_open_dataset(h5, p->group, name);
    ml_h5_read_range(h5, id, &p->extent, H5T_NATIVE_DOUBLE, 0, n, values);
    const char *unit = h5->status == ML_OK ? ml_plot_attribute(p->source, id, "units", "1") : "1";
    const char *called =
        h5->status == ML_OK ? ml_plot_attribute(p->source, id, "long_name", name) : name;
    *label = strcmp(unit, "1") == 0 ? ml_plot_format(p->source, "%s", called)
                                    : ml_plot_format(p->source, "%s (%s)", called, unit);
    (void)H5Dclose(id);
    return values;
}

static void precision_read_integrators(struct precision *p)
{
    struct ml_h5 *h5 = &p->source->h5;
    hid_t id = ml_h5_open_dataset(h5, p->group, "integrator");
    const unsigned long long n = p->extent.size[0];
    const struct ml_extent extent = ml_h5_extent(h5, id);
    if (h5->status == ML_OK && (extent.rank != 1 || extent.size[0] != n || !ml_h5_is_text(id)))
        ml_h5_refuse(h5, id, NULL, "texts [integrators]");
    char **texts = h5->status == ML_OK ? ml_h5_read_texts(h5, id, n) : NULL;
    const char **kept = ml_plot_take(p->source, n, sizeof *kept);
    for (unsigned long long i = 0; texts && kept && i < n; i++)
        kept[i] = ml_plot_format(p->source, "%s", texts[i]);
    p->integrators = kept;
    ml_h5_free_texts(n, texts);
    (void)H5Dclose(id);
}

static void precision_read_known(struct precision *p)
{
    struct ml_h5 *h5 = &p->source->h5;
    const struct ml_extent one = {.rank = 0};
    hid_t id = ml_h5_open_dataset(h5, p->group, "reference_difference");
    ml_h5_read_range(h5, id, &one, H5T_NATIVE_DOUBLE, 0, 1, &p->known);
    (void)H5Dclose(id);
}

static void precision_open(struct precision *p, const struct ml_plot_request *request)
{
    struct ml_h5 *h5 = &p->source->h5;
    p->group = ml_h5_find_group(h5, p->source->file, "/study/precision");
    hid_t id = ml_h5_open_dataset(h5, p->group, "error");
    p->extent = ml_h5_extent(h5, id);
    if (h5->status == ML_OK && (p->extent.rank != 2 || !ml_h5_is_number(id)))
        ml_h5_refuse(h5, id, NULL, "numbers [integrators][levels]");
    (void)H5Dclose(id);
    precision_read_integrators(p);
    if (!request->what || strcmp(request->what, "error") == 0)
        precision_read_known(p);
    p->x = precision_read(p, request->x ? request->x : "cpu_time", &p->x_label);
    p->y = precision_read(p, request->what ? request->what : "error", &p->y_label);
}

/* What a picture of this kind cannot do is refused, not passed over. */
static void precision_check(struct ml_plot_source *source, const struct ml_plot_request *request)
{
    if (request->y || request->by || request->n_at > 0 || request->run >= 0 || request->n_run > 0 ||
        request->return_map || request->is_histogram || request->has_bands)
        ml_plot_refuse(source, "is a comparison of integrators, of which only x, a part of it, "
                               "the range and the dataset to draw can be asked for");
}

static bool precision_has_point(const struct precision *p, unsigned long long at)
{
    return isfinite(p->x[at]) && isfinite(p->y[at]) && p->x[at] > 0.0 && p->y[at] > 0.0;
}

static unsigned long long precision_points(const struct precision *p, unsigned long long k)
{
    unsigned long long n = 0;
    for (unsigned long long l = 0; l < p->extent.size[1]; l++)
        n += precision_has_point(p, k * p->extent.size[1] + l);
    return n;
}

/* A block of lines x y for each integrator. */
static void precision_write(const struct ml_plot_script *script, const struct precision *p)
{
    FILE *file = ml_plot_create(script->source, script->folder, ML_PLOT_DATA);
    for (unsigned long long k = 0; file && k < p->extent.size[0]; k++) {
        for (unsigned long long l = 0; l < p->extent.size[1]; l++) {
            const unsigned long long at = k * p->extent.size[1] + l;
            if (precision_has_point(p, at))
                (void)fprintf(file, "%.17g %.17g\n", p->x[at], p->y[at]);
        }
        (void)fputs(precision_points(p, k) > 0 ? "\n\n" : "NaN NaN\n\n\n", file);
    }
    ml_plot_finish(script->source, file);
}

static void precision_set_range(FILE *file, const char *letter, double low, double high)
{
    if (isfinite(low) || isfinite(high)) {
        (void)fprintf(file, "set %srange [", letter);
        if (isfinite(low))
            (void)fprintf(file, "%.17g", low);
        (void)fputc(':', file);
        if (isfinite(high))
            (void)fprintf(file, "%.17g", high);
        (void)fputs("]\n", file);
    }
}

/* Largest error to draw: what is far beyond the size of the numbers is a method that has failed. */
static double precision_most(const struct precision *p, const struct ml_plot_request *request)
{
    const double enough = 10.0;
    double most = 0.0;
    for (unsigned long long i = 0; i < p->extent.size[0] * p->extent.size[1]; i++)
        if (precision_has_point(p, i))
            most = fmax(most, p->y[i]);
    if (!isnan(request->high))
        return request->high;
    return most > enough && (!request->what || strncmp(request->what, "error", 5) == 0)
               ? enough
               : (double)INFINITY;
}

static void precision_set_axes(const struct ml_plot_script *script, const struct precision *p,
                               const struct ml_plot_request *request)
{
    FILE *file = script->file;
    (void)fputs("set logscale xy\nset format xy '%.0e'\nset grid xtics ytics linetype 1 linewidth "
                "0.5 linecolor rgb '#dddddd'\n",
                file);
    ml_plot_set_label(script, "x", p->x_label);
    ml_plot_set_label(script, "y", p->y_label);
    (void)fputs("set key outside right top Left reverse samplen 2\n", file);
    precision_set_range(file, "x", request->from, request->to);
    precision_set_range(file, "y", request->low, precision_most(p, request));
}

/* Colours repeat with another point and dash. */
static void precision_plot(const struct ml_plot_script *script, const struct precision *p)
{
    static const int points[] = {7, 5, 9};
    const char *begin = "plot folder . '" ML_PLOT_DATA "'";
    FILE *file = script->file;
    for (unsigned long long k = 0; k < p->extent.size[0]; k++, begin = ", \\\n    ''") {
        const unsigned long long round = k / ML_PLOT_DISTINCT % (sizeof points / sizeof *points);
        (void)fprintf(file,
                      "%s index %llu with linespoints pointtype %d pointsize 0.6 dashtype %llu "
                      "linewidth 1.3 linecolor rgb '%s' title ",
                      begin, k, points[round], round + 1, ml_plot_distinct[k % ML_PLOT_DISTINCT]);
        ml_plot_quote(file, p->integrators[k]);
    }
    if (p->known > 0.0)
        (void)fprintf(
            file,
            "%s index 0 using 1:(NaN) with lines linecolor rgb '#999999' dashtype 2 title "
            "'reference', %.17g with lines linecolor rgb '#999999' dashtype 2 notitle",
            begin, p->known);
    (void)fputc('\n', file);
}

void ml_plot_precision(const struct ml_plot_script *script, const struct ml_plot_request *request)
{
    struct precision p = {.source = script->source, .group = -1};
    precision_check(script->source, request);
    if (script->source->h5.status == ML_OK)
        precision_open(&p, request);
    if (script->source->h5.status == ML_OK) {
        precision_write(script, &p);
        ml_plot_begin_script(script, "");
        precision_set_axes(script, &p, request);
        precision_plot(script, &p);
    }
    (void)H5Gclose(p.group);
}
