/* Prints where the runs of a result have settled, and how entangled the basins are. */
#include "store/attractors_text.h"

#include <math.h>
#include <string.h>

enum { MOST_LINES = 20 };
static const char label_end[] = "_attractor";

struct attractors_page {
    struct ml_h5 *h5;
    hid_t file;
    FILE *out;
};

/* First numbers of a dataset of an event's group; returns how many were read, 0 if there is none.
 */
static int attractors_numbers(const struct attractors_page *page, const char *event,
                              const char *name, int most, double *values)
{
    char path[2 * ML_NAME_LENGTH];
    (void)snprintf(path, sizeof path, "/study/attractors/%s/%s", event, name);
    hid_t id = ml_h5_find_dataset(page->h5, page->file, path);
    if (id < 0)
        return 0;
    const struct ml_extent extent = ml_h5_extent(page->h5, id);
    const unsigned long long size = extent.rank == 0 ? 1 : extent.size[0];
    const unsigned long long n = size < (unsigned long long)most ? size : (unsigned long long)most;
    if (page->h5->status == ML_OK && extent.rank > 1)
        ml_h5_refuse(page->h5, id, NULL, "a number for each attractor");
    ml_h5_read_range(page->h5, id, &extent, H5T_NATIVE_DOUBLE, 0, n, values);
    (void)H5Oclose(id);
    return page->h5->status == ML_OK ? (int)n : 0;
}

static void attractors_print_boundary(const struct attractors_page *page, const char *event)
{
    double exponent, error, entropy;
    if (attractors_numbers(page, event, "uncertainty_exponent", 1, &exponent) == 1 &&
        attractors_numbers(page, event, "uncertainty_exponent_error", 1, &error) == 1 &&
        attractors_numbers(page, event, "boundary_basin_entropy", 1, &entropy) == 1 &&
        !isnan(exponent))
        (void)fprintf(page->out,
                      "  boundary: uncertainty exponent %.2f +- %.2f (1: smooth), basin entropy "
                      "%.2f (above 0.69: fractal)\n",
                      exponent, error, entropy);
}

static void attractors_print_event(const struct attractors_page *page, const char *event)
{
    double period[MOST_LINES], fraction[MOST_LINES], error[MOST_LINES], first[MOST_LINES];
    double settled = 0.0;
    const int n = attractors_numbers(page, event, "fraction", MOST_LINES, fraction);
    if (attractors_numbers(page, event, "period", n, period) != n ||
        attractors_numbers(page, event, "fraction_errors", n, error) != n ||
        attractors_numbers(page, event, "first_run", n, first) != n)
        return;
    (void)fprintf(page->out, "\nattractors of %s: label, period, part of the runs, first run\n",
                  event);
    for (int i = 0; i < n; i++) {
        settled += fraction[i];
        (void)fprintf(page->out, "  %3d  %6.0f  %.4f +- %.4f  %8.0f\n", i + 1, period[i],
                      fraction[i], error[i], first[i]);
    }
    if (n == MOST_LINES)
        (void)fputs("  ... those of fewer runs are in /study/attractors\n", page->out);
    else if (settled < 1.0 - 1e-12)
        (void)fprintf(page->out, "    0          %.4f of the runs have not settled\n",
                      1.0 - settled);
    attractors_print_boundary(page, event);
}

static void attractors_visit(void *context, hid_t group, const char *name, hid_t dataset)
{
    const struct attractors_page *page = context;
    const size_t length = strlen(name), end = sizeof label_end - 1;
    char event[ML_NAME_LENGTH];
    (void)group, (void)dataset;
    if (length <= end || length - end >= sizeof event ||
        strcmp(name + length - end, label_end) != 0)
        return;
    (void)snprintf(event, sizeof event, "%.*s", (int)(length - end), name);
    attractors_print_event(page, event);
}

void ml_attractors_print(struct ml_h5 *h5, hid_t file, FILE *out)
{
    struct attractors_page page = {h5, file, out};
    if (h5->status != ML_OK || !ml_h5_has(file, "/study/attractors"))
        return;
    hid_t summary = ml_h5_find_group(h5, file, "/study/summary");
    if (summary < 0)
        return;
    ml_h5_each_dataset(h5, summary, attractors_visit, &page);
    (void)H5Gclose(summary);
}
