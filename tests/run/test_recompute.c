/* A result with a changed torque and a valid checksum: `verify` names the run of its motion. More
 * runs than a study has are all of them. */
#include "inverse/files.h"
#include "manylink/verify.h"
#include "store/seal.h"

enum { N_MOTION = 3, N_SEGMENT = 2 };

/* Motions of the runs 0, 2 and 4. */
static const char text[] =
    "manylink: 1\n"
    "system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 2}]}\n"
    "initial: {angle: {1: 2, 2: 1}}\n"
    "time: {step: 1e-2, end: 0.1}\n"
    "sweep: [{set: initial.angle.1, from: -3, to: 3, count: 5}]\n"
    "save: {trajectory: {every: 1, quantities: [angle, rate], runs: {every: 2}}}\n";

static void make_torques(void)
{
    char path[256];
    struct ml_error err = {0};
    struct ml_study *study = parse(text);
    const struct ml_run_options options = {
        .size = sizeof options, .output = in_folder("runs.h5", path), .n_thread = 1};
    if (ml_run(study, &options, NULL, &err))
        ref_stop("%s", err.text);
    ml_study_free(study);
    solve(text, path);
}

/* Another peak torque of a motion, by its row in the file, which is sealed again. */
static void change_torque(unsigned long long row)
{
    struct ml_h5 h5;
    struct ml_error err = {0};
    char path[256];
    double peak[N_MOTION * N_SEGMENT];
    const struct ml_extent extent = {.rank = 2, .size = {N_MOTION, N_SEGMENT}};
    ml_h5_begin(&h5, in_folder("inverse.h5", path), &err);
    hid_t file = ml_h5_check(&h5, H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), path);
    hid_t id = ml_h5_open_dataset(&h5, file, "/study/summary/peak_torque");
    hid_t seal = ml_h5_open_dataset(&h5, file, "/study/provenance/seal");
    const uint64_t at = H5Dget_offset(seal);
    ml_h5_read_range(&h5, id, &extent, H5T_NATIVE_DOUBLE, 0, N_MOTION * N_SEGMENT, peak);
    peak[N_SEGMENT * row] = nextafter(peak[N_SEGMENT * row], 0.0);
    ml_h5_write_range(&h5, id, &extent, H5T_NATIVE_DOUBLE, 0, N_MOTION * N_SEGMENT, peak);
    (void)H5Dclose(id);
    (void)H5Dclose(seal);
    ml_h5_close(&h5, file);
    if (ml_h5_end(&h5) || ml_seal_write(path, at, 0, NULL, &err))
        ref_stop("%s", err.text);
}

static void the_run_of_the_motion_is_named(void)
{
    char path[256];
    struct ml_error err = {0};
    struct ml_verify_report report = {.size = sizeof report};
    const struct ml_verify_options options = {.size = sizeof options,
                                              .path = in_folder("inverse.h5", path),
                                              .n_run = N_MOTION,
                                              .n_thread = 1};
    CHECK(ml_verify(&options, &report, &err) == ML_OK);
    change_torque(1);
    CHECK(ml_verify(&options, &report, &err) == ML_E_FILE);
    CHECK(report.runs_computed == N_MOTION && report.runs_differing == 1);
    CHECK(err.text && strstr(err.text, "run 2 computed again: peak_torque differs"));
    ml_error_clear(&err);
}

/* Lines of runs that start from each other are computed again as a whole. */
static const char lines[] =
    "manylink: 1\n"
    "system: {type: lorenz}\n"
    "initial: {x: 1, y: 1, z: 1}\n"
    "time: {step: 1e-2, end: 0.1}\n"
    "sweep: [{set: system.rho, from: 1, to: 30, count: 6, continue: forward}]\n";

static void the_largest_number_is_all_runs(void)
{
    char path[256];
    struct ml_error err = {0};
    struct ml_verify_report report = {.size = sizeof report};
    struct ml_study *study = parse(lines);
    const struct ml_run_options run = {
        .size = sizeof run, .output = in_folder("lines.h5", path), .n_thread = 1};
    const struct ml_verify_options options = {
        .size = sizeof options, .path = path, .n_run = INT64_MAX, .n_thread = 1};
    CHECK(ml_run(study, &run, NULL, &err) == ML_OK);
    CHECK(ml_verify(&options, &report, &err) == ML_OK);
    CHECK(report.runs_computed == 6);
    (void)fputs(err.text ? err.text : "", stderr);
    ml_error_clear(&err);
    ml_study_free(study);
}

int main(void)
{
    static const char *const files[] = {"runs.h5", "inverse.h5", "lines.h5", NULL};
    begin_folder();
    make_torques();
    the_run_of_the_motion_is_named();
    the_largest_number_is_all_runs();
    end_folder(files);
    return check_done();
}
