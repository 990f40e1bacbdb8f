#include "bench.h"

#include <getopt.h>
#include <jansson.h>
#include <math.h>
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

enum { TEXT_LENGTH = 256, RATE_LENGTH = 32 };

static void usage(const char *name, double seconds, FILE *to)
{
    (void)fprintf(to,
                  "usage: bench_%s [--smoke] [--seconds S] [--threads N] [-o FILE.json]\n"
                  "  --smoke      small and short: only whether it works\n"
                  "  --seconds S  time to take, about (%g)\n"
                  "  --threads N  most threads (%d)\n"
                  "  -o FILE      write the results as JSON\n",
                  name, seconds, omp_get_num_procs());
}

/* "model name : x" of /proc/cpuinfo. */
static void read_model(char out[TEXT_LENGTH])
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[TEXT_LENGTH];
    (void)snprintf(out, TEXT_LENGTH, "unknown");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            (void)snprintf(out, TEXT_LENGTH, "%s", colon + 2);
            out[strcspn(out, "\n")] = '\0';
            break;
        }
    }
    if (file)
        (void)fclose(file);
}

static void write_date(char out[TEXT_LENGTH])
{
    time_t now = time(NULL);
    struct tm parts;
    if (!gmtime_r(&now, &parts) || !strftime(out, TEXT_LENGTH, "%Y-%m-%d %H:%M UTC", &parts))
        out[0] = '\0';
}

void ml_bench_open(struct ml_bench *bench, const char *name, double seconds, int argc, char **argv)
{
    static const struct option options[] = {
        {"smoke", no_argument, NULL, 'k'},         {"seconds", required_argument, NULL, 's'},
        {"threads", required_argument, NULL, 't'}, {"output", required_argument, NULL, 'o'},
        {"help", no_argument, NULL, 'h'},          {0},
    };
    *bench = (struct ml_bench){
        .name = name,
        .seconds = seconds,
        .n_thread = omp_get_num_procs(),
        .rows = json_array(),
        .notes = json_array(),
    };
    for (int c; (c = getopt_long(argc, argv, "o:h", options, NULL)) != -1;)
        switch (c) {
        case 'k':
            bench->is_smoke = true;
            bench->seconds = 0.5;
            break;
        case 's':
            bench->seconds = strtod(optarg, NULL);
            break;
        case 't':
            bench->n_thread = (int)strtol(optarg, NULL, 10);
            break;
        case 'o':
            bench->output = optarg;
            break;
        default:
            usage(name, seconds, c == 'h' ? stdout : stderr);
            exit(c == 'h' ? 0 : 2);
        }
    if (optind != argc || !(bench->seconds > 0.0) || bench->n_thread < 1) {
        usage(name, seconds, stderr);
        exit(2);
    }
    printf("%-34s %5s %-8s %3s %10s %10s %-15s %11s %8s %8s %-26s %8s %8s\n", name, "size", "isa",
           "thr", "min", "median", "unit", "rate", "ratio", "best", "of", "share", "best");
}

struct ml_bench_sample ml_bench_now(void)
{
    struct timespec wall, processor;
    (void)clock_gettime(CLOCK_MONOTONIC, &wall);
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &processor);
    return (struct ml_bench_sample){(double)wall.tv_sec + 1e-9 * (double)wall.tv_nsec,
                                    (double)processor.tv_sec + 1e-9 * (double)processor.tv_nsec};
}

/* Runs `amount` of a contender; s, not yet per item. */
static struct ml_bench_sample take_sample(const struct ml_bench_case *c, int64_t amount)
{
    struct ml_bench_sample began = ml_bench_now();
    c->run(c->context, amount);
    struct ml_bench_sample ended = ml_bench_now();
    return (struct ml_bench_sample){ended.wall - began.wall, ended.processor - began.processor};
}

static bool counts_wall(const struct ml_bench_case *c) { return c->is_wall || c->n_thread > 1; }

/* Amount that takes about `seconds`, from samples that grow until they say something. */
static int64_t find_amount(const struct ml_bench_case *c, double seconds)
{
    const double telling = 0.2; /* of the time wanted */
    int64_t amount = c->unit;
    while (!c->most || amount < c->most) {
        struct ml_bench_sample sample = take_sample(c, amount);
        double took = counts_wall(c) ? sample.wall : sample.processor;
        double growth = took > 0.0 ? seconds / took : 8.0;
        if (growth < 1.0)
            return amount;
        int64_t next = (int64_t)((double)amount * fmin(growth, 8.0)) / c->unit * c->unit;
        if (c->most && next > c->most)
            next = c->most / c->unit * c->unit;
        if (next <= amount || took >= telling * seconds)
            return next > amount ? next : amount;
        amount = next;
    }
    return amount;
}

/* Several threads get that many times the work of the single thread: short samples of theirs say
 * little on a busy machine. */
static int64_t choose_amount(const struct ml_bench_case *cases, int i, double seconds)
{
    const struct ml_bench_case *c = &cases[i];
    if (c->n_thread == 1 || c->is_wall || c->baseline < 0 || c->baseline >= i)
        return find_amount(c, seconds);
    int64_t amount = cases[c->baseline].amount * c->n_thread / c->unit * c->unit;
    amount = c->most && amount > c->most ? c->most : amount;
    return amount > c->unit ? amount : c->unit;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double ml_bench_median(double *values, int n)
{
    if (n == 0)
        return (double)NAN;
    qsort(values, (size_t)n, sizeof *values, compare);
    return n % 2 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

double ml_bench_time(const struct ml_bench_case *c, int i)
{
    return counts_wall(c) ? c->samples[i].wall : c->samples[i].processor;
}

/* Whether each thread of a sample had a processor all the time. Says nothing of work that waits
 * for memory or a disk. */
static bool was_alone(const struct ml_bench_case *c, int i)
{
    const double enough = 0.95;
    return c->is_wall || c->samples[i].processor >= enough * c->n_thread * c->samples[i].wall;
}

/* How many times faster `a` does an item than `b`: median over the rounds. By the wall clock only
 * rounds count in which nobody else took their processors; *is_busy if there were too few. */
static double speed_ratio(const struct ml_bench_case *a, const struct ml_bench_case *b,
                          bool *is_busy)
{
    const int few = a->n_sample < 3 ? a->n_sample : 3;
    const bool by_wall = counts_wall(a) || counts_wall(b);
    double all[ML_BENCH_ROUNDS], alone[ML_BENCH_ROUNDS];
    int n = 0;
    for (int i = 0; i < a->n_sample; i++) {
        all[i] = by_wall ? b->samples[i].wall / a->samples[i].wall
                         : b->samples[i].processor / a->samples[i].processor;
        if (!by_wall || (was_alone(a, i) && was_alone(b, i)))
            alone[n++] = all[i];
    }
    *is_busy = n < few;
    return *is_busy ? ml_bench_median(all, a->n_sample) : ml_bench_median(alone, n);
}

/* The same of the fastest sample of each. */
static double best_ratio(const struct ml_bench_case *a, const struct ml_bench_case *b)
{
    const bool by_wall = counts_wall(a) || counts_wall(b);
    double least_a = (double)INFINITY, least_b = (double)INFINITY;
    for (int i = 0; i < a->n_sample; i++) {
        least_a = fmin(least_a, by_wall ? a->samples[i].wall : a->samples[i].processor);
        least_b = fmin(least_b, by_wall ? b->samples[i].wall : b->samples[i].processor);
    }
    return least_b / least_a;
}

static json_t *samples_to_json(const struct ml_bench_case *c)
{
    json_t *out = json_array();
    for (int i = 0; i < c->n_sample; i++)
        (void)json_array_append_new(
            out, json_pack("[f,f]", 1e9 * c->samples[i].wall, 1e9 * c->samples[i].processor));
    return out;
}

static void report_case(struct ml_bench *bench, const struct ml_bench_case *cases, int i)
{
    const struct ml_bench_case *c = &cases[i];
    double times[ML_BENCH_ROUNDS];
    char unit[TEXT_LENGTH], of[TEXT_LENGTH] = "";
    bool is_busy;
    for (int k = 0; k < c->n_sample; k++)
        times[k] = 1e9 * ml_bench_time(c, k);
    (void)snprintf(unit, sizeof unit, "ns/%s", c->item);
    struct ml_bench_row row = {
        .name = c->name,
        .size = c->size,
        .isa = c->isa,
        .n_thread = c->n_thread,
        .median = ml_bench_median(times, c->n_sample),
        .unit = unit,
        .ratio_of = of,
    };
    row.min = c->n_sample > 0 ? times[0] : (double)NAN; /* sorted by now */
    row.rate = 1e9 / row.median;
    if (c->baseline >= 0) {
        const struct ml_bench_case *b = &cases[c->baseline];
        row.ratio = c->is_peer ? speed_ratio(b, c, &is_busy) : speed_ratio(c, b, &is_busy);
        row.best_ratio = c->is_peer ? best_ratio(b, c) : best_ratio(c, b);
        (void)snprintf(of, sizeof of, c->is_peer ? "%s/this%s" : "this/%s%s", b->name,
                       is_busy ? " (busy)" : "");
    }
    if (c->limit_items > 0.0) {
        row.share = c->limit_items * speed_ratio(c, &cases[c->limit], &is_busy);
        row.best_share = c->limit_items * best_ratio(c, &cases[c->limit]);
    }
    ml_bench_report(bench, &row);
    json_t *last = json_array_get(bench->rows, json_array_size(bench->rows) - 1);
    (void)json_object_set_new(last, "samples_wall_processor", samples_to_json(c));
}

void ml_bench_race(struct ml_bench *bench, struct ml_bench_case *cases, int n_case, double seconds)
{
    int least_rounds = bench->is_smoke ? 2 : 7;
    const int few_rounds = 3; /* of samples that cannot be shorter */
    const double longest = 0.02, shortest = bench->is_smoke ? 1e-4 : 2e-3; /* s of a sample */
    double each = fmin(longest, fmax(shortest, 0.8 * seconds / n_case / 2.0 / least_rounds));
    double began = ml_bench_now().wall;
    for (int i = 0; i < n_case; i++) {
        cases[i].amount = choose_amount(cases, i, each);
        cases[i].n_sample = 0;
    }
    for (int round = 0; round < ML_BENCH_ROUNDS; round++) {
        if (round >= least_rounds && ml_bench_now().wall - began > seconds)
            break;
        double round_began = ml_bench_now().wall;
        for (int turn = 0; turn < n_case; turn++) {
            struct ml_bench_case *c = &cases[(turn + round) % n_case];
            struct ml_bench_sample sample = take_sample(c, c->amount);
            double items = c->items * (double)c->amount;
            c->samples[c->n_sample++] =
                (struct ml_bench_sample){sample.wall / items, sample.processor / items};
        }
        if (round == 0 && least_rounds * (ml_bench_now().wall - round_began) > seconds)
            least_rounds = least_rounds < few_rounds ? least_rounds : few_rounds;
    }
    for (int i = 0; i < n_case; i++)
        report_case(bench, cases, i);
}

static void put_real(json_t *object, const char *key, double value)
{
    if (isfinite(value))
        (void)json_object_set_new(object, key, json_real(value));
}

static void put_known(json_t *object, const char *key, double value)
{
    if (value > 0.0)
        put_real(object, key, value);
}

static void write_rate(char out[RATE_LENGTH], double rate)
{
    const char *prefix = rate >= 1e9 ? "G" : rate >= 1e6 ? "M" : rate >= 1e3 ? "k" : "";
    double scale = rate >= 1e9 ? 1e9 : rate >= 1e6 ? 1e6 : rate >= 1e3 ? 1e3 : 1.0;
    (void)snprintf(out, RATE_LENGTH, "%.4g %s/s", rate / scale, prefix);
}

static void write_known(char out[32], const char *format, double value)
{
    out[0] = '\0';
    if (value > 0.0)
        (void)snprintf(out, 32, format, value);
}

void ml_bench_report(struct ml_bench *bench, const struct ml_bench_row *row)
{
    char rate[RATE_LENGTH] = "", size[16] = "", ratio[32], best[32], share[32], best_share[32];
    if (row->size)
        (void)snprintf(size, sizeof size, "%d", row->size);
    if (row->rate > 0.0)
        write_rate(rate, row->rate);
    write_known(ratio, "%.3g", row->ratio);
    write_known(best, "%.3g", row->best_ratio);
    write_known(share, "%.3f", row->share);
    write_known(best_share, "%.3f", row->best_share);
    printf("%-34s %5s %-8s %3d %10.4g %10.4g %-15s %11s %8s %8s %-26s %8s %8s\n", row->name, size,
           row->isa, row->n_thread, row->min, row->median, row->unit, rate, ratio, best,
           row->ratio_of ? row->ratio_of : "", share, best_share);
    (void)fflush(stdout);

    json_t *out = json_pack("{s:s, s:i, s:s, s:i, s:s, s:s}", "name", row->name, "size", row->size,
                            "isa", row->isa, "threads", row->n_thread, "unit", row->unit,
                            "ratio_of", row->ratio_of ? row->ratio_of : "");
    put_real(out, "min", row->min);
    put_real(out, "median", row->median);
    put_known(out, "rate", row->rate);
    put_known(out, "ratio", row->ratio);
    put_known(out, "share", row->share);
    put_known(out, "best_ratio", row->best_ratio);
    put_known(out, "best_share", row->best_share);
    (void)json_array_append_new(bench->rows, out);
}

static void note(struct ml_bench *bench, const char *head, const char *format, va_list args)
{
    char text[2 * TEXT_LENGTH];
    int used = snprintf(text, sizeof text, "%s", head);
    (void)vsnprintf(text + used, sizeof text - (size_t)used, format, args);
    printf("# %s\n", text);
    (void)fflush(stdout);
    (void)json_array_append_new(bench->notes, json_string(text));
}

void ml_bench_note(struct ml_bench *bench, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note(bench, "", format, args);
    va_end(args);
}

void ml_bench_wrong(struct ml_bench *bench, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note(bench, "WRONG: ", format, args);
    va_end(args);
    bench->is_wrong = true;
}

int ml_bench_close(struct ml_bench *bench)
{
    char model[TEXT_LENGTH], date[TEXT_LENGTH];
    double load = (double)NAN;
    read_model(model);
    write_date(date);
    (void)getloadavg(&load, 1);
    json_t *out = json_pack("{s:s, s:s, s:{s:s, s:i}, s:s, s:b, s:f, s:o, s:o}", "bench",
                            bench->name, "date", date, "machine", "model", model, "cores",
                            omp_get_num_procs(), "compiler", COMPILER, "smoke", bench->is_smoke,
                            "seconds", bench->seconds, "rows", bench->rows, "notes", bench->notes);
    put_real(out, "load_average", load);
    printf("# %s, %d cores, load %.1f; %s; %s\n", model, omp_get_num_procs(), load, COMPILER, date);
    int status = bench->is_wrong ? 1 : 0;
    if (bench->output &&
        json_dump_file(out, bench->output, JSON_INDENT(1) | JSON_REAL_PRECISION(6))) {
        (void)fprintf(stderr, "bench_%s: cannot write %s\n", bench->name, bench->output);
        status = 1;
    }
    json_decref(out);
    return status;
}
