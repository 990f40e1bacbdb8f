/* Begins threads. */
#include "base/thread.h"

#include <signal.h>

static int thread_create(pthread_t *thread, size_t stack, void *(*work)(void *context),
                         void *context)
{
    pthread_attr_t attributes;
    int code = pthread_attr_init(&attributes);
    if (code != 0)
        return code;
    code = pthread_attr_setstacksize(&attributes, stack);
    if (code == 0)
        code = pthread_create(thread, &attributes, work, context);
    (void)pthread_attr_destroy(&attributes);
    return code;
}

int ml_thread_start(pthread_t *thread, size_t stack, void *(*work)(void *context), void *context)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const int code = thread_create(thread, stack, work, context);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}
