/* Which numbers of forces have their default in every run: laws may take a shorter form then, which
 * gives the same bits. */
#include <math.h>
#include <string.h>

#include "model/forces/numbers.h"
#include "plan/plan_study.h"

/* Numbers of a run that are not the same in all of them, or that something is differentiated by. */
static bool *find_moving(const struct ml_study_spec *spec, struct ml_pool *pool)
{
    bool *moves = ml_pool_take(pool, (size_t)spec->numbers.n + 1, sizeof *moves);
    for (int a = 0; moves && a < spec->runs.n_axis; a++)
        for (int s = 0; s < spec->runs.axes[a].n_swept; s++)
            if (spec->runs.axes[a].swept[s].slot >= 0)
                moves[spec->runs.axes[a].swept[s].slot] = true;
    for (int i = 0; moves && spec->numbers.defined && i < spec->numbers.defined->n; i++)
        moves[spec->numbers.defined->numbers[i].slot] = true;
    for (int p = 0; moves && p < spec->model.n_sens; p++)
        for (int i = 0; i < spec->derivatives.directions[p].n; i++)
            moves[spec->derivatives.directions[p].slot[i]] = true;
    return moves;
}

/* -0 is no default 0. */
static bool is_default(const struct ml_force_use *use, int p, double value)
{
    const double default_value = use->numbers[p].default_value;
    return (value == default_value && signbit(value) == signbit(default_value)) ||
           (isnan(value) && isnan(default_value));
}

/* Sets the feedback rows of a controller that does not see the present. Rows from `row` on are
 * free; returns the first row that is still free.
 *   moves  as of find_moving */
static int set_feedback(const struct ml_study_spec *spec, const struct ml_force_use *use,
                        const bool *moves, int row, struct ml_law *law)
{
    if (use->type->feedback == 0)
        return row;
    const int first =
        use->slot + ml_force_first_number(use->type, spec->model.n, use->type->feedback);
    const int delay = first + ML_FEEDBACK_DELAY, sample_time = first + ML_FEEDBACK_SAMPLE_TIME;
    law->is_sampled = !isnan(spec->numbers.base[sample_time]) || moves[sample_time];
    if (!law->is_sampled && isnan(spec->numbers.base[delay]) && !moves[delay])
        return row;
    law->feedback = row;
    return row + ml_feedback_rows(spec->model.n, use->type->n_state);
}

bool ml_plan_laws(struct ml_study *study, struct ml_pool *scratch)
{
    const struct ml_study_spec *spec = &study->spec;
    struct ml_instance *model = &study->ensemble.model;
    const size_t n_law = (size_t)spec->model.n_law;
    const bool *moves = find_moving(spec, scratch);
    struct ml_law *laws = ml_pool_take(spec->pool, n_law + 1, sizeof *laws), *law = laws;
    if (!moves || !laws)
        return false;
    int row = spec->model.system->dynamics.constant_rows(&spec->model);
    if (n_law > 0)
        memcpy(laws, spec->model.laws, n_law * sizeof *laws);
    for (int f = 0; f < spec->n_force; f++) {
        const struct ml_force_use *use = &spec->forces[f];
        if (!ml_force_use_has_law(use))
            continue;
        law->has_limit = false;
        for (int p = 0; p < use->n_number; p++)
            if (!is_default(use, p, spec->numbers.base[use->slot + p]) || moves[use->slot + p])
                law->has_limit |= use->numbers[p].flags & ML_LIMIT;
            else if (p < ML_LAW_DEFAULTS)
                law->defaults[p / 64] |= (uint64_t)1 << p % 64;
        const int free_row = set_feedback(spec, use, moves, row, law);
        model->n_law_constant += free_row - row;
        row = free_row;
        law++;
    }
    model->laws = laws;
    return true;
}
