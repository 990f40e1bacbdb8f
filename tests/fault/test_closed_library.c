/* A program that has closed its standard streams: no file of the library takes their location,
 * where whatever is printed would be written into it. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "manylink/run.h"
#include "manylink/verify.h"
#include "study.h"

static char folder[] = "/tmp/manylink-test-closed-XXXXXX";

/* Long enough for several looks on a fast processor. */
static const char text[] = "manylink: 1\n"
                           "system: {type: chain, segments: [{length: 1, mass: 1}]}\n"
                           "time: {step: 1e-2, end: 100}\n"
                           "sweep: [{set: initial.angle.1, from: -3, to: 3, count: 20000}]\n"
                           "save: {trajectory: {every: 1000}}\n";

/* How often a standard descriptor was seen to hold a file, and how often was looked. */
struct observed {
    int files, looks;
    struct stat nothing; /* of /dev/null, which may keep the place of a closed stream */
};

static void measure_state(void *context, const struct ml_run_progress *progress)
{
    struct observed *observed = context;
    (void)progress;
    observed->looks++;
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++) {
        struct stat about;
        observed->files += fstat(file, &about) == 0 && (about.st_dev != observed->nothing.st_dev ||
                                                        about.st_ino != observed->nothing.st_ino);
    }
}

/* `result` of the study, with all three streams closed. */
static enum ml_status run_closed(struct observed *observed, struct ml_run_report *report,
                                 struct ml_error *err)
{
    struct ml_study *study;
    const struct ml_run_options options = {.size = sizeof options,
                                           .output = "result.h5",
                                           .n_thread = 1,
                                           .progress = measure_state,
                                           .context = observed};
    enum ml_status status = ml_study_load(STUDY_FILE("study.yaml"), &study, err);
    if (status != ML_OK)
        return status;
    status = ml_run(study, &options, report, err);
    ml_study_free(study);
    return status;
}

static void no_file_takes_the_place_of_a_closed_stream(void)
{
    struct ml_run_report report = {.size = sizeof report};
    struct ml_error err = {0};
    struct observed observed = {0};
    const int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
    FILE *file = fopen("study.yaml", "w");
    if (stat("/dev/null", &observed.nothing) != 0)
        exit(1);
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        exit(1);
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        (void)close(i);
    const enum ml_status status = run_closed(&observed, &report, &err);
    (void)dup2(kept, STDERR_FILENO);
    CHECK(status == ML_OK);
    if (err.text)
        (void)fputs(err.text, stderr);
    CHECK(observed.looks > 1);
    CHECK(observed.files == 0);
    struct ml_verify_report verified = {.size = sizeof verified};
    CHECK(ml_verify(&(struct ml_verify_options){.size = sizeof(struct ml_verify_options),
                                                .path = "result.h5",
                                                .n_run = 10,
                                                .n_thread = 1},
                    &verified, &err) == ML_OK);
    ml_error_clear(&err);
    (void)close(kept);
}

int main(void)
{
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    no_file_takes_the_place_of_a_closed_stream();
    (void)unlink("study.yaml");
    (void)unlink("result.h5");
    (void)rmdir(folder);
    return check_done();
}
