/* Runs into memory and into a function give what the file has, as HDF5 itself reads it. */
#include <hdf5.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "manylink/run.h"
#include "study.h"

static const char file_path[] = "memory.h5";

/* A grid whose last runs diverge, with maps, curves and trajectories; a sample; one run. */
static const char grid[] =
    "manylink: 1\n"
    "title: A grid\n"
    "system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 1, mass: "
    "1}]}\n"
    "time: {step: 1e-2, end: 2}\n"
    "sweep:\n"
    "  - {set: initial.rate.a, values: [0, 1, 2, 3, 1e15]}\n"
    "  - {name: both, set: [initial.angle.a, initial.angle.b], from: 0.1, to: 3, count: 41}\n"
    "analyse: {lyapunov: {}}\n"
    "save: {trajectory: {every: 20, runs: {every: 7}}}\n";
static const char sample[] =
    "manylink: 1\n"
    "system: {type: lorenz}\n"
    "initial: {x: 1, y: 1, z: 1}\n"
    "time: {step: 1e-2, end: 2}\n"
    "sample: {method: random, count: 300, seed: 3, over: [{set: system.rho, "
    "from: 1, to: 30}]}\n";
static const char single[] = "manylink: 1\n"
                             "system: {type: lorenz}\n"
                             "initial: {x: 1, y: 1, z: 1}\n"
                             "time: {step: 1e-2, end: 1}\n"
                             "save: {trajectory: {every: 1}}\n";

static struct ml_study *read_study(const char *text)
{
    struct ml_error err = {0};
    struct ml_study *study;
    CHECK(ml_study_load(STUDY_TEXT("text", text), &study, &err) == ML_OK);
    (void)fputs(err.text ? err.text : "", stderr);
    ml_error_clear(&err);
    return study;
}

/* Runs in a file that is read by HDF5's own functions below. */
static void run_to_file(const struct ml_study *study, struct ml_run_report *report)
{
    struct ml_error err = {0};
    const struct ml_run_options options = {
        .size = sizeof options, .output = file_path, .n_thread = 2, .restart = 1};
    CHECK(ml_run(study, &options, report, &err) == ML_OK);
    (void)fputs(err.text ? err.text : "", stderr);
    ml_error_clear(&err);
}

static size_t numbers(const struct ml_array_info *info)
{
    size_t n = 1;
    for (int k = 0; k < info->rank; k++)
        n *= (size_t)info->shape[k];
    return n;
}

/* Every number of a dataset is that of the file. */
static void numbers_are_equal(struct ml_result *result, hid_t study,
                              const struct ml_array_info *info)
{
    const size_t n = numbers(info);
    double *found = calloc(n, sizeof *found), *expected = calloc(n, sizeof *expected);
    struct ml_error err = {0};
    const hid_t data = H5Dopen2(study, info->name, H5P_DEFAULT);
    CHECK((size_t)H5Dget_storage_size(data) > 0);
    CHECK(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, expected) >= 0);
    CHECK(ml_result_read(result, info->name, NULL, NULL, found, n, &err) == ML_OK);
    CHECK(memcmp((void *)found, (void *)expected, n * sizeof *found) == 0);
    (void)H5Dclose(data);
    ml_error_clear(&err);
    free(found);
    free(expected);
}

static void is_described_alike(const struct ml_array_info *a, const struct ml_array_info *b)
{
    CHECK(strcmp(a->unit, b->unit) == 0 && strcmp(a->description, b->description) == 0);
    CHECK(a->type == b->type && a->rank == b->rank);
    for (int k = 0; k < a->rank && k < b->rank; k++)
        CHECK(a->shape[k] == b->shape[k] && strcmp(a->dim[k], b->dim[k]) == 0);
}

/* Links of a group that are datasets which are there for more than viewers. */
static int count_datasets(hid_t study, const char *group)
{
    const hid_t id = H5Gopen2(study, group, H5P_DEFAULT);
    H5G_info_t about = {0};
    int n = 0;
    (void)H5Gget_info(id, &about);
    for (hsize_t i = 0; i < about.nlinks; i++) {
        char name[256];
        (void)H5Lget_name_by_idx(id, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name,
                                 H5P_DEFAULT);
        n += strcmp(name, "plots") != 0 && strcmp(name, "checksums") != 0 &&
             strncmp(name, "end_angle_wrapped", 17) != 0 &&
             (strcmp(group, "summary") != 0 || strcmp(name, "outcome") != 0);
    }
    (void)H5Gclose(id);
    return n;
}

static void memory_has_what_the_file_has(const char *name, const char *text)
{
    CHECK_CASE("%s", name);
    struct ml_study *study = read_study(text);
    struct ml_outcome_count counts[2][ML_N_OUTCOME];
    struct ml_run_report of_file = {.size = sizeof of_file, ML_N_OUTCOME, counts[0]},
                         report = {.size = sizeof report, ML_N_OUTCOME, counts[1]};
    const struct ml_run_options options = {.size = sizeof options, .n_thread = 2};
    struct ml_error err = {0};
    struct ml_result *memory, *opened;
    run_to_file(study, &of_file);
    CHECK(ml_run_memory(study, &options, &memory, &report, &err) == ML_OK);
    ml_study_free(study); /* the result does not need it */
    CHECK(ml_result_open(file_path, &opened, &err) == ML_OK);
    for (int i = 0; i < ML_N_OUTCOME; i++)
        CHECK(counts[0][i].runs == counts[1][i].runs &&
              counts[0][i].first_run == counts[1][i].first_run);
    CHECK(report.runs == of_file.runs && report.sound == of_file.sound &&
          report.member_steps == of_file.member_steps);
    /* HDF5 opens no file twice in different ways */
    CHECK(system("cp memory.h5 copy.h5") == 0);
    const hid_t file = H5Fopen("copy.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t group = H5Gopen2(file, "/study", H5P_DEFAULT);
    struct ml_array_info a = {.size = sizeof a}, b = {.size = sizeof b};
    int n = 0, n_runs = 0, n_summary = 0;
    for (; ml_result_dataset(memory, n, &a); n++) {
        CHECK_CASE("%s: %s", name, a.name);
        CHECK(ml_result_dataset(opened, n, &b) && strcmp(a.name, b.name) == 0);
        is_described_alike(&a, &b);
        if (a.type != ML_ARRAY_TEXT)
            numbers_are_equal(memory, group, &a);
        if (b.type != ML_ARRAY_TEXT)
            numbers_are_equal(opened, group, &b);
        n_runs += strncmp(a.name, "runs/", 5) == 0;
        n_summary += strncmp(a.name, "summary/", 8) == 0;
    }
    CHECK_CASE("%s", name);
    CHECK(!ml_result_dataset(opened, n, &b));
    CHECK(n_runs == count_datasets(group, "runs"));
    CHECK(n_summary == count_datasets(group, "summary"));
    (void)H5Gclose(group);
    (void)H5Fclose(file);
    (void)unlink("copy.h5");
    (void)unlink(file_path);
    ml_result_free(memory);
    ml_result_free(opened);
    ml_error_clear(&err);
}

/* The views of a file are those that follow from the dimensions of the same result in memory, as
 * far as these say. */
static void views_follow_from_dimensions(const char *name, const char *text)
{
    const struct ml_run_options options = {.size = sizeof options};
    struct ml_study *study = read_study(text);
    struct ml_run_report report = {.size = sizeof report};
    struct ml_view view = {.size = sizeof view}, other = {.size = sizeof other};
    struct ml_result *memory, *opened;
    int n = 0;
    run_to_file(study, &report);
    CHECK(ml_run_memory(study, &options, &memory, NULL, NULL) == ML_OK);
    CHECK(ml_result_open(file_path, &opened, NULL) == ML_OK);
    for (; ml_result_view(opened, n, &view); n++) {
        CHECK_CASE("%s: view %d of %s", name, n, view.dataset);
        CHECK(view.rank == n && ml_result_view_of(opened, view.dataset, &other));
        CHECK(other.rank >= 0 && other.rank <= n);
        if (other.rank < n || !ml_result_view_of(memory, view.dataset, &other))
            continue; /* another of the dataset, or one for viewers only */
        CHECK(other.rank < 0 && other.style == view.style && other.n_dim == view.n_dim);
        for (int k = 0; k < view.n_dim; k++)
            CHECK(other.dims[k] == view.dims[k]);
    }
    CHECK_CASE("%s", name);
    CHECK(n > 0 && !ml_result_view(memory, 0, &view));
    CHECK(!ml_result_view_of(opened, "title", &view) && !ml_result_view_of(opened, "none", &view));
    (void)unlink(file_path);
    ml_result_free(memory);
    ml_result_free(opened);
    ml_study_free(study);
}

/* What comes in blocks, put together. */
struct collected {
    double *energy, *angle; /* [n_run], [n_saved][2][11] */
    int8_t *outcome;
    int64_t n_run, n_saved;
    int stop_after; /* blocks; 0: never */
};

static int collect(void *context, const struct ml_run_block *block)
{
    struct collected *c = context;
    for (int64_t i = 0; i < block->n_run; i++) {
        c->energy[block->first + i] = block->outputs[0][i];
        c->outcome[block->first + i] = block->outcome[i];
    }
    for (int64_t i = 0; i < block->n_saved; i++) {
        const int64_t run = block->first_saved + i * block->every_saved;
        CHECK(run % 7 == 0 && run >= block->first && run < block->first + block->n_run);
        memcpy(c->angle + run / 7 * 22, block->records[0] + i * 22, 22 * sizeof *c->angle);
    }
    c->n_run += block->n_run;
    c->n_saved += block->n_saved;
    return c->stop_after > 0 && --c->stop_after == 0;
}

/* Dimensions of the runs, of a dataset of the result of a study. */
static void has_run_dims(const char *text, const char *path, int n)
{
    const struct ml_run_options options = {.size = sizeof options};
    struct ml_study *study = read_study(text);
    struct ml_result *memory;
    struct ml_array_info info = {.size = sizeof info, .n_run_dim = -1};
    CHECK_CASE("run dimensions of %s", path);
    CHECK(ml_run_memory(study, &options, &memory, NULL, NULL) == ML_OK);
    CHECK(ml_result_find(memory, path, &info) && info.n_run_dim == n);
    ml_result_free(memory);
    ml_study_free(study);
}

static void dimensions_of_runs_are_told(void)
{
    has_run_dims(grid, "summary/energy_drift", 2);
    has_run_dims(grid, "summary/end_angle", 2); /* [rate][both][segment] */
    has_run_dims(grid, "summary/both", 0);
    has_run_dims(grid, "runs/outcome", 1);
    has_run_dims(grid, "trajectories/angle", 1);
    has_run_dims(grid, "trajectories/time", 0);
    has_run_dims(sample, "summary/end_x", 1);
    has_run_dims(sample, "title", 0);
    has_run_dims(single, "summary/end_x", 0);
    has_run_dims(single, "trajectories/x", 1);
}

static void blocks_have_what_memory_has(void)
{
    enum { N_RUN = 205, N_SAVED = 30 };
    static double energy[N_RUN], angle[N_SAVED * 22], outcome[N_RUN], other[N_SAVED * 22];
    static int8_t codes[N_RUN];
    CHECK_CASE("blocks");
    struct ml_study *study = read_study(grid);
    const struct ml_run_options options = {.size = sizeof options, .n_thread = 2};
    struct ml_outcome_count few[3] = {{0}, {0}, {-1, -1, -1.0}}; /* room for two */
    struct ml_run_report report = {.size = sizeof report, .n_outcome = 2, .outcomes = few};
    struct ml_error err = {0};
    struct ml_result *memory;
    struct ml_array_info info = {.size = sizeof info};
    struct collected c = {energy, angle, codes, 0, 0, 0};
    CHECK(ml_study_output(study, 0, &info) && info.rank == 0);
    CHECK(ml_run_blocks(study, &options, collect, &c, &report, &err) == ML_OK);
    CHECK(c.n_run == N_RUN && c.n_saved == N_SAVED && few[ML_DIVERGED].runs == 41);
    CHECK(report.sound == N_RUN - 41 && few[ML_FINISHED].runs == N_RUN - 41 && few[2].runs == -1);
    CHECK(ml_run_memory(study, &options, &memory, NULL, &err) == ML_OK);
    CHECK(ml_result_read(memory, "runs/outcome", NULL, NULL, outcome, N_RUN, &err) == ML_OK);
    for (int i = 0; i < N_RUN; i++)
        CHECK(outcome[i] == codes[i]);
    char name[80];
    (void)snprintf(name, sizeof name, "summary/%s", info.name);
    CHECK(ml_result_read(memory, name, NULL, NULL, outcome, N_RUN, &err) == ML_OK);
    CHECK(memcmp((void *)outcome, (void *)energy, sizeof energy) == 0);
    CHECK(ml_study_record(study, 0, &info));
    (void)snprintf(name, sizeof name, "trajectories/%s", info.name);
    CHECK(ml_result_read(memory, name, NULL, NULL, other, N_SAVED * 22, &err) == ML_OK);
    CHECK(memcmp((void *)other, (void *)angle, sizeof angle) == 0);
    ml_result_free(memory);
    c = (struct collected){energy, angle, codes, 0, 0, 1};
    CHECK(ml_run_blocks(study, &options, collect, &c, &report, &err) == ML_STOPPED);
    CHECK(err.text && c.n_run < N_RUN);
    ml_error_clear(&err);
    ml_study_free(study);
}

static void observe(void *context, const struct ml_run_block *block)
{
    (void)collect(context, block);
}

/* A run into memory shows each block that it kept, with the numbers that it then has. */
static void blocks_can_be_observed(void)
{
    enum { N_RUN = 205, N_SAVED = 30 };
    static double energy[N_RUN], angle[N_SAVED * 22], there[N_RUN];
    static int8_t codes[N_RUN];
    CHECK_CASE("observed");
    struct ml_study *study = read_study(grid);
    struct collected c = {energy, angle, codes, 0, 0, 0};
    const struct ml_run_options options = {
        .size = sizeof options, .n_thread = 2, .observe = observe, .context = &c};
    struct ml_error err = {0};
    struct ml_result *memory;
    CHECK(ml_run_memory(study, &options, &memory, NULL, &err) == ML_OK);
    CHECK(c.n_run == N_RUN && c.n_saved == N_SAVED);
    CHECK(ml_result_read(memory, "runs/outcome", NULL, NULL, there, N_RUN, &err) == ML_OK);
    for (int i = 0; i < N_RUN; i++)
        CHECK(there[i] == codes[i]);
    ml_result_free(memory);
    ml_study_free(study);
}

static int stop_at_once(void *context)
{
    (void)context;
    return 2;
}

static void what_was_not_run_is_missing(void)
{
    enum { N_RUN = 205 };
    static double outcome[N_RUN], drift[N_RUN];
    CHECK_CASE("stopped");
    struct ml_study *study = read_study(grid);
    const struct ml_run_options options = {.size = sizeof options, .stop = stop_at_once};
    struct ml_outcome_count counts[ML_N_OUTCOME];
    struct ml_run_report report = {.size = sizeof report, ML_N_OUTCOME, counts};
    struct ml_error err = {0};
    struct ml_result *memory;
    CHECK(ml_run_memory(study, &options, &memory, &report, &err) == ML_STOPPED);
    CHECK(err.status == ML_STOPPED && counts[ML_MISSING].runs == N_RUN && report.sound == 0);
    CHECK(memory &&
          ml_result_read(memory, "runs/outcome", NULL, NULL, outcome, N_RUN, NULL) == ML_OK);
    CHECK(memory &&
          ml_result_read(memory, "summary/energy_drift", NULL, NULL, drift, N_RUN, NULL) == ML_OK);
    for (int i = 0; i < N_RUN; i++)
        CHECK(strcmp(ml_outcome_name((int)outcome[i]), "missing") == 0 && isnan(drift[i]));
    ml_result_free(memory);
    ml_error_clear(&err);
    ml_study_free(study);
}

/* Results of one study, made one after the other and all kept, have their own numbers. */
static int n_found;

static void count_findings(void *context, const char *text)
{
    (void)context;
    (void)text;
    n_found++;
}

/* Of runs that are not there nothing is found. */
static void what_is_stopped_has_no_findings(void)
{
    static const char basins[] =
        "manylink: 1\n"
        "system: {type: duffing, alpha: -1, beta: 1, delta: 0.3, gamma: 0}\n"
        "time: {step: 5e-2, end: 60}\n"
        "sweep:\n"
        "  - {set: initial.x, from: -1, to: 1, count: 128}\n"
        "events:\n"
        "  - {name: beat, period: 1, from: 40, max: 16, keep: [state], attractors: 1e-3}\n";
    CHECK_CASE("stopped attractors");
    struct ml_study *study = read_study(basins);
    struct ml_error err = {0};
    struct ml_result *result = NULL;
    const struct ml_run_options options = {
        .size = sizeof options, .stop = stop_at_once, .finding = count_findings};
    n_found = 0;
    CHECK(ml_run_memory(study, &options, &result, NULL, &err) == ML_STOPPED);
    CHECK(n_found == 0);
    ml_error_clear(&err);
    ml_result_free(result);
    ml_study_free(study);
}

static void several_can_be_kept(void)
{
    enum { N = 3, N_RUN = 205 };
    static double first[N_RUN], later[N_RUN];
    CHECK_CASE("several");
    struct ml_study *study = read_study(grid);
    const struct ml_run_options options = {.size = sizeof options, .n_thread = 2};
    struct ml_error err = {0};
    struct ml_result *memory[N];
    for (int i = 0; i < N; i++)
        CHECK(ml_run_memory(study, &options, &memory[i], NULL, &err) == ML_OK);
    (void)fputs(err.text ? err.text : "", stderr);
    for (int i = 0; i < N && memory[i]; i++) {
        double *values = i == 0 ? first : later;
        CHECK(ml_result_read(memory[i], "summary/energy_drift", NULL, NULL, values, N_RUN, &err) ==
              ML_OK);
        CHECK(i == 0 || memcmp((void *)first, (void *)later, sizeof first) == 0);
    }
    for (int i = 0; i < N; i++)
        ml_result_free(memory[i]);
    ml_error_clear(&err);
    ml_study_free(study);
}

/* One text of an error that begins thus. */
static void fails_with(enum ml_status status, struct ml_error *err, const char *text)
{
    CHECK(status == ML_E_INPUT && err->count == 1);
    CHECK(err->text && strstr(err->text, text));
    if (err->text && !strstr(err->text, text))
        (void)fputs(err->text, stderr);
    ml_error_clear(err);
}

static void what_cannot_be_is_refused(void)
{
    CHECK_CASE("refused");
    struct ml_study *study = read_study(grid);
    struct ml_run_report report = {.size = sizeof report};
    struct ml_run_options options = {0};
    struct ml_error err = {0};
    struct ml_result *result;
    fails_with(ml_run_memory(study, &options, &result, &report, &err), &err,
               "must be sizeof(struct ml_run_options)");
    CHECK(!result);
    options.size = sizeof options;
    fails_with(ml_run(study, &options, &report, &err), &err, "`output`");
    options.output = "somewhere.h5";
    fails_with(ml_run_memory(study, &options, &result, &report, &err), &err, "`output`");
    struct {
        struct ml_run_options now;
        int later;
    } newer = {.now.size = sizeof newer};
    CHECK(ml_run_memory(study, &newer.now, &result, NULL, &err) == ML_OK);
    ml_result_free(result);
    newer.later = 1;
    fails_with(ml_run_memory(study, &newer.now, &result, NULL, &err), &err, "newer");
    options = (struct ml_run_options){.size = offsetof(struct ml_run_options, wait)};
    options.no_native = 1; /* beyond the size */
    options.output = NULL;
    struct ml_run_report old = {.size = offsetof(struct ml_run_report, runs_found), .threads = -1};
    CHECK(ml_run_memory(study, &options, &result, &old, &err) == ML_OK);
    CHECK(old.runs == 205 && old.threads == -1);
    ml_result_free(result);
    ml_study_free(study);
}

int main(void)
{
    memory_has_what_the_file_has("grid", grid);
    memory_has_what_the_file_has("sample", sample);
    memory_has_what_the_file_has("single", single);
    views_follow_from_dimensions("grid", grid);
    views_follow_from_dimensions("sample", sample);
    views_follow_from_dimensions("single", single);
    dimensions_of_runs_are_told();
    blocks_have_what_memory_has();
    blocks_can_be_observed();
    what_was_not_run_is_missing();
    what_is_stopped_has_no_findings();
    several_can_be_kept();
    what_cannot_be_is_refused();
    return check_done();
}
