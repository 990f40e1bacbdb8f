/* A thread beside those of a run: it gets no signals, and its stack does not depend on `ulimit -s`.
 */
#include "engine/kernel_beside.h"

#include <errno.h>
#include <signal.h>

#include "base/numeric_env.h"

enum { STACK = 2 << 20 }; /* bytes; a child process takes steps on a copy */

static int kernel_beside_level(void *context)
{
    const struct ml_kernel_beside *beside = context;
    return beside->is_over ? 2 : ml_stop_level(beside->outer);
}

struct ml_stop ml_kernel_beside_stop(struct ml_kernel_beside *beside)
{
    return (struct ml_stop){kernel_beside_level, beside};
}

static void *kernel_beside_main(void *context)
{
    struct ml_kernel_beside *beside = context;
    struct ml_numeric_env before;
    if (ml_numeric_env_set(&before)) {
        beside->work(beside->context);
        ml_numeric_env_restore(&before);
    }
    return NULL;
}

static int kernel_beside_create(struct ml_kernel_beside *beside)
{
    pthread_attr_t attributes;
    int code = pthread_attr_init(&attributes);
    if (code != 0)
        return code;
    code = pthread_attr_setstacksize(&attributes, STACK);
    if (code == 0)
        code = pthread_create(&beside->thread, &attributes, kernel_beside_main, beside);
    (void)pthread_attr_destroy(&attributes);
    return code;
}

bool ml_kernel_beside_start(struct ml_kernel_beside *beside, void (*work)(void *context),
                            void *context, struct ml_stop stop)
{
    sigset_t all, before;
    beside->work = work;
    beside->context = context;
    beside->outer = stop;
    beside->is_over = false;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    errno = kernel_beside_create(beside);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return errno == 0;
}

void ml_kernel_beside_end(struct ml_kernel_beside *beside)
{
    beside->is_over = true;
    (void)pthread_join(beside->thread, NULL);
}
