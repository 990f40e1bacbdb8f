/* Reading an open result: parts of arrays, texts, and what is refused. */
#include "manylink/result.h"

#include <string.h>
#include <unistd.h>

#include "check.h"
#include "manylink/run.h"
#include "study.h"

static const char text[] =
    "manylink: 1\n"
    "title: Three runs\n"
    "system: {type: chain, segments: [{name: upper, length: 1, mass: 1}, {name: lower, length: 1, "
    "mass: 1}]}\n"
    "time: {step: 1e-2, end: 1}\n"
    "sweep: [{set: initial.angle.upper, values: [0.5, 1, 2]}]\n"
    "save: {trajectory: {every: 10}}\n";

static struct ml_result *make_result(void)
{
    struct ml_study *study;
    struct ml_result *result;
    const struct ml_run_options options = {.size = sizeof options, .n_thread = 1};
    CHECK(ml_study_load(STUDY_TEXT("text", text), &study, NULL) == ML_OK);
    CHECK(ml_run_memory(study, &options, &result, NULL, NULL) == ML_OK);
    ml_study_free(study);
    return result;
}

static void parts_are_cut_from_the_whole(struct ml_result *r)
{
    static double all[3][2][11], part[2][1][4];
    const int64_t start[] = {1, 1, 3}, count[] = {2, 1, 4};
    int64_t steps[3];
    CHECK(ml_result_read(r, "trajectories/angle", NULL, NULL, &all[0][0][0], 66, NULL) == ML_OK);
    CHECK(ml_result_read(r, "trajectories/angle", start, count, &part[0][0][0], 8, NULL) == ML_OK);
    for (int i = 0; i < 2; i++)
        CHECK(memcmp((void *)part[i][0], (void *)&all[1 + i][1][3], sizeof part[i][0]) == 0);
    CHECK(all[2][0][0] == 2.0 && all[0][0][0] == 0.5);
    CHECK(ml_result_read_int64(r, "/study/runs/steps", NULL, NULL, steps, 3, NULL) == ML_OK);
    CHECK(steps[0] == 100 && steps[2] == 100);
}

/* Against the whole array, element by element. */
static void slices_are_every_so_many(struct ml_result *r)
{
    static double all[3][2][11], part[2][1][3], rest[2][2][4];
    const int64_t start[] = {0, 1, 2}, count[] = {2, 1, 3}, stride[] = {2, 5, 4};
    const int64_t from[] = {1, 0, 0}, step[] = {1, 1, 3};
    CHECK(ml_result_read(r, "trajectories/angle", NULL, NULL, &all[0][0][0], 66, NULL) == ML_OK);
    CHECK(ml_result_read_slice(r, "trajectories/angle", start, count, stride, &part[0][0][0], 6,
                               NULL) == ML_OK);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
            CHECK(part[i][0][k] == all[2 * i][1][2 + 4 * k]);
    CHECK(ml_result_read_slice(r, "trajectories/angle", from, NULL, step, &rest[0][0][0], 16,
                               NULL) == ML_OK);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 4; k++)
                CHECK(rest[i][j][k] == all[1 + i][j][3 * k]);
}

static void attributes_are_read(struct ml_result *r)
{
    struct ml_error err = {0};
    const char *out;
    CHECK(ml_result_attribute(r, "summary/end_angle", "units", 0, &out, NULL) == ML_OK);
    CHECK(out && strcmp(out, "rad") == 0);
    CHECK(ml_result_attribute(r, "summary", "outputs", 0, &out, NULL) == ML_OK && out);
    CHECK(ml_result_attribute(r, "summary", "outputs", 99, &out, NULL) == ML_OK && !out);
    CHECK(ml_result_attribute(r, "summary", "output", 0, &out, NULL) == ML_OK && !out);
    CHECK(ml_result_attribute(r, "runs/outcome", "flag_values", 1, &out, NULL) == ML_OK);
    CHECK(out && strcmp(out, "1") == 0);
    CHECK(ml_result_attribute(r, "runs/outcome", "flag_values", 99, &out, NULL) == ML_OK && !out);
    CHECK(ml_result_attribute(r, "", "NX_class", 0, &out, NULL) == ML_OK);
    CHECK(out && strcmp(out, "NXentry") == 0);
    CHECK(ml_result_attribute(r, "summery", "outputs", 0, &out, &err) == ML_E_INPUT && !out);
    ml_error_clear(&err);
}

static void texts_are_read_one_by_one(struct ml_result *r)
{
    const char *out, *again;
    CHECK(ml_result_text(r, "title", 0, &out, NULL) == ML_OK && strcmp(out, "Three runs") == 0);
    CHECK(ml_result_text(r, "definition", 0, &out, NULL) == ML_OK && strcmp(out, text) == 0);
    CHECK(ml_result_text(r, "summary/segment", 1, &out, NULL) == ML_OK &&
          strcmp(out, "lower") == 0);
    CHECK(ml_result_text(r, "summary/segment", 1, &again, NULL) == ML_OK && again == out);
    CHECK(ml_result_text(r, "provenance/version", 0, &out, NULL) == ML_OK && *out);
}

static void fails(enum ml_status status, struct ml_error *err, const char *part)
{
    CHECK_CASE("%s", part);
    CHECK(status == ML_E_INPUT && err->text && strstr(err->text, part));
    (void)fputs(err->text && !strstr(err->text, part) ? err->text : "", stderr);
    ml_error_clear(err);
}

static void what_is_not_there_is_refused(struct ml_result *r)
{
    struct ml_error err = {0};
    double values[3];
    int64_t whole[3];
    const char *out;
    const int64_t far[] = {3}, negative[] = {-1}, none[] = {0}, largest[] = {INT64_MAX};
    struct ml_array_info info = {.size = sizeof info};
    fails(ml_result_read(r, "summary/end_angel", NULL, NULL, values, 3, &err), &err,
          "the nearest is `summary/end_angle`");
    fails(ml_result_read(r, "runs/steps", NULL, NULL, values, 2, &err), &err, "has 3 numbers");
    fails(ml_result_read(r, "runs/steps", far, NULL, values, 3, &err), &err, "dimension 0");
    fails(ml_result_read(r, "runs/steps", negative, NULL, values, 3, &err), &err, "dimension 0");
    fails(ml_result_read(r, "runs/steps", NULL, none, values, 0, &err), &err, "dimension 0");
    fails(ml_result_read(r, "runs/steps", NULL, largest, values, 3, &err), &err, "dimension 0");
    fails(ml_result_read_slice(r, "runs/steps", NULL, NULL, none, values, 3, &err), &err,
          "steps of 0");
    const int64_t two[] = {2}, one[] = {1};
    fails(ml_result_read_slice(r, "runs/steps", one, two, two, values, 2, &err), &err,
          "not 2 from 1 on in steps of 2");
    fails(ml_result_read_slice(r, "runs/steps", NULL, NULL, largest, values, 3, &err), &err,
          "has 1 numbers there");
    fails(ml_result_read(r, "title", NULL, NULL, values, 1, &err), &err, "texts, not numbers");
    fails(ml_result_read_int64(r, "runs/end_time", NULL, NULL, whole, 3, &err), &err,
          "fractions, not integers");
    fails(ml_result_text(r, "runs/steps", 0, &out, &err), &err, "no text 0");
    CHECK(!out);
    fails(ml_result_text(r, "summary/segment", 2, &out, &err), &err, "no text 2");
    fails(ml_result_text(r, "summary", 0, &out, &err), &err, "no dataset `summary`");
    CHECK(!ml_result_find(r, "summary", &info) && !ml_result_dataset(r, -1, &info));
    CHECK(ml_result_read(r, "runs/steps", NULL, NULL, values, 3, &err) == ML_OK && !err.text);
}

static void what_is_no_result_is_refused(void)
{
    struct ml_error err = {0};
    struct ml_result *result;
    CHECK_CASE("no result");
    CHECK(ml_result_open("not/there.h5", &result, &err) == ML_E_INPUT && !result);
    CHECK(err.text && strstr(err.text, "not/there.h5"));
    ml_error_clear(&err);
    CHECK(ml_result_open(ML_SOURCE_DIR "/CMakeLists.txt", &result, &err) == ML_E_INPUT && !result);
    ml_error_clear(&err);
    ml_result_free(NULL);
}

static void one_file_can_be_open_twice(void)
{
    struct ml_study *study;
    struct ml_result *a, *b;
    double steps[3] = {0};
    const char *out;
    const struct ml_run_options options = {
        .size = sizeof options, .output = "opened.h5", .restart = 1, .n_thread = 1};
    CHECK_CASE("twice");
    CHECK(ml_study_load(STUDY_TEXT("text", text), &study, NULL) == ML_OK);
    CHECK(ml_run(study, &options, NULL, NULL) == ML_OK);
    CHECK(ml_result_open("opened.h5", &a, NULL) == ML_OK);
    CHECK(ml_result_open("opened.h5", &b, NULL) == ML_OK);
    ml_result_free(a);
    CHECK(ml_result_read(b, "runs/steps", NULL, NULL, steps, 3, NULL) == ML_OK);
    CHECK(ml_result_text(b, "title", 0, &out, NULL) == ML_OK && steps[2] == 100.0);
    CHECK(ml_run(study, &options, NULL, NULL) == ML_OK); /* in its place */
    CHECK(ml_result_read(b, "runs/steps", NULL, NULL, steps, 3, NULL) == ML_OK);
    ml_result_free(b);
    ml_study_free(study);
    (void)unlink("opened.h5");
}

int main(void)
{
    struct ml_result *r = make_result();
    if (r) {
        parts_are_cut_from_the_whole(r);
        slices_are_every_so_many(r);
        attributes_are_read(r);
        texts_are_read_one_by_one(r);
        what_is_not_there_is_refused(r);
    }
    ml_result_free(r);
    one_file_can_be_open_twice();
    what_is_no_result_is_refused();
    return check_done();
}
