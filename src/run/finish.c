/* Who made a result, the room for one, and the end of making it. */
#include "run/finish.h"

#include <stdio.h>
#include <stdlib.h>

#include "manylink/fail.h"
#include "manylink/version.h"

void ml_maker_init(struct ml_maker *maker, const struct ml_making *making)
{
    maker->path = realpath(making->study, NULL);
    ml_provenance_time(maker->ended);
    ml_provenance_host(maker->host);
    maker->provenance = (struct ml_provenance){
        .study = maker->path ? maker->path : making->study,
        .overrides = making->overrides,
        .version = ML_VERSION,
        .compiler = ml_provenance_compiler(),
        .isa = making->isa,
        .kernel = making->kernel,
        .host = maker->host,
        .threads = making->n_thread,
        .start_time = making->began,
        .end_time = maker->ended,
    };
}

void ml_maker_free(struct ml_maker *maker) { free(maker->path); }

enum ml_status ml_check_space(const struct ml_store *store, const char *output, bool is_strict,
                              void (*notice)(void *context, const char *text), void *context,
                              struct ml_error *err)
{
    const double megabyte = 1e6, small = 1e9; /* bytes; smaller disks are in memory and can grow */
    char text[160];
    const struct ml_space space = ml_store_space(store);
    if (space.needed <= space.available)
        return ML_OK;
    (void)snprintf(text, sizeof text, "up to %.0f MB will be written, and %.0f MB are free",
                   space.needed / megabyte, space.available / megabyte);
    if (space.needed > space.capacity && space.capacity > small)
        return ml_fail(err, ML_E_FILE, "%s: %s on a disk of %.0f MB; %s", output, text,
                       space.capacity / megabyte, ml_store_kind(store)->less);
    if (is_strict)
        return ml_fail(err, ML_E_FILE, "%s: %s", output, text);
    if (notice)
        notice(context, text);
    return ML_OK;
}

enum ml_status ml_finish(struct ml_store *store, const struct ml_making *making,
                         struct ml_error *err)
{
    struct ml_maker maker;
    ml_maker_init(&maker, making);
    enum ml_status status = ml_store_finish(store, &maker.provenance, err);
    ml_maker_free(&maker);
    return status;
}
