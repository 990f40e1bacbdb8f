/* Where the results of an ensemble go, block by block. */
#ifndef ML_ENGINE_SINK_H
#define ML_ENGINE_SINK_H

#include "engine/ensemble.h"

/* Where finished blocks go. `has` may be called from several threads; `put` is called from one
 * thread of its own, while others compute. */
struct ml_sink {
    void *context;
    bool (*has)(void *context, int64_t block); /* already there: skip it */
    enum ml_status (*put)(void *context, const struct ml_block *block, struct ml_error *err);
    enum ml_status (*idle)(void *context, struct ml_error *err); /* NULL, or called by the thread of
                                                   `put` when there was nothing to put for 1 s */
};

#endif
