/* Who made a result, and the end of making one. */
#include "run/finish.h"

#include <stdlib.h>

#include "manylink/version.h"

void ml_maker_init(struct ml_maker *maker, const char *study, const char *overrides,
                   const char *isa, const char *kernel, int n_thread, const char *began)
{
    maker->path = realpath(study, NULL);
    ml_provenance_time(maker->ended);
    ml_provenance_host(maker->host);
    maker->provenance = (struct ml_provenance){
        .study = maker->path ? maker->path : study,
        .overrides = overrides,
        .version = ML_VERSION,
        .compiler = ml_provenance_compiler(),
        .isa = isa,
        .kernel = kernel,
        .host = maker->host,
        .threads = n_thread,
        .start_time = began,
        .end_time = maker->ended,
    };
}

void ml_maker_free(struct ml_maker *maker) { free(maker->path); }

enum ml_status ml_finish(struct ml_store *store, const char *study, const char *overrides,
                         const char *isa, const char *kernel, int n_thread, const char *began,
                         struct ml_error *err)
{
    struct ml_maker maker;
    ml_maker_init(&maker, study, overrides, isa, kernel, n_thread, began);
    enum ml_status status = ml_store_finish(store, &maker.provenance, err);
    ml_maker_free(&maker);
    return status;
}
