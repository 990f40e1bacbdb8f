/* A line for each number of the summary over the runs of a sample. */
#include "report/describe_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/layout.h"

enum { MOST_LINES = 20 };

struct sample_page {
    struct ml_h5 *h5;
    hid_t group; /* /study/statistics */
    FILE *out;
    int n_line;
};

static int64_t sample_product(const struct ml_extent *extent, int end)
{
    int64_t n = 1;
    for (int k = 0; k < end; k++)
        n *= (int64_t)extent->size[k];
    return n;
}

/* All numbers of TABLE/NAME, to be freed; NULL if they are not there or not of `rows` parts.
 *   size  numbers of a part, out */
static double *sample_read(const struct sample_page *page, const char *table, const char *name,
                           int64_t rows, int64_t *size)
{
    char path[2 * ML_NAME_LENGTH];
    (void)snprintf(path, sizeof path, "%s%s%s", table, *table ? "/" : "", name);
    const hid_t id = ml_h5_find_dataset(page->h5, page->group, path);
    if (id < 0)
        return NULL;
    const struct ml_extent extent = ml_h5_extent(page->h5, id);
    const int64_t n = sample_product(&extent, extent.rank);
    const bool fits = n > 0 && n % rows == 0;
    double *values = fits ? calloc((size_t)n, sizeof *values) : NULL;
    *size = n / rows;
    if (fits && ml_h5_need(page->h5, values))
        ml_h5_read_range(page->h5, id, &extent, H5T_NATIVE_DOUBLE, 0, (unsigned long long)n,
                         values);
    (void)H5Oclose(id);
    return values;
}

/* Appends ".upper" or ".2" for an entry of a dimension. */
static void sample_append(const struct sample_page *page, hid_t group, hid_t dataset, int dim,
                          unsigned long long i, char name[ML_NAME_LENGTH])
{
    char number[ML_NAME_LENGTH] = "";
    char *scale = ml_h5_scale_name(page->h5, group, dataset, dim);
    const hid_t id = scale ? ml_h5_find_dataset(page->h5, group, scale) : -1;
    const struct ml_extent extent = id >= 0 ? ml_h5_extent(page->h5, id) : (struct ml_extent){0};
    char **texts = NULL;
    if (id >= 0 && extent.rank == 1 && i < extent.size[0] && ml_h5_is_text(id))
        texts = ml_h5_read_texts(page->h5, id, extent.size[0]);
    (void)snprintf(number, sizeof number, "%llu", i + 1);
    ml_name_append(name, texts ? texts[i] : number);
    if (texts)
        ml_h5_free_texts(extent.size[0], texts);
    if (id >= 0)
        (void)H5Oclose(id);
    free(scale);
}

/* "NAME.upper.x" of part `row` of a dataset of moments. */
static void sample_name(const struct sample_page *page, hid_t group, hid_t dataset,
                        const char *name, int64_t row, char out[ML_NAME_LENGTH])
{
    const struct ml_extent extent = ml_h5_extent(page->h5, dataset);
    (void)snprintf(out, ML_NAME_LENGTH, "%s", name);
    for (int k = 0; k < extent.rank - 1; k++) {
        int64_t inner = 1;
        for (int j = k + 1; j < extent.rank - 1; j++)
            inner *= (int64_t)extent.size[j];
        sample_append(page, group, dataset, k, (unsigned long long)(row / inner) % extent.size[k],
                      out);
    }
}

/* The input with the largest rank correlation. */
static void sample_print_input(const struct sample_page *page, const double *pairs, int64_t n)
{
    int64_t best = -1;
    for (int64_t i = 0; i < n; i++)
        if (isfinite(pairs[2 * i + 1]) &&
            (best < 0 || fabs(pairs[2 * i + 1]) > fabs(pairs[2 * best + 1])))
            best = i;
    const hid_t id =
        best >= 0 ? ml_h5_find_dataset(page->h5, page->group, "correlations/input") : -1;
    if (id < 0)
        return;
    const struct ml_extent extent = ml_h5_extent(page->h5, id);
    char **inputs = extent.rank == 1 && extent.size[0] == (unsigned long long)n && ml_h5_is_text(id)
                        ? ml_h5_read_texts(page->h5, id, extent.size[0])
                        : NULL;
    if (inputs) {
        (void)fprintf(page->out, "  %+.2f with %s", pairs[2 * best + 1], inputs[best]);
        ml_h5_free_texts(extent.size[0], inputs);
    }
    (void)H5Oclose(id);
}

static void sample_print_quantile(const struct sample_page *page, const double *quantiles, int k)
{
    const double value = quantiles[3 * k];
    if (isnan(value))
        (void)fprintf(page->out, "  %12s", "none");
    else
        (void)fprintf(page->out, "  %12.5g", value);
}

static void sample_print_number(struct sample_page *page, const char *name, const char *unit,
                                const double *moments, const double *quantiles)
{
    enum { LOW = 1, MIDDLE = 3, HIGH = 5 }; /* quantiles of 0.05, 0.5, 0.95 */
    (void)fprintf(page->out, "  %-24s  ", name);
    if (isnan(moments[0]))
        (void)fputs("no run has this number", page->out);
    else if (isnan(moments[2]))
        (void)fprintf(page->out, "%12.5g %s in the only run that has this number", moments[0],
                      unit ? unit : "");
    else {
        (void)fprintf(page->out, "%12.5g +- %-9.2g  %10.3g", moments[0], moments[2], moments[1]);
        for (int k = LOW; k <= HIGH; k += MIDDLE - LOW)
            sample_print_quantile(page, quantiles, k);
        (void)fprintf(page->out, "  %-6s", unit ? unit : "1");
    }
}

/* Runs without the number that count as the worst in its quantiles. */
static void sample_print_never(const struct sample_page *page, const double *part, double n)
{
    if (n > 0.0 && part[0] > 0.0)
        (void)fprintf(page->out, "\n%28s%.0f of %.0f runs have none: %.2g, %.2g .. %.2g", "", n,
                      nearbyint(n / part[0]), part[0], part[1], part[2]);
}

static void sample_visit(void *context, hid_t group, const char *name, hid_t id)
{
    struct sample_page *page = context;
    const struct ml_extent extent = ml_h5_extent(page->h5, id);
    if (!ml_h5_is_number(id) || extent.rank < 1 || ml_h5_is_scale(page->h5, id))
        return;
    const int64_t rows = sample_product(&extent, extent.rank - 1);
    int64_t n_moment = 0, n_quantile = 0, n_correlation = 0, n_never = 0, n_part = 0;
    char *unit = ml_h5_find_text(page->h5, id, "units");
    double *moments = rows > 0 ? sample_read(page, "moments", name, rows, &n_moment) : NULL;
    double *quantiles = rows > 0 ? sample_read(page, "quantiles", name, rows, &n_quantile) : NULL;
    double *pairs = rows > 0 ? sample_read(page, "correlations", name, rows, &n_correlation) : NULL;
    double *never = rows > 0 ? sample_read(page, "never", name, rows, &n_never) : NULL;
    double *part = rows > 0 ? sample_read(page, "never_fraction", name, rows, &n_part) : NULL;
    const bool is_whole =
        moments && quantiles && pairs && n_moment == 5 && n_quantile == 21 && n_correlation > 1;
    for (int64_t row = 0; is_whole && row < rows && page->n_line <= MOST_LINES; row++) {
        char own[ML_NAME_LENGTH];
        if (page->n_line++ == MOST_LINES)
            break;
        sample_name(page, group, id, name, row, own);
        sample_print_number(page, own, unit, moments + 5 * row, quantiles + 21 * row);
        sample_print_input(page, pairs + n_correlation * row, n_correlation / 2);
        if (never && part && n_never == 1 && n_part == 3)
            sample_print_never(page, part + 3 * row, never[row]);
        (void)fputc('\n', page->out);
    }
    free(unit);
    free(moments);
    free(quantiles);
    free(pairs);
    free(never);
    free(part);
}

/* The share of runs that meet each requirement; over a grid the least and the largest share of
 * points. */
static void sample_print_requirements(const struct sample_page *page)
{
    const hid_t scale = ml_h5_find_dataset(page->h5, page->group, "requirement");
    if (scale < 0)
        return;
    const struct ml_extent extent = ml_h5_extent(page->h5, scale);
    const int64_t n = extent.rank == 1 ? (int64_t)extent.size[0] : 0;
    char **names =
        n > 0 && ml_h5_is_text(scale) ? ml_h5_read_texts(page->h5, scale, extent.size[0]) : NULL;
    int64_t size = 0;
    double *part = names ? sample_read(page, "", "requirement_fraction", 1, &size) : NULL;
    if (part && size % (3 * n) == 0)
        (void)fputs("\nrequirements: share of the runs that meet them, interval of 95 %\n",
                    page->out);
    for (int64_t i = 0; part && size % (3 * n) == 0 && i < n; i++) {
        double least = part[3 * i], most = least;
        for (int64_t at = 3 * i; at < size; at += 3 * n) {
            least = fmin(least, part[at]);
            most = fmax(most, part[at]);
        }
        if (size == 3 * n)
            (void)fprintf(page->out, "  %-40s  %.3g, %.3g .. %.3g\n", names[i], part[3 * i],
                          part[3 * i + 1], part[3 * i + 2]);
        else
            (void)fprintf(page->out, "  %-40s  %.3g .. %.3g over the points of the grid\n",
                          names[i], least, most);
    }
    free(part);
    if (names)
        ml_h5_free_texts(extent.size[0], names);
    (void)H5Oclose(scale);
}

void ml_describe_sample(struct ml_h5 *h5, hid_t file, FILE *out)
{
    struct sample_page page = {.h5 = h5, .out = out};
    if (h5->status != ML_OK || !ml_h5_has(file, "/study/statistics/moments"))
        return;
    page.group = ml_h5_find_group(h5, file, "/study/statistics");
    const hid_t moments = ml_h5_find_group(h5, file, "/study/statistics/moments");
    const hid_t outcomes = ml_h5_find_dataset(h5, file, "/study/statistics/outcome_runs");
    const int rank = outcomes >= 0 ? ml_h5_extent(h5, outcomes).rank : 0;
    char *left_out = page.group >= 0 ? ml_h5_find_text(h5, page.group, "left_out") : NULL;
    char *missing = page.group >= 0 ? ml_h5_find_text(h5, page.group, "missing") : NULL;
    if (rank == 1 && moments >= 0) {
        (void)fprintf(
            out,
            "\nstatistics of the sample; left out: %s%s%s\n  mean +- standard error, standard "
            "deviation, quantiles 0.05, 0.5 and 0.95, unit, largest rank correlation\n",
            left_out ? left_out : "some runs", missing ? "; " : "", missing ? missing : "");
        ml_h5_each_dataset(h5, moments, sample_visit, &page);
        if (page.n_line > MOST_LINES)
            (void)fputs("  ... those of further numbers are in /study/statistics\n", out);
    } else if (rank > 1) {
        (void)fputs("\nstatistics of the sample at each point of the grid: /study/statistics\n",
                    out);
    }
    if (page.group >= 0)
        sample_print_requirements(&page);
    free(left_out);
    free(missing);
    if (outcomes >= 0)
        (void)H5Oclose(outcomes);
    if (moments >= 0)
        (void)H5Gclose(moments);
    if (page.group >= 0)
        (void)H5Gclose(page.group);
}
