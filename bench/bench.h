/* Code that the benchmarks share: options, a race of contenders, a table and a JSON file.
 *
 * A machine may be busy with other things. So contenders take turns, in rounds of short samples;
 * what is compared is two samples of the same round, and the median of those ratios over the
 * rounds is what is reported; beside it the ratio of the fastest samples of each, since what else
 * a machine does can only cost time. Work of one thread is timed by the processor time of the
 * process, which does not count while others run; work of several threads, and of disks, by the
 * wall clock, and ratios of threads come from rounds in which each had a processor to itself. Both
 * times of every sample are in the JSON file. */
#ifndef ML_BENCH_BENCH_H
#define ML_BENCH_BENCH_H

#include <stdbool.h>
#include <stdint.h>

struct json_t;

struct ml_bench {
    const char *name;
    bool is_smoke;  /* small sizes, short samples: only whether it works */
    double seconds; /* for the whole program, about */
    int n_thread;   /* most threads */
    const char *output;
    bool is_wrong; /* a check failed: exit status 1 */
    struct json_t *rows, *notes;
};

/* One row of the table. */
struct ml_bench_row {
    const char *name;
    int size;        /* 0: none */
    const char *isa; /* "": does not apply, as of others' code */
    int n_thread;
    double min, median;
    const char *unit;
    /* 0 for what there is not: */
    double rate; /* items per second, of the median */
    double ratio, share;
    double best_ratio, best_share; /* of the fastest samples */
    const char *ratio_of;
};

enum { ML_BENCH_ROUNDS = 256 };

struct ml_bench_sample {
    double wall, processor; /* s per item */
};

/* One contender of a race. */
struct ml_bench_case {
    const char *name;
    int size;
    const char *isa;
    int n_thread;
    const char *item;   /* what is counted: "member-step" */
    double items;       /* per unit of amount */
    bool is_wall;       /* timed by the wall clock whatever the number of threads */
    int64_t unit, most; /* the amount is a multiple of unit; at most `most`, 0: any */
    int baseline;       /* contender it is compared with, -1: none */
    bool is_peer;       /* the ratio says how much faster the baseline is, not this */
    double limit_items; /* items of contender `limit` that one item takes, 0: not of interest */
    int limit;          /* the ratio to it is the share of what is possible */
    void (*run)(void *context, int64_t amount);
    void *context;

    int64_t amount; /* of one sample, found by the race */
    int n_sample;
    struct ml_bench_sample samples[ML_BENCH_ROUNDS];
};

/* Reads the options and prints the head of the table. Ends the program on --help or a bad option.
 *   seconds  default of --seconds */
void ml_bench_open(struct ml_bench *bench, const char *name, double seconds, int argc, char **argv);

/* Runs the contenders in rounds for about `seconds` and prints a row each. */
void ml_bench_race(struct ml_bench *bench, struct ml_bench_case *cases, int n_case, double seconds);

void ml_bench_report(struct ml_bench *bench, const struct ml_bench_row *row);

/* A sentence for the terminal and the JSON file. */
void ml_bench_note(struct ml_bench *bench, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Notes that something is wrong, which ends the program with status 1. */
void ml_bench_wrong(struct ml_bench *bench, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes the JSON file and frees the bench; returns the exit status. */
int ml_bench_close(struct ml_bench *bench);

/* Sorts. */
double ml_bench_median(double *values, int n);

/* Time of the contender's i-th sample as it counts for itself, s per item. */
double ml_bench_time(const struct ml_bench_case *c, int i);

struct ml_bench_sample ml_bench_now(void); /* s */

/* Does nothing with what p points at, but the compiler cannot know. */
static inline void ml_bench_use(const void *p) { __asm__ volatile("" : : "g"(p) : "memory"); }

#endif
