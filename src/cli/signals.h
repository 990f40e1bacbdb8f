/* Commands that end in order when they are interrupted. */
#ifndef ML_CLI_SIGNALS_H
#define ML_CLI_SIGNALS_H

/* Counts SIGINT, SIGTERM and SIGHUP from now on; the third ends the process at once. A signal that
 * was ignored before, as SIGHUP under nohup, stays so.
 *   word  a constant, said at the first one */
void catch_signals(const char *word);

/* How many there were, as `stop` of ml_run_options. */
int count_signals(void *unused);

#endif
