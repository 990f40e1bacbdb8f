/* A clock for spans of time. */
#ifndef ML_BASE_CLOCK_H
#define ML_BASE_CLOCK_H

/* Seconds since some moment; never goes back. */
double ml_clock(void);

/* Seconds that a processor has worked for this thread: waiting for a turn does not count. */
double ml_thread_clock(void);

#endif
