/* A thread beside those of a run. */
#include "engine/kernels/kernel_beside.h"

#include <errno.h>

#include "base/numeric_env.h"
#include "base/thread.h"

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
    const struct ml_numeric_env before = ml_numeric_env_set();
    beside->work(beside->context);
    ml_numeric_env_restore(&before);
    return NULL;
}

bool ml_kernel_beside_start(struct ml_kernel_beside *beside, void (*work)(void *context),
                            void *context, struct ml_stop stop)
{
    beside->work = work;
    beside->context = context;
    beside->outer = stop;
    beside->is_over = false;
    beside->standard = ml_open_hold_standard();
    errno = ml_thread_start(&beside->thread, STACK, kernel_beside_main, beside);
    if (errno != 0)
        ml_open_release(&beside->standard);
    return errno == 0;
}

void ml_kernel_beside_end(struct ml_kernel_beside *beside)
{
    beside->is_over = true;
    (void)pthread_join(beside->thread, NULL);
    ml_open_release(&beside->standard);
}
