/* Shows how far a run or an inverse computation is: in place on a terminal, with a map if that is
 * asked for, else line by line. */
#include "cli/progress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/messages.h"
#include "manylink/text.h"

enum { COLUMNS = 80, ROWS = 24, TEXT = 240 };

void progress_begin(struct progress_line *line, const struct ml_study *study, const char *items,
                    const char *steps, bool watch)
{
    struct winsize size = {0};
    *line = (struct progress_line){
        .items = items, .steps = steps, .is_terminal = isatty(STDERR_FILENO) != 0};
    (void)pthread_mutex_init(&line->lock, NULL);
    const bool is_known =
        line->is_terminal && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    line->columns = is_known ? size.ws_col : COLUMNS;
    line->watch = watch && line->is_terminal ? malloc(sizeof *line->watch) : NULL;
    if (line->watch)
        watch_begin(line->watch, study, line->columns, is_known ? size.ws_row : ROWS);
}

void progress_free(struct progress_line *line)
{
    free(line->watch);
    (void)pthread_mutex_destroy(&line->lock);
}

/* Appends to a text as much as fits. */
static void progress_add(char text[TEXT], const char *what, const char *more)
{
    const size_t length = strlen(text);
    (void)snprintf(text + length, TEXT - length, "%s%s", what, more);
}

/* Runs by outcome, but for those that finished. */
static void progress_add_outcomes(const struct progress_line *line, char text[TEXT])
{
    char count[32];
    for (int i = 1; ml_outcome_name(i); i++) {
        if (line->outcomes[i] == 0)
            continue;
        (void)snprintf(count, sizeof count, "  %lld ", (long long)line->outcomes[i]);
        progress_add(text, count, ml_outcome_name(i));
    }
}

/* A phase beside that of the runs, and how many of its own are done if they are counted. */
static void progress_describe_phase(const struct ml_run_progress *progress, char text[TEXT])
{
    static const char *const names[] = {[ML_PHASE_KERNEL] = "compiling a kernel",
                                        [ML_PHASE_ACCURACY] = "step error",
                                        [ML_PHASE_STATISTICS] = "statistics"};
    (void)snprintf(text, TEXT, "%s", names[progress->phase]);
    if (progress->runs > 0)
        (void)snprintf(text, TEXT, "%s  %lld of %lld runs again", names[progress->phase],
                       (long long)progress->runs_done, (long long)progress->runs);
}

static void progress_describe_runs(const struct progress_line *line,
                                   const struct ml_run_progress *progress, char text[TEXT])
{
    const double kilobyte = 1024.0;
    char rate[32], left[32], memory[32];
    struct rusage usage = {0};
    const double done = (double)progress->runs_done / (double)progress->runs;
    const double speed = (double)progress->member_steps / progress->seconds;
    (void)snprintf(text, TEXT, "%5.1f %%  %lld of %lld %s  %s %s/s  %s left", 100.0 * done,
                   (long long)progress->runs_done, (long long)progress->runs, line->items,
                   format_count(speed, rate), line->steps,
                   done > 0.0 ? ml_duration_print(progress->seconds * (1.0 / done - 1.0), left)
                              : "?");
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        progress_add(text, "  ", format_bytes(kilobyte * (double)usage.ru_maxrss, memory));
    progress_add_outcomes(line, text);
}

/* A phase that begins is shown where the one before was long enough, or on a terminal waits. */
static bool progress_is_due(struct progress_line *line, const struct ml_run_progress *progress)
{
    const double often = 0.2, seldom = 15.0; /* s */
    const bool is_new = progress->phase != line->phase;
    if (is_new)
        line->last = 0.0;
    line->phase = progress->phase;
    return progress->seconds - line->last >= (line->is_terminal ? often : seldom) ||
           (is_new && (line->is_long || (line->is_terminal && progress->phase == ML_PHASE_KERNEL)));
}

/* Puts the cursor where the map begins, and prints it. */
static void progress_print_map(struct progress_line *line)
{
    if (line->lines > 0)
        (void)fprintf(stderr, "\r\033[%dA", line->lines);
    line->lines = watch_print(line->watch, stderr);
    line->is_new = false;
}

void progress_show(void *context, const struct ml_run_progress *progress)
{
    struct progress_line *line = context;
    char text[TEXT];
    if (!progress_is_due(line, progress))
        return;
    (void)pthread_mutex_lock(&line->lock);
    line->last = progress->seconds;
    line->is_long = true;
    if (progress->phase == ML_PHASE_RUNS)
        progress_describe_runs(line, progress, text);
    else
        progress_describe_phase(progress, text);
    if (line->watch && progress->phase == ML_PHASE_RUNS) {
        (void)fputs("\r\033[K", stderr);
        progress_print_map(line);
    }
    if (line->is_terminal) /* a longer one would take two lines */
        fprintf(stderr, "\r\033[K%.*s", line->columns - 1, text);
    else
        fprintf(stderr, "%s\n", text);
    (void)fflush(stderr);
    (void)pthread_mutex_unlock(&line->lock);
}

void progress_observe(void *context, const struct ml_run_block *block)
{
    struct progress_line *line = context;
    (void)pthread_mutex_lock(&line->lock);
    for (int64_t i = 0; i < block->n_run; i++)
        line->outcomes[block->outcome[i]]++;
    if (line->watch)
        watch_add(line->watch, block);
    line->is_new = true;
    (void)pthread_mutex_unlock(&line->lock);
}

void progress_end(struct progress_line *line)
{
    (void)pthread_mutex_lock(&line->lock);
    if (line->is_terminal && line->is_long)
        fputs("\r\033[K", stderr);
    if (line->watch && line->is_new)
        progress_print_map(line);
    line->lines = 0;
    (void)pthread_mutex_unlock(&line->lock);
}

void progress_notice(void *context, const char *text)
{
    progress_end(context);
    print_notice(text);
}

void progress_find(void *context, const char *text)
{
    struct progress_line *line = context;
    const size_t used = strlen(line->findings);
    (void)snprintf(line->findings + used, sizeof line->findings - used, "%s\n", text);
}

void progress_print_findings(const struct progress_line *line)
{
    char text[sizeof line->findings];
    (void)fflush(stdout); /* comes first */
    for (const char *at = line->findings; *at;) {
        const size_t length = strcspn(at, "\n");
        (void)snprintf(text, sizeof text, "%.*s", (int)length, at);
        print_notice(text);
        at += length + (at[length] == '\n');
    }
}
