/* From the text of a unit to a loaded kernel: cache, lock, compiler, dlopen. */
#include "engine/kernels/kernel_made.h"

#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/clock.h"
#include "base/path.h"
#include "engine/kernels/kernel_cache.h"
#include "manylink/fail.h"

/* s beyond the compiler's limit that another process is waited for */
static const double lock_margin = 5;

static const struct {
    const char *name, *flags;
} isas[] = {
#define ML_ISA(name, flags, usable) {#name, flags},
#include "simd/isas.def"
#undef ML_ISA
    /* No C library: its headers would be those of the processor, and its fmod an inexact
     * instruction. All loops with known bounds are unrolled, and no others: arrays that they index
     * are in registers then. */
    {ML_KERNEL_GPU,
     "--target=nvptx64-nvidia-cuda -march=sm_70 -nostdlibinc -fno-builtin-fmod -Iengine/gpu/libc "
     "-DML_WIDTH=1 "
     "-mllvm -unroll-threshold=1000000 -mllvm -unroll-runtime=0 -mllvm -unroll-allow-partial=0 "
     "-mllvm -rotation-max-header-size=0"},
};

static const char *find_isa_flags(const char *isa)
{
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++)
        if (strcmp(isas[i].name, isa) == 0)
            return isas[i].flags;
    return NULL;
}

/* A request on its way to a kernel. */
struct making {
    const struct ml_kernel_request *request;
    double limit;
    const char *isa_flags, *ending; /* of the name of its entry */
    struct ml_kernel_cache cache;
    struct ml_kernel_compiler own, *compiler; /* the request's, or its own */
    struct ml_kernel_key key;
};

static void hash_text(XXH3_state_t *state, const char *text)
{
    (void)XXH3_128bits_update(state, text,
                              strlen(text) + 1); /* with its end: no two texts are one */
}

static void hash_sources(XXH3_state_t *state)
{
    for (const struct ml_kernel_source *source = ml_kernel_sources; source->path; source++) {
        hash_text(state, source->path);
        for (const char *const *line = source->lines; *line; line++)
            hash_text(state, *line);
        hash_text(state, "");
    }
}

/* Everything but the version of the compiler, and the flags that follow from which one it is. */
static enum ml_status find_key(struct making *making, struct ml_error *err)
{
    struct utsname machine = {0};
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    (void)uname(&machine); /* one folder may serve machines of several kinds */
    (void)XXH3_128bits_reset(state);
    hash_text(state, machine.machine);
    for (int i = 0; making->compiler->words[i]; i++)
        hash_text(state, making->compiler->words[i]);
    hash_text(state, "");
    hash_text(state, ml_kernel_compiler_flags());
    hash_text(state, making->request->isa);
    hash_text(state, making->isa_flags);
    hash_text(state, making->request->unit);
    hash_sources(state);
    const XXH128_hash_t hash = XXH3_128bits_digest(state);
    making->key = (struct ml_kernel_key){hash.high64, hash.low64, making->compiler->version};
    (void)XXH3_freeState(state);
    return ML_OK;
}

/* The numbers of an entry of the cache. A missing compiler is no failure yet. End it in any
 * case. */
static enum ml_status begin_making(struct making *making, const struct ml_kernel_request *request,
                                   struct ml_error *err)
{
    *making = (struct making){.request = request,
                              .limit = request->is_beside   ? (double)INFINITY
                                       : request->limit > 0 ? request->limit
                                                            : ML_KERNEL_WAIT,
                              .isa_flags = find_isa_flags(request->isa),
                              .ending = strcmp(request->isa, ML_KERNEL_GPU) == 0
                                            ? ML_KERNEL_CACHE_TEXT
                                            : ML_KERNEL_CACHE_OBJECT};
    making->compiler = request->compiler ? request->compiler : &making->own;
    enum ml_status status = ml_kernel_cache_name(&making->cache, err);
    if (status != ML_OK)
        return status;
    if (!making->isa_flags)
        return ml_fail(err, ML_E_INPUT, "there is no instruction set `%s`", request->isa);
    status = ml_kernel_compiler_find(making->compiler, request->isa, making->limit, request->stop);
    if (status == ML_STOPPED || status == ML_E_MEMORY)
        return ml_fail(err, status, "%s", status == ML_STOPPED ? "stopped" : "out of memory");
    return find_key(making, err);
}

static void end_making(struct making *making)
{
    ml_kernel_compiler_free(&making->own);
    ml_kernel_cache_close(&making->cache);
}

/* Text of an error, which has a line end. */
static const char *kernel_made_text_of(const struct ml_error *error)
{
    return error->text ? error->text : ml_status_text(error->status);
}

static enum ml_status fail_to_load(const char *path, struct ml_error *err)
{
    const char *why = dlerror();
    if (why && strstr(why, "failed to map segment"))
        return ml_fail(err, ML_E_FILE,
                       "%s: cannot be loaded: its folder allows no execution (noexec): "
                       "MANYLINK_CACHE can name another one",
                       path);
    return ml_fail(err, ML_E_FILE, "%s: cannot be loaded: %s", path, why ? why : "unknown error");
}

/* Loads an entry that was found at a path of the cache, which the message does not name, as the
 * path may not last. A change of the rounding by another compiler's start-up code is undone. */
static enum ml_status load_object(const struct making *making, const char *path,
                                  struct ml_made_kernel *out, struct ml_error *err)
{
    const char *symbol = making->request->symbol ? making->request->symbol : "ml_kernel_made";
    fenv_t before;
    out->path = ml_kernel_cache_entry(making->cache.name, &making->key, making->ending);
    if (!out->path)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    if (strcmp(making->ending, ML_KERNEL_CACHE_TEXT) == 0)
        return ML_OK;
    (void)fegetenv(&before);
    out->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    (void)fesetenv(&before);
    out->symbol = out->handle ? dlsym(out->handle, symbol) : NULL;
    if (out->symbol)
        return ML_OK;
    const enum ml_status status =
        out->handle ? ml_fail(err, ML_E_FILE, "%s: has no symbol `%s`", out->path, symbol)
                    : fail_to_load(out->path, err);
    ml_made_kernel_close(out);
    return status;
}

/* Takes the entry of the cache, if there is one that can be loaded. */
static bool take_cached(struct making *making, struct ml_made_kernel *out)
{
    struct ml_error unused = {0};
    char *path = ml_kernel_cache_find(making->cache.path, &making->key, making->ending);
    out->is_cached = path && load_object(making, path, out, &unused) == ML_OK;
    free(path);
    ml_error_clear(&unused);
    return out->is_cached;
}

/* Hands an error on, in which the folder has the name that its user knows. */
static enum ml_status pass_on(const struct making *making, struct ml_error *why,
                              struct ml_error *err)
{
    const char *text = kernel_made_text_of(why), *path = making->cache.path;
    const char *at = strstr(text, path);
    if (at && strcmp(path, making->cache.name) != 0)
        (void)ml_fail(err, why->status, "%.*s%s%s", (int)(at - text), text, making->cache.name,
                      at + strlen(path));
    else
        (void)ml_fail(err, why->status, "%s", text);
    const enum ml_status status = why->status;
    ml_error_clear(why);
    return status;
}

/* Compiles into a temporary folder of the cache, which is gone afterwards. */
static enum ml_status kernel_made_compile_unit(struct making *making, struct ml_error *err)
{
    char *folder = ml_path("%s/" ML_KERNEL_CACHE_TEMPORARY, making->cache.path), *object = NULL;
    if (!folder)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    if (!mkdtemp(folder)) {
        const int error = errno;
        free(folder);
        return ml_fail(err, ML_E_FILE, "%s: cannot be written: %s", making->cache.name,
                       strerror(error));
    }
    const struct ml_kernel_task task = {.unit = making->request->unit,
                                        .has_loops = making->request->has_loops,
                                        .isa = making->request->isa,
                                        .isa_flags = making->isa_flags,
                                        .folder = folder,
                                        .limit = making->limit,
                                        .stop = making->request->stop,
                                        .is_beside = making->request->is_beside};
    struct ml_error why = {0};
    enum ml_status status = ml_kernel_compile(making->compiler, &task, &why);
    if (status == ML_OK && !(object = ml_path("%s/" ML_KERNEL_OBJECT, folder)))
        status = ml_fail(&why, ML_E_MEMORY, "out of memory");
    if (status == ML_OK)
        status =
            ml_kernel_cache_write(making->cache.path, &making->key, making->ending, object, &why);
    if (status == ML_E_FILE && access(folder, F_OK) != 0)
        (void)ml_fail(err, status, "%s: was removed while it was compiled", making->cache.name);
    else if (status != ML_OK)
        (void)pass_on(making, &why, err);
    ml_error_clear(&why);
    free(object);
    ml_tree_remove(folder);
    free(folder);
    return status;
}

/* Compiles, and loads the object: an object that cannot be loaded is not kept. */
static enum ml_status make_entry(struct making *making, struct ml_made_kernel *out,
                                 struct ml_error *err)
{
    char *path = ml_kernel_cache_entry(making->cache.path, &making->key, making->ending);
    if (!path)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    enum ml_status status = kernel_made_compile_unit(making, err);
    if (status == ML_OK) {
        status = load_object(making, path, out, err);
        if (status == ML_OK)
            ml_kernel_cache_trim(making->cache.path, ML_KERNEL_CACHE_ENTRIES,
                                 ML_KERNEL_CACHE_BYTES);
        else
            (void)unlink(path);
    }
    free(path);
    return status;
}

/* Makes it, unless another process does. */
static enum ml_status make_alone(struct making *making, struct ml_made_kernel *out,
                                 struct ml_error *err)
{
    struct ml_kernel_lock lock;
    char *path = ml_kernel_cache_entry(making->cache.path, &making->key, ".lock");
    if (!path)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    enum ml_status status =
        ml_kernel_lock_take(&lock, path, making->limit + lock_margin, making->request->stop, err);
    if (status == ML_OK && !take_cached(making, out))
        status = make_entry(making, out, err);
    ml_kernel_lock_release(&lock, status == ML_OK || status == ML_STOPPED ? NULL : err->text);
    free(path);
    return status;
}

static enum ml_status find_or_make(struct making *making, struct ml_made_kernel *out,
                                   struct ml_error *err)
{
    enum ml_status status = ml_kernel_cache_open(&making->cache, false, err);
    if (status != ML_OK || (making->cache.path && take_cached(making, out)))
        return status;
    if (making->compiler->status != ML_OK)
        return ml_fail(err, making->compiler->status, "%s",
                       kernel_made_text_of(&making->compiler->error));
    status = ml_kernel_cache_open(&making->cache, true, err);
    return status == ML_OK ? make_alone(making, out, err) : status;
}

enum ml_status ml_kernel_make(const struct ml_kernel_request *request, struct ml_made_kernel *out,
                              struct ml_error *err)
{
    const double start = ml_clock();
    struct making making;
    struct ml_error why = {0};
    *out = (struct ml_made_kernel){0};
    enum ml_status status = begin_making(&making, request, &why);
    if (status == ML_OK)
        status = find_or_make(&making, out, &why);
    if (status == ML_OK)
        memcpy(out->compiler, making.compiler->description, sizeof out->compiler);
    else
        ml_made_kernel_close(out);
    end_making(&making);
    out->seconds = ml_clock() - start;
    if (status != ML_OK)
        (void)ml_fail(err, status, "no kernel is made for this study: %.*s%s",
                      (int)strcspn(kernel_made_text_of(&why), "\n"), kernel_made_text_of(&why),
                      request->otherwise ? request->otherwise : "");
    ml_error_clear(&why);
    return status;
}

void ml_made_kernel_close(struct ml_made_kernel *kernel)
{
    if (kernel->handle)
        (void)dlclose(kernel->handle);
    free(kernel->path);
    *kernel = (struct ml_made_kernel){0};
}

void ml_made_kernel_discard(struct ml_made_kernel *kernel)
{
    if (kernel->path)
        (void)unlink(kernel->path);
    ml_made_kernel_close(kernel);
}

bool ml_kernel_cached(const struct ml_kernel_request *request)
{
    struct making making;
    char *path = NULL;
    if (begin_making(&making, request, NULL) == ML_OK &&
        ml_kernel_cache_open(&making.cache, false, NULL) == ML_OK && making.cache.path)
        path = ml_kernel_cache_find(making.cache.path, &making.key, making.ending);
    const bool is_cached = path != NULL;
    end_making(&making);
    free(path);
    return is_cached;
}
