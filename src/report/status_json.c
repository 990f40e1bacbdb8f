/* How far a result and its shards are, as JSON. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "manylink/result.h"
#include "report/standing.h"

/* A number that is not known is null. */
static json_t *status_json_number(double value)
{
    return value < 0.0 ? json_null() : json_real(value);
}

/* Names, and texts of files, may be no UTF-8. */
static json_t *status_json_text(const char *text)
{
    json_t *json = json_string(text);
    char *shown = json ? NULL : ml_text_escape(strdup(text));
    json = json ? json : json_string(shown ? shown : "");
    free(shown);
    return json;
}

static json_t *status_json_standing(const struct ml_standing *s)
{
    static const char *const states[] = {[ML_STANDING_NOT_BEGUN] = "not begun",
                                         [ML_STANDING_UNDERWAY] = "underway",
                                         [ML_STANDING_COMPLETE] = "finished"};
    const bool has_sizes = s->block_runs > 0, is_held = s->owner.is_held;
    json_t *json = json_object();
    (void)json_object_set_new(json, "state",
                              json_string(s->runs_missing > 0 ? "partial" : states[s->state]));
    (void)json_object_set_new(json, "has_result", json_boolean(s->has_result));
    (void)json_object_set_new(json, "blocks", has_sizes ? json_integer(s->n_block) : json_null());
    (void)json_object_set_new(json, "blocks_done",
                              has_sizes ? json_integer(s->blocks_done) : json_null());
    (void)json_object_set_new(json, "runs_missing", json_integer(s->runs_missing));
    (void)json_object_set_new(json, "at_work",
                              is_held ? status_json_text(s->owner.text) : json_null());
    (void)json_object_set_new(json, "last_block_age", status_json_number(s->age));
    (void)json_object_set_new(json, "seconds_left", status_json_number(ml_standing_left(s)));
    return json;
}

static json_t *status_json_family(const struct ml_family *family)
{
    int64_t at_work;
    const double left = ml_family_left(family, &at_work);
    json_t *json = json_object(), *shards = json_array();
    (void)json_object_set_new(json, "count", json_integer(family->count));
    (void)json_object_set_new(json, "finished", json_integer(ml_family_finished(family)));
    (void)json_object_set_new(json, "blocks", json_integer(family->n_block));
    (void)json_object_set_new(json, "blocks_done", json_integer(ml_family_blocks_done(family)));
    (void)json_object_set_new(json, "at_work", json_integer(at_work));
    (void)json_object_set_new(json, "seconds_left", status_json_number(left));
    for (int64_t i = 0; i < family->count; i++) {
        const struct ml_family_member *member = &family->members[i];
        json_t *shard = status_json_standing(&member->standing);
        if (member->fault) {
            (void)json_object_set_new(shard, "state", json_string("unreadable"));
            (void)json_object_set_new(shard, "why", status_json_text(member->fault));
        }
        (void)json_array_append_new(shards, shard);
    }
    (void)json_object_set_new(json, "shards", shards);
    return json;
}

static json_t *status_json(const char *path, const struct ml_standing *standing,
                           const struct ml_families *families)
{
    json_t *json = status_json_standing(standing), *sets = json_array();
    for (int i = 0; i < families->n; i++)
        (void)json_array_append_new(sets, status_json_family(&families->families[i]));
    (void)json_object_set_new(json, "result", status_json_text(path));
    (void)json_object_set_new(json, "sets", sets);
    return json;
}

enum ml_status ml_result_status_json(const char *path, char **text, struct ml_error *err)
{
    struct ml_standing standing;
    struct ml_families families = {0};
    *text = NULL;
    enum ml_status status = ml_standing_read(&standing, path, err);
    if (status == ML_OK && (standing.state != ML_STANDING_COMPLETE || standing.runs_missing > 0))
        status = ml_families_read(&families, path, err);
    if (status == ML_OK)
        status = ml_standing_check(&standing, &families, path, err);
    if (status == ML_OK) {
        json_t *json = status_json(path, &standing, &families);
        *text = json_dumps(json, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
        json_decref(json);
        status = *text ? ML_OK : ML_E_MEMORY;
    }
    ml_families_free(&families);
    ml_standing_free(&standing);
    return status;
}
