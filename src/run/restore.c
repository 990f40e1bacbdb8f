/* Reads a study back from the texts that its result contains. */
#include "run/restore.h"

#include <string.h>

#include "base/fail.h"
#include "plan/read_study.h"
#include "store/study_id.h"

/* What the resolved text does not say: it is in the result all the same. */
static bool restore_texts(struct ml_study *study, const struct ml_origin *origin)
{
    char *definition = ml_pool_text(&study->pool, origin->definition, strlen(origin->definition));
    char *name = ml_pool_text(&study->pool, origin->title, strlen(origin->title));
    if (!definition || !name)
        return false;
    study->definition = definition;
    study->name = name;
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
    enum ml_status status =
        pool.is_short ? ml_fail(err, ML_E_MEMORY, "out of memory")
                      : ml_study_parse_native(name, origin->resolved, how->isa, &native, out, err);
    ml_pool_free(&pool);
    if (status != ML_OK)
        return ml_fail(err, status, "%s: its study cannot be read again", path);
    status = ml_study_id_check(path, origin->resolved, *out,
                               "A table or plugin that it reads has changed, or the program", err);
    if (status == ML_OK && !restore_texts(*out, origin))
        status = ml_fail(err, ML_E_MEMORY, "out of memory");
    if (status != ML_OK) {
        ml_study_free(*out);
        *out = NULL;
    }
    return status;
}
