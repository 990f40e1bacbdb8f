/* Studies built by calls: settings are kept as texts "path=value" until the study is read. */
#include "config/sections/read_study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/schema/yaml_writer.h"
#include "manylink/fail.h"

enum ml_status ml_draft_new(const char *name, struct ml_draft **out, struct ml_error *err)
{
    struct ml_draft *draft = calloc(1, sizeof *draft);
    *out = NULL;
    name = name ? name : "study";
    if (draft)
        draft->name = ml_pool_text(&draft->pool, name, strlen(name));
    if (!draft || !draft->name) {
        ml_draft_free(draft);
        return ml_fail(err, ML_E_MEMORY, "%s: out of memory", name);
    }
    *out = draft;
    return ML_OK;
}

void ml_draft_free(struct ml_draft *draft)
{
    if (!draft)
        return;
    ml_pool_free(&draft->pool);
    free(draft->sets);
    free(draft);
}

/* Room for one more; false without memory. */
static bool draft_grow(struct ml_draft *draft)
{
    if (draft->n_set < draft->n_room)
        return true;
    const int n = draft->n_room > 0 ? 2 * draft->n_room : 16;
    const char **more = realloc(draft->sets, (size_t)n * sizeof *draft->sets);
    if (!more)
        return false;
    draft->sets = more;
    draft->n_room = n;
    return true;
}

enum ml_status ml_draft_set(struct ml_draft *draft, const char *path, const char *value,
                            struct ml_error *err)
{
    if (!ml_draft_is_path(path, strlen(path)))
        return ml_fail(err, ML_E_INPUT,
                       "%s: `%.60s` is not a path: join keys by dots, number elements of lists "
                       "from 0, as in system.gravity and sweep[0].from",
                       draft->name, path);
    const char *set = ml_pool_format(&draft->pool, "%s=%s", path, value);
    if (!set || !draft_grow(draft))
        return ML_E_MEMORY;
    draft->sets[draft->n_set++] = set;
    return ML_OK;
}

/* Sets the value written to a text, and frees the text. */
static enum ml_status draft_set_written(struct ml_draft *draft, const char *path,
                                        struct ml_yaml_writer *w, struct ml_error *err)
{
    const enum ml_status status =
        w->is_short ? ML_E_MEMORY : ml_draft_set(draft, path, w->text, err);
    free(w->text);
    return status;
}

/* YAML's words for numbers without digits; the reader reports them where they are not allowed. */
static void draft_write_number(struct ml_yaml_writer *w, double value)
{
    if (isfinite(value))
        ml_write_number(w, value);
    else
        ml_write(w, "%s", isnan(value) ? ".nan" : value > 0.0 ? ".inf" : "-.inf");
}

enum ml_status ml_draft_set_number(struct ml_draft *draft, const char *path, double value,
                                   struct ml_error *err)
{
    struct ml_yaml_writer w = {0};
    draft_write_number(&w, value);
    return draft_set_written(draft, path, &w, err);
}

enum ml_status ml_draft_set_numbers(struct ml_draft *draft, const char *path, const double *values,
                                    size_t n, struct ml_error *err)
{
    struct ml_yaml_writer w = {0};
    ml_write(&w, "[");
    for (size_t i = 0; i < n; i++) {
        ml_write(&w, "%s", i > 0 ? ", " : "");
        draft_write_number(&w, values[i]);
    }
    ml_write(&w, "]");
    return draft_set_written(draft, path, &w, err);
}

enum ml_status ml_draft_set_text(struct ml_draft *draft, const char *path, const char *text,
                                 struct ml_error *err)
{
    struct ml_yaml_writer w = {0};
    ml_write_text(&w, text);
    return draft_set_written(draft, path, &w, err);
}
