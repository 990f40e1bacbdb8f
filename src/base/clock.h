/* A clock for spans of time. */
#ifndef ML_BASE_CLOCK_H
#define ML_BASE_CLOCK_H

/* Seconds since some moment; never goes back. */
double ml_clock(void);

#endif
