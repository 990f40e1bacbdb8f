/* Chooses the scale on which values become colours, and writes it for gnuplot. */
#include "plot/colours.h"

#include <math.h>
#include <string.h>

#include "manylink/outcome.h"
#include "statistics/quantile.h"

const char *const ml_plot_distinct[ML_PLOT_DISTINCT] = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
};

/* The asinh scale of values: where it is no longer linear; 0: it does not suit them. */
static double colours_linear(struct ml_plot_source *source, const double *values,
                             unsigned long long n)
{
    const double many_decades = 1000.0;
    double *sizes = ml_plot_take(source, n, sizeof *sizes);
    unsigned long long n_below = 0, n_above = 0;
    if (source->status != ML_OK)
        return 0.0;
    for (unsigned long long i = 0; i < n; i++) {
        sizes[i] = fabs(values[i]);
        n_below += values[i] < 0.0;
        n_above += values[i] > 0.0;
    }
    const unsigned long long n_finite = ml_plot_sort_finite(sizes, n);
    const bool has_both = 20 * n_below > n && 20 * n_above > n;
    const double median = has_both ? ml_quantile(sizes, (int64_t)n_finite, 0.5) : 0.0;
    const bool suits = median > 0.0 && sizes[n_finite - 1] >= many_decades * median;
    return suits ? pow(10.0, floor(log10(median))) : 0.0;
}

static void colours_apply_request(const struct ml_plot_view *view, struct ml_plot_colours *colours)
{
    struct ml_plot_range *range = &colours->range;
    colours->is_asked = ml_plot_ask_range(view->request, range);
    range->is_cut = range->is_cut && !colours->is_asked;
    range->is_log = range->is_log && (range->low > 0.0 || !colours->is_asked);
}

/* Names of outcomes, with blanks between. */
static const char *colours_outcomes(struct ml_plot_source *source)
{
    const char *all = "";
    for (int k = 0; k < ML_N_OUTCOME; k++)
        all = ml_plot_format(source, "%s%s%s", all, k > 0 ? " " : "", ml_outcome_name(k));
    return all;
}

/* A name in which _ stands for a blank. */
static const char *colours_category(struct ml_plot_source *source, const char *name, size_t length)
{
    char *text = ml_plot_take(source, length + 1, 1);
    for (size_t i = 0; text && i < length; i++)
        text[i] = (char)(name[i] == '_' ? ' ' : name[i]);
    return text ? text : "";
}

/* The categories that n values of a dataset have; refuses a dataset without any.
 *   all  names of 0, 1, ... with blanks between */
static struct ml_plot_colours colours_of_categories(struct ml_plot_source *source,
                                                    const char *dataset, const char *all,
                                                    const double *values, unsigned long long n)
{
    struct ml_plot_colours colours = {.n_name = 0};
    const size_t most = strlen(all) / 2 + 1;
    const char **names = ml_plot_take(source, most, sizeof *names);
    double *numbers = ml_plot_take(source, most, sizeof *numbers);
    unsigned long long *counts = ml_plot_take(source, most, sizeof *counts);
    for (int k = 0; names && numbers && counts && *all; k++) {
        const size_t length = strcspn(all, " ");
        unsigned long long count = 0;
        for (unsigned long long i = 0; i < n; i++)
            count += values[i] == k;
        if (count > 0) {
            numbers[colours.n_name] = k;
            counts[colours.n_name] = count;
            names[colours.n_name++] = colours_category(source, all, length);
        }
        all += length + strspn(all + length, " ");
    }
    colours.names = names;
    colours.numbers = numbers;
    colours.counts = counts;
    if (colours.n_name == 0)
        ml_plot_refuse_empty(source, dataset);
    return colours;
}

/* Whether a dataset is the time of the first event of some name: it has been counted too. */
static bool colours_is_first_time(struct ml_plot_source *source,
                                  const struct ml_plot_dataset *dataset)
{
    static const char time[] = "_time";
    const size_t length = strlen(dataset->name), end = sizeof time - 1;
    if (!dataset->is_summary || length < end || strcmp(dataset->name + length - end, time) != 0)
        return false;
    struct ml_array_info info;
    const char *count = ml_plot_format(source, "%.*s_count", (int)(length - end), dataset->name);
    return ml_plot_describe(source, dataset->group, count, &info);
}

/* Most runs have their event early, and a map is looked at for those where it is late. */
static bool colours_has_log_times(struct ml_plot_source *source,
                                  const struct ml_plot_dataset *dataset,
                                  const struct ml_plot_range *range)
{
    return range->low > 0.0 && range->high > 10.0 * range->low &&
           colours_is_first_time(source, dataset);
}

struct ml_plot_colours ml_plot_colours_of(struct ml_plot_source *source,
                                          const struct ml_plot_view *view, const double *values,
                                          unsigned long long n)
{
    const double matters = 0.1;
    const char *name = view->dataset->name;
    const char *categories =
        view->dataset->is_outcome ? colours_outcomes(source) : view->dataset->categories;
    if (categories)
        return colours_of_categories(source, name, categories, values, n);
    struct ml_plot_colours colours = {.range = ml_plot_range_of(source, name, values, n)};
    if (source->status != ML_OK)
        return colours;
    colours.range.is_log =
        colours.range.is_log || colours_has_log_times(source, view->dataset, &colours.range);
    colours.linear = colours_linear(source, values, n);
    if (!(colours.linear > 0.0))
        colours.range = ml_plot_cut(colours.range);
    colours_apply_request(view, &colours);
    struct ml_plot_range *range = &colours.range;
    if (!(range->low < range->high))
        ml_plot_refuse(source, "range: %s goes from %.6g to %.6g", name, range->core_low,
                       range->core_high);
    for (unsigned long long i = 0; colours.is_asked && i < n; i++)
        colours.n_beyond += values[i] < range->low || values[i] > range->high;
    const double smaller = fmin(-range->low, range->high);
    const double larger = fmax(-range->low, range->high);
    colours.is_signed = smaller > matters * larger || (colours.linear > 0.0 && smaller > 0.0);
    if (colours.is_signed && !colours.is_asked) {
        range->low = -larger;
        range->high = larger;
    }
    return colours;
}

/* Tics at powers of ten of both signs, as many as have room. */
static void colours_set_asinh_tics(FILE *file, const struct ml_plot_colours *colours)
{
    const double largest = fmax(-colours->range.low, colours->range.high);
    const int first = (int)lround(log10(colours->linear)), last = (int)floor(log10(largest));
    const int every = 1 + (last - first) / 5;
    (void)fputs("set cbtics ('0' 0", file);
    for (int k = last; k >= first; k -= every)
        for (int sign = -1; sign <= 1; sign += 2) {
            const double value = sign * pow(10.0, k);
            if (value >= colours->range.low && value <= colours->range.high)
                (void)fprintf(file, ", '%g' %.17g", value, asinh(value / colours->linear));
        }
    (void)fputs(")\n", file);
}

/* Where the scale from -larger to larger has this value: blue below 0, almost white at 0, red
 * above. */
static unsigned colours_diverging(double value, double larger)
{
    static const unsigned hues[] = {0x0B2F6B, 0x4A86C5, 0xB9D3EA, 0xF4F4F2,
                                    0xF3C9A8, 0xD2703A, 0x7A1408};
    enum { N = sizeof hues / sizeof *hues, BYTE = 0xFF };
    const double at = fmin(fmax((value / larger + 1.0) * 0.5 * (N - 1), 0.0), N - 1.0);
    const int k = at < N - 1 ? (int)at : N - 2;
    unsigned colour = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        const double below = hues[k] >> shift & BYTE, above = hues[k + 1] >> shift & BYTE;
        colour |= (unsigned)lround(below + (above - below) * (at - k)) << shift;
    }
    return colour;
}

static void colours_set_diverging(const struct ml_plot_script *script, double low, double high)
{
    const int steps = 20;
    const double larger = fmax(-low, high);
    (void)fputs("set palette defined (", script->file);
    for (int i = 0; i <= steps; i++)
        (void)fprintf(script->file, "%s%d '#%06x'",
                      i == 0       ? ""
                      : i % 8 == 0 ? ", \\\n    "
                                   : ", ",
                      i, colours_diverging(low + (high - low) * i / steps, larger));
    (void)fputs(")\n", script->file);
}

void ml_plot_leave_room_for_bar(const struct ml_plot_script *script)
{
    const double bar = 0.22, least = 0.5;
    (void)fprintf(script->file, "set rmargin at screen %.3f\n",
                  ml_plot_place(script, fmax(least, 1.0 - ml_plot_width(script, bar))));
}

const char ml_plot_categories[] = "#cfe3f1#d55e00#0072b2#e69f00#cc79a7#009e73#000000"
                                  "#56b4e9#f0e442#882255#44aa99#999933#332288";
enum { COLOUR = 7 }; /* letters: "#rrggbb" */

/* One colour each, in equal parts of the bar. */
static void colours_set_categories(const struct ml_plot_script *script,
                                   const struct ml_plot_colours *colours)
{
    FILE *file = script->file;
    if (colours->n_name > 1) /* gnuplot warns of 1 */
        (void)fprintf(file, "set palette maxcolors %d\n", colours->n_name);
    (void)fputs("set palette defined (", file);
    for (int i = 0; i < colours->n_name; i++) {
        const int number = (int)colours->numbers[i], n = (sizeof ml_plot_categories - 1) / COLOUR;
        const char *hue =
            ml_plot_categories + COLOUR * (number > 0 ? 1 + (number - 1) % (n - 1) : 0);
        (void)fprintf(file, "%s%d '%.7s', %d '%.7s'", i > 0 ? ", " : "", i, hue, i + 1, hue);
    }
    (void)fprintf(file, ")\nset cbrange [-0.5:%g]\nset cbtics scale 0 (", colours->n_name - 0.5);
    for (int i = 0; i < colours->n_name; i++) {
        (void)fputs(i > 0 ? ", " : "", file);
        ml_plot_quote_tic(script, colours->names[i]);
        (void)fprintf(file, " . \"\\n%llu\" %d", colours->counts[i], i);
    }
    (void)fputs(")\n", file);
}

void ml_plot_set_colours(const struct ml_plot_script *script, const char *label,
                         const struct ml_plot_colours *colours)
{
    struct ml_plot_range range = colours->range;
    ml_plot_leave_room_for_bar(script);
    if (colours->names) {
        colours_set_categories(script, colours);
        return;
    }
    if (colours->linear > 0.0) {
        range.low = asinh(range.low / colours->linear);
        range.high = asinh(range.high / colours->linear);
    }
    if (colours->is_signed && !script->options->palette)
        colours_set_diverging(script, range.low, range.high);
    else
        ml_plot_set_palette(script);
    ml_plot_set_range(script, "cb", label, range);
    if (colours->linear > 0.0)
        colours_set_asinh_tics(script->file, colours);
}

const char *ml_plot_colour_value(struct ml_plot_source *source,
                                 const struct ml_plot_colours *colours, int column)
{
    if (colours->names) {
        const char *text = "NaN"; /* of runs without a category */
        for (int i = 0; i < colours->n_name; i++)
            text =
                ml_plot_format(source, "$%d == %g ? %d : %s", column, colours->numbers[i], i, text);
        return ml_plot_format(source, "(%s)", text);
    }
    if (colours->linear > 0.0)
        return ml_plot_format(source, "(asinh($%d / %.17g))", column, colours->linear);
    if (colours->range.is_log)
        return ml_plot_format(source, "($%d <= 0 ? %.17g : $%d)", column, colours->range.low,
                              column);
    return ml_plot_format(source, "%d", column);
}

/* Colours at even distances: viridis and magma by S. van der Walt and N. Smith (CC0), cividis by
 * J. Nunez, C. Anderton and R. Renslow (PLoS ONE 13, 2018). */
static const struct {
    const char *name, *colours;
} palettes[] = {
    {"viridis", "#440154#482878#3e4a89#31688e#26828e#1f9e89#35b779#6dcd59#b4de2c#fde725"},
    {"cividis", "#00224e#123570#3b496c#575d6d#707173#8a8678#a59c74#c3b369#e1cc55#fee838"},
    {"magma", "#000004#180f3d#440f76#721f81#9e2f7f#cd4071#f1605d#fd9668#feca8d#fcfdbf"},
    {"grey", "#202020#404040#606060#808080#a0a0a0#c0c0c0#e0e0e0"},
    {"blue-red", "#0b2f6b#4a86c5#b9d3ea#f4f4f2#f3c9a8#d2703a#7a1408"},
};

const char *ml_plot_palette(int i)
{
    return i >= 0 && (size_t)i < sizeof palettes / sizeof *palettes ? palettes[i].name : NULL;
}

int ml_plot_palette_find(const char *name)
{
    int k = 0;
    while (name && ml_plot_palette(k) && strcmp(ml_plot_palette(k), name) != 0)
        k++;
    return k;
}

void ml_plot_set_palette(const struct ml_plot_script *script)
{
    const char *colours = palettes[ml_plot_palette_find(script->options->palette)].colours;
    (void)fputs("set palette defined (", script->file);
    for (int i = 0; colours[COLOUR * i]; i++)
        (void)fprintf(script->file, "%s%d '%.7s'",
                      i == 0   ? ""
                      : i == 5 ? ", \\\n    "
                               : ", ",
                      i, colours + COLOUR * i);
    (void)fputs(")\n", script->file);
}

void ml_plot_set_fading_palette(const struct ml_plot_script *script)
{
    (void)fputs("set palette defined (0 '#d5e3f0', 1 '#6f9fc8', 2 '#0b2545')\n", script->file);
}
