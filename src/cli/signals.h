/* Commands that end in order when they are interrupted. */
#ifndef ML_CLI_SIGNALS_H
#define ML_CLI_SIGNALS_H

/* Counts SIGINT, SIGTERM, SIGHUP and the signals of batch systems before the end of a process,
 * SIGXCPU, SIGUSR1 and SIGUSR2, from now on; after the second the process ends in 2 s, with the
 * third at once. A signal that was ignored before, as SIGHUP under nohup, stays so.
 *   word  a constant, said at the first one */
void catch_signals(const char *word);

/* How many there were, as `stop` of ml_run_options. */
int count_signals(void *unused);

#endif
