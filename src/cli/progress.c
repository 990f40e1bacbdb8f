#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "cli/command.h"

struct progress_line progress_begin(void)
{
    return (struct progress_line){.is_terminal = isatty(STDERR_FILENO) != 0};
}

void progress_show(void *context, const struct ml_run_progress *progress)
{
    const double often = 0.2, seldom = 15.0; /* s */
    struct progress_line *line = context;
    char rate[32], left[32];
    if (progress->seconds - line->last < (line->is_terminal ? often : seldom))
        return;
    line->last = progress->seconds;
    double done = (double)progress->runs_done / (double)progress->runs;
    double speed = (double)progress->member_steps / progress->seconds;
    fprintf(stderr, "%s%5.1f %%  %lld of %lld runs  %s steps/s  %s left%s",
            line->is_terminal ? "\r\033[K" : "", 100.0 * done, (long long)progress->runs_done,
            (long long)progress->runs, format_count(speed, rate),
            done > 0.0 ? format_duration(progress->seconds * (1.0 / done - 1.0), left) : "?",
            line->is_terminal ? "" : "\n");
    (void)fflush(stderr);
}

void progress_end(struct progress_line *line)
{
    if (line->is_terminal && line->last > 0.0)
        fputs("\r\033[K", stderr);
}
