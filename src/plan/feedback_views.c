/* Who sees the past: controllers with a delay or samples, and formulas with x(t - delay). */
#include <string.h>

#include "engine/team/ensemble.h"
#include "model/forces/formula.h"
#include "plan/plan_study.h"

/* Views on their way. */
struct views {
    const struct ml_instance *model;
    struct ml_pool *pool;
    struct ml_feedback_view *view; /* [n] */
    int *rates;                    /* [n_rate] as of ml_feedback_plan */
    struct ml_feedback_seen *seen; /* [n_seen] */
    int n, n_rate, n_seen;
};

static int count_late(const struct ml_equations *equations, int *n_state)
{
    for (int i = 0; i < equations->n_late; i++)
        *n_state += equations->late[i].n_state;
    return equations->n_late;
}

/* Formulas of the system; NULL: no formulas. */
static const struct ml_equations *equations_of(const struct ml_study_spec *spec)
{
    return spec->model.system->has_formulas ? spec->model.own : NULL;
}

/* Makes room; false without memory. */
static bool make_room(const struct ml_study *study, struct views *v)
{
    const struct ml_study_spec *spec = &study->spec;
    int n = v->model->n_law, n_state = v->model->n_law * v->model->n;
    if (equations_of(spec))
        n += count_late(equations_of(spec), &n_state);
    for (int f = 0; f < spec->n_force; f++)
        if (spec->forces[f].formula)
            n += count_late(&spec->forces[f].formula->equations, &n_state);
    v->view = ml_pool_take(v->pool, (size_t)n + 1, sizeof *v->view);
    v->rates = ml_pool_take(v->pool, (size_t)n_state + 1, sizeof *v->rates);
    v->seen = ml_pool_take(v->pool, (size_t)n_state + 1, sizeof *v->seen);
    return v->view && v->rates && v->seen;
}

/* The row of the rate of row `value` of the state, which is found apart. */
static int rate_of(struct views *v, int value)
{
    int k = 0;
    while (k < v->n_rate && v->rates[k] != value)
        k++;
    if (k == v->n_rate)
        v->rates[v->n_rate++] = value;
    return ml_rows_x(v->model) + k;
}

/* The seen number with that value; angles have their rates in the state.
 *   is_angle  value is its segment */
static struct ml_feedback_seen see(struct views *v, int value, bool is_angle, int row)
{
    const struct ml_feedback_seen seen = {value, is_angle ? v->model->n + value : rate_of(v, value),
                                          row};
    for (int i = 0; i < v->n_seen; i++)
        if (v->seen[i].value == value)
            return seen;
    v->seen[v->n_seen] = seen;
    v->seen[v->n_seen++].row = 0;
    return seen;
}

/* Controller l, which sees all angles. */
static bool add_controller(struct views *v, int l)
{
    const struct ml_law *law = &v->model->laws[l];
    struct ml_feedback_view *out = &v->view[v->n++];
    *out = (struct ml_feedback_view){.law = l,
                                     .delay = law->delay,
                                     .rows = law->feedback,
                                     .is_sampled = law->is_sampled,
                                     .n_seen = v->model->n};
    out->seen = ml_pool_take(v->pool, (size_t)out->n_seen, sizeof *out->seen);
    for (int i = 0; out->seen && i < out->n_seen; i++)
        out->seen[i] =
            see(v, i, true, law->feedback + ML_FEEDBACK_ANGLE + i * ML_FEEDBACK_BY_ANGLE);
    return out->seen != NULL;
}

/* One delay of formulas.
 *   law  whose constants and states they number; NULL: they number those of the system */
static bool add_late(struct views *v, const struct ml_late *late, const struct ml_law *law)
{
    const int first = law ? law->constant : 0;
    struct ml_feedback_view *out = &v->view[v->n++];
    *out = (struct ml_feedback_view){.law = -1,
                                     .delay = late->param < 0 ? -1 : first + late->param,
                                     .seconds = late->delay,
                                     .rows = first + late->row,
                                     .n_seen = late->n_state};
    out->seen = ml_pool_take(v->pool, (size_t)out->n_seen + 1, sizeof *out->seen);
    for (int i = 0; out->seen && i < out->n_seen; i++) {
        const bool is_angle = late->states[i].value >= ML_LATE_ANGLE;
        const int value = is_angle ? late->states[i].value - ML_LATE_ANGLE
                                   : late->states[i].value + (law ? law->state : 0);
        out->seen[i] = see(v, value, is_angle, first + late->states[i].row);
    }
    return out->seen != NULL;
}

static bool add_all(const struct ml_study *study, struct views *v)
{
    const struct ml_study_spec *spec = &study->spec;
    const struct ml_equations *own = equations_of(spec);
    const struct ml_law *law = v->model->laws;
    bool is_added = true;
    for (int l = 0; l < v->model->n_law; l++)
        is_added = is_added && (v->model->laws[l].feedback == 0 || add_controller(v, l));
    for (int i = 0; own && i < own->n_late; i++)
        is_added = is_added && add_late(v, &own->late[i], NULL);
    for (int f = 0; f < spec->n_force; f++) {
        if (!ml_force_use_has_law(&spec->forces[f]))
            continue;
        const struct ml_formula *formula = spec->forces[f].formula;
        for (int i = 0; formula && i < formula->equations.n_late; i++)
            is_added = is_added && add_late(v, &formula->equations.late[i], law);
        law++;
    }
    return is_added;
}

bool ml_plan_views(struct ml_study *study)
{
    struct views v = {.model = &study->ensemble.model, .pool = study->spec.pool};
    struct ml_feedback_plan *plan = &study->ensemble.feedback;
    if (!make_room(study, &v) || !add_all(study, &v))
        return false;
    plan->n_view = v.n;
    plan->views = v.view;
    plan->n_rate = v.n_rate;
    plan->rates = v.rates;
    plan->n_seen = v.n_seen;
    plan->seen = v.seen;
    return true;
}
