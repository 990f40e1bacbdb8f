/* Reads a study from a file or a text: parses, applies overrides, reads keys and checks the whole.
 */
#include "config/read_study.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/numeric_env.h"
#include "base/open.h"
#include "base/sized.h"
#include "config/doubts.h"
#include "config/draft.h"
#include "config/fix.h"
#include "config/notices.h"
#include "config/override.h"
#include "config/resolve.h"
#include "config/sections.h"
#include "config/slots.h"
#include "config/values.h"
#include "linalg/lapack.h"
#include "yaml/file.h"
#include "yaml/yaml.h"

/* Sweep or sample, or one run. */
static void read_points(struct ml_reader *r, const struct ml_study_keys *keys)
{
    struct ml_study *study = r->study;
    study->ensemble.n_run = 1;
    if (keys->sweep && keys->sample)
        ml_problem(&r->problems, keys->sample->key_location,
                   "`sample` and `sweep` exclude each other");
    if (keys->sweep)
        ml_read_sweep(r, keys->sweep);
    else if (keys->sample)
        ml_read_sample(r, keys->sample);
}

/* `choice` is 0 for auto, else after it. A system without M has no use for the key. */
static void read_solver(struct ml_reader *r, const struct ml_node *root, int choice)
{
    struct ml_ensemble *ensemble = &r->study->ensemble;
    const struct ml_node *given = ml_node_find(root, "solver");
    if (given && r->system && !r->system->terms)
        ml_problem(&r->problems, given->key_location,
                   "system `%s` has no mass matrix for a solver; leave `solver` out",
                   r->system->name);
    if (given && choice == 1 + ML_SOLVER_recursive && r->system && r->system->terms &&
        r->system->recursive_from == 0)
        ml_problem(&r->problems, given->location,
                   "system `%s` has no recursive solver; take another or leave `solver` out",
                   r->system->name);
    if (given && choice == 1 + ML_SOLVER_lapacke && !ml_lapack())
        ml_problem(&r->problems, given->location,
                   "solver `lapacke` takes LAPACKE (liblapacke.so.3), which cannot be loaded here; "
                   "install it or leave `solver` out");
    if (choice > 0)
        ensemble->shape.solver = (enum ml_solver_kind)(choice - 1);
    else if (r->system)
        ensemble->shape.solver = ml_solver_auto(r->system, ensemble->shape.n);
}

static void read_study(struct ml_reader *r, const struct ml_node *root)
{
    struct ml_study_keys keys = {0};
    struct ml_study *study = r->study;
    struct ml_ensemble *ensemble = &study->ensemble;
    if (!ml_read_is_map(r, root, "a study must be a map that begins with `manylink: 1`"))
        return;
    ml_read_scope(r, root, ML_SCOPE_STUDY, &keys);
    const char *title = keys.title ? keys.title : "";
    study->title = ml_pool_text(&study->pool, title, strlen(title));
    if (keys.system)
        ml_read_system(r, keys.system);
    ml_read_integrator(r, keys.integrator);
    ml_read_time(r, keys.time); /* tables of forces must cover it */
    ml_read_forces(r, keys.forces);
    ml_read_initial(r, keys.initial);
    ml_read_motion(r, keys.motion);
    ml_read_inverse(r, keys.inverse);
    ml_read_events(r, keys.events);
    ml_slots_make(r);
    ml_fix_numbers(r);
    read_points(r, &keys);
    ml_fix_swept(r);
    ml_clock_settle(study);
    r->clock = ensemble->clock == ML_CLOCK_COMMON ? NULL : r->clock;
    ml_read_walk(study);
    ml_read_analyse(r, keys.analyse);
    ml_read_events_of_runs(r, keys.events, root);
    ml_read_save(r, keys.save);
    ml_read_clock_use(r, keys.save);
    ml_read_splitting(r, keys.integrator);
    ml_read_accuracy(r, keys.accuracy);
    ml_read_spans(r, &keys);
    read_solver(r, root, keys.solver);
    ensemble->values = ml_study_values;
    ensemble->context = study;
}

/* What a study is read from. */
struct source {
    const char *name, *text;
    size_t length;
    const char *const *overrides;
    int n_override;
    const struct ml_draft *draft; /* instead of the text and overrides; NULL */
    const char *isa;
    const struct ml_native *native;
};

/* "PATH=VALUE" of all overrides, a line each; NULL for none, or without memory. */
static char *join_overrides(struct ml_pool *pool, const struct source *source)
{
    char *all = NULL;
    for (int i = 0; i < source->n_override; i++)
        all = ml_pool_format(pool, "%s%s%s", all ? all : "", all ? "\n" : "", source->overrides[i]);
    return all;
}

/* The tree of the file, or of the draft, which makes the text of the study too. */
static struct ml_node *read_tree(struct ml_reader *r, const struct source *source)
{
    struct ml_study *study = r->study;
    if (!source->draft)
        return ml_yaml_read(r->problems.text, r->problems.length, 0, &r->problems);
    struct ml_node *root = ml_draft_tree(&r->problems, source->draft->n_set);
    study->definition = root ? ml_draft_text(root, &study->pool) : NULL;
    return study->definition ? root : NULL;
}

static enum ml_status fill(struct ml_reader *r, const struct source *source, struct ml_error *err)
{
    struct ml_study *study = r->study;
    struct ml_node *root = read_tree(r, source);
    r->overrides = ml_pool_take(r->pool, (size_t)source->n_override + 1, sizeof *r->overrides);
    r->n_override = r->overrides ? source->n_override : 0;
    for (int i = 1; root && i <= r->n_override; i++)
        ml_override(r, root, i);
    enum ml_status status = ML_OK;
    if (root)
        read_study(r, root);
    if (root && !ml_problems_there(&r->problems) && !r->pool->is_short && !study->pool.is_short)
        status = ml_read_vectors(r, err);
    if (status != ML_OK)
        return status;
    if (root && !ml_problems_there(&r->problems) && !r->pool->is_short && !study->pool.is_short)
        ml_read_show(r, root);
    bool is_short = r->pool->is_short || study->pool.is_short;
    if (ml_problems_there(&r->problems) && !is_short)
        return ml_problems_report(&r->problems, err);
    if (!is_short)
        ml_find_presets(r);
    if (!is_short)
        ml_doubts_tell(r, root);
    study->resolved = is_short ? NULL : ml_resolve(study);
    if (!study->resolved || !ml_notices_finish(r))
        return ml_fail(err, ML_E_MEMORY, "%s: out of memory", study->name);
    study->ensemble.block_runs = ml_ensemble_block_runs(&study->ensemble);
    ml_results_describe(&study->ensemble, &study->results);
    return ML_OK;
}

static enum ml_status fill_plainly(struct ml_reader *r, const struct source *source,
                                   struct ml_error *err)
{
    struct ml_numeric_env env;
    if (!ml_numeric_env_set(&env))
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    enum ml_status status = fill(r, source, err);
    ml_numeric_env_restore(&env);
    return status;
}

static enum ml_status parse(const struct source *source, struct ml_study **out,
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
                          .study = study};
    study->member = -1;
    enum ml_status status = ml_kernels_pick(source->isa, &study->ensemble.kernels, err);
    study->name = ml_pool_text(&study->pool, source->name, strlen(source->name));
    study->definition = ml_pool_text(&study->pool, source->text, source->length);
    study->overrides = source->draft ? NULL : join_overrides(&study->pool, source);
    if (status == ML_OK && (!study->name || !study->definition))
        status = ml_fail(err, ML_E_MEMORY, "%s: out of memory", source->name);
    if (status == ML_OK)
        status = fill_plainly(&r, source, err);
    ml_pool_free(&pool);
    if (status == ML_OK)
        *out = study;
    else
        ml_study_free(study);
    return status;
}

enum ml_status ml_study_parse(const char *name, const char *text, size_t length,
                              const char *const *overrides, int n_override, const char *isa,
                              struct ml_study **out, struct ml_error *err)
{
    const struct source source = {name,       text, length, overrides,
                                  n_override, NULL, isa,    &(struct ml_native){0}};
    return parse(&source, out, err);
}

enum ml_status ml_study_parse_native(const char *name, const char *text, const char *isa,
                                     const struct ml_native *native, struct ml_study **out,
                                     struct ml_error *err)
{
    const struct source source = {name, text, strlen(text), NULL, 0, NULL, isa, native};
    return parse(&source, out, err);
}

enum ml_status ml_study_read_native(const char *path, const char *const *overrides, int n_override,
                                    const char *isa, const struct ml_native *native,
                                    struct ml_study **out, struct ml_error *err)
{
    enum { MOST_BYTES = 64 << 20 };
    struct ml_pool pool = {0};
    size_t length = 0;
    char *text = ml_file_read(&pool, path, MOST_BYTES, &length);
    const struct source source = {path, text, length, overrides, n_override, NULL, isa, native};
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
    return ml_study_read_native(path, overrides, n_override, isa, &(struct ml_native){0}, out, err);
}

enum ml_status ml_study_load(const char *path, const struct ml_study_options *given,
                             struct ml_study **out, struct ml_error *err)
{
    struct ml_study_options options = {0};
    *out = NULL;
    enum ml_status status = ml_sized_read(&options, sizeof options, given, "ml_study_options", err);
    const struct ml_native native = {.is_refused = options.no_native != 0};
    return status == ML_OK ? ml_study_read_native(path, options.overrides, options.n_override,
                                                  options.isa, &native, out, err)
                           : status;
}

enum ml_status ml_draft_read(const struct ml_draft *draft, const char *isa, struct ml_study **out,
                             struct ml_error *err)
{
    const struct source source = {.name = draft->name,
                                  .text = "",
                                  .draft = draft,
                                  .isa = isa,
                                  .native = &(struct ml_native){0}};
    return parse(&source, out, err);
}

void ml_study_free(struct ml_study *study)
{
    if (study) {
        ml_plugin_close(&study->plugin);
        ml_pool_free(&study->pool);
    }
    free(study);
}

int64_t ml_study_runs(const struct ml_study *study) { return study->ensemble.n_run; }

const char *ml_study_notice(const struct ml_study *study, int i)
{
    return i >= 0 && i < study->n_notice ? study->notices[i] : NULL;
}

const char *ml_study_definition(const struct ml_study *study) { return study->definition; }

const char *ml_study_name(const struct ml_study *study) { return study->name; }

const char *ml_study_title(const struct ml_study *study) { return study->title; }

const char *ml_study_resolved(const struct ml_study *study) { return study->resolved; }
