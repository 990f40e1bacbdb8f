/* A study from a file, a text or calls: read by config/, then planned. */
#include "plan/read_study.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/numeric_env.h"
#include "base/open.h"
#include "base/sized.h"
#include "config/read_study.h"
#include "plan/plan_study.h"
#include "yaml/file.h"

/* "PATH=VALUE" of all overrides, a line each; NULL for none, or without memory. */
static char *join_overrides(struct ml_pool *pool, const struct ml_study_source *source)
{
    char *all = NULL;
    for (int i = 0; i < source->n_override; i++)
        all = ml_pool_format(pool, "%s%s%s", all ? all : "", all ? "\n" : "", source->overrides[i]);
    return all;
}

static enum ml_status fill(struct ml_reader *r, const struct ml_study_source *source,
                           struct ml_study *study, struct ml_error *err)
{
    struct ml_numeric_env env;
    if (!ml_numeric_env_set(&env))
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    ml_read_study(r, source);
    const enum ml_status status = ml_plan_study(r, study, err);
    ml_numeric_env_restore(&env);
    return status;
}

/* What a study has before it is read: where names are looked up, who owns it, its text. False
 * without memory. */
static bool begin_spec(struct ml_study *study, const struct ml_study_source *source)
{
    struct ml_study_spec *spec = &study->spec;
    spec->pool = &study->pool;
    spec->registry = study->kernels->registry;
    spec->name = ml_pool_text(spec->pool, source->name, strlen(source->name));
    spec->definition = ml_pool_text(spec->pool, source->text, source->length);
    spec->overrides = source->draft ? NULL : join_overrides(spec->pool, source);
    return spec->name && spec->definition;
}

static enum ml_status parse(const struct ml_study_source *source, struct ml_study **out,
                            struct ml_error *err)
{
    struct ml_pool pool = {0};
    struct ml_study *study = calloc(1, sizeof *study);
    *out = NULL;
    if (!study)
        return ml_fail(err, ML_E_MEMORY, "%s: out of memory", source->name);
    const struct ml_problems none = {.pool = &pool,
                                     .name = source->name,
                                     .text = source->text,
                                     .length = source->length,
                                     .overrides =
                                         source->draft ? source->draft->sets : source->overrides,
                                     .option = source->draft ? "" : "--set "};
    struct ml_reader r = {.pool = &pool,
                          .problems = none,
                          .notices = none,
                          .native = *source->native,
                          .is_for_inverse = source->is_for_inverse,
                          .spec = &study->spec};
    study->member = -1;
    enum ml_status status = ml_kernels_pick(source->isa, &study->kernels, err);
    if (status == ML_OK && source->n_override < 0)
        status = ml_fail(err, ML_E_INPUT, "%s: n_override is %d: less than none", source->name,
                         source->n_override);
    if (status == ML_OK && !begin_spec(study, source))
        status = ml_fail(err, ML_E_MEMORY, "%s: out of memory", source->name);
    if (status == ML_OK)
        status = fill(&r, source, study, err);
    ml_pool_free(&pool);
    if (status == ML_OK)
        *out = study;
    else
        ml_study_free(study);
    return status;
}

enum ml_status ml_study_parse_native(const char *name, const char *text, const char *isa,
                                     const struct ml_native *native, bool is_for_inverse,
                                     struct ml_study **out, struct ml_error *err)
{
    const struct ml_study_source source = {.name = name,
                                           .text = text,
                                           .length = strlen(text),
                                           .isa = isa,
                                           .native = native,
                                           .is_for_inverse = is_for_inverse};
    return parse(&source, out, err);
}

/* A study file, or a text, as the options say. */
static enum ml_status load(const char *path, const struct ml_study_options *options,
                           struct ml_study **out, struct ml_error *err)
{
    enum { MOST_BYTES = 64 << 20 };
    const struct ml_native native = {.is_refused = options->no_native != 0};
    struct ml_pool pool = {0};
    size_t length = options->length;
    const char *text =
        options->text ? options->text : ml_file_read(&pool, path, MOST_BYTES, &length);
    const struct ml_study_source source = {.name = path,
                                           .text = text,
                                           .length = length,
                                           .overrides = options->overrides,
                                           .n_override = options->n_override,
                                           .isa = options->isa,
                                           .native = &native,
                                           .is_for_inverse = options->for_inverse != 0};
    enum ml_status status;
    *out = NULL;
    if (text)
        status = parse(&source, out, err);
    else if (pool.is_short)
        status = ml_fail(err, ML_E_MEMORY, "%s: out of memory", path);
    else
        status = ml_fail(err, ML_E_FILE, "%s: %s", path, ml_open_reason(errno));
    ml_pool_free(&pool);
    return status;
}

enum ml_status ml_study_read(const char *path, const char *const *overrides, int n_override,
                             const char *isa, struct ml_study **out, struct ml_error *err)
{
    const struct ml_study_options options = {
        .overrides = overrides, .n_override = n_override, .isa = isa};
    return load(path, &options, out, err);
}

enum ml_status ml_study_parse(const char *name, const char *text, size_t length,
                              const char *const *overrides, int n_override, const char *isa,
                              struct ml_study **out, struct ml_error *err)
{
    const struct ml_study_options options = {.overrides = overrides,
                                             .n_override = n_override,
                                             .isa = isa,
                                             .text = text ? text : "",
                                             .length = length};
    return load(name, &options, out, err);
}

enum ml_status ml_study_load(const char *path, const struct ml_study_options *given,
                             struct ml_study **out, struct ml_error *err)
{
    struct ml_study_options options = {0};
    *out = NULL;
    enum ml_status status = ml_sized_read(&options, sizeof options, given, "ml_study_options", err);
    return status == ML_OK ? load(path, &options, out, err) : status;
}

enum ml_status ml_draft_read(const struct ml_draft *draft, const char *isa, struct ml_study **out,
                             struct ml_error *err)
{
    const struct ml_study_source source = {.name = draft->name,
                                           .text = "",
                                           .draft = draft,
                                           .isa = isa,
                                           .native = &(struct ml_native){0}};
    return parse(&source, out, err);
}

void ml_study_free(struct ml_study *study)
{
    if (study) {
        ml_plugin_close(&study->spec.plugin);
        ml_pool_free(&study->pool);
    }
    free(study);
}

int64_t ml_study_runs(const struct ml_study *study) { return study->ensemble.n_run; }

const char *ml_study_notice(const struct ml_study *study, int i)
{
    return i >= 0 && i < study->n_notice ? study->notices[i] : NULL;
}

const char *ml_study_definition(const struct ml_study *study) { return study->spec.definition; }

const char *ml_study_name(const struct ml_study *study) { return study->spec.name; }

const char *ml_study_title(const struct ml_study *study) { return study->spec.title; }

const char *ml_study_resolved(const struct ml_study *study) { return study->resolved; }
