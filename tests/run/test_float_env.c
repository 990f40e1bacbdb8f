/* A program that rounds otherwise, flushes subnormal numbers to zero or traps gets the same bits,
 * and keeps its environment. */
#include <fenv.h>
#include <hdf5.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#if defined __x86_64__
#include <xmmintrin.h>
#endif

#include "check.h"
#include "manylink/run.h"
#include "study.h"

enum { N_RUN = 64 };

/* The first runs diverge and overflow; the last start below the smallest normal number. */
static const char text[] =
    "manylink: 1\n"
    "system: {type: chain, gravity: 9.81, segments: [{length: 1, mass: 1}, {length: 0.5, mass: "
    "2}]}\n"
    "initial: {rate: {1: 1.1e-310}}\n"
    "time: {step: 0.25, end: 25}\n"
    "sweep: [{set: initial.rate.2, from: 1e15, to: 1e-310, count: 64, scale: log}]\n";

struct numbers {
    double angle[N_RUN * 2];
    char resolved[8192];
};

static enum ml_status run(struct numbers *out, const char *path)
{
    struct ml_error err = {0};
    struct ml_study *study;
    struct ml_run_report report = {.size = sizeof report};
    struct ml_run_options options = {
        .size = sizeof options, .output = path, .n_thread = 2, .restart = 1};
    enum ml_status status = ml_study_load(STUDY_TEXT("text", text), &study, &err);
    if (status == ML_OK) {
        (void)snprintf(out->resolved, sizeof out->resolved, "%s", ml_study_resolved(study));
        status = ml_run(study, &options, &report, &err);
    }
    if (status != ML_OK)
        (void)fputs(err.text, stderr);
    ml_study_free(study);
    ml_error_clear(&err);
    return status;
}

static void read_back(struct numbers *out, const char *path)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t data = H5Dopen2(file, "/study/summary/end_angle", H5P_DEFAULT);
    memset(out->angle, 0xA5, sizeof out->angle);
    CHECK(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out->angle) >= 0);
    (void)H5Dclose(data);
    (void)H5Fclose(file);
    (void)unlink(path);
}

#if defined __x86_64__
enum { FLUSH = 0x8040, NO_TRAP = 0x0e80 }; /* FTZ and DAZ; invalid, division, overflow masked */
#endif

enum mode { UPWARD, DOWNWARD, FLUSHED, TRAPPING, N_MODE };

static void set(enum mode mode)
{
    (void)fesetenv(FE_DFL_ENV);
    if (mode == UPWARD || mode == DOWNWARD)
        (void)fesetround(mode == UPWARD ? FE_UPWARD : FE_DOWNWARD);
#if defined __x86_64__
    if (mode == FLUSHED)
        _mm_setcsr(_mm_getcsr() | FLUSH);
    if (mode == TRAPPING)
        _mm_setcsr(_mm_getcsr() & ~(unsigned)NO_TRAP);
#endif
}

/* Rounding, flushing and traps of this thread. */
static unsigned environment(void)
{
#if defined __x86_64__
    return _mm_getcsr() & ~0x3fU;
#else
    return (unsigned)fegetround();
#endif
}

/* In the threads of a team that is there before the library is called, too. */
static void bits_are_the_same(enum mode mode, const struct numbers *expected)
{
    static struct numbers found;
    int n_other = 0;
    CHECK_CASE("mode %d", (int)mode);
#pragma omp parallel num_threads(2)
    set(mode);
    const unsigned before = environment();
    const enum ml_status status = run(&found, "float_env.h5");
#pragma omp parallel num_threads(2) reduction(+ : n_other)
    {
        n_other += environment() != before;
        (void)fesetenv(FE_DFL_ENV);
    }
    CHECK(n_other == 0);
    CHECK(status == ML_OK);
    read_back(&found, "float_env.h5");
    CHECK(strcmp(found.resolved, expected->resolved) == 0);
    CHECK(memcmp(found.angle, expected->angle, sizeof found.angle) == 0);
}

int main(void)
{
    static struct numbers expected;
    CHECK(run(&expected, "float_env.h5") == ML_OK);
    read_back(&expected, "float_env.h5");
    for (int mode = 0; mode < N_MODE; mode++)
        bits_are_the_same((enum mode)mode, &expected);
    return check_done();
}
