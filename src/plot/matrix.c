/* Scatter matrix: every swept or drawn quantity and a number of the summary over each other, a
 * panel for each pair. On the diagonal are histograms, above it the rank correlations (Spearman
 * 1904) of the pairs. */
#include <math.h>
#include <string.h>

#include "manylink/outcome.h"
#include "plot/figure.h"
#include "statistics/dependence.h"
#include "statistics/order.h"

enum { MOST_COLUMNS = 9, MOST_POINTS = 4000, N_BIN = 16 };

/* Ends of the panels, and the room between two, as parts of the picture's width and height. */
static const double left = 0.12, right = 0.98, bottom = 0.11, top = 0.91, gap = 0.012;

struct matrix {
    const struct ml_plot_script *script;
    struct ml_plot_view view; /* of the number, with the entries of --at */
    const int64_t *rows;      /* [n] rows of /study/runs with a finite number, of sound runs */
    unsigned long long n;
    struct column {
        struct ml_plot_scale scale; /* [n] values of these runs */
        struct ml_plot_axis axis;
        double *ranks;    /* [n] from 1 on, equal values share the mean */
        double influence; /* |rank correlation| with the number */
    } columns[MOST_COLUMNS];
    int n_column, n_left_out; /* the number is the last column */
};

/* Checks the number and the request, and fixes all dimensions of the number but those of the runs.
 */
static void matrix_choose(struct matrix *m, const struct ml_plot_dataset *dataset,
                          const struct ml_plot_options *request)
{
    struct ml_plot_source *source = m->script->source;
    m->view = ml_plot_view_of(dataset, request);
    if (request->x || request->y || request->by || request->panels || request->n_run > 0)
        ml_plot_refuse(source, "cannot take x, y, by, panels or a run: a scatter matrix has all "
                               "runs over all that was swept or drawn");
    if (!dataset->is_summary || dataset->is_outcome || dataset->is_share || source->is_inverse)
        ml_plot_refuse(source,
                       "cannot draw a scatter matrix of %s: the result has no such number of each "
                       "run in its summary",
                       dataset->name);
    if (source->status == ML_OK)
        ml_plot_select_requested(source, &m->view, request);
    for (int k = 0; k < dataset->rank && source->status == ML_OK; k++)
        if (k < dataset->n_run_dim && m->view.is_fixed[k])
            ml_plot_refuse(source, "cannot fix %s: a scatter matrix has all runs",
                           dataset->scales[k].name);
        else if (k >= dataset->n_run_dim && !m->view.is_fixed[k])
            ml_plot_select(source, &m->view, k, &dataset->scales[k],
                           ml_plot_usual_entry(source, dataset, k));
}

/* [n_run] of the number; sets the rows that are drawn. */
static const double *matrix_read(struct matrix *m)
{
    struct ml_plot_source *source = m->script->source;
    double *values = ml_plot_take(source, source->n_run, sizeof *values);
    int64_t *rows = ml_plot_take(source, source->n_run, sizeof *rows);
    const int64_t *outcomes = ml_plot_outcomes(source);
    if (source->status != ML_OK || !values || !rows)
        return NULL;
    ml_plot_read_box(source, &m->view, values, source->n_run);
    for (unsigned long long i = 0; i < source->n_run; i++)
        if (isfinite(values[i]) && (!outcomes || ml_outcome_is_sound((int)outcomes[i])))
            rows[m->n++] = (int64_t)i;
    m->rows = rows;
    if (source->status == ML_OK && m->n == 0)
        ml_plot_refuse_empty(source, m->view.dataset->name);
    return values;
}

static double *matrix_ranks(struct ml_plot_source *source, const double *values,
                            unsigned long long n)
{
    struct ml_order_key *work = ml_plot_take(source, 2 * n, sizeof *work);
    int64_t *order = ml_plot_take(source, n, sizeof *order);
    double *ranks = ml_plot_take(source, n, sizeof *ranks);
    if (!work || !order || !ranks)
        return NULL;
    ml_order_find(values, (int64_t)n, order, work);
    ml_order_ranks(values, order, (int64_t)n, ranks);
    return ranks;
}

/* Spearman's; NaN where a column is the same in all runs. */
static double matrix_correlation(const struct column *a, const struct column *b)
{
    return ml_pearson(a->ranks, b->ranks, (int64_t)a->scale.n);
}

/* A column of the drawn rows of [n_run] values. */
static void matrix_set(struct matrix *m, struct column *column, const char *name, const char *unit,
                       const char *label, const double *all)
{
    struct ml_plot_source *source = m->script->source;
    double *values = ml_plot_take(source, m->n, sizeof *values);
    for (unsigned long long i = 0; values && all && i < m->n; i++)
        values[i] = all[m->rows[i]];
    if (source->status != ML_OK || !values)
        return;
    column->scale = (struct ml_plot_scale){
        .name = name, .unit = unit, .label = label, .n = m->n, .values = values};
    column->ranks = matrix_ranks(source, values, m->n);
}

/* Adds an input before the number, or in place of the one with the least influence. */
static void matrix_add(struct matrix *m, struct column *input)
{
    struct column *number = &m->columns[m->n_column - 1], *place = number;
    input->influence = fabs(matrix_correlation(input, number));
    if (isnan(input->influence))
        input->influence = 0.0;
    if (m->n_column < MOST_COLUMNS) {
        m->columns[m->n_column++] = *number;
        *place = *input;
        return;
    }
    m->n_left_out++;
    place = m->columns;
    for (int i = 1; i < m->n_column - 1; i++)
        place = m->columns[i].influence < place->influence ? &m->columns[i] : place;
    if (input->influence > place->influence) {
        memmove(place, place + 1, (size_t)(number - place - 1) * sizeof *place);
        number[-1] = *input;
    }
}

static void matrix_gather(struct matrix *m)
{
    struct ml_plot_source *source = m->script->source;
    const struct ml_plot_dataset *dataset = m->view.dataset;
    const double *values = matrix_read(m);
    struct ml_array_info info = {.size = sizeof info};
    const char *name = NULL;
    if (source->status != ML_OK)
        return;
    matrix_set(m, &m->columns[m->n_column++], dataset->name, dataset->unit,
               *m->view.subtitle
                   ? ml_plot_format(source, "%s, %s", dataset->label, m->view.subtitle)
                   : dataset->label,
               values);
    for (int i = 0; source->status == ML_OK && (name = ml_plot_member(source, "runs", i, &info));
         i++)
        if (ml_plot_is_swept(source, name)) {
            struct column input = {.influence = 0.0};
            matrix_set(m, &input, name, info.unit,
                       ml_plot_label(source, info.name, name, info.unit),
                       ml_plot_swept_values(source, name));
            if (source->status == ML_OK)
                matrix_add(m, &input);
        }
    if (source->status == ML_OK && m->n_column < 2)
        ml_plot_refuse(source, "cannot draw a scatter matrix: nothing was swept or drawn");
    for (int i = 0; i < m->n_column && source->status == ML_OK; i++)
        ml_plot_axis_init(source, &m->columns[i].scale, &m->columns[i].axis);
}

/* All columns of the drawn runs, at most MOST_POINTS, evenly among all. */
static const char *matrix_write(const struct matrix *m, unsigned long long *n_drawn)
{
    struct ml_plot_table table = ml_plot_begin_table(m->script, (unsigned long long)m->n_column);
    *n_drawn = m->n < MOST_POINTS ? m->n : MOST_POINTS;
    for (unsigned long long i = 0; i < *n_drawn; i++)
        for (int k = 0; k < m->n_column; k++)
            ml_plot_write(&table, m->columns[k].scale.values[i * m->n / *n_drawn]);
    return ml_plot_end_table(&table);
}

/* Lower edges of bins, even along the axis, and the runs in each; last the upper edge. */
static const char *matrix_write_bins(const struct matrix *m, const struct column *column)
{
    struct ml_plot_table table = ml_plot_begin_table(m->script, 2);
    const struct ml_plot_axis *axis = &column->axis;
    const struct ml_plot_range range = ml_plot_span(axis, 0.0);
    const double from = axis->is_log ? log(range.low) : range.low;
    const double width = ((axis->is_log ? log(range.high) : range.high) - from) / N_BIN;
    unsigned long long counts[N_BIN + 1] = {0};
    for (unsigned long long i = 0; i < column->scale.n; i++) {
        const double value = column->scale.values[i];
        const double at = ((axis->is_log ? log(value) : value) - from) / width;
        counts[at < N_BIN ? (at > 0.0 ? (int)at : 0) : N_BIN - 1]++;
    }
    for (int k = 0; k <= N_BIN; k++) {
        ml_plot_write(&table, axis->is_log ? exp(from + width * k) : from + width * k);
        ml_plot_write(&table, (double)counts[k]);
    }
    return ml_plot_end_table(&table);
}

/* The name of a row or column, in lines beside its panels, all at the same distance. */
static void matrix_set_name(const struct matrix *m, int which, bool is_row)
{
    const struct ml_plot_script *script = m->script;
    const double across = (right - left) / m->n_column, upwards = (top - bottom) / m->n_column;
    const double letter = 0.8 * ml_plot_letter(script); /* of a smaller font */
    const double room = is_row ? upwards * script->height / script->width : across;
    (void)fprintf(script->file, "set label %d ", is_row ? 2 : 3);
    ml_plot_quote_lines(script, m->columns[which].scale.label, (int)(room / letter));
    if (is_row)
        (void)fprintf(script->file, " at screen 0.022, %.4f center rotate by 90 font ',8'\n",
                      top - upwards * (which + 0.5));
    else
        (void)fprintf(script->file, " at screen %.4f, 0.044 center font ',8'\n",
                      left + across * (which + 0.5) - 0.5 * gap);
}

/* Tics of an axis at few numbers, as panels are small. */
static void matrix_set_tics(const struct matrix *m, const char *letter,
                            const struct ml_plot_axis *axis)
{
    FILE *file = m->script->file;
    const struct ml_plot_range range = ml_plot_span(axis, 0.04);
    if (!axis->is_log)
        ml_plot_set_steps(file, letter, range.low, range.high, m->n_column > 4 ? 3 : 6);
    (void)fprintf(file, "set %stics %s\n", letter,
                  *letter == 'x' ? "rotate by -45"
                  : axis->is_log ? "autofreq"
                                 : "");
}

/* Place and axes of the panel of row i and column k, numbers and names at the left and below only.
 */
static void matrix_begin_panel(const struct matrix *m, int i, int k)
{
    FILE *file = m->script->file;
    struct ml_plot_script panel = *m->script;
    const double wide = (right - left) / m->n_column, high = (top - bottom) / m->n_column;
    const struct column *x = &m->columns[k], *y = &m->columns[i];
    panel.width = m->script->width / m->n_column;
    panel.height = m->script->height / m->n_column;
    (void)fprintf(file,
                  "reset\nset lmargin at screen %.4f\nset rmargin at screen %.4f\n"
                  "set bmargin at screen %.4f\nset tmargin at screen %.4f\n"
                  "set tics out nomirror font ',8'\nunset key\nunset colorbox\n",
                  left + wide * k, left + wide * (k + 1) - gap, top - high * (i + 1) + gap,
                  top - high * i);
    ml_plot_set_axis(&panel, "x", &x->axis, ml_plot_span(&x->axis, 0.04));
    matrix_set_tics(m, "x", &x->axis);
    if (i != k) {
        ml_plot_set_axis(&panel, "y", &y->axis, ml_plot_span(&y->axis, 0.04));
        matrix_set_tics(m, "y", &y->axis);
    }
    if (i < m->n_column - 1)
        (void)fputs("set format x ''\n", file);
    if (k > 0)
        (void)fputs("set format y ''\n", file);
    (void)fputs("set xlabel ''\nset ylabel ''\n", file);
    if (k == 0)
        matrix_set_name(m, i, true);
    if (i == m->n_column - 1)
        matrix_set_name(m, k, false);
}

/* The rank correlation in words, on blue or red the deeper the stronger. */
static void matrix_plot_correlation(const struct matrix *m, int i, int k)
{
    FILE *file = m->script->file;
    const double rho = matrix_correlation(&m->columns[i], &m->columns[k]);
    if (isnan(rho))
        (void)fputs("set label 1 'none' at graph 0.5, 0.5 center\n", file);
    else
        (void)fprintf(file,
                      "set object 1 rectangle from graph 0, 0 to graph 1, 1 behind fillstyle solid "
                      "%.3f noborder fillcolor rgb '%s'\n"
                      "set label 1 '%+.2f' at graph 0.5, 0.5 center\n",
                      0.6 * fabs(rho), rho < 0.0 ? "#2166ac" : "#b2182b",
                      fabs(rho) < 0.005 ? 0.0 : rho);
    (void)fputs("unset tics\nplot NaN notitle\n", file);
}

static void matrix_plot(const struct matrix *m, const char *data)
{
    FILE *file = m->script->file;
    for (int i = 0; i < m->n_column; i++)
        for (int k = 0; k < m->n_column; k++) {
            matrix_begin_panel(m, i, k);
            if (i < k) {
                matrix_plot_correlation(m, i, k);
            } else if (i == k) {
                const char *bins = matrix_write_bins(m, &m->columns[i]);
                (void)fprintf(file,
                              "set yrange [0:*]\nunset ytics\nplot %s using 1:2 with fillsteps "
                              "fillstyle solid 0.5 noborder linecolor rgb '%s'\n",
                              bins, ml_plot_distinct[0]);
            } else {
                (void)fprintf(file,
                              "plot %s using %d:%d with points pointtype 7 pointsize 0.25 "
                              "linecolor rgb '%s'\n",
                              data, k + 1, i + 1, ml_plot_distinct[0]);
            }
        }
}

static const char *matrix_subtitle(const struct matrix *m, unsigned long long n_drawn)
{
    struct ml_plot_source *source = m->script->source;
    const char *text =
        ml_plot_format(source, "%llu runs; above the diagonal: rank correlations", m->n);
    if (n_drawn < m->n)
        text = ml_plot_format(source, "%s; %llu points of each pair", text, n_drawn);
    if (m->n_left_out > 0)
        text = ml_plot_format(source, "%s\n%d inputs with weaker correlations are left out", text,
                              m->n_left_out);
    return text;
}

void ml_plot_matrix(const struct ml_plot_script *script, const struct ml_plot_dataset *dataset,
                    const struct ml_plot_options *request)
{
    struct ml_plot_source *source = script->source;
    struct matrix *m = ml_plot_take(source, 1, sizeof *m);
    unsigned long long n_drawn = 0;
    if (!m)
        return;
    m->script = script;
    matrix_choose(m, dataset, request);
    if (source->status == ML_OK)
        matrix_gather(m);
    if (source->status != ML_OK)
        return;
    const char *data = matrix_write(m, &n_drawn);
    ml_plot_begin_multiplot(script, matrix_subtitle(m, n_drawn));
    matrix_plot(m, data);
    (void)fputs("unset multiplot\n", script->file);
}
