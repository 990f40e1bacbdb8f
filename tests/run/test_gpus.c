/* Threads for a GPU and their memory on the host stay within half of that which the process may
 * use. */
#include "run/gpus.h"

#include <string.h>

#include "check.h"
#include "manylink/study.h"
#include "plan/study.h"
#include "study.h"

/* Exponents of an hour have 3600000 / 50 = 72000 stops at least with 3 rows of 16 numbers
 * each: 27.6 MB of a batch. */
static const char text[] =
    "manylink: 1\n"
    "system: {type: chain, segments: [{length: 1, mass: 1}, {length: 1, mass: 1}]}\n"
    "time: {step: 1e-3, end: 3600}\n"
    "sweep: [{set: initial.angle.1, from: 0.1, to: 3, count: 1000000}]\n"
    "save: {summary: [end_state]}\n";
static const char *const exponents[] = {"analyse.lyapunov.exponents=2",
                                        "analyse.lyapunov.renormalise=0.05"};

static void half_is_the_most(const struct ml_ensemble *e, double memory, int n_thread)
{
    struct ml_run_gpus_room room = {0};
    CHECK_CASE("%g MB", memory / 1e6);
    CHECK(ml_run_gpus_find_room(e, 1, memory, &room, NULL) == ML_OK);
    CHECK(room.bytes <= memory / 2.0 && room.bytes > room.n_thread * room.queue_bytes);
    CHECK(n_thread == 0 || room.n_thread == n_thread);
    CHECK(room.n_thread >= 1 && room.group >= 16 && room.group <= e->block_runs);
}

int main(void)
{
    struct ml_study *study;
    struct ml_run_gpus_room room;
    struct ml_error err = {0};
    CHECK(ml_study_load(STUDY_TEXT("text", text), &study, NULL) == ML_OK);
    const struct ml_ensemble *e = &study->ensemble;
    half_is_the_most(e, 64e9, 128); /* as many as run side by side on a device */
    half_is_the_most(e, 4e6, 0);
    CHECK(ml_run_gpus_find_room(e, 1, 1e4, &room, &err) == ML_E_MEMORY);
    CHECK(strstr(err.text, "cannot use a GPU: a thread for it needs ") &&
          strstr(err.text,
                 " MB of the host's memory, and may take 0.005 MB: raise the memory limit"));
    ml_error_clear(&err);
    ml_study_free(study);

    CHECK(ml_study_load(STUDY_TEXT("text", text, STUDY_SET(exponents, 2)), &study, NULL) == ML_OK);
    e = &study->ensemble;
    half_is_the_most(e, 64e9, 0);
    half_is_the_most(e, 1e9, 0);
    CHECK(ml_run_gpus_find_room(e, 1, 1e9, &room, NULL) == ML_OK && room.n_thread < 10);
    CHECK(room.queue_bytes / (double)room.group * 16.0 > 72000 * 3 * 16 * 8);
    ml_study_free(study);
    return check_done();
}
