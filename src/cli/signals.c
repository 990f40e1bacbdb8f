#include "cli/signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/* What a signal handler can reach: signals received, and what to say. */
static atomic_int stop;
static const char *said;

static void on_signal(int number)
{
    int before = atomic_fetch_add(&stop, 1);
    if (before == 0)
        (void)!write(STDERR_FILENO, said, strlen(said));
    else if (before == 1)
        (void)signal(number, SIG_DFL);
}

int count_signals(void *unused)
{
    (void)unused;
    return atomic_load_explicit(&stop, memory_order_relaxed);
}

void catch_signals(const char *word)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, before;
    said = word;
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            (void)sigaction(numbers[i], &action, NULL);
}
