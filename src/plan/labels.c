/* Labels of the entries of dimensions, and names of the numbers of outputs. */
#include "plan/labels.h"

#include <stdio.h>

/* Labels of a scale: "angle.upper". */
struct labels {
    const struct ml_study *study;
    char (*text)[ML_NAME_LENGTH];
    const char **texts; /* [n] the same, for ml_h5_text_scale */
    int n;
};

/* Adds the labels of the rows of a quantity or an output. */
static void add_labels(struct labels *labels, const char *name, enum ml_dim dim, int n_row)
{
    const bool is_by_segment = ml_dim_is_named(dim) && labels->study->spec.segment_names;
    for (int r = 0; r < n_row; r++, labels->n++)
        (void)snprintf(labels->text[labels->n], ML_NAME_LENGTH, "%s%s%s", name,
                       is_by_segment ? "." : "",
                       is_by_segment ? labels->study->spec.segment_names[r] : "");
}

static void add_state(struct labels *labels)
{
    const struct ml_ensemble *e = &labels->study->ensemble;
    for (int q = 0; q < e->model.system->tables.n_state; q++) {
        const struct ml_quantity *quantity = &e->model.system->tables.state[q];
        add_labels(labels, quantity->name, quantity->dim[0],
                   ml_quantity_rows(quantity, e->model.n));
    }
}

static void add_differentiated(struct labels *labels)
{
    const struct ml_ensemble *e = &labels->study->ensemble;
    for (int at = 0; at < e->derivatives.n_differentiated; at++) {
        const int i = e->derivatives.differentiated[at];
        const struct ml_indicator_use use = ml_ensemble_use(e, i);
        struct ml_output output;
        for (int d = 0; e->kernels->registry->indicators[i]->output(&use, d, &output); d++)
            add_labels(labels, output.label ? output.label : output.name, output.dim[0],
                       (int)ml_output_rows(&output, e->model.n));
    }
}

/* Names of the differentiated outputs: at the end, or over time the numbers of the state. */
static const char *const *output_labels(const struct ml_study *study, bool is_at_end, int n,
                                        struct ml_pool *pool)
{
    struct labels labels = {.study = study,
                            .text = ml_pool_take(pool, (size_t)n, sizeof *labels.text),
                            .texts = ml_pool_take(pool, (size_t)n, sizeof *labels.texts)};
    if (!labels.text || !labels.texts)
        return NULL;
    (is_at_end ? add_differentiated : add_state)(&labels);
    for (int i = 0; i < n; i++)
        labels.texts[i] = labels.text[i];
    return labels.texts;
}

/* Names of the forces that are contacts. */
static const char *const *contact_labels(const struct ml_study *study, int n, struct ml_pool *pool)
{
    const char **names = ml_pool_take(pool, (size_t)n, sizeof *names);
    for (int i = 0; names && i < n; i++)
        names[i] = ml_study_spec_contact(&study->spec, i);
    return names;
}

const char *const *ml_dim_labels(const struct ml_study *study, enum ml_dim dim, bool is_at_end,
                                 int n, struct ml_pool *pool)
{
    static const char *const coordinates[] = {"x", "y"}, *const only[] = {"1"};
    if (dim == ML_DIM_COORDINATE)
        return coordinates;
    if (ml_dim_is_named(dim))
        return study->spec.segment_names ? (const char *const *)study->spec.segment_names : only;
    if (dim == ML_DIM_CONTACT)
        return contact_labels(study, n, pool);
    if (dim == ML_DIM_PARAMETER)
        return (const char *const *)study->spec.derivatives.names;
    return dim == ML_DIM_OUTPUT ? output_labels(study, is_at_end, n, pool) : NULL;
}

const char *ml_output_component(const struct ml_layout *layout, int i, int64_t row,
                                struct ml_pool *pool)
{
    const struct ml_study *study = layout->study;
    const struct ml_output *output = &layout->results.outputs[i];
    const char *name = ml_pool_format(pool, "%s", output->name);
    int64_t stride = ml_output_rows(output, study->ensemble.model.n);
    for (int k = 0; name && k < ML_MAX_DIM; k++) {
        if (output->dim[k] == ML_DIM_NONE)
            continue;
        const int n = ml_output_size(output, k, study->ensemble.model.n);
        stride /= n;
        const int at = (int)(row / stride % n);
        const char *const *labels = ml_dim_labels(study, output->dim[k], true, n, pool);
        name = labels ? ml_pool_format(pool, "%s.%s", name, labels[at])
                      : ml_pool_format(pool, "%s.%d", name, at + 1);
    }
    return name;
}
