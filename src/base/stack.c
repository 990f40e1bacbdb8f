/* How large stacks are is a question that POSIX has no answer to. */
#include "base/stack.h"

#include <pthread.h>

size_t ml_stack_size(void)
{
    pthread_attr_t attributes;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return 0;
    if (pthread_attr_getstacksize(&attributes, &size) != 0)
        size = 0;
    (void)pthread_attr_destroy(&attributes);
    return size;
}
