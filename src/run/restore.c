/* Reads a study, and a motion, back from the texts in a result. */
#include "run/restore.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/fail.h"
#include "plan/plan_study.h"
#include "plan/study_id.h"

/* Texts of the result that are no part of the resolved text. */
static bool restore_texts(struct ml_study *study, const struct ml_origin *origin)
{
    char *definition = ml_pool_text(&study->pool, origin->definition, strlen(origin->definition));
    char *name = ml_pool_text(&study->pool, origin->title, strlen(origin->title));
    if (!definition || !name)
        return false;
    study->spec.definition = definition;
    study->spec.name = name;
    return true;
}

enum ml_status ml_restore(const char *path, const struct ml_origin *origin,
                          const struct ml_restoring *how, struct ml_study **out,
                          struct ml_error *err)
{
    struct ml_pool pool = {0};
    const char *name = how->study ? how->study : origin->study ? origin->study : path;
    struct ml_native native = ml_native_of_result(origin->resolved, how->study, how->plugin, &pool);
    native.is_refused = how->no_native;
    *out = NULL;
    const struct ml_study_source source = {
        .path = name, .text = origin->resolved, .for_inverse = origin->is_inverse};
    enum ml_status status =
        pool.is_short ? ML_E_MEMORY : ml_study_parse_native(&source, &native, out, err);
    ml_pool_free(&pool);
    if (status != ML_OK)
        return ml_fail(err, status, "%s: cannot read its study again", path);
    assert(*out);
    status = ml_study_id_check(path, origin->resolved, *out,
                               "A table or plugin that it reads has changed, or the program", err);
    if (status == ML_OK && !restore_texts(*out, origin))
        status = ML_E_MEMORY;
    if (status != ML_OK) {
        ml_study_free(*out);
        *out = NULL;
    }
    return status;
}

/* The text behind "NAME=" at the beginning of a line of options; NULL: there is no such line. */
static const char *find_option(const char *options, const char *name)
{
    const size_t length = strlen(name);
    for (const char *line = options; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) == 0 && line[length] == '=')
            return line + length + 1;
    }
    return NULL;
}

/* The motion of a result, from where the user says that it is, or from where it was. */
static enum ml_status restore_motion(const char *path, const struct ml_origin *origin,
                                     const struct ml_restoring *how, struct ml_restored *out,
                                     struct ml_error *err)
{
    struct ml_pool *pool = &out->study->pool;
    const char *was = find_option(origin->options, "motion");
    const char *run = find_option(origin->options, "run");
    const char *there = was ? ml_pool_text(pool, was, strcspn(was, "\n")) : NULL;
    const char *called = ml_pool_text(pool, origin->motion, strlen(origin->motion));
    if (how->motion && !was)
        return ml_fail(err, ML_E_INPUT, "%s: cannot take --motion: the motion is the study's",
                       path);
    const struct ml_inverse_input input = {
        .path = how->motion ? how->motion : there,
        .run = run ? strtoll(run, NULL, 10) : -1,
        .called = called,
    };
    if ((was && !there) || !called)
        return ML_E_MEMORY;
    const enum ml_status status = ml_inverse_task_open(&out->task, out->study, &input, err);
    if (status != ML_OK)
        return was ? ml_fail(err, status,
                             "%s: cannot read its motion again; give its place with --motion", path)
                   : status;
    out->shape = &out->task.shape;
    out->task_kind = ml_inverse_result_kind(&out->task);
    out->kind = &out->task_kind;
    return ml_restored_check_motion(out, path, origin,
                                    "The motion has changed since the result was made", err);
}

enum ml_status ml_restore_result(const char *path, const struct ml_origin *origin,
                                 const struct ml_restoring *how, struct ml_restored *out,
                                 struct ml_error *err)
{
    *out = (struct ml_restored){.kind = &ml_result_of_runs, .is_inverse = origin->is_inverse};
    if (how->motion && !origin->is_inverse)
        return ml_fail(err, ML_E_INPUT, "%s: cannot take --motion: the result has no torques",
                       path);
    enum ml_status status = ml_restore(path, origin, how, &out->study, err);
    if (status != ML_OK)
        return status;
    out->shape = out->study;
    return out->is_inverse ? restore_motion(path, origin, how, out, err) : ML_OK;
}

void ml_restored_free(struct ml_restored *restored)
{
    if (restored->is_inverse)
        ml_inverse_task_close(&restored->task);
    ml_study_free(restored->study);
    *restored = (struct ml_restored){0};
}

enum ml_status ml_restored_check_motion(const struct ml_restored *restored, const char *path,
                                        const struct ml_origin *origin, const char *remedy,
                                        struct ml_error *err)
{
    if (restored->is_inverse != origin->is_inverse)
        return ml_fail(
            err, ML_E_OTHER_STUDY,
            "%s: results of runs and those of inverse dynamics have nothing in common\n%s", path,
            remedy);
    if (!restored->is_inverse || strcmp(origin->motion_id, restored->task.motion_id) == 0)
        return ML_OK;
    return ml_fail(
        err, ML_E_OTHER_STUDY,
        "%s: its torques are of a motion with the checksum %s, and the motion here has %s\n%s",
        path, origin->motion_id, restored->task.motion_id, remedy);
}
