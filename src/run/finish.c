#include "run/finish.h"

#include <stdlib.h>

#include "manylink/version.h"
#include "store/provenance.h"

enum ml_status ml_finish(struct ml_store *store, const char *study, const char *isa,
                         const char *kernel, int n_thread, const char *began, struct ml_error *err)
{
    char ended[ML_TIME_LENGTH], host[ML_HOST_LENGTH];
    char *path = realpath(study, NULL);
    ml_provenance_time(ended);
    ml_provenance_host(host);
    const struct ml_provenance provenance = {
        .study = path ? path : study,
        .version = ML_VERSION,
        .compiler = ml_provenance_compiler(),
        .isa = isa,
        .kernel = kernel,
        .host = host,
        .threads = n_thread,
        .start_time = began,
        .end_time = ended,
    };
    enum ml_status status = ml_store_finish(store, &provenance, err);
    free(path);
    return status;
}
