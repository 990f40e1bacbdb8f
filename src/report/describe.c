/* The page of text about a finished result, with where its runs have settled and how entangled the
 * basins are. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/numeric_env.h"
#include "base/text.h"
#include "h5/h5.h"
#include "manylink/result.h"
#include "plan/datasets.h"
#include "report/describe_sample.h"
#include "store/result_h5.h"
#include "store/seal.h"

enum { DESCRIBE_MOST_LINES = 20 };
static const char describe_label_end[] = "_attractor";

struct describe_page {
    struct ml_h5 h5;
    hid_t file;
    FILE *out;
};

/* As ml_result_h5_attractors. */
static int describe_attractor_numbers(struct describe_page *page, const char *event,
                                      const char *name, int most, double *values)
{
    return ml_result_h5_attractors(&page->h5, page->file, event, name, most, values);
}

static void describe_print_boundary(struct describe_page *page, const char *event)
{
    double exponent, error, entropy, boundary;
    if (describe_attractor_numbers(page, event, "uncertainty_exponent", 1, &exponent) == 1 &&
        describe_attractor_numbers(page, event, "uncertainty_exponent_error", 1, &error) == 1 &&
        describe_attractor_numbers(page, event, "basin_entropy", 1, &entropy) == 1 &&
        describe_attractor_numbers(page, event, "boundary_basin_entropy", 1, &boundary) == 1 &&
        !isnan(exponent) && !isnan(error))
        (void)fprintf(page->out,
                      "  uncertainty exponent %.4f +- %.4f (1: smooth), basin entropy %.4f, "
                      "boundary basin entropy %.4f (above 0.69: fractal)\n",
                      exponent, error, entropy, boundary);
}

/* Runs without an attractor. */
static void describe_print_others(struct describe_page *page, const char *event)
{
    static const struct {
        const char *name, *text;
    } ways[] = {{"underway_fraction", "have not settled: they still come nearer to something"},
                {"aperiodic_fraction", "have no period"},
                {"chaotic_fraction", "are chaotic, by their Lyapunov exponents"},
                {"failed_fraction", "have failed, or have fewer than two events"}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        double part;
        if (describe_attractor_numbers(page, event, ways[i].name, 1, &part) == 1 && part > 0.0)
            (void)fprintf(page->out, "    -          %.4f of the runs %s\n", part, ways[i].text);
    }
}

static void describe_print_event(struct describe_page *page, const char *event)
{
    enum { MOST = DESCRIBE_MOST_LINES + 1 }; /* one more tells whether there are more */
    double period[MOST], fraction[MOST], error[MOST], first[MOST], late[MOST] = {0},
                                                                   exact[MOST] = {0};
    const int n = describe_attractor_numbers(page, event, "fraction", MOST, fraction);
    if (describe_attractor_numbers(page, event, "period", n, period) != n ||
        describe_attractor_numbers(page, event, "fraction_errors", n, error) != n ||
        describe_attractor_numbers(page, event, "first_run", n, first) != n)
        return;
    (void)describe_attractor_numbers(page, event, "late_fraction", n, late);
    (void)describe_attractor_numbers(page, event, "exact_starts", n, exact);
    (void)fprintf(page->out, "\nattractors of %s: label, period, part of the runs, first run\n",
                  event);
    for (int i = 0; i < n && i < DESCRIBE_MOST_LINES; i++) {
        (void)fprintf(page->out, "  %3d  %6.0f  %.4f +- %.4f  %8.0f", i + 1, period[i], fraction[i],
                      error[i], first[i]);
        if (late[i] > 0.0)
            (void)fprintf(page->out, "  %.4f came in late", late[i]);
        (void)fputs(exact[i] > 0.0 ? "  reached by exact starts only: unstable, or of a family\n"
                                   : "\n",
                    page->out);
    }
    if (n > DESCRIBE_MOST_LINES)
        (void)fputs("  ... those of fewer runs are in /study/attractors\n", page->out);
    describe_print_others(page, event);
    describe_print_boundary(page, event);
}

static void describe_visit_label(void *context, hid_t group, const char *name, hid_t dataset)
{
    struct describe_page *page = context;
    const size_t length = strlen(name), end = sizeof describe_label_end - 1;
    char event[ML_NAME_LENGTH];
    (void)group, (void)dataset;
    if (length <= end || length - end >= sizeof event ||
        strcmp(name + length - end, describe_label_end) != 0)
        return;
    (void)snprintf(event, sizeof event, "%.*s", (int)(length - end), name);
    describe_print_event(page, event);
}

/* Prints the attractors of each event that has labels in /study/summary; nothing if none has. */
static void describe_print_attractors(struct describe_page *page)
{
    if (page->h5.status != ML_OK || !ml_h5_has(page->file, "/study/attractors"))
        return;
    hid_t summary = ml_h5_find_group(&page->h5, page->file, "/study/summary");
    if (summary < 0)
        return;
    ml_h5_each_dataset(&page->h5, summary, describe_visit_label, page);
    (void)H5Gclose(summary);
}

static void describe_print_shape(struct describe_page *page, hid_t dataset)
{
    struct ml_extent extent = ml_h5_extent(&page->h5, dataset);
    char shape[256] = "";
    size_t used = 0;
    for (int k = 0; k < extent.rank && used < sizeof shape; k++)
        used += (size_t)snprintf(shape + used, sizeof shape - used, k ? " x %llu" : "%llu",
                                 extent.size[k]);
    (void)fprintf(page->out, "  %-16s", extent.rank ? shape : "one number");
}

static void describe_print_stats(struct describe_page *page, hid_t dataset)
{
    struct ml_stats stats = ml_stats_of(&page->h5, dataset);
    if (stats.is_known)
        (void)fprintf(page->out, "  %12.5g  %12.5g  %12.5g", stats.min, stats.median, stats.max);
    else
        (void)fprintf(page->out, "  %-40s",
                      stats.is_too_many ? "(more than 1e6 numbers)" : "(no finite number)");
}

/* One line: name, shape, least, middle, largest, unit, doc. */
static void describe_print_dataset(struct describe_page *page, const char *name, hid_t dataset,
                                   bool with_stats)
{
    char *unit = ml_h5_find_text(&page->h5, dataset, "units");
    char *doc = ml_h5_find_text(&page->h5, dataset, "description");
    (void)fprintf(page->out, "  %-28s", name);
    describe_print_shape(page, dataset);
    if (with_stats)
        describe_print_stats(page, dataset);
    (void)fprintf(page->out, "  %-8s  %s\n", unit ? unit : "1", doc ? doc : "");
    free(doc);
    free(unit);
}

enum describe_kind { DESCRIBE_AXES, DESCRIBE_OUTPUTS, DESCRIBE_RECORDS };

/* Whether a dataset of a group belongs to a part of the page. */
static bool describe_is_of_kind(struct ml_h5 *h5, hid_t group, const char *name, hid_t dataset,
                                enum describe_kind kind)
{
    bool is_number = ml_h5_is_number(dataset);
    if (kind == DESCRIBE_RECORDS)
        return is_number && !ml_h5_is_scale(h5, dataset);
    bool is_output = ml_h5_lists(h5, group, "outputs", name);
    return kind == DESCRIBE_OUTPUTS ? is_output
                                    : is_number && !is_output && strcmp(name, "run") != 0 &&
                                          !ml_result_h5_is_copy(h5, group, name);
}

/* The datasets of one kind, and where to print them. */
struct describe_list {
    struct describe_page *page;
    enum describe_kind kind;
};

static void describe_print_member(void *context, hid_t group, const char *name, hid_t dataset)
{
    struct describe_list *list = context;
    if (describe_is_of_kind(&list->page->h5, group, name, dataset, list->kind))
        describe_print_dataset(list->page, name, dataset, list->kind != DESCRIBE_RECORDS);
}

static void describe_print_group(struct describe_page *page, const char *path,
                                 enum describe_kind kind, const char *heading)
{
    hid_t group = ml_h5_find_group(&page->h5, page->file, path);
    if (group < 0)
        return;
    (void)fputs(heading, page->out);
    ml_h5_each_dataset(&page->h5, group, describe_print_member,
                       &(struct describe_list){page, kind});
    (void)H5Gclose(group);
}

static void describe_print_head(struct describe_page *page)
{
    struct stat about = {0};
    (void)stat(page->h5.path, &about); /* it is open: a size of 0 is the worst that can happen */
    char *title = ml_h5_read_text(&page->h5, page->file, "/study/title");
    char *creator = ml_h5_find_text(&page->h5, page->file, "creator");
    (void)fprintf(page->out, "%s\n%s, %.3f MB, by %s\n", title ? title : "", page->h5.path,
                  (double)about.st_size / 1e6, creator ? creator : "an unknown program");
    free(creator);
    free(title);
}

static void describe_print_seal(struct describe_page *page)
{
    bool is_sealed = false;
    const enum ml_status status = ml_seal_check(page->h5.path, &is_sealed, NULL);
    if (!ml_h5_need(&page->h5, status != ML_E_MEMORY))
        return;
    (void)fputs(status != ML_OK ? "changed since it was made: by another program, or damaged\n"
                : is_sealed     ? "as it was made: its checksum matches\n"
                                : "not known whether it is as it was made: it has no seal\n",
                page->out);
}

/* The number of a run alone, and its values of the quantities that its study sweeps. */
struct describe_run {
    struct describe_page *page;
    double number;
    int n_value; /* printed so far */
};

static double describe_read_one(struct ml_h5 *h5, hid_t dataset)
{
    const struct ml_extent extent = ml_h5_extent(h5, dataset), one = {1, {1}};
    double value = 0.0;
    if (extent.rank == 1 && extent.size[0] == 1)
        ml_h5_read_range(h5, dataset, &one, H5T_NATIVE_DOUBLE, 0, 1, &value);
    return value;
}

static void describe_visit_value(void *context, hid_t group, const char *name, hid_t dataset)
{
    struct describe_run *run = context;
    struct describe_page *page = run->page;
    (void)group;
    if (!ml_h5_is_number(dataset) || ml_dataset_is_run_column(name))
        return;
    char *unit = ml_h5_find_text(&page->h5, dataset, "units");
    if (run->n_value++ == 0)
        (void)fprintf(page->out, "run %.0f of its study: ", run->number);
    (void)fprintf(page->out, "%s%s = %.6g%s%s", run->n_value > 1 ? ", " : "", name,
                  describe_read_one(&page->h5, dataset), unit && strcmp(unit, "1") != 0 ? " " : "",
                  unit && strcmp(unit, "1") != 0 ? unit : "");
    free(unit);
}

static void describe_print_run(struct describe_page *page)
{
    struct describe_run run = {.page = page};
    const hid_t group = ml_h5_find_group(&page->h5, page->file, "/study/runs");
    const hid_t id = group >= 0 ? ml_h5_find_dataset(&page->h5, group, "run") : -1;
    if (id >= 0) {
        run.number = describe_read_one(&page->h5, id);
        (void)H5Oclose(id);
        ml_h5_each_dataset(&page->h5, group, describe_visit_value, &run);
    }
    if (run.n_value > 0)
        (void)fputc('\n', page->out);
    if (group >= 0)
        (void)H5Gclose(group);
}

static void describe_print_outcomes(struct describe_page *page)
{
    struct ml_tally tally;
    long long n_run = 0;
    if (page->h5.status != ML_OK || !ml_h5_has(page->file, "/study/runs"))
        return; /* nothing was integrated */
    ml_result_h5_tally(&page->h5, page->file, &tally);
    for (int i = 0; i < ML_N_OUTCOME; i++)
        n_run += tally.count[i].runs;
    (void)fprintf(page->out, "\nruns: %lld", n_run);
    for (int i = 0; i < ML_N_OUTCOME; i++)
        if (tally.count[i].runs > 0)
            (void)fprintf(page->out, ", %lld %s", (long long)tally.count[i].runs,
                          ml_outcome_name(i));
    (void)fputc('\n', page->out);
    if (n_run == 1)
        describe_print_run(page);
}

static void describe_print_accuracy(struct describe_page *page)
{
    struct ml_accuracy accuracy = {0};
    struct ml_accuracy_verdict verdict;
    if (page->h5.status != ML_OK)
        return;
    ml_accuracy_read(&page->h5, page->file, &accuracy);
    if (ml_h5_need(&page->h5, ml_accuracy_judge(&accuracy, &verdict)) && *verdict.text)
        (void)fprintf(page->out, "\n%s%s\n", verdict.is_large ? "large " : "", verdict.text);
    ml_accuracy_free(&accuracy);
}

static void describe_print_sweeps(struct describe_page *page)
{
    char text[200];
    double largest;
    const hid_t id =
        page->h5.status == ML_OK
            ? ml_h5_find_dataset(&page->h5, page->file, "/study/summary/" ML_SWEEP_RESIDUAL)
            : -1;
    if (id < 0)
        return;
    const struct ml_extent extent = ml_h5_extent(&page->h5, id);
    unsigned long long n = 1;
    for (int k = 0; k < extent.rank; k++)
        n *= extent.size[k];
    double *residual = calloc((size_t)n + 1, sizeof *residual);
    ml_h5_need(&page->h5, residual);
    ml_h5_read_range(&page->h5, id, &extent, H5T_NATIVE_DOUBLE, 0, n, residual);
    (void)H5Oclose(id);
    if (page->h5.status == ML_OK && ml_sweeps_say(residual, (size_t)n, &largest, sizeof text, text))
        (void)fprintf(page->out, "%s\n", text);
    free(residual);
}

/* A name, and beside it a text of one line or more. */
static void describe_print_lines(struct describe_page *page, const char *name, const char *text)
{
    size_t length = strcspn(text, "\n");
    (void)fprintf(page->out, "  %-12s%.*s\n", name, (int)length, text);
    for (; text[length]; length = strcspn(text, "\n")) {
        text += length + 1;
        (void)fprintf(page->out, "  %-12s%.*s\n", "", (int)strcspn(text, "\n"), text);
    }
}

static void describe_print_provenance(struct describe_page *page)
{
    static const char *const names[] = {"study", "overrides", "options", "version",    "compiler",
                                        "isa",   "kernel",    "host",    "start_time", "end_time"};
    (void)fputs("\nmade\n", page->out);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "/study/provenance/%s", names[i]);
        const hid_t id = ml_h5_find_dataset(&page->h5, page->file, path);
        if (id < 0)
            continue; /* not all results have all of them */
        (void)H5Oclose(id);
        char *text = ml_h5_read_text(&page->h5, page->file, path);
        describe_print_lines(page, names[i], text ? text : "");
        free(text);
    }
}

/* The view that viewers begin with; files of older versions do not say how it is drawn. */
static void describe_print_view(struct describe_page *page)
{
    static const char *const names[] = {"style", "shows", "x", "y", "colour"};
    static const char *const before[] = {"\nshown first: ", " of ", ", x: ", ", y: ", ", colour: "};
    const hid_t entry = ml_h5_find_group(&page->h5, page->file, "/study");
    char *path = entry >= 0 ? ml_h5_find_text(&page->h5, entry, "default") : NULL;
    const hid_t group = path ? ml_h5_find_group(&page->h5, entry, path) : -1;
    const bool is_said = group >= 0 && H5Aexists(group, names[0]) > 0;
    for (size_t i = 0; is_said && i < sizeof names / sizeof *names; i++) {
        char *text = ml_h5_find_text(&page->h5, group, names[i]);
        if (text)
            (void)fprintf(page->out, "%s%s", before[i], text);
        free(text);
    }
    if (is_said)
        (void)fputc('\n', page->out);
    free(path);
    if (group >= 0)
        (void)H5Gclose(group);
    if (entry >= 0)
        (void)H5Gclose(entry);
}

/* The numbers of runs or other computations. */
static void describe_print_numbers(struct describe_page *page)
{
    describe_print_attractors(page);
    describe_print_group(page, "/study/summary", DESCRIBE_AXES,
                         "\nswept or sampled: values, least, middle, largest, unit\n");
    describe_print_group(page, "/study/summary", DESCRIBE_OUTPUTS,
                         "\nsummary: shape, least, middle, largest of the finite values, unit\n");
    ml_describe_sample(&page->h5, page->file, page->out);
    describe_print_group(page, "/study/precision", DESCRIBE_OUTPUTS,
                         "\nintegrators: shape, least, middle, largest, unit\n");
    describe_print_group(page, "/study/inverse", DESCRIBE_OUTPUTS,
                         "\ninverse: shape, least, middle, largest, unit\n");
    describe_print_group(page, "/study/trajectories", DESCRIBE_RECORDS,
                         "\ntrajectories: shape, unit\n");
    describe_print_view(page);
    describe_print_accuracy(page);
    describe_print_sweeps(page);
}

static void describe_print(struct describe_page *page)
{
    describe_print_head(page);
    describe_print_seal(page);
    describe_print_outcomes(page);
    if (ml_result_h5_is_empty(&page->h5, page->file))
        (void)fputs("a shard without a block: the study has fewer blocks than shards\n", page->out);
    else
        describe_print_numbers(page);
    describe_print_provenance(page);
}

static enum ml_status describe_result(const char *path, int may_be_changed, char **text,
                                      struct ml_error *err)
{
    struct describe_page page = {0};
    size_t size = 0;
    ml_h5_begin(&page.h5, path, err);
    page.file = ml_result_h5_open(&page.h5, may_be_changed);
    page.out = open_memstream(text, &size);
    ml_h5_need(&page.h5, page.out);
    if (page.h5.status == ML_OK)
        describe_print(&page);
    ml_h5_need(&page.h5, !page.out || fclose(page.out) == 0);
    ml_h5_close(&page.h5, page.file);
    *text = ml_text_escape(*text);
    if (page.h5.status != ML_OK) {
        free(*text);
        *text = NULL;
    }
    return ml_h5_end(&page.h5);
}

enum ml_status ml_result_describe(const char *path, int may_be_changed, char **text,
                                  struct ml_error *err)
{
    *text = NULL;
    const struct ml_numeric_env env = ml_numeric_env_set();
    const enum ml_status status = describe_result(path, may_be_changed, text, err);
    ml_numeric_env_restore(&env);
    return status;
}
