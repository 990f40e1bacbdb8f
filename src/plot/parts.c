/* The parts of the torque of a joint over time, above each other, a panel per joint.
 */
#include <math.h>
#include <string.h>

#include "plot/figure.h"

/* Together they are the torque. */
static const struct {
    const char *dataset, *name;
} all_parts[] = {
    {"torque_inertia", "inertia"}, {"torque_velocity", "velocity"},
    {"torque_gravity", "gravity"}, {"torque_external", "external forces"},
    {"torque_damping", "damping"}, {"torque_passive", "joint limits"},
    {"torque_base", "base"},
};
enum { N_PART = sizeof all_parts / sizeof *all_parts, MAX_PANELS = 6 };

struct parts {
    struct ml_plot_view view; /* of the torque: rows are joints */
    const char *unit;
    struct ml_plot_slice torque, part[N_PART];
    bool is_there[N_PART]; /* somewhere not 0 */
};

static void parts_read(struct ml_plot_source *source, const struct ml_plot_dataset *torque,
                       struct parts *parts)
{
    struct ml_plot_dataset *other = ml_plot_take(source, N_PART, sizeof *other);
    ml_plot_read(source, &parts->view, &parts->torque);
    ml_plot_label_rows(source, &parts->view, &parts->torque);
    for (int p = 0; other && p < N_PART && source->status == ML_OK; p++) {
        struct ml_plot_view same;
        if (!ml_plot_find_in(source, torque->group, all_parts[p].dataset, &other[p]) ||
            !ml_plot_same_choice(&parts->view, &other[p], &same))
            continue;
        ml_plot_read(source, &same, &parts->part[p]);
        const unsigned long long n = parts->part[p].n_row * parts->part[p].n_column;
        for (unsigned long long i = 0; source->status == ML_OK && i < n; i++)
            parts->is_there[p] = parts->is_there[p] || parts->part[p].values[i] != 0.0;
    }
}

/* Writes time and torque of a joint, then the ends of the area of every part that is there: parts
 * above 0 are put on each other upwards, those below downwards. */
static const char *parts_write(const struct ml_plot_script *script, const struct parts *parts,
                               unsigned long long row)
{
    const struct ml_plot_slice *torque = &parts->torque;
    unsigned long long n = 0;
    for (int p = 0; p < N_PART; p++)
        n += parts->is_there[p];
    struct ml_plot_table table = ml_plot_begin_table(script, 2 + 2 * n);
    for (unsigned long long i = 0; i < torque->n_column; i++) {
        const unsigned long long at = row * torque->n_column + i;
        double ends[2] = {0.0, 0.0}; /* lowest, highest so far */
        ml_plot_write(&table, parts->view.x_scale.values[i]);
        ml_plot_write(&table, torque->values[at]);
        for (int p = 0; p < N_PART; p++) {
            if (!parts->is_there[p])
                continue;
            const double value = parts->part[p].values[at];
            double *end = &ends[value > 0.0];
            ml_plot_write(&table, *end);
            ml_plot_write(&table, *end += value);
        }
    }
    return ml_plot_end_table(&table);
}

static void parts_plot_joint(const struct ml_plot_script *script, const struct parts *parts,
                             unsigned long long row)
{
    FILE *file = script->file;
    const char *data = parts_write(script, parts, row);
    int column = 3;
    ml_plot_set_label(
        script, "y",
        ml_plot_format(script->source, "%s (%s)", parts->torque.labels[row], parts->unit));
    (void)fputs("plot ", file);
    for (int p = 0; p < N_PART; p++)
        if (parts->is_there[p]) {
            (void)fprintf(file,
                          "%s using 1:%d:%d with filledcurves "
                          "fillstyle solid 0.55 noborder linecolor rgb '%s' title '%s', \\\n    ",
                          data, column, column + 1, ml_plot_distinct[p], all_parts[p].name);
            column += 2;
        }
    (void)fprintf(
        file, "%s using 1:2 with lines linewidth 2 linecolor rgb '#000000' title 'torque'\n", data);
}

void ml_plot_parts(const struct ml_plot_script *script, const struct ml_plot_options *request)
{
    struct ml_plot_source *source = script->source;
    struct ml_plot_dataset torque;
    struct parts all = {.unit = ""}, *parts = &all;
    ml_plot_find(source, "torque", &torque);
    if (source->status == ML_OK)
        ml_plot_choose(source, &torque, request, &parts->view);
    parts->unit = torque.unit;
    if (source->status == ML_OK)
        parts_read(source, &torque, parts);
    if (source->status != ML_OK)
        return;
    const double top = 0.9, bottom = 0.09,
                 filled = 0.88; /* of the picture's height, of a panel's */
    const unsigned long long n =
        parts->torque.n_row < MAX_PANELS ? parts->torque.n_row : MAX_PANELS;
    ml_plot_begin_script(script, ml_plot_run_subtitle(source, &parts->view));
    (void)fputs("set multiplot\nset lmargin at screen 0.12\nset rmargin at screen 0.78\n",
                script->file);
    (void)fputs("set autoscale xfix\nset key outside right top Left reverse samplen 1.5\n"
                "set xzeroaxis linetype 1 linecolor rgb '#808080'\n",
                script->file);
    for (unsigned long long row = 0; row < n; row++) {
        const double high = top - (top - bottom) * (double)row / (double)n;
        const double low = high - (top - bottom) * filled / (double)n;
        (void)fprintf(script->file, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n%s%s",
                      high, low, row == 0 ? "set format x ''\n" : "",
                      row == 1 ? "unset title\nunset key\n" : "");
        if (row == n - 1) {
            (void)fputs("set format x\n", script->file);
            ml_plot_set_label(script, "x", parts->view.x_scale.label);
        }
        parts_plot_joint(script, parts, row);
    }
    (void)fputs("unset multiplot\n", script->file);
}
