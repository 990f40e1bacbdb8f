/* A program of somebody who uses the installed library: runs a study given as text. */
#include <manylink/manylink.h>
#include <stdio.h>

static const char text[] = "manylink: 1\n"
                           "system: {type: chain, segments: [{length: 1, mass: 1}]}\n"
                           "time: {step: 1e-3, end: 1}\n"
                           "sweep: [{set: initial.angle.1, from: -3, to: 3, count: 12}]\n";

int main(void)
{
    struct ml_error err = {0};
    struct ml_study *study;
    const struct ml_study_source source = {.size = sizeof source, .path = "text", .text = text};
    struct ml_run_report report = {.size = sizeof report};
    struct ml_run_options options = {.size = sizeof options, .output = "consumer.h5"};
    if (ml_study_load(&source, &study, &err) != ML_OK ||
        ml_run(study, &options, &report, &err) != ML_OK) {
        fputs(err.text ? err.text : "out of memory\n", stderr);
        return 1;
    }
    printf("%s: %lld of %lld runs finished\n", ML_VERSION, (long long)report.sound,
           (long long)ml_study_runs(study));
    ml_study_free(study);
    return 0;
}
