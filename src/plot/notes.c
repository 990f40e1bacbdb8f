/* What the title says under the study's own. */
#include "plot/figure.h"

static const char *add_line(struct ml_plot_source *source, const char *notes, const char *line)
{
    if (!*line)
        return notes;
    return ml_plot_format(source, "%s%s%s", notes, *notes ? "\n" : "", line);
}

const char *ml_plot_run_notes(struct ml_plot_source *source, const struct ml_plot_view *view)
{
    unsigned long long run, row;
    const char *notes = view->notes;
    if (!ml_plot_single_run(view, &run))
        return notes;
    row = view->dataset->is_summary ? run : ml_plot_row(source, run);
    if (!view->dataset->is_summary) /* a summary's notes tell the axes already */
        notes = add_line(source, notes, ml_plot_swept(source, row));
    const int8_t *outcomes = ml_plot_outcomes(source);
    if (outcomes && row < source->n_run && outcomes[row] != ML_FINISHED)
        notes = add_line(source, notes,
                         ml_plot_format(source, "not finished: %s",
                                        ml_outcome_name((enum ml_outcome)outcomes[row])));
    return notes;
}

const char *ml_plot_colour_notes(struct ml_plot_source *source, const struct ml_plot_view *view,
                                 unsigned long long n_bare, unsigned long long n, bool is_cut)
{
    const char *notes = view->notes;
    if (n_bare > 0)
        notes = add_line(source, notes,
                         ml_plot_format(source, "grey: %llu of %llu without a value", n_bare, n));
    if (is_cut)
        notes = add_line(source, notes, "colours for 98 % of the values, ends for those beyond");
    return notes;
}
