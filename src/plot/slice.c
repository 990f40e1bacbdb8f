/* Reads the values of a view from the dataset, into rows along x. */
#include "plot/slice.h"

#include <math.h>
#include <string.h>

#include "manylink/outcome.h"
#include "plot/axis.h"

static bool is_row(const struct ml_plot_view *view, int dim)
{
    return !view->is_fixed[dim] && dim != view->x;
}

/* The row of the run that number i of a box belongs to. */
static unsigned long long slice_row_of(const struct ml_plot_view *view, unsigned long long i)
{
    const struct ml_plot_dataset *dataset = view->dataset;
    unsigned long long run = 0, stride = 1;
    for (int k = dataset->rank - 1; k >= 0; k--) {
        const unsigned long long n = ml_plot_count(view, k);
        if (k < dataset->n_run_dim) {
            run += ((view->is_fixed[k] ? view->at[k] : 0) + i % n) * stride;
            stride *= dataset->size[k];
        }
        i /= n;
    }
    return run;
}

/* Values of n numbers: how their runs ended, or those of the dataset without numbers of runs that
 * are not finished. A single run is shown as far as it came. */
static void slice_read_numbers(struct ml_plot_source *source, const struct ml_plot_view *view,
                               double *values, unsigned long long n)
{
    const struct ml_plot_dataset *dataset = view->dataset;
    unsigned long long single;
    if (!dataset->is_outcome)
        ml_plot_read_box(source, view, values, n);
    if (!dataset->is_outcome &&
        (!dataset->is_summary || dataset->is_share || ml_plot_single_run(view, &single)))
        return;
    const int64_t *outcomes = ml_plot_outcomes(source);
    for (unsigned long long i = 0; outcomes && i < n; i++) {
        const int outcome = (int)outcomes[slice_row_of(view, i)];
        if (dataset->is_outcome)
            values[i] = outcome;
        else if (!ml_outcome_is_sound(outcome))
            values[i] = (double)NAN;
    }
}

/* From the dataset's order to rows and columns. */
static void sort_into(const struct ml_plot_view *view, const double *values, unsigned long long n,
                      struct ml_plot_slice *slice)
{
    for (unsigned long long i = 0; i < n; i++) {
        unsigned long long rest = i, row = 0, column = 0, stride = 1;
        for (int k = view->dataset->rank - 1; k >= 0; k--) {
            const unsigned long long size = ml_plot_count(view, k), at = rest % size;
            rest /= size;
            if (k == view->x) {
                column = at;
            } else if (is_row(view, k)) {
                row += at * stride;
                stride *= size;
            }
        }
        slice->values[row * slice->n_column + column] = values[i];
        if (!isfinite(values[i]))
            slice->n_missing++;
    }
}

static void read_one(struct ml_plot_source *source, const struct ml_plot_view *view,
                     struct ml_plot_slice *slice)
{
    const unsigned long long n = ml_plot_box(view);
    *slice = (struct ml_plot_slice){.n_column = view->dataset->size[view->x], .entries = ""};
    slice->n_row = n / slice->n_column;
    double *values = ml_plot_take(source, n, sizeof *values);
    slice->values = ml_plot_take(source, n, sizeof *slice->values);
    if (source->status == ML_OK)
        slice_read_numbers(source, view, values, n);
    if (source->status == ML_OK)
        sort_into(view, values, n, slice);
}

/* Several runs: the rows of one after those of the other. */
static void read_several(struct ml_plot_source *source, const struct ml_plot_view *view,
                         struct ml_plot_slice *slice)
{
    struct ml_plot_view one = *view;
    one.n_several = 0;
    for (int i = 0; i < view->n_several && source->status == ML_OK; i++) {
        struct ml_plot_slice part;
        one.at[0] = view->several[i];
        read_one(source, &one, &part);
        const unsigned long long n = part.n_row * part.n_column;
        if (i == 0) {
            *slice = part;
            slice->n_row *= (unsigned long long)view->n_several;
            slice->values = ml_plot_take(source, n * (unsigned long long)view->n_several,
                                         sizeof *slice->values);
        }
        if (source->status == ML_OK)
            memcpy(slice->values + (unsigned long long)i * n, part.values, n * sizeof(double));
        slice->n_missing += i > 0 ? part.n_missing : 0;
    }
}

void ml_plot_read(struct ml_plot_source *source, const struct ml_plot_view *view,
                  struct ml_plot_slice *slice)
{
    if (view->n_several > 0)
        read_several(source, view, slice);
    else
        read_one(source, view, slice);
}

static const char *entry(struct ml_plot_source *source, const struct ml_plot_scale *scale,
                         unsigned long long at)
{
    return scale->texts ? scale->texts[at] : ml_plot_format(source, "%.6g", scale->values[at]);
}

static const char *join(struct ml_plot_source *source, const char *first, const char *second)
{
    return *second ? ml_plot_format(source, "%s, %s", first, second) : first;
}

/* The scale that labels entries of a dimension: of runs in no order their number; of an axis that
 * moves several quantities, whose own scale only counts, the first of them if no two entries have
 * the same value of it. */
static struct ml_plot_scale row_scale(struct ml_plot_source *source,
                                      const struct ml_plot_dataset *dataset, int dim)
{
    if (ml_plot_is_unordered(dataset, dim))
        return dataset->scales[dim];
    const struct ml_plot_scale usual = ml_plot_usual_scale(source, dataset, dim);
    struct ml_plot_scale first;
    const bool counts = usual.is_whole && dim < dataset->n_run_dim;
    const char *name = counts ? ml_plot_first_swept(source, dataset, dim) : NULL;
    if (!name || ml_plot_dimension(source, dataset, name, &first) < 0 || source->status != ML_OK)
        return usual;
    double *sorted = ml_plot_take(source, first.n, sizeof *sorted);
    if (!sorted)
        return usual;
    memcpy(sorted, first.values, first.n * sizeof *sorted);
    const unsigned long long n = ml_plot_sort_finite(sorted, first.n);
    for (unsigned long long i = 1; i < n; i++)
        if (sorted[i] == sorted[i - 1])
            return usual;
    return first;
}

void ml_plot_label_rows(struct ml_plot_source *source, const struct ml_plot_view *view,
                        struct ml_plot_slice *slice)
{
    const struct ml_plot_dataset *dataset = view->dataset;
    struct ml_plot_scale scales[ML_ARRAY_MAX_RANK];
    const char **labels = ml_plot_take(source, slice->n_row, sizeof *labels);
    for (int k = dataset->rank - 1; k >= 0; k--)
        scales[k] = is_row(view, k) ? row_scale(source, dataset, k) : dataset->scales[k];
    for (unsigned long long row = 0; labels && row < slice->n_row; row++) {
        unsigned long long rest = row;
        labels[row] = "";
        for (int k = dataset->rank - 1; k >= 0; k--) {
            if (!is_row(view, k))
                continue;
            const struct ml_plot_scale *scale = &scales[k];
            labels[row] = join(source, entry(source, scale, rest % scale->n), labels[row]);
            rest /= scale->n;
        }
        if (view->n_several > 0)
            labels[row] =
                join(source, entry(source, &dataset->scales[0], view->several[rest]), labels[row]);
    }
    for (int k = dataset->rank - 1; k >= 0; k--)
        if (is_row(view, k))
            slice->entries = join(source, scales[k].name, slice->entries);
    if (view->n_several > 0)
        slice->entries = join(source, dataset->scales[0].name, slice->entries);
    slice->labels = labels;
}

/* The first entry of a descending list goes with its largest only: lyapunov_error with
 * lyapunov_max. */
static bool is_largest(const char *name)
{
    static const char end[] = "_max";
    size_t length = strlen(name);
    return length >= strlen(end) && strcmp(name + length - strlen(end), end) == 0;
}

/* Reads a dataset of the group as errors if it has the view's dimensions. */
static bool read_named(struct ml_plot_source *source, const struct ml_plot_view *view,
                       const char *name, struct ml_plot_slice *errors)
{
    struct ml_plot_dataset other;
    struct ml_plot_view same;
    if (strcmp(name, view->dataset->name) == 0 ||
        !ml_plot_find_in(source, view->dataset->group, name, &other) ||
        (other.rank > view->dataset->rank && !is_largest(view->dataset->name)) ||
        !ml_plot_same_choice(view, &other, &same))
        return false;
    ml_plot_read(source, &same, errors);
    return source->status == ML_OK;
}

/* Standard errors of the numbers that the view shows, of the same shape; false if the result has
 * none. */
static bool read_errors(struct ml_plot_source *source, const struct ml_plot_view *view,
                        struct ml_plot_slice *errors)
{
    const char *name = view->dataset->name;
    const char *given = ml_plot_attribute(source, view->dataset->path, "uncertainties", "");
    if (read_named(source, view, given, errors) ||
        read_named(source, view, ml_plot_format(source, "%s_errors", name), errors))
        return true;
    for (size_t n = strlen(name); n > 0; n--)
        if (name[n] == '_' &&
            read_named(source, view, ml_plot_format(source, "%.*s_error", (int)n, name), errors))
            return true;
    return false;
}

bool ml_plot_read_ends(struct ml_plot_source *source, const struct ml_plot_view *view,
                       const struct ml_plot_slice *slice, struct ml_plot_slice ends[2])
{
    struct ml_plot_view end = *view;
    const unsigned long long n = slice->n_row * slice->n_column;
    const bool has_interval = view->dataset->is_share;
    if (!has_interval && !read_errors(source, view, &ends[0]))
        return false;
    ends[1] = ends[0];
    for (unsigned long long i = 0; i < 2 && has_interval; i++) {
        end.at[view->dataset->rank - 1] = i + 1;
        ml_plot_read(source, &end, &ends[i]);
    }
    if (!has_interval)
        ends[1].values = ml_plot_take(source, n, sizeof *ends[1].values);
    for (unsigned long long i = 0; source->status == ML_OK && i < n && !has_interval; i++) {
        const double error = ends[0].values[i];
        ends[0].values[i] = slice->values[i] - error;
        ends[1].values[i] = slice->values[i] + error;
    }
    return source->status == ML_OK;
}
