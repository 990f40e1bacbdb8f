/* Counts signals in a handler, and ends the process when they are many. */
#include "cli/signals.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/* Data of the signal handler: number of signals received, and the message. */
static atomic_int stop;
static const char *said;

enum { GRACE = 2, INTERRUPTED = 130 }; /* s; exit code */

/* Written blocks are safe from the end of the process at any moment. */
static void on_alarm(int number)
{
    static const char text[] = "\nended before its work was finished\n";
    (void)number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(INTERRUPTED);
}

static void on_signal(int number)
{
    const int error = errno, before = atomic_fetch_add(&stop, 1);
    if (before == 0)
        (void)!write(STDERR_FILENO, said, strlen(said));
    else if (before == 1) {
        (void)signal(number, SIG_DFL);
        (void)signal(SIGALRM, on_alarm);
        (void)alarm(GRACE);
    }
    errno = error;
}

int count_signals(void *unused)
{
    (void)unused;
    return atomic_load_explicit(&stop, memory_order_relaxed);
}

void catch_signals(const char *word)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1, SIGUSR2};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, before;
    said = word;
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            (void)sigaction(numbers[i], &action, NULL);
}
