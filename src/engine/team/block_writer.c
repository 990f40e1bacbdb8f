/* The thread that passes finished blocks to the sink, with a bounded queue of buffers. */
#include "engine/team/block_writer.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/thread.h"
#include "manylink/fail.h"

enum turn { PUT, IDLE, END };

enum { STACK = 1 << 20 }; /* bytes */

/* Waits until something is sent; false if that takes long. */
static bool await(struct ml_block_writer *writer)
{
    struct timespec until;
    if (!writer->sink->idle || clock_gettime(CLOCK_MONOTONIC, &until) != 0)
        return pthread_cond_wait(&writer->sent, &writer->lock) == 0;
    until.tv_sec += 1;
    return pthread_cond_timedwait(&writer->sent, &writer->lock, &until) != ETIMEDOUT;
}

/* The next task, and the oldest buffer that waits, out of the queue. */
static enum turn receive(struct ml_block_writer *writer, struct ml_buffer **buffer)
{
    bool is_in_time = true;
    pthread_mutex_lock(&writer->lock);
    while (is_in_time && !writer->first && !writer->is_closed)
        is_in_time = await(writer);
    *buffer = writer->first;
    if (*buffer)
        writer->first = (*buffer)->next;
    const bool is_over = !*buffer && writer->is_closed;
    pthread_mutex_unlock(&writer->lock);
    return *buffer ? PUT : is_over ? END : IDLE;
}

static bool block_writer_is_dropped(const struct ml_block_writer *writer)
{
    return writer->has_failed || ml_stop_level(writer->stop) > 1;
}

static void block_writer_write(struct ml_block_writer *writer, const struct ml_block *block)
{
    writer->status = writer->sink->put(writer->sink->context, block, writer->err);
    if (writer->status == ML_OK)
        writer->runs_write += block->n_run;
    else
        writer->has_failed = true;
}

static void block_writer_idle(struct ml_block_writer *writer)
{
    if (writer->has_failed)
        return;
    writer->status = writer->sink->idle(writer->sink->context, writer->err);
    writer->has_failed = writer->status != ML_OK;
}

static void give_back(struct ml_block_writer *writer, struct ml_buffer *buffer)
{
    pthread_mutex_lock(&writer->lock);
    buffer->is_sent = false;
    pthread_cond_broadcast(&writer->freed); /* each thread waits for its own */
    pthread_mutex_unlock(&writer->lock);
}

static void *write_blocks(void *context)
{
    struct ml_block_writer *writer = context;
    struct ml_buffer *buffer;
    for (enum turn turn; (turn = receive(writer, &buffer)) != END;) {
        if (turn == IDLE) {
            block_writer_idle(writer);
            continue;
        }
        if (!block_writer_is_dropped(writer))
            block_writer_write(writer, &buffer->block);
        give_back(writer, buffer);
    }
    return NULL;
}

enum ml_status ml_block_writer_start(struct ml_block_writer *writer, const struct ml_sink *sink,
                                     struct ml_stop stop, struct ml_error *err)
{
    pthread_condattr_t steady; /* a clock that nobody sets */
    *writer = (struct ml_block_writer){
        .sink = sink,
        .stop = stop,
        .err = err,
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .freed = PTHREAD_COND_INITIALIZER,
    };
    (void)pthread_condattr_init(&steady);
    (void)pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&writer->sent, &steady);
    (void)pthread_condattr_destroy(&steady);
    const int code = ml_thread_start(&writer->thread, STACK, write_blocks, writer);
    return code == 0 ? ML_OK
                     : ml_fail(err, ML_E_MEMORY, "no thread for writing: %s", strerror(code));
}

struct ml_buffer *ml_block_writer_free_buffer(struct ml_block_writer *writer,
                                              struct ml_buffer *buffers)
{
    struct ml_buffer *found = NULL;
    pthread_mutex_lock(&writer->lock);
    for (;;) {
        for (int i = 0; i < ML_BUFFERS && !found; i++)
            if (!buffers[i].is_sent)
                found = &buffers[i];
        if (found)
            break;
        pthread_cond_wait(&writer->freed, &writer->lock);
    }
    pthread_mutex_unlock(&writer->lock);
    return found;
}

void ml_block_writer_send(struct ml_block_writer *writer, struct ml_buffer *buffer)
{
    pthread_mutex_lock(&writer->lock);
    buffer->is_sent = true;
    buffer->next = NULL;
    if (writer->first)
        writer->last->next = buffer;
    else
        writer->first = buffer;
    writer->last = buffer;
    pthread_cond_signal(&writer->sent);
    pthread_mutex_unlock(&writer->lock);
}

void ml_block_writer_finish(struct ml_block_writer *writer)
{
    pthread_mutex_lock(&writer->lock);
    writer->is_closed = true;
    pthread_cond_signal(&writer->sent);
    pthread_mutex_unlock(&writer->lock);
    (void)pthread_join(writer->thread, NULL);
    (void)pthread_cond_destroy(&writer->freed);
    (void)pthread_cond_destroy(&writer->sent);
    (void)pthread_mutex_destroy(&writer->lock);
}
