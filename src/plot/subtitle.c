/* The line under the study's title. */
#include "manylink/outcome.h"
#include "plot/figure.h"

static const char *add_line(struct ml_plot_source *source, const char *subtitle, const char *line)
{
    if (!*line)
        return subtitle;
    return ml_plot_format(source, "%s%s%s", subtitle, *subtitle ? "\n" : "", line);
}

const char *ml_plot_run_subtitle(struct ml_plot_source *source, const struct ml_plot_view *view)
{
    unsigned long long run, row;
    const char *subtitle = view->subtitle;
    if (!ml_plot_single_run(view, &run))
        return subtitle;
    row = view->dataset->is_summary ? run : ml_plot_row(source, run);
    if (!view->dataset->is_summary) /* a summary's subtitle tells the axes already */
        subtitle = add_line(source, subtitle, ml_plot_swept(source, row));
    const int64_t *outcomes = ml_plot_outcomes(source);
    if (outcomes && row < source->n_run && !ml_outcome_is_sound((int)outcomes[row]))
        subtitle = add_line(
            source, subtitle,
            ml_plot_format(source, "not finished: %s", ml_outcome_name((int)outcomes[row])));
    return subtitle;
}

const char *ml_plot_beyond_subtitle(struct ml_plot_source *source, const char *subtitle,
                                    unsigned long long n_beyond)
{
    const char *many = n_beyond == 1 ? "value is" : "values are";
    return n_beyond == 0
               ? subtitle
               : add_line(source, subtitle,
                          ml_plot_format(source, "%llu %s beyond the range", n_beyond, many));
}

const char *ml_plot_colour_subtitle(struct ml_plot_source *source, const struct ml_plot_view *view,
                                    unsigned long long n_missing, unsigned long long n,
                                    const struct ml_plot_colours *colours)
{
    const char *subtitle = view->subtitle;
    if (n_missing > 0)
        subtitle =
            add_line(source, subtitle,
                     ml_plot_format(source, "grey: %llu of %llu without a value", n_missing, n));
    if (colours->n_beyond > 0)
        subtitle = add_line(
            source, subtitle,
            ml_plot_format(
                source, "%llu of %llu values are beyond the colours, and have those of their ends",
                colours->n_beyond, n));
    if (colours->range.is_cut)
        subtitle =
            add_line(source, subtitle, "colours for 98 % of the values, ends for those beyond");
    return subtitle;
}
