/* The study of a result with other values of some keys. */
#include "manylink/extend.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/open.h"
#include "base/sized.h"
#include "config/schema/resolve.h"
#include "manylink/fail.h"
#include "plan/plan_study.h"
#include "plan/study_change.h"
#include "store/source.h"

/* One reading. */
struct extending {
    const struct ml_study_source *source; /* of the caller */
    const char *result;
    struct ml_origin origin;
    char *before;                   /* its overrides, cut into texts */
    char derived[ML_STUDY_ID_LINE]; /* override by the result's derived value; "" */
    char tick[ML_STUDY_ID_LINE];    /* override by the result's default tick; "" */
    const char **overrides;         /* [n] those of the result, of the caller, `tick`, `derived` */
    int n_before, n;
};

/* Cuts the overrides of the result into texts. */
static bool extend_list(struct extending *x)
{
    const char *text = x->origin.overrides ? x->origin.overrides : "";
    size_t n = 3 + (size_t)x->source->n_override;
    for (const char *c = text; *c; c++)
        n += *c == '\n';
    x->before = strdup(text);
    x->overrides = calloc(n + 1, sizeof *x->overrides);
    if (!x->before || !x->overrides)
        return false;
    char *state = NULL;
    for (char *line = strtok_r(x->before, "\n", &state); line; line = strtok_r(NULL, "\n", &state))
        x->overrides[x->n_before++] = line;
    x->n = x->n_before;
    for (int i = 0; i < x->source->n_override; i++)
        x->overrides[x->n++] = x->source->overrides[i];
    return true;
}

/* The study with the first n overrides. */
static enum ml_status extend_load(const struct extending *x, int n, struct ml_study **out,
                                  struct ml_error *err)
{
    const struct ml_origin *origin = &x->origin;
    const char *path = x->source->path ? x->source->path : origin->study;
    struct ml_pool pool = {0};
    struct ml_native native =
        ml_native_of_result(origin->resolved, x->source->path, x->source->plugin, &pool);
    const struct ml_study_source source = {.path = path ? path : x->result,
                                           .text = origin->definition,
                                           .overrides = x->overrides,
                                           .n_override = n};
    native.is_refused = x->source->no_native != 0;
    const enum ml_status status =
        pool.is_short ? ML_E_MEMORY : ml_study_parse_native(&source, &native, out, err);
    ml_pool_free(&pool);
    return status;
}

/* The text must give the study of the result. */
static enum ml_status extend_check(const struct extending *x, struct ml_error *err)
{
    struct ml_study *study = NULL;
    enum ml_status status = extend_load(x, x->n_before, &study, err);
    if (status == ML_OK)
        status =
            ml_study_id_check(x->result, x->origin.resolved, study,
                              "The result is of a single run, or the program has changed, or a "
                              "table or the points that the study reads: new ones need another "
                              "name, given with --set",
                              err);
    ml_study_free(study);
    return status;
}

/* Makes an override of the derived value of the result: "derived.renormalise=0.005"; false without
 * such a value. */
static bool extend_keep_derived(struct extending *x)
{
    static const char key[] = "derived.renormalise";
    const char *line = strstr(x->origin.resolved, "\n" ML_DERIVED_LINE);
    const char *value = line ? strstr(line, ": ") : NULL;
    if (!value)
        return false;
    value += 2;
    (void)snprintf(x->derived, sizeof x->derived, "%s=%.*s", key, (int)strcspn(value, " #\n"),
                   value);
    x->overrides[x->n] = x->derived;
    return true;
}

/* Makes an override of the result's tick, which follows from `time.end` unless it is given:
 * "time.tick=0.02"; false without such a tick, or with a given one. */
static bool extend_keep_tick(struct extending *x)
{
    static const char key[] = "time.tick", start[] = "\n  tick: ";
    const char *line = strstr(x->origin.resolved, start);
    for (int i = 0; i < x->n; i++)
        if (strncmp(x->overrides[i], key, strlen(key)) == 0)
            return false;
    if (!line)
        return false;
    line += strlen(start);
    (void)snprintf(x->tick, sizeof x->tick, "%s=%.*s", key, (int)strcspn(line, " #\n"), line);
    x->overrides[x->n++] = x->tick;
    return true;
}

/* Adds a notice about a value of the result that is kept; false without memory.
 *   kept  its override
 *   own   s, of the study alone */
static bool extend_note(struct ml_study *study, const struct extending *x, const char *what,
                        const char *kept, double own)
{
    struct ml_pool *pool = &study->pool;
    const size_t n = (size_t)study->n_notice;
    const char **notices = ml_pool_take(pool, n + 1, sizeof *notices);
    char *text =
        ml_pool_format(pool, "%s: note: %s %s s, as in %s; alone this study would choose %.4g s",
                       study->spec.name, what, strchr(kept, '=') + 1, x->result, own);
    if (!notices || !text)
        return false;
    for (size_t i = 0; i < n; i++)
        notices[i] = study->notices[i];
    notices[n] = text;
    study->notices = notices;
    study->n_notice++;
    return true;
}

static enum ml_status extend_read(struct extending *x, struct ml_study **out, struct ml_error *err)
{
    enum ml_status status = ml_origin_read(&x->origin, x->result, err);
    if (status != ML_OK)
        return status;
    if (x->origin.is_inverse)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot extend: a result of inverse dynamics has no runs", x->result);
    if (!extend_list(x))
        return ML_E_MEMORY;
    status = extend_check(x, err);
    if (status == ML_OK)
        status = extend_load(x, x->n, out, err);
    if (status != ML_OK || !*out)
        return status;
    unsigned changes = ml_study_difference(x->origin.resolved, ml_study_resolved(*out)).changes;
    const double tick = (*out)->spec.time.step;
    if (changes & ML_CHANGE_STUDY && extend_keep_tick(x)) {
        ml_study_free(*out);
        status = extend_load(x, x->n, out, err);
        if (status != ML_OK)
            return status;
        changes = ml_study_difference(x->origin.resolved, ml_study_resolved(*out)).changes;
    }
    struct ml_error differs = {0};
    const bool is_derived =
        ml_study_id_check_derived(x->result, x->origin.resolved, *out, "", &differs) == ML_OK;
    ml_error_clear(&differs);
    bool is_noted = !x->tick[0] || extend_note(*out, x, "a tick is", x->tick, tick);
    if (!is_derived && changes == ML_CHANGE_RUNS && extend_keep_derived(x)) {
        struct ml_study *own = *out; /* of the study itself, if it were asked for at once */
        const double interval =
            own->spec.time.step * (double)own->ensemble.indicators.renormalise_every; /* s */
        status = extend_load(x, x->n + 1, out, err);
        is_noted = is_noted && status == ML_OK &&
                   extend_note(*out, x, "tangent vectors are made orthonormal every", x->derived,
                               interval);
        ml_study_free(own);
    }
    return status == ML_OK && !is_noted ? ML_E_MEMORY : status;
}

enum ml_status ml_extend_study(const struct ml_study_source *given, const char *result,
                               struct ml_study **out, struct ml_error *err)
{
    struct ml_study_source source;
    *out = NULL;
    enum ml_status status = ml_sized_read(&source, sizeof source, given, "ml_study_source", err);
    if (status == ML_OK)
        status =
            ml_sized_check_numbers(ML_SIZED_NUMBERS({"n_override", source.n_override, 0, INT_MAX}),
                                   "ml_study_source", err);
    if (status != ML_OK)
        return status;
    if (source.path && access(source.path, R_OK) != 0)
        return ml_fail(err, ml_open_status(errno),
                       "%s: %s; `path` is the study of the result, if it has moved", source.path,
                       ml_open_reason(errno));
    struct extending x = {.source = &source, .result = result};
    status = extend_read(&x, out, err);
    ml_origin_free(&x.origin);
    free(x.before);
    free(x.overrides);
    return status;
}
