/* Finished blocks on their way to the sink: a thread of its own puts them, one at a time and in the
 * order they come in, while others compute. */
#ifndef ML_ENGINE_BLOCK_WRITER_H
#define ML_ENGINE_BLOCK_WRITER_H

#include <pthread.h>
#include <stdatomic.h>

#include "engine/team/ensemble.h"

/* Blocks of each computing thread: one is filled while the other is written. That bounds both the
 * memory and the queue. */
enum { ML_BUFFERS = 2 };

struct ml_buffer {
    struct ml_block block;  /* its memory belongs to the thread that fills it */
    bool is_sent;           /* waits or is written: not to be touched */
    struct ml_buffer *next; /* that waits */
};

struct ml_block_writer {
    const struct ml_sink *sink; /* borrowed, like err */
    struct ml_stop stop;        /* as of ml_ensemble_options */
    struct ml_error *err;
    pthread_t thread;
    pthread_mutex_t lock; /* of the buffers' is_sent and next, first, last, is_closed */
    pthread_cond_t sent, freed;
    struct ml_buffer *first, *last; /* that wait */
    bool is_closed;                 /* nothing more will be sent */
    atomic_bool has_failed;         /* nothing more will be put */
    enum ml_status status; /* of the sink; read it after ml_block_writer_finish, as runs_write */
    int64_t runs_write;
};

/* Starts the thread; signals are left to the others. */
enum ml_status ml_block_writer_start(struct ml_block_writer *writer, const struct ml_sink *sink,
                                     struct ml_stop stop, struct ml_error *err);

/* One of the thread's own buffers [ML_BUFFERS] that may be filled; waits for it if need be. */
struct ml_buffer *ml_block_writer_free_buffer(struct ml_block_writer *writer,
                                              struct ml_buffer *buffers);

void ml_block_writer_send(struct ml_block_writer *writer, struct ml_buffer *buffer);

/* Waits until the sent blocks are put, or dropped after an error of the sink or at stop level 2,
 * and ends the thread. */
void ml_block_writer_finish(struct ml_block_writer *writer);

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
