/* Poles of a closed loop: as many as the state of the chain has numbers, of which one that is not
 * real has its conjugate among the others. */
#include "config/sections/sections.h"
#include "yaml/number.h"

static const struct ml_param pole_part = {
    .name = "a pole", .unit = "1", .low = -1e12, .high = 1e12};

/* One pole, a number or [re, im]; false after telling.
 *   out  [2] */
static bool read_pole(struct ml_reader *r, const struct ml_node *node, double *out)
{
    out[1] = 0.0;
    if (node->kind == ML_NODE_SCALAR)
        return ml_read_number(r, node, &pole_part, out);
    if (node->kind == ML_NODE_LIST && node->n_child == 2)
        return ml_read_number(r, node->first, &pole_part, &out[0]) &&
               ml_read_number(r, node->first->next, &pole_part, &out[1]);
    ml_problem(&r->problems, node->location,
               "a pole must be a number, or a list [real part, imaginary part]");
    return false;
}

static void check_stable(struct ml_reader *r, const struct ml_node *node, bool is_sampled,
                         const double *pole)
{
    if (is_sampled && !(pole[0] * pole[0] + pole[1] * pole[1] < 1.0))
        ml_problem(&r->problems, node->location,
                   "with `sample_time` a pole must be inside of the unit circle of the z plane: a "
                   "pole s has z = exp(s x sample_time)");
    else if (!is_sampled && !(pole[0] < 0.0))
        ml_problem(&r->problems, node->location,
                   "a pole must have a real part below 0, 1/s, so that its motion decays");
}

/* How many of n poles are (re, im). */
static int count_poles(int n, const double *poles, double re, double im)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += poles[2 * i] == re && poles[2 * i + 1] == im;
    return count;
}

static void check_pairs(struct ml_reader *r, const struct ml_node *list, int n, const double *poles)
{
    char re[ML_NUMBER_TEXT], im[ML_NUMBER_TEXT], other[ML_NUMBER_TEXT];
    const struct ml_node *node = list->first;
    for (int i = 0; i < n && node; i++, node = node->next) {
        const double *pole = &poles[2 * i];
        if (count_poles(n, poles, pole[0], pole[1]) == count_poles(n, poles, pole[0], -pole[1]))
            continue;
        ml_problem(&r->problems, node->location,
                   "pole [%s, %s] has no conjugate: give [%s, %s] as often",
                   ml_number_text(pole[0], re), ml_number_text(pole[1], im), re,
                   ml_number_text(-pole[1], other));
        return;
    }
}

void ml_read_poles(struct ml_reader *r, const struct ml_node *list, bool is_sampled, double *out)
{
    const int n = 2 * r->spec->model.n, before = r->problems.count;
    int i = 0;
    if (!list || list->kind != ML_NODE_LIST)
        return;
    if (list->n_child != n) {
        ml_problem(
            &r->problems, list->location,
            "poles has %d entries, but must have %d, two for each segment, with both poles of "
            "a pair",
            list->n_child, n);
        return;
    }
    for (const struct ml_node *child = list->first; child; child = child->next, i++)
        if (read_pole(r, child, &out[2 * i]))
            check_stable(r, child, is_sampled, &out[2 * i]);
    if (r->problems.count == before)
        check_pairs(r, list, n, out);
}
