/* A study from a file, a text or calls: read by config/, then planned. */

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/numeric_env.h"
#include "base/open.h"
#include "base/sized.h"
#include "config/formulas/show_equations.h"
#include "config/sections/read_study.h"
#include "manylink/fail.h"
#include "plan/plan_study.h"
#include "yaml/pool.h"

/* "PATH=VALUE" of all overrides, a line each; NULL for none, or without memory. */
static char *join_overrides(struct ml_pool *pool, const struct ml_study_source *source)
{
    char *all = NULL;
    for (int i = 0; i < source->n_override; i++)
        all = ml_pool_format(pool, "%s%s%s", all ? all : "", all ? "\n" : "", source->overrides[i]);
    return all;
}

static enum ml_status fill(struct ml_reader *r, const struct ml_reading *reading,
                           struct ml_study *study, struct ml_error *err)
{
    const struct ml_numeric_env env = ml_numeric_env_set();
    ml_read_study(r, reading);
    const enum ml_status status = ml_plan_study(r, study, err);
    ml_numeric_env_restore(&env);
    return status;
}

/* Prepares a study for reading: registries for names, memory, text. False without memory. */
static bool begin_spec(struct ml_study *study, const struct ml_reading *reading)
{
    const struct ml_study_source *source = &reading->source;
    struct ml_study_spec *spec = &study->spec;
    spec->pool = &study->pool;
    spec->registry = study->kernels->registry;
    spec->name = ml_pool_text(spec->pool, source->path, strlen(source->path));
    spec->definition = ml_pool_text(spec->pool, source->text, source->length);
    spec->overrides = reading->draft ? NULL : join_overrides(spec->pool, source);
    return spec->name && spec->definition;
}

static enum ml_status parse(const struct ml_reading *reading, struct ml_study **out,
                            struct ml_error *err)
{
    const struct ml_study_source *source = &reading->source;
    const struct ml_draft *draft = reading->draft;
    const char *isa = getenv("MANYLINK_ISA");
    struct ml_pool pool = {0};
    struct ml_study *study = calloc(1, sizeof *study);
    *out = NULL;
    if (!study)
        return ML_E_MEMORY;
    const struct ml_problems none = {.pool = &pool,
                                     .name = source->path,
                                     .text = source->text,
                                     .length = source->length,
                                     .overrides = draft ? draft->sets : source->overrides,
                                     .option = draft ? "" : "--set "};
    struct ml_reader r = {.pool = &pool,
                          .problems = none,
                          .notices = none,
                          .native = *reading->native,
                          .is_for_inverse = source->for_inverse != 0,
                          .is_for_fit = source->for_fit != 0,
                          .motion = source->motion,
                          .spec = &study->spec};
    study->member = -1;
    enum ml_status status = ml_kernels_pick(isa && *isa ? isa : NULL, &study->kernels, err);
    if (status == ML_OK && !begin_spec(study, reading))
        status = ML_E_MEMORY;
    if (status == ML_OK)
        status = fill(&r, reading, study, err);
    ml_pool_free(&pool);
    if (status == ML_OK)
        *out = study;
    else
        ml_study_free(study);
    return status;
}

enum ml_status ml_study_parse_native(const struct ml_study_source *source,
                                     const struct ml_native *native, struct ml_study **out,
                                     struct ml_error *err)
{
    struct ml_reading reading = {.source = *source, .native = native};
    reading.source.length = strlen(source->text);
    return parse(&reading, out, err);
}

/* Reads the file, if there is no text. */
static enum ml_status load(struct ml_reading *reading, struct ml_study **out, struct ml_error *err)
{
    enum { MOST_BYTES = 64 << 20 };
    struct ml_study_source *source = &reading->source;
    struct ml_pool pool = {0};
    enum ml_status status;
    if (!source->text)
        source->text = ml_file_read(&pool, source->path, MOST_BYTES, &source->length);
    else if (source->length == 0)
        source->length = strlen(source->text);
    if (source->text)
        status = parse(reading, out, err);
    else if (pool.is_short)
        status = ML_E_MEMORY;
    else
        status = ml_fail(err, ml_open_status(errno), "%s: %s", source->path, ml_open_reason(errno));
    ml_pool_free(&pool);
    return status;
}

enum ml_status ml_study_load(const struct ml_study_source *given, struct ml_study **out,
                             struct ml_error *err)
{
    struct ml_native native = {0};
    struct ml_reading reading = {.native = &native};
    struct ml_study_source *source = &reading.source;
    *out = NULL;
    enum ml_status status = ml_sized_read(source, sizeof *source, given, "ml_study_source", err);
    if (status == ML_OK)
        status = ml_sized_check_numbers(
            (const struct ml_sized_number[]){{"n_override", source->n_override, 0, INT_MAX},
                                             {NULL, 0, 0, 0}},
            "ml_study_source", err);
    if (status != ML_OK)
        return status;
    if (!source->path && source->text)
        source->path = "study";
    if (!source->path)
        return ml_fail(err, ML_E_INPUT, "struct ml_study_source: its member `path` is missing");
    native.is_refused = source->no_native != 0;
    return load(&reading, out, err);
}

enum ml_status ml_draft_read(const struct ml_draft *draft, struct ml_study **out,
                             struct ml_error *err)
{
    const struct ml_reading reading = {.source = {.path = draft->name, .text = ""},
                                       .draft = draft,
                                       .native = &(struct ml_native){0}};
    return parse(&reading, out, err);
}

void ml_study_free(struct ml_study *study)
{
    if (study) {
        ml_system_source_close(&study->spec.source);
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

char *ml_study_equations(const struct ml_study *study, int is_latex)
{
    const struct ml_shown_equations *shown = study->spec.source.shown;
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    const bool is_shown = !shown || ml_show_equations(to, shown, is_latex != 0);
    if (fclose(to) == 0 && is_shown)
        return text;
    free(text);
    return NULL;
}
